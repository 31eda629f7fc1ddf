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
"""The figures that are kept, by name, and how each adds up over matches."""


class Stage(StrEnum):
    """Where a round stands."""

    READY = "ready"
    OPENING = "opening"
    RACE = "race"
    CHECK = "check"
    BREAK = "break"


@dataclass(frozen=True, slots=True)
class Held:
    """A card in a row.

    Attributes:
        index: its place, 0 to 59 (number 10 to 69).
        id: the id of the claim that took it; for a start card that of the race's opening.
    """

    index: int
    id: int


@dataclass(frozen=True, slots=True)
class Hand:
    """What one seat holds and may do.

    Attributes:
        row: its cards in order, the start card first; empty once the seat has left.
        busy_until: when the hand is free again, in match time.
        claimed: whether the seat moved at all in this round.
        wrong: how many wrong stones were refused on the present last card.
        counts: how often the seat has begun to count a card; opponents' chance hangs on it.
        tries: how often it came too late since.
        since: when the present count or the wait after a late claim began.
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
    """One seat's figures so far.

    Attributes:
        cards: how many cards the checks looked at beyond start cards.
        right: how many of them held.
        fastest_ms: the shortest time from "Rox!" to a full row that held, if there was one.
    """

    cards: int = 0
    right: int = 0
    fastest_ms: int | None = None

    def figures(self) -> dict[str, int]:
        """Return the figures by name; without a full row there is no fastest one.

        >>> Tally(5, 4).figures()
        {'cards': 5, 'right': 4}
        """
        figures = {"cards": self.cards, "right": self.right}
        return figures if self.fastest_ms is None else figures | {"fastest_ms": self.fastest_ms}


@dataclass(frozen=True, slots=True)
class RoxGame:
    """A match of Rox.

    Attributes:
        settings: what was chosen.
        deal: what chance decided.
        round: the round's number, 1 to 5.
        stage: where the round stands.
        since: when the stage began.
        seat_counts: how many seats each round so far began with.
        prizes: the scoring cards turned over, highest first.
        hands: by seat number.
        owner: for each place the seat whose row has its card.
        changed: for each place when that last changed.
        race_from: when the race began.
        last_take: when a card was last taken, or the race began.
        recent_claims: the last claims decided, oldest first.
        caller: who took a sixth card.
        checked: the rows as the check found them, from the caller around the table.
        reveal: how much of the check is shown: 0 the caller's row, 1 all rows, 2 the prizes.
        scores: for each round checked the points by seat; None for who had left before.
        ready: the users who are ready for the next round.
        silent: by seat number, rounds in a row without a move while somebody else moved.
        uncalled: rounds in a row without a caller.
        tallies: by seat number, figures for the boards.
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
        """Return the card whose edge a seat counts."""
        row = self.hands[seat].row
        return self.card_at(row[-1].index) if row else None

    def points(self, seat: int) -> int:
        """Return what a seat has won so far."""
        return sum(score[seat] or 0 for score in self.scores)

    def totals(self) -> dict[int, int]:
        """Return what every seat has won so far, by its number."""
        return {seat: self.points(seat) for seat in range(len(self.tallies))}

    def figures(self) -> dict[int, dict[str, int]]:
        """Return every seat's figures for the boards, by its number."""
        return {seat: tally.figures() for seat, tally in enumerate(self.tallies)}

    def with_hand(self, seat: int, hand: Hand) -> RoxGame:
        """Return the game with another hand."""
        hands = (*self.hands[:seat], hand, *self.hands[seat + 1 :])
        return replace(self, hands=hands)

    def with_owner(self, index: int, owner: int | None, now: int) -> RoxGame:
        """Return the game with a card taken or put back."""
        return replace(
            self,
            owner=(*self.owner[:index], owner, *self.owner[index + 1 :]),
            changed=(*self.changed[:index], now, *self.changed[index + 1 :]),
        )


def number_of(index: int) -> int:
    """Return the number of a place: tens are the row, units the column."""
    return index + LOWEST


def post_of_table(round_number: int) -> str:
    """Return the key of the post that shows a round's open table."""
    return f"table-{round_number}"
