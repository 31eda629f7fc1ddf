"""From scenes to PNG files."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from bot.pictures import hands, howto, podium, table, verdict
from bot.pictures.png import Encoder, Strip
from bot.pictures.scenes import (
    CardScene,
    CoveredScene,
    HowToScene,
    LastCardsScene,
    PodiumScene,
    Scene,
    TableScene,
    VerdictScene,
)
from bot.pictures.sprites import Sprites
from bot.pictures.theme import DEFAULT_THEME, THEMES

if TYPE_CHECKING:
    from collections.abc import Iterable


def size(scene: Scene) -> tuple[int, int]:
    """Width and height in pixels of a scene's picture."""
    match scene:
        case TableScene() | CoveredScene():
            return table.SIZE
        case LastCardsScene():
            return hands.LAST_CARDS_SIZE
        case CardScene():
            return hands.CARD_SIZE
        case VerdictScene(rows):
            return verdict.verdict_size(len(rows))
        case PodiumScene():
            return podium.SIZE
        case HowToScene():
            return howto.SIZE


class Artist:
    """Draws scenes in one theme; to be used from one thread at a time.

    The first picture takes most of a second, since the theme's pieces are drawn for it.

    Raises:
        KeyError: there is no such theme.
    """

    def __init__(self, theme: str = DEFAULT_THEME) -> None:
        self._theme = THEMES[theme]

    def draw(self, scene: Scene, *, quick: bool = False) -> bytes:
        """The scene's picture as a palette PNG; equal scenes give equal pixels.

        Args:
            scene: what to draw.
            quick: whether time counts more than bytes, since others wait.
        """
        return self._encoder.encode(size(scene), self._strips(scene), quick=quick)

    @cached_property
    def _sprites(self) -> Sprites:
        return Sprites(self._theme)

    @cached_property
    def _encoder(self) -> Encoder:
        return Encoder(self._sprites.palette.colours)

    def _strips(self, scene: Scene) -> Iterable[Strip]:
        sprites = self._sprites
        match scene:
            case TableScene():
                return table.table_strips(sprites, scene)
            case CoveredScene():
                return table.covered_strips(sprites)
            case LastCardsScene():
                return (Strip(scene, lambda: hands.draw_last_cards(sprites, scene)),)
            case CardScene():
                return (Strip(scene, lambda: hands.draw_card(sprites, scene)),)
            case VerdictScene():
                return verdict.verdict_strips(sprites, scene)
            case PodiumScene():
                return (Strip(scene, lambda: podium.draw_podium(sprites, scene)),)
            case HowToScene():
                return (Strip(scene, lambda: howto.draw_howto(sprites)),)
