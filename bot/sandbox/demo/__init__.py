"""A whole match against a simulated Discord, in virtual time, with simulated people."""
