"""Alea Iacta Est in the terminal."""
