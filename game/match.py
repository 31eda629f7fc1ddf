"""What every game shares: seats, the host, phases, and the seam between a match and its rules.

A match is a value. `game.machine` moves it from action to action; a game supplies `Rules`.

Every match has a clock of its own. Match time begins at 0 with the opening and counts the
milliseconds of Discord's ids (`game.ids`), less the time that the match lost: a pause stops the
clock, and after an absence of the bot in which a deadline passed the clock is set back. Games see
match time alone. Only order is decided by whole ids.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final, Generic, Protocol, TypeVar

from game.ids import ms_of

if TYPE_CHECKING:
    from collections.abc import Mapping
    from random import Random

    from game.actions import Action, Opening
    from game.events import Event
    from game.figures import FigureRules

LOBBY_MS: Final = 300_000
HOST_SILENT_MS: Final = 60_000
FULL_LOBBY_MS: Final = 10_000
STOP_VOTE_MS: Final = 60_000
PAUSE_MS: Final = 600_000
REMATCH_MS: Final = 60_000
OFFER_MS: Final = 600_000

PAUSE_KEY: Final = "pause"
"""The key of the message that shows a paused match (`Post`)."""

G = TypeVar("G")


class Phase(StrEnum):
    """Where a match stands; inside PLAYING the game has stages of its own."""

    LOBBY = "lobby"
    DEALING = "dealing"
    PLAYING = "playing"
    PAUSED = "paused"
    OVER = "over"
    CLOSED = "closed"


class End(StrEnum):
    """Why a match ended."""

    FINISHED = "finished"
    WON_BY_LEAVING = "won-by-leaving"
    CANCELLED = "cancelled"
    LOBBY_LAPSED = "lobby-lapsed"
    LOBBY_EMPTY = "lobby-empty"
    ABANDONED = "abandoned"
    STOPPED = "stopped"
    PAUSE_LAPSED = "pause-lapsed"
    CHANNEL_GONE = "channel-gone"
    UNKNOWN_RULES = "unknown-rules"
    FAULT = "fault"

    @property
    def has_result(self) -> bool:
        """Whether somebody won; every other ended match is void."""
        return self in {End.FINISHED, End.WON_BY_LEAVING}


class PauseReason(StrEnum):
    """Why a match stands still."""

    NO_CALLERS = "no-callers"
    PERMISSION = "permission"


class Level(StrEnum):
    """How fast and how well a simulated opponent plays."""

    APPRENTICE = "apprentice"
    JOURNEYMAN = "journeyman"
    MASTER = "master"


@dataclass(frozen=True, slots=True)
class Seat:
    """One seat in the circle.

    Attributes:
        number: its place in the order of joining, from 0; "left" is the next number.
        user: Discord's id of the person, or None for a simulated opponent.
        name: what the person was called when joining.
        level: an opponent's level.
        out: the id of the action with which the seat left, or None.
    """

    number: int
    user: int | None
    name: str
    level: Level | None = None
    out: int | None = None


@dataclass(frozen=True, slots=True)
class Post:
    """A message that shows the match.

    Attributes:
        key: what it shows, such as "lobby" or "table-2"; a new key is a new message.
        id: the message's id.
    """

    key: str
    id: int


@dataclass(frozen=True, slots=True)
class Place:
    """One seat's final place.

    Attributes:
        seat: the seat.
        place: 1 is best; shared places are equal numbers.
        among_people: the place with simulated opponents left out; None for an opponent.
        points: the sum of the scoring cards won.
    """

    seat: Seat
    place: int
    among_people: int | None
    points: int


@dataclass(frozen=True, slots=True)
class Result:
    """How a match that was not void ended.

    Attributes:
        places: every seat's place, best first.
        figures: figures by seat number and name; `Rules.figures` says how each adds up.
        counts: whether it counts for boards: at least two people at the first check.
        rated: whether it counts for ratings: it counts, and no simulated opponent played.
    """

    places: tuple[Place, ...]
    figures: Mapping[int, Mapping[str, int]]
    counts: bool
    rated: bool

    @property
    def winners(self) -> tuple[Seat, ...]:
        """Everybody who shares the first place."""
        return tuple(place.seat for place in self.places if place.place == 1)


@dataclass(frozen=True, slots=True)
class Match(Generic[G]):
    """A match, whole: what the log of its actions leads to.

    Attributes:
        opening: the action that opened it; names the game, its rules version and its settings, as
            the host has changed them in the lobby since.
        phase: where it stands.
        seats: every seat, those that left included; lobbies drop who leaves.
        host: the user who hosts.
        game: the game's own state, from the deal on.
        last_ms: the milliseconds of the newest id applied; Discord's time, not match time.
        offset_ms: what the clock is behind Discord's time.
        stopped_at: the match time at which the game stands still: from a pause on until a message
            shows that the match goes on.
        away: after a lost session, the match time of the newest action that came in time; None
            once a message shows that the match goes on.
        unseen: the id that a message must exceed to show that the match goes on.
        open_from: the id from which players' moves count.
        since: when the lobby opened, or the latest pause or the end came.
        joined_at: when the lobby was last joined.
        host_pressed_at: when the host last pressed anything in the lobby.
        full_since: when the lobby's last seat was filled, while all are.
        stop_votes: who asks to stop; `stop_asked_at` is when the first did.
        pause: why it is paused.
        rematch_votes: who wants one; `rematch_asked_at` is when the first did.
        people_at_first_check: how many people were seated then; None before it.
        post: the newest message that shows the match.
        end: why it ended; its result if it was not void.
    """

    opening: Opening
    phase: Phase
    seats: tuple[Seat, ...]
    host: int | None
    game: G | None = None
    last_ms: int = 0
    offset_ms: int = 0
    stopped_at: int | None = None
    away: int | None = None
    unseen: int = 0
    open_from: int | None = None
    since: int = 0
    joined_at: int = 0
    host_pressed_at: int = 0
    full_since: int | None = None
    stop_votes: frozenset[int] = frozenset()
    stop_asked_at: int | None = None
    pause: PauseReason | None = None
    rematch_votes: frozenset[int] = frozenset()
    rematch_asked_at: int | None = None
    people_at_first_check: int | None = None
    post: Post | None = None
    end: End | None = None
    result: Result | None = None

    def time(self, action_id: int) -> int:
        """Return the match time of an id, as the running clock tells it."""
        return ms_of(action_id) - self.offset_ms

    def discord_ms(self, time: int) -> int:
        """Return the milliseconds of Discord's ids at a match time: the inverse of `time`."""
        return time + self.offset_ms

    def expected_discord_ms(self, time: int) -> int:
        """Return the milliseconds of Discord's ids at which the game will reach a match time.

        While the game stands still this is an estimate: as if its clock started now.
        """
        return (
            self.discord_ms(time)
            if self.stopped_at is None
            else time - self.stopped_at + self.last_ms
        )

    def seat_of(self, user: int | None) -> Seat | None:
        """Return the seat where a person sits, unless it has left."""
        if user is None:
            return None
        return next((seat for seat in self.active_seats if seat.user == user), None)

    @property
    def active_seats(self) -> tuple[Seat, ...]:
        """The seats that have not left."""
        return tuple(seat for seat in self.seats if seat.out is None)

    @property
    def people(self) -> tuple[int, ...]:
        """The users who sit at the table."""
        return tuple(seat.user for seat in self.active_seats if seat.user is not None)

    @property
    def playing(self) -> bool:
        """Whether a game is under way, paused or not."""
        return self.phase in {Phase.PLAYING, Phase.PAUSED}

    @property
    def is_over(self) -> bool:
        """Whether the match has ended; it may still offer a rematch."""
        return self.phase in {Phase.OVER, Phase.CLOSED}


