"""Running matches: each has one runner and one inbox."""
