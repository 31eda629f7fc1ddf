"""What pressing a button of a match does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.games.sheet import Verb
from bot.matches.seats import SeatedElsewhereError
from bot.views.host import Host, game_of
from bot.views.permissions import lacking_text
from bot.views.refusals import acknowledge
from game.actions import Action, Join, Leave, Rematch, Resume, Start, Stop
from game.events import Refused
from game.match import Phase

if TYPE_CHECKING:
    import discord

    from bot.matches.runner import Runner
    from game.match import Post

_ANY_KEY = "now"


async def press(
    host: Host, interaction: discord.Interaction, verb: Verb, runner: Runner, key: str
) -> str | None:
    """Carry out a press; return what the person is told privately, if anything.

    Args:
        host: the wired bot.
        interaction: the press.
        verb: what the button does.
        runner: the match.
        key: what the message with the button shows; a button of an earlier message does nothing.
    """
    words, user = host.words, interaction.user
    post = runner.match.post
    if key != _ANY_KEY and post is not None and key != post.key and _is_earlier(interaction, post):
        return words.text("That button belongs to an earlier message; look further down.")
    if verb is Verb.RESUME and (lacking := lacking_text(interaction, words)) is not None:
        return lacking
    if verb is Verb.MY_CARD:
        return await _follow(host, interaction, runner)
    if verb is Verb.REMATCH:
        elsewhere = host.matches.seats.of(runner.venue.guild, user.id)
        if elsewhere is not None:
            return seated_elsewhere(host, elsewhere.channel)
    action = _action(interaction, verb, runner)
    if action is None:
        return words.text("That is no longer possible.")
    if verb is not Verb.JOIN:
        return await _done(host, interaction, runner, action)
    try:
        with host.matches.seats.joining(runner, user.id):
            return await _done(host, interaction, runner, action)
    except SeatedElsewhereError as error:
        return seated_elsewhere(host, error.venue.channel)


def _is_earlier(interaction: discord.Interaction, post: Post) -> bool:
    """Whether the message with a button was posted before the one that the match knows.

    A newer one is in the channel already, while the answer to its post is still on its way.
    """
    return interaction.message is None or interaction.message.id < post.id


def seated_elsewhere(host: Host, channel: int) -> str:
    """Return where somebody sits already."""
    where = f"<#{channel}>"
    return host.words.text("You sit at a table in {where}. Leave that one first.", where=where)


async def _follow(host: Host, interaction: discord.Interaction, runner: Runner) -> str | None:
    """Show a player the own card from now on."""
    await acknowledge(interaction)
    if runner.match.seat_of(interaction.user.id) is None:
        return host.words.text("You have no seat in this match.")
    if host.whispers.cards.wait_ms(interaction.user.id, interaction.id):
        return None
    if not host.screen.follow(runner, interaction):
        return host.words.text("No race is open right now. Wait for **Rox!**")
    return None


async def _done(
    host: Host, interaction: discord.Interaction, runner: Runner, action: Action
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
        return host.words.text("That is no longer possible.")
    if any(isinstance(event, Refused) and event.user == user for event in events):
        return game_of(runner).answer(host.showing(runner), events, user)
    return None


def may_tell(host: Host, interaction: discord.Interaction) -> bool:
    """Whether a person is told something because of a press; if so, it counts as told."""
    return host.whispers.words.wait_ms(interaction.user.id, interaction.id) == 0


def is_manager(interaction: discord.Interaction) -> bool:
    """Whether a person may manage the channel."""
    return interaction.permissions.manage_channels


def asks_first(verb: Verb, runner: Runner, user: int) -> bool:
    """Whether a button only asks: leaving a match under way can't be undone."""
    seated = runner.match.seat_of(user) is not None
    return verb is Verb.LEAVE and seated and runner.match.phase is not Phase.LOBBY


def _action(interaction: discord.Interaction, verb: Verb, runner: Runner) -> Action | None:
    pressed, user = interaction.id, interaction.user
    match verb:
        case Verb.JOIN:
            return Join(id=pressed, user=user.id, name=user.display_name)
        case Verb.LEAVE | Verb.LEAVE_NOW:
            return Leave(id=pressed, user=user.id)
        case Verb.START:
            return Start(id=pressed, user=user.id)
        case Verb.CANCEL:
            return Stop(id=pressed, user=user.id, manager=is_manager(interaction))
        case Verb.RESUME:
            return Resume(id=pressed, user=user.id)
        case Verb.REMATCH:
            return Rematch(id=pressed, user=user.id)
        case Verb.MY_CARD:
            return None
        case Verb.BACK | Verb.READY:
            return game_of(runner).press(verb, user.id, pressed)
