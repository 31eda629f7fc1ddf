"""Games as the bot hosts them: the content of messages, settings, commands and figures."""
