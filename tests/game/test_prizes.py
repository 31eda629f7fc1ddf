"""Who gets which scoring card, against a ranking that tries every order."""

from __future__ import annotations

from itertools import combinations, permutations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from game.rox.prizes import SCORING_CARDS, CheckedRow, award, turn_over
from game.rox.settings import Preset
from tests.kit.rules.play import ANN, BEN, CAT, DAN, PEOPLE, Play

RULEBOOK, FAIR = Preset.RULEBOOK, Preset.FAIR


def goes_first(one, other, *, caller, seats, preset):
    """Whether one row comes before another, by the words of the rules."""
    if one.valid != other.valid:
        return one.valid > other.valid
    if caller is None:
        return one.last_valid < other.last_valid
    if caller in {one.seat, other.seat}:
        callers = one if one.seat == caller else other
        caller_is_first = preset is RULEBOOK or callers.valid == 6
        return (one is callers) is caller_is_first
    to_the_left = [(caller + step) % seats for step in range(1, seats)]
    return to_the_left.index(one.seat) < to_the_left.index(other.seat)


def by_trying(rows, prizes, *, caller, seats, shortest, preset):
    valid = [row for row in rows if row.valid >= shortest]
    orders = [
        order
        for order in permutations(valid)
        if all(
            goes_first(one, other, caller=caller, seats=seats, preset=preset)
            for one, other in combinations(order, 2)
        )
    ]
    assert len(orders) == 1, "the rules leave exactly one order"
    cards = sorted(prizes)
    return {row.seat: cards.pop() for row in orders[0] if cards}


def rows_of(lengths):
    return [CheckedRow(seat, valid, 6, 1000 - seat) for seat, valid in lengths.items()]


@pytest.mark.parametrize("preset", Preset)
@pytest.mark.parametrize("shortest", [2, 3])
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_prizes_agree_with_trying_every_order(seats, shortest, preset):
    prizes = (2, 9, 5)[: seats - 1]
    table = {"seats": seats, "shortest": shortest, "preset": preset}
    for caller in range(seats):
        others = [seat for seat in range(seats) if seat != caller]
        for own, *rest in product(range(1, 7), *[range(1, 6)] * len(others)):
            rows = rows_of({caller: own, **dict(zip(others, rest, strict=True))})
            expected = by_trying(rows, prizes, caller=caller, **table)
            assert award(rows, prizes, caller=caller, **table) == expected


TABLES = st.fixed_dictionaries(
    {
        "caller": st.none() | st.integers(0, 3),
        "seats": st.just(4),
        "shortest": st.sampled_from([2, 3]),
        "preset": st.sampled_from(Preset),
    }
)


@settings(max_examples=300)
@given(
    lengths=st.dictionaries(st.integers(0, 3), st.integers(1, 5), min_size=1),
    times=st.permutations(range(4)),
    prizes=st.lists(st.integers(1, 10), min_size=1, max_size=3),
    table=TABLES,
)
def test_prizes_agree_with_empty_seats_and_without_a_caller(lengths, times, prizes, table):
    rows = [CheckedRow(seat, valid, 6, times[seat]) for seat, valid in lengths.items()]
    assert award(rows, prizes, **table) == by_trying(rows, prizes, **table)


def prizes_for(lengths, caller, preset=RULEBOOK, *, shortest=2, prizes=(9, 5, 2)):
    return award(rows_of(lengths), prizes, caller=caller, seats=4, shortest=shortest, preset=preset)


def test_the_longest_row_takes_the_highest_card():
    assert prizes_for({0: 3, 1: 6, 2: 4, 3: 5}, caller=1) == {1: 9, 3: 5, 2: 2}


def test_among_equal_longest_rows_the_seats_to_the_callers_left_come_in_turn():
    assert prizes_for({0: 4, 1: 4, 2: 3, 3: 4}, caller=2) == {3: 9, 0: 5, 1: 2}


def test_a_caller_whose_row_broke_is_still_first_among_equals_by_the_rulebook():
    assert prizes_for({0: 4, 1: 4, 2: 4, 3: 2}, caller=2) == {2: 9, 0: 5, 1: 2}


def test_under_fair_a_caller_whose_row_broke_comes_last_among_equals():
    assert prizes_for({0: 4, 1: 4, 2: 4, 3: 2}, caller=2, preset=FAIR) == {0: 9, 1: 5, 2: 2}


def test_under_fair_a_caller_whose_row_broke_still_comes_before_shorter_rows():
    assert prizes_for({0: 2, 1: 3, 2: 4, 3: 3}, caller=2, preset=FAIR) == {2: 9, 3: 5, 1: 2}


@pytest.mark.parametrize(
    ("lengths", "expected"),
    [
        ({0: 3, 1: 6, 2: 4, 3: 4}, {1: 9, 2: 5, 3: 2}),
        ({0: 4, 1: 6, 2: 3, 3: 4}, {1: 9, 3: 5, 0: 2}),
        ({0: 3, 1: 6, 2: 5, 3: 3}, {1: 9, 2: 5, 3: 2}),
        ({0: 3, 1: 6, 2: 3, 3: 3}, {1: 9, 2: 5, 3: 2}),
    ],
)
def test_equal_rows_at_a_lower_rank_go_by_the_callers_left_too(lengths, expected):
    assert prizes_for(lengths, caller=1) == expected
    assert prizes_for(lengths, caller=1, preset=FAIR) == expected


def test_the_caller_takes_precedence_at_a_lower_rank_only_by_the_rulebook():
    lengths = {0: 5, 1: 3, 2: 3, 3: 3}
    assert prizes_for(lengths, caller=2) == {0: 9, 2: 5, 3: 2}
    assert prizes_for(lengths, caller=2, preset=FAIR) == {0: 9, 3: 5, 1: 2}


