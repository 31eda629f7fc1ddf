"""The actions that change a match, which are the entries of its log.

Every action has an id (`game.ids`), which decides its place in the order of events. The log of a
match is its actions in the order in which they were decided. It is also the save format.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, ClassVar, Final, TypeVar, cast

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

A = TypeVar("A", bound="type[Action]")

KINDS: Final[dict[str, type[Action]]] = {}
"""All action classes by their names in the log. A game adds its own when it is imported."""


@dataclass(frozen=True, slots=True)
class Action:
    """The base class of all entries of a log.

    Attributes:
        id: the id that decides the order of actions; its milliseconds give the time.
        kind: the name of the class in the log.
        is_move: whether the action is a player's move, which counts only in an open race.
        by_chance: whether the action records a random draw.
    """

    id: int

    kind: ClassVar[str]
    is_move: ClassVar[bool] = False
    by_chance: ClassVar[bool] = False

    @property
    def actor(self) -> int | None:
        """The user who caused the action; None for timers, chance and simulated opponents."""
        return getattr(self, "user", None)


def entry(kind: str) -> Callable[[A], A]:
    """Return a class decorator that registers an action under its name in the log."""

    def register(cls: A) -> A:
        cls.kind = kind
        KINDS[kind] = cls
        return cls

    return register


def encode(action: Action) -> dict[str, Any]:
    """Return the fields of an action as JSON values, without its id and default values."""
    return {
        spec.name: getattr(action, spec.name)
        for spec in fields(action)
        if spec.name != "id" and getattr(action, spec.name) != spec.default
    }


def decode(kind: str, action_id: int, values: Mapping[str, Any]) -> Action:
    """Return the action whose fields `encode` returned.

    Raises:
        KeyError: no action has this kind.
        TypeError: the values are not the fields of this kind.
    """
    plain = {name: _lists_to_tuples(value) for name, value in values.items()}
    return KINDS[kind](id=action_id, **plain)


def _lists_to_tuples(value: Any) -> Any:
    if isinstance(value, list):
        return tuple(_lists_to_tuples(item) for item in cast("list[Any]", value))
    return value


@entry("opening")
@dataclass(frozen=True, slots=True)
class Opening(Action):
    """A user or a rematch opens a match. This is the first entry of every log.

    Attributes:
        game: the game's name.
        version: the version of its rules.
        settings: the game's settings as plain values.
        seats: user, name and level of each seat; the user of a simulated opponent and the level
            of a person are None.
        lobby: whether the match has a lobby; a rematch has none and begins with the deal.
        left_out: names of people for whom a rematch had no seat.
        look: the appearance of the match as plain values; no rule depends on it.
    """

    game: str
    version: int
    settings: Mapping[str, Any]
    seats: tuple[tuple[int | None, str, str | None], ...]
    lobby: bool = True
    left_out: tuple[str, ...] = ()
    look: Mapping[str, Any] = field(default_factory=dict[str, Any])

    @property
    def actor(self) -> int | None:
        """The user of the first seat that is not an opponent's."""
        return next((user for user, _, _ in self.seats if user is not None), None)


@entry("join")
@dataclass(frozen=True, slots=True)
class Join(Action):
    """A user takes a seat in the lobby."""

    user: int
    name: str


@entry("leave")
@dataclass(frozen=True, slots=True)
class Leave(Action):
    """A user gives up a seat, in the lobby or in the match."""

    user: int

    @property
    def users(self) -> tuple[int, ...]:
        """The users who leave."""
        return (self.user,)


@entry("gone")
@dataclass(frozen=True, slots=True)
class Gone(Action):
    """The bot found that users are no longer in the server; they leave the match.

    Attributes:
        user: one of these users.
        others: the others found at the same time. They leave together; otherwise the last of
            them would win because the rest had left.
    """

    user: int
    others: tuple[int, ...] = ()

    @property
    def users(self) -> tuple[int, ...]:
        """The users who leave."""
        return (self.user, *self.others)

    @property
    def actor(self) -> int | None:
        """None, because the id is not that of a user's message or interaction."""
        return None


@entry("start")
@dataclass(frozen=True, slots=True)
class Start(Action):
    """A user presses Start in the lobby."""

    user: int


@entry("configure")
@dataclass(frozen=True, slots=True)
class Configure(Action):
    """A user chooses a setting in the lobby.

    Attributes:
        user: the user who chose; only the host's choice counts.
        settings: the changed settings as plain values, by name.
    """

    user: int
    settings: Mapping[str, Any]


@entry("stop")
@dataclass(frozen=True, slots=True)
class Stop(Action):
    """A user asks to stop the match, or cancels the lobby.

    Attributes:
        user: the user.
        manager: whether the user may manage the channel, and so may stop the match alone.
    """

    user: int
    manager: bool = False


@entry("interrupt")
@dataclass(frozen=True, slots=True)
class Interrupt(Action):
    """The bot can no longer post in the channel: the match is paused."""


@entry("resume")
@dataclass(frozen=True, slots=True)
class Resume(Action):
    """A player ends a pause, or (user None) the bot does because it can post again."""

    user: int | None = None


@entry("rematch")
@dataclass(frozen=True, slots=True)
class Rematch(Action):
    """A player asks for a rematch."""

    user: int


@entry("tick")
@dataclass(frozen=True, slots=True)
class Tick(Action):
    """The deadline at the millisecond of the id passes."""


@entry("shown")
@dataclass(frozen=True, slots=True)
class Shown(Action):
    """A message in the channel shows the match; the id is that of the message.

    Attributes:
        key: the key of its content (`game.match.Post`).
    """

    key: str


@entry("close")
@dataclass(frozen=True, slots=True)
class Close(Action):
    """The bot ends the match for a reason outside the game.

    Attributes:
        reason: a value of `game.match.End`. For a match that has ended already, only the offer
            of a rematch ends.
    """

    reason: str


@entry("returned")
@dataclass(frozen=True, slots=True)
class Returned(Action):
    """The bot is connected again after a lost session, in which it may have missed events.

    No deadline passes and no opponent moves until a message with a larger id shows the match.
    """
