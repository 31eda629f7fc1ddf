"""The artist: draws the scenes of every game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.pictures.theme import THEMES

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bot.pictures.scenes import Painter, PictureRoom, Scene


class Artist:
    """Draws scenes in one theme, each with the painter of its game.

    An artist may be used from one thread at a time. A game's first picture takes most of a second,
    because its painter then draws the pieces of the theme.

    Args:
        theme: the name of the theme.
        rooms: the games' pictures.

    Raises:
        KeyError: there is no such theme.
    """

    def __init__(self, theme: str, rooms: Iterable[PictureRoom]) -> None:
        self.theme = THEMES[theme]
        self._rooms = {scene: room for room in rooms for scene in room.scenes}
        self._painters: dict[PictureRoom, Painter] = {}

    def size(self, scene: Scene) -> tuple[int, int]:
        """Return the width and height of a scene's picture, in pixels."""
        return self._painter(scene).size(scene)

    def draw(self, scene: Scene, *, quick: bool = False) -> bytes:
        """Return a scene as a palette PNG; equal scenes give equal pixels.

        Args:
            scene: a scene of one of the rooms.
            quick: whether time counts more than bytes, because other pictures wait.

        Raises:
            KeyError: no game has such scenes.
        """
        return self._painter(scene).draw(scene, quick=quick)

    def _painter(self, scene: Scene) -> Painter:
        room = self._rooms[type(scene)]
        if room not in self._painters:
            self._painters[room] = room.painter(self.theme.name)
        return self._painters[room]
