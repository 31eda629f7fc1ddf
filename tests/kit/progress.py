"""Bring a match in a simulated channel to a stage, or to its end."""

from __future__ import annotations

from game.match import Phase
from game.rox.state import Stage
from tests.kit.failing_calls import slow_posts
from tests.kit.observed import TABLE


async def bring_to(table, people, where):
    """Go from nothing to a stage of a match; from the check on, the first person has won a round.

    Args:
        where: a stage by its name, or "lobby", "pause", or "rematch" for the offer of one.
    """
    if where == "lobby":
        await table.open(people)
        await table.advance(1.1)
        return
    if where == "rematch":
        await play_match(table, people)
        return
    await table.start(people)
    if where == "ready":
        return
    if where == "opening":
        slow_posts(table.world, drawing=1_000)
        await table.until(lambda: table.stage is Stage.OPENING)
        return
    await table.to_race()
    if where == "race":
        return
    await table.rows({people[0]: "rrrrr", **dict.fromkeys(people[1:], "r")})
    assert table.stage is Stage.CHECK
    await table.advance(1.1)
    if where == "check":
        return
    await until_stage(table, Stage.BREAK)
    await table.advance(1.1)
    if where == "break":
        return
    assert where == "pause"
    await idle_round(table)
    await idle_round(table)
    await table.advance(1.1)
    assert table.match.phase is Phase.PAUSED


async def until_stage(table, stage):
    """Wait until the round reaches a stage."""
    await table.until(lambda: table.stage is stage, limit=60, step=0.5)


async def idle_round(table):
    """Let a round pass in which nobody takes a card."""
    await table.until(lambda: table.stage is Stage.RACE)
    await table.advance(30.2)
    assert table.stage is Stage.CHECK
    await table.until(lambda: table.stage is not Stage.CHECK)


async def play_match(table, people, **options):
    """Play a match to its end, mostly by waiting."""
    await table.start(people, **options)
    while table.match.phase is not Phase.OVER:
        await table.round({people[0]: "rrrrr", **dict.fromkeys(people[1:], "r")})
        if table.stage is Stage.BREAK:
            await table.next_round(people)
    await table.advance(2)


async def press_rematch(table, people):
    """Let people agree to a rematch, one after the other."""
    for person in people:
        await table.press(person, "Rematch")


async def ask_to_leave(table, person):
    """Press Leave; return the private question whether to leave."""
    result = await person.click(table.newest, label="Leave")
    await table.advance(0.1)
    return result.followups[-1]


async def assert_goes_on(table, person):
    """Check that a race is open, with both pictures, and that a claim counts in it."""
    await table.until(lambda: table.stage is Stage.RACE, limit=30)
    await table.advance(3)
    assert [a.filename for a in table.newest.attachments] == TABLE
    number = table.right(person)
    await table.type(person, number)
    assert table.row(person)[-1] == number
