"""Whether a command's options are what the bot declared; the library takes them unlooked at."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from discord import AppCommandOptionType, app_commands

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

AnyCommand: TypeAlias = "app_commands.Command[Any, ..., Any]"
AnyGroup: TypeAlias = app_commands.Group
Option: TypeAlias = "Mapping[str, Any]"


def fits(command: AnyCommand | AnyGroup, options: Sequence[Option]) -> bool:
    """Return whether options as Discord sends them fit a command of ours.

    Discord checks types, bounds and choices against the commands that it knows, which may be
    those of an older version. An option that is not declared any more does no harm.
    """
    if isinstance(command, app_commands.Group):
        inner = command.get_command(str(options[0].get("name"))) if options else None
        return inner is None or fits(inner, options[0].get("options", ()))
    declared = {parameter.display_name: parameter for parameter in command.parameters}
    return all(_fits(declared[o["name"]], o) for o in options if o.get("name") in declared)


def _fits(parameter: app_commands.Parameter, option: Option) -> bool:
    value: object = option.get("value")
    if option.get("type") != parameter.type.value:
        return False
    if parameter.choices and value not in [choice.value for choice in parameter.choices]:
        return False
    if parameter.type is AppCommandOptionType.integer:
        low, high = parameter.min_value, parameter.max_value
        if not isinstance(value, int) or isinstance(value, bool):
            return False
        return (low is None or value >= low) and (high is None or value <= high)
    if not isinstance(value, str):
        return False
    return parameter.type is not AppCommandOptionType.user or (value.isascii() and value.isdigit())
