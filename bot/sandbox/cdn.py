"""Attachments: kept in memory, served over HTTP, let go when no message carries them."""

from __future__ import annotations

import io
import mimetypes
from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from aiohttp import web
from PIL import Image, UnidentifiedImageError
from simcord.backend.cdn import CdnStore

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["Cdn"]

_RETIRED_KEPT = 64
"""Replaced files still served: a client may be about to load the picture it was just shown."""


@dataclass(frozen=True, slots=True)
class _Blob:
    content_type: str
    data: bytes


class Cdn(CdnStore):
    """Simcord's file store with addresses that can be fetched, and with pictures' sizes."""

    def __init__(self) -> None:
        super().__init__()
        self.base_url = "http://127.0.0.1"
        self._by_id: dict[str, _Blob] = {}
        self._retired: deque[str] = deque()

    def store_attachment(
        self,
        attachment_id: int,
        channel_id: int,
        filename: str,
        data: bytes,
        description: str | None,
    ) -> dict[str, Any]:
        """Keep a file and describe it as Discord's attachment object."""
        url = f"{self.base_url}/attachments/{channel_id}/{attachment_id}/{quote(filename)}"
        content_type = mimetypes.guess_type(filename)[0] or "application/octet-stream"
        self._by_id[str(attachment_id)] = _Blob(content_type, data)
        attachment: dict[str, Any] = {
            "id": str(attachment_id),
            "filename": filename,
            "description": description,
            "size": len(data),
            "url": url,
            "proxy_url": url,
            "content_type": content_type,
        }
        if content_type.startswith("image/"):
            attachment |= _picture_size(data)
        return attachment

    def get(self, url: str) -> bytes | None:
        """The bytes behind one of our addresses."""
        parts = url.rsplit("/", 2)
        blob = self._by_id.get(parts[1]) if len(parts) > 2 else None  # noqa: PLR2004 - parts of a path
        return blob.data if blob else super().get(url)

    def retire(self, attachment_ids: Iterable[str]) -> None:
        """Let go of files that no message carries, the longest unused first."""
        self._retired.extend(attachment_ids)
        while len(self._retired) > _RETIRED_KEPT:
            self._by_id.pop(self._retired.popleft(), None)

    async def serve(self, request: web.Request) -> web.Response:
        """Answer ``GET /attachments/{channel}/{attachment}/{filename}``."""
        blob = self._by_id.get(request.match_info["attachment"])
        if blob is None:
            raise web.HTTPNotFound
        # An attachment never changes under its address; an edit makes a new one.
        headers = {"Cache-Control": "private, max-age=86400, immutable"}
        if not blob.content_type.startswith("image/"):
            headers["Content-Disposition"] = "attachment"
        return web.Response(body=blob.data, content_type=blob.content_type, headers=headers)


def _picture_size(data: bytes) -> dict[str, int]:
    try:
        with Image.open(io.BytesIO(data)) as picture:
            return {"width": picture.width, "height": picture.height}
    except (UnidentifiedImageError, OSError):
        return {}
