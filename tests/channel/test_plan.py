"""Which call shows a match next: one row a situation."""

from dataclasses import replace

import pytest

from bot.channel.outgoing import ATTEMPTS, OutgoingPost
from bot.channel.plan import (
    REPOST_GAP_S,
    DisplayState,
    Edit,
    Limits,
    Post,
    Repost,
    Rest,
    Wait,
    plan,
)
from bot.channel.posts import ShownMessage
from bot.games.sheet import Sheet, Text
from game.match import Phase

NOW = 1000.0
DISTANCE = 4
OPEN = Limits(idle=True)

OLD = Sheet("race:1", 0, (Text("before"),), keep_in_view=True)
NEW = Sheet("race:1", 0, (Text("after"),), keep_in_view=True)
STILL = Sheet("race:1", 0, (Text("after"),))
CHECK = Sheet("check:1", 0, (Text("checked"),))


def shown(sheet=OLD, **fields):
    return ShownMessage(50, "race:1", sheet, **fields)


def outgoing(failed, *, sheet=NEW, due_in=0.0):
    return OutgoingPost(sheet, sheet, 0, NOW - 5, failed=failed, due_at=NOW + due_in)


HERE = shown()
SAME = shown(NEW)
UNKNOWN = shown(None)
PUSHED = shown(below=DISTANCE)
JUST_POSTED = shown(below=DISTANCE, posted_at=NOW - REPOST_GAP_S + 0.5)
LONG_POSTED = shown(below=DISTANCE, posted_at=NOW - REPOST_GAP_S)
NOT_FAR = shown(below=DISTANCE - 1)
FIRST, AGAIN = outgoing(0), outgoing(1)
WAITING = outgoing(1, due_in=1.5)
LATE = outgoing(ATTEMPTS)
LATE_WAITING = outgoing(ATTEMPTS, due_in=3.0)


def state(wanted=NEW, message=HERE, limits=OPEN, **fields):
    return DisplayState(wanted, message, distance=DISTANCE, limits=limits, **fields)


SITUATIONS = {
    # Nothing to show, or shown already.
    "nothing is wanted": (state(None), Rest()),
    "nothing is wanted and nothing shown": (state(None, None), Rest()),
    "nothing is wanted any more of a post": (state(None, outgoing=AGAIN), Rest()),
    "nothing is wanted though it should be reposted": (state(None, repost=True), Rest()),
    "it is shown": (state(NEW, SAME), Rest()),
    "it is shown far above": (state(NEW, shown(NEW, below=99)), Rest()),
    "it is shown and edits are limited": (state(NEW, SAME, Limits(edit=2)), Rest()),
    # A new message.
    "nothing is shown yet": (state(NEW, None), Post(NEW)),
    "nothing is shown and everything is limited": (
        state(NEW, None, Limits(edit=2, post=2, queue=2), edit_at=NOW + 2),
        Post(NEW),
    ),
    "another message is wanted": (state(CHECK), Post(CHECK)),
    "another message is wanted in a turn": (state(CHECK, limits=Limits()), Post(CHECK)),
    "it is asked for": (state(repost=True), Post(NEW)),
    "it is asked for although it is shown": (state(NEW, SAME, repost=True), Post(NEW)),
    "nobody has seen it since the match stood still": (state(NEW, SAME, unseen=50), Post(NEW)),
    "it was posted since the match stood still": (state(NEW, SAME, unseen=49), Rest()),
    # A post under way.
    "a post is to be sent": (state(outgoing=FIRST), Post(NEW, FIRST)),
    "a post has failed": (state(outgoing=AGAIN), Post(NEW, AGAIN)),
    "a post has failed and waits": (state(outgoing=WAITING), Wait(1.5)),
    "a post waits and another message is wanted": (
        state(CHECK, None, outgoing=WAITING),
        Wait(1.5),
    ),
    "a post is tried once more before another message": (
        state(CHECK, None, outgoing=AGAIN),
        Post(CHECK, AGAIN),
    ),
    "a late post is tried again": (state(outgoing=LATE), Post(NEW, LATE)),
    "a late post waits": (state(NEW, None, outgoing=LATE_WAITING), Wait(3.0)),
    "a late post makes way": (state(CHECK, None, outgoing=LATE_WAITING), Post(CHECK)),
    "a post waits though it is asked for again": (
        state(outgoing=WAITING, repost=True),
        Wait(1.5),
    ),
    "a post goes on though the message shows the same": (
        state(NEW, SAME, outgoing=AGAIN),
        Post(NEW, AGAIN),
    ),
    # An edit.
    "a frame is due": (state(), Edit(HERE, NEW)),
    "a frame is due in a turn": (state(limits=Limits()), Edit(HERE, NEW)),
    "what is shown is not known": (state(NEW, UNKNOWN), Edit(UNKNOWN, NEW)),
    "edits are limited": (state(limits=Limits(edit=2)), Wait(2)),
    "edits are limited until there is a turn": (
        state(limits=Limits(edit=2, queue=2)),
        Edit(HERE, NEW),
    ),
    "edits are limited for longer than the queue": (
        state(limits=Limits(edit=2, queue=0.5)),
        Wait(1.5),
    ),
    "an edit has failed": (state(edit_at=NOW + 3), Wait(3)),
    "an edit has failed and edits are limited": (
        state(limits=Limits(edit=5), edit_at=NOW + 3),
        Wait(5),
    ),
    "an edit has failed and the queue is long": (
        state(limits=Limits(queue=1), edit_at=NOW + 3),
        Wait(2),
    ),
    "an edit failed a while ago": (state(edit_at=NOW - 1), Edit(HERE, NEW)),
    "posts are limited": (state(limits=Limits(post=2, idle=True)), Edit(HERE, NEW)),
    # Out of view.
    "chat has pushed it up": (state(NEW, PUSHED), Repost()),
    "chat has pushed it up and edits are limited": (
        state(NEW, PUSHED, Limits(edit=2, idle=True)),
        Repost(),
    ),
    "it was posted a while ago and pushed up": (state(NEW, LONG_POSTED), Repost()),
    "it has just been posted": (state(NEW, JUST_POSTED), Edit(JUST_POSTED, NEW)),
    "it has not been pushed far enough": (state(NEW, NOT_FAR), Edit(NOT_FAR, NEW)),
    "it need not stay in view": (state(STILL, PUSHED), Edit(PUSHED, STILL)),
    "it is pushed up and posts are limited": (
        state(NEW, PUSHED, Limits(post=0.5, idle=True)),
        Edit(PUSHED, NEW),
    ),
    "it is pushed up and others wait": (state(NEW, PUSHED, Limits(queue=1)), Edit(PUSHED, NEW)),
    "it is pushed up and shows the same": (state(OLD, PUSHED), Rest()),
    "it is pushed up and another message is wanted": (state(CHECK, PUSHED), Post(CHECK)),
}


