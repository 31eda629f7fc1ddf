"""Who writes, presses or commands without pause: others play on, and nobody is flooded back."""

from __future__ import annotations

from collections import Counter
from functools import partial

import pytest

from game.rox.prizes import ROUNDS
from tests.kit.table import SETTLE_S, answer_of

SECONDS = 4
GAP_S = 0.02
FLOOD = int(SECONDS / GAP_S)
PRESSES = 100
PRESSES_S = 10
WORDS = 9
"""How many private answers a person may get in those seconds: three in five of them."""
COMMANDS = 8
"""How many commands of one person are carried out in five seconds."""


class Calls:
    """What the bot asks of Discord from here on, by kind."""

    KINDS = (
        ("react", "PUT", "/reactions/"),
        ("acknowledge", "POST", "/callback"),
        ("answer", "PATCH", "/messages/@original"),
        ("edit", "PATCH", "/messages/"),
        ("whisper", "POST", "/webhooks/"),
        ("post", "POST", "/messages"),
        ("delete", "DELETE", "/"),
    )

    def __init__(self, world):
        self.log = world.env.backend.http_requests
        self.since = len(self.log)

    @property
    def counted(self):
        return Counter(self._kind(request) for request in list(self.log)[self.since :])

    def _kind(self, request):
        for kind, method, part in self.KINDS:
            if request.method == method and part in request.path:
                return kind
        return f"{request.method} {request.path}"


def claims(world):
    """How many claims of people are recorded."""
    return world.rows("select count(*) from actions where kind = 'rox.claim'")[0][0]


async def write_without_pause(table, write, meanwhile):
    """Let fifty messages a second be written, and something else be done in the middle of it."""
    for number in range(FLOOD):
        write(number)
        if number == FLOOD // 2:
            await meanwhile()
        await table.advance(GAP_S)
    await table.advance(2)


def claims_in_time(table, person):
    """What lets somebody take a card, and looks whether it is decided when it should be."""

    async def claim():
        number = table.right(person)
        table.say(person, number)
        await table.advance(SETTLE_S + 0.001)
        assert table.owner(number) == table.seat(person)

    return claim


@pytest.mark.parametrize("kind", ["busy", "late", "chat", "onlooker", "onlooker's chat"])
async def test_fifty_messages_a_second_hold_up_nobody_and_are_not_answered_one_by_one(
    world, table, kind
):
    ada, bo, cy, *_ = world.people
    await table.race([ada, bo])
    first, taken = table.right(ada), table.row(bo)[0]
    flooder, text = {
        "busy": (ada, lambda number: first + 1 if number else first),
        "late": (ada, lambda number: taken),
        "chat": (ada, lambda number: f"so {number} then"),
        "onlooker": (cy, lambda number: 10 + number % 60),
        "onlooker's chat": (cy, lambda number: "ha!"),
    }[kind]
    before, calls = claims(world), Calls(world)
    await write_without_pause(
        table, lambda number: table.say(flooder, text(number)), claims_in_time(table, bo)
    )
    recorded = FLOOD if kind in {"busy", "late"} else 0
    assert claims(world) - before == recorded + 1, "claims of seated players, and those alone"
    assert "Bo took" in table.texts(), "the line of last claims is not crowded out"
    counted = calls.counted
    assert set(counted) <= {"react", "edit", "post", "delete"}
    assert counted["react"] <= (SECONDS + 2 if recorded else 0)
    assert counted["edit"] <= SECONDS + 2
    assert counted["post"] == counted["delete"] <= 1


@pytest.mark.parametrize("channel", ["with a match", "without one"])
async def test_a_flood_in_another_channel_holds_up_nobody(world, table, channel):
    ada, bo, cy, dee, *_ = world.people
    other = world.table("other")
    if channel == "with a match":
        await other.race([cy, dee])
    await table.race([ada, bo])
    before, calls = claims(world), Calls(world)
    await write_without_pause(
        table, lambda number: other.say(cy, 10 + number % 60), claims_in_time(table, bo)
    )
    assert table.row(bo)[1:]
    assert sum(calls.counted.values()) <= 3 * (SECONDS + 2)
    if channel == "without one":
        assert claims(world) - before == 1


