"""Interactions as a client sends them: commands, autocompletion, buttons, selects, modals."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, cast

from simcord.backend import serializers
from simcord.backend.access import channel_accessible
from simcord.backend.errors import SetupError
from simcord.components import walk_components
from simcord.enums import SELECT_TYPES, ComponentType, InteractionType, OptionType
from simcord.interactions import (
    base_payload,
    nest_options,
    parse_option_input,
    validate_option_value,
    walk_to_subcommand,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from simcord.backend.models import Interaction, Message

    from bot.sandbox.world import Application, Payload, World

__all__ = [
    "PendingInteraction",
    "send_autocomplete",
    "send_command",
    "send_component",
    "send_modal",
]

_USER, _ROLE, _CHANNEL = "user", "role", "channel"
_ENTITY_OPTIONS: dict[int, tuple[str, ...]] = {
    OptionType.USER: (_USER,),
    OptionType.CHANNEL: (_CHANNEL,),
    OptionType.ROLE: (_ROLE,),
    OptionType.MENTIONABLE: (_USER, _ROLE),
}
_ENTITY_SELECTS: dict[int, tuple[str, ...]] = {
    ComponentType.USER_SELECT: (_USER,),
    ComponentType.ROLE_SELECT: (_ROLE,),
    ComponentType.MENTIONABLE_SELECT: (_USER, _ROLE),
    ComponentType.CHANNEL_SELECT: (_CHANNEL,),
}
_LINK_STYLES = (5, 6)


class Invoker(Protocol):
    """The user behind an interaction: a member of a guild, in one of its channels."""

    world: World
    guild_id: int
    channel_id: int
    id: int
    locale: str


class PendingInteraction:
    """An interaction that was sent to a bot, which has not responded yet or has."""

    def __init__(self, world: World, record: Interaction) -> None:
        self._world = world
        self.record = record

    @property
    def id(self) -> int:
        """The interaction's id."""
        return self.record.id

    async def response(self, timeout: float = 3) -> Interaction:  # noqa: ASYNC109 - callers read better with a timeout
        """Wait for the first response and return the interaction; Discord allows three seconds.

        Raises:
            TimeoutError: the bot did not respond; a client shows "This interaction failed".
        """
        await self._world.wait_until(lambda: self.record.responded, timeout)
        return self.record


def _send_interaction(
    invoker: Invoker,
    application: Application,
    kind: InteractionType,
    data: Payload,
    source: Message | None = None,
) -> PendingInteraction:
    world = invoker.world
    if not channel_accessible(world, invoker.channel_id, invoker.id):
        raise SetupError("You cannot see this channel.")
    with world.acting_as(application):
        record, payload = base_payload(
            world,
            type=kind,
            channel_id=invoker.channel_id,
            guild_id=invoker.guild_id,
            user_id=invoker.id,
            data=data,
        )
        world.interaction_applications[record.id] = application
        payload["locale"] = invoker.locale
        if source is not None:
            payload["message"] = dict(serializers.message_payload(world, source))
            record.source_message_id = source.id
        world.emit("INTERACTION_CREATE", payload)
    return PendingInteraction(world, record)


# -- commands


def _find_command(invoker: Invoker, path: str) -> tuple[Application, Payload]:
    name = path.split(" ", 1)[0]
    for application, command in invoker.world.commands_for(invoker.id, invoker.channel_id):
        if command["name"] == name:
            return application, command
    raise SetupError(f"There is no command /{name} here.")


def _build_command_data(command: Payload, options: list[Payload], resolved: Payload) -> Payload:
    data: Payload = {"id": command["id"], "name": command["name"], "type": 1, "options": options}
    if resolved:
        data["resolved"] = resolved
    if command.get("guild_id"):
        data["guild_id"] = command["guild_id"]
    return data


def send_command(invoker: Invoker, path: str, options: Mapping[str, Any]) -> PendingInteraction:
    """Send a slash command with its options."""
    application, command = _find_command(invoker, path)
    leaf, nesting = walk_to_subcommand(command, path.split()[1:])
    resolved: Payload = {}
    built = _build_options(invoker, path, leaf, options, resolved)
    given = {option["name"] for option in built}
    for option in cast("list[Payload]", leaf.get("options") or []):
        if option.get("required") and option["name"] not in given:
            raise SetupError(f"/{path} needs the option {option['name']}.")
    data = _build_command_data(command, nest_options(command, nesting, built), resolved)
    pending = _send_interaction(invoker, application, InteractionType.APPLICATION_COMMAND, data)
    pending.record.command_name = path
    return pending


