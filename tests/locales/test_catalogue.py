"""The catalogues: complete, in step with the code, and passed by no sentence."""

import ast
import re
from importlib.resources import files
from pathlib import Path
from string import Formatter
from types import SimpleNamespace

import pytest
from babel.messages.pofile import read_po

import bot
from bot.commands.group import game_group
from bot.games.table import GAMES
from bot.locales import template as templates
from bot.locales.catalogue import DOMAIN, Words
from bot.locales.template import TRANSLATED, extract_template

FOLDER = Path(str(files("bot.locales")))
LANGUAGES = sorted(path.parent.parent.name for path in FOLDER.glob(f"*/LC_MESSAGES/{DOMAIN}.po"))
ROOT = Path(bot.__file__).parent
SOURCES = sorted(path for folder in TRANSLATED for path in (ROOT / folder).rglob("*.py"))


def catalogue(path, locale=None):
    with path.open("rb") as source:
        return read_po(source, locale=locale)


def language(name):
    return catalogue(FOLDER / name / "LC_MESSAGES" / f"{DOMAIN}.po", name)


def sentences(found):
    return {message.id for message in found if message.id}


def forms(message):
    """Return pairs of a sentence and its translation."""
    ids = message.id if isinstance(message.id, tuple) else (message.id,)
    strings = message.string if isinstance(message.string, tuple) else (message.string,)
    return [(ids[min(number, len(ids) - 1)], text) for number, text in enumerate(strings)]


def placeholders(sentence):
    return {field for _, field, _, _ in Formatter().parse(sentence) if field is not None}


def test_there_is_english():
    assert "en" in LANGUAGES


def test_the_template_has_exactly_the_sentences_of_the_code():
    assert sentences(catalogue(FOLDER / f"{DOMAIN}.pot")) == sentences(extract_template())


@pytest.mark.parametrize("name", LANGUAGES)
def test_every_language_has_exactly_the_sentences_of_the_template(name):
    assert sentences(language(name)) == sentences(extract_template())


def test_making_the_template_anew_changes_no_sentence(tmp_path, monkeypatch):
    """`python -m bot.locales.template` is safe to run at any time."""
    path = tmp_path / "en" / "LC_MESSAGES" / f"{DOMAIN}.po"
    path.parent.mkdir(parents=True)
    path.write_bytes((FOLDER / "en" / "LC_MESSAGES" / f"{DOMAIN}.po").read_bytes())
    found = extract_template()
    monkeypatch.setattr(templates, "files", lambda _: tmp_path)
    monkeypatch.setattr(templates, "extract_template", lambda: found)
    templates.main()
    assert (tmp_path / f"{DOMAIN}.pot").read_bytes() == (FOLDER / f"{DOMAIN}.pot").read_bytes()
    assert sentences(catalogue(path, "en")) == sentences(language("en"))


def test_sentences_are_no_statements_of_a_database():
    assert not [s for s in sentences(extract_template()) if "closed IS" in s or "status =" in s]


@pytest.mark.parametrize("name", LANGUAGES)
def test_translations_have_the_placeholders_of_their_sentences(name):
    for message in language(name):
        for sentence, text in forms(message):
            if message.id and text:
                both = placeholders(sentence), placeholders(text)
                # "one more player" may leave its number out, and the other form may name it.
                assert both[0] - {"n"} == both[1] - {"n"}, text


@pytest.mark.parametrize("name", LANGUAGES)
def test_every_sentence_renders_in_every_language(name):
    words = Words(name)
    for message in language(name):
        if not message.id:
            continue
        many = isinstance(message.id, tuple)
        ids = message.id if many else (message.id,)
        values = {field: f"<{field}>" for sentence in ids for field in placeholders(sentence)}
        values.pop("n", None)
        if many:
            shown = [words.count(*message.id, number, **values) for number in (0, 1, 2, 5, 1200)]
        else:
            shown = [words.text(message.id, **values)]
        for text in shown:
            assert text
            assert "{" not in text
            assert all(value in text for value in values.values())


def test_both_forms_of_a_sentence_name_the_same_things():
    for message in extract_template():
        if isinstance(message.id, tuple):
            one, many = map(placeholders, message.id)
            assert one - {"n"} == many - {"n"}
            assert "n" in many


