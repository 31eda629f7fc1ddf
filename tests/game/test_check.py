"""The magic eye, against a second and naive way to use it."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from game.rox.cards import DECK
from game.rox.prizes import FULL_ROW, valid_length
from tests.kit.rules.play import ANN, BEN, CAT, Play

CARDS = st.sampled_from(DECK)


def naive_length(row):
    """Look from the longest beginning of the row down: the first without a break holds."""
    for length in range(len(row), 0, -1):
        beginning = row[:length]
        most = [max(beginning[i].edge, key=beginning[i].edge.count) for i in range(length)]
        if all(most[i] is beginning[i + 1].centre for i in range(length - 1)):
            return length
    raise AssertionError("a start card alone always holds")


@st.composite
def rows(draw):
    """Rows of which a good part holds for long: random ones nearly always break at once."""
    row = [draw(CARDS)]
    for right in draw(st.lists(st.sampled_from([True, True, True, False]), max_size=FULL_ROW - 1)):
        fitting = [card for card in DECK if (card.centre is row[-1].answer) is right]
        row.append(draw(st.sampled_from(fitting)))
    return row


@settings(max_examples=400)
@given(rows())
def test_the_check_agrees_with_a_naive_one(row):
    assert valid_length(row) == naive_length(row)


@settings(max_examples=100)
@given(st.lists(CARDS, min_size=1, max_size=FULL_ROW))
def test_the_check_agrees_on_random_rows(row):
    assert valid_length(row) == naive_length(row)


def test_a_row_holds_up_to_its_first_break_even_if_it_goes_on_rightly():
    play = Play(ANN, BEN).race().take_many(ANN, "++-+")
    assert valid_length(play.game.row_of(0)) == 3


def test_a_start_card_alone_holds():
    assert {valid_length([card]) for card in DECK} == {1}


def test_the_check_goes_from_the_caller_around_the_table():
    play = Play(ANN, BEN, CAT).round(BEN, (ANN, "+"), (CAT, "++-"))
    assert [(row.seat, row.valid, row.length) for row in play.game.checked] == [
        (play.seat(BEN), 6, 6),
        (play.seat(CAT), 3, 4),
        (play.seat(ANN), 2, 2),
    ]


def test_the_check_is_decided_when_the_race_ends():
    play = Play(ANN, BEN).round(ANN, (BEN, "+++"))
    decided = play.game.checked
    play.tick()
    play.tick()
    assert play.game.checked == decided
