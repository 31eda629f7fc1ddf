from __future__ import annotations

import asyncio
import logging
import shutil
from contextlib import asynccontextmanager

import pytest

from bot.games.table import GAMES
from bot.store.migrate import upgrade
from tests.kit.fault_doubles import Faults
from tests.kit.simulation import simulated


@pytest.fixture(scope="session")
def migrated(tmp_path_factory):
    """A migrated database that nothing has happened in."""
    path = tmp_path_factory.mktemp("migrated") / "rox.sqlite3"
    upgrade(f"sqlite+aiosqlite:///{path}")
    return path


@pytest.fixture
def database(migrated, tmp_path):
    return shutil.copy(migrated, tmp_path / "rox.sqlite3")


@asynccontextmanager
async def in_one_task(manager):
    """Enter and leave a context manager in one task: simcord's is bound to its context."""
    entered = asyncio.get_running_loop().create_future()
    leaving = asyncio.Event()

    async def hold():
        async with manager as value:
            entered.set_result(value)
            await leaving.wait()

    task = asyncio.create_task(hold())
    await asyncio.wait({task, entered}, return_when=asyncio.FIRST_COMPLETED)
    if task.done():
        task.result()
    try:
        yield entered.result()
    finally:
        leaving.set()
        await task


@pytest.fixture
def games():
    """The games that the bot hosts."""
    return GAMES


@pytest.fixture
async def world(database, games, caplog):
    """The bot in a simulated Discord; at the end nothing has gone wrong unseen."""
    async with in_one_task(simulated(database, games=games)) as world:
        yield world
        world.check_logs()
    wrong = [r.getMessage() for r in caplog.get_records("call") if r.levelno >= logging.ERROR]
    assert world.faulty or not wrong, wrong


@pytest.fixture
def table(world):
    return world.table()


@pytest.fixture
def faults(world):
    """Faults that are brought in on purpose."""
    world.faulty = True
    return Faults()
