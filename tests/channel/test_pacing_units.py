"""When a call may go out: Discord's rate limits and the queue that all matches share."""

import asyncio
import selectors
from dataclasses import dataclass
from itertools import pairwise
from types import SimpleNamespace

import aiohttp
import pytest
from multidict import CIMultiDict
from yarl import URL

from bot.channel import pacing
from bot.channel.pacing import (
    CALLS_PER_SECOND,
    LANE,
    USUAL_GAP,
    Budget,
    Meter,
    answers,
    edits,
    posts,
    reactions,
)

API = "https://discord.com/api/v10"
PATHS = {
    edits(7): ("PATCH", "/channels/7/messages/8"),
    posts(7): ("POST", "/channels/7/messages"),
    reactions(7): ("PUT", "/channels/7/messages/8/reactions/%E2%9C%8B/@me"),
    answers("aW50-x_"): ("PATCH", "/webhooks/5/aW50-x_/messages/@original"),
}
EDIT = edits(7)


class FakeClock:
    def __init__(self):
        self.now = 1000.0

    def monotonic(self):
        return self.now


@pytest.fixture
def clock():
    return FakeClock()


@pytest.fixture
def meter(clock):
    return Meter(clock)


async def answered(meter, route=EDIT, status=200, **headers):
    """Let the meter read a response; header names are written with underscores."""
    method, path = PATHS.get(route, ("PATCH", f"/channels/{route[5:]}/messages/1"))
    await told(meter, method, path, status, headers)


async def told(meter, method, path, status, headers):
    named = {name.replace("_", "-"): str(value) for name, value in headers.items()}
    response = SimpleNamespace(status=status, headers=CIMultiDict(named))
    url = URL(API + path, encoded=True)
    signal = meter.trace().on_request_end
    signal.freeze()
    await signal.send(
        None, None, aiohttp.TraceRequestEndParams(method, url, CIMultiDict(), response)
    )


def limit(left, reset):
    return {"X_RateLimit_Remaining": left, "X_RateLimit_Reset_After": reset}


def test_an_unknown_route_is_open(meter):
    assert meter.wait(EDIT) == 0


@pytest.mark.parametrize("route", PATHS)
async def test_each_kind_of_call_has_its_route(meter, route):
    await answered(meter, route, **limit(0, 3))
    assert meter.wait(route) == pytest.approx(3)
    assert [other for other in PATHS if meter.wait(other)] == [route]


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/channels/7/messages/8"),
        ("DELETE", "/channels/7/messages/8"),
        ("POST", "/channels/7/messages/bulk-delete"),
        ("POST", "/webhooks/5/token"),
        ("PATCH", "/webhooks/5/token/messages/8"),
    ],
)
async def test_other_calls_say_nothing(meter, method, path):
    await told(meter, method, path, 200, limit(0, 9))
    assert [route for route in (*PATHS, answers("token")) if meter.wait(route)] == []


async def test_other_channels_are_open(meter):
    await answered(meter, **limit(0, 3))
    assert meter.wait(edits(8)) == 0


async def test_what_is_left_is_spread_evenly(meter, clock):
    """Five in five seconds: one a second, and none has to wait for the end of the window."""
    sent, ends = [], clock.now + 5
    for left in (4, 3, 2, 1, 0):
        sent.append(clock.now)
        await answered(meter, **limit(left, ends - clock.now))
        clock.now += meter.wait(EDIT)
    gaps = [b - a for a, b in zip(sent, [*sent[1:], clock.now], strict=True)]
    assert gaps == pytest.approx([1] * 5)
    assert clock.now == pytest.approx(ends)


