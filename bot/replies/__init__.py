"""Acknowledging and answering interactions, the errors of calls, limits, and permissions."""
