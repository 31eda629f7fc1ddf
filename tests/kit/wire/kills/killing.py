"""kill -9 at any moment: `rox run` dies and comes back while people in several channels play on.

Discord is the one on loopback, in this process; the bot is a process of its own, with a database
file of its own. After every death the rows are read, and at the end every match is played again
from them.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections import Counter
from contextlib import closing, suppress
from dataclasses import dataclass, field
from random import Random
from statistics import median
from typing import TYPE_CHECKING

from bot.sandbox.interceptor import Interceptor
from bot.sandbox.run import LoopbackDiscord
from bot.store import guilds
from bot.store.database import Database
from bot.store.guilds import ServerSettings
from bot.store.journal import Journal
from bot.store.migrate import upgrade
from game.ids import ms_of
from game.rox.engine import ROX
from game.rox.settings import RoxSettings
from tests.kit.wire.kills.ahead import before_the_last_race, record
from tests.kit.wire.kills.people import Ring, match_of
from tests.kit.wire.kills.rows import (
    Rows,
    Stored,
    all_announced,
    check_by_ids,
    check_log,
    check_posts,
    check_results,
    check_seen,
    check_standings,
    is_last_round,
    outcomes,
    replayed,
    where,
)
from tests.kit.wire.process import at, connected, disconnected, said, starting

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from bot.sandbox.interceptor import ApiRequest, ApiResponse
    from tests.kit.wire.process import Process

SHORT = RoxSettings(rest_ms=300, idle_ms=5_000, race_ms=15_000)
PATIENCE_S = 3.0
"""How long a trap waits for its call; then the bot is killed where it is."""
RANDOM = "random"
START = "start-up"
UNSERVED = "first call after a commit, not carried out"
UNANSWERED = "first call after a commit, not answered"
TOLD = "private answer given"
SHOWN = "table shown"
ENDED = "end recorded, not told"
POINTS = (RANDOM, RANDOM, START, UNSERVED, UNANSWERED, TOLD, SHOWN, ENDED)
"""How kills fall: each once in so many, in an order of chance."""


@dataclass(frozen=True, slots=True)
class Plan:
    """A run.

    Attributes:
        seed: what chance decides by, here and in the people.
        kills: how often the bot is killed.
        rings: how many people sit in each channel.
        ahead: in how many channels a match is in its last race already.
        longest: how long the bot mostly lives at the most between two kills, in seconds.
    """

    seed: int
    kills: int
    rings: tuple[int, ...]
    ahead: int = 0
    longest: float = 2.0


@dataclass
class Figures:
    """What a run has measured.

    Attributes:
        phases: in which phase each match was at a kill.
        points: how the kills fell.
        shown: claims acknowledged in a table that somebody saw.
        told: claims acknowledged in a private answer.
        typed: typed claims that were decided, each as its id says.
        away: of them those typed while no bot was there.
        ends: how the matches ended.
        back: seconds from the start of a process to its session.
        greeted: seconds from its start to the last message that says that it is back.
    """

    phases: Counter[str] = field(default_factory=Counter)
    points: Counter[str] = field(default_factory=Counter)
    shown: int = 0
    told: int = 0
    typed: int = 0
    away: int = 0
    ends: Counter[str] = field(default_factory=Counter)
    back: list[float] = field(default_factory=list)
    greeted: list[float] = field(default_factory=list)
    warnings: Counter[str] = field(default_factory=Counter)

    def summary(self, plan: Plan) -> str:
        """The run in one paragraph."""
        back, greeted = self.back or [0.0], self.greeted or [0.0]
        return (
            f"seed {plan.seed}: {plan.kills} kills ({_listed(self.points)}), which hit matches in "
            f"these phases: {_listed(self.phases)}. Acknowledged: {self.shown} claims in tables "
            f"and {self.told} in private answers, 0 lost. Typed claims decided: {self.typed}, "
            f"{self.away} of them typed while no bot was there; 0 lost, 0 doubled. Matches: "
            f"{_listed(self.ends)}. Back with a session after {median(back):.1f} s, at worst "
            f"{max(back):.1f} s, with a new message of the last match after {median(greeted):.1f} "
            f"s, at worst {max(greeted):.1f} s. Warnings: {_listed(self.warnings) or 'none'}."
        )


def _listed(counts: Counter[str]) -> str:
    return ", ".join(f"{count} {name}" for name, count in sorted(counts.items()))


class Reaper(Interceptor):
    """Kills the bot when a call arrives: before Discord carries it out, or before the answer."""

    def __init__(self) -> None:
        self.fell = asyncio.Event()
        self._victim: Process | None = None
        self._springs: Callable[[ApiRequest], bool] = lambda _: False
        self._serves = False

    def set(self, victim: Process, springs: Callable[[ApiRequest], bool], *, serves: bool) -> None:
        self._victim, self._springs, self._serves = victim, springs, serves

    def disarm(self) -> None:
        self._victim = None

    async def handle_request(
        self, request: ApiRequest, serve: Callable[[ApiRequest], ApiResponse]
    ) -> ApiResponse:
        victim = self._victim
        if victim is None or not self._springs(request):
            return serve(request)
        self._victim = None
        if self._serves:
            serve(request)
        victim.process.kill()
        self.fell.set()
        raise ConnectionResetError


_COMMITS = "pragma data_version"
_ENDS = "select count(*) from matches where status != 'open'"


def _shows_table(request: ApiRequest) -> bool:
    """An edit: what a new message shows after the bot was away is in the rows for long."""
    edit = request.method == "PATCH"
    return edit and any(upload.filename == "table.png" for upload in request.uploads)


def _says_yours(request: ApiRequest) -> bool:
    return request.method == "PATCH" and str(request.body.get("content")).endswith(" is yours.")


class Killing:
    """One run: the world, the bot's process, the people, and what is known of them."""

    def __init__(self, plan: Plan, folder: Path) -> None:
        self.plan = plan
        self.random = Random(plan.seed)
        self.figures = Figures()
        self.reaper = Reaper()
        self.rows = Rows(folder / "rox.sqlite3")
        names = [f"ring-{number}" for number in range(len(plan.rings))]
        self.loopback = LoopbackDiscord(interceptor=self.reaper, channels=names)
        self.rings = [
            Ring(
                self.loopback,
                name,
                [self.loopback.person(f"P{number}x{n}", name) for n in range(size)],
                Random(f"{plan.seed}:{name}"),
            )
            for number, (name, size) in enumerate(zip(names, plan.rings, strict=True))
        ]
        self._folder = folder
        self._away: list[tuple[int, int]] = []
        self._points: list[str] = []
        self._board = ""
        self._dead_since: int | None = self._now

    async def run(self) -> Figures:
        """Kill the bot as often as is planned, let everybody play to the end, and check."""
        await self._prepare()
        with closing(self._beside):
            return await self._run()

    async def _run(self) -> Figures:
        async with self.loopback, starting(self._folder) as start:
            for ring in self.rings:
                ring.watch()
            playing = [asyncio.create_task(ring.play()) for ring in self.rings]
            try:
                for number in range(self.plan.kills):
                    if number % len(POINTS) == 0:
                        self._points = self.random.sample(POINTS, len(POINTS))
                    await self._live_and_die(await start(**at(self.loopback, ROX_LOG_LEVEL="INFO")))
                bot = await start(**at(self.loopback, ROX_LOG_LEVEL="INFO"))
                await self._connected()
                await self._to_the_end(playing)
                await self._clear_tables()
                for task in playing:
                    task.cancel()
                await self._open_anew()
                await self._check_posts()
                assert await bot.stop() == 0
                self._after_death(bot)
                self._check_all()
            finally:
                for task in playing:
                    task.cancel()
                results = await asyncio.gather(*playing, return_exceptions=True)
        for result in results:
            if isinstance(result, Exception):
                raise result
        return self.figures

    async def _prepare(self) -> None:
        url = f"sqlite+aiosqlite:///{self.rows.path}"
        await asyncio.to_thread(upgrade, url)
        database, guild = Database.open(url), self.loopback.guild.id
        async with database.write() as session:
            await guilds.save(session, guild, ServerSettings().with_section("rox", SHORT))
        journal = Journal(database, {"rox": ROX.rules.figures})
        for ring in self.rings[: self.plan.ahead]:
            log = before_the_last_race(ring, SHORT, self._now, self.random)
            await record(journal, guild, ring, log)
        await database.close()
        self._beside = sqlite3.connect(f"file:{self.rows.path}?mode=ro", uri=True)

    @property
    def _now(self) -> int:
        return ms_of(self.loopback.world.snowflake())

    # --- dying

    async def _live_and_die(self, bot: Process) -> None:
        loop = asyncio.get_running_loop()
        began, point = loop.time(), self._points.pop()
        self.reaper.fell.clear()
        if point == START:
            await self._until_dead(bot, self.random.uniform(0.3, 1.0))
        else:
            await self._connected()
            self.figures.back.append(loop.time() - began)
            if point == RANDOM:
                await self._until_dead(bot, self._life())
            else:
                await asyncio.sleep(self._life() if point in {UNSERVED, UNANSWERED} else 0.0)
                serves = point not in {UNSERVED, ENDED}
                self.reaper.set(bot, self._trap(point), serves=serves)
                await self._until_dead(bot, PATIENCE_S)
                point = point if self.reaper.fell.is_set() else RANDOM
        self.figures.points[point] += 1
        await bot.ends()
        if self._dead_since is None:
            self._dead_since = self._now
        await disconnected(self.loopback)
        greeted = [ring.greeted - began for ring in self.rings if ring.greeted > began]
        if greeted:
            self.figures.greeted.append(max(greeted))
        self._after_death(bot)
        await asyncio.sleep(self.random.uniform(0.0, 0.4))

    def _trap(self, point: str) -> Callable[[ApiRequest], bool]:
        """What springs at the call that a point names."""
        if point == TOLD:
            return _says_yours
        if point == SHOWN:
            return _shows_table
        query = _ENDS if point == ENDED else _COMMITS

        def state() -> object:
            return self._beside.execute(query).fetchone()

        before = state()
        return lambda request: state() != before

    def _life(self) -> float:
        """Mostly short, so that phases are interrupted again and again; else matches go on."""
        factor = 4 if self.random.random() < 0.3 else 1
        return self.random.uniform(0.0, factor * self.plan.longest)

    async def _connected(self) -> None:
        await connected(self.loopback)
        if self._dead_since is not None:
            self._away.append((self._dead_since, self._now))
            self._dead_since = None

    async def _until_dead(self, bot: Process, seconds: float) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self.reaper.fell.wait()
        self.reaper.disarm()
        with suppress(ProcessLookupError):
            bot.process.kill()

    def _after_death(self, bot: Process) -> None:
        """Look at what is left, before anybody can mend it."""
        assert "Traceback" not in bot.output, bot.output
        for line in bot.told(" WARNING ") + bot.told(" ERROR "):
            self.figures.warnings[line.split(maxsplit=3)[3].strip()] += 1
        self.rows.read()
        for stored in self.rows.matches.values():
            if not stored.closed:
                self.figures.phases[where(replayed(stored))] += 1
        for ring in self.rings:
            seen, ring.seen = ring.seen, []
            for match_id in {look.match for look in seen}:
                stored = self.rows.matches[match_id]
                self.figures.shown += check_seen(stored, [s for s in seen if s.match == match_id])
            self._check_takes(ring)

    def _check_takes(self, ring: Ring) -> None:
        """Every card that a private answer gave to somebody is in the rows."""
        ids = {line[0] for stored in self.rows.matches.values() for line in stored.lines}
        takes, ring.takes = ring.takes, []
        for take in takes:
            record = take.asked.record
            message = record.message_id and self.loopback.world.messages[ring.channel].get(
                record.message_id
            )
            if message and message.content == f"{take.number} is yours.":
                assert record.id in ids, f"{record.id}: {message.content}"
                self.figures.told += 1

    # --- the end

    async def _to_the_end(self, playing: list[asyncio.Task[None]]) -> None:
        for ring in self.rings:
            ring.ending = True

        def over() -> bool:
            for task in playing:
                if task.done():
                    task.result()
            return all(self._is_over(ring) for ring in self.rings)

        async with asyncio.timeout(180):
            while not over():  # noqa: ASYNC110 - the rows tell nobody that they change
                await asyncio.sleep(0.25)

    def _is_over(self, ring: Ring) -> bool:
        self.rows.read()
        stored = self.rows.newest(ring.channel)
        if stored is None or stored.status != "open":
            return True
        if self.plan.ahead and not is_last_round(replayed(stored)):
            # A short run has no time for all rounds; the server's owner may stop any match.
            self.loopback.person("Ada", ring.name).slash("rox stop")
        return False

    async def _clear_tables(self) -> None:
        """Wait until every channel shows the end of its match."""

        def at_rest() -> bool:
            for ring in self.rings:
                stored, message = self.rows.newest(ring.channel), ring.shown()
                if stored is None:
                    continue
                if not all_announced(self.rows, ring):
                    return False
                named = match_of(message) if message else None
                if named is not None and named != (stored.id, "final"):
                    return False
            return True

        with suppress(TimeoutError):
            await self.loopback.world.wait_until(at_rest, timeout=20)
        assert at_rest(), [(r.name, all_announced(self.rows, r), r.shown()) for r in self.rings]

    async def _open_anew(self) -> None:
        """No channel is stuck: another match can be opened in each."""
        for ring in self.rings:
            answer = await said(self.loopback, ring.people[0].slash("rox play"))
            assert "The lobby is open" in answer, answer
        for ring in self.rings:
            await ring.people[0].wait_for_message("who plays")
        asked = self.rings[0].people[0].slash("rox leaderboard")
        self._board = await said(self.loopback, asked)

    async def _check_posts(self) -> None:
        """One message shows each open match, none shows those that have ended."""
        self.rows.read()
        expected = [[(self.rows.newest(ring.channel).id, "lobby")] for ring in self.rings]

        def live() -> list[list[tuple[int, str]]]:
            return [
                [named for m in ring.own_messages() if (named := match_of(m))]
                for ring in self.rings
            ]

        with suppress(TimeoutError):
            await self.loopback.world.wait_until(lambda: live() == expected, timeout=10)
        assert live() == expected, f"{live()} instead of {expected}"
        for ring in self.rings:
            check_posts(self.rows, ring, self.plan.ahead)

    def _check_all(self) -> None:
        check_standings(self.rows, self._board)
        check_results(self.rows)
        for ring in self.rings:
            messages = self.loopback.world.messages[ring.channel]
            for stored in self.rows.matches.values():
                if stored.channel != ring.channel:
                    continue
                match = check_log(stored)
                self.figures.ends[match.end.value if match.end else "open"] += 1
                self.figures.typed += check_by_ids(stored, messages)
                self.figures.away += self._typed_while_away(stored)

    def _typed_while_away(self, stored: Stored) -> int:
        return sum(
            began <= ms_of(claimed.id) < ended
            for claimed in outcomes(stored.actions)
            if claimed.typed
            for began, ended in self._away
        )
