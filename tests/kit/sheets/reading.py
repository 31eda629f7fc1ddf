"""Reading what the bot writes, by means of its own: markdown, sheets, the limits of Discord."""

from __future__ import annotations

import re
import string
from typing import TYPE_CHECKING

from bot.games.sheet import Buttons, Picture, Text

if TYPE_CHECKING:
    from bot.games.sheet import Sheet

FSI, PDI = "\u2068", "\u2069"

HOSTILE = (
    "@everyone",
    "<@&1>",
    "```",
    "_a_",
    "||a||",
    "<t:0:R>",
    "https://evil.example",
    "</rox play:1>",
    "<:a:1>",
    "**b** *c* ~~d~~ `e`",
    "[x](https://a.example)",
    "# big",
    "> quote",
    "- list",
    "1. one",
    "back\\",
    "{0} {n} %s %(who)s",
    "\N{FULLWIDTH LATIN CAPITAL LETTER W}" * 32,
    "\N{CUNEIFORM SIGN LUGAL OPPOSING LUGAL}" * 32,
    "שלום עולם",
    "Z̸̢̛͎͓̼̰a̵͕͝l̶̨g̷o",
    "👩‍👩‍👧‍👦 👍🏽",
    "a\nb\r\nc\td",
    "\u202eevil\u202c",
    "\u200b\u2060",
    " ",
)
"""Names that people of other servers bear."""


def marks(text: str) -> list[tuple[str, bool]]:
    """Return each character with whether a backslash took its meaning away.

    In Discord's markdown a backslash before anything but letters, digits and white space shows
    that character itself.
    """
    found: list[tuple[str, bool]] = []
    position = 0
    while position < len(text):
        char = text[position]
        following = text[position + 1 : position + 2]
        if char == "\\" and following and not following.isalnum() and not following.isspace():
            found.append((following, True))
            position += 2
        else:
            found.append((char, False))
            position += 1
    return found


def isolated(text: str) -> list[list[tuple[str, bool]]]:
    """Return the isolated spans of a text, which is where names are."""
    spans: list[list[tuple[str, bool]]] = []
    inside = False
    for mark in marks(text):
        if mark[0] == FSI:
            assert not inside, text
            spans.append([])
            inside = True
        elif mark[0] == PDI:
            assert inside, text
            inside = False
        elif inside:
            spans[-1].append(mark)
    assert not inside, text
    return spans


def names_in(text: str) -> list[str]:
    """Return the names in a text as somebody sees them; none of them may do anything."""
    spans = isolated(text)
    for span in spans:
        active = [char for char, quiet in span if not quiet and char in string.punctuation]
        assert not active, (text, active)
        assert not any(char in "\r\n" for char, _ in span), text
    return ["".join(char for char, _ in span) for span in spans]


def without_names(text: str) -> str:
    """Return a text with an X in the place of each name."""
    return re.sub(f"{FSI}[^{FSI}{PDI}]*{PDI}", "X", text)


def texts(sheet: Sheet) -> str:
    return "\n".join(block.content for block in sheet.blocks if isinstance(block, Text))


def buttons(sheet: Sheet) -> list[str]:
    return [
        button.label
        for block in sheet.blocks
        if isinstance(block, Buttons)
        for button in block.items
    ]


def alt(sheet: Sheet, name: str) -> str:
    return next(picture.alt for picture in sheet.pictures if picture.name == name)


def alts(sheet: Sheet) -> str:
    return "\n".join(block.alt for block in sheet.blocks if isinstance(block, Picture))
