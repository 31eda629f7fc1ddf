"""Settings as data: what a choice reads, changes and decides."""

from __future__ import annotations

import pytest

from bot.games.choices import LOOK_CHOICES, changed_values, find_choice
from bot.games.look import Look
from bot.games.table import GAMES
from bot.locales.catalogue import Words
from bot.store.guilds import ServerSettings
from bot.views.choices import PLAYER_CHOICES, server_choices
from game.rox.settings import Preset, RoxSettings

WORDS = Words()
ROX = GAMES["rox"]


def test_the_table_names_games_as_their_rules_do():
    assert {name: game.machine.rules.name for name, game in GAMES.items()} == {n: n for n in GAMES}


@pytest.mark.parametrize("name", GAMES)
def test_a_settings_page_has_every_choice_once_and_fits_a_message(name):
    names = [choice.name for choice in server_choices(GAMES[name])]
    assert len(names) == len(set(names))
    # A title, a row and a select for each, for the role and for the channels; heading and foot.
    assert 3 * (len(names) + 2) + 3 <= 40


@pytest.mark.parametrize(
    ("choice", "settings"),
    [
        *((choice, RoxSettings()) for choice in ROX.choices),
        *((choice, Look()) for choice in LOOK_CHOICES),
        *((choice, ServerSettings()) for choice in (*PLAYER_CHOICES, *server_choices(ROX))),
    ],
)
def test_a_chosen_value_is_the_value_of_the_settings(choice, settings):
    assert choice.has_option(choice.read(settings), WORDS)
    for value, label in choice.options(WORDS):
        assert label
        assert choice.read(choice.change(settings, value)) == value


def test_a_choice_changes_the_values_that_it_decides_and_no_others():
    rest = find_choice(ROX.choices, "rest")
    fair = RoxSettings(preset=Preset.FAIR)
    assert changed_values(rest, fair, "5", WORDS) == {"rest_ms": 5000}
    assert changed_values(rest, fair, "2", WORDS) == {"rest_ms": 2000}
    assert find_choice(ROX.choices, "zap") is None
