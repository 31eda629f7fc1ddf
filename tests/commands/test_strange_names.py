"""People with strange names play a whole round: nobody is pinged, nothing breaks, all can tell."""

import pytest

from bot.games.names import unformatted
from bot.sandbox.demo.reading import texts
from game.match import End
from game.rox.state import Stage
from tests.kit.sheets.reading import HOSTILE, names_in
from tests.kit.table import ACT_S

PAIRS = list(zip(HOSTILE[::2], HOSTILE[1::2], strict=True))


def short(name):
    """Discord lets a nickname have 32 characters and no more."""
    return name[:32]


@pytest.mark.parametrize(("one", "other"), PAIRS)
async def test_a_round_with_strange_names(world, table, one, other):
    guild, env = world.guild, world.env
    ann = guild.add_member(env.create_user("ann"), nick=short(one))
    ben = guild.add_member(env.create_user("ben"), nick=short(other))
    await table.race([ann, ben])
    seen = {unformatted(short(one)), unformatted(short(other))}
    check(table, seen)
    answers = []
    number = table.right(ann)
    await table.type(ann, number)
    for command, options in (("take", {"number": number}), ("stop", {}), ("stats", {})):
        result = await ben.slash(table.channel, f"rox {command}", **options)
        await table.advance(ACT_S)
        answers.append(result.response.content)
    assert names_in(answers[0]) == [unformatted(short(one))]
    assert names_in(answers[1]) == [unformatted(short(one))]
    await table.advance(2)
    check(table, seen)
    await table.rows({ann: "rrrr"})
    await table.until(lambda: table.stage is Stage.BREAK)
    await table.advance(3)
    check(table, seen)
    await table.slash(ben, "stop")
    await table.advance(3)
    check(table, seen)
    first, second = unformatted(short(one)), unformatted(short(other))
    assert await told(table, ben, "stats", member=ann) == [first]  # who has not finished one
    await table.leave(ben)
    assert table.match.end is End.WON_BY_LEAVING
    await table.advance(3)
    check(table, seen)
    assert await told(table, ben, "stats", member=ann) == [first]
    assert await told(table, ann, "leaderboard") == [first, second]
    for message in table.messages:
        assert not message.mentions
        assert not message.role_mentions
        assert not message.mention_everyone


async def told(table, person, command, **options):
    """The names in a private answer, as they are seen; it pings nobody."""
    result = await person.slash(table.channel, f"rox {command}", **options)
    await table.advance(ACT_S)
    message = result.response.message
    assert not message.mentions
    assert not message.role_mentions
    assert not message.mention_everyone
    return names_in(message.content)


def check(table, seen):
    for message in table.messages:
        if message.components:
            for text in texts([c.to_dict() for c in message.components]):
                assert set(names_in(text)) <= seen
    shown = texts([c.to_dict() for c in table.newest.components])
    assert set(names_in("\n".join(shown))) == seen


async def test_one_display_name_and_two_badges(world, table):
    guild, env = world.guild, world.env
    ann = guild.add_member(env.create_user("ann"), nick="Sam")
    ben = guild.add_member(env.create_user("ben"), nick="Sam")
    await table.race([ann, ben])
    rows = next(line for line in table.texts().splitlines() if "Sam" in line)
    first, second = rows.split(" · ")
    assert first.split()[1:] == second.split()[1:] == ["Sam", "1"]
    assert first.split()[0] != second.split()[0]
    number = table.right(ann)
    await table.type(ann, number)
    await table.type(ben, number)
    await table.advance(3)
    badges = first.split()[0], second.split()[0]
    assert f"{badges[1]} Sam: {number} is gone, {badges[0]} has it" in table.texts()


async def test_a_rename_in_mid_match_changes_nothing(world, table):
    ada, bo, *_ = world.people
    await table.race([ada, bo])
    before = table.texts()
    world.env.backend.edit_member(world.guild.id, ada.id, {"nick": "Somebody else"})
    await world.env.settle()
    await table.slash(bo, "table")
    await table.advance(6)
    assert table.texts() == before
    number = table.right(ada)
    await table.type(ada, number)
    await table.advance(3)
    assert table.row(ada)[-1] == number
    assert "Somebody else" not in table.texts()
