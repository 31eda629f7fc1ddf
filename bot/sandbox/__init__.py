"""A Discord on loopback and a page to play on."""
