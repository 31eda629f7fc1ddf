"""The clock of a match: what stops it, what sets it back, what starts it again.

Two things keep people from playing: a pause, and a lost session of the bot. A pause stops the
clock of the game. A lost session costs nothing as long as no deadline passes in it: what people
typed counts by its ids. If a deadline passes, the clock is set back to the newest action that came
in time. In both cases a message that shows the match again starts the clock.

The pause's own time and a request to stop run on meanwhile. `deadline` is always the match time at
which the present stage ends by itself, or None.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from game.match import PAUSE_KEY, STOP_VOTE_MS, Match, Phase

if TYPE_CHECKING:
    from game.match import Post

G = TypeVar("G")


def is_running(match: Match[G]) -> bool:
    """Return whether the game's clock runs and people see the match as it is."""
    return match.stopped_at is None and match.away is None


def game_time(match: Match[G], action_id: int, deadline: int | None) -> int:
    """Return the match time of an id as the game sees it.

    It is never later than the time to which the clock may be set back, or the game would hold
    times of its own future.
    """
    if match.stopped_at is not None:
        return match.stopped_at
    now = match.time(action_id)
    if match.away is None or now <= match.away:
        return now
    return newest_in_time(match, action_id, deadline)


def newest_in_time(match: Match[G], action_id: int, deadline: int | None) -> int:
    """Return the newest match time that came in time after a lost session, an id included."""
    now = match.time(action_id)
    if match.away is None:
        return now
    return max(match.away, now) if deadline is None or now <= deadline else match.away


def stop(match: Match[G], action_id: int, deadline: int | None) -> Match[G]:
    """Stop the clock for a pause; a second pause leaves the game where the first stopped it."""
    return replace(match, stopped_at=game_time(match, action_id, deadline))


def lose_session(match: Match[G], action_id: int, deadline: int | None) -> Match[G]:
    """Return the match after a lost session: it waits for a message that shows it.

    The message of a match that is over shows it already, so its clock is set back at once.
    """
    newest = match.last_ms - match.offset_ms
    if match.phase is Phase.OVER:
        now = match.time(action_id)
        return match if deadline is None or deadline > now else _set_back(match, now, newest)
    away = newest if match.away is None else match.away
    return replace(match, away=away, unseen=action_id)


def start(match: Match[G], post: Post, deadline: int | None) -> Match[G]:
    """Return the match after a message showed it; a message older than `unseen` starts nothing."""
    if post.id <= match.unseen:
        return match
    match = end_absence(match, post.id, deadline)
    if match.stopped_at is None or match.phase is not Phase.PLAYING or post.key == PAUSE_KEY:
        return match
    open_from = None if match.open_from is None else post.id
    match = _set_back(match, match.time(post.id), match.stopped_at)
    return replace(match, stopped_at=None, open_from=open_from)


def end_absence(match: Match[G], action_id: int, deadline: int | None) -> Match[G]:
    """Set the clock back if a deadline passed after the session was lost.

    Moves typed after that deadline are chat, so the race is open from the id on. A request to stop
    that lapsed meanwhile gets all of its time again.
    """
    if match.away is None:
        return match
    now, expires = match.time(action_id), stop_request_deadline(match)
    if expires is not None and expires <= now:
        match = replace(match, stop_asked_at=now)
    if deadline is not None and deadline <= now:
        open_from = None if match.open_from is None else action_id
        match = replace(_set_back(match, now, match.away or 0), open_from=open_from)
    return replace(match, away=None)


def stop_request_deadline(match: Match[G]) -> int | None:
    """Return the match time at which a request to stop lapses."""
    asked = match.stop_asked_at if match.playing else None
    return None if asked is None else asked + STOP_VOTE_MS


def _set_back(match: Match[G], now: int, to: int) -> Match[G]:
    """Return the match with its clock set back from a match time to an earlier one.

    Two times are noted while the game stands still, so they may be later than the new present.
    """
    present = min(now, to)
    asked = None if match.stop_asked_at is None else min(match.stop_asked_at, present)
    return replace(
        match,
        offset_ms=match.offset_ms + now - present,
        stop_asked_at=asked,
        host_pressed_at=min(match.host_pressed_at, present),
    )
