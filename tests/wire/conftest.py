import pytest

from bot.sandbox.run import LoopbackDiscord
from tests.kit.wire.toybot import ToyBot, point_at, running


@pytest.fixture
async def loopback(monkeypatch):
    async with LoopbackDiscord() as discord:
        point_at(monkeypatch, discord)
        yield discord


@pytest.fixture
async def bot(loopback):
    async with running(ToyBot(), loopback.token) as bot:
        yield bot


@pytest.fixture
def ada(loopback):
    return loopback.person("Ada")


@pytest.fixture
def ben(loopback):
    return loopback.person("Ben")
