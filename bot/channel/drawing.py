"""Drawing off the event loop: one worker, which alone touches Pillow."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from bot.pictures.artist import Artist
from bot.pictures.scenes import CoveredScene, HowToScene

if TYPE_CHECKING:
    from bot.pictures.scenes import Scene

_CONSTANT = (CoveredScene, HowToScene)


class Studio:
    """Draws scenes in a worker thread; pictures that never change are drawn once."""

    def __init__(self) -> None:
        self._artist = Artist()
        self._worker = ThreadPoolExecutor(max_workers=1, thread_name_prefix="pictures")
        self._kept: dict[Scene, bytes] = {}

    async def draw(self, scene: Scene) -> bytes:
        """Return a scene as a PNG file."""
        kept = self._kept.get(scene)
        if kept is not None:
            return kept
        loop = asyncio.get_running_loop()
        drawn = await loop.run_in_executor(self._worker, self._artist.draw, scene)
        if isinstance(scene, _CONSTANT):
            self._kept[scene] = drawn
        return drawn

    def close(self) -> None:
        """Let the worker end."""
        self._worker.shutdown(wait=False, cancel_futures=True)
