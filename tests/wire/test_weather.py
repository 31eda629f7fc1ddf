"""Whole matches in bad weather: faults of every kind by chance, one after another."""

import asyncio
import contextlib
import json
import sys
from random import Random

import pytest

from bot.games.table import GAMES
from bot.sandbox.person import RefusedError
from game.actions import decode
from game.ids import ms_of
from game.match import Phase
from game.rox.events import RaceEnded
from game.rox.prizes import ROUNDS
from game.rox.state import Stage
from tests.kit.wire.faults import (
    ANSWER,
    CALLBACK,
    DELETE,
    EDIT,
    HISTORY,
    POST,
    REACT,
    hung_up,
    limited,
    lost,
    refused,
    repeated,
    scattered,
)
from tests.kit.wire.match import hosted

THREE = ("Ada", "Bo", "Cy")
ROUTES = (POST, EDIT, EDIT, DELETE, REACT, CALLBACK, ANSWER, HISTORY)
PASSES_S = 5.0
LAST_MOMENT_MS = 500
"""A claim that is typed so shortly before a race ends may arrive when the end is decided."""


class Weather:
    """Lets faults happen by chance until it is cancelled.

    Attributes:
        happened: what has happened, for the report of a failed test.
    """

    def __init__(self, wire, random):
        self._wire = wire
        self._random = random
        self.happened = []

    async def run(self):
        """Let calls fail and events come badly all the time, and lines break now and then."""
        async with asyncio.TaskGroup() as group:
            group.create_task(self._often())
            group.create_task(self._seldom())

    async def _often(self):
        while True:
            await asyncio.sleep(self._random.uniform(0.2, 1.2))
            if self._random.random() < 0.7:
                self._call_fails()
            else:
                await self._events_come_badly()

    async def _seldom(self):
        while True:
            await asyncio.sleep(self._random.uniform(6, 18))
            kinds = [self._line_breaks] * 4 + [self._session_is_lost, self._all_is_down]
            await self._random.choice(kinds)()

    def _call_fails(self):
        faults = {
            "500": refused(500),
            "503": refused(503),
            "502": refused(502, body=False),
            "404": refused(404),
            "lost": lost(),
            "hung up": hung_up(),
            "429": limited(0.5),
            "429 global": limited(0.5, "global"),
        }
        route, name = self._random.choice(ROUTES), self._random.choice(list(faults))
        if name == "404" and route in (POST, HISTORY):
            name = "500"  # that would mean that the channel is gone
        rule = self._wire.faults.on(route, faults[name], times=self._random.randint(1, 2))
        # Those of calls that are seldom made must not add up until one is.
        asyncio.get_running_loop().call_later(PASSES_S, rule.lift)
        self.happened.append(f"{route}: {name}")

    async def _events_come_badly(self):
        late = self._random.random() < 0.5
        fault = scattered(self._wire.settle_s / 3, self._random) if late else repeated(2)
        self.happened.append("late events" if late else "doubled events")
        with self._wire.faults.events(fault, "MESSAGE_CREATE", "INTERACTION_CREATE"):
            await asyncio.sleep(self._random.uniform(0.2, 1))

    async def _line_breaks(self):
        how = self._random.choice(("close_connections", "abort_connections", "request_reconnect"))
        self.happened.append(how)
        getattr(self._wire.gateway, how)()

    async def _session_is_lost(self):
        self.happened.append("session lost")
        self._wire.gateway.drop_sessions()

    async def _all_is_down(self):
        self.happened.append("down")
        await self._wire.loopback.go_down()
        await asyncio.sleep(self._random.uniform(0.5, 2))
        await self._wire.loopback.come_up()


class Player:
    """Somebody who types numbers whenever a race is open, and presses whatever helps."""

    def __init__(self, table, person, random):
        self._table = table
        self._person = person
        self._random = random
        self.claims = []

    async def play(self):
        while True:
            await asyncio.sleep(self._random.uniform(0.3, 0.9))
            match, stage = self._table.match, self._table.stage
            with contextlib.suppress(RefusedError, IndexError):
                if stage is Stage.RACE:
                    number = self._random.choice(self._table.free())
                    self.claims.append(self._person.say(str(number)).id)
                elif stage is Stage.BREAK:
                    self._person.press(self._table.shown().id, "Ready")
                elif match.phase is Phase.PAUSED:
                    self._person.slash("rox table")


def unrecorded(table, claims):
    """Claims of which the log knows nothing, although they were typed while a race was open."""
    lines = table.wire.rows(
        "select kind, action_id, payload from actions where match_id = ? order by seq", table.id
    )
    actions = [decode(kind, action, json.loads(text)) for kind, action, text in lines]
    machine = GAMES["rox"].machine
    match, races, opened = machine.start(actions[0]), [], None
    for action in actions[1:]:
        step = machine.apply(match, action)
        match = step.match
        racing = match.phase is Phase.PLAYING and match.game.stage is Stage.RACE
        if racing and opened is None:
            opened = match.open_from
        elif opened is not None and not racing:
            races.append((opened, action.id))
            assert [e for e in step.events if isinstance(e, RaceEnded)] or match.pause, step.events
            opened = None
    known = {action.id for action in actions}
    return [
        claim
        for claim in claims
        if claim not in known
        and any(a < claim and ms_of(claim) < ms_of(b) - LAST_MOMENT_MS for a, b in races)
    ]


async def match_in_bad_weather(folder, seed, rounds):
    sys.stderr.write(f"\n  seed {seed}\n")
    random = Random(seed)
    async with hosted(folder) as wire:
        table = wire.table("rox-table", *THREE)
        await table.start()
        weather = Weather(wire, random)
        players = [Player(table, person, random) for person in table.people]
        tasks = [
            asyncio.create_task(work) for work in (weather.run(), *(p.play() for p in players))
        ]

        def over():
            for task in tasks:
                if task.done():
                    task.result()
            match = table.match
            return match.phase is Phase.OVER or rounds <= len(match.game.scores) < ROUNDS

        try:
            await table.until(over, within=90 * rounds)
        except AssertionError as error:
            raise AssertionError(f"{table.match.phase} {table.stage} {weather.happened}") from error
        finally:
            for task in tasks:
                task.cancel()
            (folder / "bot.log").write_text(wire.bot.output)
        wire.faults.lift_all()
        await wire.loopback.come_up()
        claims = [claim for player in players for claim in player.claims]
        await table.until(table.is_current, within=60)
        missed = unrecorded(table, claims)
        sys.stderr.write(
            f"  {len(weather.happened)} faults, {len(claims)} claims, {len(missed)} of them lost, "
            f"{len(table.match.game.scores)} rounds, "
            f"{table.count('interrupt')} pauses, {table.greetings()} returns\n"
        )
        assert missed == [], f"{weather.happened}\n{wire.bot.output}"
        if rounds < ROUNDS:
            return
        assert table.status[:2] == ("finished", "finished")
        again = wire.table("rox-table", *THREE)
        await again.open()


async def test_two_rounds_in_bad_weather(tmp_path):
    await match_in_bad_weather(tmp_path, seed=1, rounds=2)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1, 9))
async def test_whole_matches_in_bad_weather(tmp_path, seed):
    await match_in_bad_weather(tmp_path, seed, rounds=ROUNDS)
