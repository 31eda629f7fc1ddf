"""What buttons and commands reach through `interaction.client`: the wired bot."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from bot.games import GAMES
from bot.games.hosted import HostedGame, Showing

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    import discord

    from bot.locales.catalogue import Words
    from bot.matches.registry import Registry
    from bot.matches.runner import Runner
    from bot.pictures.scenes import Scene
    from bot.store.engines import Database


@dataclass(slots=True)
class Host:
    """The bot's parts, wired.

    Attributes:
        registry: the open matches.
        database: where settings and standings are read.
        words: the language.
        typing: whether typed numbers reach the bot.
        draw: draws a picture off the event loop.
    """

    registry: Registry
    database: Database
    words: Words
    typing: bool
    draw: Callable[[Scene], Awaitable[bytes]]

    def showing(self, runner: Runner) -> Showing:
        """Return a match as it is put into words."""
        return Showing(runner.match, self.words, self.typing)


def host_of(interaction: discord.Interaction) -> Host:
    """Return the wired bot that received an interaction."""
    return cast("Host", getattr(interaction.client, "host"))  # noqa: B009 - the client's type is discord.py's


def game_of(runner: Runner) -> HostedGame:
    """Return the game that a match plays."""
    return GAMES[runner.match.opening.game]
