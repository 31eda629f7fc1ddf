"""Translation of the sentences that people see, by Babel's message catalogues.

The code contains the English sentences and translates them with `Words`. Each language is a file
`<locale>/LC_MESSAGES/rox.po` beside this module; `rox.pot` is their template.
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
    """Return a sentence unchanged, marked for extraction into the catalogues.

    For sentences that are data and translated later, such as a command's description.
    """
    return text


class Words:
    """Translates sentences to one language, and formats numbers and lists in it.

    Args:
        locale: the language's name, such as "en" or "pt-BR".

    >>> Words("en").count("{n} card", "{n} cards", 2)
    '2 cards'
    """

    def __init__(self, locale: str = DEFAULT) -> None:
        self.locale = Locale.parse(locale, sep="-" if "-" in locale else "_")
        self._translations = _load(locale)

    def text(self, sentence: str, /, **values: object) -> str:
        """Return a translated sentence with its placeholders filled in.

        The values are not escaped: pass names of people through `bot.games.names.escaped`.
        """
        return self._translations.ugettext(sentence).format(**values)

    def count(self, one: str, many: str, n: int, /, **values: object) -> str:
        """Return the translated form of a sentence for a number, which replaces `{n}`."""
        chosen = self._translations.ungettext(one, many, n)
        return chosen.format(n=self.number(n), **values)

    def number(self, value: float) -> str:
        """Return a number formatted for the language."""
        return format_decimal(value, locale=self.locale)

    def listed(self, items: list[str]) -> str:
        """Return items joined to a list for a sentence, such as "a, b, and c"."""
        return format_list(items, locale=self.locale)


@cache
def _load(locale: str) -> Translations:
    """Return a language's catalogue, compiled in memory so that no `.mo` file is needed."""
    path = files("bot.locales") / locale / "LC_MESSAGES" / f"{DOMAIN}.po"
    compiled = BytesIO()
    with path.open("rb") as source:
        write_mo(compiled, read_po(source, locale=locale))
    compiled.seek(0)
    return Translations(compiled, domain=DOMAIN)
