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
            "*Example:* around your card you count 6 ⭐ air, 3 🟩 earth, 3 ⚪ magic, 2 🔺 fire and "
            "2 💧 water. Air leads, so you take any card with an air stone, say `37`. Then you "
            "count around card 37."
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
