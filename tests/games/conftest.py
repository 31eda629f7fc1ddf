from tests.matches.conftest import database, migrated

__all__ = ["database", "migrated"]
