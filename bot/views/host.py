"""What buttons and commands reach through `interaction.client`: the wired bot."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, cast

from bot.games import GAMES
from bot.games.hosted import HostedGame, Showing
from bot.views.whispers import Whispers

if TYPE_CHECKING:
    import discord

    from bot.locales.catalogue import Words
    from bot.matches.lifecycle import Matches
    from bot.matches.ports import Display
    from bot.matches.runner import Runner
    from bot.store.engines import Database


@dataclass(slots=True)
class Host:
    """The bot's parts, wired.

    Attributes:
        matches: the matches of the process.
        database: where settings and standings are read.
        words: the language.
        typing: whether typed numbers reach the bot.
        screen: shows what a press asks for.
        whispers: how often people are told something privately.
    """

    matches: Matches
    database: Database
    words: Words
    typing: bool
    screen: Display
    whispers: Whispers = field(default_factory=Whispers)

    def showing(self, runner: Runner) -> Showing:
        """Return a match as it is put into words."""
        return Showing(runner.match, self.words, self.typing)


def host_of(interaction: discord.Interaction) -> Host:
    """Return the wired bot that received an interaction."""
    return cast("Host", getattr(interaction.client, "host"))  # noqa: B009 - the client's type is discord.py's


def game_of(runner: Runner) -> HostedGame:
    """Return the game that a match plays."""
    return GAMES[runner.match.opening.game]
