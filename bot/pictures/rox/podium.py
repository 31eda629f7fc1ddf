"""The end of a match: every seat's standing stone, with the points of each round."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bot.pictures.canvas import Canvas, stamp
from bot.pictures.marks import coin
from bot.pictures.palette import mix
from bot.pictures.podium import SIZE, Stand, draw_stand, landscape
from bot.pictures.rox.theme import SEATS
from game.rox.cards import Element

if TYPE_CHECKING:
    from PIL import Image

    from bot.pictures.rox.scenes import PodiumScene, PodiumSeat
    from bot.pictures.rox.sprites import RoxSprites
    from bot.pictures.theme import Theme

_PITCH: Final = SIZE[0] // SEATS
_CELL: Final = 54


def draw_podium(sprites: RoxSprites, scene: PodiumScene) -> Image.Image:
    """Return the stones in the order of the scene, with each round's points at their feet."""
    theme = sprites.theme
    grass = theme.elements[Element.EARTH]
    image = landscape(theme)
    start = (SIZE[0] - _PITCH * len(scene.seats)) // 2
    for place, seat in enumerate(scene.seats):
        middle = start + _PITCH * place + _PITCH // 2
        stand = Stand(seat.seat, seat.place, seat.total, out=seat.out)
        draw_stand(theme, image, stand, middle, grass=grass)
        _draw_rounds(theme, image, seat, middle)
    return sprites.palette.reduced(image)


def _draw_rounds(theme: Theme, image: Image.Image, seat: PodiumSeat, middle: int) -> None:
    """Draw the scoring cards won, round by round; a hollow where there was none."""
    count = len(seat.rounds)
    cell = min(_CELL, (_PITCH - 20) // max(1, count))
    left = middle - cell * count / 2
    line = SIZE[1] - 46
    for number, points in enumerate(seat.rounds):
        won = coin(theme, points, cell - 6) if points else _hollow(theme)
        centre = left + cell * (number + 0.5)
        stamp(image, won, centre - won.width / 2, line - won.height / 2)


def _hollow(theme: Theme) -> Image.Image:
    canvas = Canvas(28, 28)
    canvas.circle((14, 14), 13, mix(theme.chalk, theme.slot, 0.6))
    canvas.circle((14, 14), 10, theme.slot)
    return canvas.image()
