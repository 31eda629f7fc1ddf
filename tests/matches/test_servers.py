"""The server changes under a match: people who may not write or are gone, channels, absences."""

import datetime as dt

import discord
import pytest
from simcord.backend.errors import BackendError
from simcord.backend.models import Overwrite
from simcord.enums import OverwriteType

from game.match import End, PauseReason, Phase
from game.rox.state import Stage
from tests.kit.server import forbid
from tests.kit.table import Table


def paused(table):
    return table.match.phase is Phase.PAUSED and table.match.pause is PauseReason.PERMISSION


async def time_out(world, user, minutes):
    """Time somebody out, or with no minutes let them write again."""
    until = world.env.now() + dt.timedelta(minutes=minutes)
    world.env.backend.edit_member(
        world.guild.id, user, {"timed_out_until": until.isoformat() if minutes else None}
    )
    await world.env.settle()
    await world.advance(0.5)


async def test_somebody_who_is_timed_out_falls_silent_and_the_match_goes_on(world, table):
    ada, bo, cy, *_ = world.people
    await table.start([ada, bo, cy])
    await table.to_race()
    await time_out(world, cy.id, 60)
    with pytest.raises(BackendError):
        await cy.send(table.channel, str(table.right(cy)))
    assert table.match.phase is Phase.PLAYING
    await table.rows({ada: "rrrrr", bo: "r"})
    await table.until(lambda: table.stage is Stage.BREAK)
    assert len(table.match.active_seats) == 3
    await time_out(world, cy.id, 0)
    await table.next_round([ada, bo, cy])
    await table.to_race()
    number = table.right(cy)
    await table.type(cy, number)
    assert table.row(cy)[-1] == number


async def test_somebody_who_stays_timed_out_loses_the_seat_after_two_rounds(world, table):
    ada, bo, cy, *_ = world.people
    await table.start([ada, bo, cy])
    await time_out(world, cy.id, 60)
    for _ in range(2):
        await table.round({ada: "rrrrr", bo: "r"})
        await table.until(lambda: table.stage is not Stage.BREAK, step=5)
    assert [seat.name for seat in table.match.active_seats] == ["Ada", "Bo"]
    await table.to_race()


async def test_a_bot_that_is_timed_out_pauses_and_goes_on_when_it_may_write_again(world, table):
    ada, bo, *_ = world.people
    await table.race([ada, bo])
    await time_out(world, world.env.backend.bot_user.id, 5)
    await table.rows({ada: "rrrr"})
    await table.until(lambda: paused(table), limit=30)
    await table.advance(60)
    assert paused(table)
    # Nothing tells that a bot's time is over.
    await table.advance(300)
    assert await table.slash(bo, "table") == "Here it comes."
    await table.until(lambda: table.stage is Stage.RACE)
    await table.advance(3)
    number = table.right(ada)
    await table.type(ada, number)
    assert table.row(ada)[-1] == number


async def test_the_winner_of_a_round_is_removed_before_the_next(world, table):
    ada, bo, cy, *_ = world.people
    await table.start([ada, bo, cy])
    await table.round({ada: "rrrrr", bo: "r"})
    won = table.game.points(0)
    assert won > 0
    world.guild.remove_member(ada)
    await table.until(lambda: table.stage is Stage.READY, step=2)
    for _ in range(4):
        await table.round({bo: "rrrrr", cy: "rr"})
        await table.advance(1)
        if table.match.phase is Phase.OVER:
            break
        assert table.match.seats[0].out is not None, "noticed at the end of a round"
        assert table.game.points(0) == won
        await table.until(lambda: table.stage is Stage.READY, step=2)
    await table.until(lambda: table.match.phase is Phase.OVER, step=5)
    places = {place.seat.name: place.place for place in table.match.result.places}
    assert places["Ada"] == 3, "who left never wins, whatever the points"
    assert places["Bo"] == 1


async def test_of_two_the_winner_is_removed_before_the_next_round(world, table):
    ada, bo, *_ = world.people
    await table.start([ada, bo])
    await table.round({ada: "rrrrr"})
    world.guild.remove_member(ada)
    await table.until(lambda: table.stage is Stage.READY, step=2)
    await table.round({bo: "rrrrr"})
    await table.until(lambda: table.match.phase is Phase.OVER, step=2)
    assert table.match.end is End.WON_BY_LEAVING
    assert [seat.name for seat in table.match.result.winners] == ["Bo"]


async def test_a_thread_follows_the_permissions_of_its_channel(world, table):
    ada, bo, *_ = world.people
    thread = world.env.backend.create_thread(table.channel.id, "side table", ada.id)
    (channel,) = [c for c in table.channel.threads if c.id == thread.id]
    inside = Table(world, channel)
    await inside.race([ada, bo])
    await forbid(world, table.channel, "send_messages")
    assert inside.match.phase is Phase.PLAYING, "in threads another permission holds"
    await forbid(world, table.channel, "send_messages_in_threads")
    assert paused(inside)
    await forbid(world, table.channel)
    await inside.until(lambda: inside.stage is Stage.RACE)


async def test_what_a_channel_is_called_and_how_slow_it_is_pause_nothing(world, table):
    ada, bo, *_ = world.people
    await table.race([ada, bo])
    world.env.backend.edit_channel(table.channel.id, {"name": "42", "rate_limit_per_user": 30})
    await world.env.settle()
    await table.advance(2)
    number = table.right(ada)
    await table.type(ada, number)
    assert table.row(ada)[-1] == number
    await table.advance(2)
    assert await table.slash(ada, "take", number=table.right(ada))
    assert len(table.row(ada)) == 3


@pytest.mark.parametrize("where", ["lobby", "race"])
async def test_a_channel_that_was_deleted_while_the_bot_was_away(world, table, where):
    ada, bo, *_ = world.people
    await (table.open if where == "lobby" else table.race)([ada, bo])
    match_id = table.runner.id
    await world.restart(lambda: world.env.backend.delete_channel(table.channel.id))
    await world.advance(10)
    world.runners.clear()
    assert world.rows("select status, closed from matches where id = ?", match_id) == [("void", 1)]
    assert world.rows("select end_reason from matches") == [("channel-gone",)]
    await world.table("elsewhere").open([ada, bo])


@pytest.mark.parametrize("flag", ["send_messages", "view_channel"])
async def test_a_permission_that_went_while_the_bot_was_away(world, table, flag):
    ada, bo, *_ = world.people
    await table.race([ada, bo])

    def take_away():
        _, denied = discord.PermissionOverwrite(**{flag: False}).pair()
        me = world.env.backend.bot_user.id
        world.env.backend.set_overwrite(
            table.channel.id, Overwrite(me, OverwriteType.MEMBER, allow=0, deny=denied.value)
        )

    await world.restart(take_away)
    await table.advance(10)
    assert paused(table)
    assert "stands still" in ada.user.dm_channel.history()[0].content
    await forbid(world, table.channel)
    await table.until(lambda: table.stage is Stage.RACE)
    await table.advance(3)
    number = table.right(bo)
    await table.type(bo, number)
    assert table.row(bo)[-1] == number


async def test_a_server_that_put_the_bot_out_while_it_was_away(world, table):
    ada, bo, *_ = world.people
    await table.race([ada, bo])
    match_id = table.runner.id
    world.env.inject_error("*", "/channels/*", status=403, code=50001, times=None)
    await world.restart(lambda: world.env.backend.remove_guild(world.guild.id))
    await world.advance(1)
    world.runners.clear()
    assert world.rows("select status, closed from matches where id = ?", match_id) == [("void", 1)]
    assert not list(world.bot.matches.registry)
