"""Simulated opponents: how fast, how well, what they see, and that they can be trusted."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace
from random import Random
from statistics import median, stdev

import pytest

from game.ids import ms_of, opponent_id, timer_id
from game.match import Level, Match, Move, Phase
from game.rox import opponents
from game.rox.actions import Back, Claim
from game.rox.cards import DECK, Difficulty
from game.rox.engine import ROX
from game.rox.state import Hand, Held, RoxGame, Stage
from tests.kit.rules.invariants import through_json
from tests.kit.rules.play import ANN, BEN, Play, only, outcome

MEDIANS = {Level.APPRENTICE: 8_500, Level.JOURNEYMAN: 6_300, Level.MASTER: 4_700}
SIGMAS = {Level.APPRENTICE: 0.35, Level.JOURNEYMAN: 0.30, Level.MASTER: 0.25}
FACTORS = {Difficulty.EASY: 0.8, Difficulty.MEDIUM: 1.0, Difficulty.HARD: 1.2}
MISTAKES = {
    Level.APPRENTICE: (0.04, 0.12, 0.16),
    Level.JOURNEYMAN: (0.02, 0.07, 0.10),
    Level.MASTER: (0.01, 0.03, 0.05),
}
SINCE = 5_000_000
EACH = [(level, difficulty) for level in Level for difficulty in Difficulty]
THE_OPPONENT = 1


def base():
    return Play(ANN, opponents=[Level.JOURNEYMAN]).race().game


def with_row(game: RoxGame, *cards: int, since: int = SINCE, **hand: int) -> RoxGame:
    """The game as if the opponent's row were these cards, and nothing had happened lately."""
    places = game.deal.places[game.round - 1]
    indexes = [places.index(card) for card in cards]
    owner = [None if seat == THE_OPPONENT else seat for seat in game.owner]
    for index in indexes:
        owner[index] = THE_OPPONENT
    row = tuple(Held(index, 0) for index in indexes)
    game = replace(game, owner=tuple(owner))
    return game.with_hand(THE_OPPONENT, Hand(row=row, since=since, **hand))


def rolled(game: RoxGame, dice: int) -> RoxGame:
    return replace(game, deal=replace(game.deal, dice=dice))


def follow(difficulty: Difficulty, *, right: bool = True) -> tuple[int, int]:
    """Two cards, the second of a difficulty and rightly or wrongly after the first."""
    return next(
        (first.id, second.id)
        for first in DECK
        for second in DECK
        if first is not second
        and second.difficulty is difficulty
        and (second.centre is first.answer) is right
    )


def next_move(game, level):
    return opponents.next_move(game, THE_OPPONENT, level, earliest=0)


def make(game, move, level):
    return opponents.make_move(game, move, level, opponent_id(move.due, move.seat))


def thinking(level, difficulty, number=3_000):
    game = with_row(base(), *follow(difficulty))
    moves = (next_move(rolled(game, dice), level) for dice in range(number))
    return [move.due - SINCE for move in moves]


@pytest.mark.parametrize(("level", "difficulty"), EACH)
def test_the_median_time_a_card_is_that_of_the_level_and_the_difficulty(level, difficulty):
    times = thinking(level, difficulty)
    assert median(times) == pytest.approx(MEDIANS[level] * FACTORS[difficulty], rel=0.02)


@pytest.mark.parametrize("level", Level)
def test_times_are_lognormal_with_the_levels_spread(level):
    logs = [math.log(time) for time in thinking(level, Difficulty.HARD)]
    assert stdev(logs) == pytest.approx(SIGMAS[level], rel=0.05)
    middle, spread = median(logs), SIGMAS[level]
    within = sum(abs(log - middle) < spread for log in logs) / len(logs)
    assert within == pytest.approx(0.683, abs=0.03)


def test_nobody_counts_faster_than_two_and_a_half_seconds():
    times = thinking(Level.MASTER, Difficulty.EASY)
    assert min(times) == 2_500
    assert sum(time == 2_500 for time in times) > 30, "or the floor is not what was tested"


