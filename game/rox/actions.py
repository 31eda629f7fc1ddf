"""The actions of Rox: the deal, claims, put-backs and Ready."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from game.actions import Action, entry


@entry("rox.deal")
@dataclass(frozen=True, slots=True)
class Deal(Action):
    """All random draws of a match, made once.

    Attributes:
        pile: the shuffled scoring cards, top first.
        places: for each round the ids of the sixty cards in the order of their places.
        starts: for each round the ids of the seats' start cards, all of one difficulty.
        dice: the seed for the draws of simulated opponents.
    """

    pile: tuple[int, ...]
    places: tuple[tuple[int, ...], ...]
    starts: tuple[tuple[int, ...], ...]
    dice: int

    by_chance: ClassVar[bool] = True


@entry("rox.claim")
@dataclass(frozen=True, slots=True)
class Claim(Action):
    """A player or an opponent claims the card at a number.

    Attributes:
        user: the player, or None for an opponent.
        number: the number of the card's place.
        seat: the number of the opponent's seat, or None for a player.
        typed: whether the id is that of a message and not of a command.
    """

    user: int | None
    number: int
    seat: int | None = None
    typed: bool = False

    is_move: ClassVar[bool] = True


@entry("rox.back")
@dataclass(frozen=True, slots=True)
class Back(Action):
    """A player or an opponent puts the last card of the row back; attributes as in `Claim`."""

    user: int | None
    seat: int | None = None
    typed: bool = False

    is_move: ClassVar[bool] = True


@entry("rox.ready")
@dataclass(frozen=True, slots=True)
class Ready(Action):
    """A player is ready for the next round."""

    user: int
