from __future__ import annotations

import unicodedata

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from game.rox.claims import Number, PutBack, parse

NBSP, THIN, IDEOGRAPHIC = "\u00a0", "\u2009", "\u3000"
ZWSP, ZWNJ, ZWJ, WORD_JOINER, BOM = "\u200b", "\u200c", "\u200d", "\u2060", "\ufeff"
LRM, RLM = "\u200e", "\u200f"
EDGES = [NBSP, THIN, IDEOGRAPHIC, ZWSP, ZWNJ, ZWJ, WORD_JOINER, BOM, LRM, RLM, " ", "\n", "\t"]


@pytest.mark.parametrize("value", range(10, 70))
def test_every_number_of_the_table_is_a_claim(value):
    assert parse(str(value)) == Number(value)


@pytest.mark.parametrize("value", [*range(10), *range(70, 130)])
def test_no_other_number_is_a_claim(value):
    assert not isinstance(parse(str(value)), Number)


@pytest.mark.parametrize("text", ["#12", "12.", "12!"])
def test_one_leading_or_trailing_mark_is_allowed(text):
    assert parse(text) == Number(12)


@pytest.mark.parametrize(
    "text",
    [
        "##12",
        "12..",
        "12!!",
        "12!.",
        "#12.",
        "#12!",
        ".12",
        "!12",
        "12#",
        "12?",
        "12,",
        "# 12",
        "12 .",
        "12 !",
        "#",
        ".",
        "!",
        "#.",
        "**12**",
        "_12_",
        "`12`",
        "||12||",
        "~~12~~",
        ">12",
    ],
)
def test_any_other_mark_is_chat(text):
    assert parse(text) is None


@pytest.mark.parametrize(
    "text",
    ["give me 12 minutes", "12 minutes", "12 13", "1 2", "x12", "12x", "012", "120", "1", "2", ""],
)
def test_chat_is_never_a_claim(text):
    assert parse(text) is None


@pytest.mark.parametrize("text", ["²", "①", "²²", "①②", "1²", "¹²", "⑫", "Ⅻ", "½½", "一二"])
def test_what_only_looks_like_digits_is_chat(text):
    assert parse(text) is None


@pytest.mark.parametrize("text", ["1_2", "+12", "-12", "−12", "1e1", "0x12", "1.2", "12.0", "1,2"])
def test_texts_that_only_int_accepts_are_chat(text):
    assert parse(text) is None


def test_a_trailing_newline_does_not_matter():
    assert parse("12\n") == Number(12)


@pytest.mark.parametrize("text", ["9" * 21, "1" * 5000, "12" * 5000, "12" + "0" * 5000])
def test_long_numbers_are_chat(text):
    assert parse(text) is None


def test_any_amount_of_white_space_around_a_claim_is_allowed():
    assert parse(" " * 3000 + "12" + "\n" * 900) == Number(12)


@pytest.mark.parametrize("edge", EDGES, ids=lambda char: f"U+{ord(char):04X}")
def test_invisible_characters_around_a_claim_do_not_matter(edge):
    assert parse(f"{edge}42{edge}{edge}") == Number(42)
    assert parse(f"{edge}#42{edge}") == Number(42)
    assert parse(f"{edge}0{edge}") == PutBack()
    assert parse(edge) is None


@pytest.mark.parametrize("edge", EDGES, ids=lambda char: f"U+{ord(char):04X}")
def test_invisible_characters_inside_a_claim_make_it_chat(edge):
    assert parse(f"4{edge}2") is None


@pytest.mark.parametrize("text", ["٤٢", "४२", "４２", "๔๒", "৪২", "𝟒𝟐", "４2", "#４２", "٤٢!"])
def test_decimal_digits_of_any_script_are_digits(text):
    assert parse(text) == Number(42)


@pytest.mark.parametrize("text", ["0", " 0 ", "٠", "０", "back", "Back", "BACK", " back\n"])
def test_zero_and_the_word_put_back(text):
    assert parse(text) == PutBack()


@pytest.mark.parametrize("text", ["00", "-0", "+0", "0x0", "back!", "go back", "backs", "ba ck"])
def test_nothing_else_puts_back(text):
    assert parse(text) is None


def test_the_word_for_putting_back_depends_on_the_language():
    words = frozenset({"back", "zurück", "на місце", "strasse"})
    assert parse("Zurück", words) == PutBack()
    assert parse("На Місце", words) == PutBack()
    assert parse("STRAẞE", words) == PutBack()
    assert parse("zurück") is None
    assert parse("42", words) == Number(42)


# --- a second description, character by character ---

ZERO_WIDTH = {chr(code) for code in range(0x110000) if unicodedata.category(chr(code)) == "Cf"}


def value_of_digit(char):
    """The value of a decimal digit, by the name that Unicode gives it."""
    names = ["ZERO", "ONE", "TWO", "THREE", "FOUR", "FIVE", "SIX", "SEVEN", "EIGHT", "NINE"]
    name = unicodedata.name(char, "").split()
    if unicodedata.category(char) != "Nd" or name[-2:-1] != ["DIGIT"]:
        return None
    return names.index(name[-1])


def described(text):
    """What the rules say of a text, told another way: peel, then look at what is left."""
    letters = list(text)
    while letters and (letters[0].strip() == "" or letters[0] in ZERO_WIDTH):
        letters.pop(0)
    while letters and (letters[-1].strip() == "" or letters[-1] in ZERO_WIDTH):
        letters.pop()
    if len(letters) == 1 and value_of_digit(letters[0]) == 0:
        return PutBack()
    if "".join(letters).casefold() == "back":
        return PutBack()
    if len(letters) == 3 and letters[0] == "#":
        letters = letters[1:]
    elif len(letters) == 3 and letters[2] in {".", "!"}:
        letters = letters[:2]
    if len(letters) != 2:
        return None
    tens, units = (value_of_digit(letter) for letter in letters)
    if tens is None or units is None or not 1 <= tens <= 6:
        return None
    return Number(10 * tens + units)


DIGITS = "0123456789٤٢४२４２²①一"
NEARLY = st.text(st.sampled_from(DIGITS + "#.!+-_ \n*x" + NBSP + ZWSP + RLM), max_size=6)


@settings(max_examples=1500)
@given(st.one_of(NEARLY, st.text(max_size=8)))
@example("12\x00")
@example("\ud800\udfff")
@example("\u061c12")
def test_a_text_is_a_claim_exactly_when_the_description_says_so(text):
    assert parse(text) == described(text)


NUMERIC = [chr(code) for code in range(0x110000) if unicodedata.category(chr(code))[0] == "N"]


@pytest.mark.parametrize("text", ["1{}", "{}2", "#{}2", "{}{}!", "{}"])
def test_of_all_characters_that_mean_a_number_the_decimal_digits_alone_count(text):
    assert len(NUMERIC) > 1700
    for char in NUMERIC:
        typed = text.format(char, char)
        assert parse(typed) == described(typed), typed


@settings(max_examples=300)
@given(st.text(st.characters(), max_size=80))
def test_no_text_ever_raises(text):
    assert parse(text) is None or isinstance(parse(text), Number | PutBack)


@given(
    st.integers(10, 69),
    st.text(st.sampled_from(EDGES), max_size=5),
    st.text(st.sampled_from(EDGES), max_size=5),
    st.sampled_from(["{}", "#{}", "{}.", "{}!"]),
)
def test_every_form_of_every_number_is_read(value, before, after, form):
    assert parse(before + form.format(value) + after) == Number(value)
