"""The channel as somebody would have seen it go by: a text file, and every picture in order."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from bot.sandbox.demo.reading import labels, texts

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    import simcord

_ISOLATES: Final = str.maketrans("", "", "\u2068\u2069")
_TIME: Final = re.compile(r"<t:(\d+):R>")


def readable(text: str, now: float) -> str:
    """Return markdown as plain text; moments are told from `now` (Unix seconds) on."""
    text = _TIME.sub(lambda found: f"in {max(0, round(int(found[1]) - now))} s", text)
    text = re.sub(r"^(#+|-#) ", "", text, flags=re.MULTILINE)
    text = re.sub(r"\\([^\w\s])", r"\1", text.translate(_ISOLATES))
    return text.replace("**", "").replace("`", "")


class Transcript:
    """Writes down what happens in a channel.

    Args:
        env: the simulated Discord.
        channel: the channel's id.
        folder: where the transcript and the pictures go.

    Attributes:
        newest: id and components of the newest message that has any.
    """

    def __init__(self, env: simcord.Env, channel: int, folder: Path) -> None:
        self._env = env
        self._channel = channel
        self._folder = folder
        self._began = env.now()
        self._lines: list[str] = []
        self._forms: dict[int, list[str]] = {}
        self._pictures: dict[int, str] = {}
        self.newest: tuple[int, list[dict[str, Any]]] = (0, [])
        env.backend.subscribers.append(self._saw)

    @property
    def pictures(self) -> int:
        """How many pictures were written."""
        return len(self._pictures)

    def note(self, text: str) -> None:
        """Write down something that the channel does not show, such as a private answer."""
        self._add(text, self._env.now().timestamp())

    def save(self) -> Path:
        """Write the transcript and return its path."""
        path = self._folder / "transcript.txt"
        path.write_text("\n".join(self._lines) + "\n", encoding="utf-8")
        return path

    def _saw(self, event: str, payload: Mapping[str, Any]) -> None:
        if str(payload.get("channel_id")) != str(self._channel):
            return
        match event:
            case "MESSAGE_CREATE" | "MESSAGE_UPDATE":
                self._message(payload)
            case "MESSAGE_DELETE":
                shown = self._forms.pop(int(payload["id"]), None)
                if shown:
                    self.note(f"(removed) {shown[0]}")
            case _:
                return

    def _message(self, payload: Mapping[str, Any]) -> None:
        now = self._env.now().timestamp()
        author = payload["author"]["username"]
        if payload.get("components") and int(payload["id"]) >= self.newest[0]:
            self.newest = (int(payload["id"]), list(payload["components"]))
        content = payload.get("content") or ""
        parts = [readable(text, now) for text in texts(payload.get("components", ()))]
        lines = [line for text in [content, *parts] if text for line in text.splitlines()]
        buttons = labels(payload.get("components", ()))
        if buttons:
            lines.append(" ".join(f"[{label}]" for label in buttons))
        lines += [f"<{self._picture(attachment)}>" for attachment in payload.get("attachments", ())]
        before = self._forms.get(int(payload["id"]))
        self._forms[int(payload["id"])] = lines
        if before is None:
            self._add(f"{author}: " + "\n".join(lines), now)
        else:
            changed = [line for line in lines if line not in before]
            if changed:
                self._add(f"{author} (edited): " + "\n".join(changed), now)

    def _picture(self, attachment: Mapping[str, Any]) -> str:
        """Write a picture on first sight; return its file's name."""
        known = self._pictures.get(int(attachment["id"]))
        if known is not None:
            return known
        name = f"{len(self._pictures) + 1:03d}-{attachment['filename']}"
        self._pictures[int(attachment["id"])] = name
        data = self._env.backend.cdn.get(attachment["url"])
        if data is not None:
            (self._folder / name).write_bytes(data)
        return name

    def _add(self, text: str, now: float) -> None:
        seconds = now - self._began.timestamp()
        stamp = f"{int(seconds // 60):02d}:{seconds % 60:06.3f}"
        first, *rest = text.splitlines() or [""]
        self._lines.append(f"[{stamp}] {first}")
        self._lines += [f"{'':12}{line}" for line in rest]
