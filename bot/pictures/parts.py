"""The things that pictures are put together from, drawn once in full colour.

Every function returns a picture of its own: stones, badges, numerals and marks on nothing, slabs
on the board.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from PIL import Image

from bot.pictures.ink import Box, Picture, Sheet, darker, lighter, mix, placed, stamp
from bot.pictures.shapes import (
    BADGE_HEARTS,
    BADGES,
    NUMERAL_WIDTH,
    NUMERALS,
    SIGNS,
    STONES,
    triskele,
)
from game.rox.elements import Element

if TYPE_CHECKING:
    from bot.pictures.shapes import Point
    from bot.pictures.theme import Colour, Theme

_PEN: Final = 0.205
_ADVANCE: Final = NUMERAL_WIDTH + 0.285
_SIGNED_FROM: Final = 34
_DEEP_FROM: Final = 60
_GRAINED_FROM: Final = 180
_FLECKS: Final = 70


def stone(theme: Theme, element: Element, side: int) -> Picture:
    """An element's stone in a square; large ones carry a carved sign."""
    sheet = Sheet(side, side, scale=8 if side < _SIGNED_FROM else 4)
    colour = theme.elements[element]
    centre, radius = (side / 2, side / 2), side / 2
    rim = max(theme.outline * radius, 1.0)
    shape = placed(STONES[element], centre, (radius - rim) * 0.98)
    sheet.line(shape, 2 * rim, theme.ink, closed=True)
    sheet.fill(shape, theme.ink)
    soft = rim * 0.5
    sheet.line(shape, soft, colour, closed=True)
    sheet.fill(shape, colour)
    if side >= _SIGNED_FROM:
        _carve(sheet, element, colour, side)
    return sheet.done()


def _carve(sheet: Sheet, element: Element, colour: Colour, side: int) -> None:
    centre, radius = (side / 2, side / 2), side / 2 * 0.8
    if element is Element.FIRE:
        centre = (side / 2, side / 2 + radius * 0.22)
    if element is Element.WATER:
        centre = (side / 2, side / 2 + radius * 0.12)
    width = max(1.0, side * 0.045)
    depth = 0.38 if side >= _DEEP_FROM else 0.24
    groove = darker(colour, depth * (0.75 if element is Element.MAGIC else 1))
    lit = lighter(colour, 0.45 if side >= _DEEP_FROM else 0.15)
    for line in SIGNS[element]:
        path = placed(line, centre, radius)
        nudge = width * 0.5
        sheet.line([(x + nudge, y + nudge) for x, y in path], width, lit)
        sheet.line(path, width, groove)


def badge(theme: Theme, seat: int, side: int) -> Picture:
    """A seat's badge in a square."""
    sheet = Sheet(side, side)
    colour = theme.seats[seat]
    centre, radius = (side / 2, side / 2), side / 2
    rim = max(0.09 * radius, 1.0)
    shape = placed(BADGES[seat], centre, radius - rim)
    sheet.line(shape, 2 * rim, darker(colour, 0.72), closed=True)
    sheet.fill(shape, colour)
    sheet.fill(placed(BADGE_HEARTS[seat], centre, radius - rim), lighter(colour, 0.4))
    return sheet.done()


def numeral_width(text: str, height: float) -> float:
    """How wide digits of a height are."""
    unit = height / (1 + _PEN)
    return unit * (NUMERAL_WIDTH + _PEN + (len(text) - 1) * _ADVANCE)


def numerals(text: str, height: int, colour: Colour, lit: Colour | None) -> Picture:
    """Digits cut as with a chisel; `lit` is the colour of the lower edge that catches light."""
    unit = height / (1 + _PEN)
    width = math.ceil(numeral_width(text, height)) + 2
    sheet = Sheet(width, height + 2)
    pen = _PEN * unit
    step = _ADVANCE * unit
    passes = [(0.0, colour)] if lit is None else [(max(1.0, 0.03 * height), lit), (0.0, colour)]
    for shift, paint in passes:
        for place, digit in enumerate(text):
            left = place * step + pen / 2 + shift
            for line in NUMERALS[int(digit)]:
                path = [(left + x * unit, pen / 2 + shift + y * unit) for x, y in line]
                sheet.line(path, pen, paint)
    return sheet.done()


def _outline(width: float, height: float, inset: float, cut: float, wobble: float) -> list[Point]:
    """A hewn rectangle: cut corners, edges that are not quite straight."""
    left, top, right, bottom = inset, inset, width - inset, height - inset
    points: list[Point] = []
    sides = (
        ((left + cut, top), (right - cut, top)),
        ((right, top + cut), (right, bottom - cut)),
        ((right - cut, bottom), (left + cut, bottom)),
        ((left, bottom - cut), (left, top + cut)),
    )
    for number, ((x1, y1), (x2, y2)) in enumerate(sides):
        for step in range(6):
            part = step / 5
            off = wobble * math.sin(2.7 * number + 4.1 * part + 1.9 * part * part)
            across = off if number % 2 else 0.0
            down = 0.0 if number % 2 else off
            points.append((x1 + (x2 - x1) * part + across, y1 + (y2 - y1) * part + down))
    return points


