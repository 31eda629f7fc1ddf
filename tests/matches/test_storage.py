"""A store that can't record: matches wait, one notice is posted, and nothing is lost."""

from __future__ import annotations

import sqlite3
from contextlib import asynccontextmanager, closing

import pytest

from bot.matches.ports import StoreUnavailableError
from game.match import End, Phase
from game.rox.events import ClaimOutcome
from game.rox.state import Stage

STANDS_STILL = "I can't save anything at the moment"
GOES_ON = "I can save again; the match goes on."


@pytest.fixture(autouse=True)
def impatient(monkeypatch):
    """A lock is waited for in real time, so not for long."""
    monkeypatch.setattr("bot.store.database.BUSY_TIMEOUT_MS", 20)


@asynccontextmanager
async def hindered(world, how):
    """Let the database refuse to be written, for a while."""
    world.faulty = True
    if how == "locked":
        with closing(sqlite3.connect(world.database, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            yield
            other.execute("ROLLBACK")
        return
    if how == "read-only":
        await pragma(world, "query_only = 1")
        yield
        await pragma(world, "query_only = 0")
        return
    if how == "damaged":
        async with damaged(world):
            yield
        return
    await pragma(world, f"max_page_count = {await pragma(world, 'page_count')}")
    try:
        yield
    finally:
        await pragma(world, "max_page_count = 1073741823")


@asynccontextmanager
async def damaged(world):
    """Let every page of the database be overwritten, for a while."""
    files = [world.database, world.database.with_name(f"{world.database.name}-wal")]
    whole = [file.read_bytes() for file in files]
    for file, content in zip(files, whole, strict=True):
        overwrite(file, b"\xee" * len(content))
    await pragma(world, "shrink_memory")
    yield
    for file, content in zip(files, whole, strict=True):
        assert set(file.read_bytes()) == {0xEE}, "nothing is written into what is damaged"
        overwrite(file, content)
    await pragma(world, "shrink_memory")
    await world.bot.services.database.reader.dispose()


def overwrite(file, content):
    with file.open("r+b") as opened:
        opened.write(content)


async def pragma(world, text):
    """Set something of the connection that writes, outside of any transaction."""
    async with world.bot.services.database.writer.connect() as connection:
        raw = await connection.get_raw_connection()
        async with raw.driver_connection.execute(f"PRAGMA {text}") as cursor:
            row = await cursor.fetchone()
    return row and row[0]


HOW = ["full", "locked", "read-only", "damaged"]


@pytest.mark.parametrize("how", HOW)
async def test_claims_wait_for_a_store_that_cannot_record(world, table, how):
    ada, bo, *_ = world.people
    await table.race([ada, bo])
    async with hindered(world, how):
        for _ in range(40):
            number = table.right(ada)
            ids = [(await table.type(person, number)).id for person in (bo, ada)]
            if table.said(STANDS_STILL):
                break
            await table.type(bo, 0)
            await table.advance(2.5)
        assert len(table.said(STANDS_STILL)) == 1
        told_to_have = table.row(ada), table.row(bo)
        await table.advance(5)
        assert len(table.said(STANDS_STILL)) == 1
        assert (table.row(ada), table.row(bo)) == told_to_have
        assert table.stage is Stage.RACE
    await table.advance(20)
    assert len(table.said(GOES_ON)) == 1
    assert table.owner(number) == table.seat(bo)
    assert [note.outcome for note in table.game.recent_claims if note.id in ids] == [
        ClaimOutcome.TAKEN,
        ClaimOutcome.LATE,
    ]


@pytest.mark.parametrize("how", HOW[1:])
async def test_a_match_gives_up_after_ten_minutes(world, table, how):
    ada, bo, *_ = world.people
    await table.race([ada, bo])
    async with hindered(world, how):
        await table.type(ada, table.right(ada))
        runner = table.runner
        await table.advance(590)
        assert runner.match.phase is Phase.PLAYING
        await table.advance(60)
        assert runner.match.end is End.FAULT
        assert "void" in table.texts()
        assert table.is_free
        assert "I can't save" in await table.slash(ada, "play")
    refused = [getattr(error, "original", error) for error in world.env.errors]
    assert all(isinstance(error, StoreUnavailableError) for error in refused)
    world.runners.clear()
    assert "The lobby is open" in await table.slash(ada, "play")


async def test_a_match_that_was_given_up_is_not_restored(world, table):
    """Its end is recorded as soon as that can be done; the next process finds it closed."""
    ada, bo, *_ = world.people
    await table.race([ada, bo])
    async with hindered(world, "read-only"):
        await table.type(ada, table.right(ada))
        await table.until(lambda: table.is_free, limit=660, step=30)
        await table.advance(300)
        assert world.rows("select status, closed from matches") == [("open", 0)]
    await table.advance(31)
    assert world.rows("select status, end_reason, closed from matches") == [("void", "fault", 1)]
    world.runners.clear()
    said = len(table.messages)
    await world.restart()
    await world.advance(5)
    assert len(table.messages) == said
    assert not list(world.bot.matches.registry)


@pytest.mark.parametrize("how", HOW[1:])
async def test_the_bot_does_not_spin_while_it_cannot_record(world, table, how):
    ada, bo, *_ = world.people
    await table.race([ada, bo])
    tried = 0
    store = world.bot.matches.services.store
    record = store.record

    async def counted(batch):
        nonlocal tried
        tried += 1
        await record(batch)

    store.record = counted
    async with hindered(world, how):
        for _ in range(60):
            await table.type(bo, table.right(bo))
            await table.advance(0.9)
        assert 5 < tried < 10
    await table.advance(31)
