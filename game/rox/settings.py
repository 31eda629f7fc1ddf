"""What can be chosen about a match of Rox."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Preset(StrEnum):
    """Which rules decide ties and the order of prizes."""

    RULEBOOK = "rulebook"
    FAIR = "fair"


class Checking(StrEnum):
    """When a wrong stone shows: at the check, or at once."""

    MAGIC_EYE = "magic-eye"
    INSTANT = "instant"


@dataclass(frozen=True, slots=True)
class RoxSettings:
    """The settings of one match; durations in milliseconds.

    Attributes:
        preset: rulebook, or fair.
        checking: magic-eye, or instant.
        shortest: how many cards make a row valid: 2, or 3 as in the German edition.
        rest_ms: how long a hand is busy after a card was taken or put back, and after "Rox!".
        idle_ms: nobody took a card for so long: the race ends without a caller.
        race_ms: the longest that a race lasts.
    """

    preset: Preset = Preset.RULEBOOK
    checking: Checking = Checking.MAGIC_EYE
    shortest: int = 2
    rest_ms: int = 2_000
    idle_ms: int = 30_000
    race_ms: int = 120_000
