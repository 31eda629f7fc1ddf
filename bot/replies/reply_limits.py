"""How often one person is told something privately: enough to play, however often they press.

Every private word costs a call, and stays on a person's screen until it is dismissed. Whoever is
told nothing was told the same a moment ago: a press is acknowledged in any case, and a command,
which has to be answered, by one short sentence.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Final

from game.ids import ms_of

if TYPE_CHECKING:
    from bot.locales.catalogue import Words

BREATH_MS: Final = 5_000
MOST_WORDS: Final = 3
"""How often one person is answered in that time because of presses; private cards count apart."""

MOST_COMMANDS: Final = 8
"""How many commands of one person are carried out in that time."""


class Allowance:
    """Allows everybody so much in five seconds of match time.

    Args:
        most: how much.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._used: deque[tuple[int, int]] = deque()

    def wait_ms(self, user: int, interaction: int) -> int:
        """Return how long somebody has to wait, in milliseconds; 0: not at all, and it counts.

        Args:
            user: who wants something.
            interaction: the id of the press or command.
        """
        now = ms_of(interaction)
        while self._used and self._used[0][0] <= now - BREATH_MS:
            self._used.popleft()
        used = [ms for ms, who in self._used if who == user]
        if len(used) < self._most:
            self._used.append((now, user))
            return 0
        return max(1, used[0] + BREATH_MS - now)


class Whispers:
    """What everybody may be told privately.

    Attributes:
        words: sentences, because of presses.
        cards: their own cards, because of presses.
        commands: what commands bring.
    """

    def __init__(self) -> None:
        self.words = Allowance(MOST_WORDS)
        self.cards = Allowance(MOST_WORDS)
        self.commands = Allowance(MOST_COMMANDS)


def easy(wait_ms: int, words: Words) -> str:
    """Return what somebody is told who has to wait."""
    return words.count(
        "Easy! Try that again in {n} second.",
        "Easy! Try that again in {n} seconds.",
        -(-wait_ms // 1000),
    )
