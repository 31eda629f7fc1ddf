"""The state of a match of Rox, from its deal on."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from game.figures import Aggregation
from game.rox.cards import DECK, Card
from game.rox.claims import LOWEST

if TYPE_CHECKING:
    from game.rox.actions import Deal
    from game.rox.events import Claimed
    from game.rox.prizes import CheckedRow
    from game.rox.settings import RoxSettings

PLACES: Final = 60
READY_MS: Final = 5_000
REVEAL_MS: Final = (2_500, 5_000)
BREAK_MS: Final = 15_000

FIGURES: Final = {"cards": Aggregation.SUM, "right": Aggregation.SUM, "fastest_ms": Aggregation.MIN}
"""The kept figures by name, and how each adds up over matches."""


class Stage(StrEnum):
    """The stages of a round, in order."""

    READY = "ready"
    OPENING = "opening"
    RACE = "race"
    CHECK = "check"
    BREAK = "break"


@dataclass(frozen=True, slots=True)
class Held:
    """A card in a row.

    Attributes:
        index: the index of its place, 0 to 59 (numbers 10 to 69).
        id: the id of the claim that took it; for a start card, that of the message that opened
            the race.
    """

    index: int
    id: int


@dataclass(frozen=True, slots=True)
class Hand:
    """The cards of one seat, and when it can claim the next one.

    Attributes:
        row: the cards in order, the start card first; empty once the seat has left.
        busy_until: the match time from which the seat can claim again.
        claimed: whether the seat has claimed or put back in this round.
        wrong: how many wrong stones were refused since the row last changed.
        counts: how often the seat has begun to count a card; one seed of an opponent's draws.
        tries: how many late claims it has made since.
        since: when the seat began to count, or made its latest late claim.
    """

    row: tuple[Held, ...] = ()
    busy_until: int = 0
    claimed: bool = False
    wrong: int = 0
    counts: int = 0
    tries: int = 0
    since: int = 0


@dataclass(frozen=True, slots=True)
class Tally:
    """The figures of one seat so far.

    Attributes:
        cards: how many cards were checked, without start cards.
        right: how many of them held.
        fastest_ms: the shortest time from "Rox!" to a full row that held, or None.
    """

    cards: int = 0
    right: int = 0
    fastest_ms: int | None = None

    def figures(self) -> dict[str, int]:
        """Return the figures by name; without a full row that held there is no fastest one.

        >>> Tally(5, 4).figures()
        {'cards': 5, 'right': 4}
        """
        figures = {"cards": self.cards, "right": self.right}
        return figures if self.fastest_ms is None else figures | {"fastest_ms": self.fastest_ms}


@dataclass(frozen=True, slots=True)
class RoxGame:
    """The state of a match of Rox; all times are match time in milliseconds.

    Attributes:
        settings: the settings of the match.
        deal: all random draws of the match.
        round: the number of the round, 1 to 5.
        stage: the stage of the round.
        since: when the stage began.
        seat_counts: how many seats each round so far began with.
        prizes: the scoring cards turned over, highest first.
        hands: the hands by seat number.
        owner: for each place the seat that has its card, or None.
        changed: for each place the time when its owner last changed.
        race_from: when the race began.
        last_take: when a card was last taken, or the race began.
        recent_claims: the last claims decided, oldest first.
        caller: the seat that took a sixth card, or None.
        checked: the checked rows, from the caller's on in the order of seats.
        reveal: the revealed part of the check: 0 the caller's row, 1 all rows, 2 the prizes.
        scores: for each checked round the points by seat; None for seats that had left before.
        ready: the users who are ready for the next round.
        silent: by seat number, the rounds in a row without a move while another seat moved.
        uncalled: the rounds in a row without a caller.
        tallies: the figures by seat number.
    """

    settings: RoxSettings
    deal: Deal
    round: int
    stage: Stage
    since: int
    seat_counts: tuple[int, ...]
    prizes: tuple[int, ...]
    hands: tuple[Hand, ...]
    owner: tuple[int | None, ...]
    changed: tuple[int, ...] = (0,) * PLACES
    race_from: int = 0
    last_take: int = 0
    recent_claims: tuple[Claimed, ...] = ()
    caller: int | None = None
    checked: tuple[CheckedRow, ...] = ()
    reveal: int = 0
    scores: tuple[tuple[int | None, ...], ...] = ()
    ready: frozenset[int] = frozenset()
    silent: tuple[int, ...] = ()
    uncalled: int = 0
    tallies: tuple[Tally, ...] = ()

    def card_at(self, index: int) -> Card:
        """Return the card of a place."""
        return DECK[self.deal.places[self.round - 1][index]]

    def row_of(self, seat: int) -> tuple[Card, ...]:
        """Return the cards in a seat's row."""
        return tuple(self.card_at(held.index) for held in self.hands[seat].row)

    def last_card(self, seat: int) -> Card | None:
        """Return the last card of a seat's row, whose edge it counts; None if it has left."""
        row = self.hands[seat].row
        return self.card_at(row[-1].index) if row else None

    def points(self, seat: int) -> int:
        """Return the points that a seat has won so far."""
        return sum(score[seat] or 0 for score in self.scores)

    def totals(self) -> dict[int, int]:
        """Return the points so far by seat number."""
        return {seat: self.points(seat) for seat in range(len(self.tallies))}

    def figures(self) -> dict[int, dict[str, int]]:
        """Return the figures by seat number and name."""
        return {seat: tally.figures() for seat, tally in enumerate(self.tallies)}

    def with_hand(self, seat: int, hand: Hand) -> RoxGame:
        """Return the game with a new hand of a seat."""
        hands = (*self.hands[:seat], hand, *self.hands[seat + 1 :])
        return replace(self, hands=hands)

    def with_owner(self, index: int, owner: int | None, now: int) -> RoxGame:
        """Return the game with a new owner of a place, or None, at a match time."""
        return replace(
            self,
            owner=(*self.owner[:index], owner, *self.owner[index + 1 :]),
            changed=(*self.changed[:index], now, *self.changed[index + 1 :]),
        )


def number_of(index: int) -> int:
    """Return the number of a place; the tens give the row, the units the column."""
    return index + LOWEST


def table_key(round_number: int) -> str:
    """Return the key of the message that shows the open table of a round."""
    return f"table-{round_number}"
