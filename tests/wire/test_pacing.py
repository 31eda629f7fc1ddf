"""The real bot over real HTTP, under Discord's limits: how old is what the channel shows?"""

import asyncio
import contextlib
import multiprocessing
import random
import sys
import time
from collections import Counter, defaultdict

import pytest
from discord.gateway import DiscordWebSocket
from discord.http import Route
from yarl import URL

from bot.app.client import RoxBot
from bot.games.plug import MatchView
from bot.games.sheet import Picture, Text
from bot.games.table import GAMES
from bot.matches.ports import Venue
from bot.sandbox.run import LoopbackDiscord, until_offered
from bot.sandbox.world import message_text
from bot.store.migrate import upgrade
from game.match import Phase
from game.rox.engine import ROX
from game.rox.settings import RoxSettings
from game.rox.state import PLACES, Stage, number_of
from tests.kit.wire.limits import GLOBAL, Limits
from tests.kit.wire.toybot import point_at

OLDEST_S = 2.5
CONTEXT = multiprocessing.get_context("spawn")
FOUR = ("Ada", "Bo", "Cy", "Dee")


class Ages:
    """What each channel should show, what it shows, and for how long the two differed."""

    def __init__(self, bot, recheck=lambda: None):
        self.committed = defaultdict(list)
        self.shown = defaultdict(list)
        self._recheck = recheck
        self._show = bot.display.show
        self._words = bot.services.words
        bot.display.show = self._commit

    def _commit(self, live, events):
        sheet = GAMES["rox"].sheet(MatchView(live.match, self._words))
        history = self.committed[live.venue.channel]
        if sheet is not None and (not history or history[-1][1] != said(sheet)):
            history.append((time.monotonic(), said(sheet)))
        self._show(live, events)

    def serve(self, call):
        message = call.answer.json
        if call.kind in {"post", "edit", "answer"} and message and message.get("components"):
            what = tuple(read(message["components"]))
            self.shown[int(message["channel_id"])].append((call.at, what))
            self._recheck()

    def is_current(self, channel):
        return self.shown[channel][-1][1] == self.committed[channel][-1][1]

    def of(self, channel, since):
        """The ages that the shown state reached each time before it was replaced.

        Args:
            channel: where.
            since: leave out what was shown before.
        """
        committed, ages, last = self.committed[channel], [], -1
        shows = []
        for at, what in self.shown[channel]:
            known = [n for n, (t, print_) in enumerate(committed) if print_ == what and t <= at]
            if known:  # the last form of an earlier message is no state of its own
                assert known[-1] >= last, "an older state replaced a newer one"
                last = known[-1]
                shows.append((at, last))
        for (_, index), (until, _) in zip(shows, [*shows[1:], (time.monotonic(), 0)], strict=True):
            if until > since and index + 1 < len(committed):
                ages.append(until - max(committed[index + 1][0], since))
        assert ages
        return ages


def said(sheet):
    """What a sheet says: its texts and alt texts."""
    return tuple(
        block.content if isinstance(block, Text) else block.alt
        for block in sheet.blocks
        if isinstance(block, Text | Picture)
    )


def read(components):
    for component in components:
        if "content" in component:
            yield component["content"]
        for item in component.get("items", ()):
            yield item["description"]
        yield from read(component.get("components", ()))


@contextlib.asynccontextmanager
async def hosted(monkeypatch, tmp_path, **options):
    """The bot, connected to a Discord with limits."""
    interceptor = Limits()
    async with LoopbackDiscord(interceptor=interceptor, **options) as loopback:
        point_at(monkeypatch, loopback)
        url = f"sqlite+aiosqlite:///{tmp_path / 'rox.sqlite3'}"
        upgrade(url)
        bot = RoxBot(
            games=GAMES, database_url=url, settle=0.06, typing=True, random=random.Random(1)
        )
        ages = Ages(bot, loopback.world.wake_waiters)
        interceptor.served = ages.serve
        task = asyncio.create_task(bot.start(loopback.token))
        try:
            await until_offered(loopback, loopback.person("Ada"), "rox play")
            yield loopback, bot, interceptor, ages
        finally:
            await bot.close()
            await task


