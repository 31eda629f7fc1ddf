"""Which version the program says that it is."""

import tomllib
from importlib import metadata
from pathlib import Path

import pytest
from typer.testing import CliRunner

from bot import version as subject
from bot.__main__ import app
from bot.version import DISTRIBUTION, version

PROJECT = Path(__file__).parents[2] / "pyproject.toml"


def test_a_checkout_states_its_own_version():
    stated = tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"]["version"]
    assert version() == stated
    told = CliRunner().invoke(app, ["--version"])
    assert (told.exit_code, told.output) == (0, f"rox {stated}\n")


@pytest.mark.parametrize(
    "text", [None, "no toml", '[project]\nname = "another"\nversion = "9.9"\n']
)
def test_an_installed_package_has_the_version_of_its_distribution(tmp_path, text):
    """No `pyproject.toml` beside it, or one that belongs to another project."""
    project = tmp_path / "pyproject.toml"
    if text is not None:
        project.write_text(text)
    assert version(project) == metadata.version(DISTRIBUTION)


def test_code_that_was_copied_somewhere_says_that_it_does_not_know(tmp_path, monkeypatch):
    monkeypatch.setattr(subject, "DISTRIBUTION", "not-installed-anywhere")
    assert version(tmp_path / "pyproject.toml") == "unknown"
