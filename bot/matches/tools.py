"""What the matches of a process are run with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from random import Random

    from bot.matches.ports import Clock, Store, Table
    from bot.matches.timing import MatchTime


@dataclass(frozen=True, slots=True)
class Tools:
    """What all runners of a process share.

    Attributes:
        store: where matches are recorded.
        table: where they are shown.
        clock: monotonic time.
        time: match time.
        random: what chance decides by.
        settle: how long an action is held, in seconds.
    """

    store: Store
    table: Table
    clock: Clock
    time: MatchTime
    random: Random
    settle: float
