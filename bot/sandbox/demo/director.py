"""Plays the demo: opens a lobby, seats the people, lets them race, writes it all down."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, Final

from bot.app.client import RoxBot
from bot.games.table import GAMES
from bot.sandbox.demo.people import NAMES, Person, look
from bot.sandbox.demo.reading import labels, texts
from bot.sandbox.demo.transcript import Transcript, readable
from bot.sandbox.virtual import virtual_discord
from bot.store.migrate import upgrade

if TYPE_CHECKING:
    from collections.abc import Callable

    import simcord
    from simcord import ChannelHandle, MemberActor

STEP_S: Final = 0.25
LONGEST_S: Final = 1_800.0
SETTLE_S: Final = 0.06


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a demo ended with.

    Attributes:
        standing: the final message, as plain text.
        leaderboard: what `/rox leaderboard` says.
        transcript: where the transcript is.
        pictures: how many pictures lie beside it.
    """

    standing: str
    leaderboard: str
    transcript: Path
    pictures: int


class DemoError(Exception):
    """The demo did not come to an end."""


async def play_demo(seed: int, players: int, folder: Path, tell: Callable[[str], None]) -> Outcome:
    """Play a whole match in virtual time.

    Args:
        seed: the same seed gives the same transcript.
        players: how many people play, 2 to 4.
        folder: where transcript and pictures go; it must exist.
        tell: told of the progress, a line each time.

    Raises:
        DemoError: the match did not end within half an hour of its own time.
    """
    with tempfile.TemporaryDirectory() as data:
        url = f"sqlite+aiosqlite:///{Path(data) / 'demo.sqlite3'}"
        upgrade(url)
        bot = RoxBot(
            games=GAMES, database_url=url, settle=SETTLE_S, typing=True, random=Random(seed)
        )
        async with virtual_discord(bot) as env:
            demo = _Demo(env, seed, players, folder, tell)
            outcome = await demo.play()
            await bot.close()
            return outcome


class _Demo:
    def __init__(
        self,
        env: simcord.Env,
        seed: int,
        players: int,
        folder: Path,
        tell: Callable[[str], None],
    ) -> None:
        self._env = env
        self._tell = tell
        env.backend.edit_bot_profile("Rox")
        guild = env.create_guild("Stone Circle")
        self._channel: ChannelHandle = guild.create_text_channel("rox-table")
        self._people = [Person(name, Random(f"{seed}:{name}")) for name in NAMES[:players]]
        self._actors: dict[str, MemberActor] = {
            person.name: guild.add_member(env.create_user(person.name)) for person in self._people
        }
        self._transcript = Transcript(env, self._channel.id, folder)
        self._told: str | None = None

    async def play(self) -> Outcome:
        """Play from the lobby to the leaderboard."""
        host, *others = self._actors.values()
        opened = await host.slash(self._channel, "rox play")
        await self._env.advance_time(1)
        answer = opened.response.content if opened.response else ""
        self._transcript.note(f"(only {host.name} sees) {readable(answer, 0)}")
        for actor in others:
            await actor.click(self._newest(), label="Join")
            await self._env.advance_time(1.5)
        await host.click(self._newest(), label="Start")
        elapsed = 0.0
        while "Rematch" not in labels(self._components()):
            elapsed += STEP_S
            if elapsed > LONGEST_S:
                raise DemoError("the match did not come to an end")
            await self._env.advance_time(STEP_S)
            self._report()
            await self._race()
        return await self._finish(host)

    async def _race(self) -> None:
        now = self._env.now().timestamp()
        for name, typed in look(self._people, self._components(), now):
            await self._actors[name].send(self._channel, typed)

    async def _finish(self, host: MemberActor) -> Outcome:
        await self._env.advance_time(2)
        standing = "\n".join(texts(self._components()))
        board = await host.slash(self._channel, "rox leaderboard")
        await self._env.advance_time(0.5)
        leaderboard = board.response.content if board.response else ""
        self._transcript.note(f"(only {host.name} sees) {readable(leaderboard, 0)}")
        return Outcome(
            readable(standing, 0),
            readable(leaderboard, 0),
            self._transcript.save(),
            self._transcript.pictures,
        )

    def _newest(self) -> Any:
        """Return the newest message with components, to press its buttons."""
        message_id = self._transcript.newest[0]
        return next(m for m in self._channel.history() if m.id == message_id)

    def _components(self) -> list[dict[str, Any]]:
        return self._transcript.newest[1]

    def _report(self) -> None:
        """Tell of every new message's first line."""
        first = texts(self._components())[0].splitlines()[0]
        if first != self._told:
            self._told = first
            now = self._env.now().timestamp()
            self._tell(readable(first, now))
