"""What all games say and do alike: the lobby, a pause, the end without a winner, refusals."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from bot.games.names import escaped, unformatted
from bot.games.plug import Press, Prompt, relative
from bot.games.sheet import Block, Button, Buttons, Select, Sheet, Text, Verb
from bot.pictures.theme import SEAT_EMOJI
from game import lobby
from game.actions import Action, Join, Leave, Rematch, Resume, Start, Stop
from game.events import Event, Refusal, Refused, RematchAsked, Seated, StopAsked, Unseated
from game.match import PAUSE_KEY, PAUSE_MS, End, Level, PauseReason, Phase

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bot.games.choices import Choice
    from bot.games.plug import MatchView
    from bot.locales.catalogue import Words
    from game.match import Seat

STONE: Final = 0x7A8B84
EMBER: Final = 0xC8553D
MOSS: Final = 0x4F8F5B
GOLD: Final = 0xD9A441
LOBBY_KEY: Final = "lobby"
END_KEY: Final = "end"


def token(seat: Seat) -> str:
    """Return a seat's token as emoji; a simulated opponent carries a second mark."""
    return SEAT_EMOJI[seat.number] + ("🤖" if seat.user is None else "")


def seat_name(seat: Seat) -> str:
    """Return a seat's token and name for a message."""
    return f"{token(seat)} **{escaped(seat.name)}**"


def level_name(level: Level, words: Words) -> str:
    """Return what a level of simulated opponents is called."""
    match level:
        case Level.APPRENTICE:
            return words.text("apprentice")
        case Level.JOURNEYMAN:
            return words.text("journeyman")
        case Level.MASTER:
            return words.text("master")


def press(view: MatchView, pressed: Press, leaving: str) -> Action | Prompt | None:
    """Return what one of the buttons does that every game has; None for other buttons.

    Args:
        view: the match.
        pressed: the press.
        leaving: the question before somebody leaves a match under way for good.
    """
    match, user = view.match, pressed.user
    match pressed.verb:
        case Verb.JOIN:
            return Join(id=pressed.id, user=user, name=pressed.name)
        case Verb.LEAVE if match.seat_of(user) is not None and match.phase is not Phase.LOBBY:
            label = view.words.text("Leave the match")
            return Prompt(leaving, (Button(Verb.LEAVE_NOW, label, "danger"),))
        case Verb.LEAVE | Verb.LEAVE_NOW:
            return Leave(id=pressed.id, user=user)
        case Verb.START:
            return Start(id=pressed.id, user=user)
        case Verb.CANCEL:
            return Stop(id=pressed.id, user=user, manager=pressed.manager)
        case Verb.RESUME:
            return Resume(id=pressed.id, user=user)
        case Verb.REMATCH:
            return Rematch(id=pressed.id, user=user)
        case _:
            return None


def lobby_selects(choices: Sequence[Choice[Any]], settings: Any, words: Words) -> list[Block]:
    """Return a select for each choice that the host can make in the lobby."""
    blocks: list[Block] = []
    for choice in choices:
        if choice.in_lobby:
            title = Text(choice.title(words), passing=True)
            blocks += [title, Select(choice.name, choice.offers(words), choice.read(settings))]
    return blocks


def lobby_sheet(
    view: MatchView, title: str, facts: Sequence[str], most: int, selects: Sequence[Block] = ()
) -> Sheet:
    """Return the lobby while it is open, or how it ended.

    Args:
        view: the match.
        title: the heading.
        facts: small lines that say which rules are played and how.
        most: how many seats the game has.
        selects: what the host can choose, as `lobby_selects` returns it.
    """
    match, words = view.match, view.words
    blocks: list[Block] = [Text(f"## {title}"), Text(_seats(view, most))]
    if match.phase is not Phase.LOBBY:
        return Sheet(LOBBY_KEY, STONE, (*blocks, Text(_lobby_end(view))))
    closes = relative(match.moment(lobby.deadline(match)))
    if match.full is None:
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
    return Sheet(LOBBY_KEY, MOSS, tuple(blocks))


