"""Every kind of picture beside a small copy that somebody has approved.

After an intended change, look at the pictures and overwrite the copies:
``ROX_GOLDEN=write pytest -n 0 tests/pictures/test_golden.py``.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PIL import Image, ImageChops, ImageStat

from tests.kit.pictures.examples import SCENES, shown

if TYPE_CHECKING:
    from bot.pictures.artist import Artist

GOLDEN = Path(__file__).parent / "golden"
WIDTH = 200
# Pillow's versions round polygons and resampling differently: by a level or two in the mean.
MEAN, BLOCK = 2.5, 14.0


@pytest.mark.parametrize("kind", SCENES)
def test_a_picture_looks_like_its_golden_copy(artist: Artist, kind: str) -> None:
    path = GOLDEN / f"{artist.theme.name}-{kind}.png"
    small = shown(artist.draw(SCENES[kind]), WIDTH)
    if os.environ.get("ROX_GOLDEN") == "write":
        path.parent.mkdir(exist_ok=True)
        small.quantize(256, kmeans=4, dither=Image.Dither.NONE).save(path, optimize=True)
    with Image.open(path) as golden:
        difference = ImageChops.difference(small, golden.convert("RGB")).convert("L")
    assert ImageStat.Stat(difference).mean[0] < MEAN
    blocks = difference.resize((small.width // 8, small.height // 8), Image.Resampling.BOX)
    assert blocks.getextrema()[1] < BLOCK
