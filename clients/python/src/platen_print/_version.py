"""The version, in the form of PEP 440."""

__version__ = "0.2.0.dev0"
