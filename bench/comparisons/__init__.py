"""One file a comparison with other libraries: `contest(setup)` says who runs what."""
