"""Sheets: within Discord's limits, playable from text alone, and silent about what is secret."""

import re
from collections import Counter
from dataclasses import replace

import discord
import pytest

from bot.channel.layout import layout
from bot.games import shared_sheets
from bot.games.plug import MatchView
from bot.games.rox import wording
from bot.games.sheet import Buttons, Verb
from bot.locales.catalogue import Words
from bot.pictures.rox.scenes import LastCardsScene
from bot.pictures.theme import SEAT_EMOJI
from bot.sandbox.demo.reading import read_table
from bot.views.buttons import read_custom_id
from game.events import Refusal, Refused
from game.match import End, Phase
from game.rox.cards import Element
from game.rox.state import PLACES, Stage, number_of
from tests.kit.rules.play import ANN, BEN, CAT, DAN, PEOPLE, Play
from tests.kit.sheets.reading import alt, alts, buttons, texts
from tests.kit.sheets.stages import ROX, every_stage, named, sheet_of

WIDE = "\N{FULLWIDTH LATIN CAPITAL LETTER W}" * 32
PUNCTUATED = "*" * 32
EMOJI = "\N{SNOWMAN WITHOUT SNOW}\N{VARIATION SELECTOR-16}" * 16
TEXT = discord.ComponentType.text_display.value
ASTRAL = "\N{CUNEIFORM SIGN LUGAL OPPOSING LUGAL}" * 32
STAGES = [(stage, match) for stage, match in every_stage() if ROX.sheet(MatchView(match, Words()))]


def length(text):
    """Discord counts as JavaScript does."""
    return len(text.encode("utf-16-le")) // 2


def walk(component):
    yield component
    for child in component.get("components", ()):
        yield from walk(child)


def components(sheet, match_id=2**63 - 1):
    return [c for top in layout(sheet, match_id).to_components() for c in walk(top)]


@pytest.mark.parametrize("name", [WIDE, PUNCTUATED, EMOJI, ASTRAL])
def test_every_sheet_stays_within_the_limits_of_discord(name):
    for stage, match in STAGES:
        sheet = sheet_of(named(match, [name]))
        found = components(sheet)
        assert len(found) <= 40, stage
        said = [
            c["content"] for c in found if c["type"] == discord.ComponentType.text_display.value
        ]
        assert sum(map(length, said)) <= 4000, stage
        assert all(text.strip() for text in said), stage
        for picture in sheet.pictures:
            assert 0 < length(picture.alt) <= 1024, (stage, picture.name)
        for block in sheet.blocks:
            if isinstance(block, Buttons):
                assert 1 <= len(block.items) <= 5
        for component in found:
            if "custom_id" in component:
                assert length(component["custom_id"]) <= 100
                assert length(component["label"]) <= 80
        ids = [c["custom_id"] for c in found if "custom_id" in c]
        assert len(set(ids)) == len(ids), stage


@pytest.mark.parametrize("name", [WIDE, PUNCTUATED, EMOJI])
def test_no_alt_text_is_cut_off(name):
    for stage, match in STAGES:
        short, long = sheet_of(named(match, ["x"])), sheet_of(named(match, [name]))
        for one, other in zip(short.pictures, long.pictures, strict=True):
            assert one.alt[-5:] == other.alt[-5:], (stage, one.name)


def test_buttons_say_which_match_and_which_message_they_belong_to():
    for _, match in STAGES:
        sheet = sheet_of(match)
        for component in components(sheet, 77):
            if "custom_id" in component:
                assert read_custom_id(component["custom_id"]) == (77, sheet.key)


def test_the_table_lists_the_free_numbers_by_their_stone():
    play = Play(*PEOPLE).race()
    for user in PEOPLE:
        play.take(user)
    lines = alt(sheet_of(play.match), "table.png").splitlines()[1:]
    listed = {}
    for line in lines:
        stone, _, numbers = line.partition(": ")
        listed[stone] = [int(number) for number in numbers.split()]
    game = play.game
    assert set(listed) == {"fire", "air", "earth", "water", "magic"}
    for stone, numbers in listed.items():
        assert numbers == [
            number_of(index)
            for index in range(PLACES)
            if game.owner[index] is None and game.card_at(index).centre.name.lower() == stone
        ]
    assert sum(map(len, listed.values())) == PLACES - 2 * len(PEOPLE)


