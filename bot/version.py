"""The version of this program; `pyproject.toml` is the only file that states it."""

from __future__ import annotations

import tomllib
from importlib import metadata
from pathlib import Path
from typing import Final

DISTRIBUTION: Final = "rox-for-discord"
_PROJECT: Final = Path(__file__).parent.parent / "pyproject.toml"


def version(project: Path = _PROJECT) -> str:
    """Return the version of the code that runs.

    A checkout states its version itself. The metadata of an editable install is as old as the
    install, and a plain checkout has none.

    Args:
        project: where a checkout keeps its `pyproject.toml`; an installed package has none there.
    """
    return _of_checkout(project) or _of_distribution() or "unknown"


def _of_checkout(project: Path) -> str | None:
    try:
        table = tomllib.loads(project.read_text(encoding="utf-8")).get("project", {})
    except (OSError, ValueError):
        return None
    return table.get("version") if table.get("name") == DISTRIBUTION else None


def _of_distribution() -> str | None:
    try:
        return metadata.version(DISTRIBUTION)
    except metadata.PackageNotFoundError:
        return None
