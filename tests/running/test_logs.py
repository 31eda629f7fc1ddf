"""What people write reaches the log escaped: no record that nobody wrote, nothing to obey."""

import io
import logging
import re
import sys
import unicodedata
import warnings

import pytest
from discord.voice_client import VoiceClient
from hypothesis import given
from hypothesis import strategies as st

from bot.app.logs import CONTINUED, LineFormatter, log_to_stderr, one_line
from bot.sandbox.interceptor import ApiResponse
from bot.sandbox.run import LoopbackDiscord
from bot.settings import read_settings
from tests.kit.wire.faults import ANSWER, EDIT, POST, Faults
from tests.kit.wire.process import at, connected, said, starting

FORGED = "2026-01-01 00:00:00,000 ERROR   bot.matches.runner: all is lost"
EVIL = f"Eve\n{FORGED}\r\n\x1b[2J\x1b]0;owned\x07\x9b31m\x00\u2028{FORGED}\u202e"
TOKEN = "some.token.here"  # noqa: S105 - it is none
RECORD = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,\d{3} [A-Z]+ +[\w.]+: ")
OBEYED = {"Cc", "Cf", "Cs", "Zl", "Zp"}


def check(output):
    """Every line is a record's first, or indented; nothing in it is more than seen."""
    lines = output.rstrip("\n").split("\n")
    for line in lines:
        assert RECORD.match(line) or line.startswith(CONTINUED), line
        assert not [c for c in line if unicodedata.category(c) in OBEYED], repr(line)
    return lines


@pytest.fixture
def log(monkeypatch, tmp_path):
    """The log of `rox run`, set up as it is there, writing into memory."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DISCORD_TOKEN", TOKEN)
    monkeypatch.setenv("ROX_LOG_LEVEL", "DEBUG")
    monkeypatch.setattr(VoiceClient, "warn_nacl", True)
    monkeypatch.setattr(VoiceClient, "warn_dave", True)
    written = io.StringIO()
    monkeypatch.setattr(sys, "stderr", written)
    root = logging.getLogger()
    handlers, level = list(root.handlers), root.level
    log_to_stderr(read_settings(), TOKEN)
    (added,) = [handler for handler in root.handlers if handler not in handlers]
    yield written
    root.removeHandler(added)
    root.setLevel(level)
    logging.captureWarnings(capture=False)


@pytest.mark.parametrize("name", ["bot.channel.display", "discord.gateway", "asyncio"])
@pytest.mark.parametrize("way", ["argument", "message", "repr"])
def test_a_record_is_one_line_whoever_writes_it(log, name, way):
    logger = logging.getLogger(name)
    match way:
        case "argument":
            logger.warning("%s joined %d", EVIL, 3)
        case "message":
            logger.warning(EVIL)
        case _:
            logger.warning("%r joined", [EVIL])
    (line,) = check(log.getvalue())
    assert r"Eve\n2026-01-01" in line.replace("\\\\", "\\")


def broken():
    try:
        int(EVIL)
    except ValueError as error:
        raise RuntimeError(f"{TOKEN} {EVIL}") from error


def test_an_exception_s_text_forges_no_record(log):
    try:
        broken()
    except RuntimeError:
        logging.getLogger("bot").exception("it broke for %s", EVIL)
    logging.getLogger("bot").warning("here", stack_info=True)
    lines = check(log.getvalue())
    assert len([line for line in lines if RECORD.match(line)]) == 2
    assert any("RuntimeError" in line for line in lines)
    assert TOKEN not in log.getvalue()
    assert "[token]" in log.getvalue()


def test_a_warning_of_python_is_a_record(log):
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        logging.captureWarnings(capture=True)
        warnings.warn(EVIL, stacklevel=1)
        logging.captureWarnings(capture=False)
    assert len(check(log.getvalue())) == 1


@given(st.text())
def test_any_text_becomes_one_line_that_says_the_same(text):
    line = one_line(text)
    assert not [c for c in line if unicodedata.category(c) in OBEYED]
    assert line.isprintable() or " " in line or any(ord(c) > 127 for c in line)
    if text.isprintable():
        assert line == text


def test_half_a_character_can_be_written_too():
    assert one_line("a\ud800b") == r"a\ud800b"


@given(st.text(), st.text())
def test_no_record_has_a_second_line_of_its_own(message, name):
    record = logging.LogRecord(name, logging.INFO, "", 0, "%s", (message,), None)
    assert "\n" not in LineFormatter("?token?").format(record)


async def test_the_log_of_a_running_bot_is_its_own(tmp_path):
    """Names, channels, messages and refusals of Discord's that all try to write into the log."""
    interceptor = Faults()
    async with LoopbackDiscord(interceptor=interceptor) as loopback, starting(tmp_path) as start:
        loopback.world.edit_guild(loopback.guild.id, {"name": EVIL})
        process = await start(**at(loopback))
        await connected(loopback)
        eve = loopback.person(EVIL)
        eve.say(EVIL)
        assert "The lobby is open" in await said(loopback, eve.slash("rox play"))
        lobby = await eve.wait_for_message("who plays")

        async def spite(request, serve, lifted):
            return ApiResponse(400, {"code": 50035, "message": f"Invalid: {EVIL}"})

        for call in (ANSWER, EDIT, POST):
            interceptor.on(call, spite)
        other = loopback.person("Bo")
        await other.press(lobby.id, "Join").response()
        await process.tells("Invalid")
        interceptor.lift_all()
        assert await process.stop() == 0
    told = process.told("Invalid")
    assert told
    assert all(r"Eve\n2026" in line for line in told), told
    check(process.output)
