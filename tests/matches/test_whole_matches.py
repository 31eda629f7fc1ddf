"""Whole matches, from `/rox play` to the leaderboard."""

from __future__ import annotations

import re

import pytest

from game.match import End, Phase
from game.rox.prizes import ROUNDS
from game.rox.state import Stage

PATTERNS = ("rrrrr", "rrwr", "rw", "r")
PLACE = re.compile(r"^(\d)\. \S+ (\w+) (\d+) points? \(([\d +]+)\)", re.MULTILINE)


def final_places(text):
    """Name, place and points, as the final message tells them."""
    places = []
    for place, name, points, rounds in PLACE.findall(text):
        assert sum(map(int, rounds.split(" + "))) == int(points)
        places.append((name, int(place), int(points)))
    return places


def prizes_shown(table, name):
    """What somebody won, as the checks in the channel say."""
    lines = [
        line
        for message in table.messages
        if message.components
        for line in table.texts(message).splitlines()
        if line.startswith(("✅", "❌")) and f" {name}: " in line
    ]
    assert len(lines) == ROUNDS
    return sum(int(won) for line in lines for won in re.findall(r"\+(\d+)", line))


def pictures(message):
    return [attachment.filename for attachment in message.attachments]


@pytest.mark.parametrize("checking", ["magic-eye", "instant"])
@pytest.mark.parametrize("rules", ["rulebook", "fair"])
@pytest.mark.parametrize("count", [2, 3, 4])
async def test_from_the_lobby_to_the_final_standing(world, table, count, rules, checking):
    people = world.people[:count]
    await table.start(people, rules=rules, checking=checking)
    for number in range(ROUNDS):
        assert f"Round {number + 1} of 5" in table.texts()
        assert pictures(table.newest) == ["covered.png"]
        await table.to_race()
        assert pictures(table.newest) == ["table.png", "last-cards.png"]
        claims = {
            person: PATTERNS[(seat + number) % len(PATTERNS)] for seat, person in enumerate(people)
        }
        await table.rows(claims)
        await table.until(lambda: table.stage is not Stage.RACE, limit=130, step=5)
        await table.until(lambda: table.stage is not Stage.CHECK)
        if table.stage is Stage.BREAK:
            await table.next_round(people)
        elif table.match.phase is Phase.PAUSED:
            await table.press(people[0], "Go on")
    await table.advance(2)

    assert table.match.phase is Phase.OVER
    assert pictures(table.newest) == ["podium.png"]
    assert table.buttons() == ["Rematch"]
    places = final_places(table.texts())
    assert [name for name, _, _ in places] == [
        place.seat.name for place in table.match.result.places
    ]
    for name, _, points in places:
        assert points == prizes_shown(table, name)
    assert places == world.rows(
        "select name, place, points from match_seats order by place, number"
    )
    assert world.rows("select status, end_reason, counts, rated from matches") == [
        ("finished", "finished", 1, 1)
    ]
    stored = world.rows("select name, wins, points, matches, places_sum from standings")
    assert sorted(stored) == sorted(
        (name, int(place == 1), points, 1, place) for name, place, points in places
    )
    board = await table.slash(people[-1], "leaderboard")
    for name, place, points in places:
        line = next(line for line in board.splitlines() if f" {name} · " in line)
        wins = "1 win " if place == 1 else "0 wins "
        assert f"· {wins}· {points} point" in line
        assert f"ø place {place}" in line


async def test_the_channel_keeps_tables_and_checks_and_no_outdated_message(world, table):
    people = world.people[:2]
    await table.start(people)
    for number in range(ROUNDS):
        await table.round({people[0]: "rrrrr", people[1]: "rr"})
        if number < ROUNDS - 1:
            await table.next_round(people)
    await table.advance(3)
    shown = [m for m in table.messages if m.components]
    assert len(shown) == 1 + 2 * ROUNDS + 1  # lobby, a table and a check a round, the end
    assert [table.buttons(m) for m in shown[:-1]] == [[]] * (2 * ROUNDS + 1)
    assert not table.said("Get ready")
    for message in shown[1:-1]:
        assert pictures(message) in (["table.png", "last-cards.png"], ["check.png"])


