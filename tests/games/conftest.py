from tests.kit.fixtures import ada, bo, database, manager, migrated, world

__all__ = ["ada", "bo", "database", "manager", "migrated", "world"]
