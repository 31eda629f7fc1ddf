"""Simulated opponents: how long they count, what they mistake, which card they take.

An opponent's next move follows from the state and the deal's dice alone, so it is the same after
a restart. Opponents see the table as it was a second ago, never grab blindly, and try again when
they come too late. Medians and mistakes are those of the rules page: people need about six
seconds a card.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Final

from game.match import Level, Move
from game.rox.actions import Back, Claim
from game.rox.dealing import shuffled
from game.rox.state import number_of

if TYPE_CHECKING:
    from game.actions import Action
    from game.rox.cards import Card, Element
    from game.rox.state import RoxGame

FASTEST_MS: Final = 2_500
FIRST_CARD_MS: Final = 2_000
SIGHT_MS: Final = 1_000
NOTICED: Final = 0.3
NOTICE_MS: Final = (1_000, 3_000)
RETRY_MS: Final = (1_200, 2_000)
BY_DIFFICULTY: Final = (0.8, 1.0, 1.2)


@dataclass(frozen=True, slots=True)
class Skill:
    """How an opponent of a level plays.

    Attributes:
        median_ms: the median time for a card of medium difficulty.
        sigma: the spread of that time's logarithm.
        mistakes: the share of miscounts by difficulty, easy first.
    """

    median_ms: int
    sigma: float
    mistakes: tuple[float, float, float]


SKILLS: Final = {
    Level.APPRENTICE: Skill(8_500, 0.35, (0.04, 0.12, 0.16)),
    Level.JOURNEYMAN: Skill(6_300, 0.30, (0.02, 0.07, 0.10)),
    Level.MASTER: Skill(4_700, 0.25, (0.01, 0.03, 0.05)),
}


@dataclass(frozen=True, slots=True)
class _Plan:
    """What an opponent makes of its last card.

    Attributes:
        think_ms: how long it counts.
        target: the stone that it will look for.
        notices: whether, and after how long, it notices that the last card was a mistake.
    """

    think_ms: int
    target: Element
    notices: int | None


def next_move(game: RoxGame, seat: int, level: Level, earliest: int) -> Move:
    """Return when a seat's next move is due.

    Args:
        game: the game, in an open race.
        seat: the opponent's seat.
        level: how well it plays.
        earliest: the match time before which it does not move.
    """
    hand = game.hands[seat]
    plan = _plan(game, seat, level)
    if plan.notices is not None and not hand.tries:
        return Move(max(hand.since + plan.notices, earliest), seat)
    wait = plan.think_ms
    if hand.tries:
        wait = _between(RETRY_MS, _dice(game, seat, hand.counts, hand.tries).random())
    return Move(max(hand.since + wait, hand.busy_until, earliest), seat)


def make_move(game: RoxGame, move: Move, level: Level, action_id: int) -> Action:
    """Return the claim or put-back of a move that is due, with the given id."""
    seat = move.seat
    hand = game.hands[seat]
    plan = _plan(game, seat, level)
    if plan.notices is not None and not hand.tries:
        return Back(id=action_id, user=None, seat=seat)
    seen = move.due - SIGHT_MS
    fitting = [i for i in range(len(game.owner)) if game.card_at(i).centre is plan.target]
    free = [i for i in fitting if (game.owner[i] is None) == (game.changed[i] <= seen)]
    # With every fitting card gone, reaching for one that somebody holds means coming too late.
    choice = shuffled(free or fitting, _dice(game, seat, hand.counts, hand.tries + 1))[0]
    return Claim(id=action_id, user=None, number=number_of(choice), seat=seat)


def _plan(game: RoxGame, seat: int, level: Level) -> _Plan:
    skill = SKILLS[level]
    row = game.row_of(seat)
    card = row[-1]
    dice = _dice(game, seat, game.hands[seat].counts, 0)
    think = skill.median_ms * math.exp(skill.sigma * _normal(dice))
    think = max(FASTEST_MS, think * BY_DIFFICULTY[card.difficulty])
    if len(row) == 1:
        think += FIRST_CARD_MS
    miscounts = dice.random() < skill.mistakes[card.difficulty]
    target = _second(card, dice.random()) if miscounts else card.answer
    notices = dice.random() < NOTICED
    notice_ms = _between(NOTICE_MS, dice.random())
    wrong = len(row) > 1 and card.centre is not row[-2].answer
    return _Plan(int(think), target, notice_ms if wrong and notices else None)


def _second(card: Card, chance: float) -> Element:
    return card.seconds[int(chance * len(card.seconds))]


def _dice(game: RoxGame, seat: int, counts: int, tries: int) -> Random:
    words = (game.deal.dice, game.round, seat, counts, tries)
    return Random(":".join(map(str, words)))


def _normal(dice: Random) -> float:
    radius = math.sqrt(-2.0 * math.log(1.0 - dice.random()))
    return radius * math.cos(2.0 * math.pi * dice.random())


def _between(bounds: tuple[int, int], chance: float) -> int:
    low, high = bounds
    return int(low + (high - low) * chance)
