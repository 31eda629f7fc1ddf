"""Always in view: a table that chat pushed up, tidy channels, reactions, and kept pictures."""

import asyncio
import re
from itertools import pairwise

import pytest

from bot.channel.pacing import Budget
from bot.channel.plan import REPOST_GAP_S
from bot.games.look import LOOK_SECTION, Look
from bot.pictures.rox.scenes import CoveredScene
from game.match import Phase
from game.rox.state import Stage, number_of
from tests.kit.observed import reaction_calls
from tests.kit.server import choose_settings, overwrite_permissions
from tests.kit.simulation import Blank
from tests.kit.table import ACT_S, REST_S

TABLE = ["table.png", "last-cards.png"]
SILENT = 1 << 12


@pytest.fixture
def ada(world):
    return world.people[0]


@pytest.fixture
def bo(world):
    return world.people[1]


async def chat(table, person, count):
    for _ in range(count):
        await table.type(person, "hm")


def calls(world, method, end):
    return [r for r in world.env.http_requests if r.method == method and r.path.endswith(end)]


async def change(table, person):
    """Make a frame due: a claim comes too late, on another card than the last one."""
    last = table.game.recent_claims[-1].number if table.game.recent_claims else None
    owned = (number_of(place) for place, owner in enumerate(table.game.owner) if owner is not None)
    await table.type(person, next(number for number in owned if number != last))


def tables(table):
    return [m for m in table.messages if [a.filename for a in m.attachments] == TABLE]


async def test_chat_alone_posts_nothing_again(world, table, ada, bo):
    await table.race([ada, bo])
    first = table.newest.id
    await chat(table, bo, 20)
    await table.advance(10)
    assert table.newest.id == first


@pytest.mark.parametrize("distance", [3, 4, 12])
async def test_it_is_posted_again_when_a_frame_is_due_and_enough_was_posted_below(
    world, table, ada, bo, distance
):
    await choose_settings(world, LOOK_SECTION, Look(distance=distance))
    await table.race([ada, bo])
    first = table.newest.id
    await table.advance(REPOST_GAP_S)
    await chat(table, bo, distance - 2)
    await change(table, ada)  # the claim itself is one more message
    await table.advance(2)
    assert table.newest.id == first
    await table.advance(REPOST_GAP_S)
    await change(table, ada)
    await table.advance(2)
    (shown,) = tables(table)
    assert shown.id > first
    post = calls(world, "POST", "/messages")[-1]
    assert post.json["flags"] & SILENT
    # The claim came before the post, so now the table is the last message of all.
    assert table.messages[-1].id == shown.id


async def test_the_first_table_rings_and_a_table_posted_again_does_not(world, table, ada, bo):
    await table.race([ada, bo])
    first = calls(world, "POST", "/messages")[-1]
    assert not first.json.get("flags", 0) & SILENT


async def test_the_old_table_goes_after_the_new_one_is_posted(world, table, ada, bo):
    await table.race([ada, bo])
    seen = []

    def watch(event, payload):
        if event == "MESSAGE_DELETE":
            seen.append(len(tables(table)))

    world.env.backend.subscribers.append(watch)
    await table.advance(REPOST_GAP_S)
    await chat(table, bo, 5)
    await change(table, ada)
    await table.advance(2)
    # Counted after the deletion: only the new one is left.
    assert seen == [1]


async def test_not_more_often_than_every_five_seconds(world, table, ada, bo):
    await table.race([ada, bo])
    posted = []

    def watch(event, payload):
        if event == "MESSAGE_CREATE" and payload["author"].get("bot"):
            posted.append(table.env.now().timestamp())

    world.env.backend.subscribers.append(watch)
    for turn in range(24):
        await table.burst([(bo, "hm")] * 4)
        await change(table, (ada, bo)[turn % 2])
        await table.advance(0.8)
    assert table.stage is Stage.RACE
    assert len(posted) >= 3
    assert min(b - a for a, b in pairwise(posted)) >= REPOST_GAP_S
    assert len(tables(table)) == 1


async def test_numbers_and_buttons_go_on_counting(world, table, ada, bo):
    await table.race([ada, bo])
    before = table.newest
    await table.advance(REPOST_GAP_S)
    await chat(table, bo, 5)
    # The claim that makes the frame due, and one that comes while the new table is on its way.
    number = table.right(ada)
    other = table.right(bo, but=[number])
    await table.burst([(ada, number), (bo, other)])
    await table.advance(REST_S)
    assert table.newest.id > before.id
    assert table.row(ada)[-1] == number
    assert table.row(bo)[-1] == other
    await table.press(ada, "Put back")
    assert table.owner(number) is None
    number = table.right(bo)
    await table.type(bo, number)
    assert table.row(bo)[-1] == number
    await table.advance(REST_S)
    assert "Put back" in table.buttons()


