"""The bot wired together, and run as a process."""
