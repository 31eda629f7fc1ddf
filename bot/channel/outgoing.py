"""A message that is to be posted, and how long that is tried."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final
from uuid import uuid4

from game.match import Phase

if TYPE_CHECKING:
    from bot.games.sheet import Sheet
    from bot.matches.backoff import Backoff

ATTEMPTS: Final = 3

_LASTING: Final = frozenset({Phase.LOBBY, Phase.PAUSED, Phase.OVER, Phase.CLOSED})
"""Phases in which nothing else will soon be there to be shown."""


@dataclass(slots=True)
class OutgoingPost:
    """A message that is to be posted; every attempt posts the same.

    Attributes:
        sheet: what it shows.
        form: how it is posted.
        unseen: `game.match.Match.unseen` when it was made.
        patience: says when the next attempt is due, and when there has been enough of them.
        nonce: new for every message, also after a restart, and one for all of its attempts: of
            two calls with the same nonce Discord carries out the first alone.
        attempts: how many have failed.
    """

    sheet: Sheet
    form: Sheet
    unseen: int
    patience: Backoff
    nonce: str = field(default_factory=lambda: uuid4().hex[:25])
    attempts: int = 0

    def __post_init__(self) -> None:
        """Count the first attempt, too: the second comes a second later, the third two."""
        self.patience.fail()

    def failed(self) -> None:
        """Take note of an attempt that did not succeed."""
        self.attempts += 1
        self.patience.fail()

    @property
    def is_late(self) -> bool:
        """Whether it has failed as often as a race can wait for."""
        return self.attempts >= ATTEMPTS

    def is_hopeless(self, phase: Phase) -> bool:
        """Whether it is not worth another attempt.

        While people play, the match had better pause. A lobby, a pause or an end is tried for
        minutes: without it nobody would ever know.
        """
        return self.is_late and (phase not in _LASTING or self.patience.exhausted)
