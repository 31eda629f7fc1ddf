"""Sheets: the content of messages that show a match, independent of Discord."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

if TYPE_CHECKING:
    from bot.pictures.scenes import Scene

Style: TypeAlias = Literal["primary", "secondary", "success", "danger"]

GREY: Final = 0x7A8B84
RED: Final = 0xC8553D
GREEN: Final = 0x4F8F5B
GOLD: Final = 0xD9A441

_DISCORD_EPOCH_MS: Final = 1_420_070_400_000


class Verb(StrEnum):
    """The verbs of the buttons that every game has; a game adds its own verbs."""

    JOIN = "join"
    LEAVE = "leave"
    LEAVE_NOW = "leave-now"
    START = "start"
    CANCEL = "cancel"
    MY_CARD = "my-card"
    RESUME = "resume"
    REMATCH = "rematch"


@dataclass(frozen=True, slots=True)
class Text:
    """Markdown, with names already escaped.

    Attributes:
        content: the text.
        temporary: whether it is removed with the buttons, like a countdown.
    """

    content: str
    temporary: bool = False


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture with its alt text (at most 1024 characters)."""

    name: str
    scene: Scene
    alt: str


@dataclass(frozen=True, slots=True)
class Button:
    """A button. The game checks at the press whether the user may use it.

    Attributes:
        verb: what it does, in lower case letters, digits and hyphens.
        label: its text.
        style: its style, as discord.py names it.
        emoji: an emoji before the label.
    """

    verb: str
    label: str
    style: Style = "secondary"
    emoji: str | None = None


@dataclass(frozen=True, slots=True)
class Buttons:
    """A row of up to five buttons."""

    items: tuple[Button, ...]


@dataclass(frozen=True, slots=True)
class Select:
    """A select in which the host picks one value of a choice.

    Attributes:
        choice: the choice's name.
        options: the value and the label of each option.
        value: the current value.
    """

    choice: str
    options: tuple[tuple[str, str], ...]
    value: str


Block: TypeAlias = Text | Picture | Buttons | Select


@dataclass(frozen=True, slots=True)
class Sheet:
    """A message that shows a match.

    Attributes:
        key: identifies the message (`game.match.Post`); a sheet with another key is posted as a
            new message.
        colour: the accent colour, as 0xRRGGBB.
        blocks: its parts from top to bottom.
        silent: whether the post notifies nobody.
        keep_in_view: whether it is posted again once chat has pushed it up.
    """

    key: str
    colour: int
    blocks: tuple[Block, ...]
    silent: bool = True
    keep_in_view: bool = False

    @property
    def pictures(self) -> tuple[Picture, ...]:
        """Its pictures from top to bottom."""
        return tuple(block for block in self.blocks if isinstance(block, Picture))

    def without_buttons(self) -> Sheet:
        """Return the sheet without buttons, selects and temporary texts."""
        return replace(self, blocks=tuple(block for block in self.blocks if _stays(block)))


def _stays(block: Block) -> bool:
    if isinstance(block, Text):
        return not block.temporary
    return not isinstance(block, Buttons | Select)


def relative_time(ms: int) -> str:
    """Return a timestamp that Discord shows as a countdown in the reader's language.

    Args:
        ms: the moment, in milliseconds of Discord's ids.
    """
    return f"<t:{(ms + _DISCORD_EPOCH_MS + 500) // 1000}:R>"
