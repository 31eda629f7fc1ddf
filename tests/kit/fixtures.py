"""Fixtures of the bot in a simulated Discord, in virtual time."""

from __future__ import annotations

import logging
import shutil

import discord
import pytest

from bot.games.table import GAMES
from bot.store.migrate import upgrade
from tests.kit.fault_doubles import Faults
from tests.kit.simulation import in_one_task, simulated


@pytest.fixture(scope="session")
def migrated(tmp_path_factory):
    """A migrated database that nothing has happened in."""
    path = tmp_path_factory.mktemp("migrated") / "rox.sqlite3"
    upgrade(f"sqlite+aiosqlite:///{path}")
    return path


@pytest.fixture
def database(migrated, tmp_path):
    return shutil.copy(migrated, tmp_path / "rox.sqlite3")


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


@pytest.fixture
def ada(world):
    return world.people[0]


@pytest.fixture
def bo(world):
    return world.people[1]


@pytest.fixture
def cy(world):
    return world.people[2]


@pytest.fixture
def manager(world, ada):
    """Ada, who may manage the server."""
    role = world.guild.create_role("Manager", permissions=discord.Permissions(manage_guild=True))
    world.env.backend.add_member_role(world.guild.id, ada.id, role.id)
    return ada
