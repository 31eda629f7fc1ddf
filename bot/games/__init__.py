"""What a match looks like: state to text, alt text, pictures and buttons."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bot.games.rox import RoxTable

if TYPE_CHECKING:
    from bot.games.hosted import HostedGame

GAMES: Final[dict[str, HostedGame]] = {"rox": RoxTable()}
"""The one table of games, by the name in `game.actions.Opening`."""
