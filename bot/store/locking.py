"""The lock that keeps a second process off the database."""

from __future__ import annotations

import fcntl
from contextlib import contextmanager
from typing import TYPE_CHECKING

from bot.store.files import StoreError, database_file, translate_file_errors

if TYPE_CHECKING:
    from collections.abc import Generator


class DatabaseInUseError(StoreError):
    """Another process uses the database."""


@contextmanager
def database_lock(url: str) -> Generator[None]:
    """Lock the database for this process while the block runs, creating its directory first.

    Two processes would run the same matches twice. The lock is taken on a file of its own beside
    the database. The system releases it when the process ends, even after a crash; the file stays.

    Raises:
        DatabaseInUseError: another process has the lock.
        UnreachableDatabaseError: the lock file cannot be created.
        UnsupportedDatabaseError: the URL names no SQLite file.
    """
    database = database_file(url)
    with translate_file_errors(database):
        database.parent.mkdir(parents=True, exist_ok=True)
        file = database.with_name(f"{database.name}.lock").open("a")
    with file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise DatabaseInUseError(
                f"Another process is already using the database {database}."
            ) from None
        yield
