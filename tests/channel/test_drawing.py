"""The studio draws constant scenes once a theme, and others each time."""

from dataclasses import dataclass
from typing import ClassVar

import pytest

from bot.channel.drawing import Studio
from bot.pictures.scenes import Scene


@dataclass(frozen=True, slots=True)
class Number(Scene):
    value: int


@dataclass(frozen=True, slots=True)
class Cover(Scene):
    constant: ClassVar[bool] = True


class Drawer:
    def __init__(self, theme, drawn):
        self.theme = theme
        self.drawn = drawn

    def draw(self, scene, *, quick=False):
        self.drawn.append((self.theme, scene))
        return f"{self.theme} {scene}".encode()


@pytest.fixture
def drawn():
    return []


@pytest.fixture
def studio(drawn):
    studio = Studio(lambda theme: Drawer(theme, drawn))
    yield studio
    studio.close()


async def test_a_constant_scene_is_drawn_once_a_theme(studio, drawn):
    await studio.warm("muted", [Cover()])
    for _ in range(2):
        assert await studio.draw(Cover(), "muted") == b"muted Cover()"
        assert await studio.draw(Cover(), "stones") == b"stones Cover()"
    assert drawn == [("muted", Cover()), ("stones", Cover())]


async def test_other_scenes_are_drawn_each_time_and_keep_their_order(studio, drawn):
    await studio.draw(Cover(), "muted")
    scenes = [Number(1), Cover(), Number(2)]
    for _ in range(2):
        pngs = await studio.draw_all(scenes, "muted")
        assert pngs == [b"muted Number(value=1)", b"muted Cover()", b"muted Number(value=2)"]
    assert drawn[1:] == [("muted", Number(1)), ("muted", Number(2))] * 2


async def test_a_failed_warm_up_is_logged_and_raises_nothing(caplog):
    def hire(theme):
        raise OSError("no memory")

    studio = Studio(hire)
    await studio.warm("muted", [Cover()])
    studio.close()
    assert "muted" in caplog.text
