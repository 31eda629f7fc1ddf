"""A match played by hand: a clock of match time, and one method for each thing that can be done."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING, TypeVar

from game import clock
from game.actions import (
    Close,
    Gone,
    Interrupt,
    Join,
    Leave,
    Rematch,
    Resume,
    Returned,
    Shown,
    Start,
    Stop,
    Tick,
)
from game.events import Refused
from game.ids import LOW_BITS, ms_of, opponent_id, timer_id
from game.match import Level, Match, Phase
from game.rox.actions import Back, Claim, Deal, Ready
from game.rox.engine import ROX
from game.rox.events import Claimed
from game.rox.settings import RoxSettings
from game.rox.state import RoxGame, Stage, number_of, table_key
from tests.kit.rules.invariants import watched

if TYPE_CHECKING:
    from collections.abc import Iterable

    from game.actions import Action
    from game.events import Event, Refusal
    from game.machine import Machine
    from game.match import Move

E = TypeVar("E", bound="Event")

START_MS = 1_000_000
ANN, BEN, CAT, DAN, EVE = 1, 2, 3, 4, 5
NAMES = {ANN: "Ann", BEN: "Ben", CAT: "Cat", DAN: "Dan", EVE: "Eve"}
PEOPLE = (ANN, BEN, CAT, DAN)


class Play:
    """A match and its clock; every method returns the events of what it did.

    What must hold after every action (`tests.kit.rules.invariants`) is checked after every action.

    Times are milliseconds since the match was opened. Whatever is done at one time gets rising
    ids, as on Discord; `nth` asks for a certain one.
    """

    def __init__(
        self,
        *people: int,
        opponents: Iterable[Level] = (),
        lobby: bool = False,
        seed: int = 0,
        machine: Machine[RoxGame] = ROX,
        **settings: object,
    ) -> None:
        self.machine = machine
        self.random = Random(seed)
        self.now = 0
        self._serial = 0
        seats = [(user, NAMES[user], None) for user in people]
        seats += [(None, level.name, level.value) for level in opponents]
        opening = ROX.opening(self.id(), replace(RoxSettings(), **settings), seats, lobby=lobby)
        self.match: Match[RoxGame] = machine.start(opening)
        self.log: list[Action] = [opening]
        self.events: list[Event] = []
        if not lobby:
            self.deal()

    # --- the clock ---

    def id(self, at: int | None = None, nth: int | None = None) -> int:
        self._serial += 1
        ms = self.now if at is None else at
        return ((ms + START_MS) << LOW_BITS) | (self._serial if nth is None else nth)

    def to(self, at: int) -> Play:
        """Move the clock, without letting anything fall due."""
        self.now = at
        return self

    def later(self, ms: int) -> Play:
        return self.to(self.now + ms)

    @property
    def deadline(self) -> int | None:
        deadline = self.machine.deadline(self.match)
        return None if deadline is None else self.at(deadline)

    def at(self, time: int) -> int:
        """Return a match time as the milliseconds since the opening that this clock shows."""
        return self.match.discord_ms(time) - START_MS

    # --- whatever happens ---

    def do(self, action: Action) -> tuple[Event, ...]:
        step = watched(self.machine, self.match, action)
        self.match = step.match
        self.log.append(action)
        self.events.extend(step.events)
        self.now = max(self.now, ms_of(action.id) - START_MS)
        return step.events

    def deal(self, **changes: object) -> tuple[Event, ...]:
        deal = self.machine.draw_random(self.match, self.random)
        assert isinstance(deal, Deal)
        return self.do(replace(deal, **changes))

    def tick(self) -> tuple[Event, ...]:
        """Let the next deadline pass, whenever it is."""
        assert self.deadline is not None
        return self.tick_at(self.deadline)

    def tick_at(self, at: int) -> tuple[Event, ...]:
        return self.do(Tick(id=timer_id(at + START_MS)))

    def show(self, key: str | None = None, *, at: int | None = None) -> tuple[Event, ...]:
        key = table_key(self.game.round) if key is None else key
        return self.do(Shown(id=self.id(at), key=key))

    def lose_session(self) -> Play:
        """Let the bot return from a lost session; until a message is shown it is away."""
        self.do(Returned(id=self.id()))
        return self

    # --- opponents ---

    def moves(self) -> tuple[Move, ...]:
        """Return when the opponents move next, in match time."""
        if self.match.phase is not Phase.PLAYING or not clock.is_running(self.match):
            return ()
        return self.machine.rules.next_moves(self.match, self.game)

    def next_move(self) -> Move | None:
        """Return the opponents' move that is due first."""
        return min(self.moves(), key=lambda move: opponent_id(move.due, move.seat), default=None)

    def action_of(self, move: Move) -> Action:
        """Return an opponent's move as the action that it will be."""
        action_id = opponent_id(self.match.discord_ms(move.due), move.seat)
        return self.machine.rules.make_move(self.match, self.game, move, action_id)

    def make(self, move: Move) -> tuple[Event, ...]:
        before = self.match
        events = self.do(self.action_of(move))
        assert self.match is not before, "a move that does nothing would be tried for ever"
        return events

    def let_pass(self, until: int) -> Play:
        """Let time pass: deadlines, opponents' moves, the deal and the open table come by it."""
        while self.match.phase is not Phase.CLOSED:
            if self.match.phase is Phase.DEALING:
                self.deal()
            if self.machine.awaits_post(self.match):
                self.later(300).show()
            due = self.machine.next_action(self.match)
            if due is None or ms_of(due.id) - START_MS > until:
                break
            before = self.match
            self.do(due)
            assert self.match is not before, "it would be tried for ever"
        return self.to(max(self.now, until))

    # --- people ---

    def join(self, user: int) -> tuple[Event, ...]:
        return self.do(Join(id=self.id(), user=user, name=NAMES[user]))

    def start(self, user: int) -> tuple[Event, ...]:
        return self.do(Start(id=self.id(), user=user))

    def leave(self, user: int, *, at: int | None = None) -> tuple[Event, ...]:
        return self.do(Leave(id=self.id(at), user=user))

    def gone(self, user: int, *others: int) -> tuple[Event, ...]:
        return self.do(Gone(id=self.id(), user=user, others=others))

    def stop(self, user: int, *, manager: bool = False, at: int | None = None) -> tuple[Event, ...]:
        return self.do(Stop(id=self.id(at), user=user, manager=manager))

    def ready(self, user: int) -> tuple[Event, ...]:
        return self.do(Ready(id=self.id(), user=user))

    def rematch(self, user: int) -> tuple[Event, ...]:
        return self.do(Rematch(id=self.id(), user=user))

    def resume(self, user: int | None = None) -> tuple[Event, ...]:
        return self.do(Resume(id=self.id(), user=user))

    def interrupt(self) -> tuple[Event, ...]:
        return self.do(Interrupt(id=self.id()))

    def close(self, reason: str) -> tuple[Event, ...]:
        return self.do(Close(id=self.id(), reason=reason))

    def claim(
        self, user: int, number: int, *, at: int | None = None, nth: int | None = None
    ) -> tuple[Event, ...]:
        return self.do(Claim(id=self.id(at, nth), user=user, number=number))

    def back(self, user: int, *, at: int | None = None) -> tuple[Event, ...]:
        return self.do(Back(id=self.id(at), user=user))

    # --- the table ---

    @property
    def game(self) -> RoxGame:
        assert self.match.game is not None
        return self.match.game

    def seat(self, user: int) -> int:
        return next(seat.number for seat in self.match.seats if seat.user == user)

    def row(self, user: int) -> tuple[int, ...]:
        """The numbers of the cards in somebody's row."""
        return tuple(number_of(held.index) for held in self.game.hands[self.seat(user)].row)

    def fitting(self, user: int) -> tuple[int, ...]:
        """The numbers of free cards that continue somebody's row."""
        return self._free(user, right=True)

    def wrong(self, user: int) -> tuple[int, ...]:
        return self._free(user, right=False)

    def _free(self, user: int, *, right: bool) -> tuple[int, ...]:
        last = self.game.last_card(self.seat(user))
        assert last is not None
        return tuple(
            number_of(index)
            for index, owner in enumerate(self.game.owner)
            if owner is None and (self.game.card_at(index).centre is last.answer) is right
        )

    def take(self, user: int, *, right: bool = True) -> tuple[Event, ...]:
        """Take a card as soon as the hand is free."""
        free_at = self.at(self.game.hands[self.seat(user)].busy_until)
        self.now = max(self.now, free_at)
        return self.claim(user, (self.fitting(user) if right else self.wrong(user))[0])

    def take_many(self, user: int, rights: str) -> Play:
        """Take a right card for every `+`, a wrong one for every `-`."""
        for sign in rights:
            self.take(user, right=sign == "+")
        return self

    # --- going on to somewhere ---

    def race(self) -> Play:
        """Go on to the next open race."""
        while self.game.stage is not Stage.OPENING:
            assert self.match.phase is Phase.PLAYING, self.match.phase
            self.tick()
        self.show()
        assert self.game.stage is Stage.RACE
        return self

    def rested(self) -> Play:
        """Go on until every hand is free."""
        busy = max(hand.busy_until for hand in self.game.hands)
        return self.to(max(self.now, self.at(busy)))

    def round(
        self,
        caller: int,
        *others: tuple[int, str],
        wins: str = "+++++",
        silent: tuple[int, ...] = (),
    ) -> Play:
        """Play a whole round up to its check; the caller's row is full, and holds by default.

        Anybody who is not mentioned makes a claim in vain, except for the silent ones.
        """
        self.race()
        takes = dict(others)
        for user in self.match.people:
            if user != caller and user not in silent:
                self.claim(user, self.row(user)[0])
                self.take_many(user, takes.get(user, ""))
        self.take_many(caller, wins)
        assert self.game.stage is Stage.CHECK
        return self

    def silent_round(self) -> Play:
        """Play a round in which nobody takes a card, up to its check."""
        self.race()
        self.tick()
        assert self.game.stage is Stage.CHECK
        return self

    def check_over(self) -> Play:
        while self.match.phase is Phase.PLAYING and self.game.stage is Stage.CHECK:
            self.tick()
        return self

    def whole_match(self, winner: int) -> Play:
        while self.match.phase is Phase.PLAYING:
            self.round(winner).check_over()
        assert self.match.phase is Phase.OVER
        return self


def only(events: tuple[Event, ...], kind: type[E]) -> E:
    """Return the one event of a kind."""
    found = [event for event in events if isinstance(event, kind)]
    assert len(found) == 1, events
    return found[0]


def outcome(events: tuple[Event, ...]) -> str:
    return only(events, Claimed).outcome.value


def refusal(events: tuple[Event, ...]) -> Refusal:
    assert len(events) == 1, events
    return only(events, Refused).reason
