"""The connections to the SQLite database: one that writes, several that read.

SQLite allows one writer at a time. A second one fails with "database is locked"; if its transaction
began by reading, it fails at once, whatever the busy timeout. All writes therefore share one
connection, take turns for it here, and begin with BEGIN IMMEDIATE. The other connections cannot
write; in WAL mode they and the writer do not wait for each other.

Commits use synchronous = FULL. NORMAL would save one sync to disk per commit and survive a killed
process, but a power cut could undo commits that players have already seen the result of. The sync
runs in the connection's own thread; the journal collects the batches that arrive meanwhile and
writes them in one transaction.
"""

from __future__ import annotations

import asyncio
import json
from contextlib import asynccontextmanager, contextmanager
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import event, make_url
from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlalchemy.ext.asyncio import (
    AsyncEngine,
    AsyncSession,
    async_sessionmaker,
    create_async_engine,
)

from bot.matches.ports import StoreUnavailableError
from bot.store.files import database_file

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Generator

    from sqlalchemy import Connection
    from sqlalchemy.engine.interfaces import DBAPIConnection

BUSY_TIMEOUT_MS: Final = 10_000
READERS: Final = 4
POOL_TIMEOUT_S: Final = 30


class Database:
    """An open database.

    Attributes:
        writer: the engine of the one connection that writes.
        reader: the engine of the connections that only read.
    """

    def __init__(self, writer: AsyncEngine, reader: AsyncEngine) -> None:
        self.writer = writer
        self.reader = reader
        self._writing = asyncio.Lock()
        self._write = async_sessionmaker(writer, expire_on_commit=False)
        self._read = async_sessionmaker(reader, expire_on_commit=False)

    @classmethod
    def open(cls, url: str) -> Database:
        """Return the database at a URL; each connection is made when it is first needed.

        The tables must exist already; `bot.store.migrate.upgrade` creates them.

        Raises:
            UnsupportedDatabaseError: the URL names no SQLite file.
        """
        database_file(url)
        writer = _create_engine(url, begin="BEGIN IMMEDIATE", read_only=False, connections=1)
        reader = _create_engine(url, begin="BEGIN", read_only=True, connections=READERS)
        return cls(writer, reader)

    @asynccontextmanager
    async def write(self) -> AsyncGenerator[AsyncSession]:
        """Open a session that can write, and commit it at the end of the block.

        An exception rolls it back. Blocks run one after another, in the order in which they were
        entered; a block inside another one deadlocks.

        Raises:
            StoreUnavailableError: the database is locked, full, read-only or damaged.
        """
        with _translate_errors():
            async with self._writing, self._write.begin() as session:
                yield session

    @asynccontextmanager
    async def read(self) -> AsyncGenerator[AsyncSession]:
        """Open a session that cannot write and sees one state of the database throughout.

        Raises:
            StoreUnavailableError: the database can't be read.
        """
        with _translate_errors():
            async with self._read() as session:
                yield session

    async def close(self) -> None:
        """Close all connections; none may be in use."""
        await self.reader.dispose()
        await self.writer.dispose()


@contextmanager
def _translate_errors() -> Generator[None]:
    """Raise database errors as `StoreUnavailableError`, except violated constraints.

    A violated constraint is a fault of the statement, so trying again would not help.
    """
    try:
        yield
    except IntegrityError:
        raise
    except DBAPIError as error:
        raise StoreUnavailableError(str(error.orig)) from error


def _create_engine(url: str, *, begin: str, read_only: bool, connections: int) -> AsyncEngine:
    engine = create_async_engine(
        make_url(url).set(drivername="sqlite+aiosqlite"),
        pool_size=connections,
        max_overflow=0,
        pool_timeout=POOL_TIMEOUT_S,
        json_serializer=_compact_json,
    )

    def on_connect(connection: DBAPIConnection, _record: object) -> None:
        # Without this the driver begins each transaction itself, only at the first write.
        connection.isolation_level = None
        cursor = connection.cursor()
        cursor.execute(f"PRAGMA busy_timeout = {BUSY_TIMEOUT_MS}")
        if not read_only:
            cursor.execute("PRAGMA journal_mode = WAL")
        cursor.execute("PRAGMA synchronous = FULL")
        cursor.execute("PRAGMA foreign_keys = ON")
        cursor.execute(f"PRAGMA query_only = {int(read_only)}")
        cursor.close()

    def on_begin(connection: Connection) -> None:
        connection.exec_driver_sql(begin)

    event.listen(engine.sync_engine, "connect", on_connect)
    event.listen(engine.sync_engine, "begin", on_begin)
    return engine


def _compact_json(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"))
