"""The lobby: taking and leaving seats, settings, and the start of the match."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

from game.actions import Configure, Gone, Join, Leave, Start
from game.events import (
    Configured,
    Ended,
    Event,
    HostChanged,
    Refusal,
    Refused,
    Seated,
    Started,
    Unseated,
)
from game.ids import ms_of
from game.match import (
    FULL_LOBBY_MS,
    HOST_SILENT_MS,
    LOBBY_MS,
    End,
    Level,
    Match,
    Phase,
    Seat,
    Step,
)

if TYPE_CHECKING:
    from game.actions import Action, Opening

G = TypeVar("G")


def open_match(opening: Opening, max_seats: int) -> Match[Any]:
    """Return a new match from its opening; without a lobby it waits for the deal."""
    seats = tuple(
        Seat(number, user, name, Level(level) if level else None)
        for number, (user, name, level) in enumerate(opening.seats)
    )
    return Match(
        opening=opening,
        phase=Phase.LOBBY if opening.lobby else Phase.DEALING,
        seats=seats,
        host=opening.actor,
        last_ms=ms_of(opening.id),
        offset_ms=ms_of(opening.id),
        full_since=0 if opening.lobby and len(seats) == max_seats else None,
    )


def deadline(match: Match[G]) -> int:
    """Return the match time at which the match starts or the lobby closes without a press."""
    expires = match.joined_at + LOBBY_MS
    return expires if match.full_since is None else min(expires, match.full_since + FULL_LOBBY_MS)


def apply_deadline(match: Match[G]) -> Step[G]:
    """Start the match if every seat is taken; otherwise close the lobby."""
    if match.full_since is not None:
        return _start(match)
    return Step(match).and_then(Ended(), phase=Phase.CLOSED, end=End.LOBBY_LAPSED)


def apply(match: Match[G], action: Action, *, min_seats: int, max_seats: int) -> Step[G]:
    """Apply an action to a match in its lobby."""
    now = match.time(action.id)
    match action:
        case Join():
            return _join(_record_press(match, action.user, now), action, max_seats, now)
        case Leave() | Gone():
            return _leave(match, action, now)
        case Start():
            return _press_start(_record_press(match, action.user, now), action, min_seats)
        case Configure():
            return _configure(_record_press(match, action.user, now), action)
        case _:
            return Step(match)


def _record_press(match: Match[G], user: int, now: int) -> Match[G]:
    """Return the match with the time of the press, if the host pressed."""
    if user != match.host or now <= match.host_pressed_at:
        return match
    return replace(match, host_pressed_at=now)


def _join(match: Match[G], action: Join, max_seats: int, now: int) -> Step[G]:
    if match.seat_of(action.user) is not None:
        return Step(match, (Refused(action.user, Refusal.ALREADY_SEATED),))
    if len(match.seats) >= max_seats:
        return Step(match, (Refused(action.user, Refusal.TABLE_FULL),))
    seats = (*match.seats, Seat(len(match.seats), action.user, action.name))
    full = now if len(seats) == max_seats else None
    return Step(match).and_then(Seated(action.user), seats=seats, joined_at=now, full_since=full)


def _leave(match: Match[G], action: Leave | Gone, now: int) -> Step[G]:
    leaving = [seat for seat in match.seats if seat.user in action.users]
    if not leaving:
        return Step(match, (Refused(action.user, Refusal.NOT_SEATED),))
    remaining = tuple(seat for seat in match.seats if seat not in leaving)
    seats = tuple(replace(other, number=number) for number, other in enumerate(remaining))
    unseated = (Unseated(seat.number, seat.user) for seat in leaving)
    step = Step(match).and_then(*unseated, seats=seats, full_since=None)
    if not step.match.people:
        return step.and_then(Ended(), phase=Phase.CLOSED, end=End.LOBBY_EMPTY)
    return replace_host(step, now)


def _configure(match: Match[G], action: Configure) -> Step[G]:
    if action.user != match.host:
        return Step(match, (Refused(action.user, Refusal.ONLY_HOST_CHOOSES),))
    settings = {**match.opening.settings, **action.settings}
    opening = replace(match.opening, settings=settings)
    return Step(match).and_then(Configured(action.user), opening=opening)


def replace_host(step: Step[G], now: int) -> Step[G]:
    """Make the first seated user host if the host has left.

    Others can press Start after `HOST_SILENT_MS` without a press of the host; that wait begins
    again for the new host.
    """
    match = step.match
    if match.host in match.people or not match.people:
        return step
    host = match.people[0]
    return step.and_then(HostChanged(host), host=host, host_pressed_at=now)


def _press_start(match: Match[G], action: Start, min_seats: int) -> Step[G]:
    def refuse(reason: Refusal, wait_ms: int = 0) -> Step[G]:
        return Step(match, (Refused(action.user, reason, wait_ms),))

    if match.seat_of(action.user) is None:
        return refuse(Refusal.NOT_SEATED)
    wait = match.host_pressed_at + HOST_SILENT_MS - match.time(action.id)
    if action.user != match.host and wait > 0:
        return refuse(Refusal.HOST_STARTS, wait)
    if len(match.seats) < min_seats:
        return refuse(Refusal.TOO_FEW)
    return _start(match)


def _start(match: Match[G]) -> Step[G]:
    events: tuple[Event, ...] = (Started(),)
    return Step(match, events).and_then(phase=Phase.DEALING, full_since=None)