def test_an_element_without_a_free_card_is_still_listed():
    play = Play(ANN, BEN).race()
    fire = [i for i in range(PLACES) if play.game.card_at(i).centre is Element.FIRE]
    owner = tuple(0 if index in fire else who for index, who in enumerate(play.game.owner))
    match = replace(play.match, game=replace(play.game, owner=owner))
    assert "fire: –" in alt(sheet_of(match), "table.png")


def test_the_last_cards_are_given_in_ring_order_and_never_as_counts():
    play = Play(*PEOPLE).race()
    for user in (ANN, BEN):
        play.take(user)
    lines = alt(sheet_of(play.match), "last-cards.png").splitlines()[1:]
    assert len(lines) == len(PEOPLE)
    for seat, line in zip(play.match.seats, lines, strict=True):
        card = play.game.last_card(seat.number)
        edge = " ".join(symbol.name.lower() for symbol in card.edge)
        assert line == f"{seat.name}, {card.centre.name.lower()}; around it: {edge}"
        assert not re.search(r"\d", line)


def test_no_alt_text_tells_an_answer_before_the_check():
    for stage, match in STAGES:
        if match.game is None or match.game.stage not in {Stage.OPENING, Stage.RACE, Stage.READY}:
            continue
        said = texts(sheet_of(match)).lower()
        assert not re.search(r"\b(fire|air|earth|water|magic)\b", said), stage
        assert "eye" not in said


def test_only_the_callers_row_is_read_out_before_the_others_are_shown():
    play = Play(*PEOPLE).round(ANN, (BEN, "++"))
    first = alt(sheet_of(play.match), "check.png").splitlines()[1:]
    assert [line.partition(":")[0] for line in first] == ["Ann"]
    play.tick()
    assert len(alt(sheet_of(play.match), "check.png").splitlines()[1:]) == len(PEOPLE)


def test_the_whole_game_can_be_played_from_text_alone():
    """Somebody who only reads texts and alt texts calls every round with a row that holds."""
    stones = {element.name.lower(): element for element in Element}
    play = Play(ANN, BEN)
    while play.match.phase is Phase.PLAYING:
        play.race()
        for _ in range(5):
            shown = [top.to_component_dict() for top in layout(sheet_of(play.match), 1).children]
            reading = read_table(shown)
            assert reading is not None
            counted = Counter(reading.edges["Ann"]).most_common(1)[0][0]
            assert counted in stones.values()
            play.rested().claim(ANN, reading.free[counted][0])
            play.rested()
        assert play.game.checked[0].valid == 6
        play.check_over()
    assert play.match.result.places[0].seat.user == ANN


def test_nothing_that_is_sent_carries_the_deal():
    """File names and custom ids are the same whatever was dealt; texts name no card by its id."""
    for (stage, one), (_, other) in zip(every_stage(seed=1), every_stage(seed=2), strict=True):
        first, second = ROX.sheet(MatchView(one, Words())), ROX.sheet(MatchView(other, Words()))
        if first is None or second is None:
            continue
        assert [p.name for p in first.pictures] == [p.name for p in second.pictures], stage
        ids = [[c.get("custom_id") for c in components(sheet)] for sheet in (first, second)]
        assert ids[0] == ids[1], stage


def test_get_ready_shows_nothing_of_what_was_dealt():
    one = sheet_of(Play(*PEOPLE, seed=1).match)
    other = sheet_of(Play(*PEOPLE, seed=2).match)
    assert one.pictures == other.pictures

    def blocks(sheet):
        """The prizes lie open from the beginning of a round."""
        return [str(block) for block in sheet.blocks if "Prizes" not in str(block)]

    assert blocks(one) == blocks(other)


def test_start_cards_show_with_the_table_only():
    play = Play(ANN, BEN)
    assert not any(isinstance(p.scene, LastCardsScene) for p in sheet_of(play.match).pictures)
    play.race()
    assert any(isinstance(p.scene, LastCardsScene) for p in sheet_of(play.match).pictures)


def test_tables_alone_notify():
    for stage, match in STAGES:
        assert sheet_of(match).silent is not stage.startswith("table"), stage


def test_the_final_standing_shares_places():
    """Discord counts numbered lists on by itself, so a line must not begin with a bare number."""
    play = Play(ANN, BEN, CAT, DAN).whole_match(ANN)
    lines = texts(sheet_of(play.match)).splitlines()
    places = [line for line in lines if re.match(r"\**[0-9]+\.", line)]
    assert [line.partition(" ")[0] for line in places] == ["**1.**", "**2.**", "**2.**", "**2.**"]