@pytest.mark.parametrize("name", SITUATIONS)
def test_the_next_step(name):
    situation, step = SITUATIONS[name]
    assert plan(situation, NOW) == step


def test_an_edit_stays_an_edit_in_its_turn():
    """Even if chat has pushed the table up meanwhile: posts are decided before the queue."""
    assert plan(state(NEW, PUSHED), NOW) == Repost()
    assert plan(state(NEW, PUSHED, Limits()), NOW) == Edit(PUSHED, NEW)
    assert plan(state(NEW, PUSHED, Limits(), repost=True), NOW) == Post(NEW)


@pytest.mark.parametrize(
    ("wanted", "message", "outdated"),
    [(NEW, HERE, None), (NEW, None, None), (None, HERE, None), (CHECK, HERE, HERE)],
)
def test_a_message_is_outdated_when_another_key_is_wanted(wanted, message, outdated):
    assert state(wanted, message).outdated is outdated


@pytest.mark.parametrize(
    ("situation", "moved_on"),
    [
        (state(), False),
        (state(None), False),
        (state(repost=True), True),
        (state(unseen=60), True),
        (state(CHECK), True),
    ],
)
def test_a_match_has_moved_on_from_a_post(situation, moved_on):
    assert situation.has_moved_on(FIRST) is moved_on


# --- a message that has to be posted


def test_each_attempt_waits_twice_as_long_up_to_half_a_minute():
    post, waits = OutgoingPost(NEW, NEW, 0, NOW), []
    for _ in range(8):
        post = post.after_failure(NOW)
        waits.append(post.due_at - NOW)
    assert waits == [1, 2, 4, 8, 16, 30, 30, 30]


def test_all_attempts_have_one_nonce_and_two_posts_have_two():
    post = OutgoingPost(NEW, NEW, 0, NOW)
    assert post.after_failure(NOW).after_failure(NOW).nonce == post.nonce
    assert OutgoingPost(NEW, NEW, 0, NOW).nonce != post.nonce
    assert len(post.nonce) <= 25


def test_a_late_post_can_be_tried_at_once():
    assert plan(state(outgoing=LATE_WAITING.without_wait()), NOW) == Post(
        NEW, LATE_WAITING.without_wait()
    )


@pytest.mark.parametrize("phase", Phase)
@pytest.mark.parametrize(
    ("failed", "age", "hopeless"),
    [
        (ATTEMPTS - 1, 5, set()),
        (ATTEMPTS - 1, 601, set()),
        (ATTEMPTS, 5, {Phase.DEALING, Phase.PLAYING}),
        (ATTEMPTS, 600, {Phase.DEALING, Phase.PLAYING}),
        (ATTEMPTS, 601, set(Phase)),
    ],
)
def test_a_post_is_hopeless_soon_while_people_play_and_late_elsewhere(phase, failed, age, hopeless):
    post = replace(outgoing(failed), made_at=NOW - age)
    assert post.is_hopeless(phase, NOW) is (phase in hopeless)