def _seats(view: MatchView, most: int) -> str:
    match, words = view.match, view.words
    lines: list[str] = []
    for seat in match.seats:
        if seat.user is None:
            level = level_name(seat.level or Level.JOURNEYMAN, words)
            note = words.text("simulated, {level}", level=level)
        else:
            note = words.text("host") if seat.user == match.host else ""
        lines.append(seat_name(seat) + (f" · {note}" if note else ""))
    free = most - len(match.seats)
    if free and match.phase is Phase.LOBBY:
        lines.append("▫️ " + words.count("one free seat", "{n} free seats", free))
    return "\n".join(lines) or "▫️"


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


def pause_sheet(view: MatchView, rest: str) -> Sheet:
    """Return the message of a paused match.

    Args:
        view: the match.
        rest: why the game itself pauses a match in which nobody moves.
    """
    match, words = view.match, view.words
    if match.pause is PauseReason.NO_CALLERS:
        why = rest
    else:
        why = words.text("I could not post here, so the match stands still.")
    lapse = match.moment(match.since + PAUSE_MS)
    how = words.text(
        "Any player can press **Go on**. If nobody does, the match ends {when} without a result.",
        when=relative(lapse),
    )
    return Sheet(
        PAUSE_KEY,
        STONE,
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
    return Sheet(END_KEY, EMBER, (Text(void_text(view)),))


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
    """Return the line that says who wants to stop, while somebody does."""
    match, words = view.match, view.words
    if match.stop_asked is None:
        return None
    asking = [seat_name(s) for s in match.present if s.user in match.stop_votes]
    missing = len(match.people) - len(asking)
    return words.count(
        "🛑 Wants to stop: {who}. One more player has to agree with `/{game} stop`.",
        "🛑 Wants to stop: {who}. {n} more players have to agree with `/{game} stop`.",
        missing,
        game=view.game,
        who=words.listed(asking),
    )


def answer(view: MatchView, events: Sequence[Event], user: int) -> str | None:
    """Return what a person is told privately about shared actions."""
    match, words = view.match, view.words
    for event in events:
        match event:
            case Refused():
                return refusal(view, event)
            case Seated():
                return words.text("You have a seat. Have fun!")
            case Unseated() if event.user == user:
                return words.text("You have left. Thanks for playing!")
            case StopAsked():
                return words.count(
                    "Noted. One more player has to agree within a minute.",
                    "Noted. {n} more players have to agree within a minute.",
                    event.missing,
                )
            case RematchAsked() if match.phase is Phase.OVER:
                return words.text("Noted. The rematch starts when everybody wants it.")
            case _:
                continue
    return None


def refusal(view: MatchView, event: Refused) -> str:
    """Return why something was refused, and what to do instead; a game words its own reasons."""
    match, words = view.match, view.words
    host = next((s for s in match.seats if s.user == match.host and s.out is None), None)
    who = escaped(host.name) if host else words.text("the host")
    match event.reason:
        case Refusal.NOT_SEATED:
            return words.text("You have no seat in this match.")
        case Refusal.ALREADY_SEATED:
            return words.text("You have a seat already.")
        case Refusal.TABLE_FULL:
            return words.text("All seats are taken. Join the next match!")
        case Refusal.HOST_STARTS:
            seconds = -(-event.wait_ms // 1000)
            return words.count(
                "{who} is the host and starts the match. In {n} second anybody seated may.",
                "{who} is the host and starts the match. In {n} seconds anybody seated may.",
                seconds,
                who=who,
            )
        case Refusal.TOO_FEW:
            return words.text(
                "It takes at least two. Wait for somebody to join, or open a lobby with "
                "`/{game} play opponents:1`.",
                game=view.game,
            )
        case Refusal.ONLY_HOST_STOPS:
            return words.text(
                "Only {who}, or somebody who manages the channel, can stop it now.", who=who
            )
        case Refusal.NOT_PAUSED:
            return words.text("The match is not paused.")
        case Refusal.NO_OFFER:
            return words.text(
                "The offer of a rematch is over. `/{game} play` opens a new match.",
                game=view.game,
            )
        case Refusal.ONLY_HOST_CHOOSES:
            return words.text("Only {who} can change that.", who=who)
        case _:
            return words.text("That is no longer possible.")


def seat_names(seats: Sequence[Seat], words: Words) -> str:
    """Return seats as a list in a sentence."""
    return words.listed([seat_name(seat) for seat in seats])


def alt_name(seat: Seat) -> str:
    """Return a seat's name for alt text."""
    return unformatted(seat.name)
