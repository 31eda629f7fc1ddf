"""Buttons, selects and forms, which work after a restart by their custom ids."""
