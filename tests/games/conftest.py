from tests.matches.conftest import database, migrated, world

__all__ = ["database", "migrated", "world"]
