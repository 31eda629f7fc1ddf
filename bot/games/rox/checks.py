"""Checked rows as text: how many cards hold, and why the next one does not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.games.names import seat_name
from bot.games.rox.wording import element_label
from game.rox.state import number_of

if TYPE_CHECKING:
    from bot.games.plug import MatchView
    from game.match import Match
    from game.rox.prizes import CheckedRow
    from game.rox.state import RoxGame


def row_line(view: MatchView, match: Match[RoxGame], game: RoxGame, row: CheckedRow) -> str:
    """Return the line about a checked row."""
    words = view.words
    who = seat_name(match.seats[row.seat])
    cards = game.row_of(row.seat)
    if row.valid == row.length:
        line = words.count(
            "✅ {who}: {n} card, it holds.",
            "✅ {who}: {n} cards, all hold.",
            row.length,
            who=who,
        )
    else:
        held = game.hands[row.seat].row
        line = words.text(
            "❌ {who}: {valid} of {length} hold. "
            "{before} asks for {asked}, but {after} is {found}.",
            who=who,
            valid=row.valid,
            length=row.length,
            before=number_of(held[row.valid - 1].index),
            asked=element_label(cards[row.valid - 1].answer, words),
            after=number_of(held[row.valid].index),
            found=element_label(cards[row.valid].centre, words),
        )
    if game.reveal > 1:
        line += " " + _prize(view, game, row)
    return line


def _prize(view: MatchView, game: RoxGame, row: CheckedRow) -> str:
    words = view.words
    prize = game.scores[-1][row.seat]
    if prize:
        return words.text("**+{prize}**", prize=prize)
    if row.valid < game.settings.shortest:
        return words.text("Too short for a prize.")
    return words.text("No prize left.")
