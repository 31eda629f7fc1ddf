"""The table of games: one line a game."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bot.games.rox.plug import RoxPlug

if TYPE_CHECKING:
    from bot.games.plug import GamePlug

GAMES: Final[dict[str, GamePlug]] = {
    "rox": RoxPlug(),
}
"""Every game that the bot hosts, by the name of its command, its log and its boards."""
