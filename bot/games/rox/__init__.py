"""Rox, as the bot hosts it."""
