"""Names appear in every sheet and answer as they were typed, and do nothing."""

import pytest

from bot.commands.standings import leaderboard_text, stats_text
from bot.games.names import MAX_LENGTH, escaped, unformatted
from bot.games.plug import MatchView
from bot.games.rox.answers import answer
from bot.games.sheet import Sheet, Text
from bot.locales.catalogue import Words
from bot.store.standings import Board, Standing
from game.events import Refusal, Refused
from game.rox.events import Claimed, ClaimOutcome
from game.rox.settings import Checking
from tests.kit.rules.play import ANN, BEN, Play
from tests.kit.sheets.reading import HOSTILE, alts, isolated, marks, names_in, texts, without_names
from tests.kit.sheets.stages import ROX, every_stage, named, sheet_of

STAGES = [(stage, match) for stage, match in every_stage() if ROX.sheet(MatchView(match, Words()))]


def as_typed(name):
    """What is left of a name that nobody can see anything wrong with."""
    return unformatted(name)


def with_plain_names(sheet: Sheet) -> list[str]:
    return [without_names(b.content) for b in sheet.blocks if isinstance(b, Text)]


@pytest.mark.parametrize("name", HOSTILE)
def test_a_name_appears_as_typed_and_nothing_of_it_is_active(name):
    (seen,) = names_in(escaped(name))
    visible = "".join(name.split())
    for invisible in "\u202e\u202c\u200b\u2060":
        visible = visible.replace(invisible, "")
    assert seen.replace(" ", "") == (visible or "?")[: len(seen)]
    assert len(seen) <= MAX_LENGTH


@pytest.mark.parametrize("name", HOSTILE)
def test_names_are_harmless_in_every_sheet(name):
    for stage, match in STAGES:
        sheet = sheet_of(named(match, [name]))
        found = names_in(texts(sheet))
        people = {as_typed(name), "MASTER", "APPRENTICE"}
        assert set(found) <= people, stage
        # Apart from the names, nothing differs from a match of people with harmless ones.
        assert with_plain_names(sheet) == with_plain_names(sheet_of(named(match, ["Ann"]))), stage


@pytest.mark.parametrize("name", HOSTILE)
def test_alt_texts_name_people_in_one_line(name):
    for stage, match in STAGES:
        harmless = alts(sheet_of(named(match, ["Ann"]))).splitlines()
        hostile = alts(sheet_of(named(match, [name]))).splitlines()
        assert len(harmless) == len(hostile), stage
        assert [line.replace(as_typed(name), "Ann", 1) for line in hostile] == harmless, stage


@pytest.mark.parametrize("name", HOSTILE)
def test_names_are_harmless_in_private_answers(name):
    play = Play(ANN, BEN, checking=Checking.INSTANT).race()
    match = named(play.match, [name])
    view = MatchView(match, Words())
    answers = [answer(view, [Claimed(outcome, 0, 42, 1, 1500, 7)], ANN) for outcome in ClaimOutcome]
    answers += [answer(view, [Refused(ANN, reason, 1000)], ANN) for reason in Refusal]
    names = [names_in(text) for text in answers]
    assert {found for each in names for found in each} == {as_typed(name)}


@pytest.mark.parametrize("name", HOSTILE)
def test_names_are_harmless_on_the_board(name):
    row = Standing(
        user=1,
        rank=1,
        name=name,
        matches=2,
        wins=1,
        points=30,
        average_place=1.5,
        figures={"cards": 10, "right": 5, "fastest_ms": 20_000},
    )
    for text in (
        stats_text(ROX, row, Words()),
        leaderboard_text(ROX, Board((row,), 1), Words()),
    ):
        assert names_in(text) == [as_typed(name)]
        assert len(text.splitlines()) == len(text.replace("\r", "\n").split("\n"))


def test_players_with_one_display_name_differ_by_their_badges():
    for stage, match in STAGES:
        if len(match.people) < 2 or not stage.startswith("table"):
            continue
        line = next(t for t in texts(sheet_of(named(match, ["Sam"]))).splitlines() if " · " in t)
        badges = [part.split(" ")[0] for part in line.split(" · ")]
        assert len(set(badges)) == len(badges)


def test_simulated_opponents_are_marked_wherever_they_are_named():
    for stage, match in every_stage():
        if "with opponents" not in stage:
            continue
        text = texts(sheet_of(match))
        for number, seat in enumerate(match.seats):
            if seat.user is None:
                assert f"🤖 **\u2068{seat.name}" in text, (stage, number)
            else:
                assert f"🤖 **\u2068{seat.name}" not in text


def test_the_reader_of_these_tests_sees_markdown():
    assert marks(r"\_a_") == [("_", True), ("a", False), ("_", False)]
    assert len(isolated("\u2068a\u2069 and \u2068b\u2069")) == 2
    with pytest.raises(AssertionError):
        names_in("\u2068_a_\u2069")
    with pytest.raises(AssertionError):
        names_in("\u2068a\nb\u2069")
