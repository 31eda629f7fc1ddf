"""Turns what a game shows into Discord messages."""