@pytest.mark.parametrize("level", Level)
def test_the_first_card_takes_two_seconds_more(level):
    game = base()
    later = with_row(game, *follow(Difficulty.MEDIUM))
    first = with_row(game, follow(Difficulty.MEDIUM)[1])
    for dice in range(200):
        times = [next_move(rolled(state, dice), level).due for state in (later, first)]
        assert times[1] - times[0] == 2_000


def picks(level, cards, number, **hand):
    """What an opponent claims, by the centre of the card, over many rolls of the dice."""
    game = with_row(base(), *cards, **hand)
    for dice in range(number):
        state = rolled(game, dice)
        action = make(state, Move(SINCE + 9_000, THE_OPPONENT), level)
        yield state, action


def centre_of(state, action):
    return state.card_at(action.number - 10).centre


@pytest.mark.parametrize(("level", "difficulty"), EACH)
def test_mistakes_come_as_often_as_the_level_makes_them(level, difficulty):
    cards = follow(difficulty)
    last = DECK[cards[1]]
    chosen = Counter(centre_of(*pick) for pick in picks(level, cards, 2_500))
    rate = MISTAKES[level][difficulty]
    mistaken = 2_500 - chosen[last.answer]
    assert abs(mistaken - 2_500 * rate) < 3 * math.sqrt(2_500 * rate) + 1
    assert set(chosen) <= {last.answer, *last.seconds}, "never a stone that only a guess names"


@pytest.mark.parametrize("difficulty", [Difficulty.EASY, Difficulty.HARD])
def test_among_equal_seconds_chance_decides(difficulty):
    cards = follow(difficulty)
    last = DECK[cards[1]]
    chosen = Counter(centre_of(*pick) for pick in picks(Level.APPRENTICE, cards, 3_000))
    one, other = (chosen[element] for element in last.seconds)
    assert min(one, other) > 0.35 * (one + other)


def test_any_free_right_card_may_be_taken():
    cards = follow(Difficulty.EASY)
    game = with_row(base(), *cards)
    fitting = {
        index + 10
        for index, owner in enumerate(game.owner)
        if owner is None and game.card_at(index).centre is DECK[cards[1]].answer
    }
    chosen = Counter(action.number for _, action in picks(Level.MASTER, cards, 1_000))
    assert fitting <= set(chosen)
    assert min(chosen[number] for number in fitting) > 1_000 / len(fitting) / 2


# --- noticing ---


def test_three_in_ten_mistakes_are_noticed_after_one_to_three_seconds():
    game = with_row(base(), *follow(Difficulty.MEDIUM, right=False))
    noticed = []
    for dice in range(3_000):
        state = rolled(game, dice)
        move = next_move(state, Level.MASTER)
        if isinstance(make(state, move, Level.MASTER), Back):
            noticed.append(move.due - SINCE)
    assert len(noticed) == pytest.approx(900, rel=0.08)
    assert all(1_000 <= time <= 3_000 for time in noticed)
    assert min(noticed) < 1_050
    assert max(noticed) > 2_950


def test_a_right_card_is_never_put_back():
    cards = follow(Difficulty.MEDIUM)
    assert all(isinstance(action, Claim) for _, action in picks(Level.APPRENTICE, cards, 1_000))


def test_the_row_is_continued_from_a_mistake_that_is_not_noticed():
    cards = follow(Difficulty.MEDIUM, right=False)
    chosen = Counter(
        centre_of(state, action)
        for state, action in picks(Level.MASTER, cards, 300)
        if isinstance(action, Claim)
    )
    assert chosen.most_common(1)[0][0] is DECK[cards[1]].answer


@pytest.mark.parametrize("right", [True, False])
@pytest.mark.parametrize("tries", [0, 1])
def test_no_opponent_moves_before_the_table_is_posted(right, tries):
    game = with_row(base(), *follow(Difficulty.EASY, right=right), tries=tries)
    shown = SINCE + 50_000
    for dice in range(60):
        move = opponents.next_move(rolled(game, dice), THE_OPPONENT, Level.MASTER, shown)
        assert move.due >= shown


# --- what they see ---


