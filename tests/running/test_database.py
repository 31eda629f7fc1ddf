"""`rox run` on a database that can't be used: one sentence, a status, and nothing is touched."""

import asyncio
import ctypes
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from bot.sandbox.run import LoopbackDiscord
from bot.store.migrate import upgrade
from tests.kit.wire.process import at, starting

PR_CAPBSET_DROP = 24
CAP_DAC_OVERRIDE = 1


@pytest.fixture
def database(tmp_path):
    path = tmp_path / "rox.sqlite3"
    upgrade(f"sqlite+aiosqlite:///{path}")
    return path


def heed_modes():
    """Let the modes of files hold for this process too, should it be root's."""
    ctypes.CDLL(None).prctl(PR_CAPBSET_DROP, CAP_DAC_OVERRIDE, 0, 0, 0)


def rox(folder, *command):
    """Run a command that ends by itself; return its status and what it wrote."""
    ended = subprocess.run(
        [sys.executable, "-m", "bot", *command],
        cwd=folder,
        env={"PYTHONPATH": str(Path.cwd()), "DISCORD_TOKEN": "some.token.here"},
        preexec_fn=heed_modes,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    return ended.returncode, ended.stdout + ended.stderr


def one_sentence(folder, *command):
    status, told = rox(folder, *command)
    assert status == 1, told
    assert "Traceback" not in told
    assert len(told.splitlines()) == 1
    return told


@pytest.mark.parametrize("command", [["run"], ["backup", "copy.sqlite3"]])
def test_a_damaged_database_is_told_and_left_alone(tmp_path, database, command):
    content = database.read_bytes()
    damaged = content[:4096] + b"\xee" * (len(content) - 4096)
    database.write_bytes(damaged)
    told = one_sentence(tmp_path, *command)
    assert "is damaged" in told
    assert "`rox backup`" in told
    assert database.read_bytes() == damaged
    assert not (tmp_path / "copy.sqlite3").exists()


@pytest.mark.parametrize("which", ["file", "folder", "both"])
def test_a_database_that_can_only_be_read_is_told_and_left_alone(tmp_path, database, which):
    before = database.read_bytes()
    if which in {"file", "both"}:
        database.chmod(0o444)
    if which in {"folder", "both"}:
        tmp_path.chmod(0o555)
    try:
        told = one_sentence(tmp_path, "run")
    finally:
        tmp_path.chmod(0o755)
    assert "cannot be used: " in told
    assert database.read_bytes() == before


def test_a_database_that_can_only_be_read_can_still_be_copied(tmp_path, database):
    database.chmod(0o444)
    status, told = rox(tmp_path, "backup", "copy.sqlite3")
    assert status == 0, told
    with closing(sqlite3.connect(tmp_path / "copy.sqlite3")) as copy:
        assert copy.execute("SELECT count(*) FROM matches").fetchall() == [(0,)]


async def test_what_fails_only_once_it_runs_is_told_in_one_sentence(tmp_path, database):
    """Somebody has taken a table away: that shows when the bot looks for what it sent last."""
    with closing(sqlite3.connect(database)) as connection:
        connection.execute("DROP TABLE remembered")
    async with LoopbackDiscord() as loopback, starting(tmp_path) as start:
        process = await start(**at(loopback, ROX_LOG_LEVEL="WARNING"))
        async with asyncio.timeout(60):
            assert await process.ends() == 1
    assert "Traceback" not in process.output
    assert "cannot be used: no such table: remembered." in process.lines[-1]
