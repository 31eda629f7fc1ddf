"""A channel whose history can't be read when a session begins: Discord is still coming back."""

from __future__ import annotations

from bot.matches.backoff import GIVE_UP_S
from bot.matches.recovery import FEEDS_AT_ONCE
from game.match import Phase
from game.rox.state import Stage
from tests.kit.failing_calls import fail_history

NINE_ATTEMPTS_S = 0.5 + 1 + 2 + 4 + 8 + 16 + 30 + 30


async def test_what_was_typed_counts_however_late_it_can_be_read(world, table):
    ada, bo, *_ = world.people
    await table.race([ada, bo])
    number = table.right(ada)
    fail_history(world, table, times=8)
    await world.restart(lambda: table.say(ada, number))
    await table.advance(NINE_ATTEMPTS_S - 5)
    assert table.owner(number) is None, "nothing is decided before everything is known"
    await table.advance(10)
    assert table.owner(number) == table.seat(ada)
    assert table.stage is Stage.RACE


async def test_a_claim_from_before_goes_before_one_that_is_typed_meanwhile(world, table):
    ada, bo, *_ = world.people
    await table.race([ada, bo])
    number = table.right(ada)
    fail_history(world, table, times=3)
    await world.restart(lambda: table.say(ada, number))
    await table.type(bo, number)
    await table.advance(10)
    assert table.owner(number) == table.seat(ada)


async def test_channels_that_cannot_be_read_hold_up_no_other(world):
    ada, bo, *_ = world.people
    tables = [world.table(f"table-{number}") for number in range(FEEDS_AT_ONCE + 1)]
    *broken, whole = tables
    members = [
        world.guild.add_member(world.env.create_user(f"P{n}")) for n in range(2 * len(broken))
    ]
    for number, table in enumerate(broken):
        await table.race(members[2 * number : 2 * number + 2])
        fail_history(world, table, times=None)
    await whole.race([ada, bo])
    number = whole.right(ada)
    await world.restart(lambda: whole.say(ada, number))
    await whole.advance(1)
    assert whole.owner(number) == whole.seat(ada)


async def test_after_ten_minutes_the_match_goes_on_without_it(world, table):
    ada, bo, *_ = world.people
    await table.race([ada, bo])
    fail_history(world, table, times=None)
    await world.restart()
    await table.advance(GIVE_UP_S + 60)
    assert table.match.phase is Phase.PLAYING
    await table.type(bo, table.right(bo))
    assert len(table.row(bo)) == 2
