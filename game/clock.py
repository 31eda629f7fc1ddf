"""The clock of a match: functions that stop it, set it back and start it again.

Players can't play during a pause and while the bot has lost its session. A pause stops the clock of
the game. A lost session changes nothing unless a deadline passes in it, because claims count by
their ids. If one passes, the clock is set back to the newest action that came in time. In both
cases the clock starts again with the next message that shows the match.

The limit of the pause itself and a request to stop are not stopped. In all functions `deadline` is
the match time at which a timer ends the current stage, or None.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from game.match import PAUSE_KEY, STOP_VOTE_MS, Match, Phase

if TYPE_CHECKING:
    from game.match import Post

G = TypeVar("G")


def is_running(match: Match[G]) -> bool:
    """Return whether the clock is neither stopped nor waits for a message after an absence."""
    return match.stopped_at is None and match.away is None


def game_time(match: Match[G], action_id: int, deadline: int | None) -> int:
    """Return the match time of an id that the game receives as `now`.

    It is never later than the time to which the clock can still be set back. Otherwise the state of
    the game would contain times in the future.
    """
    if match.stopped_at is not None:
        return match.stopped_at
    now = match.time(action_id)
    if match.away is None or now <= match.away:
        return now
    return newest_in_time(match, action_id, deadline)


def newest_in_time(match: Match[G], action_id: int, deadline: int | None) -> int:
    """Return the match time of the newest action in time, counting one more id.

    The id counts only if no deadline passed before it.
    """
    now = match.time(action_id)
    if match.away is None:
        return now
    return max(match.away, now) if deadline is None or now <= deadline else match.away


def stop(match: Match[G], action_id: int, deadline: int | None) -> Match[G]:
    """Return the match with its clock stopped for a pause; a stopped clock keeps its time."""
    return replace(match, stopped_at=game_time(match, action_id, deadline))


def lose_session(match: Match[G], action_id: int, deadline: int | None) -> Match[G]:
    """Return the match after a lost session: it waits for a message that shows it.

    A match that has ended does not wait, because its message shows the result already. Its clock
    is set back at once.
    """
    newest = match.last_ms - match.offset_ms
    if match.phase is Phase.OVER:
        now = match.time(action_id)
        return match if deadline is None or deadline > now else _set_back(match, now, newest)
    away = newest if match.away is None else match.away
    return replace(match, away=away, unseen=action_id)


def start(match: Match[G], post: Post, deadline: int | None) -> Match[G]:
    """Return the match after a message showed it, with its clock started.

    A message with an id up to `Match.unseen` was posted too early, and changes nothing.
    """
    if post.id <= match.unseen:
        return match
    match = end_absence(match, post.id, deadline)
    if match.stopped_at is None or match.phase is not Phase.PLAYING or post.key == PAUSE_KEY:
        return match
    open_from = None if match.open_from is None else post.id
    match = _set_back(match, match.time(post.id), match.stopped_at)
    return replace(match, stopped_at=None, open_from=open_from)


def end_absence(match: Match[G], action_id: int, deadline: int | None) -> Match[G]:
    """Return the match after an absence; set its clock back if a deadline passed meanwhile.

    Moves typed after that deadline are chat, so the race is open from `action_id` on. A request to
    stop that expired meanwhile gets its whole time again.
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
    """Return the match time at which a request to stop expires."""
    asked = match.stop_asked_at if match.playing else None
    return None if asked is None else asked + STOP_VOTE_MS


def _set_back(match: Match[G], now: int, to: int) -> Match[G]:
    """Return the match with its clock set back from a match time to an earlier one.

    A request to stop and a press of the host can come while the game is stopped. Their times are
    limited to the new present.
    """
    present = min(now, to)
    asked = None if match.stop_asked_at is None else min(match.stop_asked_at, present)
    return replace(
        match,
        offset_ms=match.offset_ms + now - present,
        stop_asked_at=asked,
        host_pressed_at=min(match.host_pressed_at, present),
    )