def send_autocomplete(
    invoker: Invoker, path: str, option: str, text: str, filled: Mapping[str, Any]
) -> PendingInteraction:
    """Ask the bot for the choices of an option.

    The other options that are filled in are sent along, except those that are not valid yet.
    """
    application, command = _find_command(invoker, path)
    leaf, nesting = walk_to_subcommand(command, path.split()[1:])
    declared = {o["name"]: o for o in cast("list[Payload]", leaf.get("options") or [])}
    if not declared.get(option, {}).get("autocomplete"):
        raise SetupError(f"/{path} does not complete {option}.")
    resolved: Payload = {}
    others = {name: value for name, value in filled.items() if name != option}
    built = _build_options(invoker, path, leaf, others, resolved, partial=True)
    built.append({"name": option, "type": declared[option]["type"], "value": text, "focused": True})
    data = _build_command_data(command, nest_options(command, nesting, built), resolved)
    return _send_interaction(
        invoker, application, InteractionType.APPLICATION_COMMAND_AUTOCOMPLETE, data
    )


def _build_options(
    invoker: Invoker,
    path: str,
    leaf: Payload,
    given: Mapping[str, Any],
    resolved: Payload,
    *,
    partial: bool = False,
) -> list[Payload]:
    declared = {o["name"]: o for o in cast("list[Payload]", leaf.get("options") or [])}
    built: list[Payload] = []
    for name, raw in given.items():
        option = declared.get(name)
        if option is None:
            raise SetupError(f"/{path} has no option {name}.")
        kinds = _ENTITY_OPTIONS.get(option["type"])
        try:
            if kinds:
                allowed = cast("list[int]", option.get("channel_types") or [])
                value: Any = _resolve_entity(invoker, str(raw), kinds, resolved, allowed)
            elif isinstance(raw, str):
                value = parse_option_input(path, option, _parse_typed(option, raw))
            else:
                value = validate_option_value(path, option, raw)
        except SetupError:
            if partial:
                continue
            raise
        built.append({"name": name, "type": option["type"], "value": value})
    return built


def _parse_typed(option: Payload, raw: str) -> object:
    """Convert text from the composer to a value that simcord's parser accepts."""
    if option["type"] == OptionType.BOOLEAN:
        return raw.casefold() in ("true", "yes", "1")
    return raw


# -- components


def send_component(
    invoker: Invoker, message: Message, custom_id: str, values: list[str] | None = None
) -> PendingInteraction:
    """Press a button (no values) or choose values in a select menu."""
    component = next(
        (c for c in walk_components(message.components) if c.get("custom_id") == custom_id), None
    )
    if component is None:
        raise SetupError("That control is gone.")
    if component.get("disabled"):
        raise SetupError("That control is disabled.")
    if (component["type"] == ComponentType.BUTTON) != (values is None):
        raise SetupError("That control is of another kind.")
    if component["type"] == ComponentType.BUTTON and component.get("style") in _LINK_STYLES:
        raise SetupError("That button is a link.")
    data: Payload = {"custom_id": custom_id, "component_type": component["type"]}
    if component.get("id") is not None:
        data["id"] = component["id"]
    if values is not None:
        resolved: Payload = {}
        data["values"] = _validate_choices(invoker, component, values, resolved)
        if component["type"] in _ENTITY_SELECTS:
            data["resolved"] = resolved
    application = invoker.world.application_of_user(message.author_id)
    return _send_interaction(invoker, application, InteractionType.MESSAGE_COMPONENT, data, message)


def _validate_choices(
    invoker: Invoker, menu: Payload, values: list[str], resolved: Payload
) -> list[str]:
    low, high = menu.get("min_values", 1), menu.get("max_values", 1)
    if len(set(values)) != len(values) or not low <= len(values) <= high:
        raise SetupError(f"Choose between {low} and {high}.")
    if menu["type"] == ComponentType.STRING_SELECT:
        offered = {option["value"] for option in cast("list[Payload]", menu["options"])}
        if not offered.issuperset(values):
            raise SetupError("That choice is not offered.")
        return values
    kinds = _ENTITY_SELECTS[menu["type"]]
    allowed = cast("list[int]", menu.get("channel_types") or [])
    return [_resolve_entity(invoker, value, kinds, resolved, allowed) for value in values]


# -- modals


