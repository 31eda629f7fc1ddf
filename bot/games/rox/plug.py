"""All that the bot needs of Rox, in one object."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bot.games import shared
from bot.games.plug import GameCommand, Mark, NumberOption, Press
from bot.games.rox import figures as rox_figures
from bot.games.rox import pictures as rox_pictures
from bot.games.rox import settings as rox_settings
from bot.games.rox import sheets, wording
from bot.games.rox.answers import answer
from bot.games.rox.wording import Verb
from bot.locales.catalogue import sentence
from bot.pictures.rox.room import ROX_PICTURES
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
    """Rox, as `bot.games.plug.GamePlug` describes it."""

    title = "Rox"
    description = sentence("The card race Rox.")
    levels = tuple(Level)
    usual_level = Level.JOURNEYMAN
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
        """Return the settings that an opening carries."""
        return read_settings(plain)

    def read(self, text: str, user: int, message: int) -> Action | None:
        """Return a claim, a put-back, or None for chat."""
        match parse(text):
            case Number(value):
                return Claim(id=message, user=user, number=value, typed=True)
            case PutBack():
                return Back(id=message, user=user, typed=True)
            case None:
                return None

    def stays(self, key: str) -> bool:
        """Tables, checks and lobbies stay; what only says that something comes goes."""
        return sheets.stays(key)

    def begins_round(self, events: Sequence[Event]) -> bool:
        """A round begins when its get-ready time does."""
        return any(isinstance(event, RoundBegan) for event in events)

    def ends_round(self, events: Sequence[Event]) -> bool:
        """A round ends when its prizes are shown."""
        return any(isinstance(event, Revealed) and event.step == len(REVEAL_MS) for event in events)

    def press(self, view: MatchView, press: Press) -> Action | Form | Prompt | None:
        """Put back and Ready are Rox's own buttons."""
        match press.verb:
            case Verb.BACK:
                return Back(id=press.id, user=press.user)
            case Verb.READY:
                return Ready(id=press.id, user=press.user)
            case _:
                return shared.press(view, press, wording.leaving_text(view.words))

    def submit(self, view: MatchView, press: Press, values: Mapping[str, str]) -> None:
        """Rox has no forms."""

    def sheet(self, view: MatchView) -> Sheet | None:
        """Return the message that shows the match now."""
        return sheets.sheet(view)

    def final_form(self, view: MatchView, key: str, last: Sheet | None) -> Sheet | None:
        """Return what stays of an earlier message."""
        return sheets.final_form(view, key, last)

    def private_sheet(self, view: MatchView, user: int) -> Sheet | None:
        """Return somebody's last card, large, while a race is open."""
        return sheets.private_sheet(view, user)

    def marks(self, events: Sequence[Event]) -> Sequence[Mark]:
        """Return the typed claims and put-backs that these events decided."""
        return [
            Mark(event.id, wording.REFUSALS.get(event.fate))
            for event in events
            if isinstance(event, Claimed) and event.typed
        ]

    def answer(self, view: MatchView, events: Sequence[Event], user: int) -> str | None:
        """Return what a person is told privately."""
        return answer(view, events, user)

    def stats_lines(self, figures: Mapping[str, int], words: Words) -> Sequence[str]:
        """Return the share of right cards, and the fastest full row."""
        return rox_figures.stats_lines(figures, words)

    def board_facts(self, figures: Mapping[str, int], words: Words) -> Sequence[str]:
        """Return the same in a few words, as far as there is any."""
        return rox_figures.board_facts(figures, words)

    def rules_text(self, settings: RoxSettings, words: Words) -> str:
        """Return the rules in half a minute."""
        return rox_settings.rules_text(settings, words)

    def how_to(self, words: Words) -> Picture:
        """Return the picture that explains a turn."""
        return rox_pictures.how_to(words)
