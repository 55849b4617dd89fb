"""Quo Vadis? in the terminal."""
