"""A database that is damaged, or can only be read: said in one sentence, and never touched."""

import os
import sqlite3
from contextlib import closing

import pytest

from bot.store.files import DamagedDatabaseError, StoreError, UnreachableDatabaseError
from bot.store.migrate import ForeignDatabaseError, backup, upgrade
from tests.kit.stored_logs import record_match

PAGE = 4096


@pytest.fixture
def file(tmp_path):
    return tmp_path / "rox.sqlite3"


@pytest.fixture
async def url(file):
    """A database in which something was played."""
    url = f"sqlite+aiosqlite:///{file}"
    upgrade(url)
    await record_match(url)
    return url


def overwrite(file, start, content):
    with file.open("r+b") as opened:
        opened.seek(start)
        opened.write(content)


def no_header(file):
    overwrite(file, 0, b"\0" * 100)


def no_schema(file):
    overwrite(file, 100, b"\xee" * (PAGE - 100))


def no_pages(file):
    overwrite(file, PAGE, b"\xee" * (file.stat().st_size - PAGE))


def one_page(file):
    with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as connection:
        ((root,),) = connection.execute(
            "SELECT rootpage FROM sqlite_master WHERE type = 'table' AND name = 'actions'"
        )
    overwrite(file, (root - 1) * PAGE, b"\xee" * PAGE)


def half(file):
    os.truncate(file, file.stat().st_size // 2 // PAGE * PAGE)


def everything(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.suffix == ".sqlite3"}


@pytest.mark.parametrize("harm", [no_header, no_schema, no_pages, one_page, half])
def test_damage_is_found_at_the_start_and_nothing_is_touched(url, file, harm):
    copy = file.with_name("rox.copy-0000.sqlite3")
    copy.write_bytes(b"an earlier copy")
    harm(file)
    before = everything(file.parent)
    with pytest.raises((DamagedDatabaseError, ForeignDatabaseError)) as refused:
        upgrade(url)
    sentence = str(refused.value)
    assert str(file) in sentence
    assert "damaged" in sentence
    assert "left as it is" in sentence
    assert "`rox backup`" in sentence
    assert copy.name in sentence
    assert "\n" not in sentence
    assert everything(file.parent) == before


@pytest.mark.parametrize("harm", [no_header, no_schema, no_pages, one_page, half])
def test_no_copy_is_made_of_what_is_damaged(url, file, harm):
    harm(file)
    target = file.with_name("kept.sqlite3")
    target.write_bytes(b"the earlier one")
    with pytest.raises(StoreError):
        backup(url, target)
    assert target.read_bytes() == b"the earlier one"
    assert not list(file.parent.glob("*.part"))


def test_without_copies_none_are_named(url, file):
    no_pages(file)
    with pytest.raises(DamagedDatabaseError, match=r"one made with `rox backup`\.$"):
        upgrade(url)


def test_a_copy_that_cannot_be_made_is_reported_in_one_sentence(url, file):
    target = file.parent / "no-such-folder" / "copy.sqlite3"
    with pytest.raises(UnreachableDatabaseError, match=r"cannot be copied to .*: .*\.$"):
        backup(url, target)


async def test_an_undamaged_database_is_opened_with_its_log_file(url, file):
    """After a kill the newest commits are in a file beside the database; that is no damage."""
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA wal_autocheckpoint = 0")
        connection.execute("UPDATE matches SET game = 'other'")
        connection.commit()
        wal = file.with_name(f"{file.name}-wal").read_bytes()
        main = file.read_bytes()
    file.write_bytes(main)
    file.with_name(f"{file.name}-wal").write_bytes(wal)
    upgrade(url)
    with closing(sqlite3.connect(file)) as connection:
        assert connection.execute("SELECT DISTINCT game FROM matches").fetchall() == [("other",)]
