"""Where the database lies: reading its address."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import make_url
from sqlalchemy.exc import ArgumentError


class UnsupportedDatabaseError(Exception):
    """The database's address is not that of an SQLite file."""


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


def _unsupported() -> UnsupportedDatabaseError:
    return UnsupportedDatabaseError(
        "The database address must name an SQLite file, such as sqlite+aiosqlite:///rox.sqlite3."
    )
