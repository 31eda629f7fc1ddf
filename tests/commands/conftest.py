from tests.kit.fixtures import ada, bo, cy, database, games, manager, migrated, table, world

__all__ = ["ada", "bo", "cy", "database", "games", "manager", "migrated", "table", "world"]
