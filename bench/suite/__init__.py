"""What the scripts in bench/ share."""