async def press_on(table, person, label, times=PRESSES, gap=PRESSES_S / PRESSES):
    """Press a button again and again; every press is acknowledged."""
    message, results = table.newest, []
    for _ in range(times):
        with table.world.unsettled():
            results.append(await person.click(message, label=label))
        await table.advance(gap)
    await table.advance(3)
    assert all(result.acknowledged for result in results)
    return results


@pytest.mark.parametrize("label", ["Join", "Leave", "Start", "Cancel"])
async def test_a_button_of_the_lobby_pressed_a_hundred_times(world, table, label):
    ada, bo, cy, *_ = world.people
    await table.open([ada, bo])
    calls = Calls(world)
    results = await press_on(table, cy, label)
    told = sum(len(result.followups) for result in results)
    assert 1 <= told <= WORDS
    counted = calls.counted
    assert counted["acknowledge"] == PRESSES
    assert counted["whisper"] == told
    assert counted["edit"] + counted["answer"] <= PRESSES_S + 3


@pytest.mark.parametrize("label", ["My card", "Put back", "Leave"])
async def test_a_button_of_the_table_pressed_a_hundred_times(world, table, label):
    ada, bo, *_ = world.people
    await table.race([ada, bo])
    await table.type(ada, table.right(ada))
    calls = Calls(world)
    results = await press_on(table, ada, label)
    counted = calls.counted
    assert counted["acknowledge"] == PRESSES
    assert 1 <= counted["whisper"] <= WORDS
    assert counted["delete"] <= counted["whisper"]
    assert counted["edit"] + counted["answer"] <= PRESSES_S + 3
    left = [followup for result in results for followup in result.followups]
    assert len(left) <= (1 if label == "My card" else WORDS)
    await claims_in_time(table, bo)()


async def test_ready_and_rematch_pressed_a_hundred_times_change_once(world, table):
    ada, bo, *_ = world.people
    await table.start([ada, bo])
    for number in range(ROUNDS):
        await table.round({ada: "rrrrr", bo: "r"})
        if number == 0:
            calls = Calls(world)
            await press_on(table, ada, "Ready", gap=0.01)
            assert calls.counted["whisper"] == 0
            await table.press(bo, "Ready")
        elif number < ROUNDS - 1:
            await table.next_round([ada, bo])
    await table.advance(2)
    calls = Calls(world)
    await press_on(table, ada, "Rematch", gap=0.01)
    assert calls.counted["whisper"] == 0
    assert calls.counted["edit"] + calls.counted["answer"] <= 4
    await table.press(bo, "Rematch")
    await table.advance(1)
    assert world.rows("select count(*) from matches") == [(2,)]


@pytest.mark.parametrize(
    "command",
    ["play", "rules", "stats", "leaderboard", "settings", "stop", "table"],
)
async def test_a_command_used_a_hundred_times_is_answered_each_time(world, table, command):
    """The first few are carried out; the others cost one call and no look into the store."""
    ada, bo, cy, *_ = world.people
    await table.race([ada, bo])
    calls = Calls(world)
    async with world.at_once():
        results = [await cy.slash(table.channel, f"rox {command}") for _ in range(PRESSES)]
    answers = [answer_of(result) for result in results]
    assert all(answers)
    easy = [answer for answer in answers[COMMANDS:] if answer.startswith("Easy!")]
    assert len(easy) == PRESSES - COMMANDS
    counted = calls.counted
    assert counted["acknowledge"] == PRESSES
    assert counted["answer"] == COMMANDS
    assert counted["whisper"] == 0
    assert counted["post"] <= 1
    await claims_in_time(table, bo)()
    await table.advance(6)
    assert not (await table.slash(cy, "rules")).startswith("Easy!")


async def test_a_hundred_claims_by_command_are_each_answered_and_recorded(world, table):
    ada, bo, *_ = world.people
    await table.race([ada, bo])
    number, taken = table.right(ada), table.row(bo)[0]
    async with world.at_once():
        take = partial(ada.slash, table.channel, "rox take", number=taken)
        results = [await take() for _ in range(PRESSES)]
    answers = Counter(answer_of(result) for result in results)
    assert answers == {f"Too late: Bo has {taken}.": PRESSES}
    assert claims(world) == PRESSES
    assert "is yours" in await table.slash(ada, "take", number=number)
