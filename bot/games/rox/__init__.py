"""Rox as the bot hosts it: its messages, settings, commands and figures."""