def send_modal(
    invoker: Invoker, interaction_id: int, values: Mapping[str, Any]
) -> PendingInteraction:
    """Submit the modal with which the bot responded to an earlier interaction."""
    world = invoker.world
    opener = world.interactions.get(interaction_id)
    if opener is None or opener.modal is None or opener.user_id != invoker.id:
        raise SetupError("There is no such form.")
    if opener.modal_consumed:
        raise SetupError("That form was already sent.")
    resolved: Payload = {}
    filled = _fill_components(
        invoker, cast("list[Payload]", opener.modal["components"]), values, resolved
    )
    data: Payload = {"custom_id": opener.modal["custom_id"], "components": filled}
    if resolved:
        data["resolved"] = resolved
    source = None
    if opener.source_message_id is not None:
        source = world.messages[opener.channel_id].get(opener.source_message_id)
    opener.modal_consumed = True
    return _send_interaction(
        invoker, world.application_of(opener), InteractionType.MODAL_SUBMIT, data, source
    )


def _fill_components(
    invoker: Invoker, nodes: Iterable[Payload], values: Mapping[str, Any], resolved: Payload
) -> list[Payload]:
    filled: list[Payload] = []
    for node in nodes:
        sent: Payload = {"type": node["type"], "id": node.get("id", 0)}
        if node["type"] == ComponentType.ACTION_ROW:
            children = cast("list[Payload]", node["components"])
            sent["components"] = _fill_components(invoker, children, values, resolved)
        elif node["type"] == ComponentType.LABEL:
            child = cast("Payload", node["component"])
            sent["component"] = _fill_components(invoker, [child], values, resolved)[0]
        elif node["type"] != ComponentType.TEXT_DISPLAY:
            sent["custom_id"] = node["custom_id"]
            sent |= _fill_field(invoker, node, values.get(node["custom_id"]), resolved)
        filled.append(sent)
    return filled


def _fill_field(invoker: Invoker, node: Payload, value: Any, resolved: Payload) -> Payload:
    kind = node["type"]
    if kind == ComponentType.TEXT_INPUT:
        return {"value": _validate_text(node, str(value or ""))}
    if kind == ComponentType.CHECKBOX:
        return {"value": bool(value)}
    required = bool(node.get("required", kind in SELECT_TYPES))
    if kind == ComponentType.RADIO_GROUP:
        if required and not value:
            raise SetupError("Choose one.")
        return {"value": value}
    chosen = [str(item) for item in cast("list[str]", value or [])]
    if not chosen and not required:
        return {"values": []}
    if kind in SELECT_TYPES:
        return {"values": _validate_choices(invoker, node, chosen, resolved)}
    if kind == ComponentType.CHECKBOX_GROUP:
        return {"values": chosen}
    raise SetupError("The sandbox cannot fill in that kind of field.")


def _validate_text(node: Payload, value: str) -> str:
    label = node.get("label") or node["custom_id"]
    if node.get("required", True) and not value:
        raise SetupError(f"{label} is required.")
    if value and len(value) < (node.get("min_length") or 0):
        raise SetupError(f"{label} needs at least {node['min_length']} characters.")
    if len(value) > (node.get("max_length") or 4000):
        raise SetupError(f"{label} is too long.")
    return value


# -- users, roles and channels


def _resolve_entity(
    invoker: Invoker,
    entity: str,
    kinds: tuple[str, ...],
    resolved: Payload,
    channel_types: list[int],
) -> str:
    """Validate the id of a user, role or channel, and add its object to ``resolved``."""
    world, guild = invoker.world, invoker.world.guilds[invoker.guild_id]
    number = int(entity) if entity.isdecimal() else 0
    if _USER in kinds and number in guild.members:
        member = serializers.member_payload(world, guild, guild.members[number], with_user=False)
        user = serializers.user_payload(world.users[number])
        resolved.setdefault("users", {})[entity] = dict(user)
        resolved.setdefault("members", {})[entity] = dict(member)
    elif _ROLE in kinds and number in guild.roles:
        role = serializers.role_payload(guild.roles[number])
        resolved.setdefault("roles", {})[entity] = dict(role)
    elif _CHANNEL in kinds and channel_accessible(world, number, invoker.id):
        channel = world.channels[number]
        if channel_types and channel.type not in channel_types:
            raise SetupError("A channel of that kind cannot be chosen here.")
        payload = dict(serializers.channel_payload(world, channel))
        permissions = world.compute_permissions(invoker.guild_id, invoker.id, number)
        resolved.setdefault("channels", {})[entity] = payload | {"permissions": str(permissions)}
    else:
        raise SetupError(f"Choose a {' or '.join(kinds)} of this server.")
    return entity
