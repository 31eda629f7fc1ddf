"""The settings of a match of Rox."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Preset(StrEnum):
    """The rules that rank equal rows and order the prizes of the rounds."""

    RULEBOOK = "rulebook"
    FAIR = "fair"


class Checking(StrEnum):
    """When a wrong stone is found: at the check (the magic eye), or at the claim."""

    MAGIC_EYE = "magic-eye"
    INSTANT = "instant"


@dataclass(frozen=True, slots=True)
class RoxSettings:
    """The settings of one match; durations in milliseconds.

    Attributes:
        preset: the rules for ties and prizes.
        checking: when a wrong stone is found.
        shortest: how many cards a row needs to be valid: 2, or 3 as in the German edition.
        rest_ms: how long a hand is busy after "Rox!" and after taking or putting back a card.
        idle_ms: the time without a taken card after which a race ends without a caller.
        race_ms: the time after which a race ends in any case.
    """

    preset: Preset = Preset.RULEBOOK
    checking: Checking = Checking.MAGIC_EYE
    shortest: int = 2
    rest_ms: int = 2_000
    idle_ms: int = 30_000
    race_ms: int = 120_000
