"""The protocol by which the bot hosts a game, and the values that it exchanges."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from bot.matches.ports import PlayedGame

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from bot.games.choices import Choice
    from bot.games.sheet import Button, Picture, Sheet
    from bot.locales.catalogue import Words
    from bot.pictures.scenes import GamePictures
    from game.actions import Action
    from game.events import Event
    from game.match import Level, Match


@dataclass(frozen=True, slots=True)
class MatchView:
    """A match, with everything that its messages depend on.

    Attributes:
        match: its state.
        words: the language.
        typing: whether the bot receives the content of messages; if not, players use commands.
    """

    match: Match[Any]
    words: Words
    typing: bool = True

    @property
    def game(self) -> str:
        """The name of the game, which is the name of its command group."""
        return self.match.opening.game


@dataclass(frozen=True, slots=True)
class DecidedMessage:
    """A typed message that the game has accepted or refused.

    Attributes:
        message: its id.
        emoji: a reaction that shows why it was refused; None if it was accepted.
    """

    message: int
    emoji: str | None


@dataclass(frozen=True, slots=True)
class Press:
    """A press on a button, an answer to a form, or a command.

    Attributes:
        id: the id of the interaction.
        user: the id of the user.
        verb: the verb of the button, or the name of the command.
        name: the user's display name in the server.
        manager: whether the user has the permission Manage Channels.
    """

    id: int
    user: int
    verb: str
    name: str = "?"
    manager: bool = False


@dataclass(frozen=True, slots=True)
class Prompt:
    """A private question with buttons as answers. A press on one is a `Press` of its own.

    Attributes:
        text: the question.
        buttons: up to five answers.
    """

    text: str
    buttons: tuple[Button, ...]


@dataclass(frozen=True, slots=True)
class Field:
    """A text input of a form.

    Attributes:
        name: the key of its value in `GamePlug.submit`.
        label: the label above it, up to 45 characters.
        max_length: how many characters it takes at most.
        required: whether it must be filled in.
    """

    name: str
    label: str
    max_length: int = 100
    required: bool = True


@dataclass(frozen=True, slots=True)
class Form:
    """A modal in which a player types an answer, which goes to `GamePlug.submit`.

    Attributes:
        title: the title, up to 45 characters.
        fields: one to five text inputs.
    """

    title: str
    fields: tuple[Field, ...]


@dataclass(frozen=True, slots=True)
class NumberOption:
    """An integer option of a command.

    Attributes:
        name: the name of the option.
        description: a sentence marked for the catalogues.
        min_value: the smallest number that is allowed.
        max_value: the largest one.
    """

    name: str
    description: str
    min_value: int
    max_value: int


@dataclass(frozen=True, slots=True)
class GameCommand:
    """A command that only one game has; it makes a move.

    The limit on commands does not apply to it, because the rules limit how often a player moves.

    Attributes:
        name: the name of the command in the game's group.
        description: a sentence marked for the catalogues.
        act: returns the action for a press and the options' values by name.
        options: the options of the command.
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
        """A description of the game: a sentence marked for the catalogues."""
        ...

    @property
    def levels(self) -> Sequence[Level]:
        """The levels of simulated opponents, in order; empty if the game has no opponents."""
        ...

    @property
    def default_level(self) -> Level:
        """The level of simulated opponents if the host chooses none."""
        ...

    @property
    def settings_type(self) -> type[Any]:
        """The dataclass of its settings, with a default for each."""
        ...

    def read_settings(self, plain: Mapping[str, Any]) -> Any:
        """Return the settings of an opening, which holds them as plain values."""
        ...

    @property
    def choices(self) -> Sequence[Choice[Any]]:
        """The choices about a match, in the order of the settings page."""
        ...

    @property
    def commands(self) -> Sequence[GameCommand]:
        """The commands that only this game has."""
        ...

    def press(self, view: MatchView, press: Press) -> Action | Form | Prompt | None:
        """Return the action of a button, or a form or a question that precedes it.

        None means that the button does nothing now. `Verb.MY_CARD` does not need an action: the
        bot then shows the `private_sheet`.
        """
        ...

    def submit(
        self, view: MatchView, press: Press, values: Mapping[str, str]
    ) -> Action | str | None:
        """Return the action of an answer to a form.

        Args:
            view: the match.
            press: the answer, with the verb of the button that opened the form.
            values: the typed texts by the names of the fields.

        Returns:
            An action, a sentence that says why the answer is invalid, or None if the form
            can't be answered any more.
        """
        ...

    def sheet(self, view: MatchView) -> Sheet | None:
        """Return the message that shows the match now, or None if there is nothing to show."""
        ...

    def final_form(self, view: MatchView, key: str, last: Sheet | None) -> Sheet | None:
        """Return the final form of an earlier message, once a new message shows the match.

        Args:
            view: the match as it is now.
            key: the key of the earlier message.
            last: the last sheet of that message, or None if it is unknown.

        Returns:
            The sheet that the message keeps. None means that it is deleted, or, if `stays`
            returns True for its key, that only its buttons are removed.
        """
        ...

    def private_sheet(self, view: MatchView, user: int) -> Sheet | None:
        """Return the private message for a player, or None if there is nothing to show now."""
        ...

    def decided_messages(self, events: Sequence[Event]) -> Sequence[DecidedMessage]:
        """Return the typed messages that these events accept or refuse."""
        ...

    def answer(self, view: MatchView, events: Sequence[Event], user: int) -> str | None:
        """Return the private answer to an action of a user; None if none is needed.

        Args:
            view: the match after the action.
            events: the events of the action.
            user: the id of the user.
        """
        ...

    def stats_lines(self, figures: Mapping[str, int], words: Words) -> Sequence[str]:
        """Return lines with the game's figures of a player, for `stats`."""
        ...

    def board_facts(self, figures: Mapping[str, int], words: Words) -> Sequence[str]:
        """Return the game's figures of a player in a few words, for the leaderboard."""
        ...

    def rules_text(self, settings: Any, words: Words) -> str:
        """Return the rules of the game with these settings."""
        ...

    def how_to(self, words: Words) -> Picture | None:
        """Return the picture that goes with the rules, or None."""
        ...

    @property
    def pictures(self) -> GamePictures | None:
        """The pictures of the game, or None if it shows none."""
        ...
