"""One process on one database."""

from __future__ import annotations

import fcntl
from contextlib import contextmanager
from typing import TYPE_CHECKING

from bot.store.files import StoreError, database_file, reaching

if TYPE_CHECKING:
    from collections.abc import Generator


class DatabaseInUseError(StoreError):
    """Another process works on the database."""


@contextmanager
def sole_process(url: str) -> Generator[None]:
    """Hold the database for this process while the block runs.

    The lock is one on a file of its own beside the database. It ends with the process, however
    that ends; the file stays.

    Raises:
        DatabaseInUseError: another process holds it.
        UnreachableDatabaseError: the lock's file cannot be made.
        UnsupportedDatabaseError: the address names no SQLite file.
    """
    database = database_file(url)
    with reaching(database):
        file = database.with_name(f"{database.name}.lock").open("a")
    with file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise DatabaseInUseError(
                f"Another process is already using the database {database}."
            ) from None
        yield
