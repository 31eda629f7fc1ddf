"""The command group of a game: the commands that every game has, and those of the game."""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING, Any, Final

import discord
from discord import app_commands

from bot.commands.opening import LobbyRequest, open_lobby
from bot.commands.specs import CommandSpec, OptionSpec
from bot.commands.standings import leaderboard_text, stats_text
from bot.games.look import LOOK_SECTION, Look
from bot.games.names import escaped
from bot.replies.acknowledging import acknowledge
from bot.replies.permissions import lacking_text
from bot.replies.reply_limits import easy
from bot.store import guilds, standings
from bot.store.guilds import ServerSettings
from bot.views.presses import is_manager, press_from
from bot.views.settings import may_change, settings_view
from game.actions import Action, Resume, Stop
from game.ids import ms_of
from game.match import Level, PauseReason, Phase

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bot.games.plug import GameCommand, GamePlug
    from bot.matches.runner import Runner
    from bot.views.services import Services

BOARD_ROWS: Final = 10
TABLE_COOLDOWN_MS: Final = 5_000
"""How long after `table` another use of it in the same match is refused."""


def game_group(services: Services, game: GamePlug) -> app_commands.Group:
    """Return the command group of a game."""
    group = app_commands.Group(name=game.machine.rules.name, description=game.description)
    for spec in _GameCommands(services, game).specs():
        group.add_command(spec.build())
    return group


