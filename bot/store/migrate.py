"""Bringing a database up to date, and copying it.

All of it is synchronous: the command line calls it before the event loop starts.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from importlib.resources import files
from typing import TYPE_CHECKING, Final

from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import make_url

from bot.store.files import (
    StoreError,
    copies,
    copy_name,
    damaged,
    database_file,
    reaching,
    telling,
    where_copies_are,
)

if TYPE_CHECKING:
    from pathlib import Path

COPIES_KEPT: Final = 3


class NewerDatabaseError(StoreError):
    """The database was written by a newer version of the bot."""


class ForeignDatabaseError(StoreError):
    """The file is not a database of this bot."""


def upgrade(url: str) -> None:
    """Bring a database up to date, creating it if it is not there.

    An older database is copied beside itself first, under a name that tells its revision; the
    newest few such copies are kept.

    Raises:
        NewerDatabaseError: it was written by a newer version of the bot.
        ForeignDatabaseError: the file is something else.
        DamagedDatabaseError: the file is not whole.
        UnreachableDatabaseError: the file cannot be opened or written.
        UnsupportedDatabaseError: the address names no SQLite file.
    """
    database = database_file(url)
    with reaching(database):
        _check(database)
        _upgrade(url, database)
        _use_wal(database)


def _upgrade(url: str, database: Path) -> None:
    config = configuration(url)
    scripts = ScriptDirectory.from_config(config)
    revision = _revision(database)
    if revision is not None:
        if revision not in {script.revision for script in scripts.walk_revisions()}:
            raise NewerDatabaseError(
                f"The database {database} was written by a newer version of the bot."
            )
        if revision == scripts.get_current_head():
            return
        copy = copy_name(database, revision)
        backup(url, copy)
        _forget_old_copies(database, copy)
    command.upgrade(config, "head")


def backup(url: str, target: Path) -> None:
    """Copy a database, even while it is in use; a file at `target` is replaced at the end.

    Raises:
        FileNotFoundError: there is no database.
        UnsupportedDatabaseError: the address names no SQLite file.
        UnreachableDatabaseError: the copy could not be made.
        DamagedDatabaseError: the database is not whole.
    """
    database = database_file(url)
    if not database.is_file():
        raise FileNotFoundError(f"There is no database {database}.")
    unfinished = target.with_name(f"{target.name}.part")
    unfinished.unlink(missing_ok=True)
    try:
        with (
            telling(database, f"copied to {target}"),
            closing(sqlite3.connect(database)) as source,
            closing(sqlite3.connect(unfinished)) as copy,
        ):
            source.backup(copy)
            # A copy is one file: whoever reads it need not find a log beside it.
            copy.execute("PRAGMA journal_mode = DELETE")
            if (found := _damage(copy)) is not None:
                raise damaged(database, found)
        unfinished.replace(target)
    finally:
        unfinished.unlink(missing_ok=True)


def configuration(url: str) -> Config:
    """Return Alembic's configuration for a database; works wherever the package is installed."""
    config = Config()
    location = str(files("migrations")).replace("%", "%%")
    config.set_main_option("script_location", location)
    config.attributes["url"] = make_url(url)
    return config


def _check(database: Path) -> None:
    """Look for damage, which would show only once the bot runs; takes 3 ms a megabyte."""
    if not database.exists():
        return
    with closing(_only_reading(database)) as connection:
        try:
            found = _damage(connection)
        except sqlite3.DatabaseError as error:
            if error.sqlite_errorcode == sqlite3.SQLITE_NOTADB:
                raise _foreign(database) from error
            raise
    if found is not None:
        raise damaged(database, found)


def _damage(connection: sqlite3.Connection) -> str | None:
    found = str(connection.execute("PRAGMA quick_check(1)").fetchone()[0])
    return None if found == "ok" else " ".join(found.split())


def _only_reading(database: Path) -> sqlite3.Connection:
    # A connection that may write would tidy up what it finds, and it may be damaged.
    return sqlite3.connect(f"{database.absolute().as_uri()}?mode=ro", uri=True)


def _use_wal(database: Path) -> None:
    # Switching waits for all other connections, so it comes before there are any.
    with closing(sqlite3.connect(database)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        # That a file can only be read would show at the first match; to begin tells nothing.
        connection.execute("DELETE FROM alembic_version WHERE 0")


def _revision(database: Path) -> str | None:
    """Return the revision of a database; None for one that is new or empty."""
    if not database.exists():
        return None
    with closing(_only_reading(database)) as connection:
        tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master")}
        versions = (
            connection.execute("SELECT version_num FROM alembic_version").fetchall()
            if "alembic_version" in tables
            else []
        )
    if versions:
        return str(versions[0][0])
    if tables - {"alembic_version", "sqlite_autoindex_alembic_version_1"}:
        raise _foreign(database)
    return None


def _foreign(database: Path) -> ForeignDatabaseError:
    return ForeignDatabaseError(
        f"The file {database} is not a database of this bot, or its beginning is damaged; it was "
        f"left as it is. {where_copies_are(database)}"
    )


def _forget_old_copies(database: Path, newest: Path) -> None:
    # The clock of the host may have been set back, so the newest copy need not look it.
    others = [copy for copy in copies(database) if copy.name != newest.name]
    others.sort(key=lambda copy: copy.stat().st_mtime_ns)
    for copy in others[: 1 - COPIES_KEPT]:
        copy.unlink()