@pytest.mark.parametrize("tidy", [True, False])
async def test_a_tidy_channel_loses_decided_claims_and_nothing_else(world, table, ada, bo, tidy):
    overwrite_permissions(world, table, manage_messages=True)
    await choose_settings(world, LOOK_SECTION, Look(tidy=tidy))
    await table.race([ada, bo])
    spectator = world.people[2]
    chatted = [(await table.type(bo, text)).id for text in ("hello 12", "hm", "ok 33?")]
    unseated = (await table.type(spectator, table.right(ada))).id
    late = (await table.type(bo, 99)).id
    await table.rows({ada: "rr", bo: "rw"})
    number = table.right(ada)
    claims = [m.id for m in table.messages if m.content.isdecimal()]
    claims = [i for i in claims if i not in {unseated, late}]
    assert len(claims) == 4
    await table.advance(REPOST_GAP_S)
    await change(table, ada)
    await table.advance(3)
    after = (await table.type(ada, number)).id
    left = {m.id for m in table.messages}
    assert {*chatted, unseated, late, after} <= left
    assert bool(set(claims) & left) is not tidy
    bulk = calls(world, "POST", "/bulk-delete")
    assert bool(bulk) is tidy
    # After the race, all decided claims are deleted.
    await table.until(lambda: table.stage is not Stage.RACE, limit=130, step=5)
    await table.advance(3)
    assert (after in {m.id for m in table.messages}) is not tidy


async def test_without_the_permission_a_tidy_channel_is_not_tidied(world, table, ada, bo):
    overwrite_permissions(world, table, manage_messages=False)
    await choose_settings(world, LOOK_SECTION, Look(tidy=True))
    await table.race([ada, bo])
    await table.rows({ada: "rrrrr", bo: "rr"})
    await table.until(lambda: table.stage is Stage.BREAK)
    await table.advance(3)
    assert len([m for m in table.messages if m.content.isdecimal()]) == 7
    refused = [r for r in world.env.http_requests if "bulk" in r.path or r.method == "DELETE"]
    assert not [r for r in refused if "bulk" in r.path]
    assert "Round 1" in table.texts()


@pytest.mark.parametrize("error", [(403, 50013), (404, 10008), (500, 0)])
async def test_claims_that_can_not_be_deleted_stay_and_the_match_goes_on(
    world, table, ada, bo, error
):
    status, code = error
    overwrite_permissions(world, table, manage_messages=True)
    await choose_settings(world, LOOK_SECTION, Look(tidy=True))
    await table.race([ada, bo])
    path = f"/channels/{table.channel.id}/messages/bulk-delete"
    world.env.inject_error("POST", path, status=status, code=code, times=None)
    await table.rows({ada: "rrrrr", bo: "rr"})
    await table.until(lambda: table.stage is Stage.BREAK)
    await table.advance(3)
    assert calls(world, "POST", "/bulk-delete")
    assert len([m for m in table.messages if m.content.isdecimal()]) == 7
    assert "Round 1" in table.texts()


async def test_refusals_alone_get_a_reaction(world, table, ada, bo):
    overwrite_permissions(world, table, add_reactions=True)
    await table.race([ada, bo])
    await table.advance(2)
    taken = await table.type(ada, table.right(ada))
    await table.type(ada, "hm")
    assert reaction_calls(world) == []
    busy = await table.type(ada, table.right(ada))
    await table.advance(1)
    (call,) = reaction_calls(world)
    assert str(busy.id) in call.path
    assert str(taken.id) not in call.path


async def test_only_while_its_limit_is_open(world, table, ada, bo):
    overwrite_permissions(world, table, add_reactions=True)
    await table.race([ada, bo])
    await table.advance(2)
    gone = table.row(ada)[0]
    await table.burst([(bo, gone)] * 10)
    await table.advance(3)
    assert len(reaction_calls(world)) == 1


@pytest.mark.parametrize("error", [(403, 50013), (403, 90001), (400, 30010)])
async def test_a_refused_reaction_changes_nothing(world, table, ada, bo, error):
    status, code = error
    overwrite_permissions(world, table, add_reactions=True)
    await table.race([ada, bo])
    await table.advance(2)
    world.env.inject_error("PUT", "/channels/*", status=status, code=code, times=None)
    await change(table, bo)
    await table.advance(2)
    assert len(reaction_calls(world)) == 1
    assert table.stage is Stage.RACE
    assert "is gone" in table.texts()
    number = table.right(bo)
    await table.type(bo, number)
    assert table.row(bo)[-1] == number


async def test_without_the_permission_none_is_tried(world, table, ada, bo):
    overwrite_permissions(world, table, add_reactions=False)
    await table.race([ada, bo])
    await table.advance(2)
    await change(table, bo)
    await table.advance(2)
    assert reaction_calls(world) == []


