"""How a round ends and who wins what: ties at every rank, and rounds without a caller."""

from __future__ import annotations

import pytest

from game.rox.state import Stage


async def play_race(table, rows):
    await table.to_race()
    await table.rows(rows)
    await table.until(lambda: table.stage is Stage.CHECK, limit=130, step=5)
    await table.until(lambda: table.stage is not Stage.CHECK)
    await table.advance(1.1)


def assert_won(table, names):
    """These won the round's prizes, highest first, nobody else; and the check says so."""
    score = table.game.scores[-1]
    expected = dict(zip(names, table.game.prizes, strict=False))
    check = next(m for m in reversed(table.messages) if "check.png" in str(m.attachments))
    for seat in table.match.seats:
        won = expected.get(seat.name, 0)
        assert score[seat.number] == won
        line = next(line for line in table.texts(check).splitlines() if f" {seat.name}: " in line)
        assert (f"+{won}" in line) if won else ("+" not in line)


@pytest.mark.parametrize(
    ("rules", "expected"),
    [("rulebook", ["Cy", "Dee", "Ada"]), ("fair", ["Dee", "Ada", "Bo"])],
)
async def test_all_rows_are_equally_long_and_the_caller_s_is_broken(world, table, rules, expected):
    """By the rulebook the caller comes first, under `fair` last; the others from the left on."""
    ada, bo, cy, dee = people = world.people[:4]
    await table.start(people, rules=rules)
    await play_race(table, {ada: "rr", bo: "rr", cy: "rrwrr", dee: "rr"})
    assert table.game.caller == 2
    assert [row.valid for row in table.game.checked] == [3, 3, 3, 3]
    assert_won(table, expected)


@pytest.mark.parametrize("rules", ["rulebook", "fair"])
@pytest.mark.parametrize("caller", range(4))
async def test_a_tie_for_the_second_prize_goes_to_the_caller_s_left(world, table, rules, caller):
    people = world.people[:4]
    await table.start(people, rules=rules)
    await play_race(table, {p: "rrrrr" if n == caller else "rr" for n, p in enumerate(people)})
    assert table.game.caller == caller
    assert_won(table, [people[(caller + step) % 4].name for step in range(3)])


@pytest.mark.parametrize("rules", ["rulebook", "fair"])
async def test_a_tie_for_the_last_prize_leaves_one_with_nothing(world, table, rules):
    ada, bo, cy, dee = people = world.people[:4]
    await table.start(people, rules=rules)
    await play_race(table, {ada: "r", bo: "rrrrr", cy: "rrr", dee: "r"})
    assert_won(table, ["Bo", "Cy", "Dee"])
    assert "No prize left." in table.texts()


@pytest.mark.parametrize(("rules", "first"), [("rulebook", "Bo"), ("fair", "Cy")])
async def test_a_broken_caller_ties_in_the_middle(world, table, rules, first):
    """Ada's row is the longest; Bo, who called, and Cy are equal behind it."""
    ada, bo, cy, *_ = world.people
    await table.start([ada, bo, cy], rules=rules)
    await play_race(table, {ada: "rrr", bo: "rwrrr", cy: "r"})
    assert table.game.caller == 1
    assert_won(table, ["Ada", first])


async def test_without_a_caller_the_earlier_last_valid_card_wins_the_tie(world, table):
    ada, bo, cy, *_ = world.people
    await table.start([ada, bo, cy])
    await play_race(table, {cy: "rr", ada: "rr", bo: "-rr"})
    assert table.game.caller is None
    assert_won(table, ["Cy", "Ada"])


async def test_cards_after_the_last_valid_one_do_not_count_for_the_tie(world, table):
    """Ada's third card is wrong and late; her last valid card still came first."""
    ada, bo, *_ = world.people
    await table.start([ada, bo])
    await play_race(table, {ada: "r-w", bo: "-r"})
    assert [row.valid for row in table.game.checked] == [2, 2]
    assert_won(table, ["Ada"])


async def test_a_round_without_a_valid_row_gives_no_prize_and_counts(world, table):
    ada, bo, *_ = world.people
    await table.start([ada, bo])
    await play_race(table, {ada: "wwwww", bo: "w"})
    assert_won(table, [])
    assert "Too short for a prize." in table.texts()
    await table.next_round([ada, bo])
    assert table.game.round == 2


async def test_thirty_seconds_without_a_card_end_the_race(world, table):
    ada, bo, *_ = world.people
    await table.race([ada, bo])
    opened = table.newest.id >> 22
    assert table.match.discord_ms(table.game.last_take) == opened
    await table.advance((opened + 29_900 - world.now_ms) / 1000)
    assert table.stage is Stage.RACE
    await table.advance(0.2)
    assert table.stage is Stage.CHECK
    assert table.match.discord_ms(table.game.since) == opened + 30_000


async def test_a_card_taken_renews_the_thirty_seconds_and_putting_back_does_not(world, table):
    ada, bo, *_ = world.people
    await table.race([ada, bo])
    await table.advance(20)
    claim = await table.type(ada, table.right(ada))
    await table.advance(20)
    await table.type(ada, 0)
    await table.type(bo, table.row(bo)[0])
    await table.advance(9)
    assert table.stage is Stage.RACE
    await table.advance(1.2)
    assert table.stage is Stage.CHECK
    assert table.match.discord_ms(table.game.since) == (claim.id >> 22) + 30_000


async def test_a_claim_at_the_deadline_s_own_millisecond_comes_first(world, table):
    ada, bo, *_ = world.people
    await table.race([ada, bo])
    deadline = table.match.discord_ms(table.game.last_take) + 30_000
    await table.advance((deadline - world.now_ms) / 1000)
    assert world.now_ms == deadline
    number = table.right(ada)
    table.say(ada, number)
    await table.advance(0.1)
    assert table.owner(number) == 0
    assert table.stage is Stage.RACE


async def test_a_claim_after_the_deadline_is_chat_although_the_deadline_is_held(world, table):
    ada, bo, *_ = world.people
    await table.race([ada, bo])
    deadline = table.match.discord_ms(table.game.last_take) + 30_000
    await table.advance((deadline - world.now_ms) / 1000 + 0.01)
    number = table.right(ada)
    table.say(ada, number)
    await table.advance(0.1)
    assert table.owner(number) is None
    assert table.stage is Stage.CHECK


async def test_a_race_lasts_two_minutes_at_most(world, table):
    ada, bo, *_ = world.people
    await table.race([ada, bo])
    opened = table.match.discord_ms(table.game.race_from)
    for _ in range(4):
        await table.advance(25)
        await table.type(ada, table.right(ada))
    assert table.stage is Stage.RACE
    await table.advance((opened + 120_000 - world.now_ms) / 1000 + 0.1)
    assert table.stage is Stage.CHECK
    assert table.match.discord_ms(table.game.since) == opened + 120_000
    assert table.game.caller is None
    assert len(table.row(ada)) == 5


async def test_ready_needs_everybody_and_leaves_out_opponents(world, table):
    ada, bo, *_ = world.people
    await table.start([ada, bo], opponents=1)
    await play_race(table, {ada: "rrrrr", bo: "r"})
    assert "Noted." in (await table.press(ada, "Ready") or "Noted.")
    await table.advance(1.1)
    assert "everybody is ready (1 of 2)" in table.texts()
    assert table.stage is Stage.BREAK
    await table.press(bo, "Ready")
    assert table.stage is Stage.READY
