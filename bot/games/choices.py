"""Choices: settings described as data.

The settings page of a server, the options of the command `play` and the selects in a lobby are
built from choices.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any, Final, Generic, TypeAlias, TypeVar

from bot.games.look import MAX_DISTANCE, MIN_DISTANCE, Look

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from bot.locales.catalogue import Words

    Options: TypeAlias = "tuple[tuple[str, str], ...]"

S = TypeVar("S")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class PlayOption:
    """An option of the command `play` that sets a choice.

    Attributes:
        name: the name of the option.
        description: a sentence marked for the catalogues.
    """

    name: str
    description: str


@dataclass(frozen=True, slots=True)
class Choice(Generic[S]):
    """A setting that is one of a few values.

    Attributes:
        name: its name in custom ids, in lower case letters.
        title: returns its title with a sentence of help.
        options: returns the value and the label of each option.
        read: returns the current value in the settings.
        change: returns the settings with another value.
        play: the option of `play` that sets it, or None.
        in_lobby: whether the host can change it in the lobby.
    """

    name: str
    title: Callable[[Words], str]
    options: Callable[[Words], Options]
    read: Callable[[S], str]
    change: Callable[[S, str], S]
    play: PlayOption | None = None
    in_lobby: bool = False

    def has_option(self, value: str, words: Words) -> bool:
        """Return whether a value is one of the options."""
        return value in dict(self.options(words))

    def within(self, get: Callable[[T], S], put: Callable[[T, S], T]) -> Choice[T]:
        """Return the same choice for settings that contain these settings.

        Args:
            get: returns the inner settings.
            put: returns the outer settings with other inner settings.
        """
        return Choice(
            name=self.name,
            title=self.title,
            options=self.options,
            read=lambda outer: self.read(get(outer)),
            change=lambda outer, value: put(outer, self.change(get(outer), value)),
            play=self.play,
            in_lobby=self.in_lobby,
        )


def changed_values(choice: Choice[Any], settings: Any, value: str, words: Words) -> dict[str, Any]:
    """Return the fields of the settings that a choice sets, with the plain values it sets.

    Fields that the choice does not set are left out. Otherwise one of two choices made at the
    same time would undo the other.
    """
    chosen = asdict(choice.change(settings, value))
    others = [asdict(choice.change(settings, option)) for option, _ in choice.options(words)]
    return {name: plain for name, plain in chosen.items() if any(o[name] != plain for o in others)}


def find_choice(choices: Iterable[Choice[S]], name: str) -> Choice[S] | None:
    """Return the choice with a name, or None."""
    return next((choice for choice in choices if choice.name == name), None)


def yes_no(*, yes: bool) -> str:
    """Return the value of a choice between yes and no."""
    return "yes" if yes else "no"


LOOK_CHOICES: Final[tuple[Choice[Look], ...]] = (
    Choice(
        "theme",
        lambda words: words.text("**Theme** of the pictures."),
        lambda words: (
            ("stones", words.text("Stones: carved and colourful")),
            ("muted", words.text("Muted: calmer colours")),
            ("high-contrast", words.text("High contrast: as clear as can be")),
        ),
        lambda look: look.theme,
        lambda look, value: replace(look, theme=value),
    ),
    Choice(
        "distance",
        lambda words: words.text(
            "**Table in view**: posted again once chat has pushed it up so far."
        ),
        lambda words: tuple(
            (str(n), words.count("{n} message", "{n} messages", n))
            for n in range(MIN_DISTANCE, MAX_DISTANCE + 1)
        ),
        lambda look: str(look.distance),
        lambda look, value: replace(look, distance=int(value)),
    ),
    Choice(
        "tidy",
        lambda words: words.text(
            "**Tidy**: remove claims once decided. They are the evidence of who was first, "
            "and I need Manage Messages for it."
        ),
        lambda words: (("no", words.text("Keep them")), ("yes", words.text("Remove them"))),
        lambda look: yes_no(yes=look.tidy),
        lambda look, value: replace(look, tidy=value == "yes"),
    ),
)
"""Choices about the look of matches, the same for every game."""