class _GameCommands:
    """The commands of one game. Each callback defers, does its work and edits the response."""

    def __init__(self, services: Services, game: GamePlug) -> None:
        self._services = services
        self._game = game
        self._name = game.machine.rules.name
        self._table_used_ms: dict[int, int] = {}

    def specs(self) -> list[CommandSpec]:
        """Return every command, in the order in which they are registered."""
        words, title = self._services.words, self._game.title
        member = OptionSpec(
            "member",
            words.text("Whose figures; leave it empty for your own."),
            discord.User | None,
            None,
        )
        return [
            CommandSpec(
                "play",
                words.text("Open a lobby for a match in this channel."),
                self._play,
                self._play_options(),
            ),
            *map(self._game_command, self._game.commands),
            CommandSpec("stop", words.text("Stop the match in this channel."), self._stop),
            CommandSpec("table", words.text("Show the match again, further down."), self._table),
            CommandSpec(
                "rules",
                words.text("How {title} is played, in half a minute.", title=title),
                self._rules,
            ),
            CommandSpec(
                "stats", words.text("A player's figures in this server."), self._stats, [member]
            ),
            CommandSpec(
                "leaderboard", words.text("The best players of this server."), self._leaderboard
            ),
            CommandSpec(
                "settings",
                words.text("How this server plays {title}.", title=title),
                self._settings,
            ),
        ]

    def _play_options(self) -> list[OptionSpec]:
        game, words = self._game, self._services.words
        options: list[OptionSpec] = []
        if game.levels:
            options = [
                OptionSpec(
                    "opponents",
                    words.text("How many simulated opponents play along."),
                    app_commands.Range[int, 0, game.machine.rules.max_seats - 1],
                    0,
                ),
                OptionSpec(
                    "level",
                    words.text("How strong the simulated opponents are."),
                    str,
                    game.default_level.value,
                    tuple(level.value for level in game.levels),
                ),
            ]
        offered = [
            OptionSpec(
                choice.play.name,
                choice.play.description,
                str | None,
                None,
                tuple(value for value, _ in choice.options(words)),
            )
            for choice in game.choices
            if choice.play is not None
        ]
        return options + sorted(offered, key=lambda option: option.name)

    def _game_command(self, command: GameCommand) -> CommandSpec:
        async def callback(interaction: discord.Interaction, values: Mapping[str, Any]) -> None:
            action = command.act(press_from(interaction, command.name), values)
            await self._act(interaction, action)

        options = [
            OptionSpec(o.name, o.description, app_commands.Range[int, o.min_value, o.max_value])
            for o in command.options
        ]
        return CommandSpec(command.name, command.description, callback, options)

    async def _play(self, interaction: discord.Interaction, values: Mapping[str, Any]) -> None:
        """Open a lobby in the channel."""
        await acknowledge(interaction, thinking=True)
        game = self._game
        choices = {
            choice.name: str(values[choice.play.name])
            for choice in game.choices
            if choice.play is not None and values[choice.play.name] is not None
        }
        request = LobbyRequest(
            opponents=values.get("opponents", 0),
            level=Level(values.get("level", game.default_level)),
            choices=choices,
        )
        await self._reply(interaction, await open_lobby(self._services, game, interaction, request))

    async def _stop(self, interaction: discord.Interaction, _: Mapping[str, Any]) -> None:
        """Stop the match, or ask the other players to agree."""
        action = Stop(interaction.id, user=interaction.user.id, manager=is_manager(interaction))
        await self._act(
            interaction, action, done=self._services.words.text("The match is stopped.")
        )

    async def _table(self, interaction: discord.Interaction, _: Mapping[str, Any]) -> None:
        """Post the match's message again, and resume a match that lacked a permission."""
        await acknowledge(interaction, thinking=True)
        words = self._services.words
        runner = self._runner(interaction)
        if runner is None:
            await self._reply(interaction, self._no_match_text())
            return
        wait_ms = self._table_cooldown_ms(runner, interaction)
        if wait_ms > 0:
            await self._reply(interaction, easy(wait_ms, words))
            return
        match = runner.match
        lacking = lacking_text(interaction, words)
        if lacking is not None:
            await self._reply(interaction, lacking)
            return
        if match.phase is Phase.PAUSED and match.pause is PauseReason.PERMISSION:
            resume = Resume(interaction.id, user=interaction.user.id)
            await runner.answer(runner.ask(resume))
        self._services.display.post_again(runner)
        await self._reply(interaction, words.text("Here it comes."))

    async def _rules(self, interaction: discord.Interaction, _: Mapping[str, Any]) -> None:
        """Explain how the game is played."""
        await acknowledge(interaction, thinking=True)
        services, game = self._services, self._game
        server = ServerSettings()
        if interaction.guild_id is not None:
            async with services.database.read() as session:
                server = await guilds.load(session, interaction.guild_id)
        settings = server.section(self._name, game.settings_type)
        files: list[discord.File] = []
        picture = game.how_to(services.words)
        if picture is not None:
            theme = server.section(LOOK_SECTION, Look).theme
            drawn = BytesIO(await services.display.draw(picture.scene, theme))
            files.append(discord.File(drawn, filename=picture.name, description=picture.alt))
        await interaction.edit_original_response(
            content=game.rules_text(settings, services.words), attachments=files
        )

    async def _stats(self, interaction: discord.Interaction, values: Mapping[str, Any]) -> None:
        """Show the standing of a player."""
        await acknowledge(interaction, thinking=True)
        words = self._services.words
        if interaction.guild_id is None:
            await self._reply(interaction, self._server_only_text())
            return
        user: discord.User | discord.Member = values["member"] or interaction.user
        async with self._services.database.read() as session:
            standing = await standings.load_standing(
                session, interaction.guild_id, self._name, user.id
            )
        if standing is not None:
            text = stats_text(self._game, standing, words)
        elif user.id == interaction.user.id:
            text = words.text(
                "You have no finished match here yet. `/{game} play` opens one!", game=self._name
            )
        else:
            text = words.text(
                "{name} has no finished match here yet.", name=escaped(user.display_name)
            )
        await self._reply(interaction, text)

    async def _leaderboard(self, interaction: discord.Interaction, _: Mapping[str, Any]) -> None:
        """Show the top of the leaderboard."""
        await acknowledge(interaction, thinking=True)
        words = self._services.words
        if interaction.guild_id is None:
            await self._reply(interaction, self._server_only_text())
            return
        async with self._services.database.read() as session:
            board = await standings.load_board(
                session, interaction.guild_id, self._name, limit=BOARD_ROWS
            )
        if board.total == 0:
            text = words.text(
                "Nobody has finished a match here yet. `/{game} play` opens the first!",
                game=self._name,
            )
        else:
            text = leaderboard_text(self._game, board, words)
        await self._reply(interaction, text)

    async def _settings(self, interaction: discord.Interaction, _: Mapping[str, Any]) -> None:
        """Show the settings page."""
        await acknowledge(interaction, thinking=True)
        words = self._services.words
        if interaction.guild_id is None:
            await self._reply(interaction, self._server_only_text())
            return
        if not may_change(interaction):
            text = words.text("Only members who may manage the server can change this.")
            await self._reply(interaction, text)
            return
        async with self._services.database.read() as session:
            server = await guilds.load(session, interaction.guild_id)
        await interaction.edit_original_response(view=settings_view(self._game, server, words))

    async def _act(
        self, interaction: discord.Interaction, action: Action, *, done: str | None = None
    ) -> None:
        """Perform a player's action and reply with its result.

        Args:
            interaction: the command.
            action: the action.
            done: the reply if the action succeeded and the game has no answer.
        """
        services, words = self._services, self._services.words
        runner = self._runner(interaction)
        if runner is None:
            await acknowledge(interaction, thinking=True)
            await self._reply(interaction, self._no_match_text())
            return
        reply = runner.ask(action)
        await acknowledge(interaction, thinking=True)
        events = await runner.answer(reply)
        text = self._game.answer(services.view(runner), events, interaction.user.id)
        fallback = done if events else words.text("That is no longer possible.")
        await self._reply(interaction, text or fallback or words.text("Done."))

    def _table_cooldown_ms(self, runner: Runner, interaction: discord.Interaction) -> int:
        """Return for how many milliseconds `table` is refused; if 0, start the cooldown."""
        now = ms_of(interaction.id)
        wait = self._table_used_ms.get(runner.id, now - TABLE_COOLDOWN_MS) + TABLE_COOLDOWN_MS - now
        if wait <= 0:
            is_open = self._services.matches.registry.get
            self._table_used_ms = {m: ms for m, ms in self._table_used_ms.items() if is_open(m)}
            self._table_used_ms[runner.id] = now
        return max(wait, 0)

    def _runner(self, interaction: discord.Interaction) -> Runner | None:
        """Return the open match of this game in the channel."""
        if interaction.channel_id is None:
            return None
        runner = self._services.matches.registry.at(interaction.channel_id)
        return runner if runner is not None and runner.match.opening.game == self._name else None

    def _no_match_text(self) -> str:
        return self._services.words.text(
            "No match is open in this channel. `/{game} play` opens one.", game=self._name
        )

    def _server_only_text(self) -> str:
        return self._services.words.text(
            "That belongs to a server: use this command in a channel of one."
        )

    async def _reply(self, interaction: discord.Interaction, text: str) -> None:
        await interaction.edit_original_response(content=text)
