"""Examples of the scenes of Rox, and helpers that open pictures."""

from __future__ import annotations

from io import BytesIO

from PIL import Image

from bot.pictures.rox.game_pictures import ROX_PICTURES
from bot.pictures.rox.game_pictures import example_check as check
from bot.pictures.rox.game_pictures import example_table as table
from bot.pictures.rox.scenes import LastCardsScene, PodiumScene

__all__ = ["LAST_CARDS", "PODIUM", "SCENES", "check", "opened", "shown", "table"]

SCENES = ROX_PICTURES.examples
LAST_CARDS = SCENES["last-cards"]
PODIUM = SCENES["podium"]
assert isinstance(LAST_CARDS, LastCardsScene)
assert isinstance(PODIUM, PodiumScene)


def opened(png: bytes) -> Image.Image:
    picture = Image.open(BytesIO(png))
    picture.load()
    return picture


def shown(png: bytes, width: int) -> Image.Image:
    """A picture as Discord shows it at a width."""
    picture = opened(png).convert("RGB")
    height = round(picture.height * width / picture.width)
    return picture.resize((width, height), Image.Resampling.LANCZOS)
