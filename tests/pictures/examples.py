"""The gallery's scenes, and the means to look at what became of them."""

from __future__ import annotations

from io import BytesIO

from PIL import Image

from bot.pictures.gallery import EXAMPLES as SCENES
from bot.pictures.gallery import example_table as table
from bot.pictures.gallery import example_verdict as verdict
from bot.pictures.scenes import LastCardsScene, PodiumScene

__all__ = ["LAST_CARDS", "PODIUM", "SCENES", "opened", "shown", "table", "verdict"]

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
