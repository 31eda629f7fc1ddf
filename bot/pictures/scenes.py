"""Scenes, and the protocol by which a game draws its own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


@dataclass(frozen=True, slots=True)
class Scene:
    """The content of a picture; each kind of picture has a subclass.

    A scene holds everything that its picture depends on and nothing else. Equal scenes have equal
    pictures, so the channel compares scenes to decide whether it has to upload a picture again.

    Attributes:
        constant: whether all scenes of this class are equal, so that one drawing serves them all.
    """

    constant: ClassVar[bool] = False


class Painter(Protocol):
    """Draws the scenes of one game in one theme."""

    def size(self, scene: Scene) -> tuple[int, int]:
        """Return the width and height of a scene's picture, in pixels."""
        ...

    def draw(self, scene: Scene, *, quick: bool = False) -> bytes:
        """Return a scene as a PNG file; a quick one may be larger."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class GamePictures:
    """The pictures of one game.

    Attributes:
        scenes: every class of scene that the game shows.
        seats: for how many seats the game draws tokens.
        painter: makes the painter for the theme of a name.
        examples: one scene of every class by its name, for the gallery.
        warm_up: constant scenes to draw while people gather, so that a match need not wait for
            the pieces of its theme.
    """

    scenes: tuple[type[Scene], ...]
    seats: int
    painter: Callable[[str], Painter]
    examples: Mapping[str, Scene]
    warm_up: tuple[Scene, ...] = ()