async def test_the_lobby_says_how_it_ended_and_the_break_ends_by_itself(world, table):
    ada, bo, *_ = world.people
    await table.start([ada, bo])
    assert "The match has started." in table.texts(table.messages[0])
    await table.round({ada: "rrrrr", bo: "r"})
    check = table.newest
    assert "The next round begins" in table.texts(check)
    await table.advance(14.5)
    assert table.stage is Stage.BREAK
    await table.advance(0.7)
    assert table.stage is Stage.READY
    assert table.game.round == 2
    await table.advance(2)
    assert "The next round begins" not in table.texts(
        next(m for m in table.messages if m.id == check.id)
    )


async def test_the_check_is_shown_row_by_row_at_its_times(world, table):
    ada, bo, *_ = world.people
    await table.race([ada, bo])
    await table.rows({bo: "rw", ada: "rrrrr"})
    assert table.stage is Stage.CHECK
    await table.advance(1)
    check = table.texts()
    assert "Ada calls Rox!" in check
    assert "6 cards, all hold" in check
    assert "Bo:" not in check
    await table.until(lambda: table.game.reveal == 1, limit=3, step=0.1)
    await table.advance(1)
    assert "2 of 3 hold" in table.texts()
    assert "+" not in table.texts()
    await table.until(lambda: table.stage is Stage.BREAK, limit=3, step=0.1)
    await table.advance(1)
    assert f"+{table.game.prizes[0]}" in table.texts()
    assert "No prize left." in table.texts()
    assert f"Standing: 🔶 Ada {table.game.prizes[0]} · 💜 Bo 0" in table.texts()


@pytest.mark.parametrize("level", ["apprentice", "journeyman", "master"])
@pytest.mark.parametrize("opponents", [1, 2, 3])
async def test_against_simulated_opponents(world, table, level, opponents):
    """One person who plays a little; the opponents do the rest."""
    ada = world.people[0]
    await table.start([ada], opponents=opponents, level=level)
    for number in range(ROUNDS):
        await table.to_race()
        before = world.env.backend.bot_user.id
        await table.type(ada, table.right(ada))
        authors = {m.author.id for m in table.messages}
        assert authors == {before, ada.id}, "opponents write no messages"
        await table.until(lambda: table.stage is not Stage.RACE, limit=130, step=5)
        noted = {note.seat for note in table.game.recent_claims}
        assert noted - {0}, "their claims are in the line of last claims"
        await table.until(lambda: table.stage is not Stage.CHECK)
        if table.match.phase is Phase.PAUSED:
            await table.press(ada, "Go on")
        elif number < ROUNDS - 1:
            await table.next_round([ada])
    await table.advance(2)
    assert table.match.end is End.FINISHED
    result = table.match.result
    assert not result.counts
    assert not result.rated
    assert "not on the leaderboard" in table.texts()
    assert world.rows("select status, counts, rated from matches") == [("finished", 0, 0)]
    assert world.rows("select count(*) from standings") == [(0,)]
    marked = world.rows("select level from match_seats where user_id is null")
    assert marked == [(level,)] * opponents


async def test_people_with_opponents_count_but_are_unrated(world, table):
    ada, bo, *_ = world.people
    await table.start([ada, bo], opponents=1)
    assert "🤖 Alder" in table.texts(table.messages[0])
    for number in range(ROUNDS):
        await table.round({ada: "rrrrr", bo: "rr"})
        if number < ROUNDS - 1:
            await table.next_round([ada, bo])
    result = table.match.result
    assert result.counts
    assert not result.rated
    among = {place.seat.name: place.among_people for place in result.places}
    assert among["Alder"] is None
    assert {among["Ada"], among["Bo"]} == {1, 2}
    assert world.rows("select count(*) from standings") == [(2,)]


async def test_a_match_is_won_from_the_alt_texts_alone(world, table):
    """Somebody who sees no picture counts what the alt texts spell out, and wins."""
    ada = world.people[0]
    await table.start([ada], opponents=1, level="journeyman")
    for number in range(ROUNDS):
        await table.to_race()
        while table.stage is Stage.RACE:
            reading = table.reading()
            first, *_ = reading.ranking("Ada")
            await table.type(ada, reading.free[first][0])
            await table.advance(3)
        await table.until(lambda: table.stage is not Stage.CHECK)
        if number < ROUNDS - 1:
            await table.next_round([ada])
    await table.advance(2)
    assert "Ada wins!" in table.texts()
