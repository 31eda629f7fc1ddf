"""Bringing a database up to date, and copying it.

All of it is synchronous: the command line calls it before the event loop starts.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from glob import escape
from importlib.resources import files
from typing import TYPE_CHECKING, Final

from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import make_url

from bot.store.files import StoreError, database_file, reaching

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
        UnreachableDatabaseError: the file cannot be opened or written.
        UnsupportedDatabaseError: the address names no SQLite file.
    """
    database = database_file(url)
    with reaching(database):
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
        backup(url, _copy_name(database, revision))
        _forget_old_copies(database)
    command.upgrade(config, "head")


def backup(url: str, target: Path) -> None:
    """Copy a database, even while it is in use; a file at `target` is replaced at the end.

    Raises:
        FileNotFoundError: there is no database.
        UnsupportedDatabaseError: the address names no SQLite file.
        sqlite3.Error: the copy could not be made.
    """
    database = database_file(url)
    if not database.is_file():
        raise FileNotFoundError(f"There is no database {database}.")
    unfinished = target.with_name(f"{target.name}.part")
    unfinished.unlink(missing_ok=True)
    try:
        with (
            closing(sqlite3.connect(database)) as source,
            closing(sqlite3.connect(unfinished)) as copy,
        ):
            source.backup(copy)
            # A copy is one file: whoever reads it need not find a log beside it.
            copy.execute("PRAGMA journal_mode = DELETE")
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


def _use_wal(database: Path) -> None:
    # Switching waits for all other connections, so it comes before there are any.
    with closing(sqlite3.connect(database)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")


def _revision(database: Path) -> str | None:
    """Return the revision of a database; None for one that is new or empty."""
    if not database.exists():
        return None
    try:
        with closing(sqlite3.connect(database)) as connection:
            tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master")}
            versions = (
                connection.execute("SELECT version_num FROM alembic_version").fetchall()
                if "alembic_version" in tables
                else []
            )
    except sqlite3.OperationalError:
        raise
    except sqlite3.DatabaseError as error:
        raise _foreign(database) from error
    if versions:
        return str(versions[0][0])
    if tables - {"alembic_version", "sqlite_autoindex_alembic_version_1"}:
        raise _foreign(database)
    return None


def _foreign(database: Path) -> ForeignDatabaseError:
    return ForeignDatabaseError(f"The file {database} is not a database of this bot.")


def _copy_name(database: Path, revision: str) -> Path:
    return database.with_name(f"{database.stem}.copy-{revision}{database.suffix}")


def _forget_old_copies(database: Path) -> None:
    pattern = _copy_name(database.with_stem(escape(database.stem)), "*").name
    copies = sorted(database.parent.glob(pattern), key=lambda copy: copy.stat().st_mtime_ns)
    for copy in copies[:-COPIES_KEPT]:
        copy.unlink()
