"""The painter of Rox: from its scenes to PNG files."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Final

from bot.pictures.png import Encoder, Strip
from bot.pictures.podium import SIZE as PODIUM_SIZE
from bot.pictures.rox import check, howto, podium, table
from bot.pictures.rox.scenes import (
    CardScene,
    CheckScene,
    CoveredScene,
    HowToScene,
    LastCardsScene,
    PodiumScene,
    TableScene,
)
from bot.pictures.rox.sprites import RoxSprites
from bot.pictures.rox.theme import ROX_THEMES

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bot.pictures.scenes import Scene

SCENES: Final[tuple[type[Scene], ...]] = (
    TableScene,
    CoveredScene,
    LastCardsScene,
    CardScene,
    CheckScene,
    PodiumScene,
    HowToScene,
)
"""Every class of scene that the painter draws."""


class RoxPainter:
    """Draws the scenes of Rox in one theme; see `bot.pictures.scenes.Painter`.

    Args:
        theme: the name of the theme.
    """

    def __init__(self, theme: str) -> None:
        self._theme = ROX_THEMES[theme]

    def size(self, scene: Scene) -> tuple[int, int]:
        """Return the width and height of a scene's picture, in pixels."""
        match scene:
            case TableScene() | CoveredScene():
                return table.TABLE_SIZE
            case LastCardsScene():
                return table.LAST_CARDS_SIZE
            case CardScene():
                return table.CARD_SIZE
            case CheckScene():
                return check.check_size(len(scene.rows))
            case PodiumScene():
                return PODIUM_SIZE
            case HowToScene():
                return howto.SIZE
            case _:
                raise TypeError(f"not a scene of Rox: {scene!r}")

    def draw(self, scene: Scene, *, quick: bool = False) -> bytes:
        """Return a scene as a PNG file; a quick one may be larger."""
        return self._encoder.encode(self.size(scene), self._strips(scene), quick=quick)

    @cached_property
    def _sprites(self) -> RoxSprites:
        return RoxSprites(self._theme)

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
                return (Strip(scene, lambda: table.draw_last_cards(sprites, scene)),)
            case CardScene():
                return (Strip(scene, lambda: table.draw_card(sprites, scene)),)
            case CheckScene():
                return check.check_strips(sprites, scene)
            case PodiumScene():
                return (Strip(scene, lambda: podium.draw_podium(sprites, scene)),)
            case HowToScene():
                return (Strip(scene, lambda: howto.draw_howto(sprites)),)
            case _:
                raise TypeError(f"not a scene of Rox: {scene!r}")
