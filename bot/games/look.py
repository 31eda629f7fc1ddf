"""How a match is shown: what a server chooses about its channel, not about the rules."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Final

from bot.pictures.theme import DEFAULT_THEME, THEMES

if TYPE_CHECKING:
    from collections.abc import Mapping

LOOK_SECTION: Final = "channel"
"""The name of the section in which a server's choices are kept."""

MIN_DISTANCE: Final = 3
MAX_DISTANCE: Final = 12


@dataclass(frozen=True, slots=True)
class Look:
    """The look of one match.

    Attributes:
        theme: the name of the pictures' theme.
        distance: how many messages may push the table up before it is posted again.
        tidy: whether messages of decided claims are removed.
    """

    theme: str = DEFAULT_THEME
    distance: int = 4
    tidy: bool = False

    def plain(self) -> dict[str, Any]:
        """Return it as plain values, for the log of a match."""
        return asdict(self)


def read_look(plain: Mapping[str, Any]) -> Look:
    """Return the look that a log holds; what is missing or unknown is the default."""
    usual = Look()
    theme = plain.get("theme")
    distance = plain.get("distance")
    return Look(
        theme=theme if isinstance(theme, str) and theme in THEMES else usual.theme,
        distance=distance if isinstance(distance, int) else usual.distance,
        tidy=bool(plain.get("tidy", usual.tidy)),
    )
