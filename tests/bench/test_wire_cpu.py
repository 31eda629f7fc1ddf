"""How much CPU time the bot's process spends on each message that somebody types.

`rox run` is a process of its own, with its database, on a Discord on loopback; a client of
discord.py that does nothing hears the same flood on another one. The kernel counts the CPU time of
both processes, with all of their threads, so the simulated Discord and its people are left out.
Each round measures every flood once, because a busy machine changes all figures alike: compare the
ratios to the client that does nothing, not the microseconds, with those of another machine.

``pytest -n 0 --benchmark-enable tests/bench/test_wire_cpu.py`` reports the figures.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
import time
from dataclasses import dataclass
from itertools import cycle, islice
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

from bot.sandbox.run import LoopbackDiscord
from tests.kit.wire.match import hosted
from tests.kit.wire.process import at, connected

if TYPE_CHECKING:
    import pytest
    from pytest_benchmark.fixture import BenchmarkFixture

CHAT = ("so close", "give me 12 minutes", "who took my card", "42 is the answer", "ha!")
SETTLE_MS = 60
BURST = 150
"""How many messages come at once: more than a hundred within the settle time."""
GAP_S = 0.1
WARM_UP_BURSTS = 2
QUIET_S = 1.2
"""Longer than the second between two edits, so that the last one is counted."""
QUIET_CPU_S = 0.002

BARE = "a client that does nothing"
ELSEWHERE = "chat in a channel without a match"
BESIDE = "chat beside a running match"
CLAIMS = "claims, decided and recorded"


@dataclass(frozen=True, slots=True)
class Cost:
    """What a flood cost.

    Attributes:
        cpu_s: CPU time of the process that heard it, in seconds.
        messages: how many messages there were.
    """

    cpu_s: float
    messages: int

    @property
    def us(self):
        """Microseconds a message."""
        return 1e6 * self.cpu_s / self.messages


def cpu_s(pid):
    """The CPU time of a process and all of its threads so far, in seconds."""
    if sys.platform == "linux":
        # The id of another process's CPU clock, as `clock_getcpuclockid` makes it; /proc counts the
        # same in steps of ten milliseconds.
        return time.clock_gettime((~pid << 3) | 2)
    raise NotImplementedError("only Linux tells the CPU time of another process here")


async def at_rest(pid):
    """Wait until a process has nothing left to do; return its CPU time."""
    before = cpu_s(pid)
    async with asyncio.timeout(120):
        while True:
            await asyncio.sleep(QUIET_S)
            now = cpu_s(pid)
            if now - before < QUIET_CPU_S:
                return now
            before = now


async def flood(pid, lines, bursts):
    """Let people type so many bursts; return the cost, and the ids of the messages."""
    lines, said = cycle(lines), []
    before = cpu_s(pid)
    for _ in range(bursts):
        said += [person.say(str(text)).id for person, text in islice(lines, BURST)]
        await asyncio.sleep(GAP_S)
    return Cost(await at_rest(pid) - before, len(said)), said


@contextlib.asynccontextmanager
async def bare_client(discord):
    """A client of discord.py in a process of its own; its process id."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        Path(__file__).with_name("bare_client.py"),
        env={"PATH": os.environ["PATH"], **at(discord)},
    )
    try:
        await connected(discord)
        yield process.pid
    finally:
        process.kill()
        await process.wait()


def chat_of(*people):
    return [(person, text) for text in CHAT for person in people]


def claims_of(table):
    """Each player takes a card, puts it back, and is too late for one; no row grows."""
    (taken, *_), free = table.row(table.host), table.free()
    return [
        (person, text)
        for person, own in zip(table.people, free, strict=False)
        for text in (own, "0", taken)
    ]


async def measured(folder, rounds, bursts, *, warm_up):
    """The costs of each flood, round by round; warming up fills caches and imports modules."""
    found = {name: [] for name in (BARE, ELSEWHERE, BESIDE, CLAIMS)}
    async with (
        LoopbackDiscord() as discord,
        bare_client(discord) as bare,
        hosted(folder, channels=("rox-table", "general"), settle_ms=SETTLE_MS) as wire,
    ):
        table = wire.table("rox-table", "Ada", "Ben")
        await table.race()
        silent = chat_of(*(discord.person(name, "general") for name in ("Ada", "Ben")))
        elsewhere = chat_of(*(wire.loopback.person(name, "general") for name in ("Ada", "Ben")))
        await asyncio.gather(at_rest(bare), at_rest(wire.bot.pid))
        for number in range(-warm_up, rounds):
            times = bursts if number >= 0 else WARM_UP_BURSTS
            bot, costs = wire.bot.pid, {}
            costs[BARE], _ = await flood(bare, silent, times)
            costs[ELSEWHERE], _ = await flood(bot, elsewhere, times)
            costs[BESIDE], _ = await flood(bot, chat_of(*table.people), times)
            costs[CLAIMS], said = await flood(bot, claims_of(table), times)
            assert decided(wire, said) == len(said), "every claim is decided and recorded"
            if number >= 0:
                for name, cost in costs.items():
                    found[name].append(cost)
    return found


def decided(wire, message_ids):
    """How many of these messages have a line in the log."""
    query = "select count(*) from actions where source_id between ? and ? and kind like 'rox.%'"
    return wire.rows(query, message_ids[0], message_ids[-1])[0][0]


def report(found):
    """Microseconds a message, and the ratio to the client that does nothing, for each flood."""
    bare = [cost.us for cost in found[BARE]]
    for name, costs in found.items():
        ratio = median(cost.us / nothing for cost, nothing in zip(costs, bare, strict=True))
        us = [cost.us for cost in costs]
        yield name, median(us), ratio, f"{min(us):.0f} to {max(us):.0f}"


def test_what_a_message_costs_over_the_wire(
    benchmark: BenchmarkFixture, capsys: pytest.CaptureFixture[str], tmp_path
) -> None:
    long = benchmark.enabled
    rounds, bursts = (5, 20) if long else (1, 1)
    runs = []
    benchmark.pedantic(
        lambda: runs.append(asyncio.run(measured(tmp_path, rounds, bursts, warm_up=long))), rounds=1
    )
    figures = list(report(runs[0]))
    benchmark.extra_info.update({name: us for name, us, _, _ in figures})
    if benchmark.enabled:
        with capsys.disabled():
            lines = (
                f"  {name}: {us:.0f} us of CPU a message ({spread}), {ratio:.2f} times\n"
                for name, us, ratio, spread in figures
            )
            sys.stdout.write("\n" + "".join(lines))
    assert all(us > 0 for _, us, _, _ in figures)
