"""Examples of the scenes of Rox, and helpers that open pictures."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO

from PIL import Image

from bot.pictures.rox.game_pictures import ROX_PICTURES
from bot.pictures.rox.game_pictures import example_check as check
from bot.pictures.rox.game_pictures import example_table as table
from bot.pictures.rox.scenes import LastCardsScene, PodiumScene, TableScene

__all__ = ["LAST_CARDS", "PODIUM", "SCENES", "check", "opened", "race_frames", "shown", "table"]

SCENES = ROX_PICTURES.examples
LAST_CARDS = SCENES["last-cards"]
PODIUM = SCENES["podium"]
CLAIMS = 20
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


def race_frames(seed: int) -> list[TableScene]:
    """The open table of a round and what each of twenty claims makes of it."""
    frames = [table(seed, taken=4)]
    for number in range(CLAIMS):
        before = frames[-1]
        place = next(i for i in range(7 * number % 60, 120) if before.taken[i % 60] is None) % 60
        taken = (*before.taken[:place], number % 4, *before.taken[place + 1 :])
        frames.append(replace(before, taken=taken))
    return frames
