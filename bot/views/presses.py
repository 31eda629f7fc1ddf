"""Presses on a match's messages: performing them and the private replies to them."""

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
"""The key of buttons in private messages, which never become outdated."""


async def perform_press(
    services: Services,
    interaction: discord.Interaction,
    runner: Runner,
    action: Action | None,
    *,
    verbose: bool = False,
) -> str | None:
    """Perform a press and return the text of the private reply, or None.

    Args:
        services: the wired bot.
        interaction: the press.
        runner: the match.
        action: the action that the press stands for; None for "My card".
        verbose: whether to reply even if the match's message shows the result.
    """
    words, user = services.words, interaction.user
    if action is None:
        return await _follow(services, interaction, runner)
    if isinstance(action, Resume) and (lacking := lacking_text(interaction, words)) is not None:
        return lacking
    if isinstance(action, Rematch):
        elsewhere = services.matches.seats.of(runner.venue.guild, user.id)
        if elsewhere is not None:
            return seated_elsewhere_text(services, elsewhere.channel)
    if not isinstance(action, Join):
        return await perform_action(services, interaction, runner, action, verbose=verbose)
    try:
        with services.matches.seats.joining(runner, user.id):
            return await perform_action(services, interaction, runner, action, verbose=verbose)
    except SeatedElsewhereError as error:
        return seated_elsewhere_text(services, error.venue.channel)


async def perform_action(
    services: Services,
    interaction: discord.Interaction,
    runner: Runner,
    action: Action,
    *,
    verbose: bool = False,
) -> str | None:
    """Perform an action and return the text of the private reply, or None.

    The action enters the inbox before the press is acknowledged: acknowledging first would let
    later actions be decided before it.

    Args:
        services: the wired bot.
        interaction: the press.
        runner: the match.
        action: the action.
        verbose: whether to reply even if the match's message shows the result.
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
    if not refused and not verbose:
        return None
    text = services.game_of(runner).answer(services.view(runner), events, user)
    return text if refused else text or services.words.text("Done.")


def press_from(interaction: discord.Interaction, verb: str) -> Press:
    """Return an interaction as a game takes it."""
    user = interaction.user
    return Press(interaction.id, user.id, verb, user.display_name, is_manager(interaction))


def is_outdated(interaction: discord.Interaction, runner: Runner, key: str) -> bool:
    """Return whether a button belongs to an earlier message of the match.

    A message newer than the match's post is not outdated: it was posted, but Discord's response
    to the post has not arrived yet.
    """
    post, message = runner.match.post, interaction.message
    if key == PRIVATE_KEY or post is None or key == post.key:
        return False
    return message is None or message.id < post.id


def outdated_text(services: Services) -> str:
    """Return the reply to a press on an earlier message."""
    return services.words.text("That button belongs to an earlier message; look further down.")


async def match_over_text(services: Services, match: int) -> str:
    """Return the reply to a press on a message of a closed match."""
    try:
        async with services.database.read() as session:
            game = await results.game_of(session, match)
    except StoreUnavailableError:
        game = None
    if game not in services.games:
        game = next(iter(services.games))
    return services.words.text("That match is over. `/{game} play` opens a new one.", game=game)


def seated_elsewhere_text(services: Services, channel: int) -> str:
    """Return the reply to a user who has a seat in another channel."""
    where = f"<#{channel}>"
    return services.words.text("You sit at a table in {where}. Leave that one first.", where=where)


async def _follow(
    services: Services, interaction: discord.Interaction, runner: Runner
) -> str | None:
    """Show a player their private sheet from now on."""
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


def allow_reply(services: Services, interaction: discord.Interaction) -> bool:
    """Return whether the user can get another private reply now; if so, count it."""
    return services.whispers.words.wait_ms(interaction.user.id, interaction.id) == 0


def is_manager(interaction: discord.Interaction) -> bool:
    """Return whether the user has the permission Manage Channels."""
    return interaction.permissions.manage_channels
