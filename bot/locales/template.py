"""Extraction of all sentences from the code: `python -m bot.locales.template`."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Final

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

from bot.locales.catalogue import DOMAIN

if TYPE_CHECKING:
    import os

KEYWORDS: Final = {"text": None, "count": (1, 2), "sentence": None}
"""The calls whose first arguments are sentences, in the form that Babel's extractor takes."""

TRANSLATED: Final = {"channel", "commands", "games", "replies", "views"}
"""The packages of the bot that contain sentences, with all packages below them."""


def extract_template() -> Catalog:
    """Return the template: every sentence in the bot's code."""
    catalogue = Catalog(project="Rox for Discord", charset="utf-8")
    root = str(files("bot"))
    found = extract_from_dir(root, keywords=KEYWORDS, directory_filter=_is_translated)
    for _file, _line, message, _comments, _context in found:
        catalogue.add(message)
    return catalogue


def _is_translated(folder: str | os.PathLike[str]) -> bool:
    """Return whether a folder contains sentences; in the store `text` is SQLAlchemy's."""
    return Path(folder).relative_to(str(files("bot"))).parts[0] in TRANSLATED


def main() -> None:
    """Write the template, and update the file of every language from it."""
    folder = Path(str(files("bot.locales")))
    sentences = extract_template()
    _write(folder / f"{DOMAIN}.pot", sentences)
    for path in [*folder.glob(f"*/LC_MESSAGES/{DOMAIN}.po")]:
        with path.open("rb") as source:
            language = read_po(source, locale=path.parent.parent.name)
        language.update(sentences)
        _write(path, language)


def _write(path: Path, catalogue: Catalog) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as target:
        write_po(target, catalogue, omit_header=path.suffix == ".pot", width=100, sort_output=True)


if __name__ == "__main__":
    main()
