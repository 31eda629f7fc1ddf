"""Slash commands, one cog per group."""
