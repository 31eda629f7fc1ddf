"""Values that tests compare: from a match, from the database, from Discord's side."""

from __future__ import annotations

import asyncio

from game.match import PauseReason, Phase

TABLE = ["table.png", "last-cards.png"]
"""The pictures of a message that shows an open table."""
WAS_AWAY = "I was away for a moment; the match goes on."


def seat_names(table):
    """Return who sits where, seat by seat."""
    return [seat.name for seat in table.match.seats]


def outcomes(table):
    """Return the outcome, the seat and the number of each claim of the race."""
    return [(note.outcome, note.seat, note.number) for note in table.game.recent_claims]


def paused_for_permission(table):
    """Return whether the match is paused because the bot lacks a permission."""
    return table.match.phase is Phase.PAUSED and table.match.pause is PauseReason.PERMISSION


def says_it_was_away(table):
    """Return whether the newest message says that the bot was away."""
    return table.texts().startswith(WAS_AWAY)


def ids_with_buttons(table):
    """Return the ids of the messages with buttons."""
    return [m.id for m in table.messages if table.buttons(m)]


def direct_messages(person):
    """Return the direct messages that somebody has received."""
    return [m.content for m in person.user.dm_channel.history()]


def reaction_calls(world):
    """Return the bot's calls that concern reactions."""
    return [r for r in world.env.http_requests if "/reactions/" in r.path]


def stored_statuses(world):
    """Return status and closed of all stored matches, oldest first."""
    return world.rows("select status, closed from matches order by id")


def tasks_of_matches():
    """Return the names of the tasks that work for a match and are not done."""
    names = [task.get_name() for task in asyncio.all_tasks()]
    return [
        name for name in names if name.startswith(("match-", "display-", "cleanup-", "private-"))
    ]
