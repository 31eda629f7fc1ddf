"""The look of a match: settings of a server that do not affect the rules."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Final

from bot.pictures.theme import DEFAULT_THEME, THEMES

if TYPE_CHECKING:
    from collections.abc import Mapping

LOOK_SECTION: Final = "channel"
"""The section of a server's settings that holds the look."""

MIN_DISTANCE: Final = 3
MAX_DISTANCE: Final = 12


@dataclass(frozen=True, slots=True)
class Look:
    """The look of one match.

    Attributes:
        theme: the name of the pictures' theme.
        distance: how many messages can follow the match's message before it is posted again.
        tidy: whether the messages of decided claims are deleted.
    """

    theme: str = DEFAULT_THEME
    distance: int = 4
    tidy: bool = False

    def plain(self) -> dict[str, Any]:
        """Return the look as plain values, for the log of a match."""
        return asdict(self)


def read_look(plain: Mapping[str, Any]) -> Look:
    """Return the look in a log. Missing and unknown values become the defaults."""
    default = Look()
    theme = plain.get("theme")
    distance = plain.get("distance")
    return Look(
        theme=theme if isinstance(theme, str) and theme in THEMES else default.theme,
        distance=distance if isinstance(distance, int) else default.distance,
        tidy=bool(plain.get("tidy", default.tidy)),
    )