class Transition(StrEnum):
    """How a match goes on after a step of its game."""

    CONTINUE = "continue"
    PAUSE = "pause"
    FINISH = "finish"


@dataclass(frozen=True, slots=True)
class GameStep(Generic[G]):
    """What a game made of one action.

    Attributes:
        game: the game's new state; the same object when nothing changed.
        events: what happened, in order.
        transition: how the match goes on.
        leavers: seats that the game removes, such as those that fell silent.
    """

    game: G
    events: tuple[Event, ...] = ()
    transition: Transition = Transition.CONTINUE
    leavers: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Move:
    """When a simulated opponent moves next.

    Attributes:
        due: match time in milliseconds.
        seat: the opponent's seat.
    """

    due: int
    seat: int


class Rules(Protocol[G]):
    """A game, as the machine sees it. All of it is pure, and all times are match time."""

    name: str
    version: int
    min_seats: int
    max_seats: int

    @property
    def figures(self) -> FigureRules:
        """The figures that are kept, by name, and how each adds up over matches."""
        ...

    def draw_random(self, match: Match[G], random: Random) -> Action | None:
        """Return what the match waits for chance to decide, as an action to record."""
        ...

    def begin(self, match: Match[G], deal: Action, now: int) -> GameStep[G]:
        """Return the game after the deal."""
        ...

    def apply(self, match: Match[G], game: G, action: Action, now: int) -> GameStep[G]:
        """Apply an action of the game's own; a move's player is seated, and the race is open."""
        ...

    def apply_post(self, match: Match[G], game: G, post: Post, now: int) -> GameStep[G]:
        """Apply that a message shows the match, such as the table that opens a race."""
        ...

    def leave(self, match: Match[G], game: G, seat: int, now: int) -> GameStep[G]:
        """Clear away what a seat held; the match's seats already say that it is out."""
        ...

    def resume(self, match: Match[G], game: G, now: int) -> GameStep[G]:
        """Go on after a pause; the clock starts at `now` with the next message."""
        ...

    def deadline(self, game: G) -> int | None:
        """Return when the game next changes by itself."""
        ...

    def apply_deadline(self, match: Match[G], game: G, now: int) -> GameStep[G]:
        """Apply that the deadline passes, which is now."""
        ...

    def next_moves(self, match: Match[G], game: G) -> tuple[Move, ...]:
        """Return when the simulated opponents next move."""
        ...

    def make_move(self, match: Match[G], game: G, move: Move, action_id: int) -> Action:
        """Return the move that an opponent makes, as an action with the given id."""
        ...

    def awaits_post(self, game: G) -> bool:
        """Whether players' moves wait for the message that opens a race."""
        ...

    def has_checked(self, game: G) -> bool:
        """Whether the first check was given."""
        ...

    def is_final(self, game: G) -> bool:
        """Whether nothing can change the result any more."""
        ...

    def result(self, match: Match[G], game: G) -> Result:
        """Return the places."""
        ...


