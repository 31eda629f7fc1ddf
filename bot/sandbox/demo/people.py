"""Simulated people: they read the newest table, count, mistake, chat, and type."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from bot.sandbox.demo.reading import Reading, labels, read_table

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from random import Random

NAMES: Final = ("Ada", "Bo", "Cy", "Dee")
MEDIAN_S: Final = 4.5
SPREAD: Final = 0.3
FASTEST_S: Final = 2.5
MISTAKES: Final = 0.06
CHATTER: Final = (
    "wait, where is it",
    "give me 12 minutes and I'll find it",
    "so close",
    "42 is always the answer",
    "who took my card",
    "counting...",
    "ha!",
)
CHATS: Final = 0.08
BLUNDERS: Final = 0.05
HASTY: Final = 0.1
REACH_S: Final = (0.8, 2.2)
"""How long it takes from seeing a fitting card to having its number typed."""


@dataclass(slots=True)
class Person:
    """Somebody at the table.

    Attributes:
        name: what the person is called.
        random: what the person's choices are drawn from.
        edge: the symbols that the person is counting.
        ready_at: when the count will be done, in seconds.
        reaching: the number that the person is about to type.
        blundered: whether the last card was taken by mistake and noticed.
        hasty: whether the person types another number right after the next.
    """

    name: str
    random: Random
    edge: tuple[str, ...] = ()
    ready_at: float = 0.0
    reaching: str | None = None
    blundered: bool = False
    hasty: bool = False

    def forget(self) -> None:
        """Begin anew: a new round."""
        self.edge = ()
        self.reaching = None
        self.blundered = False

    def act(self, now: float, reading: Reading) -> str | None:
        """Return what the person types now, if anything.

        Args:
            now: seconds.
            reading: what the newest table says.
        """
        edge = reading.edges.get(self.name)
        if edge is None:
            return None
        if edge != self.edge:
            self.edge = tuple(edge)
            self.reaching = None
            self.ready_at = now + (0.3 if self.hasty else self._thinks())
        if now < self.ready_at:
            return None
        if self.reaching is not None:
            typed, self.reaching = self.reaching, None
            self.ready_at = now + 1.5 + self.random.random()
            return typed
        if self.blundered:
            self.blundered = False
            self.ready_at = now + self._thinks()
            return "0"
        if self.random.random() < CHATS:
            self.ready_at = now + 1.0
            return CHATTER[int(self.random.random() * len(CHATTER))]
        self._reach(now, reading)
        return None

    def _reach(self, now: float, reading: Reading) -> None:
        """Find a card that fits; until its number is typed, somebody else may take it."""
        ranking = reading.ranking(self.name)
        wrong = self.random.random() < MISTAKES
        self.blundered = self.random.random() < BLUNDERS
        self.hasty = not self.hasty and self.random.random() < HASTY
        stone = ranking[1] if wrong or self.blundered else ranking[0]
        free = reading.free[stone]
        shortest, longest = REACH_S
        self.ready_at = now + shortest + (longest - shortest) * self.random.random()
        if free:
            # Reading from the top, people tend to meet at the same cards.
            self.reaching = str(free[int(self.random.random() ** 3 * len(free))])

    def _thinks(self) -> float:
        radius = math.sqrt(-2.0 * math.log(1.0 - self.random.random()))
        normal = radius * math.cos(2.0 * math.pi * self.random.random())
        return max(FASTEST_S, MEDIAN_S * math.exp(SPREAD * normal))


def look(
    people: Sequence[Person], components: list[dict[str, Any]], now: float
) -> Iterator[tuple[str, str]]:
    """Let everybody look at the newest message; yield who types what.

    Args:
        people: who plays.
        components: of the newest message that has any.
        now: seconds.
    """
    reading = read_table(components)
    if reading is None or "Put back" not in labels(components):
        for person in people:
            person.forget()
        return
    for person in people:
        typed = person.act(now, reading)
        if typed is not None:
            yield person.name, typed
