"""Prepare a release: `python -m tools.release 0.2.0`.

It checks that nothing uncommitted is in the checkout, runs the tests, gives the unreleased part of
CHANGELOG.md its version and date, sets the version in pyproject.toml, commits both and tags the
commit. It publishes nothing: look at the commit, then push it with its tag.
"""

from __future__ import annotations

import re
import subprocess
import sys
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Annotated, Final

import typer

_VERSION: Final = re.compile(r"(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)")
_STATED: Final = re.compile(r'(?m)^(\[project\]\n(?:[^\[\n].*\n|\n)*?version = ")([^"\n]*)(")')
_UNRELEASED: Final = re.compile(r"(?m)^## \[Unreleased\]\n(.*?)(?=^## |\Z)", re.DOTALL)
TESTS: Final = (sys.executable, "-m", "pytest")


class ReleaseError(Exception):
    """The release can't be prepared; the message says why, in one sentence."""


def prepare(root: Path, version: str, today: date, tests: tuple[str, ...] | None) -> str:
    """Commit and tag a release; return the name of the tag.

    Args:
        root: the checkout.
        version: the new version, such as "0.2.0".
        today: the date of the release.
        tests: the command that runs the tests; None if they have passed already.

    Raises:
        ReleaseError: something speaks against it. Nothing has been changed then.
    """
    project, changelog = root / "pyproject.toml", root / "CHANGELOG.md"
    tag = f"v{version}"
    _check_clean(root)
    if _git(root, "tag", "--list", tag):
        raise ReleaseError(f"The tag {tag} is there already.")
    stated = with_version(project.read_text(encoding="utf-8"), version)
    dated = with_release(changelog.read_text(encoding="utf-8"), version, today)
    if tests is not None:
        if subprocess.run(tests, cwd=root, check=False).returncode:
            raise ReleaseError("The tests fail.")
        _check_clean(root)
    project.write_text(stated, encoding="utf-8")
    changelog.write_text(dated, encoding="utf-8")
    try:
        _git(root, "commit", "--quiet", "--all", "--message", f"Release {version}")
    except ReleaseError:
        _git(root, "checkout", "--quiet", "HEAD", "--", project.name, changelog.name)
        raise
    _git(root, "tag", "--annotate", tag, "--message", f"Release {version}")
    return tag


def with_version(project: str, version: str) -> str:
    """Return the text of pyproject.toml with a new version.

    Raises:
        ReleaseError: the version is malformed, or lower than the present one.
    """
    found = _STATED.search(project)
    if found is None:
        raise ReleaseError("pyproject.toml states no version.")
    if _numbers(version) < _numbers(found[2]):
        raise ReleaseError(f"{version} is lower than {found[2]}.")
    return project[: found.start(2)] + version + project[found.end(2) :]


def with_release(changelog: str, version: str, today: date) -> str:
    """Return the text of CHANGELOG.md with the unreleased part as a release, and an empty one.

    Raises:
        ReleaseError: nothing is listed as unreleased, or the version was released before.
    """
    if f"\n## [{version}]" in changelog:
        raise ReleaseError(f"CHANGELOG.md lists {version} already.")
    found = _UNRELEASED.search(changelog)
    if found is None or not re.search(r"(?m)^- ", found[1]):
        raise ReleaseError("CHANGELOG.md lists nothing under [Unreleased].")
    heading = f"## [Unreleased]\n\n## [{version}] - {today.isoformat()}\n"
    return changelog[: found.start()] + heading + changelog[found.start(1) :]


def _numbers(version: str) -> tuple[int, ...]:
    found = _VERSION.fullmatch(version)
    if found is None:
        raise ReleaseError(f"{version} is no version such as 1.2.3.")
    return tuple(map(int, found.groups()))


def _check_clean(root: Path) -> None:
    if _git(root, "status", "--porcelain"):
        raise ReleaseError("There are changes that are not committed (git status lists them).")


def _git(root: Path, *arguments: str) -> str:
    done = subprocess.run(
        ("git", *arguments), cwd=root, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise ReleaseError(f"git {arguments[0]} failed: {done.stderr.strip()}")
    return done.stdout.strip()


def main(
    version: Annotated[str, typer.Argument(help="The new version, such as 0.2.0.")],
    tested: Annotated[
        bool, typer.Option("--tested", help="The tests have passed on this commit already.")
    ] = False,
) -> None:
    """Prepare a release of the checkout in the current folder; publish nothing."""
    try:
        tests = None if tested else TESTS
        tag = prepare(Path.cwd(), version, datetime.now(UTC).date(), tests)
    except (ReleaseError, OSError) as error:
        typer.secho(str(error), err=True, fg="red")
        raise typer.Exit(1) from None
    typer.echo(f"Committed and tagged {tag}. To publish it: git push origin HEAD {tag}")


if __name__ == "__main__":
    typer.run(main)
