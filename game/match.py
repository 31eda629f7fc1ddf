"""The state of a match of any game, and `Rules`, the interface of a game.

A match is an immutable value. `game.machine.Machine` applies actions to it and calls the `Rules` of
its game.

Every match has its own clock. Match time begins at 0 with the opening and counts the milliseconds
of Discord's ids (`game.ids`), less the time that the match lost: a pause stops the clock, and an
absence of the bot sets it back if a deadline passed in it (`game.clock`). The rules of games use
match time for all durations. Whole ids decide only the order.
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
"""The key of the message that shows a paused match (`Post.key`)."""

G = TypeVar("G")


class Phase(StrEnum):
    """The phase of a match; a game divides PLAYING into its own stages."""

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
        """Whether the match has a winner; matches that end otherwise are void."""
        return self in {End.FINISHED, End.WON_BY_LEAVING}


class PauseReason(StrEnum):
    """Why a match is paused."""

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
        number: the index in the order of joining, from 0; the seat to the left has the next one.
        user: the Discord id of the player, or None for a simulated opponent.
        name: the player's name when joining.
        level: the level of a simulated opponent, or None for a person.
        out: the id of the action with which the player left, or None.
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
        key: a name for its content, such as "lobby" or "table-2"; each key has its own message.
        id: the message's id.
    """

    key: str
    id: int


@dataclass(frozen=True, slots=True)
class Place:
    """One seat's final place.

    Attributes:
        seat: the seat.
        place: the place from 1, the best; seats that share a place have equal numbers.
        among_people: the place without simulated opponents; None for an opponent.
        points: the points that decide the place.
    """

    seat: Seat
    place: int
    among_people: int | None
    points: int


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a match that was not void.

    Attributes:
        places: the place of every seat, best first.
        figures: the players' figures by seat number and name; see `Rules.figures`.
        counts: whether the match counts for leaderboards, because at least two people were
            seated at the first check.
        rated: whether it also counts for ratings, because no simulated opponent played.
    """

    places: tuple[Place, ...]
    figures: Mapping[int, Mapping[str, int]]
    counts: bool
    rated: bool

    @property
    def winners(self) -> tuple[Seat, ...]:
        """The seats that share the first place."""
        return tuple(place.seat for place in self.places if place.place == 1)


@dataclass(frozen=True, slots=True)
class Match(Generic[G]):
    """The whole state of a match, which follows from its log alone.

    All times are match time in milliseconds, except for `last_ms` and `offset_ms`.

    Attributes:
        opening: the action that opened the match, with the settings that the host has changed
            in the lobby since.
        phase: the phase.
        seats: all seats. In the lobby a seat is removed when its player leaves; later it stays,
            marked as out.
        host: the user who hosts the match.
        game: the state of the game; None before the deal.
        last_ms: the milliseconds of the newest id applied, in Discord's time.
        offset_ms: Discord's time less match time.
        stopped_at: the time at which a pause stopped the clock; None once a message shows that
            the match goes on.
        away: after a lost session, the time of the newest action that came in time; None once a
            message shows that the match goes on.
        unseen: the id that a message must exceed to show that the match goes on.
        open_from: the id from which players' moves count; None while they don't.
        since: when the latest pause began, or the match ended.
        joined_at: when a user last took a seat in the lobby.
        host_pressed_at: when the host last pressed a button in the lobby.
        full_since: when the last seat was taken; None while the lobby has a free seat.
        stop_votes: the users who ask to stop the match.
        stop_asked_at: when the first of them asked.
        pause: why the match is paused.
        rematch_votes: the users who ask for a rematch.
        rematch_asked_at: when the first of them asked.
        people_at_first_check: how many people were seated at the first check; None before it.
        post: the newest message that shows the match.
        end: why the match ended.
        result: the result of a match that ended and was not void.
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
        """Return the match time of an id; while the clock is stopped, as if it were running."""
        return ms_of(action_id) - self.offset_ms

    def discord_ms(self, time: int) -> int:
        """Return the milliseconds of Discord's ids at a match time; the inverse of `time`."""
        return time + self.offset_ms

    def expected_discord_ms(self, time: int) -> int:
        """Return the milliseconds of Discord's ids at which the clock will reach a match time.

        While the clock is stopped, this is an estimate that assumes that it starts now.
        """
        return (
            self.discord_ms(time)
            if self.stopped_at is None
            else time - self.stopped_at + self.last_ms
        )

    def seat_of(self, user: int | None) -> Seat | None:
        """Return the active seat of a user, or None."""
        if user is None:
            return None
        return next((seat for seat in self.active_seats if seat.user == user), None)

    @property
    def active_seats(self) -> tuple[Seat, ...]:
        """The seats whose players have not left."""
        return tuple(seat for seat in self.seats if seat.out is None)

    @property
    def people(self) -> tuple[int, ...]:
        """The users who play the match and have not left."""
        return tuple(seat.user for seat in self.active_seats if seat.user is not None)

    @property
    def playing(self) -> bool:
        """Whether the game has begun and not ended; it can be paused."""
        return self.phase in {Phase.PLAYING, Phase.PAUSED}

    @property
    def is_over(self) -> bool:
        """Whether the match has ended; it may still offer a rematch."""
        return self.phase in {Phase.OVER, Phase.CLOSED}


