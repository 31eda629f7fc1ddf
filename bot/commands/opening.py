"""The command `play`: checks who may open a match and where, and opens its lobby."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Final

import discord

from bot.games.look import LOOK_SECTION, Look
from bot.matches.ports import CannotOpenError, CannotSaveError, ClosingError, Venue
from bot.matches.registry import ChannelBusyError
from bot.matches.seats import SeatedElsewhereError
from bot.replies.permissions import missing, permission_names
from bot.store import guilds
from bot.store.guilds import ServerSettings, Starters
from bot.views.presses import is_manager, seated_elsewhere_text
from game.actions import Opening

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bot.games.plug import GamePlug
    from bot.views.services import Services
    from game.match import Level

OPPONENTS: Final = ("Alder", "Birch", "Cedar", "Dogwood")
"""The names of simulated opponents, in the order of their seats."""


@dataclass(frozen=True, slots=True)
class LobbyRequest:
    """The options of a `play` command.

    Attributes:
        opponents: the number of simulated opponents.
        level: their level.
        choices: values of choices by name; the server's settings decide the others.
    """

    opponents: int
    level: Level
    choices: Mapping[str, str] = field(default_factory=dict[str, str])


async def open_lobby(
    services: Services, game: GamePlug, interaction: discord.Interaction, request: LobbyRequest
) -> str:
    """Open a lobby in the channel of a command, and return the text of the reply."""
    words, guild, rules = services.words, interaction.guild_id, game.machine.rules
    if guild is None or interaction.channel_id is None:
        return words.text(
            "A match needs a channel of a server, with others to race. Try `/{game} play` there!",
            game=rules.name,
        )
    async with services.database.read() as session:
        server = await guilds.load(session, guild)
    refused = _refusal_text(services, game, interaction, server=server, request=request)
    if refused is not None:
        return refused
    settings = server.section(rules.name, game.settings_type)
    for choice in game.choices:
        if choice.name in request.choices:
            settings = choice.change(settings, request.choices[choice.name])
    seats: list[tuple[int | None, str, str | None]] = [
        (interaction.user.id, interaction.user.display_name, None),
        *((None, name, request.level.value) for name in OPPONENTS[: request.opponents]),
    ]
    opening = Opening(
        interaction.id,
        game=rules.name,
        version=rules.version,
        settings=asdict(settings),
        seats=tuple(seats),
        look=server.section(LOOK_SECTION, Look).plain(),
    )
    try:
        await services.matches.opener.open(Venue(guild, interaction.channel_id), opening)
    except CannotOpenError as error:
        return _error_text(services, error)
    return _opened_text(services, interaction)


def _refusal_text(
    services: Services,
    game: GamePlug,
    interaction: discord.Interaction,
    *,
    server: ServerSettings,
    request: LobbyRequest,
) -> str | None:
    words = services.words
    channel = interaction.channel
    place = channel.parent_id if isinstance(channel, discord.Thread) else interaction.channel_id
    if server.channels and not {place, interaction.channel_id} & set(server.channels):
        where = words.listed([f"<#{allowed}>" for allowed in server.channels])
        return words.text(
            "This server plays {title} in {where}. Try it there!", title=game.title, where=where
        )
    if not _may_start(interaction, server):
        if server.starters is Starters.ROLE and server.starter_role is not None:
            role = f"<@&{server.starter_role}>"
            return words.text("Here {role} can start a match. Ask one of them!", role=role)
        return words.text("Here members who manage channels can start a match. Ask one of them!")
    if request.opponents and not server.opponents:
        return words.text(
            "This server plays without simulated opponents. Try `/{game} play` alone.",
            game=game.machine.rules.name,
        )
    thread = isinstance(channel, discord.Thread)
    lacking = missing(interaction.app_permissions, thread=thread)
    if lacking:
        return words.text(
            "I can't host a match here yet: in this channel I still need {permissions}. "
            "Somebody who manages the channel can allow that under Edit Channel → Permissions.",
            permissions=permission_names(lacking, words),
        )
    return None


def _may_start(interaction: discord.Interaction, server: ServerSettings) -> bool:
    if server.starters is Starters.EVERYONE or is_manager(interaction):
        return True
    if server.starters is Starters.ROLE and isinstance(interaction.user, discord.Member):
        return any(role.id == server.starter_role for role in interaction.user.roles)
    return False


def _error_text(services: Services, error: CannotOpenError) -> str:
    words = services.words
    match error:
        case ChannelBusyError(runner=runner) if runner is not None and runner.match.post:
            venue = runner.venue
            post = runner.match.post.id
            link = f"https://discord.com/channels/{venue.guild}/{venue.channel}/{post}"
            return words.text("A match is open in this channel already: {link}", link=link)
        case SeatedElsewhereError():
            return seated_elsewhere_text(services, error.venue.channel)
        case CannotSaveError():
            return words.text("I can't save anything at the moment. Please try again later.")
        case ClosingError():
            return words.text("I am about to restart. Try again in a minute, please.")
        case _:
            return words.text("A match is being opened in this channel right now. Join that one!")


def _opened_text(services: Services, interaction: discord.Interaction) -> str:
    words = services.words
    lines = [words.text("The lobby is open. Press **Start** when everybody has a seat.")]
    delay = getattr(interaction.channel, "slowmode_delay", 0)
    if delay:
        lines.append(
            words.count(
                "Slow mode is on: players can type only once in {n} second. A race needs it off.",
                "Slow mode is on: players can type only once in {n} seconds. A race needs it off.",
                delay,
            )
        )
    return "\n".join(lines)
