from tests.kit.fixtures import database, games, migrated, table, world

__all__ = ["database", "games", "migrated", "table", "world"]
