"""Rox explained in half a minute, with one worked example."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.games.rox import terms

if TYPE_CHECKING:
    from bot.locales.catalogue import Words
    from game.rox.settings import RoxSettings


def rules_text(settings: RoxSettings, words: Words) -> str:
    """Return the rules, and which of the presets a server plays."""
    parts = [
        "### " + words.text("Rox in half a minute"),
        words.text(
            "Everybody races at once. Look at the **last card of your row** and count the sixteen "
            "symbols around its edge. The element that is there most often is the **stone** your "
            "next card must have in its middle. Find such a card on the table and take it: type "
            "its number."
        ),
        words.text(
            "*Example:* around your card you count 5 🔺 fire, 4 💧 water, 3 ⭐ air, 2 🟩 earth and "
            "2 ⚪ magic. Fire leads, so you take any card with a fire stone, say `42`. Then you "
            "count around card 42."
        ),
        words.text(
            "One card at a time; the first message wins a card. Noticed a mistake? `0` puts your "
            "last card back. The **sixth card ends the round**. Then each row is checked: it "
            "counts up to its first wrong stone. The longest row takes the best prize. Five "
            "rounds; most points win."
        ),
        "-# " + terms.preset_text(settings.preset, words),
        "-# " + terms.checking_text(settings.checking, words),
        "-# " + terms.shortest_text(settings, words),
        words.text("`/rox play` opens a lobby; `/rox play opponents:2` plays against the bot."),
    ]
    return "\n".join(parts)
