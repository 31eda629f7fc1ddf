"""The artist: draws the scenes of every game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.pictures.theme import THEMES

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bot.pictures.scenes import GamePictures, Painter, Scene


class Artist:
    """Draws scenes in one theme, each with the painter of its game.

    Only one thread at a time can use an artist. A game's first picture takes most of a second,
    because its painter then draws the pieces of the theme.

    Args:
        theme: the name of the theme.
        games: the pictures of every game.

    Raises:
        KeyError: there is no such theme.
    """

    def __init__(self, theme: str, games: Iterable[GamePictures]) -> None:
        self.theme = THEMES[theme]
        self._games = {scene: game for game in games for scene in game.scenes}
        self._painters: dict[GamePictures, Painter] = {}

    def size(self, scene: Scene) -> tuple[int, int]:
        """Return the width and height of a scene's picture, in pixels."""
        return self._painter(scene).size(scene)

    def draw(self, scene: Scene, *, quick: bool = False) -> bytes:
        """Return a scene as a palette PNG; equal scenes give equal pixels.

        Args:
            scene: a scene of one of the games.
            quick: whether time counts more than bytes, because other pictures wait.

        Raises:
            KeyError: no game has such scenes.
        """
        return self._painter(scene).draw(scene, quick=quick)

    def _painter(self, scene: Scene) -> Painter:
        game = self._games[type(scene)]
        if game not in self._painters:
            self._painters[game] = game.painter(self.theme.name)
        return self._painters[game]
