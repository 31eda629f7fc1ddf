from tests.matches.conftest import database, faults, games, migrated, table, world

__all__ = ["database", "faults", "games", "migrated", "table", "world"]
