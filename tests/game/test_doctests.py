from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest

import game

MODULES = [
    "game",
    *(module.name for module in pkgutil.walk_packages(game.__path__, "game.")),
]


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_docstrings_run(name):
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def test_there_are_examples_to_run():
    finder = doctest.DocTestFinder(exclude_empty=True)
    examples = [
        example
        for name in MODULES
        for found in finder.find(importlib.import_module(name))
        for example in found.examples
    ]
    assert len(examples) >= 5
