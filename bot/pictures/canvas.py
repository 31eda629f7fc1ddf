"""A canvas to draw on at several times the final size, and ways to lay images on each other."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from PIL import Image, ImageDraw

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bot.pictures.shapes import Point
    from bot.pictures.theme import Colour

Box: TypeAlias = tuple[float, float, float, float]
"""A rectangle: left, top, right, bottom."""


class Canvas:
    """A transparent canvas; all lengths are pixels of the finished image.

    Args:
        width: of the finished image.
        height: of the finished image.
        scale: how many times larger the canvas itself is; more gives smoother edges.
    """

    def __init__(self, width: int, height: int, scale: int = 4) -> None:
        self._scale = scale
        self._image = Image.new("RGBA", (width * scale, height * scale), (0, 0, 0, 0))
        self._pen = ImageDraw.Draw(self._image)

    def polygon(self, points: Sequence[Point], colour: Colour) -> None:
        """Fill a closed outline."""
        self._pen.polygon(self._scaled(points), fill=colour)

    def circle(self, centre: Point, radius: float, colour: Colour) -> None:
        """Fill a circle."""
        (x, y), s = centre, self._scale
        box = ((x - radius) * s, (y - radius) * s, (x + radius) * s - 1, (y + radius) * s - 1)
        self._pen.ellipse(box, fill=colour)

    def rectangle(self, box: Box, colour: Colour) -> None:
        """Fill a rectangle."""
        left, top, right, bottom = (edge * self._scale for edge in box)
        self._pen.rectangle((left, top, right - 1, bottom - 1), fill=colour)

    def rounded_rectangle(self, box: Box, radius: float, colour: Colour) -> None:
        """Fill a rectangle with round corners."""
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

    def image(self) -> Image.Image:
        """Return the drawing at its final size."""
        return self._image.reduce(self._scale)

    def _scaled(self, points: Iterable[Point]) -> list[Point]:
        return [(x * self._scale, y * self._scale) for x, y in points]


def stamp(image: Image.Image, top: Image.Image, left: float, above: float) -> None:
    """Lay a transparent image over an opaque one, its corner at (left, above)."""
    image.paste(top, (round(left), round(above)), top)


def on_ground(ground: Colour, image: Image.Image) -> Image.Image:
    """Return a transparent image laid on a ground of one colour."""
    opaque = Image.new("RGB", image.size, ground)
    stamp(opaque, image, 0, 0)
    return opaque


def faded(image: Image.Image, ground: Colour, fraction: float) -> Image.Image:
    """Return an opaque image faded towards a colour, by a fraction from 0 to 1."""
    return Image.blend(image, Image.new("RGB", image.size, ground), fraction)