def reached_for(age, *, taken):
    """What an opponent reaches for when all fitting cards are long gone but one of late.

    Returns whether it is that one alone.
    """
    cards = follow(Difficulty.EASY)
    game = with_row(base(), *cards)
    answer = DECK[cards[1]].answer
    fitting = [index for index in range(60) if game.card_at(index).centre is answer]
    now = SINCE + 9_000
    for index in fitting:
        game = game.with_owner(index, 0, 0)
    game = game.with_owner(fitting[3], 0 if taken else None, now - age)
    claims = {
        make(rolled(game, dice), Move(now, THE_OPPONENT), Level.MASTER).number - 10
        for dice in range(120)
    }
    return claims & set(fitting) == {fitting[3]}


@pytest.mark.parametrize(("age", "seen"), [(1, True), (999, True), (1_000, False)])
def test_a_card_just_taken_still_seems_to_lie_there_for_a_second(age, seen):
    assert reached_for(age, taken=True) is seen


@pytest.mark.parametrize(("age", "seen"), [(1, False), (999, False), (1_000, True)])
def test_a_card_just_put_back_is_seen_a_second_later(age, seen):
    assert reached_for(age, taken=False) is seen


def test_a_late_claim_is_tried_again_after_twelve_tenths_to_two_seconds():
    game = with_row(base(), *follow(Difficulty.HARD), tries=1)
    waits = [next_move(rolled(game, dice), Level.APPRENTICE).due - SINCE for dice in range(1_000)]
    assert all(1_200 <= wait <= 2_000 for wait in waits)
    assert min(waits) < 1_220
    assert max(waits) > 1_980


def test_the_second_try_goes_for_the_same_stone_and_another_card():
    play = Play(ANN, opponents=[Level.MASTER]).race()
    move = play.next_move()
    wanted = play.action_of(move)
    play.to(play.at(move.due) - 500).claim(ANN, wanted.number)
    assert outcome(play.make(play.next_move())) == "late"
    late_at = play.now
    again = play.next_move()
    assert 1_200 <= play.at(again.due) - late_at <= 2_000
    assert outcome(play.make(again)) == "taken"
    index = play.log[-1].number - 10
    assert play.game.card_at(index).centre is play.game.card_at(wanted.number - 10).centre


# --- their claims ---


def test_a_claim_names_the_seat_and_no_person():
    play = Play(ANN, opponents=[Level.MASTER]).race()
    play.make(play.next_move())
    claim = play.log[-1]
    assert (claim.user, claim.seat, claim.actor) == (None, 1, None)
    assert through_json(claim) == claim


def test_their_claims_come_after_people_and_before_deadlines_of_the_same_millisecond():
    play = Play(ANN, opponents=[Level.MASTER]).race()
    move = play.next_move()
    action = play.action_of(move)
    due = play.match.discord_ms(move.due)
    assert ms_of(action.id) == due
    assert play.id(play.at(move.due), nth=(1 << 21)) < action.id < timer_id(due)
    assert opponent_id(due, 0) < opponent_id(due, 3) < timer_id(due)


def test_a_person_of_the_same_millisecond_has_the_card():
    play = Play(ANN, opponents=[Level.MASTER]).race()
    move = play.next_move()
    wanted = play.action_of(move)
    assert outcome(play.claim(ANN, wanted.number, at=play.at(move.due))) == "taken"
    assert outcome(play.do(wanted)) == "late"


@pytest.mark.parametrize("seed", range(5))
def test_their_hands_rest_like_everybodys(seed):
    play = Play(ANN, opponents=[Level.MASTER], rest_ms=5_000, seed=seed).race()
    free_at = play.now + 5_000
    while play.game.stage is Stage.RACE and play.at(play.next_move().due) < play.deadline:
        move = play.next_move()
        rests = play.at(move.due) < free_at
        assert (outcome(play.make(move)) == "back") or not rests
        free_at = play.at(play.game.hands[1].busy_until)
    assert len(play.log) > 6


def test_they_move_only_in_an_open_race():
    play = Play(ANN, opponents=[Level.MASTER])
    assert play.next_move() is None
    play.tick()
    assert play.next_move() is None
    play.show()
    assert play.next_move() is not None
    play.take_many(ANN, "+++++")
    assert play.next_move() is None


