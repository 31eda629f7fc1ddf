"""Actions that every game has: the buttons for them, and the private answers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.games.names import escaped
from bot.games.plug import Press, Prompt
from bot.games.sheet import Button, Verb
from game.actions import Action, Join, Leave, Rematch, Resume, Start, Stop
from game.events import Event, Refusal, Refused, RematchAsked, Seated, StopAsked, Unseated
from game.match import Phase

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bot.games.plug import MatchView


def press(view: MatchView, pressed: Press, leave_question: str) -> Action | Prompt | None:
    """Return the action of a button that every game has; None for other buttons.

    Args:
        view: the match.
        pressed: the press.
        leave_question: the question to a player who presses Leave during a match.
    """
    match, user = view.match, pressed.user
    match pressed.verb:
        case Verb.JOIN:
            return Join(id=pressed.id, user=user, name=pressed.name)
        case Verb.LEAVE if match.seat_of(user) is not None and match.phase is not Phase.LOBBY:
            label = view.words.text("Leave the match")
            return Prompt(leave_question, (Button(Verb.LEAVE_NOW, label, "danger"),))
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


def answer(view: MatchView, events: Sequence[Event], user: int) -> str | None:
    """Return the private answer to an action that every game has; None if none is needed."""
    match, words = view.match, view.words
    for event in events:
        match event:
            case Refused():
                return _refusal_text(view, event)
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


def _refusal_text(view: MatchView, event: Refused) -> str:
    """Return why an action was refused. A game adds texts for its own reasons."""
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
