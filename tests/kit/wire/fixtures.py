"""Fixtures of a Discord on loopback: with a small bot in this process, or the bot in its own."""

import asyncio

import pytest
import pytest_asyncio

from bot.sandbox.run import LoopbackDiscord
from tests.kit.wire.match import hosted
from tests.kit.wire.toybot import ToyBot, point_at, running


@pytest.fixture
def response_timeout():
    """Seconds that the page waits for an answer before it says that there is none."""
    return 3.0


@pytest.fixture
async def loopback(monkeypatch, response_timeout):
    async with LoopbackDiscord(response_timeout=response_timeout) as discord:
        point_at(monkeypatch, discord)
        yield discord


@pytest.fixture
async def bot(loopback):
    """The toy bot, connected."""
    async with running(ToyBot(), loopback.token) as bot:
        yield bot


@pytest.fixture
def ada(loopback):
    return loopback.person("Ada")


@pytest.fixture
def ben(loopback):
    return loopback.person("Ben")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def wire(request, tmp_path_factory):
    """One Discord and one process of the bot for all tests of a module.

    The module names its channels and who plays there in `CHANNELS`, the channels whose matches
    are in a race from the start in `RACING`, and another settle time than usual in `SETTLE_MS`.
    """
    module = request.module
    folder = tmp_path_factory.mktemp(module.__name__.rpartition(".")[2])
    settle_ms = getattr(module, "SETTLE_MS", 60)
    async with hosted(folder, channels=tuple(module.CHANNELS), settle_ms=settle_ms) as wire:
        yield wire


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def tables(request, wire):
    """The tables of a module by their channels; each test has one for itself."""
    module = request.module
    tables = {name: wire.table(name, *people) for name, people in module.CHANNELS.items() if people}
    await asyncio.gather(*(tables[name].race() for name in module.RACING))
    return tables


@pytest.fixture
def unharmed(wire):
    """Lift all faults after a test, and check that the log tells of no fault of the bot's."""
    yield
    wire.faults.lift_all()
    wire.gateway.refuses_resumes = False
    wire.check()
