"""The moves of simulated opponents: their times, mistakes and choices.

The next move of an opponent follows from the state and the `dice` of the deal alone, so it is the
same after a restart. Opponents see the table with a delay of one second, claim only cards that fit
their count, and try again if they come too late. For comparison: people need about six seconds a
card.
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
SIGHT_DELAY_MS: Final = 1_000
NOTICE_PROBABILITY: Final = 0.3
NOTICE_MS: Final = (1_000, 3_000)
RETRY_MS: Final = (1_200, 2_000)
DIFFICULTY_FACTORS: Final = (0.8, 1.0, 1.2)


@dataclass(frozen=True, slots=True)
class Skill:
    """The speed and accuracy of opponents of one level.

    Attributes:
        median_ms: the median time for a card of medium difficulty.
        sigma: the standard deviation of the logarithm of that time.
        mistakes: the probability of a miscount by difficulty, easy first.
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
    """An opponent's plan after it took its last card.

    Attributes:
        count_ms: how long it counts the card.
        target: the stone that it then claims.
        notice_ms: after how long it notices that its last card was a mistake; None if the card
            was right, or if it does not notice.
    """

    count_ms: int
    target: Element
    notice_ms: int | None


def next_move(game: RoxGame, seat: int, level: Level, earliest: int) -> Move:
    """Return the next move of an opponent.

    Args:
        game: the game, in an open race.
        seat: the number of the opponent's seat.
        level: the opponent's level.
        earliest: the match time before which it does not move.
    """
    hand = game.hands[seat]
    plan = _plan(game, seat, level)
    if plan.notice_ms is not None and not hand.tries:
        return Move(max(hand.since + plan.notice_ms, earliest), seat)
    wait = plan.count_ms
    if hand.tries:
        wait = _between(RETRY_MS, _random(game, seat, hand.counts, hand.tries).random())
    return Move(max(hand.since + wait, hand.busy_until, earliest), seat)


def make_move(game: RoxGame, move: Move, level: Level, action_id: int) -> Action:
    """Return the claim or put-back of a move that is due, with the given id."""
    seat = move.seat
    hand = game.hands[seat]
    plan = _plan(game, seat, level)
    if plan.notice_ms is not None and not hand.tries:
        return Back(id=action_id, user=None, seat=seat)
    seen = move.due - SIGHT_DELAY_MS
    fitting = [i for i in range(len(game.owner)) if game.card_at(i).centre is plan.target]
    free = [i for i in fitting if (game.owner[i] is None) == (game.changed[i] <= seen)]
    # If all fitting cards are taken, the opponent claims one of those and comes too late.
    choice = shuffled(free or fitting, _random(game, seat, hand.counts, hand.tries + 1))[0]
    return Claim(id=action_id, user=None, number=number_of(choice), seat=seat)


def _plan(game: RoxGame, seat: int, level: Level) -> _Plan:
    skill = SKILLS[level]
    row = game.row_of(seat)
    card = row[-1]
    random = _random(game, seat, game.hands[seat].counts, 0)
    count_ms = skill.median_ms * math.exp(skill.sigma * _normal(random))
    count_ms = max(FASTEST_MS, count_ms * DIFFICULTY_FACTORS[card.difficulty])
    if len(row) == 1:
        count_ms += FIRST_CARD_MS
    miscounts = random.random() < skill.mistakes[card.difficulty]
    target = _miscounted(card, random.random()) if miscounts else card.answer
    notices = random.random() < NOTICE_PROBABILITY
    notice_ms = _between(NOTICE_MS, random.random())
    wrong = len(row) > 1 and card.centre is not row[-2].answer
    return _Plan(int(count_ms), target, notice_ms if wrong and notices else None)


def _miscounted(card: Card, chance: float) -> Element:
    return card.seconds[int(chance * len(card.seconds))]


def _random(game: RoxGame, seat: int, counts: int, tries: int) -> Random:
    words = (game.deal.dice, game.round, seat, counts, tries)
    return Random(":".join(map(str, words)))


def _normal(random: Random) -> float:
    radius = math.sqrt(-2.0 * math.log(1.0 - random.random()))
    return radius * math.cos(2.0 * math.pi * random.random())


def _between(bounds: tuple[int, int], chance: float) -> int:
    low, high = bounds
    return int(low + (high - low) * chance)