def claim(game, seat, turn):
    """The next number of somebody who never gets as far as six cards."""
    row = game.hands[seat].row
    taken = [index for index in range(PLACES) if game.owner[index] is not None]
    free = [index for index in range(PLACES) if game.owner[index] is None]
    last = game.last_card(seat)
    match turn % 4:
        case 0 if len(row) >= 4:
            return "0"
        case 1:
            return number_of(taken[turn % len(taken)])
        case 2 | 3 if len(row) >= 4:
            return number_of(taken[-1])
        case 2:
            return number_of(next(i for i in free if game.card_at(i).centre is last.answer))
        case _:
            return number_of(next(i for i in free if game.card_at(i).centre is not last.answer))


async def open_race(loopback, bot, people):
    host, *others = people
    await host.slash("rox play").response()
    lobby = await host.wait_for_message("who plays?")
    for person in others:
        await person.press(lobby.id, "Join").response()
    await host.press(lobby.id, "Start").response()
    runner = bot.matches.registry.at(host.channel_id)
    await loopback.world.wait_until(lambda: stage(runner) is Stage.RACE, timeout=20)
    return runner


def stage(runner):
    match = runner.match
    return match.game.stage if match.phase is Phase.PLAYING and match.game else None


async def at(moment):
    await asyncio.sleep(max(0.0, moment - time.monotonic()))


def tell(line):
    sys.stderr.write(f"\n  {line}\n")


async def test_four_people_claim_twice_a_second(monkeypatch, tmp_path):
    """First frames go through the channel; then somebody presses, and they go by the token."""
    async with hosted(monkeypatch, tmp_path) as (loopback, bot, interceptor, ages):
        people = [loopback.person(name) for name in FOUR]
        runner = await open_race(loopback, bot, people)
        for pressed in (False, True):
            began = time.monotonic()
            for turn in range(10):
                # The table is posted again every five seconds; the new one has no token.
                if pressed and turn % 3 == 0:
                    people[1].press(runner.match.post.id, "My card")
                for seat, person in enumerate(people):
                    await at(began + turn / 2 + seat / 8)
                    person.say(str(claim(runner.match.game, seat, turn)))
            last = time.monotonic()
            await runner.rest()
            assert stage(runner) is Stage.RACE
            channel = runner.venue.channel
            await loopback.world.wait_until(lambda: ages.is_current(channel))  # noqa: B023 - it is awaited within the turn
            found = ages.of(channel, began)
            tell(
                f"{'by token' if pressed else 'through the channel'}: {max(found):.2f} s oldest, "
                f"{sum(found) / len(found):.2f} s mean, {len(found)} frames"
            )
            by_token = [call for call in interceptor.of("answer") if call.at > began]
            assert len(by_token) > 4 if pressed else by_token == []
            assert max(found) <= OLDEST_S
            assert ages.shown[channel][-1][0] - last <= OLDEST_S
        assert interceptor.refused == []
        assert len([m for m in people[1].messages() if "Your last card" in message_text(m)]) == 1
        await call_rox(loopback, runner, people)
        await loopback.world.wait_until(lambda: ages.is_current(channel))
        assert max(ages.of(channel, last)) <= OLDEST_S
        assert interceptor.refused == []


async def call_rox(loopback, runner, people):
    """Let the race end with a sixth card, and wait until the check is shown."""
    while stage(runner) is Stage.RACE:
        game = runner.match.game
        for seat, person in enumerate(people):
            free = [index for index in range(PLACES) if game.owner[index] is None]
            person.say(str(number_of(free[7 * seat])))
        await asyncio.sleep(0.5)
    await loopback.world.wait_until(lambda: people[0].find("Round 1: "), timeout=5)


