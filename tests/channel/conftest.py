from tests.kit.fixtures import ada, bo, database, faults, games, migrated, table, world

__all__ = ["ada", "bo", "database", "faults", "games", "migrated", "table", "world"]
