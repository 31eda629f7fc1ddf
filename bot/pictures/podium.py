"""The end of a match: a standing stone for every seat, as high as its place."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bot.pictures import marks
from bot.pictures.ink import Picture, Sheet, darker, lighter, mix, stamp
from bot.pictures.parts import badge, numerals
from game.rox.elements import Element

if TYPE_CHECKING:
    from bot.pictures.scenes import PodiumScene, PodiumSeat
    from bot.pictures.shapes import Point
    from bot.pictures.sprites import Sprites
    from bot.pictures.theme import Theme

SIZE: Final = (1200, 640)

_SEATS: Final = 4
_PITCH: Final = SIZE[0] // _SEATS
_GROUND: Final = 548
_HEIGHTS: Final = (350, 300, 255, 215)
_STONE: Final = 178
_BADGE: Final = 92
_CELL: Final = 54


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
        moon = (SIZE[0] / 2, 290)
        for radius, part in ((330, 0.03), (262, 0.06), (204, 0.1), (156, 0.17)):
            sheet.disc(moon, radius, mix(theme.board, theme.panel, part))
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
    text = numerals(str(seat.total), 76, theme.ink, lighter(theme.panel, 0.7))
    stamp(picture, text, middle - text.width / 2 - 6, top + 58)
    mark = badge(theme, seat.seat, _BADGE)
    stamp(picture, mark, middle - _BADGE / 2, top - _BADGE + 2)
    if seat.out:
        gone = marks.cross(theme.breach, theme.slot, 58)
        stamp(picture, gone, middle + 22, top - 48)
    elif seat.place == 1:
        crown = marks.crown(theme, 96, 58)
        stamp(picture, crown, middle - crown.width / 2, top - _BADGE - 58)
    _draw_rounds(theme, picture, seat, middle)


def _menhir(theme: Theme, height: int, seat: PodiumSeat) -> Picture:
    """A standing stone with a notch for every place, grass at its foot."""
    sheet = Sheet(_STONE, height)
    face = mix(theme.band, theme.panel, 0.5)
    if seat.out:
        face = mix(face, theme.board, 0.5)
    foot = float(height)
    waist = 0.58 * height
    crest: list[Point] = [(0.09, 40.0), (0.29, 10.0), (0.55, 1.0), (0.79, 18.0), (0.94, 66.0)]
    whole = [(0.04, foot), (0.01, waist), *crest, (0.99, waist), (0.97, foot)]
    brow = [*crest[:4], (0.75, 46.0), (0.53, 26.0), (0.3, 34.0), (0.14, 70.0)]
    side = [(0.79, 18.0), (0.94, 66.0), (0.99, waist), (0.97, foot), (0.84, foot), (0.87, waist)]
    sheet.fill(_across(whole), face)
    sheet.fill(_across([*side, (0.81, 74.0)]), darker(face, 0.3))
    sheet.fill(_across(brow), lighter(face, 0.42))
    for notch in range(seat.place):
        y = height - 27 - 12 * notch
        path = [(_STONE * 0.3, y + 3.0), (_STONE * 0.58, y - 3.0)]
        sheet.line([(x + 1.5, y + 2) for x, y in path], 5, lighter(face, 0.5))
        sheet.line(path, 5, darker(face, 0.62))
    if theme.grain:
        grass = mix(theme.elements[Element.EARTH], theme.slot, 0.5)
        for blade in range(23):
            x = 4 + (_STONE - 8) * blade / 22
            reach = 7 + 11 * (0.5 + 0.618034 * blade) % 11
            sheet.line([(x, foot), (x + 3 - blade % 3 * 3, foot - reach)], 3, grass)
    return sheet.done()


def _across(points: list[Point]) -> list[Point]:
    return [(x * _STONE, y) for x, y in points]


def _draw_rounds(theme: Theme, picture: Picture, seat: PodiumSeat, middle: int) -> None:
    """The scoring cards won, round by round; a hollow where there was none."""
    count = len(seat.rounds)
    cell = min(_CELL, (_PITCH - 20) // max(1, count))
    left = middle - cell * count / 2
    line = SIZE[1] - 46
    for number, points in enumerate(seat.rounds):
        won = marks.prize(theme, points, cell - 6) if points else _hollow(theme)
        centre = left + cell * (number + 0.5)
        stamp(picture, won, centre - won.width / 2, line - won.height / 2)


def _hollow(theme: Theme) -> Picture:
    sheet = Sheet(28, 28)
    sheet.disc((14, 14), 13, mix(theme.chalk, theme.slot, 0.6))
    sheet.disc((14, 14), 10, theme.slot)
    return sheet.done()
