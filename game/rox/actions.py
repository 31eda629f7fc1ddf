"""What players and chance do in a match of Rox."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from game.actions import Action, entry


@entry("rox.deal")
@dataclass(frozen=True, slots=True)
class Deal(Action):
    """Everything that chance decides about a match, drawn once.

    Attributes:
        pile: the shuffled scoring cards, top first.
        places: for each round the sixty cards in the order of their places.
        starts: for each round a start card for every seat, all of one difficulty.
        dice: what the simulated opponents' chances are drawn from.
    """

    pile: tuple[int, ...]
    places: tuple[tuple[int, ...], ...]
    starts: tuple[tuple[int, ...], ...]
    dice: int

    by_chance: ClassVar[bool] = True


@entry("rox.claim")
@dataclass(frozen=True, slots=True)
class Claim(Action):
    """Somebody claims the card at a number; an opponent's claim names its seat instead.

    Attributes:
        user: who claims.
        number: the number claimed.
        seat: an opponent's seat.
        typed: whether the id is that of a message, and not of a command.
    """

    user: int | None
    number: int
    seat: int | None = None
    typed: bool = False

    is_move: ClassVar[bool] = True


@entry("rox.back")
@dataclass(frozen=True, slots=True)
class Back(Action):
    """Somebody puts the last card of the row back; see `Claim`."""

    user: int | None
    seat: int | None = None
    typed: bool = False

    is_move: ClassVar[bool] = True


@entry("rox.ready")
@dataclass(frozen=True, slots=True)
class Ready(Action):
    """Somebody needs no more of the break."""

    user: int
