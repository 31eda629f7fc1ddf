"""The parts of the bot that buttons and commands reach through `interaction.client`."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, cast

from bot.games.plug import MatchView
from bot.replies.reply_limits import Whispers

if TYPE_CHECKING:
    from collections.abc import Mapping

    import discord

    from bot.games.plug import GamePlug
    from bot.locales.catalogue import Words
    from bot.matches.lifecycle import Matches
    from bot.matches.ports import Display
    from bot.matches.runner import Runner
    from bot.store.database import Database


@dataclass(slots=True)
class Services:
    """The bot's parts, wired.

    Attributes:
        games: the games by name.
        matches: the matches of this process.
        database: holds settings and standings.
        words: the language.
        typing: whether the bot receives the content of messages.
        display: shows matches.
        whispers: limits on private replies.
    """

    games: Mapping[str, GamePlug]
    matches: Matches
    database: Database
    words: Words
    typing: bool
    display: Display
    whispers: Whispers = field(default_factory=Whispers)

    def view(self, runner: Runner) -> MatchView:
        """Return a match as a game's sheets and answers take it."""
        return MatchView(runner.match, self.words, self.typing)

    def game_of(self, runner: Runner) -> GamePlug:
        """Return the game that a match plays."""
        return self.games[runner.match.opening.game]

    def runner_for(self, match: int, channel: int | None) -> Runner | None:
        """Return the match that a message in a channel shows, unless it is closed.

        A match of another channel is not returned: after an older copy of the database was
        restored, a later match can have the same id.
        """
        runner = self.matches.registry.get(match)
        return runner if runner is not None and runner.venue.channel == channel else None


def services_of(interaction: discord.Interaction) -> Services:
    """Return the wired bot that received an interaction."""
    return cast("Services", getattr(interaction.client, "services"))  # noqa: B009 - the client's type is discord.py's
