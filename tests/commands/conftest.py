from tests.matches.conftest import database, games, migrated, table, world

__all__ = ["database", "games", "migrated", "table", "world"]
