from __future__ import annotations

from functools import cache

import pytest

from bot.pictures.artist import Artist
from bot.pictures.rox.game_pictures import ROX_PICTURES
from bot.pictures.theme import THEMES


@cache
def _artist(theme: str) -> Artist:
    return Artist(theme, [ROX_PICTURES])


@pytest.fixture(params=list(THEMES))
def artist(request: pytest.FixtureRequest) -> Artist:
    """Return the artist of each theme in turn; its pieces are drawn once for all tests."""
    return _artist(request.param)


@pytest.fixture
def stones() -> Artist:
    return _artist("stones")
