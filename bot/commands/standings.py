"""Standings of players as text: one player's figures, and the leaderboard."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.games.names import escaped

if TYPE_CHECKING:
    from bot.games.plug import GamePlug
    from bot.locales.catalogue import Words
    from bot.store.standings import Board, Standing


def stats_text(game: GamePlug, standing: Standing, words: Words) -> str:
    """Return the figures of a player in a server."""
    facts = [
        words.text("Rank **{rank}** in this server", rank=standing.rank),
        words.count("**{n}** match", "**{n}** matches", standing.matches)
        + " · "
        + words.count("**{n}** win", "**{n}** wins", standing.wins),
        words.count("**{n}** point", "**{n}** points", standing.points),
        words.text("Average place {place}", place=words.number(round(standing.average_place, 2))),
        *game.stats_lines(standing.figures, words),
    ]
    lines = "\n".join(f"- {fact}" for fact in facts)
    heading = words.text("{title}: {name}", title=game.title, name=escaped(standing.name))
    return f"### {heading}\n{lines}"


def leaderboard_text(game: GamePlug, board: Board, words: Words) -> str:
    """Return the top of the leaderboard of a server."""
    heading = words.text("{title}: leaderboard", title=game.title)
    lines = [f"### {heading}"]
    lines += [_leaderboard_line(game, row, words) for row in board.rows]
    hidden = board.total - len(board.rows)
    if hidden > 0:
        lines.append("-# " + words.count("and one more player", "and {n} more players", hidden))
    lines.append(
        "-# "
        + words.text(
            "Ranked by wins, then points. `/{game} stats` shows one player's figures.",
            game=game.machine.rules.name,
        )
    )
    return "\n".join(lines)


def _leaderboard_line(game: GamePlug, row: Standing, words: Words) -> str:
    wins = words.count("{n} win", "{n} wins", row.wins)
    points = words.count("{n} point", "{n} points", row.points)
    matches = words.count("{n} match", "{n} matches", row.matches)
    facts = [
        wins,
        points,
        matches,
        words.text("ø place {place}", place=words.number(round(row.average_place, 2))),
    ]
    facts += game.board_facts(row.figures, words)
    return f"**{row.rank}.** {escaped(row.name)} · {' · '.join(facts)}"
