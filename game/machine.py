"""The state machine of a match, from its opening to its end.

The machine applies the rules that all games share and calls a game's `Rules` for the rest. It is
pure: it reads no clock and draws nothing at random, so the same actions always give the same match.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Generic, TypeVar

from game import clock, lobby
from game.actions import (
    Action,
    Close,
    Configure,
    Gone,
    Interrupt,
    Join,
    Leave,
    Opening,
    Rematch,
    Resume,
    Returned,
    Shown,
    Start,
    Stop,
    Tick,
)
from game.events import (
    Ended,
    Event,
    OfferEnded,
    Paused,
    Refusal,
    Refused,
    RematchAgreed,
    RematchAsked,
    Resumed,
    StopAsked,
    Unseated,
)
from game.ids import ms_of, opponent_id, timer_id
from game.match import (
    OFFER_MS,
    PAUSE_MS,
    REMATCH_MS,
    End,
    GameStep,
    Match,
    Move,
    PauseReason,
    Phase,
    Post,
    Rules,
    Step,
    Transition,
)

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

G = TypeVar("G")


class Machine(Generic[G]):
    """Applies actions to the matches of one game.

    >>> from game.rox.engine import ROX
    >>> from game.rox.settings import RoxSettings
    >>> opening = ROX.opening(1 << 30, RoxSettings(), [(7, "Ada", None), (8, "Bo", None)])
    >>> ROX.start(opening).phase
    <Phase.LOBBY: 'lobby'>
    """

    def __init__(self, rules: Rules[G]) -> None:
        self.rules = rules

    def start(self, opening: Opening) -> Match[G]:
        """Return a new match."""
        return lobby.open_match(opening, self.rules.max_seats)

    def replay(self, actions: Sequence[Action]) -> Step[G]:
        """Return the match after all actions of a log, and the events of all of them.

        Raises:
            TypeError: the log does not begin with an opening.
        """
        opening, *rest = actions
        if not isinstance(opening, Opening):
            raise TypeError("a log begins with an opening")
        step = Step(self.start(opening))
        for action in rest:
            step = _with_earlier_events(step.events, self.apply(step.match, action))
        return step

    def apply(self, match: Match[G], action: Action) -> Step[G]:
        """Return the match after an action, and the events.

        If the action changes nothing, the match of the step is the same object.
        """
        step = self._apply(match, action)
        if step.match is match:
            return step
        step = step.and_then(last_ms=max(match.last_ms, ms_of(action.id)))
        if step.match.is_over:
            return step.and_then(stopped_at=None, away=None, unseen=0)
        if match.away is not None and step.match.away is not None:
            after = step.match
            newest = clock.newest_in_time(after, action.id, self._stage_deadline(after))
            return step.and_then(away=newest)
        return step

    def deadline(self, match: Match[G]) -> int | None:
        """Return the match time of the next deadline, or None.

        After a lost session there is none until a message shows that the match goes on.
        """
        if match.away is not None:
            return None
        deadline, stop_deadline = self._stage_deadline(match), clock.stop_request_deadline(match)
        return min((time for time in (deadline, stop_deadline) if time is not None), default=None)

    def next_id(self, match: Match[G]) -> int | None:
        """Return the id of the next deadline or of the next opponent's move, or None."""
        deadline, moves = self.deadline(match), self._moves_by_id(match)
        ids = [*moves] if deadline is None else [*moves, timer_id(match.discord_ms(deadline))]
        return min(ids, default=None)

    def next_action(self, match: Match[G]) -> Action | None:
        """Return the action with the id that `next_id` returns, which must be due, or None."""
        next_id, moves = self.next_id(match), self._moves_by_id(match)
        if next_id is None:
            return None
        if next_id in moves and match.game is not None:
            return self.rules.make_move(match, match.game, moves[next_id], next_id)
        return Tick(id=next_id)

    def _moves_by_id(self, match: Match[G]) -> dict[int, Move]:
        """Return the opponents' next moves by their ids; none while the clock does not run."""
        if match.phase is not Phase.PLAYING or match.game is None or not clock.is_running(match):
            return {}
        moves = self.rules.next_moves(match, match.game)
        return {opponent_id(match.discord_ms(move.due), move.seat): move for move in moves}

    def _stage_deadline(self, match: Match[G]) -> int | None:
        """Return when a timer ends the phase or stage; a request to stop can expire before."""
        match match.phase:
            case Phase.LOBBY:
                return lobby.deadline(match)
            case Phase.PLAYING:
                if match.game is None or match.stopped_at is not None:
                    return None
                return self.rules.deadline(match.game)
            case Phase.PAUSED:
                return match.since + PAUSE_MS
            case Phase.OVER:
                asked = match.rematch_asked_at
                return match.since + OFFER_MS if asked is None else asked + REMATCH_MS
            case Phase.DEALING | Phase.CLOSED:
                return None

    def draw_random(self, match: Match[G], random: Random) -> Action | None:
        """Return the random draw that the match waits for, as the next action, or None."""
        if match.phase in {Phase.DEALING, Phase.PLAYING}:
            return self.rules.draw_random(match, random)
        return None

    def awaits_post(self, match: Match[G]) -> bool:
        """Return whether moves wait for a message that opens the race, or opens it again."""
        if match.phase is not Phase.PLAYING or match.game is None:
            return False
        return match.stopped_at is not None or self.rules.awaits_post(match.game)

    def _apply(self, match: Match[G], action: Action) -> Step[G]:
        if match.phase is Phase.CLOSED:
            return Step(match, (Refused(action.actor, Refusal.TOO_LATE_NOW),))
        match action:
            case Tick():
                return self._apply_deadline(match, match.time(action.id))
            case Shown():
                return self._apply_post(match, action)
            case Returned():
                deadline = self._stage_deadline(match)
                return Step(clock.lose_session(match, action.id, deadline))
            case Stop():
                return self._stop(match, action)
            case Close():
                return self._close(match, End(action.reason), action.id)
            case Rematch():
                return self._rematch(match, action)
            case Interrupt():
                return self._interrupt(match, action)
            case _ if match.phase is Phase.LOBBY:
                return lobby.apply(
                    match, action, min_seats=self.rules.min_seats, max_seats=self.rules.max_seats
                )
            case Leave() | Gone():
                return self._leave_on_request(match, action)
            case Resume():
                return self._resume(match, action)
            case Join() | Start() | Configure():
                return Step(match, (Refused(action.user, Refusal.TOO_LATE_NOW),))
            case _ if match.phase is Phase.DEALING and action.by_chance:
                game_step = self.rules.begin(match, action, match.time(action.id))
                return self._apply_game_step(
                    replace(match, phase=Phase.PLAYING), game_step, action.id
                )
            case _:
                return self._act(match, action)

    def _act(self, match: Match[G], action: Action) -> Step[G]:
        if match.phase is not Phase.PLAYING or match.game is None:
            return Step(match, (Refused(action.actor, Refusal.RACE_CLOSED),))
        if action.is_move:
            if action.actor is not None and match.seat_of(action.actor) is None:
                return Step(match, (Refused(action.actor, Refusal.NOT_SEATED),))
            if not self._takes_moves(match, action.id):
                return Step(match, (Refused(action.actor, Refusal.RACE_CLOSED),))
        now = self._time(match, action.id)
        return self._apply_game_step(
            match, self.rules.apply(match, match.game, action, now), action.id
        )

    def _takes_moves(self, match: Match[G], action_id: int) -> bool:
        """Return whether an id is after the opening of the race and not after its deadline."""
        if match.open_from is None or action_id < match.open_from or match.stopped_at is not None:
            return False
        deadline = self._stage_deadline(match)
        return deadline is None or match.time(action_id) <= deadline

    def _apply_game_step(self, match: Match[G], game_step: GameStep[G], action_id: int) -> Step[G]:
        """Return the match after an action of its game."""
        step = Step(match, game_step.events)
        if game_step.game is not match.game:
            step = step.and_then(game=game_step.game)
        if match.open_from is not None and self.rules.awaits_post(game_step.game):
            step = step.and_then(open_from=None)
        if match.people_at_first_check is None and self.rules.has_checked(game_step.game):
            step = step.and_then(people_at_first_check=len(match.people))
        if game_step.leavers:
            step = self._leave(step, game_step.leavers, action_id)
        if step.match.phase is not Phase.PLAYING:
            return step
        if game_step.transition is Transition.FINISH:
            return self._finish(step, End.FINISHED, match.time(action_id))
        if game_step.transition is Transition.PAUSE:
            return self._pause(step, PauseReason.NO_CALLERS, action_id)
        return step

    def _pause(self, step: Step[G], reason: PauseReason, action_id: int) -> Step[G]:
        stopped = clock.stop(step.match, action_id, self._stage_deadline(step.match))
        since = stopped.time(action_id)
        paused = replace(stopped, phase=Phase.PAUSED, pause=reason, since=since)
        return Step(paused, (*step.events, Paused()))

    def _apply_deadline(self, match: Match[G], now: int) -> Step[G]:
        if self.deadline(match) != now:
            return Step(match)
        if match.phase is Phase.LOBBY:
            return lobby.apply_deadline(match)
        if match.phase is Phase.OVER:
            return self._end_offer(Step(match))
        if clock.stop_request_deadline(match) == now:
            expired = StopAsked(None, len(match.people))
            step = Step(match).and_then(expired, stop_votes=frozenset[int](), stop_asked_at=None)
            # Another deadline of the same millisecond must pass with this tick, because a second
            # tick would have the same id.
            return _with_earlier_events(step.events, self._apply_deadline(step.match, now))
        if match.phase is Phase.PAUSED:
            return self._end_early(match, End.PAUSE_LAPSED, now)
        if match.game is None:
            return Step(match)
        game_step = self.rules.apply_deadline(match, match.game, now)
        return self._apply_game_step(match, game_step, timer_id(match.discord_ms(now)))

    def _apply_post(self, match: Match[G], action: Shown) -> Step[G]:
        post = Post(action.key, action.id)
        if match.post == post:
            return Step(match)
        started = clock.start(match, post, self._stage_deadline(match))
        match = replace(started, post=post)
        if match.phase is not Phase.PLAYING or match.game is None or match.stopped_at is not None:
            return Step(match)
        awaited = self.rules.awaits_post(match.game)
        now = self._time(match, action.id)
        step = self._apply_game_step(
            match, self.rules.apply_post(match, match.game, post, now), action.id
        )
        if awaited and not self.rules.awaits_post(step.match.game or match.game):
            return step.and_then(open_from=action.id)
        return step

    def _time(self, match: Match[G], action_id: int) -> int:
        """Return the match time of an id that the game receives as `now`."""
        return clock.game_time(match, action_id, self._stage_deadline(match))

    def _stop(self, match: Match[G], action: Stop) -> Step[G]:
        seated = match.seat_of(action.user) is not None
        if match.phase is Phase.OVER or self._is_final(match):
            return Step(match, (Refused(action.user, Refusal.TOO_LATE_NOW),))
        if match.phase is Phase.LOBBY or not self._has_checked(match):
            if action.user != match.host and not action.manager:
                return Step(match, (Refused(action.user, Refusal.ONLY_HOST_STOPS),))
            reason = End.CANCELLED if match.phase is Phase.LOBBY else End.STOPPED
            return _end_void(Step(match), reason)
        if action.manager:
            return _end_void(Step(match), End.STOPPED)
        if not seated:
            return Step(match, (Refused(action.user, Refusal.NOT_SEATED),))
        if action.user in match.stop_votes:
            missing = len(set(match.people) - match.stop_votes)
            return Step(match, (StopAsked(action.user, missing),))
        votes = match.stop_votes | {action.user}
        asked = match.time(action.id) if match.stop_asked_at is None else match.stop_asked_at
        step = Step(match).and_then(stop_votes=votes, stop_asked_at=asked)
        return _count_stop_votes(step, action.user)

    def _is_final(self, match: Match[G]) -> bool:
        """Return whether the result can't change any more, although it may not be shown yet."""
        return match.game is not None and self.rules.is_final(match.game)

    def _has_checked(self, match: Match[G]) -> bool:
        return match.people_at_first_check is not None

    def _leave_on_request(self, match: Match[G], action: Leave | Gone) -> Step[G]:
        leaving = [seat.number for seat in match.active_seats if seat.user in action.users]
        if not leaving:
            return Step(match, (Refused(action.user, Refusal.NOT_SEATED),))
        if match.phase is Phase.OVER or self._is_final(match):
            return Step(match, (Refused(action.user, Refusal.TOO_LATE_NOW),))
        return self._leave(Step(match), leaving, action.id)

    def _leave(self, step: Step[G], leaving: Sequence[int], action_id: int) -> Step[G]:
        """Mark seats as out at the same time; end the match if too few are left."""
        match = step.match
        seats = tuple(
            replace(seat, out=action_id) if seat.number in leaving else seat for seat in match.seats
        )
        unseated = (Unseated(number, match.seats[number].user) for number in leaving)
        step = step.and_then(*unseated, seats=seats)
        people = step.match.people
        if not people or len(step.match.active_seats) < self.rules.min_seats:
            if len(people) == 1 and self._has_checked(step.match):
                return self._finish(step, End.WON_BY_LEAVING, match.time(action_id))
            return _end_void(step, End.ABANDONED)
        step = lobby.replace_host(step, match.time(action_id))
        now = self._time(match, action_id)
        for number in leaving:
            if step.match.game is not None:
                game_step = self.rules.leave(step.match, step.match.game, number, now)
                step = step.and_then(*game_step.events, game=game_step.game)
        return _count_stop_votes(step, None)

    def _finish(self, step: Step[G], end: End, now: int) -> Step[G]:
        match = step.match
        if match.game is None:
            return _end_void(step, End.ABANDONED)
        result = self.rules.result(match, match.game)
        return step.and_then(
            Ended(), phase=Phase.OVER, end=end, result=result, since=now, stop_asked_at=None
        )

    def _interrupt(self, match: Match[G], action: Interrupt) -> Step[G]:
        if action.id > match.unseen:
            match = clock.end_absence(match, action.id, self._stage_deadline(match))
        if match.phase is not Phase.PLAYING or match.game is None:
            return Step(match)
        return self._pause(Step(match), PauseReason.PERMISSION, action.id)

    def _resume(self, match: Match[G], action: Resume) -> Step[G]:
        for_permission = match.pause is PauseReason.PERMISSION
        paused = match.phase is Phase.PAUSED and (action.user is not None or for_permission)
        if not paused or match.game is None:
            return Step(match, (Refused(action.user, Refusal.NOT_PAUSED),))
        if action.user is not None and match.seat_of(action.user) is None:
            return Step(match, (Refused(action.user, Refusal.NOT_SEATED),))
        now = self._time(match, action.id)
        game_step = self.rules.resume(match, match.game, now)
        match = replace(match, phase=Phase.PLAYING, pause=None, unseen=action.id)
        return self._apply_game_step(match, game_step, action.id).and_then(Resumed())

    def _rematch(self, match: Match[G], action: Rematch) -> Step[G]:
        if match.phase is not Phase.OVER:
            return Step(match, (Refused(action.user, Refusal.NO_OFFER),))
        if match.seat_of(action.user) is None:
            return Step(match, (Refused(action.user, Refusal.NOT_SEATED),))
        if action.user in match.rematch_votes:
            return Step(match, (RematchAsked(action.user),))
        asked = match.time(action.id) if match.rematch_asked_at is None else match.rematch_asked_at
        votes = match.rematch_votes | {action.user}
        step = Step(match).and_then(
            RematchAsked(action.user), rematch_votes=votes, rematch_asked_at=asked
        )
        return self._end_offer(step) if votes >= set(match.people) else step

    def _end_offer(self, step: Step[G]) -> Step[G]:
        match = step.match
        users = tuple(user for user in match.people if user in match.rematch_votes)
        opponents = sum(seat.user is None for seat in match.active_seats)
        enough = users and len(users) + opponents >= self.rules.min_seats
        last: Event = RematchAgreed(users) if enough else OfferEnded()
        return step.and_then(last, phase=Phase.CLOSED)

    def _close(self, match: Match[G], reason: End, action_id: int) -> Step[G]:
        if match.phase is Phase.OVER:
            return Step(match).and_then(OfferEnded(), phase=Phase.CLOSED)
        return self._end_early(match, reason, match.time(action_id)).and_then(phase=Phase.CLOSED)

    def _end_early(self, match: Match[G], reason: End, now: int) -> Step[G]:
        """End a match early: as void, unless its result is final already."""
        if self._is_final(match):
            return self._finish(Step(match), End.FINISHED, now)
        return _end_void(Step(match), reason)


def _with_earlier_events(earlier: tuple[Event, ...], step: Step[G]) -> Step[G]:
    return Step(step.match, earlier + step.events)


def _end_void(step: Step[G], reason: End) -> Step[G]:
    return step.and_then(Ended(), phase=Phase.CLOSED, end=reason)


def _count_stop_votes(step: Step[G], user: int | None) -> Step[G]:
    match = step.match
    if match.stop_asked_at is None:
        return step
    missing = set(match.people) - match.stop_votes
    if not missing:
        return _end_void(step, End.STOPPED)
    return step if user is None else step.and_then(StopAsked(user, len(missing)))