class Transition(StrEnum):
    """How the match goes on after an action of its game."""

    CONTINUE = "continue"
    PAUSE = "pause"
    FINISH = "finish"


@dataclass(frozen=True, slots=True)
class GameStep(Generic[G]):
    """The state of a game after one action, and what follows for the match.

    Attributes:
        game: the game's new state; the same object if nothing changed.
        events: the events, in order.
        transition: how the match goes on.
        leavers: the numbers of the seats that the game removes, such as those of silent players.
    """

    game: G
    events: tuple[Event, ...] = ()
    transition: Transition = Transition.CONTINUE
    leavers: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Move:
    """The next move of a simulated opponent.

    Attributes:
        due: the match time of the move in milliseconds.
        seat: the number of the opponent's seat.
    """

    due: int
    seat: int


class Rules(Protocol[G]):
    """The interface through which the machine calls the rules of a game.

    All methods are pure, and all times are match time in milliseconds.

    Attributes:
        name: the game's name in commands, logs and leaderboards.
        version: the version of the rules; logs of another version are not replayed.
        min_seats: how many seats a match needs.
        max_seats: how many seats a match has at most.
    """

    name: str
    version: int
    min_seats: int
    max_seats: int

    @property
    def figures(self) -> FigureRules:
        """The kept figures of players by name, and how each adds up over matches."""
        ...

    def draw_random(self, match: Match[G], random: Random) -> Action | None:
        """Return the random draw that the match waits for, as an action, or None."""
        ...

    def begin(self, match: Match[G], deal: Action, now: int) -> GameStep[G]:
        """Return the game after the deal, the first random draw."""
        ...

    def apply(self, match: Match[G], game: G, action: Action, now: int) -> GameStep[G]:
        """Apply an action of this game.

        The machine has checked that the player of a move is seated and that the race is open.
        """
        ...

    def apply_post(self, match: Match[G], game: G, post: Post, now: int) -> GameStep[G]:
        """Apply that a message shows the match, such as the table that opens a race."""
        ...

    def leave(self, match: Match[G], game: G, seat: int, now: int) -> GameStep[G]:
        """Remove a seat from the game; in `match` it is marked as out already."""
        ...

    def resume(self, match: Match[G], game: G, now: int) -> GameStep[G]:
        """Go on after a pause; the clock starts again at `now` with the next message."""
        ...

    def deadline(self, game: G) -> int | None:
        """Return the time at which a timer ends the current stage, or None."""
        ...

    def apply_deadline(self, match: Match[G], game: G, now: int) -> GameStep[G]:
        """Apply that the deadline passes; it is `now`."""
        ...

    def next_moves(self, match: Match[G], game: G) -> tuple[Move, ...]:
        """Return the next move of each simulated opponent."""
        ...

    def make_move(self, match: Match[G], game: G, move: Move, action_id: int) -> Action:
        """Return the action of an opponent's move that is due, with the given id."""
        ...

    def awaits_post(self, game: G) -> bool:
        """Return whether moves count only after a message that is not posted yet."""
        ...

    def has_checked(self, game: G) -> bool:
        """Return whether the first check was made."""
        ...

    def is_final(self, game: G) -> bool:
        """Return whether the result can't change any more."""
        ...

    def result(self, match: Match[G], game: G) -> Result:
        """Return the result of the finished game."""
        ...


def rank_seats(
    match: Match[Any], points: Mapping[int, int], figures: Mapping[int, Mapping[str, int]]
) -> Result:
    """Return the result of a match from the points and figures of its seats.

    More points give a better place; seats with equal points share one. Seats whose players left
    come after all others, the first to leave last, and their points do not count.
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
    """A match after one action, and the events of that action."""

    match: Match[G]
    events: tuple[Event, ...] = field(default=())

    def and_then(self, *events: Event, **changes: Any) -> Step[G]:
        """Return the step with more events and with changed fields of its match."""
        return Step(replace(self.match, **changes), self.events + events)
