"""Whether a command's options are what the bot declared; the library takes them unlooked at."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from discord import AppCommandOptionType, app_commands

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

AnyCommand: TypeAlias = "app_commands.Command[Any, ..., Any]"
AnyGroup: TypeAlias = app_commands.Group
Option: TypeAlias = "Mapping[str, Any]"


def fits(command: AnyCommand | AnyGroup, data: Option) -> bool:
    """Return whether what Discord sends of a command fits ours.

    Discord checks types, bounds and choices against the commands that it knows, which may be
    those of an older version.

    Args:
        command: ours.
        data: the interaction's data, or for a group's command that option.
    """
    options: Sequence[Option] = data.get("options", ())
    if isinstance(command, app_commands.Group):
        inner = command.get_command(str(options[0].get("name"))) if options else None
        return inner is not None and fits(inner, {"resolved": data.get("resolved"), **options[0]})
    resolved: Option = data.get("resolved") or {}
    people: Option = resolved.get("users", {})
    declared = {parameter.display_name: parameter for parameter in command.parameters}
    needed = {name for name, parameter in declared.items() if parameter.required}
    if not needed <= {o["name"] for o in options}:
        return False
    return all(o["name"] in declared and _fits(declared[o["name"]], o, people) for o in options)


def _fits(parameter: app_commands.Parameter, option: Option, people: Mapping[str, object]) -> bool:
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
    return parameter.type is not AppCommandOptionType.user or value in people
