"""Running matches: one runner each, one inbox each."""
