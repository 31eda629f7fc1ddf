import asyncio
import sqlite3
import subprocess
import sys
from contextlib import closing
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest
from sqlalchemy import delete, select, text
from sqlalchemy.exc import IntegrityError, OperationalError, StatementError

from bot.matches.ports import StoreUnavailableError
from bot.store.database import BUSY_TIMEOUT_MS, Database
from bot.store.files import UnsupportedDatabaseError, database_file
from bot.store.migrate import upgrade
from bot.store.models import ActionRow, MatchRow, MatchStatus
from tests.kit.stored_logs import VENUE, opening


def match_row(channel=1, **changes):
    values = {
        "guild_id": 1,
        "channel_id": channel,
        "game": "rox",
        "rules_version": 1,
        "status": MatchStatus.OPEN,
        "opened_at": datetime(2026, 5, 1, tzinfo=UTC),
    }
    return MatchRow(**values | changes)


async def pragma(session, name):
    return await session.scalar(text(f"PRAGMA {name}"))


async def test_both_engines_are_set_up_as_intended(database):
    async with database.write() as writing, database.read() as reading:
        for session, read_only in ((writing, 0), (reading, 1)):
            assert await pragma(session, "journal_mode") == "wal"
            assert await pragma(session, "foreign_keys") == 1
            assert await pragma(session, "busy_timeout") == BUSY_TIMEOUT_MS
            assert await pragma(session, "synchronous") == 2
            assert await pragma(session, "query_only") == read_only


async def test_foreign_keys_hold(database):
    line = ActionRow(match_id=5, seq=0, action_id=1, kind="tick", payload={})
    with pytest.raises(IntegrityError):
        async with database.write() as session:
            session.add(line)


async def test_a_deleted_match_takes_its_log_along(journal, database):
    await journal.create(VENUE, [opening()])
    async with database.write() as session:
        await session.execute(delete(MatchRow))
    async with database.read() as session:
        assert (await session.scalars(select(ActionRow))).all() == []


@pytest.mark.parametrize(
    "impossible",
    [
        {"status": "running"},
        {"closed": True},
        {"status": "void"},
        {"end_reason": "stopped"},
    ],
)
async def test_impossible_matches_are_refused(database, impossible):
    with pytest.raises(IntegrityError):
        async with database.write() as session:
            session.add(match_row(**impossible))


async def test_readers_cannot_write(database):
    async with database.read() as session:
        session.add(match_row())
        with pytest.raises(OperationalError, match="readonly"):
            await session.flush()


async def test_an_unavailable_database_is_distinguished_from_an_invalid_row(database):
    async def add(session, *rows):
        async with session as opened:
            opened.add_all(rows)
            await opened.flush()

    with pytest.raises(StoreUnavailableError, match="readonly"):
        await add(database.read(), match_row())
    with pytest.raises(IntegrityError):
        await add(database.write(), match_row(), match_row())


async def test_a_failed_block_takes_everything_back(database):
    async def fail():
        async with database.write() as session:
            session.add(match_row())
            await session.flush()
            raise RuntimeError

    with pytest.raises(RuntimeError):
        await fail()
    async with database.read() as session:
        assert (await session.scalars(select(MatchRow))).all() == []


async def test_a_reader_neither_waits_for_the_writer_nor_sees_it_unfinished(database):
    async with database.write() as writing:
        writing.add(match_row())
        await writing.flush()
        async with database.read() as reading:
            assert (await reading.scalars(select(MatchRow))).all() == []
    async with database.read() as reading:
        assert len((await reading.scalars(select(MatchRow))).all()) == 1


async def test_a_reading_session_sees_one_state_throughout(database):
    async with database.read() as reading:
        assert (await reading.scalars(select(MatchRow))).all() == []
        async with database.write() as writing:
            writing.add(match_row())
        assert (await reading.scalars(select(MatchRow))).all() == []


async def test_a_transaction_that_writes_has_the_write_lock_from_its_beginning(database, second):
    """Two that read first and then write would otherwise end in "database is locked"."""

    async def add_after_reading(through, channel):
        async with through.write() as session:
            seen = len((await session.scalars(select(MatchRow))).all())
            session.add(match_row(channel))
            return seen

    seen = await asyncio.gather(
        *(add_after_reading((database, second)[n % 2], n) for n in range(12))
    )
    assert sorted(seen) == list(range(12))


async def test_times_are_aware_and_in_utc(database):
    summer = timezone(timedelta(hours=2))
    async with database.write() as session:
        session.add(match_row(opened_at=datetime(2026, 7, 1, 1, 30, 0, 123_000, tzinfo=summer)))
    async with database.read() as session:
        opened = await session.scalar(select(MatchRow.opened_at))
        ended = await session.scalar(select(MatchRow.ended_at))
    assert opened == datetime(2026, 6, 30, 23, 30, 0, 123_000, tzinfo=UTC)
    assert opened.utcoffset() == timedelta(0)
    assert ended is None


async def test_naive_times_are_refused(database):
    with pytest.raises(StatementError, match="time zone"):
        async with database.write() as session:
            session.add(match_row(opened_at=datetime(2026, 7, 1)))  # noqa: DTZ001 - one without a time zone is the point


async def test_ids_of_discord_are_kept_whole(database):
    async with database.write() as session:
        session.add(match_row(channel=2**63 - 1))
    async with database.read() as session:
        assert await session.scalar(select(MatchRow.channel_id)) == 2**63 - 1


@pytest.mark.parametrize(
    "url",
    [
        "",
        "rox.sqlite3",
        "sqlite+aiosqlite://",
        "sqlite+aiosqlite:///:memory:",
        "sqlite+aiosqlite:///file:rox?mode=memory&uri=true",
        "postgresql+asyncpg://rox:hidden@db/rox",
    ],
)
def test_only_files_of_sqlite_are_taken(url):
    with pytest.raises(UnsupportedDatabaseError) as refused:
        Database.open(url)
    assert "hidden" not in str(refused.value)


@pytest.mark.parametrize("scheme", ["sqlite", "sqlite+aiosqlite"])
def test_addresses_are_relative_or_absolute_paths(scheme):
    assert database_file(f"{scheme}:///data/rox.sqlite3") == Path("data/rox.sqlite3")
    assert database_file(f"{scheme}:////srv/a b/rox.sqlite3") == Path("/srv/a b/rox.sqlite3")


APPEND_FOR_EVER = """
import asyncio, sys
from bot.matches.ports import Batch
from bot.store.database import Database
from bot.store.journal import Journal
from tests.kit.stored_logs import VENUE, joins, opening

async def main():
    journal = Journal(Database.open(sys.argv[1]), {})
    match = await journal.create(VENUE, [opening()])
    seq = 1
    while True:
        await journal.record(Batch(match, joins(seq, 1)))
        print(seq, flush=True)
        seq += 1

asyncio.run(main())
"""


def test_what_was_committed_survives_a_kill(url):
    upgrade(url)
    with subprocess.Popen(
        [sys.executable, "-c", APPEND_FOR_EVER, url], stdout=subprocess.PIPE, text=True
    ) as process:
        told = [int(process.stdout.readline()) for _ in range(20)]
        process.kill()
        told += [int(line) for line in process.stdout]
    with closing(sqlite3.connect(database_file(url))) as connection:
        kept = [seq for (seq,) in connection.execute("SELECT seq FROM actions ORDER BY seq")]
    assert set(told) <= set(kept)
    assert kept == list(range(len(kept)))
