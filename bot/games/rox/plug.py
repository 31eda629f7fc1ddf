"""The plug of Rox."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bot.games import shared_actions
from bot.games.plug import DecidedMessage, GameCommand, NumberOption, Press
from bot.games.rox import figures as rox_figures
from bot.games.rox import pictures as rox_pictures
from bot.games.rox import settings as rox_settings
from bot.games.rox import sheets, wording
from bot.games.rox.answers import answer
from bot.games.rox.wording import Verb
from bot.locales.catalogue import sentence
from bot.pictures.rox.game_pictures import ROX_PICTURES
from game.match import Level
from game.rox.actions import Back, Claim, Ready
from game.rox.claims import HIGHEST, LOWEST, Number, PutBack, parse
from game.rox.engine import ROX, read_settings
from game.rox.events import Claimed, Revealed, RoundBegan
from game.rox.settings import RoxSettings
from game.rox.state import REVEAL_MS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bot.games.plug import Form, MatchView, Prompt
    from bot.games.sheet import Picture, Sheet
    from bot.locales.catalogue import Words
    from game.actions import Action
    from game.events import Event
    from game.machine import Machine


class RoxPlug:
    """Rox as a `bot.games.plug.GamePlug`."""

    title = "Rox"
    description = sentence("The card race Rox.")
    levels = tuple(Level)
    default_level = Level.JOURNEYMAN
    settings_type = RoxSettings
    choices = rox_settings.CHOICES
    pictures = ROX_PICTURES
    commands = (
        GameCommand(
            "take",
            sentence("Take a card, as typing its number does."),
            lambda press, values: Claim(press.id, user=press.user, number=values["number"]),
            (NumberOption("number", sentence("The card's number."), LOWEST, HIGHEST),),
        ),
        GameCommand(
            "back",
            sentence("Put your last card back."),
            lambda press, _: Back(press.id, user=press.user),
        ),
    )

    @property
    def machine(self) -> Machine[Any]:
        """The machine of Rox."""
        return ROX

    def read_settings(self, plain: Mapping[str, Any]) -> RoxSettings:
        """Return the settings of an opening."""
        return read_settings(plain)

    def read(self, text: str, user: int, message: int) -> Action | None:
        """Return the claim or the put-back that a text stands for, or None for chat."""
        match parse(text):
            case Number(value):
                return Claim(id=message, user=user, number=value, typed=True)
            case PutBack():
                return Back(id=message, user=user, typed=True)
            case None:
                return None

    def stays(self, key: str) -> bool:
        """Return whether a message stays: tables, checks and lobbies do."""
        return sheets.stays(key)

    def begins_round(self, events: Sequence[Event]) -> bool:
        """Return whether a round begins, which is when its get-ready time begins."""
        return any(isinstance(event, RoundBegan) for event in events)

    def ends_round(self, events: Sequence[Event]) -> bool:
        """Return whether a round ends, which is when its prizes are shown."""
        return any(isinstance(event, Revealed) and event.step == len(REVEAL_MS) for event in events)

    def press(self, view: MatchView, press: Press) -> Action | Form | Prompt | None:
        """Return the action of a button; Put back and Ready are those that only Rox has."""
        match press.verb:
            case Verb.BACK:
                return Back(id=press.id, user=press.user)
            case Verb.READY:
                return Ready(id=press.id, user=press.user)
            case _:
                return shared_actions.press(view, press, wording.leave_question(view.words))

    def submit(self, view: MatchView, press: Press, values: Mapping[str, str]) -> None:
        """Return None: Rox has no forms."""

    def sheet(self, view: MatchView) -> Sheet | None:
        """Return the message that shows the match now."""
        return sheets.sheet(view)

    def final_form(self, view: MatchView, key: str, last: Sheet | None) -> Sheet | None:
        """Return the final form of an earlier message."""
        return sheets.final_form(view, key, last)

    def private_sheet(self, view: MatchView, user: int) -> Sheet | None:
        """Return a large picture of a player's last card during a race."""
        return sheets.private_sheet(view, user)

    def decided_messages(self, events: Sequence[Event]) -> Sequence[DecidedMessage]:
        """Return the typed claims and put-backs among these events."""
        return [
            DecidedMessage(event.id, wording.REFUSAL_EMOJI.get(event.outcome))
            for event in events
            if isinstance(event, Claimed) and event.typed
        ]

    def answer(self, view: MatchView, events: Sequence[Event], user: int) -> str | None:
        """Return the private answer to an action."""
        return answer(view, events, user)

    def stats_lines(self, figures: Mapping[str, int], words: Words) -> Sequence[str]:
        """Return the share of right cards and the fastest full row."""
        return rox_figures.stats_lines(figures, words)

    def board_facts(self, figures: Mapping[str, int], words: Words) -> Sequence[str]:
        """Return the same in a few words, without missing figures."""
        return rox_figures.board_facts(figures, words)

    def rules_text(self, settings: RoxSettings, words: Words) -> str:
        """Return a short explanation of the rules."""
        return rox_settings.rules_text(settings, words)

    def how_to(self, words: Words) -> Picture:
        """Return the picture that explains how to play."""
        return rox_pictures.how_to(words)
