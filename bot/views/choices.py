"""The settings of a server that are one of a few values each."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from bot.games.look import FARTHEST, LOOK, NEAREST, Look
from bot.store.guilds import ServerSettings, Starters
from game.rox.settings import Checking, Preset, RoxSettings

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bot.locales.catalogue import Words


@dataclass(frozen=True, slots=True)
class Choice:
    """A setting that is one of a few values.

    Attributes:
        title: what it is called, with a sentence of help.
        options: value and label of each option.
        present: the value that holds.
    """

    title: str
    options: tuple[tuple[str, str], ...]
    present: str


def choices(server: ServerSettings, words: Words) -> dict[str, Choice]:
    """Return every such setting by its field, in the order in which they are shown."""
    return {**_rules(server, words), **_people(server, words), **_looks(server, words)}


def chosen(
    field: str, values: Sequence[str], words: Words
) -> Callable[[ServerSettings], ServerSettings]:
    """Return what choosing a value changes; it raises a ValueError where that is not offered."""

    def change(server: ServerSettings) -> ServerSettings:
        choice = choices(server, words).get(field)
        if choice is None or len(values) != 1 or values[0] not in dict(choice.options):
            raise ValueError(f"{field} {values!r}")
        return _changed(server, field, values[0])

    return change


def _changed(server: ServerSettings, field: str, value: str) -> ServerSettings:
    rox, look = server.of("rox", RoxSettings), server.of(LOOK, Look)
    match field:
        case "preset":
            return server.having("rox", replace(rox, preset=Preset(value)))
        case "checking":
            return server.having("rox", replace(rox, checking=Checking(value)))
        case "shortest":
            return server.having("rox", replace(rox, shortest=int(value)))
        case "rest":
            return server.having("rox", replace(rox, rest_ms=int(value) * 1000))
        case "theme":
            return server.having(LOOK, replace(look, theme=value))
        case "distance":
            return server.having(LOOK, replace(look, distance=int(value)))
        case "tidy":
            return server.having(LOOK, replace(look, tidy=value == "yes"))
        case "opponents":
            return replace(server, opponents=value == "yes")
        case _:
            return replace(server, starters=Starters(value))


def _rules(server: ServerSettings, words: Words) -> dict[str, Choice]:
    rox = server.of("rox", RoxSettings)
    return {
        "preset": Choice(
            words.text("**Rules**: who wins ties, and in which order prizes come."),
            (
                ("rulebook", words.text("Rulebook: the caller wins ties")),
                ("fair", words.text("Fair: a caller whose row broke loses ties, prizes grow")),
            ),
            rox.preset.value,
        ),
        "checking": Choice(
            words.text("**Checking**: when a wrong stone shows."),
            (
                ("magic-eye", words.text("Magic eye: when the round is over")),
                ("instant", words.text("Instant: at once, for beginners")),
            ),
            rox.checking.value,
        ),
        "shortest": Choice(
            words.text("**Shortest valid row**: from how many cards on a row wins something."),
            (("2", words.text("2 cards")), ("3", words.text("3 cards"))),
            str(rox.shortest),
        ),
        "rest": Choice(
            words.text("**Hand rest**: how long a hand is busy after each card."),
            tuple(
                (str(n), words.count("{n} second", "{n} seconds", n) if n else words.text("none"))
                for n in range(6)
            ),
            str(rox.rest_ms // 1000),
        ),
    }


def _people(server: ServerSettings, words: Words) -> dict[str, Choice]:
    return {
        "opponents": Choice(
            words.text("**Simulated opponents**: whether a lobby may have any."),
            (("yes", words.text("Allowed")), ("no", words.text("Not allowed"))),
            "yes" if server.opponents else "no",
        ),
        "starters": Choice(
            words.text("**Who may start** a match."),
            (
                ("everyone", words.text("Everybody")),
                ("managers", words.text("Who may manage channels")),
                ("role", words.text("A role, chosen below")),
            ),
            server.starters.value,
        ),
    }


def _looks(server: ServerSettings, words: Words) -> dict[str, Choice]:
    look = server.of(LOOK, Look)
    return {
        "theme": Choice(
            words.text("**Theme** of the pictures."),
            (
                ("stones", words.text("Stones: carved and colourful")),
                ("muted", words.text("Muted: calmer colours")),
                ("high-contrast", words.text("High contrast: as clear as can be")),
            ),
            look.theme,
        ),
        "distance": Choice(
            words.text("**Table in view**: posted again once chat has pushed it up so far."),
            tuple(
                (str(n), words.count("{n} message", "{n} messages", n))
                for n in range(NEAREST, FARTHEST + 1)
            ),
            str(look.distance),
        ),
        "tidy": Choice(
            words.text(
                "**Tidy**: remove claims once decided. They are the evidence of who was first, "
                "and I need Manage Messages for it."
            ),
            (("no", words.text("Keep them")), ("yes", words.text("Remove them"))),
            "yes" if look.tidy else "no",
        ),
    }
