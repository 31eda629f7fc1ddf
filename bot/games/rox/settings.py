"""The choices about a match of Rox, and a short explanation of its rules."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from bot.games.choices import Choice, PlayOption
from bot.games.rox import wording
from bot.locales.catalogue import sentence
from game.rox.settings import Checking, Preset, RoxSettings

if TYPE_CHECKING:
    from bot.locales.catalogue import Words

CHOICES: Final[tuple[Choice[RoxSettings], ...]] = (
    Choice(
        "preset",
        lambda words: words.text("**Rules**: who wins ties, and in which order prizes come."),
        lambda words: (
            ("rulebook", words.text("Rulebook: the caller wins ties")),
            ("fair", words.text("Fair: a caller whose row broke loses ties, prizes grow")),
        ),
        lambda rox: rox.preset.value,
        lambda rox, value: replace(rox, preset=Preset(value)),
        PlayOption("rules", sentence("Which rules decide ties and prizes.")),
    ),
    Choice(
        "checking",
        lambda words: words.text("**Checking**: when a wrong stone shows."),
        lambda words: (
            ("magic-eye", words.text("Magic eye: when the round is over")),
            ("instant", words.text("Instant: at once, for beginners")),
        ),
        lambda rox: rox.checking.value,
        lambda rox, value: replace(rox, checking=Checking(value)),
        PlayOption("checking", sentence("When mistakes show.")),
    ),
    Choice(
        "shortest",
        lambda words: words.text(
            "**Shortest valid row**: from how many cards on a row wins something."
        ),
        lambda words: (("2", words.text("2 cards")), ("3", words.text("3 cards"))),
        lambda rox: str(rox.shortest),
        lambda rox, value: replace(rox, shortest=int(value)),
    ),
    Choice(
        "rest",
        lambda words: words.text("**Hand rest**: how long a hand is busy after each card."),
        lambda words: tuple(
            (str(n), words.count("{n} second", "{n} seconds", n) if n else words.text("none"))
            for n in range(6)
        ),
        lambda rox: str(rox.rest_ms // 1000),
        lambda rox, value: replace(rox, rest_ms=int(value) * 1000),
    ),
)


def rules_text(settings: RoxSettings, words: Words) -> str:
    """Return a short explanation of the rules with these settings."""
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
        "-# " + wording.preset_text(settings.preset, words),
        "-# " + wording.checking_text(settings.checking, words),
        "-# " + wording.shortest_text(settings, words),
        words.text("`/rox play` opens a lobby; `/rox play opponents:2` plays against the bot."),
    ]
    return "\n".join(parts)
