from tests.matches.conftest import database, faults, migrated, table, world

__all__ = ["database", "faults", "migrated", "table", "world"]
