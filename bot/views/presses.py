"""What a press on a match's message does, and what the person is told of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.games.plug import Press
from bot.matches.ports import StoreUnavailableError
from bot.matches.seats import SeatedElsewhereError
from bot.replies.acknowledging import acknowledge
from bot.replies.permissions import lacking_text
from bot.store import results
from game.actions import Action, Join, Rematch, Resume
from game.events import Refusal, Refused

if TYPE_CHECKING:
    import discord

    from bot.matches.runner import Runner
    from bot.views.services import Services

PRIVATE_KEY = "now"
"""The key of buttons that are shown privately: they belong to no message of the match."""


async def press(
    services: Services,
    interaction: discord.Interaction,
    runner: Runner,
    action: Action | None,
    *,
    tell: bool = False,
) -> str | None:
    """Carry out a press; return what the person is told privately, if anything.

    Args:
        services: the wired bot.
        interaction: the press.
        runner: the match.
        action: what the press does; None: it shows somebody the own card.
        tell: whether the person is told what came of it even if the table shows it.
    """
    words, user = services.words, interaction.user
    if action is None:
        return await _follow(services, interaction, runner)
    if isinstance(action, Resume) and (lacking := lacking_text(interaction, words)) is not None:
        return lacking
    if isinstance(action, Rematch):
        elsewhere = services.matches.seats.of(runner.venue.guild, user.id)
        if elsewhere is not None:
            return seated_elsewhere(services, elsewhere.channel)
    if not isinstance(action, Join):
        return await done(services, interaction, runner, action, tell=tell)
    try:
        with services.matches.seats.joining(runner, user.id):
            return await done(services, interaction, runner, action, tell=tell)
    except SeatedElsewhereError as error:
        return seated_elsewhere(services, error.venue.channel)


async def done(
    services: Services,
    interaction: discord.Interaction,
    runner: Runner,
    action: Action,
    *,
    tell: bool = False,
) -> str | None:
    """Carry out an action; return the private answer: only what the table does not show.

    The press is acknowledged once the action lies in the inbox, so that it is not overtaken by
    what happens in the meantime.
    """
    user = interaction.user.id
    reply = runner.ask(action)
    try:
        await acknowledge(interaction)
    finally:
        events = await runner.answer(reply)
    if not events:
        return services.words.text("That is no longer possible.")
    refused = any(isinstance(event, Refused) and event.user == user for event in events)
    if not refused and not tell:
        return None
    text = services.game_of(runner).answer(services.view(runner), events, user)
    return text if refused else text or services.words.text("Done.")


def pressed(interaction: discord.Interaction, verb: str) -> Press:
    """Return an interaction as the press that a game is asked about."""
    user = interaction.user
    return Press(interaction.id, user.id, verb, user.display_name, is_manager(interaction))


def is_outdated(interaction: discord.Interaction, runner: Runner, key: str) -> bool:
    """Return whether a button belongs to an earlier message, so that it does nothing.

    A message that is newer than the one that the match knows is in the channel already, while
    the answer to its post is still on its way.
    """
    post, message = runner.match.post, interaction.message
    if key == PRIVATE_KEY or post is None or key == post.key:
        return False
    return message is None or message.id < post.id


def outdated_text(services: Services) -> str:
    """Return what somebody is told who pressed a button of an earlier message."""
    return services.words.text("That button belongs to an earlier message; look further down.")


async def over_text(services: Services, match: int) -> str:
    """Return what somebody is told who pressed a button of a match that is closed."""
    try:
        async with services.database.read() as session:
            game = await results.game_of(session, match)
    except StoreUnavailableError:
        game = None
    if game not in services.games:
        game = next(iter(services.games))
    return services.words.text("That match is over. `/{game} play` opens a new one.", game=game)


def seated_elsewhere(services: Services, channel: int) -> str:
    """Return where somebody sits already."""
    where = f"<#{channel}>"
    return services.words.text("You sit at a table in {where}. Leave that one first.", where=where)


async def _follow(
    services: Services, interaction: discord.Interaction, runner: Runner
) -> str | None:
    """Show a player the own card from now on."""
    await acknowledge(interaction)
    user = interaction.user.id
    if runner.match.seat_of(user) is None:
        return services.words.text("You have no seat in this match.")
    if services.whispers.cards.wait_ms(user, interaction.id):
        return None
    if not services.display.follow(runner, interaction):
        closed = Refused(user, Refusal.RACE_CLOSED)
        return services.game_of(runner).answer(services.view(runner), (closed,), user)
    return None


def may_tell(services: Services, interaction: discord.Interaction) -> bool:
    """Whether a person is told something because of a press; if so, it counts as told."""
    return services.whispers.words.wait_ms(interaction.user.id, interaction.id) == 0


def is_manager(interaction: discord.Interaction) -> bool:
    """Whether a person may manage the channel."""
    return interaction.permissions.manage_channels
