"""The way to the database: one writer, some readers.

SQLite has one writer at a time. A second one is told "database is locked", sometimes at once and
in spite of a busy timeout, when it began by reading. So there is one writing connection, its
transactions begin with BEGIN IMMEDIATE, and whoever wants to write queues for it here. Readers
have connections that cannot write; in WAL mode they and the writer do not wait for each other.

Commits are synchronous = FULL. NORMAL would save a sync to disk per commit and survive a killed
process, but a power cut could take back commits that players have been told of. The sync happens
in the connection's own thread, and the journal joins the batches that wait for it.
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
READER_WAIT_S: Final = 30


class Database:
    """An open database.

    Attributes:
        writer: the engine with the one connection that writes.
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
        """Return the database at an address; connections are made when they are first needed.

        Its tables must be there (`bot.store.migrate.upgrade`).

        Raises:
            UnsupportedDatabaseError: the address names no SQLite file.
        """
        database_file(url)
        writer = _engine(url, begin="BEGIN IMMEDIATE", read_only=False, connections=1)
        reader = _engine(url, begin="BEGIN", read_only=True, connections=READERS)
        return cls(writer, reader)

    @asynccontextmanager
    async def write(self) -> AsyncGenerator[AsyncSession]:
        """Give a session that may write; what it did is committed at the end of the block.

        An exception takes all of it back. Blocks take turns in the order of asking; one inside
        another would wait for itself.

        Raises:
            StoreUnavailableError: the database is locked, full, read-only or damaged.
        """
        with _unavailable():
            async with self._writing, self._write.begin() as session:
                yield session

    @asynccontextmanager
    async def read(self) -> AsyncGenerator[AsyncSession]:
        """Give a session that sees one state of the database throughout and cannot write.

        Raises:
            StoreUnavailableError: the database can't be read.
        """
        with _unavailable():
            async with self._read() as session:
                yield session

    async def close(self) -> None:
        """Close all connections; nothing may be using them."""
        await self.reader.dispose()
        await self.writer.dispose()


@contextmanager
def _unavailable() -> Generator[None]:
    """Tell a database that is not to be had from a fault in what it is asked."""
    try:
        yield
    except IntegrityError:
        raise
    except DBAPIError as error:
        raise StoreUnavailableError(str(error.orig)) from error


def _engine(url: str, *, begin: str, read_only: bool, connections: int) -> AsyncEngine:
    engine = create_async_engine(
        make_url(url).set(drivername="sqlite+aiosqlite"),
        pool_size=connections,
        max_overflow=0,
        pool_timeout=READER_WAIT_S,
        json_serializer=_compact_json,
    )

    def on_connect(connection: DBAPIConnection, _record: object) -> None:
        # The driver's own transactions begin late, at the first statement that writes.
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
