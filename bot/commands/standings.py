"""Figures of players, as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.games.names import shown

if TYPE_CHECKING:
    from bot.locales.catalogue import Words
    from bot.store.standings import Board, Standing


def stats_text(standing: Standing, words: Words) -> str:
    """Return one person's figures in a server."""
    facts = [
        words.text("Rank **{rank}** in this server", rank=standing.rank),
        words.count("**{n}** match", "**{n}** matches", standing.matches)
        + " · "
        + words.count("**{n}** win", "**{n}** wins", standing.wins),
        words.count("**{n}** point", "**{n}** points", standing.points),
        words.text("Average place {place}", place=words.number(round(standing.average_place, 2))),
        _right(standing, words),
        _fastest(standing, words),
    ]
    lines = "\n".join(f"- {fact}" for fact in facts)
    return f"### {words.text('Rox: {name}', name=shown(standing.name))}\n{lines}"


def board_text(board: Board, words: Words) -> str:
    """Return the top of a server's leaderboard."""
    lines = [f"### {words.text('Rox: leaderboard')}"]
    lines += [_board_line(row, words) for row in board.rows]
    hidden = board.total - len(board.rows)
    if hidden > 0:
        lines.append("-# " + words.count("and one more player", "and {n} more players", hidden))
    lines.append(
        "-# " + words.text("Ranked by wins, then points. `/rox stats` shows one player's figures.")
    )
    return "\n".join(lines)


def _board_line(row: Standing, words: Words) -> str:
    wins = words.count("{n} win", "{n} wins", row.wins)
    points = words.count("{n} point", "{n} points", row.points)
    matches = words.count("{n} match", "{n} matches", row.matches)
    facts = [
        wins,
        points,
        matches,
        words.text("ø place {place}", place=words.number(round(row.average_place, 2))),
    ]
    if row.figures.get("cards"):
        share = row.figures["right"] / row.figures["cards"]
        facts.append(words.text("{share} % right", share=round(share * 100)))
    if "fastest_ms" in row.figures:
        seconds = words.number(round(row.figures["fastest_ms"] / 1000, 1))
        facts.append(words.text("fastest row {seconds} s", seconds=seconds))
    return f"**{row.rank}.** {shown(row.name)} · {' · '.join(facts)}"


def _right(standing: Standing, words: Words) -> str:
    if not standing.figures.get("cards"):
        return words.text("Right cards: none checked yet")
    share = standing.figures["right"] / standing.figures["cards"]
    return words.text("Right cards: {share} %", share=round(share * 100))


def _fastest(standing: Standing, words: Words) -> str:
    if "fastest_ms" not in standing.figures:
        return words.text("No full row that held yet")
    seconds = words.number(round(standing.figures["fastest_ms"] / 1000, 1))
    return words.text("Fastest full row: {seconds} s", seconds=seconds)
