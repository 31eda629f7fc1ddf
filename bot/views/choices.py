"""The choices on the settings page of a game."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from bot.games.choices import LOOK_CHOICES, Choice, find_choice, yes_no
from bot.games.look import LOOK_SECTION, Look
from bot.store.guilds import ServerSettings, Starters

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bot.games.plug import GamePlug
    from bot.locales.catalogue import Words

PLAYER_CHOICES: Final[tuple[Choice[ServerSettings], ...]] = (
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
"""Choices about who plays, the same for every game."""


def server_choices(game: GamePlug) -> list[Choice[ServerSettings]]:
    """Return the choices of a game, then those that are the same for every game."""
    own = [_in_section(game.machine.rules.name, game.settings_type, c) for c in game.choices]
    look = [_in_section(LOOK_SECTION, Look, choice) for choice in LOOK_CHOICES]
    return [*own, *PLAYER_CHOICES, *look]


def choose(
    server: ServerSettings, game: GamePlug, name: str, values: Sequence[str], words: Words
) -> ServerSettings:
    """Return the settings of a server with another value for a choice.

    Args:
        server: the settings.
        game: the game whose settings page was used.
        name: the name of the choice.
        values: the values chosen in the select.
        words: the language.

    Raises:
        ValueError: there is no such choice, or it does not have exactly this one option.
    """
    choice = find_choice(server_choices(game), name)
    if choice is None or len(values) != 1 or not choice.has_option(values[0], words):
        raise ValueError(f"{name} {values!r}")
    return choice.change(server, values[0])


def _in_section(section: str, kind: type[Any], choice: Choice[Any]) -> Choice[ServerSettings]:
    """Return a choice of one section as a choice of the whole settings of a server."""

    def get(server: ServerSettings) -> Any:
        return server.section(section, kind)

    def put(server: ServerSettings, settings: Any) -> ServerSettings:
        return server.with_section(section, settings)

    return choice.within(get, put)
