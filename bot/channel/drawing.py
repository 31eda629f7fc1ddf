"""Draws pictures off the event loop, in one worker thread, which alone uses Pillow."""

from __future__ import annotations

import asyncio
import logging
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Protocol

from bot.pictures.theme import DEFAULT_THEME

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bot.pictures.scenes import Scene

log = logging.getLogger(__name__)


class Drawer(Protocol):
    """Draws scenes in one theme, as `bot.pictures.artist.Artist` does."""

    def draw(self, scene: Scene, *, quick: bool = False) -> bytes:
        """Return a scene as a PNG file; drawn quickly, it may be larger."""
        ...


class Studio:
    """Draws scenes in a worker thread; constant scenes are drawn once a theme.

    Args:
        hire: returns the drawer of a theme; called when the theme is first needed.
    """

    def __init__(self, hire: Callable[[str], Drawer]) -> None:
        self._hire = hire
        self._artists: dict[str, Drawer] = {}
        self._worker = ThreadPoolExecutor(max_workers=1, thread_name_prefix="pictures")
        self._waiting = 0
        self._kept: dict[tuple[str, Scene], bytes] = {}

    async def draw(self, scene: Scene, theme: str = DEFAULT_THEME) -> bytes:
        """Return a scene as a PNG file."""
        (drawn,) = await self.draw_all((scene,), theme)
        return drawn

    async def draw_all(self, scenes: Sequence[Scene], theme: str = DEFAULT_THEME) -> list[bytes]:
        """Return scenes as PNG files, drawn in one job."""
        new = [scene for scene in scenes if (theme, scene) not in self._kept]
        drawn: dict[Scene, bytes] = {}
        if new:
            loop, quick = asyncio.get_running_loop(), self._waiting > 0
            self._waiting += 1
            try:
                drawn = await loop.run_in_executor(self._worker, self._draw, new, theme, quick)
            finally:
                self._waiting -= 1
            self._kept |= {(theme, scene): drawn[scene] for scene in new if scene.constant}
        return [drawn[s] if s in drawn else self._kept[theme, s] for s in scenes]

    async def warm(self, theme: str, scenes: Sequence[Scene]) -> None:
        """Draw scenes ahead, so that the first picture of a match does not wait for sprites."""
        try:
            await self.draw_all(scenes, theme)
        except Exception:
            log.exception("the sprites of the theme %s can't be drawn", theme)

    def close(self) -> None:
        """End the worker once it has finished its picture."""
        self._worker.shutdown(wait=False, cancel_futures=True)

    def _draw(
        self,
        scenes: Sequence[Scene],
        theme: str,
        quick: bool,  # noqa: FBT001 - run_in_executor takes no names
    ) -> dict[Scene, bytes]:
        if theme not in self._artists:
            self._artists[theme] = self._hire(theme)
        artist = self._artists[theme]
        return {scene: artist.draw(scene, quick=quick) for scene in scenes}
