"""The five elements of Rox."""

from __future__ import annotations

from enum import StrEnum


class Element(StrEnum):
    """An element; its value is the letter that stands for it in the deck."""

    FIRE = "F"
    AIR = "A"
    EARTH = "E"
    WATER = "W"
    MAGIC = "M"
