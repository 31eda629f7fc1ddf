"""The messages that every game has: the lobby, a pause, an end without a result."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from bot.games.names import seat_name
from bot.games.sheet import (
    GREEN,
    GREY,
    RED,
    Block,
    Button,
    Buttons,
    Select,
    Sheet,
    Text,
    Verb,
    relative_time,
)
from game import lobby
from game.match import PAUSE_KEY, PAUSE_MS, End, Level, PauseReason, Phase

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bot.games.choices import Choice
    from bot.games.plug import MatchView
    from bot.locales.catalogue import Words

LOBBY_KEY: Final = "lobby"
END_KEY: Final = "end"


def lobby_selects(choices: Sequence[Choice[Any]], settings: Any, words: Words) -> list[Block]:
    """Return a title and a select for each choice that the host can change in the lobby."""
    blocks: list[Block] = []
    for choice in choices:
        if choice.in_lobby:
            title = Text(choice.title(words), temporary=True)
            blocks += [title, Select(choice.name, choice.options(words), choice.read(settings))]
    return blocks


def lobby_sheet(
    view: MatchView, title: str, facts: Sequence[str], most: int, selects: Sequence[Block] = ()
) -> Sheet:
    """Return the message of a lobby, open or closed.

    Args:
        view: the match.
        title: the heading.
        facts: small lines about the rules of the match.
        most: how many seats the game has.
        selects: the selects for the host, as `lobby_selects` returns them.
    """
    match, words = view.match, view.words
    blocks: list[Block] = [Text(f"## {title}"), Text(_seats(view, most))]
    if match.phase is not Phase.LOBBY:
        return Sheet(LOBBY_KEY, GREY, (*blocks, Text(_lobby_end(view))))
    closes = relative_time(match.discord_ms(lobby.deadline(match)))
    if match.full_since is None:
        waiting = words.text("Press **Join** to take a seat. The lobby closes {when}.", when=closes)
    else:
        waiting = words.text("All seats are taken: the match starts {when}.", when=closes)
    small = "\n".join(f"-# {fact}" for fact in facts)
    buttons = (
        Button(Verb.JOIN, words.text("Join"), "success"),
        Button(Verb.LEAVE, words.text("Leave")),
        Button(Verb.START, words.text("Start"), "primary"),
        Button(Verb.CANCEL, words.text("Cancel"), "danger"),
    )
    blocks += [Text(f"{waiting}\n{small}"), *selects, Buttons(buttons)]
    return Sheet(LOBBY_KEY, GREEN, tuple(blocks))


def _seats(view: MatchView, most: int) -> str:
    match, words = view.match, view.words
    lines: list[str] = []
    for seat in match.seats:
        if seat.user is None:
            level = _level_name(seat.level or Level.JOURNEYMAN, words)
            note = words.text("simulated, {level}", level=level)
        else:
            note = words.text("host") if seat.user == match.host else ""
        lines.append(seat_name(seat) + (f" · {note}" if note else ""))
    free = most - len(match.seats)
    if free and match.phase is Phase.LOBBY:
        lines.append("▫️ " + words.count("one free seat", "{n} free seats", free))
    return "\n".join(lines) or "▫️"


def _level_name(level: Level, words: Words) -> str:
    """Return the name of a level of simulated opponents."""
    match level:
        case Level.APPRENTICE:
            return words.text("apprentice")
        case Level.JOURNEYMAN:
            return words.text("journeyman")
        case Level.MASTER:
            return words.text("master")


def _lobby_end(view: MatchView) -> str:
    words = view.words
    match view.match.end:
        case None:
            return words.text("The match has started.")
        case End.LOBBY_LAPSED:
            return words.text("Nobody started within five minutes, so this lobby is closed.")
        case End.LOBBY_EMPTY:
            return words.text("Everybody left, so this lobby is closed.")
        case End.CANCELLED:
            return words.text("This lobby was cancelled.")
        case _:
            return void_text(view)


def pause_sheet(view: MatchView, reason: str) -> Sheet:
    """Return the message of a paused match.

    Args:
        view: the match.
        reason: why a match without callers is paused, as a sentence.
    """
    match, words = view.match, view.words
    if match.pause is PauseReason.NO_CALLERS:
        why = reason
    else:
        why = words.text("I could not post here, so the match stands still.")
    how = words.text(
        "Any player can press **Go on**. If nobody does, the match ends {when} without a result.",
        when=relative_time(match.discord_ms(match.since + PAUSE_MS)),
    )
    return Sheet(
        PAUSE_KEY,
        GREY,
        (
            Text(f"## {words.text('Paused')}\n{why}\n{how}"),
            Buttons(
                (
                    Button(Verb.RESUME, words.text("Go on"), "success"),
                    Button(Verb.LEAVE, words.text("Leave")),
                )
            ),
        ),
    )


def void_sheet(view: MatchView) -> Sheet:
    """Return the message of a match that ended without a result."""
    return Sheet(END_KEY, RED, (Text(void_text(view)),))


def void_text(view: MatchView) -> str:
    """Return why a match ended without a result."""
    words = view.words
    match view.match.end:
        case End.ABANDONED:
            return words.text("Too few players are left: the match is void and counts for nothing.")
        case End.PAUSE_LAPSED:
            return words.text("Nobody went on within ten minutes: the match is void.")
        case End.FAULT:
            return words.text(
                "Something broke in this match, and I had to end it. It is void; sorry! "
                "`/{game} play` starts a new one.",
                game=view.game,
            )
        case End.UNKNOWN_RULES:
            return words.text("The rules have changed since: the match is void. Sorry!")
        case _:
            return words.text("The match was stopped: it is void and counts for nothing.")


def stop_line(view: MatchView) -> str | None:
    """Return the line about a vote to stop the match, or None if there is no vote."""
    match, words = view.match, view.words
    if match.stop_asked_at is None:
        return None
    asking = [seat_name(s) for s in match.active_seats if s.user in match.stop_votes]
    missing = len(match.people) - len(asking)
    return words.count(
        "🛑 Wants to stop: {who}. One more player has to agree with `/{game} stop`.",
        "🛑 Wants to stop: {who}. {n} more players have to agree with `/{game} stop`.",
        missing,
        game=view.game,
        who=words.listed(asking),
    )
