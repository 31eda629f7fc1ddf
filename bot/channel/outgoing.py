"""A message that has to be posted, and how long that is tried."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from math import inf
from typing import TYPE_CHECKING, Final
from uuid import uuid4

from bot.matches.backoff import FIRST_S, GIVE_UP_S, LONGEST_S
from game.match import Phase

if TYPE_CHECKING:
    from bot.games.sheet import Sheet

ATTEMPTS: Final = 3
"""How often something is tried while players wait for it."""

_LASTING: Final = frozenset({Phase.LOBBY, Phase.PAUSED, Phase.OVER, Phase.CLOSED})
"""Phases that no deadline of a few seconds ends."""


@dataclass(frozen=True, slots=True)
class OutgoingPost:
    """A message that has to be posted; every attempt posts the same.

    Attributes:
        sheet: the sheet that it shows.
        form: the sheet as it is posted, possibly with a notice above and silent.
        unseen: `game.match.Match.unseen` when it was made.
        made_at: when it was made, in monotonic seconds.
        nonce: the same for all attempts, and for no other message, also after a restart: of two
            calls with the same nonce Discord carries out only the first.
        failed: how many attempts have failed.
        due_at: when the next attempt may be made, in monotonic seconds.
    """

    sheet: Sheet
    form: Sheet
    unseen: int
    made_at: float
    nonce: str = field(default_factory=lambda: uuid4().hex[:25])
    failed: int = 0
    due_at: float = -inf

    def after_failure(self, now: float) -> OutgoingPost:
        """Return it after one more failed attempt; each wait is twice as long as the last."""
        failed = self.failed + 1
        return replace(self, failed=failed, due_at=now + min(FIRST_S * 2**failed, LONGEST_S))

    def without_wait(self) -> OutgoingPost:
        """Return it with its next attempt due at once."""
        return replace(self, due_at=-inf)

    @property
    def is_late(self) -> bool:
        """Whether it has failed as often as players can wait for."""
        return self.failed >= ATTEMPTS

    def is_replaced_by(self, wanted: Sheet) -> bool:
        """Whether it is given up for another message, because it is late."""
        return self.is_late and self.sheet.key != wanted.key

    def is_hopeless(self, phase: Phase, now: float) -> bool:
        """Whether it is not worth another attempt.

        While people play, pausing the match is better. A lobby, a pause or an end is tried for
        minutes, since no other message would tell the players of it.
        """
        return self.is_late and (phase not in _LASTING or now - self.made_at > GIVE_UP_S)
