"""What can be done to a match: the entries of its log.

Every action carries an id (`game.ids`), which says where it stands in the order of things. The
log of a match is its actions in the order in which they were decided; it is the save format.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, ClassVar, Final, TypeVar, cast

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

A = TypeVar("A", bound="type[Action]")

KINDS: Final[dict[str, type[Action]]] = {}
"""Every kind of action by its name in the log; a game adds its own when it is imported."""


@dataclass(frozen=True, slots=True)
class Action:
    """One entry.

    Attributes:
        id: where it stands in match time.
    """

    id: int

    kind: ClassVar[str]
    is_move: ClassVar[bool] = False
    by_chance: ClassVar[bool] = False

    @property
    def actor(self) -> int | None:
        """The person who did it; None for timers, chance and simulated opponents."""
        return getattr(self, "user", None)


def entry(kind: str) -> Callable[[A], A]:
    """Class decorator: give a kind of action its name in the log."""

    def register(cls: A) -> A:
        cls.kind = kind
        KINDS[kind] = cls
        return cls

    return register


def encode(action: Action) -> dict[str, Any]:
    """Return an action's fields as plain JSON values; `kind` and `id` are kept apart."""
    return {
        spec.name: getattr(action, spec.name)
        for spec in fields(action)
        if spec.name != "id" and getattr(action, spec.name) != spec.default
    }


def decode(kind: str, action_id: int, values: Mapping[str, Any]) -> Action:
    """Return the action that `encode` wrote.

    Raises:
        KeyError: no action has this kind.
    """
    plain = {name: _tuples(value) for name, value in values.items()}
    return KINDS[kind](id=action_id, **plain)


def _tuples(value: Any) -> Any:
    if isinstance(value, list):
        return tuple(_tuples(item) for item in cast("list[Any]", value))
    return value


@entry("opening")
@dataclass(frozen=True, slots=True)
class Opening(Action):
    """A match is opened.

    Attributes:
        game: the game's name.
        version: the version of its rules.
        settings: the game's settings as plain values.
        seats: user (None: an opponent), name and level (None: a person) of each seat.
        lobby: whether people may still join; a rematch goes straight to the deal.
        left_out: names of people whom a rematch could not take along.
        look: how the match is to be shown, as plain values; no rule depends on it.
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
        """The first person seated."""
        return next((user for user, _, _ in self.seats if user is not None), None)


@entry("join")
@dataclass(frozen=True, slots=True)
class Join(Action):
    """Somebody takes a seat in the lobby."""

    user: int
    name: str


@entry("leave")
@dataclass(frozen=True, slots=True)
class Leave(Action):
    """Somebody gives up a seat, in the lobby or in the match."""

    user: int

    @property
    def users(self) -> tuple[int, ...]:
        """Who leaves."""
        return (self.user,)


@entry("gone")
@dataclass(frozen=True, slots=True)
class Gone(Action):
    """Somebody is no longer in the server; like leaving, but nobody did it here.

    Attributes:
        user: who it is.
        others: who else was found to be gone at the same time, so that none of them has won.
    """

    user: int
    others: tuple[int, ...] = ()

    @property
    def users(self) -> tuple[int, ...]:
        """Who leaves."""
        return (self.user, *self.others)

    @property
    def actor(self) -> int | None:
        """Nobody: it was noticed, and has no id of Discord's."""
        return None


@entry("start")
@dataclass(frozen=True, slots=True)
class Start(Action):
    """Somebody presses Start in the lobby."""

    user: int


@entry("configure")
@dataclass(frozen=True, slots=True)
class Configure(Action):
    """The host chooses a setting in the lobby.

    Attributes:
        user: who chooses.
        settings: the plain values that change, by name.
    """

    user: int
    settings: Mapping[str, Any]


@entry("stop")
@dataclass(frozen=True, slots=True)
class Stop(Action):
    """Somebody asks to stop the match, or cancels the lobby.

    Attributes:
        user: who asks.
        manager: whether that person may manage the channel.
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
    """A pause ends: a seated person presses, or (user None) the bot can do its part again."""

    user: int | None = None


@entry("rematch")
@dataclass(frozen=True, slots=True)
class Rematch(Action):
    """Somebody wants to play again."""

    user: int


@entry("tick")
@dataclass(frozen=True, slots=True)
class Tick(Action):
    """The deadline of the id's millisecond passes."""


@entry("shown")
@dataclass(frozen=True, slots=True)
class Shown(Action):
    """A message in the channel shows the match; the id is the message's.

    Attributes:
        key: what it shows (`game.match.Post`).
    """

    key: str


@entry("close")
@dataclass(frozen=True, slots=True)
class Close(Action):
    """The match ends for a reason from outside.

    Attributes:
        reason: a value of `game.match.End`; a finished match just gives up its offer.
    """

    reason: str


@entry("returned")
@dataclass(frozen=True, slots=True)
class Returned(Action):
    """The bot is back after a lost session: events may have been missed.

    Until a message with a larger id shows the match, nothing happens by itself.
    """
