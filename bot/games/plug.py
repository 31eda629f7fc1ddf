"""What the bot needs of a game, in one protocol, and the values that pass through it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Protocol

from bot.matches.ports import PlayedGame

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from bot.games.choices import Choice
    from bot.games.sheet import Button, Picture, Sheet
    from bot.locales.catalogue import Words
    from bot.pictures.scenes import PictureRoom
    from game.actions import Action
    from game.events import Event
    from game.match import Level, Match

DISCORD_EPOCH_MS: Final = 1_420_070_400_000


@dataclass(frozen=True, slots=True)
class MatchView:
    """A match that is to be put into words.

    Attributes:
        match: its state.
        words: the language.
        typing: whether typed numbers reach the bot; if not, players use the slash commands.
    """

    match: Match[Any]
    words: Words
    typing: bool = True

    @property
    def game(self) -> str:
        """The game's name, which is that of its command."""
        return self.match.opening.game


@dataclass(frozen=True, slots=True)
class Mark:
    """A typed message that was decided.

    Attributes:
        message: its id.
        emoji: a reaction that says why it was refused; None when it was not.
    """

    message: int
    emoji: str | None


@dataclass(frozen=True, slots=True)
class Press:
    """A press on a button, an answer to a form, or a command.

    Attributes:
        id: the id of the interaction.
        user: who pressed.
        verb: what the button does; the name of a command.
        name: what the person is called in the server.
        manager: whether the person may manage the channel.
    """

    id: int
    user: int
    verb: str
    name: str = "?"
    manager: bool = False


@dataclass(frozen=True, slots=True)
class Prompt:
    """A private question with buttons; each button is a press of its own.

    Attributes:
        text: the question.
        buttons: up to five answers.
    """

    text: str
    buttons: tuple[Button, ...]


@dataclass(frozen=True, slots=True)
class Field:
    """A line to type in a form.

    Attributes:
        name: under which the answer is found.
        label: what the line asks for, up to 45 characters.
        longest: how many characters it takes at the most.
        required: whether it must be filled in.
    """

    name: str
    label: str
    longest: int = 100
    required: bool = True


@dataclass(frozen=True, slots=True)
class Form:
    """A window in which a person types an answer; `GamePlug.submit` takes it.

    Attributes:
        title: of the window, up to 45 characters.
        fields: one to five lines.
    """

    title: str
    fields: tuple[Field, ...]


@dataclass(frozen=True, slots=True)
class NumberOption:
    """A whole number that a command takes.

    Attributes:
        name: of the option.
        description: a sentence marked for the catalogues.
        least: the least number that is taken.
        most: the greatest one.
    """

    name: str
    description: str
    least: int
    most: int


@dataclass(frozen=True, slots=True)
class GameCommand:
    """A command that one game has beside those of every game: a move.

    The rules decide how often somebody may move, so such a command is never held up before.

    Attributes:
        name: of the command, below the game's own.
        description: a sentence marked for the catalogues.
        act: makes the action from the press and the options' values by name.
        options: what the command takes.
    """

    name: str
    description: str
    act: Callable[[Press, Mapping[str, int]], Action]
    options: tuple[NumberOption, ...] = ()


class GamePlug(PlayedGame, Protocol):
    """A game, as the bot hosts it."""

    @property
    def title(self) -> str:
        """The game's name in sentences."""
        ...

    @property
    def description(self) -> str:
        """What the game is, as a sentence marked for the catalogues."""
        ...

    @property
    def levels(self) -> Sequence[Level]:
        """The levels of simulated opponents, as they are offered; a game may have none."""
        ...

    @property
    def usual_level(self) -> Level:
        """The level of opponents for whom none was chosen."""
        ...

    @property
    def settings_type(self) -> type[Any]:
        """The dataclass of its settings, with a default for each."""
        ...

    def read_settings(self, plain: Mapping[str, Any]) -> Any:
        """Return the settings that an opening carries as plain values."""
        ...

    @property
    def choices(self) -> Sequence[Choice[Any]]:
        """What can be chosen about a match, in the order of the settings page."""
        ...

    @property
    def commands(self) -> Sequence[GameCommand]:
        """The commands that only this game has."""
        ...

    def press(self, view: MatchView, press: Press) -> Action | Form | Prompt | None:
        """Return what a button does: at once, or after a form or a question; None: nothing."""
        ...

    def submit(
        self, view: MatchView, press: Press, values: Mapping[str, str]
    ) -> Action | str | None:
        """Return what a form's answer does.

        Args:
            view: the match.
            press: the answer; its verb is that of the button which brought the form.
            values: what was typed, by the names of the fields.

        Returns:
            An action, a sentence that says what is wrong with the answer, or None where the
            form can't be answered any more.
        """
        ...

    def sheet(self, view: MatchView) -> Sheet | None:
        """Return the message that shows the match now; None while there is nothing to show."""
        ...

    def final_form(self, view: MatchView, key: str, last: Sheet | None) -> Sheet | None:
        """Return what stays of an earlier message once a new one stands; None: it goes.

        Args:
            view: the match as it is now.
            key: what the earlier message showed.
            last: the last sheet made for that message, if it is known.
        """
        ...

    def private_sheet(self, view: MatchView, user: int) -> Sheet | None:
        """Return what one person is shown privately, if they wish; None: nothing now."""
        ...

    def marks(self, events: Sequence[Event]) -> Sequence[Mark]:
        """Return the typed messages that these events decided."""
        ...

    def answer(self, view: MatchView, events: Sequence[Event], user: int) -> str | None:
        """Return the private answer to an action, from what came of it; None: none is needed."""
        ...

    def stats_lines(self, figures: Mapping[str, int], words: Words) -> Sequence[str]:
        """Return the game's own figures for one person's page, a line each."""
        ...

    def board_facts(self, figures: Mapping[str, int], words: Words) -> Sequence[str]:
        """Return the game's own figures for a line of the leaderboard."""
        ...

    def rules_text(self, settings: Any, words: Words) -> str:
        """Return how the game is played with these settings."""
        ...

    def how_to(self, words: Words) -> Picture | None:
        """Return the picture beside the rules, if there is one."""
        ...

    @property
    def pictures(self) -> PictureRoom | None:
        """Who draws its scenes, with examples for the gallery; None if it shows no pictures."""
        ...


def relative(ms: int) -> str:
    """Return a moment of match time as Discord counts down to it in the reader's language."""
    return f"<t:{(ms + DISCORD_EPOCH_MS + 500) // 1000}:R>"
