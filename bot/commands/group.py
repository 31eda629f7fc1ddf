"""The commands of a game: those that every game has, and its own, built from its description."""

from __future__ import annotations

from dataclasses import dataclass, field
from inspect import Parameter, Signature
from io import BytesIO
from typing import TYPE_CHECKING, Any, Final, TypeAlias, cast

import discord
from discord import app_commands

from bot.commands.opening import Wish, open_lobby
from bot.commands.standings import board_text, stats_text
from bot.games.look import LOOK_SECTION, Look
from bot.games.names import escaped
from bot.store import guilds, standings
from bot.store.guilds import ServerSettings
from bot.views.permissions import lacking_text
from bot.views.presses import is_manager, press_from
from bot.views.refusals import acknowledge
from bot.views.settings import may_change, settings_view
from bot.views.whispers import easy
from game.actions import Action, Resume, Stop
from game.ids import ms_of
from game.match import Level, PauseReason, Phase

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping, Sequence

    from bot.games.plug import GameCommand, GamePlug
    from bot.matches.runner import Runner
    from bot.views.services import Services

    Run: TypeAlias = Callable[[discord.Interaction, Mapping[str, Any]], Awaitable[None]]
    AnyCommand: TypeAlias = app_commands.Command[Any, ..., Any]

BOARD_ROWS: Final = 10
AGAIN_MS: Final = 5_000


@dataclass(frozen=True, slots=True)
class _Option:
    """An option of a command.

    Attributes:
        name: of the option.
        description: what it means.
        kind: its type, as the library reads it from an annotation.
        default: the value when it is left out; `Parameter.empty`: it can't be.
        values: the values that are offered; none: any of the type.
    """

    name: str
    description: str
    kind: Any
    default: Any = Parameter.empty
    values: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Command:
    """A command: its name, its description, what it does, and its options."""

    name: str
    description: str
    run: Run
    options: Sequence[_Option] = field(default_factory=list[_Option])

    def built(self) -> AnyCommand:
        """Return the library's command.

        The library reads a command's options from the signature of its function, so the
        function gets the signature that a written one would have.
        """

        async def callback(interaction: discord.Interaction, **values: Any) -> None:
            await self.run(interaction, values)

        first = Parameter("interaction", Parameter.POSITIONAL_OR_KEYWORD)
        others = [
            Parameter(
                option.name,
                Parameter.POSITIONAL_OR_KEYWORD,
                annotation=option.kind,
                default=option.default,
            )
            for option in self.options
        ]
        cast("Any", callback).__signature__ = Signature([first, *others])
        descriptions = {option.name: option.description for option in self.options}
        choices = {
            option.name: [app_commands.Choice(name=value, value=value) for value in option.values]
            for option in self.options
            if option.values
        }
        described = app_commands.choices(**choices)(app_commands.describe(**descriptions)(callback))
        return app_commands.Command(
            name=self.name, description=self.description, callback=described
        )


def game_group(services: Services, game: GamePlug) -> app_commands.Group:
    """Return the group of a game's commands."""
    group = app_commands.Group(name=game.machine.rules.name, description=game.description)
    for command in _Commands(services, game).all():
        group.add_command(command.built())
    return group


