"""What is kept: models, sessions and plain query functions."""
