from tests.matches.conftest import database, migrated, table, world

__all__ = ["database", "migrated", "table", "world"]
