from tests.kit.fixtures import database, migrated, world

__all__ = ["database", "migrated", "world"]
