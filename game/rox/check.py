"""The end of a race: the check of the rows, the prizes, and the figures of players."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from game.rox.prizes import FULL_ROW, CheckedRow, award, valid_length
from game.rox.state import RoxGame, Stage, Tally

if TYPE_CHECKING:
    from game.match import Match


def end_race(match: Match[RoxGame], game: RoxGame, caller: int | None, now: int) -> RoxGame:
    """Return the game in its check, with all results of the round.

    Args:
        match: the match; the rows of its active seats are checked.
        game: the game in its race.
        caller: the seat that took a sixth card, or None if a deadline ended the race.
        now: the match time of that claim or deadline.
    """
    checked = _check(match, game, caller)
    prizes = award(
        checked,
        game.prizes,
        caller=caller,
        seats=len(match.seats),
        shortest=game.settings.shortest,
        preset=game.settings.preset,
    )
    here = {seat.number for seat in match.active_seats}
    score = tuple(
        prizes.get(seat.number, 0) if seat.number in here else None for seat in match.seats
    )
    return replace(
        game,
        stage=Stage.CHECK,
        since=now,
        caller=caller,
        checked=checked,
        reveal=0,
        scores=(*game.scores, score),
        silent=_silence(game),
        uncalled=0 if caller is not None else game.uncalled + 1,
        tallies=_tally(game, checked, caller, now),
        ready=frozenset(),
    )


def _check(match: Match[RoxGame], game: RoxGame, caller: int | None) -> tuple[CheckedRow, ...]:
    """Return the checked rows, from the caller's on in the order of seats."""
    count = len(match.seats)
    order = sorted(match.active_seats, key=lambda seat: (seat.number - (caller or 0)) % count)
    rows: list[CheckedRow] = []
    for seat in order:
        held = game.hands[seat.number].row
        valid = valid_length(game.row_of(seat.number))
        rows.append(CheckedRow(seat.number, valid, len(held), held[valid - 1].id))
    return tuple(rows)


def _silence(game: RoxGame) -> tuple[int, ...]:
    # Hands of seats that left in this round count too: others were silent while they moved.
    moved = {number for number, hand in enumerate(game.hands) if hand.claimed}
    return tuple(
        0 if number in moved else rounds + 1 if moved else rounds
        for number, rounds in enumerate(game.silent)
    )


def _tally(
    game: RoxGame, checked: tuple[CheckedRow, ...], caller: int | None, ended: int
) -> tuple[Tally, ...]:
    tallies = list(game.tallies)
    for row in checked:
        old = tallies[row.seat]
        fastest = old.fastest_ms
        if row.seat == caller and row.valid == FULL_ROW:
            took = ended - game.race_from
            fastest = took if fastest is None else min(fastest, took)
        tallies[row.seat] = Tally(old.cards + row.length - 1, old.right + row.valid - 1, fastest)
    return tuple(tallies)