async def test_edits_posts_and_token_edits_leave_exactly_the_present_pictures(
    world, table, ada, bo
):
    await table.race([ada, bo])
    ways = set()
    for turn in range(15):
        count = len(world.env.http_requests)
        await table.slash(ada, "take", number=table.right(ada))
        await table.advance(REST_S)
        if turn % 5 == 2:
            await chat(table, bo, 5)
        if turn % 5 == 3:
            await table.press(ada, "Put back")
        else:
            await table.slash(ada, "back")
        await table.advance(REPOST_GAP_S)
        for request in world.env.http_requests[count:]:
            kind = request.path.rstrip("/").rsplit("/", 1)[-1]
            if request.method == "PATCH":
                ways.add(
                    "token" if kind == "@original" and "/webhooks/" in request.path else "edit"
                )
            elif request.method == "POST" and kind == "messages":
                ways.add("post")
        (shown,) = tables(table)
        assert len(shown.attachments) == 2
        named = {c.media.url for m in shown.components for c in media(m)}
        assert named == {a.url for a in shown.attachments}
    assert ways == {"edit", "post", "token"}


def media(component):
    found = list(getattr(component, "items", ()))
    for child in getattr(component, "children", ()):
        found += media(child)
    return found


async def test_by_token_too_unchanged_pictures_are_kept(world, table, ada, bo):
    await table.race([ada, bo])
    await table.press(ada, "Put back")  # refused, since there is only the start card
    ids = [a.id for a in table.newest.attachments]
    count = len(world.env.http_requests)
    await change(table, bo)
    await table.advance(3)
    requests = [r for r in world.env.http_requests[count:] if "/webhooks/" in r.path]
    (edit,) = [r for r in requests if r.method == "PATCH"]
    assert [int(a["id"]) for a in edit.json["attachments"]] == ids
    assert [a.id for a in table.newest.attachments] == ids
    await table.type(ada, table.right(ada))
    await table.advance(3)
    assert not set(ids) & {a.id for a in table.newest.attachments}


async def test_a_press_lets_a_waiting_frame_go_at_once(world, table, ada, bo):
    """The channel's next edit is a second away; the press's token edits the same message now."""
    await table.race([ada, bo])
    await table.advance(3)
    await change(table, bo)
    await table.advance(ACT_S)
    await change(table, bo)
    count = len(world.env.http_requests)
    await ada.click(table.newest, label="Put back")
    await table.advance(0.3)
    assert [r for r in world.env.http_requests[count:] if r.path.endswith("@original")]


async def test_a_turn_that_comes_before_discord_takes_the_edit_is_waited_out(
    world, table, ada, bo, monkeypatch
):
    """The length of the queue is an estimate; here it is far too long."""
    await choose_settings(world, LOOK_SECTION, Look(distance=12))
    await table.race([ada, bo])
    await table.advance(3)
    monkeypatch.setattr(Budget, "queue_delay", property(lambda self: 5.0))
    edited = []

    def watch(event, payload):
        if event == "MESSAGE_UPDATE":
            edited.append(table.env.now().timestamp())

    world.env.backend.subscribers.append(watch)
    for person in (ada, bo, ada, bo):
        await change(table, person)
    number = table.right(ada)
    await table.type(ada, number)
    await table.advance(5)
    assert f"Ada took {number}" in table.texts()
    assert len(edited) >= 2
    assert min(b - a for a, b in pairwise(edited)) > 0.9


async def test_the_check_does_not_wait_for_the_table_s_next_edit(world, table, ada, bo):
    await table.race([ada, bo])
    await table.rows({ada: "rrrr"})
    await table.advance(2)
    await change(table, bo)
    await table.advance(ACT_S)
    before = table.newest.id
    await table.type(ada, table.right(ada))
    assert table.stage is Stage.CHECK
    await table.advance(0.2)
    assert table.newest.id > before


async def test_a_theme_is_made_ready_while_people_gather(world, table, ada, bo):
    drawn = []

    class Noting(Blank):
        def draw(self, scene, *, quick=False):
            drawn.append((self.theme, scene, table.match.phase))
            return super().draw(scene)

    world.artist = Noting
    await choose_settings(world, LOOK_SECTION, Look(theme="muted"))
    await table.open([ada, bo])
    assert drawn == [("muted", CoveredScene(), Phase.LOBBY)]
    await table.press(ada, "Start")
    await table.advance(2)
    # Of the deal nothing is drawn before "Rox!", and the covered table is there already.
    assert table.stage is Stage.READY
    assert len(drawn) == 1


async def test_nothing_of_the_deal_is_sent_before_the_table_is_open(world, table, ada, bo):
    """No request of any kind names a stone, and the one picture shows no card's face."""
    await table.start([ada, bo])
    await table.advance(2)
    said = "\n".join(str(r.json) for r in world.env.http_requests).lower()
    assert not re.search(r"\b(fire|air|earth|water)\b", said)
    assert {a.filename for m in table.messages for a in m.attachments} == {"covered.png"}
    await table.to_race()
    said = "\n".join(str(r.json) for r in world.env.http_requests).lower()
    assert re.search(r"\bfire\b", said)


async def test_a_closed_bot_shows_nothing_more(world, table, ada, bo, caplog):
    await table.race([ada, bo])
    displays = world.bot.display
    await change(table, bo)
    displays.close()
    await asyncio.sleep(0)
    count = len(world.env.http_requests)
    displays.show(table.runner, ())
    await table.advance(3)
    assert world.env.http_requests[count:] == []
