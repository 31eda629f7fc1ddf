"""The wired bot, and the process that runs it."""