def rank_seats(
    match: Match[Any], points: Mapping[int, int], figures: Mapping[int, Mapping[str, int]]
) -> Result:
    """Return the result of a match from its points.

    Leavers come after everybody who stayed, the earliest last, whatever their points; equal
    points share a place.
    """

    def merit(seat: Seat) -> tuple[int, int]:
        return (1, points[seat.number]) if seat.out is None else (0, seat.out)

    def place(seat: Seat, among: tuple[Seat, ...]) -> int:
        return 1 + sum(merit(other) > merit(seat) for other in among)

    people = tuple(seat for seat in match.seats if seat.user is not None)
    places = [
        Place(
            seat,
            place(seat, match.seats),
            place(seat, people) if seat.user is not None else None,
            points[seat.number],
        )
        for seat in match.seats
    ]
    counts = (match.people_at_first_check or 0) > 1
    return Result(
        tuple(sorted(places, key=lambda entry: (entry.place, entry.seat.number))),
        figures,
        counts=counts,
        rated=counts and len(people) == len(match.seats),
    )


@dataclass(frozen=True, slots=True)
class Step(Generic[G]):
    """A match after one action, and what happened."""

    match: Match[G]
    events: tuple[Event, ...] = field(default=())

    def and_then(self, *events: Event, **changes: Any) -> Step[G]:
        """Return the step with more events and changes to the match."""
        return Step(replace(self.match, **changes), self.events + events)
