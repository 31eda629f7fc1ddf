"""Rox, the card race by Günter Burkhardt."""
