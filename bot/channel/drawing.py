"""Drawing off the event loop: one worker, which alone touches Pillow."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Protocol

from bot.pictures.artist import Artist
from bot.pictures.scenes import CoveredScene, HowToScene
from bot.pictures.theme import DEFAULT_THEME

if TYPE_CHECKING:
    from collections.abc import Callable

    from bot.pictures.scenes import Scene

_CONSTANT = (CoveredScene, HowToScene)


class Drawer(Protocol):
    """Who draws."""

    def draw(self, scene: Scene) -> bytes:
        """Return a scene as a PNG file."""
        ...


class Studio:
    """Draws scenes in a worker thread; pictures that never change are drawn once.

    Args:
        hire: makes the one who draws a theme, when it is first needed.
    """

    def __init__(self, hire: Callable[[str], Drawer] = Artist) -> None:
        self._hire = hire
        self._artists: dict[str, Drawer] = {}
        self._worker = ThreadPoolExecutor(max_workers=1, thread_name_prefix="pictures")
        self._kept: dict[tuple[str, Scene], bytes] = {}

    async def draw(self, scene: Scene, theme: str = DEFAULT_THEME) -> bytes:
        """Return a scene as a PNG file."""
        kept = self._kept.get((theme, scene))
        if kept is not None:
            return kept
        loop = asyncio.get_running_loop()
        drawn = await loop.run_in_executor(self._worker, self._draw, scene, theme)
        if isinstance(scene, _CONSTANT):
            self._kept[theme, scene] = drawn
        return drawn

    def close(self) -> None:
        """Let the worker end."""
        self._worker.shutdown(wait=False, cancel_futures=True)

    def _draw(self, scene: Scene, theme: str) -> bytes:
        if theme not in self._artists:
            self._artists[theme] = self._hire(theme)
        return self._artists[theme].draw(scene)
