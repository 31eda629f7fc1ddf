"""The table of games, with one line per game.

It is a module of its own, because no other shared module may import a game.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bot.games.rox.plug import RoxPlug

if TYPE_CHECKING:
    from bot.games.plug import GamePlug

GAMES: Final[dict[str, GamePlug]] = {
    "rox": RoxPlug(),
}
"""Every game that the bot hosts, by the name of its rules."""