def test_the_line_of_stop_votes_reads_well_for_one_and_for_two():
    play = Play(*PEOPLE).round(ANN).check_over()
    play.race()
    play.stop(ANN)
    one = texts(sheet_of(play.match))
    play.stop(BEN)
    two = texts(sheet_of(play.match))
    assert "🛑 Wants to stop: 🔶 **\u2068Ann\u2069**. 3 more players have to agree" in one
    assert "\u2068Ann\u2069** and 💜 **\u2068Ben\u2069**. 2 more players have to agree" in two


def test_no_rematch_is_offered_where_nobody_is_left_to_play_it():
    play = Play(ANN, BEN, CAT).round(ANN).check_over()
    play.leave(BEN)
    assert play.match.phase is Phase.PLAYING
    play.leave(CAT)
    assert play.match.phase is Phase.OVER
    assert buttons(sheet_of(play.match)) == []
    whole = Play(ANN, BEN).whole_match(ANN)
    assert buttons(sheet_of(whole.match)) == ["Rematch"]


def test_a_table_that_is_over_keeps_its_pictures_and_loses_its_buttons():
    play = Play(ANN, BEN).race()
    table = sheet_of(play.match)
    play.take_many(ANN, "+++++")
    last = ROX.final_form(MatchView(play.match, Words()), table.key, table)
    assert last is not None
    assert buttons(last) == []
    assert [p.name for p in last.pictures] == ["table.png", "last-cards.png"]
    assert "took" in texts(last)


def test_countdowns_go_when_their_time_is_over():
    play = Play(ANN, BEN).round(ANN).check_over()
    check = sheet_of(play.match)
    assert "<t:" in texts(check)
    play.tick()
    last = ROX.final_form(MatchView(play.match, Words()), check.key, check)
    assert last is not None
    assert "<t:" not in texts(last)
    assert buttons(last) == []


def test_a_lobby_that_became_a_match_says_so():
    play = Play(ANN, lobby=True)
    play.join(BEN)
    lobby = sheet_of(play.match)
    play.start(ANN)
    last = ROX.final_form(MatchView(play.match, Words()), lobby.key, lobby)
    assert last is not None
    assert "The match has started." in texts(last)
    assert buttons(last) == []


def test_posts_that_only_announce_are_deleted():
    play = Play(ANN, BEN)
    ready = sheet_of(play.match)
    assert ROX.final_form(MatchView(play.match, Words()), ready.key, ready) is None
    play.race()
    play.interrupt()
    pause = sheet_of(play.match)
    assert ROX.final_form(MatchView(play.match, Words()), pause.key, pause) is None


@pytest.mark.parametrize("typing", [True, False])
def test_lobby_and_get_ready_say_how_to_play(typing):
    lobby, ready = Play(ANN, lobby=True).match, Play(ANN, BEN).match
    for match in (lobby, ready):
        said = texts(sheet_of(match, typing=typing))
        assert ("/rox take" in said) is not typing
        assert ("typing its number" in said) is typing


def test_every_refusal_has_its_own_friendly_sentence():
    view = MatchView(Play(ANN, BEN).match, Words())
    said = {reason: ROX.answer(view, [Refused(ANN, reason, 1500)], ANN) for reason in Refusal}
    assert len(set(said.values())) == len(Refusal)
    for text in said.values():
        assert text[0].isupper() or text[0] == "\u2068"
        assert text.rstrip("*").endswith((".", "!"))


def test_every_end_has_a_sentence():
    play = Play(ANN, BEN).race()
    play.stop(ANN)
    said = {
        shared_sheets.void_text(MatchView(replace(play.match, end=end), Words()))
        for end in (End.ABANDONED, End.PAUSE_LAPSED, End.FAULT, End.UNKNOWN_RULES, End.STOPPED)
    }
    assert len(said) == 5


def test_badges_differ_in_more_than_their_colour():
    assert len(set(SEAT_EMOJI)) == len(SEAT_EMOJI) == 5


def test_every_verb_has_a_place():
    """A button that no sheet shows is not needed, except for the one that asks once more."""
    used = {
        button.verb
        for _, match in STAGES
        for block in sheet_of(match).blocks
        if isinstance(block, Buttons)
        for button in block.items
    }
    assert used == {*Verb, *wording.Verb} - {Verb.LEAVE_NOW}


def test_alt_texts_have_no_markdown_and_no_moments():
    for stage, match in STAGES:
        assert not re.search(r"[*`]|<t:", alts(sheet_of(match))), stage
