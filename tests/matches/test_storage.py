"""A store that can't record: matches wait, players are told once, and nothing is lost."""

from __future__ import annotations

import sqlite3
from contextlib import asynccontextmanager, closing

import pytest

from game.match import End, Phase
from game.rox.events import Fate
from game.rox.state import Stage

STANDS_STILL = "I can't save anything at the moment"
GOES_ON = "I can save again; the match goes on."


@pytest.fixture(autouse=True)
def impatient(monkeypatch):
    """A lock is waited for in real time, so not for long."""
    monkeypatch.setattr("bot.store.engines.BUSY_TIMEOUT_MS", 20)


@asynccontextmanager
async def hindered(world, how):
    """Let the database refuse to be written, for a while."""
    world.faulty = True
    if how == "locked":
        with closing(sqlite3.connect(world._database, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            yield
            other.execute("ROLLBACK")
        return
    await pragma(world, f"max_page_count = {await pragma(world, 'page_count')}")
    try:
        yield
    finally:
        await pragma(world, "max_page_count = 1073741823")


async def pragma(world, text):
    async with world.bot.host.database.writer.connect() as connection:
        return (await connection.exec_driver_sql(f"PRAGMA {text}")).scalar()


@pytest.mark.parametrize("how", ["full", "locked"])
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
    assert [note.fate for note in table.game.notes if note.id in ids] == [Fate.TAKEN, Fate.LATE]


async def test_a_match_gives_up_after_ten_minutes(world, table):
    ada, bo, *_ = world.people
    await table.race([ada, bo])
    async with hindered(world, "locked"):
        await table.type(ada, table.right(ada))
        runner = table.runner
        await table.advance(590)
        assert runner.match.phase is Phase.PLAYING
        await table.advance(60)
        assert runner.match.end is End.FAULT
        assert "void" in table.texts()
        assert table.is_free
        assert "I can't save" in await table.slash(ada, "play")
    world.runners.clear()
    assert "The lobby is open" in await table.slash(ada, "play")


async def test_the_bot_does_not_spin_while_it_cannot_record(world, table):
    ada, bo, *_ = world.people
    await table.race([ada, bo])
    tried = 0
    store = table.runner._tools.store
    record = store.record

    async def counted(batch):
        nonlocal tried
        tried += 1
        await record(batch)

    store.record = counted
    async with hindered(world, "locked"):
        for _ in range(60):
            await table.type(bo, table.right(bo))
            await table.advance(0.9)
        assert tried < 10
    await table.advance(31)
