import subprocess
import sys

import pytest

from bot.store.files import StoreError, UnreachableDatabaseError, UnsupportedDatabaseError
from bot.store.locking import DatabaseInUseError, database_lock

HOLD = """
import sys
from bot.store.locking import database_lock

with database_lock(sys.argv[1]):
    print("held", flush=True)
    sys.stdin.read()
"""


def holder(url):
    return subprocess.Popen(
        [sys.executable, "-c", HOLD, url],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def test_a_second_process_is_refused_until_the_first_has_ended(url, tmp_path):
    with holder(url) as process:
        assert process.stdout.readline() == "held\n"
        with pytest.raises(DatabaseInUseError) as refused, database_lock(url):
            pass
        process.kill()
        process.wait()
        with database_lock(url):
            pass
    assert str(refused.value) == (
        f"Another process is already using the database {tmp_path / 'rox.sqlite3'}."
    )
    assert isinstance(refused.value, StoreError)


def test_a_lock_is_given_back_and_can_be_taken_again(url):
    with database_lock(url), pytest.raises(DatabaseInUseError), database_lock(url):
        pass
    with database_lock(url):
        pass


def test_the_lock_is_beside_the_database_which_need_not_be_there(tmp_path):
    with database_lock(f"sqlite+aiosqlite:///{tmp_path}/new/deep/rox.sqlite3"):
        assert [file.name for file in (tmp_path / "new/deep").iterdir()] == ["rox.sqlite3.lock"]


def test_databases_are_locked_one_by_one(tmp_path):
    with (
        database_lock(f"sqlite+aiosqlite:///{tmp_path}/a.sqlite3"),
        database_lock(f"sqlite+aiosqlite:///{tmp_path}/b.sqlite3"),
    ):
        pass


def test_a_place_that_cannot_be_used_is_reported_in_one_sentence(tmp_path):
    (tmp_path / "file").touch()
    with (
        pytest.raises(UnreachableDatabaseError, match=r"cannot be used: .*\.$"),
        database_lock(f"sqlite+aiosqlite:///{tmp_path}/file/rox.sqlite3"),
    ):
        pass
    with pytest.raises(UnsupportedDatabaseError), database_lock("sqlite+aiosqlite://"):
        pass
