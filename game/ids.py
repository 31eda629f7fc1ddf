"""Discord's ids as match time.

Every message and interaction carries an id whose upper bits are milliseconds since Discord's
epoch and whose lower 22 bits tell ids of one millisecond apart. Whole ids decide order, their
milliseconds decide durations. Timers and simulated opponents have no id of Discord's, so they
get one made from their due time that sorts after all people of that millisecond.
"""

from __future__ import annotations

from typing import Final

LOW_BITS: Final = 22
_CHANCE_RANK: Final = (1 << LOW_BITS) - 1
_TIMER_RANK: Final = _CHANCE_RANK - 1
_OPPONENT_RANK: Final = _TIMER_RANK - 64


def ms_of(snowflake: int) -> int:
    """Milliseconds since Discord's epoch at which an id was made.

    >>> ms_of(5000 << 22)
    5000
    """
    return snowflake >> LOW_BITS


def first_id(ms: int) -> int:
    """Return the smallest id of a millisecond."""
    return ms << LOW_BITS


def timer_id(ms: int) -> int:
    """Return the id of a deadline at `ms`: after all that people and opponents do then.

    >>> timer_id(7) > opponent_id(7, seat=3) > 7 << 22
    True
    """
    return (ms << LOW_BITS) | _TIMER_RANK


def chance_id(ms: int) -> int:
    """Return the id of what chance decides at `ms`: after the deadline that may ask for it.

    >>> chance_id(7) > timer_id(7)
    True
    """
    return (ms << LOW_BITS) | _CHANCE_RANK


def opponent_id(ms: int, seat: int) -> int:
    """Return the id of a simulated opponent's move due at `ms`: after people, before deadlines."""
    return (ms << LOW_BITS) | (_OPPONENT_RANK + seat)
