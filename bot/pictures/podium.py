"""The end of a match: a standing stone for every seat, as high as its place."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bot.pictures import marks
from bot.pictures.ink import Picture, Sheet, darker, lighter, mix, stamp
from bot.pictures.parts import badge, numerals

if TYPE_CHECKING:
    from bot.pictures.scenes import PodiumScene, PodiumSeat
    from bot.pictures.shapes import Point
    from bot.pictures.sprites import Sprites
    from bot.pictures.theme import Theme

SIZE: Final = (1200, 640)

_SEATS: Final = 4
_PITCH: Final = SIZE[0] // _SEATS
_GROUND: Final = 548
_HEIGHTS: Final = (330, 270, 215, 165)
_STONE: Final = 200
_BADGE: Final = 92
_CELL: Final = 50


def draw_podium(sprites: Sprites, scene: PodiumScene) -> Picture:
    """Stones in the order of the scene, with the points of each round at their feet."""
    theme = sprites.theme
    picture = sprites.on_board(_landscape(theme))
    start = (SIZE[0] - _PITCH * len(scene.seats)) // 2
    for place, seat in enumerate(scene.seats):
        _draw_seat(theme, picture, seat, start + _PITCH * place + _PITCH // 2)
    return sprites.palette.reduced(picture)


def _landscape(theme: Theme) -> Picture:
    sheet = Sheet(*SIZE, scale=2)
    if theme.grain:
        moon = (SIZE[0] / 2, 300)
        for radius, part in ((330, 0.035), (250, 0.075), (170, 0.12)):
            sheet.disc(moon, radius, lighter(theme.board, part))
        hill: list[Point] = [(0.0, _GROUND - 30.0), (260.0, _GROUND - 62.0)]
        hill += [(620.0, _GROUND - 28.0), (930.0, _GROUND - 70.0), (1200.0, _GROUND - 36.0)]
        sheet.fill(
            [*hill, (1200.0, _GROUND + 5.0), (0.0, _GROUND + 5.0)], darker(theme.board, 0.25)
        )
    sheet.box(0, _GROUND, SIZE[0], SIZE[1], theme.slot)
    sheet.box(0, _GROUND, SIZE[0], _GROUND + 3, lighter(theme.board, 0.3))
    return sheet.done()


def _draw_seat(theme: Theme, picture: Picture, seat: PodiumSeat, middle: int) -> None:
    height = _HEIGHTS[min(seat.place, len(_HEIGHTS)) - 1]
    top = _GROUND - height
    stone = _menhir(theme, height, seat)
    stamp(picture, stone, middle - stone.width / 2, top)
    lit = lighter(theme.panel, 0.7)
    text = numerals(str(seat.total), 76, theme.ink, lit)
    stamp(picture, text, middle - text.width / 2, top + 46)
    mark = badge(theme, seat.seat, _BADGE)
    stamp(picture, mark, middle - _BADGE / 2, top - _BADGE - 4)
    if seat.place == 1 and not seat.out:
        crown = marks.crown(theme, 96, 58)
        stamp(picture, crown, middle - crown.width / 2, top - _BADGE - 66)
    if seat.out:
        gone = marks.cross(theme.breach, theme.slot, 76)
        stamp(picture, gone, middle - gone.width / 2, top - _BADGE + 4)
    _draw_rounds(theme, picture, seat, middle)


def _menhir(theme: Theme, height: int, seat: PodiumSeat) -> Picture:
    """A standing stone with a notch at its edge for every place."""
    width = _STONE
    sheet = Sheet(width, height)
    face = mix(theme.band, theme.panel, 0.45)
    if seat.out:
        face = mix(face, theme.board, 0.45)
    outline: list[Point] = [
        (0.03, 1.0),
        (0.06, 0.45),
        (0.13, 24 / height),
        (0.34, 5 / height),
        (0.66, 2 / height),
        (0.87, 30 / height),
        (0.95, 0.5),
        (0.97, 1.0),
    ]
    whole = [(x * width, y * height + (4 if y == 1 else 0)) for x, y in outline]
    sheet.fill(whole, darker(face, 0.45))
    sheet.fill([(x * 0.95 + 2, y + 3) for x, y in whole], lighter(face, 0.45))
    sheet.fill([(x * 0.93 + 7, y + 7) for x, y in whole], face)
    for notch in range(seat.place):
        y = height - 24 - 15 * notch
        path = [(width * 0.36, y + 3.0), (width * 0.64, y - 3.0)]
        sheet.line([(x + 1.5, y + 2) for x, y in path], 5, lighter(face, 0.5))
        sheet.line(path, 5, darker(face, 0.62))
    return sheet.done()


def _draw_rounds(theme: Theme, picture: Picture, seat: PodiumSeat, middle: int) -> None:
    count = len(seat.rounds)
    cell = min(_CELL, (_PITCH - 20) // max(1, count))
    left = middle - cell * count / 2
    for number, points in enumerate(seat.rounds):
        centre = left + cell * (number + 0.5)
        if points is None:
            dot = marks.spot(mix(theme.chalk, theme.slot, 0.65), 12)
            stamp(picture, dot, centre - 6, 588)
            continue
        value = numerals(str(points), 32, lighter(theme.gold, 0.15), None)
        stamp(picture, value, centre - value.width / 2, 578)
