"""The gallery: every example of a game in every theme and width, for people to look at."""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING, Final

from PIL import Image

from bot.pictures.artist import Artist
from bot.pictures.theme import THEMES

if TYPE_CHECKING:
    from pathlib import Path

    from bot.pictures.scenes import GamePictures

WIDTHS: Final = (550, 400, 330)
"""Widths in pixels at which clients show pictures: a desktop, a large phone, a small one."""


def write_gallery(folder: Path, game: GamePictures) -> int:
    """Write the examples of a game into a folder, full and scaled down; return how many."""
    written = 0
    for theme in THEMES:
        artist = Artist(theme, (game,))
        for name, scene in game.examples.items():
            png = artist.draw(scene)
            (folder / f"{theme}-{name}.png").write_bytes(png)
            written += 1 + _write_scaled(folder, f"{theme}-{name}", png)
    return written


def _write_scaled(folder: Path, name: str, png: bytes) -> int:
    full = Image.open(BytesIO(png)).convert("RGB")
    widths = [width for width in WIDTHS if width < full.width]
    for width in widths:
        box = (width, round(full.height * width / full.width))
        scaled = full.resize(box, Image.Resampling.LANCZOS)  # pyright: ignore[reportUnknownMemberType] - Pillow names array types it lacks
        scaled.save(folder / f"{name}-{width}.png")
    return len(widths)