def test_every_count_is_given_what_its_sentences_need():
    """A sentence with a placeholder that the code does not fill would fail in front of people."""
    for path, call in calls({"text", "count"}):
        given = {keyword.arg for keyword in call.keywords}
        if call.func.attr == "count":
            given.add("n")
        literals = [a.value for a in call.args if isinstance(a, ast.Constant)]
        for sentence in literals:
            if isinstance(sentence, str):
                assert placeholders(sentence) <= given, (path.name, call.lineno)
        named = {name for s in literals if isinstance(s, str) for name in placeholders(s)}
        assert given <= named | {"n"}, (path.name, call.lineno)


def test_sentences_are_written_out_where_they_are_asked_for():
    """The extractor only finds literals."""
    for path, call in calls({"text", "count", "sentence"}):
        name = call.func.attr if isinstance(call.func, ast.Attribute) else call.func.id
        firsts = call.args[: 2 if name == "count" else 1]
        assert firsts, (path.name, call.lineno)
        for argument in firsts:
            assert isinstance(argument, ast.Constant), (path.name, call.lineno)


def calls(names):
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                func = node.func
                name = getattr(func, "attr", None) or getattr(func, "id", None)
                if name in names:
                    yield path, node


SAYING = {"send", "send_message", "edit", "edit_original_response", "edit_message", "_tell"}
SHOWING = {"Text", "TextDisplay", "Button", "SelectOption", "Picture", "File", "_Choice"}
WORDLESS = re.compile(r"[^A-Za-z]*|[a-z0-9-]+(\.png)?|(-#|#+) ")


def spoken(node):
    """Return literals with words in them that do not pass a catalogue."""
    if isinstance(node, ast.Call):
        name = getattr(node.func, "attr", None) or getattr(node.func, "id", None)
        if name in {"text", "count", "sentence"}:
            return []
    if isinstance(node, ast.Constant):
        said = isinstance(node.value, str) and not WORDLESS.fullmatch(node.value)
        return [node] if said else []
    return [found for child in ast.iter_child_nodes(node) for found in spoken(child)]


def test_no_sentence_passes_the_catalogue_by():
    for path, call in calls(SAYING | SHOWING):
        named = [k.value for k in call.keywords if k.arg not in {"custom_id", "nonce"}]
        arguments = [*call.args, *named]
        found = [literal.value for argument in arguments for literal in spoken(argument)]
        assert not found, (path.name, call.lineno, found)


def test_what_is_put_together_of_lines_passes_it_neither():
    """Lists of lines, and strings that are returned, are how longer texts are made."""
    for path in SOURCES:
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            parts = []
            if isinstance(node, ast.JoinedStr):
                parts = [v for v in node.values if isinstance(v, ast.Constant)]
            elif isinstance(node, ast.Return) and isinstance(node.value, ast.Constant):
                parts = [node.value]
            for part in parts:
                words = re.findall(r"[A-Za-z]{2,}", str(part.value))
                if isinstance(part.value, str) and " " in part.value.strip():
                    assert not words, (path.name, node.lineno, part.value)


def test_the_scan_finds_what_it_looks_for():
    bad = ast.parse('channel.send("Hello there")').body[0].value
    good = ast.parse('channel.send(words.text("Hello there"))').body[0].value
    assert spoken(bad.args[0])
    assert not spoken(good.args[0])
    assert len(list(calls(SAYING | SHOWING))) > 30


def test_commands_are_described():
    """Command descriptions are at most a hundred characters long."""
    found = list(described(game_group(SimpleNamespace(words=Words()), GAMES["rox"])))
    assert len(found) > 10
    assert all(0 < len(text) <= 100 for text in found)


def described(command):
    yield command.description
    for part in getattr(command, "commands", None) or getattr(command, "parameters", ()):
        yield from described(part)


def test_sentences_are_friendly():
    """No shouting, no jargon of programmers, and every full sentence ends as one."""
    jargon = re.compile(r"\b(invalid|error|exception|null|None|failed|denied|user|ID)\b")
    for found in sentences(extract_template()):
        for sentence in found if isinstance(found, tuple) else (found,):
            assert not jargon.search(sentence), sentence
            assert sentence == sentence.strip(), sentence
            assert "  " not in sentence
