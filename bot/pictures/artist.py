"""From scenes to PNG files."""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING

from PIL import Image, ImageDraw

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
from bot.pictures.theme import DEFAULT_THEME, THEMES
from game.rox.cards import DECK

if TYPE_CHECKING:
    from collections.abc import Iterable


def size(scene: Scene) -> tuple[int, int]:
    """Width and height in pixels of a scene's picture."""
    match scene:
        case TableScene() | CoveredScene():
            return (1200, 810)
        case LastCardsScene():
            return (1200, 420)
        case CardScene():
            return (480, 568)
        case VerdictScene(rows):
            return (1200, 24 + 240 * len(rows))
        case PodiumScene():
            return (1200, 640)
        case HowToScene():
            return (1200, 560)


class Artist:
    """Draws scenes in one theme; to be used from one thread at a time.

    Raises:
        KeyError: there is no such theme.
    """

    def __init__(self, theme: str = DEFAULT_THEME) -> None:
        self._theme = THEMES[theme]

    def draw(self, scene: Scene) -> bytes:
        """The scene's picture as a palette PNG."""
        image = Image.new("RGB", size(scene), self._theme.board)
        pen = ImageDraw.Draw(image)
        width, _ = image.size
        for index, card in enumerate(_cards(scene)):
            left, top = index * 119 % (width - 10), 134 * (index * 119 // (width - 10))
            centre = self._theme.elements[DECK[card].centre]
            pen.rectangle((left + 3, top + 3, left + 115, top + 130), self._theme.stone)
            pen.ellipse((left + 40, top + 40, left + 80, top + 80), centre)
        out = BytesIO()
        image.quantize(64).save(out, "PNG")
        return out.getvalue()


def _cards(scene: Scene) -> Iterable[int]:
    match scene:
        case TableScene(cards):
            return cards
        case LastCardsScene(hands):
            return (hand.card for hand in hands if hand.card is not None)
        case CardScene(card):
            return (card,)
        case VerdictScene(rows):
            return (card for row in rows for card in row.cards)
        case _:
            return ()
