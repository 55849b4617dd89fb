"""Rostra: the digital home of the board games Alea Iacta Est and Quo Vadis?."""

__version__ = "0.1.0"
