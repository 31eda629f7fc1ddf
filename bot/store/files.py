"""Where the database lies: reading its address."""

from __future__ import annotations

import sqlite3
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import make_url
from sqlalchemy.exc import ArgumentError, OperationalError

if TYPE_CHECKING:
    from collections.abc import Generator


class StoreError(Exception):
    """The database cannot be used; says why in one sentence."""


class UnsupportedDatabaseError(StoreError):
    """The database's address is not that of an SQLite file."""


class UnreachableDatabaseError(StoreError):
    """The database's file cannot be opened, read or written."""


def database_file(url: str) -> Path:
    """Return the file behind an address such as `sqlite+aiosqlite:///rox.sqlite3`.

    Three slashes begin a relative path, four an absolute one.

    Raises:
        UnsupportedDatabaseError: the address names no SQLite file.
    """
    try:
        parsed = make_url(url)
    except ArgumentError as error:
        raise _unsupported() from error
    name = parsed.database
    if parsed.get_backend_name() != "sqlite" or not name or name.startswith((":memory:", "file:")):
        raise _unsupported()
    return Path(name)


@contextmanager
def reaching(database: Path) -> Generator[None]:
    """Make the directory of a database, and put what the block meets there into one sentence.

    Raises:
        UnreachableDatabaseError: the file system or SQLite refused.
    """
    try:
        database.parent.mkdir(parents=True, exist_ok=True)
        yield
    except (OSError, sqlite3.OperationalError) as error:
        raise _unreachable(database, error) from error
    except OperationalError as error:
        raise _unreachable(database, error.orig) from error


def _unreachable(database: Path, cause: BaseException | None) -> UnreachableDatabaseError:
    reason = cause.strerror if isinstance(cause, OSError) else cause
    return UnreachableDatabaseError(f"The database {database} cannot be used: {reason}.")


def _unsupported() -> UnsupportedDatabaseError:
    return UnsupportedDatabaseError(
        "The database address must name an SQLite file, such as sqlite+aiosqlite:///rox.sqlite3."
    )
