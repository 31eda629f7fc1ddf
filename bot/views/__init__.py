"""Buttons and selects that survive a restart by their custom ids."""
