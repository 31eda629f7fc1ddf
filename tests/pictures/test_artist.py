"""The artist finds the painter of a scene by the scene's class."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from bot.pictures.artist import Artist
from bot.pictures.rox.game_pictures import ROX_PICTURES
from bot.pictures.rox.scenes import CardScene
from bot.pictures.scenes import GamePictures, Scene
from bot.pictures.theme import THEMES


@dataclass(frozen=True, slots=True)
class Dot(Scene):
    """A scene of another game."""


class DotPainter:
    def __init__(self, theme: str) -> None:
        self.theme = theme

    def size(self, scene: Scene) -> tuple[int, int]:
        return (1, 1)

    def draw(self, scene: Scene, *, quick: bool = False) -> bytes:
        return f"{self.theme} {scene} {quick}".encode()


@pytest.fixture
def made() -> list[str]:
    """Return the themes for which a painter of dots was made."""
    return []


@pytest.fixture
def dots(made: list[str]) -> GamePictures:
    def painter(theme: str) -> DotPainter:
        made.append(theme)
        return DotPainter(theme)

    return GamePictures(scenes=(Dot,), seats=5, painter=painter, examples={"dot": Dot()})


def test_each_scene_goes_to_the_painter_of_its_game(dots: GamePictures) -> None:
    artist = Artist("muted", [ROX_PICTURES, dots])
    assert artist.draw(Dot(), quick=True) == b"muted Dot() True"
    assert artist.size(Dot()) == (1, 1)
    assert artist.size(CardScene(0)) == (480, 568)


def test_a_painter_is_made_once_and_not_before_it_is_needed(
    dots: GamePictures, made: list[str]
) -> None:
    artist = Artist("muted", [ROX_PICTURES, dots])
    assert made == []
    artist.draw(Dot())
    artist.draw(Dot())
    assert made == ["muted"]


def test_a_scene_of_no_game_raises() -> None:
    artist = Artist("stones", [ROX_PICTURES])
    with pytest.raises(KeyError):
        artist.draw(Dot())


def test_an_unknown_theme_raises() -> None:
    with pytest.raises(KeyError):
        Artist("neon", [ROX_PICTURES])


def test_a_painter_refuses_scenes_of_another_game() -> None:
    painter = ROX_PICTURES.painter("stones")
    with pytest.raises(TypeError, match="Dot"):
        painter.size(Dot())
    with pytest.raises(TypeError, match="Dot"):
        painter.draw(Dot())


def test_rox_has_tokens_for_all_its_seats_and_warms_up_constant_scenes() -> None:
    assert all(ROX_PICTURES.seats <= len(theme.seats) for theme in THEMES.values())
    assert ROX_PICTURES.warm_up
    assert all(scene.constant for scene in ROX_PICTURES.warm_up)