def test_a_plan_is_the_same_after_a_restart():
    play = Play(ANN, BEN, opponents=[Level.MASTER, Level.APPRENTICE], seed=4).race()
    for _ in range(6):
        play.make(play.next_move())
        read = [through_json(action) for action in play.log]
        match: Match[RoxGame] = ROX.replay(read).match
        assert ROX.next_action(match) == ROX.next_action(play.match)


def test_every_seat_round_and_count_rolls_dice_of_its_own():
    game = base()
    hand = game.hands[1]
    # Everybody counts the same card in every round: only the dice can differ.
    deal = replace(game.deal, places=game.deal.places[:1] * 5)
    game = replace(game, deal=deal, hands=(hand,) * 4)
    plans = {
        opponents.next_move(
            replace(game.with_hand(seat, replace(hand, counts=counts)), round=number),
            seat,
            Level.MASTER,
            earliest=0,
        ).due
        for seat in range(4)
        for counts in range(3)
        for number in (1, 2)
    }
    assert len(plans) > 20, "24, but for chance"


def test_a_plan_does_not_change_by_what_others_do():
    play = Play(ANN, opponents=[Level.MASTER], seed=2).race().rested()
    before = play.next_move()
    play.claim(ANN, play.wrong(ANN)[0])
    assert play.next_move() == before


# --- whole matches ---


def play_out(play, seed, pace=6_000):
    """Play to the end: people count about so long, and now and then take a wrong card."""
    chance = Random(seed)
    while play.match.phase is not Phase.OVER:
        assert play.match.phase is Phase.PLAYING, play.match.end
        play.let_pass(play.now + int(pace * (0.5 + chance.random()) / len(play.match.people)))
        if play.game.stage is not Stage.RACE:
            continue
        user = play.match.people[int(chance.random() * len(play.match.people))]
        free = play.fitting(user) if chance.random() > 0.05 else play.wrong(user)
        if free:
            play.claim(user, free[int(chance.random() * len(free))])
    return play


@pytest.mark.parametrize("checking", ["magic-eye", "instant"])
@pytest.mark.parametrize("preset", ["rulebook", "fair"])
@pytest.mark.parametrize(
    ("people", "levels"),
    [
        ((ANN,), [Level.MASTER]),
        ((ANN,), [Level.APPRENTICE, Level.JOURNEYMAN, Level.MASTER]),
        ((ANN, BEN), [Level.JOURNEYMAN, Level.JOURNEYMAN]),
        ((ANN, BEN), []),
    ],
)
def test_whole_matches_come_to_an_end(people, levels, preset, checking):
    play = Play(*people, opponents=levels, preset=preset, checking=checking, seed=len(levels))
    play_out(play, seed=1)
    assert len(play.game.scores) == 5
    assert play.match.result.winners
    assert ROX.replay([through_json(action) for action in play.log]).match == play.match
    if checking == "instant":
        assert all(row.valid == row.length for row in play.game.checked)


def test_a_better_level_wins_more():
    points = Counter()
    for seed in range(8):
        play = Play(ANN, opponents=list(Level), seed=seed)
        play_out(play, seed, pace=9_000)
        for seat in play.match.seats:
            points[seat.level] += play.game.points(seat.number)
    assert points[Level.MASTER] > points[Level.JOURNEYMAN] > points[Level.APPRENTICE], points


def test_with_every_right_card_gone_they_go_on_trying_until_the_race_ends():
    play = Play(ANN, opponents=[Level.MASTER]).race()
    answer = play.game.last_card(1).answer
    game = play.game
    for index in range(60):
        if game.card_at(index).centre is answer and game.owner[index] is None:
            game = game.with_owner(index, 0, 0)
    level = Level.MASTER
    action = make(game, next_move(game, level), level)
    assert game.card_at(action.number - 10).centre is answer


def test_opponents_put_noticed_mistakes_back_in_a_match():
    backs = 0
    for seed in range(15):
        play = Play(ANN, opponents=[Level.APPRENTICE] * 3, seed=seed)
        play.race()
        while play.game.stage is Stage.RACE and play.at(play.next_move().due) < play.deadline:
            play.make(play.next_move())
            if isinstance(play.log[-1], Back):
                backs += 1
                assert only(play.events[-1:], type(play.events[-1])).outcome.value == "back"
    assert backs > 0