def test_seats_that_left_are_skipped_even_the_callers():
    assert prizes_for({0: 4, 3: 4}, caller=1) == {3: 9, 0: 5}


@pytest.mark.parametrize(("shortest", "expected"), [(2, {1: 9, 2: 5}), (3, {1: 9})])
def test_a_row_is_valid_from_the_shortest_length_that_the_server_set(shortest, expected):
    assert prizes_for({0: 1, 1: 3, 2: 2, 3: 1}, caller=1, shortest=shortest) == expected


def test_cards_and_rows_run_out():
    assert prizes_for({0: 5, 1: 4, 2: 3, 3: 2}, caller=0, prizes=(7, 3)) == {0: 7, 1: 3}
    assert prizes_for({0: 1, 1: 1, 2: 1, 3: 1}, caller=0) == {}


# --- through whole rounds ---


def scores(play):
    return play.game.scores[-1]


@pytest.mark.parametrize(("preset", "expected"), [(RULEBOOK, (5, 2, 9, 0)), (FAIR, (9, 5, 2, 0))])
def test_a_round_is_scored_by_the_preset_that_the_match_plays(preset, expected):
    play = Play(*PEOPLE, preset=preset, lobby=True)
    play.to(10_000).tick()
    pile = (9, 5, 2, *SCORING_CARDS)[:15] if preset is RULEBOOK else (9, 5, 2) * 5
    play.deal(pile=pile)
    play.round(CAT, (ANN, "+++"), (BEN, "+++"), (DAN, ""), wins="+++-+")
    assert scores(play) == expected


def test_a_round_with_no_valid_row_gives_no_prize_and_counts():
    play = Play(ANN, BEN).round(ANN, (BEN, "-"), wins="-++++")
    assert scores(play) == (0, 0)
    play.check_over().race()
    assert play.game.round == 2


def test_a_row_may_break_at_the_second_card_by_the_german_edition():
    play = Play(ANN, BEN, shortest=3).round(ANN, (BEN, "+"), wins="-++++")
    assert scores(play) == (0, 0)
    assert Play(ANN, BEN).round(ANN, (BEN, "+"), wins="-++++").game.scores[-1][1] > 0


# --- the pile ---


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("preset", Preset)
def test_each_round_turns_over_one_card_less_than_there_are_players(seats, preset):
    play = Play(*PEOPLE[:seats], preset=preset)
    shown = []
    for _ in range(5):
        shown.append(play.game.prizes)
        play.round(ANN).check_over()
        if play.match.game.round < 5:
            play.tick()
    assert [len(prizes) for prizes in shown] == [seats - 1] * 5
    turned = sorted(card for prizes in shown for card in prizes)
    assert turned == sorted(play.game.deal.pile[: 5 * (seats - 1)]), "no card is turned over twice"


def test_the_pile_holds_the_fifteen_scoring_cards():
    for seed in range(20):
        assert sorted(Play(*PEOPLE, seed=seed).game.deal.pile) == sorted(SCORING_CARDS)


def test_what_is_not_won_goes_to_the_box_for_good():
    play = Play(*PEOPLE)
    first = play.game.prizes
    play.round(ANN).check_over().tick()
    assert sum(play.game.scores[0]) == first[0], "only one row held"
    pile = play.game.deal.pile
    assert sorted(play.game.prizes) == sorted(pile[3:6])


@given(st.permutations(SCORING_CARDS), st.integers(2, 4))
def test_under_fair_the_rounds_come_in_rising_order_of_their_sums(pile, seats):
    rounds = [turn_over(pile, FAIR, seats, [seats] * number) for number in range(1, 6)]
    sums = [sum(cards) for cards in rounds]
    assert sums == sorted(sums)
    drawn = [card for cards in rounds for card in cards]
    assert sorted(drawn) == sorted(pile[: 5 * (seats - 1)]), "drawn before round one"


SEAT_COUNTS = st.lists(st.integers(2, 4), min_size=1, max_size=5).map(
    lambda seats: sorted(seats, reverse=True)
)


@given(st.permutations(SCORING_CARDS), SEAT_COUNTS)
def test_by_the_rulebook_later_rounds_turn_over_less_from_the_same_pile(pile, seat_counts):
    taken = [turn_over(pile, RULEBOOK, 4, seat_counts[: n + 1]) for n in range(len(seat_counts))]
    assert [len(cards) for cards in taken] == [seats - 1 for seats in seat_counts]
    top = pile[: sum(seats - 1 for seats in seat_counts)]
    assert [sorted(cards) for cards in taken] == [
        sorted(top[sum(map(len, taken[:n])) :][: len(cards)]) for n, cards in enumerate(taken)
    ]


@given(st.permutations(SCORING_CARDS), SEAT_COUNTS)
def test_under_fair_a_leaver_costs_each_later_round_its_lowest_card(pile, seat_counts):
    for n in range(len(seat_counts)):
        full = turn_over(pile, FAIR, 4, [4] * (n + 1))
        now = turn_over(pile, FAIR, 4, seat_counts[: n + 1])
        assert now == full[: seat_counts[n] - 1], "the order of the rounds stays"


def test_a_leaver_leaves_the_cards_that_are_turned_over_already():
    play = Play(ANN, BEN, CAT).race()
    turned = play.game.prizes
    play.leave(CAT)
    assert play.game.prizes == turned
    play.take_many(BEN, "+").take_many(ANN, "+++++")
    assert scores(play) == (turned[0], turned[1], None)
    play.check_over().tick()
    assert play.game.prizes == play.game.deal.pile[2:3]
