"""The rules of the games, as pure state machines: standard library only."""
