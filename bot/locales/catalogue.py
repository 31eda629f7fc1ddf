"""Every sentence that people see, through Babel's catalogues.

Code holds the English sentence and asks a `Words` for it; a language is a file
`<locale>/LC_MESSAGES/rox.po` beside this module. `rox.pot` is the template of all sentences.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from io import BytesIO
from typing import TYPE_CHECKING, Final

from babel import Locale
from babel.lists import format_list
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.numbers import format_decimal
from babel.support import Translations

if TYPE_CHECKING:
    from typing import LiteralString

DOMAIN: Final = "rox"
DEFAULT: Final = "en"


def sentence(text: LiteralString) -> str:
    """Mark a sentence for the catalogues where it is data, such as a command's description."""
    return text


class Words:
    """The sentences of one language.

    >>> Words("en").count("{n} card", "{n} cards", 2)
    '2 cards'
    """

    def __init__(self, locale: str = DEFAULT) -> None:
        self.locale = Locale.parse(locale, sep="-" if "-" in locale else "_")
        self._translations = _load(locale)

    def text(self, sentence: str, /, **values: object) -> str:
        """Return a sentence with its placeholders filled in; values are not escaped here."""
        return self._translations.ugettext(sentence).format(**values)

    def count(self, one: str, many: str, n: int, /, **values: object) -> str:
        """Return the form of a sentence that fits a number; `{n}` stands for it."""
        chosen = self._translations.ungettext(one, many, n)
        return chosen.format(n=self.number(n), **values)

    def number(self, value: float) -> str:
        """Return a number as this language writes it."""
        return format_decimal(value, locale=self.locale)

    def listed(self, items: list[str]) -> str:
        """Return items as a list in a sentence: "a, b, and c"."""
        return format_list(items, locale=self.locale)


@cache
def _load(locale: str) -> Translations:
    """Read a catalogue and hold it as gettext needs it, without files built at installation."""
    path = files("bot.locales") / locale / "LC_MESSAGES" / f"{DOMAIN}.po"
    compiled = BytesIO()
    with path.open("rb") as source:
        write_mo(compiled, read_po(source, locale=locale))
    compiled.seek(0)
    return Translations(compiled, domain=DOMAIN)
