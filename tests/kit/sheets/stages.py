"""Every form that the message of a match takes, each from a match played by hand."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from bot.games.plug import MatchView
from bot.games.table import GAMES
from bot.locales.catalogue import Words
from game.match import Level
from game.rox.settings import Checking, Preset
from tests.kit.rules.play import ANN, BEN, CAT, DAN, PEOPLE, Play

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bot.games.sheet import Sheet
    from game.match import Match

ROX = GAMES["rox"]


def named(match: Match[Any], names: Sequence[str]) -> Match[Any]:
    """Return a match whose people bear other names."""
    seats = tuple(
        seat if seat.user is None else replace(seat, name=names[number % len(names)])
        for number, seat in enumerate(match.seats)
    )
    by_number = {seat.number: seat for seat in seats}
    result = match.result
    if result is not None:
        places = tuple(replace(p, seat=by_number[p.seat.number]) for p in result.places)
        result = replace(result, places=places)
    left_out = tuple(names[0] for _ in match.opening.left_out)
    return replace(
        match, seats=seats, result=result, opening=replace(match.opening, left_out=left_out)
    )


def sheet_of(match: Match[Any], *, typing: bool = True) -> Sheet:
    sheet = ROX.sheet(MatchView(match, Words(), typing))
    assert sheet is not None
    return sheet


def every_stage(seed: int = 0) -> Iterator[tuple[str, Match[Any]]]:
    """Yield every stage that a match can be shown in, with a name for it."""
    yield from _lobbies(seed)
    yield from _rounds(seed)
    yield from _ends(seed)


def _lobbies(seed: int) -> Iterator[tuple[str, Match[Any]]]:
    play = Play(ANN, lobby=True, seed=seed)
    yield "lobby", play.match
    play.join(BEN)
    play.join(CAT)
    play.join(DAN)
    yield "lobby full", play.match
    play.tick()
    yield "lobby started", play.match
    play = Play(ANN, lobby=True, opponents=[Level.MASTER, Level.APPRENTICE], seed=seed)
    yield "lobby with opponents", play.match
    play.tick()
    yield "lobby lapsed", play.match
    play = Play(ANN, lobby=True, seed=seed)
    play.leave(ANN)
    yield "lobby empty", play.match
    play = Play(ANN, lobby=True, seed=seed)
    play.stop(ANN)
    yield "lobby cancelled", play.match


def _rounds(seed: int) -> Iterator[tuple[str, Match[Any]]]:
    play = Play(*PEOPLE, seed=seed)
    left_out = replace(play.match.opening, left_out=("Ann", "Ben"))
    yield "ready", play.match
    yield "ready after a rematch", replace(play.match, opening=left_out)
    play.race()
    yield "table", play.match
    for user in PEOPLE:
        play.take(user)
    play.claim(BEN, play.row(ANN)[0])
    play.rested().claim(CAT, play.row(ANN)[0])
    play.back(DAN)
    yield "table with notes", play.match
    play.take_many(ANN, "+++-")
    yield "check", play.match
    play.tick()
    yield "check, all rows", play.match
    play.tick()
    yield "break", play.match
    play.ready(ANN)
    yield "break, one ready", play.match
    play.stop(BEN)
    yield "break, one wants to stop", play.match
    play.race()
    play.stop(ANN)
    play.stop(BEN)
    yield "table, two want to stop", play.match
    play.leave(CAT)
    yield "table, one has left", play.match
    play.interrupt()
    yield "paused", play.match
    play = Play(ANN, BEN, seed=seed, checking=Checking.INSTANT, preset=Preset.FAIR, shortest=3)
    play.race()
    play.take(ANN, right=False)
    yield "table, instant", play.match
    play = Play(ANN, BEN, seed=seed)
    for _ in range(2):
        play.silent_round()
        yield "check without a caller", play.match
        play.check_over()
    yield "paused without callers", play.match


def _ends(seed: int) -> Iterator[tuple[str, Match[Any]]]:
    play = Play(*PEOPLE, seed=seed).whole_match(ANN)
    yield "final", play.match
    play.rematch(ANN)
    yield "final, one wants a rematch", play.match
    play.tick()
    yield "final, the offer is over", play.match
    play = Play(ANN, BEN, CAT, DAN, seed=seed).round(ANN).check_over()
    for user in (BEN, CAT, DAN):
        play.leave(user)
    yield "won by leaving", play.match
    play = Play(ANN, opponents=[Level.MASTER], seed=seed).whole_match(ANN)
    yield "final with opponents", play.match
    for reason in ("fault", "unknown-rules", "channel-gone"):
        play = Play(ANN, BEN, seed=seed).race()
        play.close(reason)
        yield f"closed: {reason}", play.match
    play = Play(ANN, BEN, seed=seed).race()
    play.leave(BEN)
    yield "abandoned", play.match
    play = Play(ANN, BEN, seed=seed).race()
    play.stop(ANN)
    yield "stopped", play.match
    play = Play(ANN, BEN, seed=seed).race()
    play.interrupt()
    play.tick()
    yield "pause lapsed", play.match
