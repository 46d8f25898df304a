"""The version, of the package and of the library in it."""

__version__ = "0.1.0"
