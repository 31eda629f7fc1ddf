"""The Discord bot around the games."""