def slab(theme: Theme, width: int, height: int, *, panel: Box) -> Picture:
    """A blank card on the board; `panel` is its smooth inner field (left, top, right, bottom)."""
    sheet = Sheet(width, height)
    unit = width / 114
    sheet.box(0, 0, width, height, theme.board)
    if theme.grain:
        sheet.fill(_shifted(_outline(width, height, 2, 6 * unit, 0.6 * unit), 1.4), theme.slot)
    whole = _outline(width, height, 1.2 * unit, 7 * unit, 0.7 * unit)
    sheet.fill(whole, darker(theme.band, 0.42))
    sheet.fill(
        _shifted(_inset(whole, width, height, 1.6 * unit), -0.7 * unit), lighter(theme.band, 0.5)
    )
    sheet.fill(_inset(whole, width, height, 2.4 * unit), theme.band)
    left, top, right, bottom = panel
    edge = 1.3 * unit
    groove = (left - edge, top - edge, right + edge, bottom + edge)
    round_ = 8 * unit
    sheet.rounded(_moved(groove, -0.4 * unit), round_ + edge, darker(theme.band, 0.36))
    sheet.rounded(_moved(groove, 0.8 * unit), round_ + edge, lighter(theme.band, 0.42))
    sheet.rounded(panel, round_, theme.panel)
    if theme.grain and width >= _GRAINED_FROM:
        _grain(sheet, theme, (width, height), panel)
    picture = Image.new("RGB", (width, height), theme.board)
    stamp(picture, sheet.done(), 0, 0)
    return picture


def _grain(sheet: Sheet, theme: Theme, size: tuple[int, int], panel: Box) -> None:
    width, height = size
    unit = width / 280
    for fleck in range(_FLECKS):
        x = (0.04 + 0.92 * _scatter(fleck, 0.7548776662)) * width
        y = (0.04 + 0.92 * _scatter(fleck, 0.5698402910)) * height
        turn, reach = 6.3 * _scatter(fleck, 0.618034), (1 + 3 * _scatter(fleck, 0.324718)) * unit
        left, top, right, bottom = panel
        ground = theme.panel if left < x < right and top < y < bottom else theme.band
        paint = darker(ground, 0.1 * theme.grain) if fleck % 3 else lighter(ground, 0.3)
        across, down = reach * math.cos(turn), reach * math.sin(turn)
        sheet.line([(x - across, y - down), (x + across, y + down)], 1.6 * unit, paint)


def _scatter(index: int, step: float) -> float:
    return (0.5 + step * index) % 1.0


def _moved(box: Box, by: float) -> Box:
    left, top, right, bottom = box
    return (left + by, top + by, right + by, bottom + by)


def _shifted(points: list[Point], by: float) -> list[Point]:
    return [(x + by, y + by) for x, y in points]


def _inset(points: list[Point], width: float, height: float, by: float) -> list[Point]:
    middle_x, middle_y = width / 2, height / 2
    shrink_x, shrink_y = 1 - by / middle_x, 1 - by / middle_y
    return [
        (middle_x + (x - middle_x) * shrink_x, middle_y + (y - middle_y) * shrink_y)
        for x, y in points
    ]


def back_sign(theme: Theme, side: int) -> Picture:
    """The triskele on the back of every card."""
    sheet = Sheet(side, side)
    width = max(1.2, side * 0.055)
    for line in triskele(0.98):
        path = placed(line, (side / 2, side / 2 + side * 0.06), side / 2 * 0.94)
        sheet.line(_shifted(path, width * 0.4), width, lighter(theme.band, 0.5))
        sheet.line(path, width, mix(theme.ink, theme.band, 0.25))
    return sheet.done()


def notches(theme: Theme, side: int) -> tuple[Picture, ...]:
    """Groups of one, three and two strokes, as druids cut their letters."""
    pictures: list[Picture] = []
    width = max(1.2, side * 0.13)
    for count in (1, 3, 2):
        sheet = Sheet(side, side)
        for stroke in range(count):
            x = side / 2 + (stroke - (count - 1) / 2) * side * 0.3
            path = [(x + side * 0.08, side * 0.16), (x - side * 0.08, side * 0.84)]
            sheet.line(_shifted(path, width * 0.4), width, lighter(theme.band, 0.5))
            sheet.line(path, width, mix(theme.ink, theme.band, 0.3))
        pictures.append(sheet.done())
    return tuple(pictures)
