"""The command that prepares a release, in a repository that is thrown away afterwards."""

import os
import subprocess
import sys
import tomllib
from datetime import date
from pathlib import Path

import pytest

from tools.release import ReleaseError, prepare, with_release, with_version

ROOT = Path(__file__).parents[2]
TODAY = date(2031, 2, 3)
PASS = (sys.executable, "-c", "")
FAIL = (sys.executable, "-c", "raise SystemExit(1)")
LEAVES_A_FILE = (sys.executable, "-c", "open('left', 'w')")

PROJECT = """\
[build-system]
requires = ["setuptools"]

[project]
name = "something"
version = "0.1.0"

[tool.other]
version = "0.1.0"
"""
CHANGELOG = """\
# Changelog

## [Unreleased]

### Added
- A thing.

## [0.1.0] - 2030-01-01

### Added
- An older thing.
"""


@pytest.fixture
def git(monkeypatch):
    """Git with an identity of its own, and without the settings of who runs the tests."""
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("GIT_CONFIG_SYSTEM", os.devnull)
    for role in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{role}_NAME", "Ada")
        monkeypatch.setenv(f"GIT_{role}_EMAIL", "ada@example.org")

    def git(root, *arguments):
        done = subprocess.run(
            ("git", *arguments), cwd=root, check=True, capture_output=True, text=True
        )
        return done.stdout

    return git


@pytest.fixture
def root(git, tmp_path):
    root = tmp_path / "checkout"
    root.mkdir()
    (root / "pyproject.toml").write_text(PROJECT)
    (root / "CHANGELOG.md").write_text(CHANGELOG)
    git(root, "init", "--quiet")
    git(root, "add", ".")
    git(root, "commit", "--quiet", "--message", "Begin")
    return root


def is_untouched(git, root):
    return (
        git(root, "status", "--porcelain") == ""
        and git(root, "log", "--format=%s") == "Begin\n"
        and git(root, "tag") == ""
        and (root / "pyproject.toml").read_text() == PROJECT
        and (root / "CHANGELOG.md").read_text() == CHANGELOG
    )


def test_a_release_is_one_commit_with_its_tag(git, root):
    assert prepare(root, "0.2.0", TODAY, PASS) == "v0.2.0"
    assert git(root, "log", "--format=%s") == "Release 0.2.0\nBegin\n"
    assert git(root, "describe") == "v0.2.0\n"
    assert git(root, "status", "--porcelain") == ""
    changed = git(root, "diff", "--unified=0", "HEAD~", "--", "pyproject.toml").splitlines()[-2:]
    assert changed == ['-version = "0.1.0"', '+version = "0.2.0"']
    project = tomllib.loads((root / "pyproject.toml").read_text())
    assert project["project"]["version"] == "0.2.0"
    assert (root / "CHANGELOG.md").read_text() == CHANGELOG.replace(
        "## [Unreleased]\n", "## [Unreleased]\n\n## [0.2.0] - 2031-02-03\n"
    )


def test_the_next_release_needs_something_new(git, root):
    prepare(root, "0.2.0", TODAY, None)
    with pytest.raises(ReleaseError, match="lists nothing under"):
        prepare(root, "0.3.0", TODAY, None)
    changelog = root / "CHANGELOG.md"
    text = changelog.read_text().replace("[Unreleased]\n", "[Unreleased]\n\n### Fixed\n- It.\n", 1)
    changelog.write_text(text)
    git(root, "commit", "--quiet", "--all", "--message", "Fix it")
    assert prepare(root, "0.3.0", TODAY, None) == "v0.3.0"


def test_uncommitted_changes_are_not_released(git, root):
    (root / "new.py").write_text("")
    with pytest.raises(ReleaseError, match="not committed"):
        prepare(root, "0.2.0", TODAY, None)
    (root / "new.py").unlink()
    assert is_untouched(git, root)


@pytest.mark.parametrize(
    ("version", "reason"),
    [
        ("0.1.0", "lists 0.1.0 already"),
        ("0.0.9", "is lower"),
        ("v0.2.0", "no version"),
        ("0.2", "no version"),
        ("0.02.0", "no version"),
        ("0.2.0rc1", "no version"),
    ],
)
def test_a_version_must_be_new(git, root, version, reason):
    with pytest.raises(ReleaseError, match=reason):
        prepare(root, version, TODAY, None)
    assert is_untouched(git, root)


def test_the_first_release_may_have_the_version_that_is_stated(git, root):
    changelog, _ = CHANGELOG.split("## [0.1.0]")
    (root / "CHANGELOG.md").write_text(changelog)
    git(root, "commit", "--quiet", "--all", "--message", "Forget")
    assert prepare(root, "0.1.0", TODAY, None) == "v0.1.0"
    assert (root / "pyproject.toml").read_text() == PROJECT


def test_versions_are_compared_as_numbers():
    assert 'version = "0.10.0"' in with_version(PROJECT.replace("0.1.0", "0.9.0"), "0.10.0")


def test_a_tag_that_is_there_is_not_moved(git, root):
    git(root, "tag", "v0.2.0")
    with pytest.raises(ReleaseError, match="there already"):
        prepare(root, "0.2.0", TODAY, None)
    git(root, "tag", "--delete", "v0.2.0")
    assert is_untouched(git, root)


def test_nothing_is_released_when_the_tests_fail(git, root):
    with pytest.raises(ReleaseError, match="tests fail"):
        prepare(root, "0.2.0", TODAY, FAIL)
    assert is_untouched(git, root)


def test_nothing_is_released_when_the_tests_leave_something_behind(git, root):
    with pytest.raises(ReleaseError, match="not committed"):
        prepare(root, "0.2.0", TODAY, LEAVES_A_FILE)
    (root / "left").unlink()
    assert is_untouched(git, root)


def test_a_commit_that_is_refused_leaves_everything_as_it_was(git, root):
    hook = root / ".git/hooks/pre-commit"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\necho not today >&2\nexit 1\n")
    hook.chmod(0o755)
    with pytest.raises(ReleaseError, match="not today"):
        prepare(root, "0.2.0", TODAY, None)
    assert is_untouched(git, root)


def test_the_command_says_in_one_sentence_what_it_did_or_why_not(git, root):
    def run(*arguments):
        return subprocess.run(
            (sys.executable, "-m", "tools.release", *arguments),
            cwd=root,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            check=False,
        )

    refused = run("0.1.0", "--tested")
    assert (refused.returncode, refused.stderr) == (1, "CHANGELOG.md lists 0.1.0 already.\n")
    assert is_untouched(git, root)
    done = run("0.2.0", "--tested")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("Committed and tagged v0.2.0.")
    assert git(root, "describe") == "v0.2.0\n"


def test_this_project_s_own_files_can_be_released():
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    released = tomllib.loads(with_version(project, "999.0.0"))
    assert released["project"]["version"] == "999.0.0"
    assert released == {
        **tomllib.loads(project),
        "project": {**tomllib.loads(project)["project"], "version": "999.0.0"},
    }
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert "## [Unreleased]" in changelog
    with_release(
        changelog.replace("[Unreleased]\n", "[Unreleased]\n- A thing.\n"), "999.0.0", TODAY
    )
