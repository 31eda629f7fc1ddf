from __future__ import annotations

from collections import Counter
from itertools import groupby, pairwise, product

import pytest

from game.rox.cards import DECK, Difficulty, Element
from game.rox.prizes import SCORING_CARDS


def counts(card):
    return Counter(card.edge).most_common()


def pattern(card):
    return tuple(number for _, number in counts(card))


def test_there_are_sixty_cards_all_different():
    assert len(DECK) == 60
    assert [card.id for card in DECK] == list(range(60))
    assert len({(card.centre, card.edge) for card in DECK}) == 60


def test_there_are_twelve_cards_per_centre():
    assert Counter(card.centre for card in DECK) == dict.fromkeys(Element, 12)


def test_every_edge_has_sixteen_symbols():
    assert {len(card.edge) for card in DECK} == {16}


@pytest.mark.parametrize("card", DECK, ids=lambda card: str(card.id))
def test_the_answer_is_strictly_the_most_frequent_and_never_the_centre(card):
    (first, most), (_, second), *_ = counts(card)
    assert most > second
    assert card.answer is first
    assert card.answer is not card.centre


def test_each_pair_of_centre_and_answer_occurs_once_in_each_difficulty():
    wanted = {
        (centre, answer, difficulty): 1
        for centre, answer, difficulty in product(Element, Element, Difficulty)
        if centre is not answer
    }
    assert len(wanted) == 60
    assert Counter((card.centre, card.answer, card.difficulty) for card in DECK) == wanted


def test_a_difficulty_is_a_pattern_of_counts():
    patterns = {difficulty: set() for difficulty in Difficulty}
    for card in DECK:
        patterns[card.difficulty].add(pattern(card))
    assert patterns == {
        Difficulty.EASY: {(6, 3, 3, 2, 2)},
        Difficulty.MEDIUM: {(5, 4, 3, 2, 2)},
        Difficulty.HARD: {(5, 4, 4, 2, 1)},
    }


def test_the_second_most_frequent_are_what_a_miscount_takes():
    for card in DECK:
        ranked = counts(card)
        assert set(card.seconds) == {e for e, number in ranked[1:] if number == ranked[1][1]}
        assert len(card.seconds) == {0: 2, 1: 1, 2: 2}[card.difficulty]


def test_no_edge_is_sorted():
    for card in DECK:
        ring = card.edge + card.edge[:1]
        blocks = sum(a is not b for a, b in pairwise(ring))
        assert blocks >= 10, "symbols of one kind lie together: no need to count"
        assert max(len(list(run)) for _, run in groupby(card.edge)) <= 3


def test_there_are_fifteen_scoring_cards_of_seventy_points():
    assert Counter(SCORING_CARDS) == {
        1: 2, 2: 2, 3: 2, 4: 2, 5: 2, 6: 1, 7: 1, 8: 1, 9: 1, 10: 1,
    }  # fmt: skip
    assert len(SCORING_CARDS) == 15
    assert sum(SCORING_CARDS) == 70
