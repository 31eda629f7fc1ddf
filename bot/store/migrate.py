"""Database upgrades and backups.

Everything here is synchronous and is called before the event loop starts.
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
    copy_path,
    damaged_error,
    database_file,
    find_copies,
    restore_hint,
    translate_file_errors,
    translate_sqlite_errors,
)

if TYPE_CHECKING:
    from pathlib import Path

COPIES_KEPT: Final = 3


class NewerDatabaseError(StoreError):
    """The database was written by a newer version of the bot."""


class ForeignDatabaseError(StoreError):
    """The file is not a database of this bot."""


def upgrade(url: str) -> None:
    """Upgrade a database to the newest revision, creating it if it does not exist.

    An older database is first copied beside itself, under a name that contains its revision; the
    newest `COPIES_KEPT` such copies are kept.

    Raises:
        NewerDatabaseError: the database was written by a newer version of the bot.
        ForeignDatabaseError: the file is not a database of this bot.
        DamagedDatabaseError: the file is damaged.
        UnreachableDatabaseError: the file cannot be opened or written.
        UnsupportedDatabaseError: the URL names no SQLite file.
    """
    database = database_file(url)
    with translate_file_errors(database):
        database.parent.mkdir(parents=True, exist_ok=True)
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
        copy = copy_path(database, revision)
        backup(url, copy)
        _delete_old_copies(database, copy)
    command.upgrade(config, "head")


def backup(url: str, target: Path) -> None:
    """Copy a database, even while it is in use; a file at `target` is replaced at the end.

    Raises:
        FileNotFoundError: the database does not exist.
        UnsupportedDatabaseError: the URL names no SQLite file.
        UnreachableDatabaseError: the copy could not be made.
        DamagedDatabaseError: the database is damaged.
    """
    database = database_file(url)
    if not database.is_file():
        raise FileNotFoundError(f"There is no database {database}.")
    unfinished = target.with_name(f"{target.name}.part")
    unfinished.unlink(missing_ok=True)
    try:
        with (
            translate_sqlite_errors(database, f"copied to {target}"),
            closing(sqlite3.connect(database)) as source,
            closing(sqlite3.connect(unfinished)) as copy,
        ):
            source.backup(copy)
            # In WAL mode the copy would need a second file beside it, and could lose it.
            copy.execute("PRAGMA journal_mode = DELETE")
            if (found := _damage(copy)) is not None:
                raise damaged_error(database, found)
        unfinished.replace(target)
    finally:
        unfinished.unlink(missing_ok=True)


def configuration(url: str) -> Config:
    """Return Alembic's configuration for a database; it needs no installed `alembic.ini`."""
    config = Config()
    location = str(files("migrations")).replace("%", "%%")
    config.set_main_option("script_location", location)
    config.attributes["url"] = make_url(url)
    return config


def _check(database: Path) -> None:
    """Raise an error if a database is damaged; this takes 3 ms per megabyte.

    Without it the damage would appear only when a match reads or writes the damaged page.
    """
    if not database.exists():
        return
    with closing(_connect_read_only(database)) as connection:
        try:
            found = _damage(connection)
        except sqlite3.DatabaseError as error:
            if error.sqlite_errorcode == sqlite3.SQLITE_NOTADB:
                raise _foreign_error(database) from error
            raise
    if found is not None:
        raise damaged_error(database, found)


def _damage(connection: sqlite3.Connection) -> str | None:
    found = str(connection.execute("PRAGMA quick_check(1)").fetchone()[0])
    return None if found == "ok" else " ".join(found.split())


def _connect_read_only(database: Path) -> sqlite3.Connection:
    # A connection that can write may roll back a journal, and so change a damaged file.
    return sqlite3.connect(f"{database.absolute().as_uri()}?mode=ro", uri=True)


def _use_wal(database: Path) -> None:
    # Switching needs the only connection, so it happens before the bot opens any.
    with closing(sqlite3.connect(database)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        # A read-only file would fail only at the first match; BEGIN IMMEDIATE does not reveal it.
        connection.execute("DELETE FROM alembic_version WHERE 0")


def _revision(database: Path) -> str | None:
    """Return the revision of a database, or None if it is new or empty."""
    if not database.exists():
        return None
    with closing(_connect_read_only(database)) as connection:
        tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master")}
        versions = (
            connection.execute("SELECT version_num FROM alembic_version").fetchall()
            if "alembic_version" in tables
            else []
        )
    if versions:
        return str(versions[0][0])
    if tables - {"alembic_version", "sqlite_autoindex_alembic_version_1"}:
        raise _foreign_error(database)
    return None


def _foreign_error(database: Path) -> ForeignDatabaseError:
    return ForeignDatabaseError(
        f"The file {database} is not a database of this bot, or its beginning is damaged; it was "
        f"left as it is. {restore_hint(database)}"
    )


def _delete_old_copies(database: Path, newest: Path) -> None:
    # The machine's clock may have been set back, so the newest copy can have an older date.
    others = [copy for copy in find_copies(database) if copy.name != newest.name]
    others.sort(key=lambda copy: copy.stat().st_mtime_ns)
    for copy in others[: 1 - COPIES_KEPT]:
        copy.unlink()
