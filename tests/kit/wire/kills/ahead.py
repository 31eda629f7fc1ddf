"""Matches that are in their last race when the bot first starts, so that a run is short."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING

from bot.matches.ports import Batch, Entry, Venue
from game.actions import Join, Shown, Start, Tick
from game.ids import LOW_BITS, timer_id
from game.match import Phase
from game.rox.actions import Claim, Ready
from game.rox.engine import ROX
from game.rox.prizes import ROUNDS
from game.rox.state import PLACES, Stage, number_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

    from bot.store.journal import Journal
    from game.actions import Action
    from game.match import Match
    from game.rox.settings import RoxSettings
    from game.rox.state import RoxGame
    from tests.kit.wire.kills.people import Ring

STEP_MS = 400


def before_the_last_race(
    ring: Ring, settings: RoxSettings, ends_ms: int, random: Random
) -> list[Action]:
    """A log in which everybody wins a round in turn, up to the opening of the last table."""
    seats = [(person.id, person.name) for person in ring.people]
    ids = (((ends_ms - 600_000 + STEP_MS * n) << LOW_BITS) + 7 for n in count())
    opening = ROX.opening(next(ids), settings, [(*seats[0], None)])
    log: list[Action] = [opening]
    match = ROX.start(opening)

    def do(*actions: Action) -> None:
        nonlocal match
        for action in actions:
            match = ROX.apply(match, action).match
            log.append(action)

    do(*(Join(next(ids), user, name) for user, name in seats[1:]), Start(next(ids), seats[0][0]))
    deal = ROX.draw_random(match, random)
    assert deal is not None
    do(deal)
    while (game := match.game) is not None:
        _skip_to_deadline(match, do)
        ids = (((match.last_ms + STEP_MS * n) << LOW_BITS) + 7 for n in count(1))
        do(Shown(next(ids), f"table-{game.round}"))
        if game.round == ROUNDS:
            break
        for other, _ in seats:
            do(Claim(next(ids), other, _right(match, other), typed=True))
        user = seats[game.round % len(seats)][0]
        while match.game is not None and match.game.stage is Stage.RACE:
            do(Claim(next(ids), user, _right(match, user), typed=True))
        while match.game is not None and match.game.stage is Stage.CHECK:
            _skip_to_deadline(match, do)
        ids = (((match.last_ms + STEP_MS * n) << LOW_BITS) + 7 for n in count(1))
        do(*(Ready(next(ids), user) for user, _ in seats))
    assert match.phase is Phase.PLAYING
    return log


def _skip_to_deadline(match: Match[RoxGame], do: Callable[[Action], None]) -> None:
    deadline = ROX.deadline(match)
    assert deadline is not None
    do(Tick(timer_id(match.discord_ms(deadline))))


def _right(match: Match[RoxGame], user: int) -> int:
    game, seat = match.game, match.seat_of(user)
    assert game is not None
    assert seat is not None
    last = game.last_card(seat.number)
    assert last is not None
    return next(
        number_of(index)
        for index in range(PLACES)
        if game.owner[index] is None and game.card_at(index).centre is last.answer
    )


async def record(journal: Journal, guild: int, ring: Ring, log: list[Action]) -> None:
    """Put a log into the store."""
    match = await journal.create(Venue(guild, ring.channel), log[:1])
    entries = tuple(Entry(seq, action) for seq, action in enumerate(log) if seq)
    await journal.record(Batch(match, entries))
