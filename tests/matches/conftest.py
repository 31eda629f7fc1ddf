from tests.kit.fixtures import database, faults, games, migrated, table, world

__all__ = ["database", "faults", "games", "migrated", "table", "world"]