async def test_waiting_gets_shorter_with_time(meter, clock):
    await answered(meter, **limit(0, 4))
    clock.now += 3
    assert meter.wait(EDIT) == pytest.approx(1)
    clock.now += 2
    assert meter.wait(EDIT) == 0


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"X_RateLimit_Remaining": 3},
        {"X_RateLimit_Reset_After": 3},
        limit("many", 3),
        limit(3, "soon"),
        limit(3, "nan"),
        limit(3, "inf"),
        limit(-2, 3),
    ],
)
async def test_without_headers_the_usual_gap_holds(meter, clock, headers):
    began = clock.now
    clock.now += 0.2
    await answered(meter, **headers)
    meter.note_call(EDIT, began)
    assert meter.wait(EDIT) == pytest.approx(USUAL_GAP)


async def test_headers_count_more_than_the_usual_gap(meter, clock):
    began = clock.now
    clock.now += 0.2
    await answered(meter, **limit(0, 4))
    clock.now += 0.1
    meter.note_call(EDIT, began)
    assert meter.wait(EDIT) == pytest.approx(3.9)


async def test_headers_of_an_earlier_call_count_no_more(meter, clock):
    await answered(meter, **limit(4, 0.5))
    clock.now += 10
    meter.note_call(EDIT, clock.now)
    assert meter.wait(EDIT) == pytest.approx(USUAL_GAP)


async def test_a_429_closes_the_route_for_as_long_as_it_says(meter):
    await answered(meter, status=429, Retry_After=7, **limit(3, 2))
    assert meter.wait(EDIT) == pytest.approx(7)


async def test_a_429_from_in_front_of_discord_has_no_limit_headers(meter):
    await answered(meter, status=429, Retry_After=30)
    assert meter.wait(EDIT) == pytest.approx(30)


async def test_a_429_without_any_header_leaves_the_usual_gap(meter, clock):
    await answered(meter, status=429)
    meter.note_call(EDIT, clock.now)
    assert meter.wait(EDIT) == pytest.approx(USUAL_GAP)


async def test_a_limit_that_is_available_in_full_is_forgotten(meter, clock, monkeypatch):
    monkeypatch.setattr(pacing, "FORGET_AT", 10)
    for channel in range(10):
        await answered(meter, edits(channel), **limit(0, 2))
    clock.now += 1
    await answered(meter, edits(99), **limit(0, 2))
    assert len(meter.known_routes) == 11
    clock.now += 1.5
    await answered(meter, edits(98), **limit(0, 2))
    assert meter.known_routes == {edits(98)} | ({edits(99)} if meter.wait(edits(99)) else set())


async def test_routes_of_presses_are_forgotten_without_headers_too(meter, clock):
    """Every press brings a token of its own, and with it a route."""
    for press in range(1000):
        clock.now += USUAL_GAP / 10
        meter.note_call(answers(f"token-{press}"), clock.now)
    assert len(meter.known_routes) <= pacing.FORGET_AT


# --- the lane, in virtual time


class Hurried(selectors.DefaultSelector):
    """Skips the time that it should wait."""

    passed = 0.0

    def select(self, timeout=None):
        self.passed += timeout or 0.0
        return super().select(0)


class VirtualLoop(asyncio.SelectorEventLoop):
    def __init__(self):
        self.hurried = Hurried()
        super().__init__(self.hurried)
        self._clock_resolution = 1e-9

    def time(self):
        return 5000.0 + self.hurried.passed


class LoopTime:
    def monotonic(self):
        return asyncio.get_running_loop().time()


def virtually(test):
    def run():
        with asyncio.Runner(loop_factory=VirtualLoop) as runner:
            runner.run(test())

    run.__name__, run.__doc__ = test.__name__, test.__doc__
    return run


def now():
    return asyncio.get_running_loop().time()


@dataclass
class Call:
    counts: bool = True


def drawing(seconds=0.0, *, counts=True):
    async def prepare():
        await asyncio.sleep(seconds)
        return Call(counts)

    return prepare


def most_in_a_second(times):
    return max(sum(t <= other < t + 1 for other in times) for t in times)


@virtually
async def test_calls_leave_the_lane_evenly_spaced():
    budget, times, began = Budget(LoopTime()), [], now()

    async def call():
        await budget.acquire()
        times.append(now())

    await asyncio.gather(*(call() for _ in range(100)))
    assert times == sorted(times)
    assert min(b - a for a, b in pairwise(times)) > 0.99 / CALLS_PER_SECOND
    assert now() - began == pytest.approx(99 / CALLS_PER_SECOND)


