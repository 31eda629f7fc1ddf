"""The database's file and its copies, and the errors raised when it cannot be used."""

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
    """The database cannot be used; the message is one sentence for the operator."""


class UnsupportedDatabaseError(StoreError):
    """The database URL does not name an SQLite file."""


class UnreachableDatabaseError(StoreError):
    """The database file cannot be opened, read or written."""


class DamagedDatabaseError(StoreError):
    """The database file is damaged; it was not changed."""


def database_file(url: str) -> Path:
    """Return the path of the file that a URL such as `sqlite+aiosqlite:///rox.sqlite3` names.

    Three slashes begin a relative path, four an absolute one.

    Raises:
        UnsupportedDatabaseError: the URL names no SQLite file.
    """
    try:
        parsed = make_url(url)
    except ArgumentError as error:
        raise _unsupported_error() from error
    name = parsed.database
    if parsed.get_backend_name() != "sqlite" or not name or name.startswith((":memory:", "file:")):
        raise _unsupported_error()
    return Path(name)


@contextmanager
def translate_file_errors(database: Path) -> Generator[None]:
    """Raise errors of the file system and of SQLite as a `StoreError`.

    Raises:
        UnreachableDatabaseError: the file system or SQLite refused.
        DamagedDatabaseError: the file is damaged.
    """
    try:
        with translate_sqlite_errors(database):
            yield
    except OSError as error:
        raise _unreachable_error(database, error.strerror) from error


@contextmanager
def translate_sqlite_errors(database: Path, use: str = "used") -> Generator[None]:
    """Raise errors of SQLite as a `StoreError`.

    Args:
        database: the file.
        use: what the block does with the file, as a participle for the message.

    Raises:
        UnreachableDatabaseError: SQLite refused to open, read or write the file.
        DamagedDatabaseError: the file is damaged.
    """
    try:
        yield
    except sqlite3.OperationalError as error:
        raise _unreachable_error(database, error, use) from error
    except sqlite3.DatabaseError as error:
        if not _is_damage(error):
            raise
        raise damaged_error(database, error) from error
    except (DBAPIError, StoreUnavailableError) as error:
        cause = error.__cause__ if isinstance(error, StoreUnavailableError) else error
        reason = cause.orig if isinstance(cause, DBAPIError) else cause
        if _is_damage(reason):
            raise damaged_error(database, reason) from error
        if not isinstance(reason, sqlite3.OperationalError):
            raise
        raise _unreachable_error(database, reason, use) from error


def damaged_error(database: Path, reason: object) -> DamagedDatabaseError:
    """Return the error for a damaged database; it names the copies that can replace it."""
    return DamagedDatabaseError(
        f"The database {database} is damaged ({reason}) and was left as it is. "
        f"{restore_hint(database)}"
    )


def restore_hint(database: Path) -> str:
    """Return the sentence that says which copies can replace a database."""
    found = sorted(copy.name for copy in find_copies(database))
    beside = f", or one made before an update: {', '.join(found)}" if found else ""
    return f"Put a copy in its place: one made with `rox backup`{beside}."


def find_copies(database: Path) -> list[Path]:
    """Return the copies that updates have left beside a database."""
    pattern = copy_path(database.with_stem(escape(database.stem)), "*").name
    return list(database.parent.glob(pattern))


def copy_path(database: Path, revision: str) -> Path:
    """Return the path to which a database of an older revision is copied before an update."""
    return database.with_name(f"{database.stem}.copy-{revision}{database.suffix}")


def _is_damage(error: object) -> bool:
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    return code in {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}


def _unreachable_error(
    database: Path, reason: object, use: str = "used"
) -> UnreachableDatabaseError:
    return UnreachableDatabaseError(f"The database {database} cannot be {use}: {reason}.")


def _unsupported_error() -> UnsupportedDatabaseError:
    return UnsupportedDatabaseError(
        "The database address must name an SQLite file, such as sqlite+aiosqlite:///rox.sqlite3."
    )
