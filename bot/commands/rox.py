"""The commands of `/rox`: thin, each defers, calls, and puts the outcome into words."""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING, Literal

import discord
from discord import app_commands
from discord.app_commands import locale_str
from discord.ext import commands

from bot.commands.opening import Wish, open_lobby
from bot.commands.rules import rules_text
from bot.commands.standings import board_text, stats_text
from bot.games.look import LOOK, Look
from bot.games.names import shown
from bot.games.rox.pictures import how_to
from bot.store import guilds, standings
from bot.store.guilds import ServerSettings
from bot.views.host import Host, game_of
from bot.views.permissions import lacking_text
from bot.views.presses import is_manager
from bot.views.refusals import acknowledge
from bot.views.settings import may_change, settings_view
from bot.views.whispers import easy
from game.actions import Action, Resume, Stop
from game.ids import ms_of
from game.match import Level, PauseReason, Phase
from game.rox.actions import Back, Claim
from game.rox.settings import Checking, Preset, RoxSettings

if TYPE_CHECKING:
    from collections.abc import Callable

    from bot.matches.runner import Runner

BOARD_ROWS = 10
AGAIN_MS = 5_000


class RoxCommands(
    commands.GroupCog, group_name="rox", group_description=locale_str("The card race Rox.")
):
    """Everything about Rox."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._shown_again: dict[int, int] = {}

    @app_commands.command(
        name="play", description=locale_str("Open a lobby for a match in this channel.")
    )
    @app_commands.describe(
        opponents=locale_str("How many simulated opponents play along."),
        level=locale_str("How strong the simulated opponents are."),
        checking=locale_str("When mistakes show."),
        rules=locale_str("Which rules decide ties and prizes."),
    )
    async def play(
        self,
        interaction: discord.Interaction,
        opponents: app_commands.Range[int, 0, 3] = 0,
        level: Literal["apprentice", "journeyman", "master"] = "journeyman",
        checking: Literal["magic-eye", "instant"] | None = None,
        rules: Literal["rulebook", "fair"] | None = None,
    ) -> None:
        """Open a lobby."""
        await acknowledge(interaction, thinking=True)
        wish = Wish(
            opponents=opponents,
            level=Level(level),
            checking=Checking(checking) if checking else None,
            preset=Preset(rules) if rules else None,
        )
        await self._tell(interaction, await open_lobby(self._host, interaction, wish))

    @app_commands.command(
        name="take", description=locale_str("Take a card, as typing its number does.")
    )
    @app_commands.describe(number=locale_str("The card's number."))
    async def take(
        self, interaction: discord.Interaction, number: app_commands.Range[int, 10, 69]
    ) -> None:
        """Claim a card."""
        user = interaction.user.id
        await self._act(interaction, lambda _: Claim(interaction.id, user=user, number=number))

    @app_commands.command(name="back", description=locale_str("Put your last card back."))
    async def back(self, interaction: discord.Interaction) -> None:
        """Put back."""
        user = interaction.user.id
        await self._act(interaction, lambda _: Back(interaction.id, user=user))

    @app_commands.command(name="stop", description=locale_str("Stop the match in this channel."))
    async def stop(self, interaction: discord.Interaction) -> None:
        """Stop, or ask the others to agree."""
        user, manager = interaction.user.id, is_manager(interaction)
        words = self._host.words
        await self._act(
            interaction,
            lambda _: Stop(interaction.id, user=user, manager=manager),
            done=words.text("The match is stopped."),
        )

    @app_commands.command(
        name="table", description=locale_str("Show the match again, further down.")
    )
    async def table(self, interaction: discord.Interaction) -> None:
        """Post the match's message again, and go on where only a permission was missing."""
        await acknowledge(interaction, thinking=True)
        words = self._host.words
        runner = self._runner(interaction)
        if runner is None:
            await self._tell(interaction, self._no_match())
            return
        wait_ms = self._wait_to_show(runner, interaction)
        if wait_ms > 0:
            await self._tell(interaction, easy(wait_ms, words))
            return
        match = runner.match
        lacking = lacking_text(interaction, words)
        if lacking is not None:
            await self._tell(interaction, lacking)
            return
        if match.phase is Phase.PAUSED and match.pause is PauseReason.PERMISSION:
            resume = Resume(interaction.id, user=interaction.user.id)
            await runner.answer(runner.ask(resume))
        self._host.screen.post_again(runner)
        await self._tell(interaction, words.text("Here it comes."))

    @app_commands.command(
        name="rules", description=locale_str("How Rox is played, in half a minute.")
    )
    async def rules(self, interaction: discord.Interaction) -> None:
        """Explain the game."""
        await acknowledge(interaction, thinking=True)
        host = self._host
        server = ServerSettings()
        if interaction.guild_id is not None:
            async with host.database.read() as session:
                server = await guilds.load(session, interaction.guild_id)
        settings, look = server.of("rox", RoxSettings), server.of(LOOK, Look)
        picture = how_to(host.words)
        drawn = BytesIO(await host.screen.draw(picture.scene, look.theme))
        file = discord.File(drawn, filename=picture.name, description=picture.alt)
        await interaction.edit_original_response(
            content=rules_text(settings, host.words), attachments=[file]
        )

    @app_commands.command(
        name="stats", description=locale_str("A player's figures in this server.")
    )
    @app_commands.describe(member=locale_str("Whose figures; leave it empty for your own."))
    async def stats(
        self, interaction: discord.Interaction, member: discord.User | None = None
    ) -> None:
        """Show one player's standing."""
        await acknowledge(interaction, thinking=True)
        words = self._host.words
        if interaction.guild_id is None:
            await self._tell(interaction, self._needs_server())
            return
        who = member or interaction.user
        async with self._host.database.read() as session:
            standing = await standings.stats(session, interaction.guild_id, "rox", who.id)
        if standing is not None:
            text = stats_text(standing, words)
        elif who.id == interaction.user.id:
            text = words.text("You have no finished match here yet. `/rox play` opens one!")
        else:
            text = words.text(
                "{name} has no finished match here yet.", name=shown(who.display_name)
            )
        await self._tell(interaction, text)

    @app_commands.command(
        name="leaderboard", description=locale_str("The best players of this server.")
    )
    async def leaderboard(self, interaction: discord.Interaction) -> None:
        """Show the top of the board."""
        await acknowledge(interaction, thinking=True)
        words = self._host.words
        if interaction.guild_id is None:
            await self._tell(interaction, self._needs_server())
            return
        async with self._host.database.read() as session:
            board = await standings.board(session, interaction.guild_id, "rox", limit=BOARD_ROWS)
        if board.total == 0:
            text = words.text("Nobody has finished a match here yet. `/rox play` opens the first!")
        else:
            text = board_text(board, words)
        await self._tell(interaction, text)

    @app_commands.command(name="settings", description=locale_str("How this server plays Rox."))
    async def settings(self, interaction: discord.Interaction) -> None:
        """Show the settings, each a select that saves what is chosen."""
        await acknowledge(interaction, thinking=True)
        if interaction.guild_id is None:
            await self._tell(interaction, self._needs_server())
            return
        if not may_change(interaction):
            text = self._host.words.text("Only members who may manage the server can change this.")
            await self._tell(interaction, text)
            return
        async with self._host.database.read() as session:
            server = await guilds.load(session, interaction.guild_id)
        await interaction.edit_original_response(view=settings_view(server, self._host.words))

    async def _act(
        self,
        interaction: discord.Interaction,
        make: Callable[[Runner], Action],
        *,
        done: str | None = None,
    ) -> None:
        """Put a player's action into the inbox and answer with what came of it."""
        runner = self._runner(interaction)
        if runner is None:
            await acknowledge(interaction, thinking=True)
            await self._tell(interaction, self._no_match())
            return
        reply = runner.ask(make(runner))
        await acknowledge(interaction, thinking=True)
        events = await runner.answer(reply)
        text = game_of(runner).answer(self._host.showing(runner), events, interaction.user.id)
        fallback = done if events else self._host.words.text("That is no longer possible.")
        await self._tell(interaction, text or fallback or self._host.words.text("Done."))

    def _wait_to_show(self, runner: Runner, interaction: discord.Interaction) -> int:
        """Return for how many milliseconds a match is not shown again; 0: it is now."""
        now = ms_of(interaction.id)
        wait = self._shown_again.get(runner.id, now - AGAIN_MS) + AGAIN_MS - now
        if wait <= 0:
            is_open = self._host.matches.registry.get
            self._shown_again = {m: ms for m, ms in self._shown_again.items() if is_open(m)}
            self._shown_again[runner.id] = now
        return max(wait, 0)

    def _runner(self, interaction: discord.Interaction) -> Runner | None:
        if interaction.channel_id is None:
            return None
        return self._host.matches.registry.at(interaction.channel_id)

    def _no_match(self) -> str:
        return self._host.words.text("No match is open in this channel. `/rox play` opens one.")

    def _needs_server(self) -> str:
        return self._host.words.text(
            "That belongs to a server: use this command in a channel of one."
        )

    async def _tell(self, interaction: discord.Interaction, text: str) -> None:
        await interaction.edit_original_response(content=text)