@virtually
async def test_busy_matches_take_turns():
    budget, counts, gaps = Budget(LoopTime()), [0] * 100, []

    async def match(number):
        last = now()
        while now() < ends:
            await budget.turn(drawing(0.01))
            counts[number] += 1
            gaps.append(now() - last)
            last = now()
            await asyncio.sleep(0.1)

    ends = now() + 20
    await asyncio.gather(*map(match, range(100)))
    assert max(counts) - min(counts) <= 1
    assert sum(counts) >= 20 * CALLS_PER_SECOND - 1
    assert max(gaps) <= 100 / CALLS_PER_SECOND + 0.1


@virtually
async def test_a_quiet_match_is_not_kept_waiting_for_busy_ones_twice():
    budget = Budget(LoopTime())

    async def busy():
        while True:
            await budget.turn(drawing(0.005))

    tasks = [asyncio.ensure_future(busy()) for _ in range(20)]
    await asyncio.sleep(3)
    for _ in range(5):
        began, expected = now(), budget.queue_delay
        await budget.turn(drawing())
        assert now() - began <= expected + 2 * LANE / CALLS_PER_SECOND
        assert now() - began <= 22 / CALLS_PER_SECOND
    for task in tasks:
        task.cancel()


@virtually
async def test_no_more_than_the_lane_holds_goes_out_at_once_after_a_stall():
    budget, times = Budget(LoopTime()), []

    async def call(seconds):
        await budget.turn(drawing(seconds))
        times.append(now())

    slow = [call(2.0 if number < LANE else 0.0) for number in range(150)]
    await asyncio.gather(*slow)
    assert min(times) >= 5002
    assert most_in_a_second(times) <= CALLS_PER_SECOND + 1
    assert now() == pytest.approx(5002 + 149 / CALLS_PER_SECOND)


@virtually
async def test_what_discord_does_not_count_is_not_spaced():
    budget, began = Budget(LoopTime()), now()
    await asyncio.gather(*(budget.turn(drawing(counts=False)) for _ in range(50)))
    assert now() == began


@virtually
async def test_nothing_to_do_takes_no_place():
    budget, began = Budget(LoopTime()), now()

    async def nothing():
        return None

    for _ in range(50):
        assert await budget.turn(nothing) is None
    await budget.acquire()
    assert now() == began


@virtually
async def test_a_turn_that_fails_or_is_given_up_holds_up_nobody():
    budget = Budget(LoopTime())

    async def fail():
        raise ValueError("no picture")

    given_up = [asyncio.ensure_future(budget.turn(drawing(60))) for _ in range(LANE)]
    failing = asyncio.ensure_future(budget.turn(fail))
    following = [asyncio.ensure_future(budget.turn(drawing())) for _ in range(3)]
    await asyncio.sleep(1)
    assert not any(task.done() for task in (*given_up, failing, *following))
    for task in given_up:
        task.cancel()
    await asyncio.gather(*following)
    assert now() < 5002
    with pytest.raises(ValueError, match="no picture"):
        await failing


@virtually
async def test_only_an_idle_lane_can_be_acquired_at_once():
    budget = Budget(LoopTime())
    assert budget.idle
    assert [budget.try_acquire() for _ in range(4)] == [True, True, False, False]
    await asyncio.sleep(2 / CALLS_PER_SECOND)
    assert budget.idle
    waiting = [asyncio.ensure_future(budget.acquire()) for _ in range(30)]
    await asyncio.sleep(0.1)
    assert not budget.idle
    assert not budget.try_acquire()
    assert budget.queue_delay > 0.4
    await asyncio.gather(*waiting)
    await asyncio.sleep(1 / CALLS_PER_SECOND)
    assert budget.idle
    assert budget.queue_delay == 0