class Busy:
    """Busy matches of two, in one process, and a Discord in another, which has its own load."""

    def __init__(self, monkeypatch, tmp_path, matches, seconds, pause):
        self.monkeypatch, self.tmp_path = monkeypatch, tmp_path
        self.matches, self.seconds, self.pause = matches, seconds, pause

    async def run(self):
        ours, theirs = CONTEXT.Pipe()
        discord = CONTEXT.Process(
            target=crowd, args=(theirs, self.matches, self.seconds, self.pause), daemon=True
        )
        discord.start()
        try:
            await self._played(ours)
        finally:
            discord.kill()
            discord.join()

    async def _played(self, discord):
        told = await answer(discord)
        self.monkeypatch.setattr(Route, "BASE", told["api"])
        self.monkeypatch.setattr(DiscordWebSocket, "DEFAULT_GATEWAY", URL(told["gateway"]))
        url = f"sqlite+aiosqlite:///{self.tmp_path / 'rox.sqlite3'}"
        upgrade(url)
        bot = RoxBot(
            games=GAMES, database_url=url, settle=0.06, typing=True, random=random.Random(1)
        )
        ages = Ages(bot)
        task = asyncio.create_task(bot.start(told["token"]))
        try:
            await answer(discord)
            registry = bot.matches.registry
            for number, (channel, people) in enumerate(told["tables"]):
                seats = [(user, f"{number}-{user % 100}", None) for user in people]
                opening = ROX.opening(told["now"] + number, RoxSettings(), seats, lobby=False)
                await bot.matches.opener.open(Venue(told["guild"], channel), opening)
            self.began, self.last = await answer(discord)
            calls, self.refused, self.busiest = await answer(discord)
            assert all(stage(runner) is Stage.RACE for runner in registry)
        finally:
            await bot.close()
            await task
        for call in calls:
            ages.serve(call)
        self.channels = [channel for channel, _ in told["tables"]]
        self.ages = ages
        self.worst = [max(ages.of(channel, self.began)) for channel in self.channels]
        self.during = [call for call in calls if self.began < call.at < self.last]


async def answer(pipe):
    return await asyncio.to_thread(pipe.recv)


def crowd(pipe, matches, seconds, pause):
    """The other process: Discord, and people who take cards and put them back."""
    asyncio.run(_crowd(pipe, matches, seconds, pause))


async def _crowd(pipe, matches, seconds, pause):
    names = [f"table-{number}" for number in range(matches)]
    interceptor = Limits()
    async with LoopbackDiscord(interceptor=interceptor, channels=["hall", *names]) as loopback:
        tables = [[loopback.person(f"{name} {n}", name) for n in range(2)] for name in names]
        pipe.send(
            {
                "api": loopback.api_url,
                "gateway": loopback.gateway_url,
                "token": loopback.token,
                "guild": loopback.guild.id,
                "now": loopback.world.snowflake(),
                "tables": [(people[0].channel_id, [p.id for p in people]) for people in tables],
            }
        )
        await until_offered(loopback, loopback.person("Ada"), "rox play")
        pipe.send("connected")
        await loopback.world.wait_until(
            lambda: all(people[0].find("First to") for people in tables), timeout=60
        )
        # The first hand is busy for two seconds.
        began = time.monotonic() + 2.5

        async def play(people, first):
            for turn in range(round(seconds / pause)):
                await at(first + turn * pause)
                word = "0" if turn // 2 % 3 == 2 else 10 + (turn * 7 + 30 * (turn % 2)) % 60
                people[turn % 2].say(str(word))

        await asyncio.gather(
            *(play(people, began + pause * n / matches) for n, people in enumerate(tables))
        )
        last = time.monotonic()
        pipe.send((began, last))
        # Whatever is still to be shown gets more time than it is allowed to take.
        await asyncio.sleep(1.2 * OLDEST_S)
        pipe.send((interceptor.calls, interceptor.refused, interceptor.busiest_second()))
        await asyncio.to_thread(pipe.recv)


async def test_ten_busy_matches(monkeypatch, tmp_path):
    await keeps_up(Busy(monkeypatch, tmp_path, 10, 4, 0.5))


@pytest.mark.slow
async def test_a_hundred_busy_matches(monkeypatch, tmp_path):
    await keeps_up(Busy(monkeypatch, tmp_path, 100, 20, 1.0))


async def keeps_up(busy):
    """No table is too old, no limit is broken, and all have their share."""
    await busy.run()
    edits = [call for call in busy.during if call.kind == "edit"]
    each = Counter(call.major for call in edits)
    counts = [each[str(channel)] for channel in busy.channels]
    late = max(busy.ages.shown[channel][-1][0] for channel in busy.channels) - busy.last
    tell(
        f"{len(counts)} matches: {max(busy.worst):.2f} s oldest, "
        f"{sum(busy.worst) / len(counts):.2f} s mean of the oldest, "
        f"{min(counts)} to {max(counts)} edits each, {len(edits) / busy.seconds:.1f} edits/s, "
        f"{sum(call.size for call in edits) / busy.seconds / 1024:.0f} KiB/s, "
        f"{busy.busiest} calls in the busiest second, the last state after {late:.2f} s"
    )
    assert busy.refused == []
    assert busy.busiest <= GLOBAL
    assert max(counts) - min(counts) <= 2
    assert all(map(busy.ages.is_current, busy.channels))
    assert late <= OLDEST_S
    assert max(busy.worst) <= OLDEST_S
