"""The events of Rox."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from game.events import Event


class ClaimOutcome(StrEnum):
    """The outcome of a claim; BACK is that of a put-back."""

    TAKEN = "taken"
    LATE = "late"
    BUSY = "busy"
    WRONG = "wrong"
    BACK = "back"


@dataclass(frozen=True, slots=True)
class Claimed(Event):
    """A claim or a put-back was decided.

    Attributes:
        outcome: the outcome.
        seat: the number of the seat that made it.
        number: the number of the card's place.
        owner: the seat that has the card, if the claim was late; else None.
        wait_ms: how long the hand stays busy, if it was busy or the stone was wrong; else 0.
        id: the id of the action.
        typed: whether that is the id of a message.
    """

    outcome: ClaimOutcome
    seat: int
    number: int
    owner: int | None
    wait_ms: int
    id: int
    typed: bool = False


RECENT_CLAIMS: Final = 6


def with_claim(claims: tuple[Claimed, ...], claimed: Claimed) -> tuple[Claimed, ...]:
    """Return the recent claims with one more, oldest first.

    If one seat's claims are refused for the same reason several times in a row, only the newest
    of them is kept. Otherwise a player who types without a pause would crowd out all others.
    """
    before = next((claim for claim in reversed(claims) if claim.seat == claimed.seat), None)
    if before is not None and before.outcome is claimed.outcome in (
        ClaimOutcome.LATE,
        ClaimOutcome.BUSY,
        ClaimOutcome.WRONG,
    ):
        claims = tuple(claim for claim in claims if claim is not before)
    return (*claims, claimed)[-RECENT_CLAIMS:]


@dataclass(frozen=True, slots=True)
class RoundBegan(Event):
    """A round was dealt, and its get-ready time began."""

    number: int


@dataclass(frozen=True, slots=True)
class TableCalled(Event):
    """The get-ready time ended; the open table must be posted next."""


@dataclass(frozen=True, slots=True)
class RaceOpened(Event):
    """The message with the open table was posted; claims count from its id on."""


@dataclass(frozen=True, slots=True)
class RaceEnded(Event):
    """The race ended, and its rows were checked.

    Attributes:
        caller: the seat that took a sixth card, or None.
    """

    caller: int | None


@dataclass(frozen=True, slots=True)
class Revealed(Event):
    """The next part of the check was revealed: 1 the other rows, 2 the prizes."""

    step: int


@dataclass(frozen=True, slots=True)
class MadeReady(Event):
    """A player is ready for the next round."""

    user: int
