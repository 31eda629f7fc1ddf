"""Everything about a server that is one of a few values, for the settings page of a game."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from bot.games.choices import LOOK_CHOICES, Choice, find_choice, yes_no
from bot.games.look import LOOK_SECTION, Look
from bot.store.guilds import ServerSettings, Starters

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bot.games.plug import GamePlug
    from bot.locales.catalogue import Words

PEOPLE: Final[tuple[Choice[ServerSettings], ...]] = (
    Choice(
        "opponents",
        lambda words: words.text("**Simulated opponents**: whether a lobby may have any."),
        lambda words: (("yes", words.text("Allowed")), ("no", words.text("Not allowed"))),
        lambda server: yes_no(yes=server.opponents),
        lambda server, value: replace(server, opponents=value == "yes"),
    ),
    Choice(
        "starters",
        lambda words: words.text("**Who may start** a match."),
        lambda words: (
            ("everyone", words.text("Everybody")),
            ("managers", words.text("Who may manage channels")),
            ("role", words.text("A role, chosen below")),
        ),
        lambda server: server.starters.value,
        lambda server, value: replace(server, starters=Starters(value)),
    ),
)
"""What a server chooses about who plays, whatever they play."""


def server_choices(game: GamePlug) -> list[Choice[ServerSettings]]:
    """Return what a server can choose about a game: its own choices, then those of all games."""
    own = [_in_section(game.machine.rules.name, game.settings_type, c) for c in game.choices]
    return [*own, *PEOPLE, *(_in_section(LOOK_SECTION, Look, choice) for choice in LOOK_CHOICES)]


def chosen(
    game: GamePlug, name: str, values: Sequence[str], words: Words
) -> Callable[[ServerSettings], ServerSettings]:
    """Return what choosing a value changes; it raises a ValueError where that is not offered."""

    def change(server: ServerSettings) -> ServerSettings:
        choice = find_choice(server_choices(game), name)
        if choice is None or len(values) != 1 or not choice.has_option(values[0], words):
            raise ValueError(f"{name} {values!r}")
        return choice.change(server, values[0])

    return change


def _in_section(section: str, kind: type[Any], choice: Choice[Any]) -> Choice[ServerSettings]:
    """Return a choice about one section of a server's settings as one about the server."""

    def get(server: ServerSettings) -> Any:
        return server.of(section, kind)

    def put(server: ServerSettings, settings: Any) -> ServerSettings:
        return server.having(section, settings)

    return choice.within(get, put)
