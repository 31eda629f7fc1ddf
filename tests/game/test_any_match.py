"""Any sequence of actions at all; `tests.kit.rules.invariants` checks what must hold after each."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from hypothesis import Phase as Stages
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from game.actions import Tick
from game.ids import ms_of, timer_id
from game.match import End, Level, Phase
from game.rox.engine import ROX
from game.rox.settings import Checking, Preset
from game.rox.state import Stage
from tests.kit.rules.invariants import through_json
from tests.kit.rules.play import ANN, BEN, CAT, DAN, EVE, START_MS, Play

USERS = st.sampled_from([ANN, BEN, CAT, DAN, EVE])
LATER = st.sampled_from([0, 1, 60, 700, 1_999, 2_000, 2_500, 5_000, 15_000, 31_000, 70_000])
SETTINGS = st.fixed_dictionaries(
    {
        "preset": st.sampled_from(Preset),
        "checking": st.sampled_from(Checking),
        "shortest": st.sampled_from([2, 3]),
        "rest_ms": st.sampled_from([0, 1, 2_000, 5_000]),
    }
)


def let_pass(play: Play, ms: int) -> None:
    """Let time pass as the bot does, but leave posts to others."""
    until = play.now + ms
    while True:
        if play.match.phase is Phase.DEALING:
            play.deal()
        due = play.machine.next_action(play.match)
        if due is None or ms_of(due.id) - START_MS > until:
            break
        before = play.match
        play.do(due)
        assert play.match is not before, "it would be tried for ever"
    play.to(max(play.now, until))


def replayed(play: Play) -> None:
    """The log gives the match and its events back, from JSON too, and without what did nothing."""
    step = ROX.replay([through_json(action) for action in play.log])
    assert step.match == play.match
    assert step.events == tuple(play.events)
    match, kept = ROX.start(play.log[0]), [play.log[0]]
    for action in play.log[1:]:
        after = ROX.apply(match, action).match
        if after is not match:
            kept.append(action)
        match = after
    assert ROX.replay(kept).match == play.match


class AnyMatch(RuleBasedStateMachine):
    play: Play

    @initialize(
        people=st.lists(USERS, min_size=1, max_size=4, unique=True),
        opponents=st.lists(st.sampled_from(Level), max_size=3),
        chosen=SETTINGS,
        seed=st.integers(0, 99),
        lobby=st.booleans(),
    )
    def open(self, people, opponents, chosen, seed, lobby):
        opponents = opponents[: 4 - len(people)]
        lobby = lobby or len(people) + len(opponents) < 2
        self.play = Play(*people, opponents=opponents, lobby=lobby, seed=seed, **chosen)

    @property
    def racing(self):
        play = self.play
        return play.match.phase is Phase.PLAYING and play.game.stage is Stage.RACE

    # Time

    @rule(ms=LATER)
    def time_passes(self, ms):
        let_pass(self.play, ms)

    @precondition(lambda self: ROX.awaits_post(self.play.match))
    @rule(ms=st.integers(0, 3_000))
    def the_table_stands(self, ms):
        let_pass(self.play, ms)
        if ROX.awaits_post(self.play.match):
            self.play.show()

    @rule(key=st.sampled_from(["lobby", "ready-1", "table-1", "table-2", "check-3"]))
    def some_post_stands(self, key):
        self.play.show(key)

    @rule(
        ms=st.sampled_from([500, 20_000, 45_000, 400_000]),
        number=st.integers(10, 69),
        may_post=st.booleans(),
    )
    def the_bot_is_away(self, ms, number, may_post):
        play = self.play
        typed_at = play.now + ms // 3
        play.later(ms).lose_session()
        for user in play.match.people[:2]:
            play.claim(user, number, at=typed_at)
        if play.match.phase is Phase.DEALING:
            play.deal()
        key = "back" if play.match.game is None else f"table-{play.game.round}"
        if may_post:
            play.show(key)
        else:
            play.interrupt()

    @rule(off=st.sampled_from([-1, 1, -5_000, 5_000]))
    def a_tick_is_early_or_late(self, off):
        play = self.play
        at = (play.now if play.deadline is None else play.deadline) + off
        if at != play.deadline:
            step = ROX.apply(play.match, Tick(timer_id(at + START_MS)))
            assert step.match is play.match

    # The lobby and the seats

    @rule(user=USERS)
    def join(self, user):
        self.play.join(user)

    @rule(user=USERS)
    def start(self, user):
        self.play.start(user)

    @rule(user=USERS, gone=st.booleans(), sure=st.integers(0, 3))
    def leave(self, user, gone, sure):
        if sure == 0:
            (self.play.gone if gone else self.play.leave)(user)

    @rule(user=USERS, manager=st.integers(0, 9))
    def stop(self, user, manager):
        self.play.stop(user, manager=manager == 9)

    @rule(user=USERS)
    def press_ready(self, user):
        self.play.ready(user)

    @rule(user=USERS)
    def want_a_rematch(self, user):
        self.play.rematch(user)

    @rule()
    def lose_the_permission(self):
        self.play.interrupt()

    @rule(user=st.none() | USERS)
    def resume(self, user):
        self.play.resume(user)

    @rule(reason=st.sampled_from([End.FAULT, End.CHANNEL_GONE]), sure=st.integers(0, 19))
    def close(self, reason, sure):
        if sure == 0:
            self.play.close(reason.value)

    # The race

    @rule(user=USERS, number=st.integers(0, 80), late=st.sampled_from([0, 0, 1, 300, 3_000]))
    def claim_anything(self, user, number, late):
        self.play.claim(user, number, at=max(0, self.play.now - late))

    @rule(user=USERS, late=st.sampled_from([0, 0, 1, 300]))
    def put_back(self, user, late):
        self.play.back(user, at=max(0, self.play.now - late))

    @precondition(lambda self: self.racing)
    @rule(data=st.data(), right=st.booleans())
    def claim_what_lies_there(self, data, right):
        user = data.draw(st.sampled_from(self.play.match.people))
        numbers = self.play.fitting(user) if right else self.play.wrong(user)
        if numbers:
            self.play.claim(user, data.draw(st.sampled_from(numbers)))

    @precondition(lambda self: self.racing)
    @rule(data=st.data(), cards=st.integers(1, 5))
    def take_some(self, data, cards):
        user = data.draw(st.sampled_from(self.play.match.people))
        for _ in range(cards):
            if not self.racing or user not in self.play.match.people:
                break
            busy = self.play.at(self.play.game.hands[self.play.seat(user)].busy_until)
            let_pass(self.play, max(0, busy - self.play.now))
            if self.racing and (numbers := self.play.fitting(user)):
                self.play.claim(user, numbers[0])

    @invariant()
    def the_next_thing_is_not_in_the_past(self):
        deadline, move = self.play.deadline, self.play.next_move()
        assert deadline is None or deadline >= self.play.now
        assert move is None or self.play.action_of(move).id > self.play.match.open_from

    def teardown(self):
        if hasattr(self, "play"):
            replayed(self.play)


def test_whatever_is_done_the_rules_hold():
    # Looking for the shortest way to a fault takes minutes: add Stages.shrink when there is one.
    phases = [Stages.explicit, Stages.generate]
    chosen = settings(max_examples=60, stateful_step_count=60, phases=phases)
    run_state_machine_as_test(AnyMatch, settings=chosen)


# --- thousands of actions, nearer to how people play ---


def some_action(play: Play, random: Random) -> None:
    """Do one of the things that happen in a channel; the likelier the more often."""

    def pick(items):
        return items[int(random.random() * len(items))]

    def claim():
        user = pick(play.match.people)
        numbers = play.fitting(user) if random.random() < 0.8 else play.wrong(user)
        late = 0 if random.random() < 0.9 else int(random.random() * 400)
        if numbers:
            play.claim(user, pick(numbers), at=play.now - late)

    def be_away():
        play.later(int(random.random() * 60_000)).lose_session().show("here")

    user = pick([ANN, BEN, CAT, DAN, EVE])
    racing = play.match.phase is Phase.PLAYING and play.game.stage is Stage.RACE
    things = [
        (80, play.show if ROX.awaits_post(play.match) else None),
        (50, (lambda: play.join(user)) if play.match.phase is Phase.LOBBY else None),
        (9, (lambda: play.start(user)) if play.match.phase is Phase.LOBBY else None),
        (40, (lambda: play.resume(pick([None, user]))) if play.match.pause else None),
        (70, claim if racing else None),
        (5, lambda: play.claim(user, 5 + int(random.random() * 70))),
        (3, lambda: play.back(user)),
        (6, lambda: play.ready(user)),
        (0.5, lambda: pick([play.leave, play.gone])(user)),
        (1, lambda: play.stop(user)),
        (1, play.interrupt),
        (2, lambda: play.rematch(user)),
        (0.5, be_away),
    ]
    things = [(weight, thing) for weight, thing in things if thing is not None]
    at = random.random() * sum(weight for weight, _ in things)
    for weight, thing in things:
        at -= weight
        if at < 0:
            thing()
            break
    let_pass(play, int(random.random() ** 3 * 6_000))


@pytest.mark.parametrize("seed", range(3))
def test_thousands_of_likely_actions(seed):
    random = Random(seed)
    ends: Counter[End | None] = Counter()
    actions = rounds = 0
    while actions < 2_500:
        people = [ANN, BEN, CAT, DAN][: 1 + int(random.random() * 4)]
        opponents = list(Level)[: int(random.random() * (5 - len(people)))]
        play = Play(
            *people,
            opponents=opponents,
            lobby=True,
            seed=int(random.random() * 1_000),
            preset=list(Preset)[int(random.random() * 2)],
            checking=list(Checking)[int(random.random() * 2)],
        )
        for _ in range(400):
            if play.match.phase is Phase.CLOSED:
                break
            some_action(play, random)
        replayed(play)
        ends[play.match.end] += 1
        actions += len(play.log)
        rounds += 0 if play.match.game is None else len(play.game.scores)
    assert rounds > 20, "too few rounds to have proved anything"
    assert len(ends) >= 2, ends
