"""A sheet to draw on at several times its size, reduced once at the end."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias

from PIL import Image, ImageDraw

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bot.pictures.shapes import Point
    from bot.pictures.theme import Colour

Picture: TypeAlias = Image.Image
Box: TypeAlias = tuple[float, float, float, float]

_BLACK: Final = (0, 0, 0)
_WHITE: Final = (255, 255, 255)


def mix(one: Colour, other: Colour, part: float) -> Colour:
    """The colour that lies `part` (0 to 1) of the way from one to the other."""
    red, green, blue = (round(a + (b - a) * part) for a, b in zip(one, other, strict=True))
    return (red, green, blue)


def darker(colour: Colour, part: float) -> Colour:
    """A colour moved towards black."""
    return mix(colour, _BLACK, part)


def lighter(colour: Colour, part: float) -> Colour:
    """A colour moved towards white."""
    return mix(colour, _WHITE, part)


def placed(points: Iterable[Point], centre: Point, radius: float) -> list[Point]:
    """An outline of the unit square, moved and scaled to pixels."""
    return [(centre[0] + radius * x, centre[1] + radius * y) for x, y in points]


class Sheet:
    """A transparent sheet; all lengths are pixels of the finished picture."""

    def __init__(self, width: int, height: int, scale: int = 4) -> None:
        self._scale = scale
        self._image = Image.new("RGBA", (width * scale, height * scale), (0, 0, 0, 0))
        self._pen = ImageDraw.Draw(self._image)

    def fill(self, points: Sequence[Point], colour: Colour) -> None:
        """Fill a closed outline."""
        self._pen.polygon(self._scaled(points), fill=colour)

    def disc(self, centre: Point, radius: float, colour: Colour) -> None:
        """Fill a circle."""
        (x, y), s = centre, self._scale
        box = ((x - radius) * s, (y - radius) * s, (x + radius) * s - 1, (y + radius) * s - 1)
        self._pen.ellipse(box, fill=colour)

    def box(self, left: float, top: float, right: float, bottom: float, colour: Colour) -> None:
        """Fill a rectangle."""
        s = self._scale
        self._pen.rectangle((left * s, top * s, right * s - 1, bottom * s - 1), fill=colour)

    def rounded(self, box: Box, radius: float, colour: Colour) -> None:
        """Fill a rectangle (left, top, right, bottom) with round corners."""
        s = self._scale
        left, top, right, bottom = (edge * s for edge in box)
        self._pen.rounded_rectangle((left, top, right - 1, bottom - 1), radius * s, fill=colour)

    def line(
        self, points: Sequence[Point], width: float, colour: Colour, *, closed: bool = False
    ) -> None:
        """Draw along points with a round pen."""
        path = self._scaled(points)
        if closed:
            path.append(path[0])
        thick = max(1, round(width * self._scale))
        self._pen.line(path, fill=colour, width=thick)
        half = thick / 2
        for x, y in path:
            self._pen.ellipse((x - half, y - half, x + half - 1, y + half - 1), fill=colour)

    def done(self) -> Picture:
        """The sheet at its real size."""
        return self._image.reduce(self._scale)

    def _scaled(self, points: Iterable[Point]) -> list[Point]:
        return [(x * self._scale, y * self._scale) for x, y in points]


def stamp(picture: Picture, top: Picture, left: float, above: float) -> None:
    """Lay a transparent picture over an opaque one, its corner at (left, above)."""
    picture.paste(top, (round(left), round(above)), top)
