"""Discord ids: their time, and ids for actions that have none from Discord.

The upper bits of a message's or interaction's id are milliseconds since Discord's epoch. Its lower
22 bits distinguish ids of the same millisecond. Whole ids decide order; their milliseconds decide
durations. Timers, simulated opponents and chance get ids made from their times. Within one
millisecond these ids sort after those of all people.
"""

from __future__ import annotations

from typing import Final

LOW_BITS: Final = 22
_CHANCE_RANK: Final = (1 << LOW_BITS) - 1
_TIMER_RANK: Final = _CHANCE_RANK - 1
_OPPONENT_RANK: Final = _TIMER_RANK - 64


def ms_of(snowflake: int) -> int:
    """Return the milliseconds since Discord's epoch at which an id was made.

    >>> ms_of(5000 << 22)
    5000
    """
    return snowflake >> LOW_BITS


def first_id(ms: int) -> int:
    """Return the smallest id of a millisecond."""
    return ms << LOW_BITS


def timer_id(ms: int) -> int:
    """Return the id of a deadline at `ms`, which sorts after the ids of people and opponents.

    >>> timer_id(7) > opponent_id(7, seat=3) > 7 << 22
    True
    """
    return (ms << LOW_BITS) | _TIMER_RANK


def chance_id(ms: int) -> int:
    """Return the id of a random draw at `ms`, which sorts after a deadline that leads to it.

    >>> chance_id(7) > timer_id(7)
    True
    """
    return (ms << LOW_BITS) | _CHANCE_RANK


def opponent_id(ms: int, seat: int) -> int:
    """Return the id of an opponent's move at `ms`, between those of people and deadlines."""
    return (ms << LOW_BITS) | (_OPPONENT_RANK + seat)
