"""Commands as data, from which discord.py's commands are built."""

from __future__ import annotations

from dataclasses import dataclass, field
from inspect import Parameter, Signature
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from discord import app_commands

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping, Sequence

    import discord

    Callback: TypeAlias = Callable[[discord.Interaction, Mapping[str, Any]], Awaitable[None]]
    AnyCommand: TypeAlias = app_commands.Command[Any, ..., Any]


@dataclass(frozen=True, slots=True)
class OptionSpec:
    """An option of a command.

    Attributes:
        name: the name of the option.
        description: its description.
        annotation: its type, as discord.py takes it in the signature of a callback.
        default: the value if the option is left out; `Parameter.empty` if it is required.
        values: the values to choose from; empty if any value of the type is allowed.
    """

    name: str
    description: str
    annotation: Any
    default: Any = Parameter.empty
    values: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CommandSpec:
    """A command.

    Attributes:
        name: the name of the command.
        description: its description.
        callback: called with the interaction and the options' values by name.
        options: its options.
    """

    name: str
    description: str
    callback: Callback
    options: Sequence[OptionSpec] = field(default_factory=list[OptionSpec])

    def build(self) -> AnyCommand:
        """Return the command of discord.py.

        discord.py reads the options from the signature of the callback, so the callback gets the
        signature that a handwritten one would have.
        """

        async def callback(interaction: discord.Interaction, **values: Any) -> None:
            await self.callback(interaction, values)

        first = Parameter("interaction", Parameter.POSITIONAL_OR_KEYWORD)
        others = [
            Parameter(
                option.name,
                Parameter.POSITIONAL_OR_KEYWORD,
                annotation=option.annotation,
                default=option.default,
            )
            for option in self.options
        ]
        cast("Any", callback).__signature__ = Signature([first, *others])
        descriptions = {option.name: option.description for option in self.options}
        choices = {
            option.name: [app_commands.Choice(name=value, value=value) for value in option.values]
            for option in self.options
            if option.values
        }
        described = app_commands.choices(**choices)(app_commands.describe(**descriptions)(callback))
        return app_commands.Command(
            name=self.name, description=self.description, callback=described
        )
