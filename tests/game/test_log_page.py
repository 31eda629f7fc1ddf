"""`docs/LOG.md` describes every kind of entry, with every field."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

import pytest

import game.rox.actions  # noqa: F401 - registers the game's entries
from game import actions

PAGE = Path(__file__).parents[2] / "docs" / "LOG.md"
KINDS = {k: cls for k, cls in actions.KINDS.items() if cls.__module__.startswith("game.")}
SECTIONS = dict(re.findall(r"(?ms)^### `([a-z.]+)`\n(.*?)(?=^##|\Z)", PAGE.read_text("utf-8")))


def test_the_page_has_a_section_for_each_kind_and_no_other():
    assert set(SECTIONS) == set(KINDS)


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_the_section_names_each_field(kind):
    names = {spec.name for spec in fields(KINDS[kind])} - {"id"}
    assert names <= set(re.findall(r"`(\w+)`", SECTIONS[kind]))
