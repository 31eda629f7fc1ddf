"""Validation of the options that Discord sends, which discord.py does not validate."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from discord import AppCommandOptionType, app_commands

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

AnyCommand: TypeAlias = "app_commands.Command[Any, ..., Any]"
AnyGroup: TypeAlias = app_commands.Group
Option: TypeAlias = "Mapping[str, Any]"


def has_valid_options(command: AnyCommand | AnyGroup, data: Option) -> bool:
    """Return whether the options in an interaction are those that a command declares.

    Discord validates types, bounds and choices against the commands registered with it, which
    can be those of an older version of the bot.

    Args:
        command: the command or the group.
        data: the data of the interaction, or for a command of a group the option with its name.
    """
    options: Sequence[Option] = data.get("options", ())
    if isinstance(command, app_commands.Group):
        inner = command.get_command(str(options[0].get("name"))) if options else None
        if inner is None:
            return False
        return has_valid_options(inner, {"resolved": data.get("resolved"), **options[0]})
    resolved: Option = data.get("resolved") or {}
    users: Option = resolved.get("users", {})
    declared = {parameter.display_name: parameter for parameter in command.parameters}
    needed = {name for name, parameter in declared.items() if parameter.required}
    if not needed <= {o["name"] for o in options}:
        return False
    return all(o["name"] in declared and _is_valid(declared[o["name"]], o, users) for o in options)


def _is_valid(
    parameter: app_commands.Parameter, option: Option, users: Mapping[str, object]
) -> bool:
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
    return parameter.type is not AppCommandOptionType.user or value in users
