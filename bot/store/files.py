"""Where the database and its copies lie, and what is said when it cannot be used."""

from __future__ import annotations

import sqlite3
from contextlib import contextmanager
from glob import escape
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import make_url
from sqlalchemy.exc import ArgumentError, DBAPIError

from bot.matches.ports import StoreUnavailableError

if TYPE_CHECKING:
    from collections.abc import Generator


class StoreError(Exception):
    """The database cannot be used; says why in one sentence."""


class UnsupportedDatabaseError(StoreError):
    """The database's address is not that of an SQLite file."""


class UnreachableDatabaseError(StoreError):
    """The database's file cannot be opened, read or written."""


class DamagedDatabaseError(StoreError):
    """What the database's file holds is no longer whole; it was left as it is."""


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
        DamagedDatabaseError: what is in the file is not whole.
    """
    try:
        database.parent.mkdir(parents=True, exist_ok=True)
        with telling(database):
            yield
    except OSError as error:
        raise _unreachable(database, error.strerror) from error


@contextmanager
def telling(database: Path, use: str = "used") -> Generator[None]:
    """Put what SQLite says while the block runs into one sentence.

    Args:
        database: the file.
        use: what the block does with it.

    Raises:
        UnreachableDatabaseError: it refused to open, read or write the file.
        DamagedDatabaseError: what is in the file is not whole.
    """
    try:
        yield
    except sqlite3.OperationalError as error:
        raise _unreachable(database, error, use) from error
    except sqlite3.DatabaseError as error:
        if not _is_damage(error):
            raise
        raise damaged(database, error) from error
    except (DBAPIError, StoreUnavailableError) as error:
        cause = error.__cause__ if isinstance(error, StoreUnavailableError) else error
        reason = cause.orig if isinstance(cause, DBAPIError) else cause
        if _is_damage(reason):
            raise damaged(database, reason) from error
        if not isinstance(reason, sqlite3.OperationalError):
            raise
        raise _unreachable(database, reason, use) from error


def damaged(database: Path, reason: object) -> DamagedDatabaseError:
    """Return the error that says so, and where a copy may be."""
    return DamagedDatabaseError(
        f"The database {database} is damaged ({reason}) and was left as it is. "
        f"{where_copies_are(database)}"
    )


def where_copies_are(database: Path) -> str:
    """Return the sentence that says which copies can take a database's place."""
    found = sorted(copy.name for copy in copies(database))
    beside = f", or one made before an update: {', '.join(found)}" if found else ""
    return f"Put a copy in its place: one made with `rox backup`{beside}."


def copies(database: Path) -> list[Path]:
    """Return the copies that updates have left beside a database."""
    pattern = copy_name(database.with_stem(escape(database.stem)), "*").name
    return list(database.parent.glob(pattern))


def copy_name(database: Path, revision: str) -> Path:
    """Return where a database of an older revision is copied before an update."""
    return database.with_name(f"{database.stem}.copy-{revision}{database.suffix}")


def _is_damage(error: object) -> bool:
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    return code in {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}


def _unreachable(database: Path, reason: object, use: str = "used") -> UnreachableDatabaseError:
    return UnreachableDatabaseError(f"The database {database} cannot be {use}: {reason}.")


def _unsupported() -> UnsupportedDatabaseError:
    return UnsupportedDatabaseError(
        "The database address must name an SQLite file, such as sqlite+aiosqlite:///rox.sqlite3."
    )