class _Commands:
    """What the commands of one game do: each defers, calls, and puts the outcome into words."""

    def __init__(self, services: Services, game: GamePlug) -> None:
        self._services = services
        self._game = game
        self._name = game.machine.rules.name
        self._shown_again: dict[int, int] = {}

    def all(self) -> list[_Command]:
        """Return every command, in the order in which Discord is told of them."""
        words, title = self._services.words, self._game.title
        whose = _Option(
            "member",
            words.text("Whose figures; leave it empty for your own."),
            discord.User | None,
            None,
        )
        return [
            _Command(
                "play",
                words.text("Open a lobby for a match in this channel."),
                self._play,
                self._play_options(),
            ),
            *map(self._own, self._game.commands),
            _Command("stop", words.text("Stop the match in this channel."), self._stop),
            _Command("table", words.text("Show the match again, further down."), self._table),
            _Command(
                "rules",
                words.text("How {title} is played, in half a minute.", title=title),
                self._rules,
            ),
            _Command(
                "stats", words.text("A player's figures in this server."), self._stats, [whose]
            ),
            _Command("leaderboard", words.text("The best players of this server."), self._board),
            _Command(
                "settings",
                words.text("How this server plays {title}.", title=title),
                self._settings,
            ),
        ]

    def _play_options(self) -> list[_Option]:
        game, words = self._game, self._services.words
        options: list[_Option] = []
        if game.levels:
            options = [
                _Option(
                    "opponents",
                    words.text("How many simulated opponents play along."),
                    app_commands.Range[int, 0, game.machine.rules.most - 1],
                    0,
                ),
                _Option(
                    "level",
                    words.text("How strong the simulated opponents are."),
                    str,
                    game.default_level.value,
                    tuple(level.value for level in game.levels),
                ),
            ]
        offered = [
            _Option(
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

    def _own(self, command: GameCommand) -> _Command:
        async def run(interaction: discord.Interaction, values: Mapping[str, Any]) -> None:
            action = command.act(press_from(interaction, command.name), values)
            await self._act(interaction, action)

        options = [
            _Option(o.name, o.description, app_commands.Range[int, o.min_value, o.max_value])
            for o in command.options
        ]
        return _Command(command.name, command.description, run, options)

    async def _play(self, interaction: discord.Interaction, values: Mapping[str, Any]) -> None:
        """Open a lobby."""
        await acknowledge(interaction, thinking=True)
        game = self._game
        chosen = {
            choice.name: str(values[choice.play.name])
            for choice in game.choices
            if choice.play is not None and values[choice.play.name] is not None
        }
        wish = Wish(
            opponents=values.get("opponents", 0),
            level=Level(values.get("level", game.default_level)),
            chosen=chosen,
        )
        await self._tell(interaction, await open_lobby(self._services, game, interaction, wish))

    async def _stop(self, interaction: discord.Interaction, _: Mapping[str, Any]) -> None:
        """Stop, or ask the others to agree."""
        action = Stop(interaction.id, user=interaction.user.id, manager=is_manager(interaction))
        await self._act(
            interaction, action, done=self._services.words.text("The match is stopped.")
        )

    async def _table(self, interaction: discord.Interaction, _: Mapping[str, Any]) -> None:
        """Post the match's message again, and go on where only a permission was missing."""
        await acknowledge(interaction, thinking=True)
        words = self._services.words
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
        self._services.display.post_again(runner)
        await self._tell(interaction, words.text("Here it comes."))

    async def _rules(self, interaction: discord.Interaction, _: Mapping[str, Any]) -> None:
        """Explain the game."""
        await acknowledge(interaction, thinking=True)
        services, game = self._services, self._game
        server = ServerSettings()
        if interaction.guild_id is not None:
            async with services.database.read() as session:
                server = await guilds.load(session, interaction.guild_id)
        settings = server.of(self._name, game.settings_type)
        files: list[discord.File] = []
        picture = game.how_to(services.words)
        if picture is not None:
            theme = server.of(LOOK_SECTION, Look).theme
            drawn = BytesIO(await services.display.draw(picture.scene, theme))
            files.append(discord.File(drawn, filename=picture.name, description=picture.alt))
        await interaction.edit_original_response(
            content=game.rules_text(settings, services.words), attachments=files
        )

    async def _stats(self, interaction: discord.Interaction, values: Mapping[str, Any]) -> None:
        """Show one player's standing."""
        await acknowledge(interaction, thinking=True)
        words = self._services.words
        if interaction.guild_id is None:
            await self._tell(interaction, self._needs_server())
            return
        who: discord.User | discord.Member = values["member"] or interaction.user
        async with self._services.database.read() as session:
            standing = await standings.stats(session, interaction.guild_id, self._name, who.id)
        if standing is not None:
            text = stats_text(self._game, standing, words)
        elif who.id == interaction.user.id:
            text = words.text(
                "You have no finished match here yet. `/{game} play` opens one!", game=self._name
            )
        else:
            text = words.text(
                "{name} has no finished match here yet.", name=escaped(who.display_name)
            )
        await self._tell(interaction, text)

    async def _board(self, interaction: discord.Interaction, _: Mapping[str, Any]) -> None:
        """Show the top of the board."""
        await acknowledge(interaction, thinking=True)
        words = self._services.words
        if interaction.guild_id is None:
            await self._tell(interaction, self._needs_server())
            return
        async with self._services.database.read() as session:
            board = await standings.board(
                session, interaction.guild_id, self._name, limit=BOARD_ROWS
            )
        if board.total == 0:
            text = words.text(
                "Nobody has finished a match here yet. `/{game} play` opens the first!",
                game=self._name,
            )
        else:
            text = board_text(self._game, board, words)
        await self._tell(interaction, text)

    async def _settings(self, interaction: discord.Interaction, _: Mapping[str, Any]) -> None:
        """Show the settings, each a select that saves what is chosen."""
        await acknowledge(interaction, thinking=True)
        words = self._services.words
        if interaction.guild_id is None:
            await self._tell(interaction, self._needs_server())
            return
        if not may_change(interaction):
            text = words.text("Only members who may manage the server can change this.")
            await self._tell(interaction, text)
            return
        async with self._services.database.read() as session:
            server = await guilds.load(session, interaction.guild_id)
        await interaction.edit_original_response(view=settings_view(self._game, server, words))

    async def _act(
        self, interaction: discord.Interaction, action: Action, *, done: str | None = None
    ) -> None:
        """Put a player's action into the inbox and answer with what came of it."""
        services, words = self._services, self._services.words
        runner = self._runner(interaction)
        if runner is None:
            await acknowledge(interaction, thinking=True)
            await self._tell(interaction, self._no_match())
            return
        reply = runner.ask(action)
        await acknowledge(interaction, thinking=True)
        events = await runner.answer(reply)
        text = self._game.answer(services.view(runner), events, interaction.user.id)
        fallback = done if events else words.text("That is no longer possible.")
        await self._tell(interaction, text or fallback or words.text("Done."))

    def _wait_to_show(self, runner: Runner, interaction: discord.Interaction) -> int:
        """Return for how many milliseconds a match is not shown again; 0: it is now."""
        now = ms_of(interaction.id)
        wait = self._shown_again.get(runner.id, now - AGAIN_MS) + AGAIN_MS - now
        if wait <= 0:
            is_open = self._services.matches.registry.get
            self._shown_again = {m: ms for m, ms in self._shown_again.items() if is_open(m)}
            self._shown_again[runner.id] = now
        return max(wait, 0)

    def _runner(self, interaction: discord.Interaction) -> Runner | None:
        """Return the match of this game that is open in the channel."""
        if interaction.channel_id is None:
            return None
        runner = self._services.matches.registry.at(interaction.channel_id)
        return runner if runner is not None and runner.match.opening.game == self._name else None

    def _no_match(self) -> str:
        return self._services.words.text(
            "No match is open in this channel. `/{game} play` opens one.", game=self._name
        )

    def _needs_server(self) -> str:
        return self._services.words.text(
            "That belongs to a server: use this command in a channel of one."
        )

    async def _tell(self, interaction: discord.Interaction, text: str) -> None:
        await interaction.edit_original_response(content=text)
