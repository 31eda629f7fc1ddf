import json
import os
import shutil
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from importlib.resources import files
from pathlib import Path

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import Engine, create_engine, event

from bot.store import migrate
from bot.store.database import Database
from bot.store.files import UnreachableDatabaseError
from bot.store.journal import Journal
from bot.store.migrate import (
    COPIES_KEPT,
    ForeignDatabaseError,
    NewerDatabaseError,
    backup,
    configuration,
    upgrade,
)
from bot.store.models import Base
from tests.kit.stored_logs import (
    FIGURES,
    VENUE,
    opening,
    record_match,
)

ROOT = Path(__file__).parents[2]

REVISION = '''
"""A later revision."""

import sqlalchemy as sa
from alembic import op

revision = "{revision}"
down_revision = "{down}"
branch_labels = None
depends_on = None


def upgrade():
    with op.batch_alter_table("matches", recreate="always") as batch:
        batch.add_column(sa.Column("note_{revision}", sa.String(10)))
    {more}


def downgrade():
    with op.batch_alter_table("matches", recreate="always") as batch:
        batch.drop_column("note_{revision}")
'''


@pytest.fixture
def file(tmp_path):
    return tmp_path / "rox.sqlite3"


@pytest.fixture
def later(tmp_path, monkeypatch):
    """Make the bot one with more revisions than it has."""
    place = tmp_path / "later %s"
    shutil.copytree(str(files("migrations")), place)
    monkeypatch.setattr(migrate, "files", lambda package: place)

    def add(revision, down, more="pass"):
        script = REVISION.format(revision=revision, down=down, more=more)
        (place / "versions" / f"{revision}.py").write_text(script)

    return add


def asked(file, query):
    with closing(sqlite3.connect(file)) as connection:
        return connection.execute(query).fetchall()


def lines(file, table):
    return asked(file, f"SELECT * FROM {table}")  # noqa: S608 - the tables are ours


def schema(file):
    """Return name and definition of all tables and indexes.

    A table that a migration has rebuilt has its name in quotes and its constraints in another
    order, so definitions are compared as sorted lines without quotes.
    """
    found = asked(
        file,
        "SELECT name, sql FROM sqlite_master WHERE name NOT LIKE '%alembic%' ORDER BY name",
    )
    return [(name, "\n".join(sorted(bare_lines(sql or "")))) for name, sql in found]


def bare_lines(sql):
    return [line.strip(" ,\t").replace('"', "") for line in sql.splitlines()]


def revision_of(file):
    return asked(file, "SELECT version_num FROM alembic_version")


def copies(file):
    return sorted(copy.name for copy in file.parent.glob("rox.copy-*"))


def test_upgrade_makes_a_database_where_none_is(tmp_path):
    upgrade(f"sqlite+aiosqlite:///{tmp_path}/new/deep/rox.sqlite3")
    assert [entry.name for entry in (tmp_path / "new/deep").iterdir()] == ["rox.sqlite3"]


def test_up_and_down_and_up_again(url, file):
    upgrade(url)
    first = schema(file)
    assert {name for name, _ in first} > {table.name for table in Base.metadata.sorted_tables}
    command.downgrade(configuration(url), "base")
    assert schema(file) == []
    upgrade(url)
    assert schema(file) == first
    assert copies(file) == []


def test_every_revision_can_be_taken_back_alone(url, file):
    config = configuration(url)
    revisions = [script.revision for script in ScriptDirectory.from_config(config).walk_revisions()]
    for revision in reversed(revisions):
        before = schema(file)
        command.upgrade(config, revision)
        after = schema(file)
        command.downgrade(config, "-1")
        assert schema(file) == before
        command.upgrade(config, revision)
        assert schema(file) == after


def differences(url):
    engine = create_engine(url.replace("+aiosqlite", ""))
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_server_default": True})
        found = compare_metadata(context, Base.metadata)
    engine.dispose()
    return found


def test_models_and_migrations_agree(url):
    upgrade(url)
    assert differences(url) == []


def test_models_and_migrations_make_the_same_constraints_and_indexes(url, file, tmp_path):
    upgrade(url)
    engine = create_engine(f"sqlite:///{tmp_path}/models.sqlite3")
    Base.metadata.create_all(engine)
    engine.dispose()
    assert schema(file) == schema(tmp_path / "models.sqlite3")


def test_a_drift_would_be_found(url, file):
    upgrade(url)
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("ALTER TABLE standings DROP COLUMN figures")
        connection.execute("DROP INDEX uq_matches_open_channel")
    assert {difference[0] for difference in differences(url)} == {"add_column", "add_index"}


def test_a_database_that_is_up_to_date_is_left_alone(url, file):
    upgrade(url)
    before = file.read_bytes()
    upgrade(url)
    assert file.read_bytes() == before
    assert copies(file) == []


async def test_an_older_database_is_copied_and_keeps_everything(url, file, later):
    upgrade(url)
    await record_match(url)
    tables = ("matches", "actions", "match_seats", "standings")
    before = {table: lines(file, table) for table in tables}
    assert all(before.values())
    named = {name for name, _ in schema(file)}

    later("0003", "0002")
    upgrade(url)

    assert revision_of(file) == [("0003",)]
    for table in tables:
        width = len(before[table][0])
        assert [row[:width] for row in lines(file, table)] == before[table]
    assert {name for name, _ in schema(file)} == named
    constraints = dict(schema(file))["matches"]
    assert "ck_matches_closed_after_end" in constraints
    assert "pk_matches" in constraints

    (copy,) = copies(file)
    assert copy == "rox.copy-0002.sqlite3"
    assert revision_of(file.with_name(copy)) == [("0002",)]
    for table in tables:
        assert lines(file.with_name(copy), table) == before[table]
    assert not list(file.parent.glob("*.part"))


async def test_a_copy_has_what_is_still_in_the_log_file(url, file, later):
    upgrade(url)
    database = Database.open(url)
    await Journal(database, FIGURES).create(VENUE, [opening()])
    assert file.with_name("rox.sqlite3-wal").stat().st_size > 0
    backup(url, file.with_name("kept.sqlite3"))
    await database.close()
    assert asked(file.with_name("kept.sqlite3"), "SELECT count(*) FROM actions") == [(1,)]
    assert sorted(entry.name for entry in file.parent.glob("kept*")) == ["kept.sqlite3"]


def test_only_the_newest_copies_are_kept(url, file, later):
    upgrade(url)
    bystander = file.with_name("rox-of-mine.copy-0001.sqlite3")
    bystander.touch()
    for number in range(3, 9):
        later(f"000{number}", f"000{number - 1}")
        upgrade(url)
        newest = file.with_name(f"rox.copy-000{number - 1}.sqlite3")
        os.utime(newest, ns=(number, number))
    assert copies(file) == [f"rox.copy-000{number}.sqlite3" for number in range(8 - COPIES_KEPT, 8)]
    assert bystander.exists()


def test_the_copy_just_made_is_kept_though_the_clock_was_set_back(url, file, later):
    upgrade(url)
    tomorrow = time.time() + 86_400
    for number in range(3, 9):
        later(f"000{number}", f"000{number - 1}")
        upgrade(url)
        newest = file.with_name(f"rox.copy-000{number - 1}.sqlite3")
        assert newest.exists()
        os.utime(newest, (tomorrow, tomorrow))
    assert len(copies(file)) == COPIES_KEPT


def test_a_migration_happens_wholly_or_not_at_all(url, file, later):
    upgrade(url)
    before = schema(file)
    later("0003", "0002", more='op.execute("INSERT INTO nowhere VALUES (1)")')
    with pytest.raises(UnreachableDatabaseError, match="nowhere"):
        upgrade(url)
    assert schema(file) == before
    assert revision_of(file) == [("0002",)]
    assert copies(file) == ["rox.copy-0002.sqlite3"]


async def test_a_migration_that_breaks_references_is_taken_back(url, file, later):
    upgrade(url)
    await record_match(url)
    later("0003", "0002", more='op.execute("DELETE FROM matches")')
    with pytest.raises(CommandError, match="broken references"):
        upgrade(url)
    assert asked(file, "SELECT count(*) FROM matches") == [(1,)]


def test_a_database_of_a_newer_version_is_refused_and_untouched(url, file):
    upgrade(url)
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
        connection.commit()
    before = schema(file)
    with pytest.raises(NewerDatabaseError) as refused:
        upgrade(url)
    assert str(refused.value) == f"The database {file} was written by a newer version of the bot."
    assert schema(file) == before
    assert copies(file) == []


def test_somebody_elses_file_is_refused(url, file):
    file.write_text("Dear diary, " * 100)
    with pytest.raises(ForeignDatabaseError, match="not a database of this bot"):
        upgrade(url)
    file.unlink()
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("CREATE TABLE recipes (name TEXT)")
    with pytest.raises(ForeignDatabaseError, match="not a database of this bot"):
        upgrade(url)
    assert [name for name, _ in schema(file)] == ["recipes"]


def test_a_place_that_cannot_be_used_is_reported_in_one_sentence(tmp_path):
    (tmp_path / "rox.sqlite3").mkdir()
    with pytest.raises(UnreachableDatabaseError, match=r"cannot be used: .*\.$"):
        upgrade(f"sqlite+aiosqlite:///{tmp_path}/rox.sqlite3")


def test_a_backup_replaces_an_earlier_one_only_when_it_is_whole(url, file, monkeypatch):
    target = file.with_name("kept.sqlite3")
    target.write_text("the earlier one")
    with pytest.raises(FileNotFoundError, match="There is no database"):
        backup(url, target)
    assert target.read_text() == "the earlier one"
    upgrade(url)
    backup(url, target)
    assert schema(target) == schema(file)


def test_a_database_is_in_wal_mode_before_it_is_first_opened(url, file):
    upgrade(url)
    assert asked(file, "PRAGMA journal_mode") == [("wal",)]
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")
    upgrade(url)
    assert asked(file, "PRAGMA journal_mode") == [("wal",)]


def test_the_command_line_of_alembic_works_in_a_checkout(url, file):
    environment = {name: value for name, value in os.environ.items() if name != "ROX_DATABASE_URL"}

    def alembic(*words, **variables):
        done = subprocess.run(
            [sys.executable, "-W", "error", "-m", "alembic", *words],
            cwd=ROOT,
            env=environment | variables,
            check=False,
            capture_output=True,
            text=True,
        )
        return done.returncode, done.stdout + done.stderr

    status, told = alembic("upgrade", "head", ROX_DATABASE_URL=url)
    assert status == 0, told
    head = ScriptDirectory.from_config(configuration(url)).get_current_head()
    assert revision_of(file) == [(head,)]
    status, told = alembic("-x", f"url={url}", "check")
    assert status == 0, told
    status, told = alembic("current")
    assert status != 0
    assert "Set ROX_DATABASE_URL" in told


def test_foreign_keys_are_off_while_tables_are_rebuilt(url, file, later):
    """With them on, rebuilding matches would delete every log."""
    upgrade(url)
    seen = []

    def note(connection, _record):
        seen.append(connection.execute("PRAGMA foreign_keys").fetchone())

    later("0003", "0002")
    event.listen(Engine, "connect", note)
    try:
        upgrade(url)
    finally:
        event.remove(Engine, "connect", note)
    assert seen == [(0,)]


def insert(connection, table, **values):
    columns = ", ".join(f'"{name}"' for name in values)
    marks = ", ".join("?" * len(values))
    connection.execute(
        f"INSERT INTO {table} ({columns}) VALUES ({marks})",  # noqa: S608 - the names are constants below
        tuple(values.values()),
    )


def with_figures(file):
    """Fill a database of the first revision with the result of a match and two standings."""
    with closing(sqlite3.connect(file)) as connection:
        insert(
            connection,
            "matches",
            id=1,
            guild_id=5,
            channel_id=6,
            game="rox",
            rules_version=1,
            status="finished",
            end_reason="finished",
            opened_at="2026-01-01",
            closed=1,
            counts=1,
            rated=1,
        )
        for number, (cards, right, fastest) in enumerate([(20, 18, 31_000), (0, 0, None)]):
            shared = {"name": "Ada", "points": 9, "cards": cards, "fastest_ms": fastest}
            seat = {"number": number, "user_id": number, "place": 1, "place_among_people": 1}
            insert(connection, "match_seats", match_id=1, right=right, left=0, **seat, **shared)
            sums = {"user_id": number, "matches": 1, "wins": number, "places_sum": 1}
            key = {"guild_id": 5, "game": "rox"}
            insert(connection, "standings", right_cards=right, **key, **sums, **shared)
        connection.commit()


def test_figures_keep_their_values_up_and_down(url, file):
    config = configuration(url)
    command.upgrade(config, "0001")
    with_figures(file)
    tables = ("matches", "match_seats", "standings")
    before, made = {table: lines(file, table) for table in tables}, schema(file)

    command.upgrade(config, "0002")
    for table in ("match_seats", "standings"):
        found = asked(file, f"SELECT figures FROM {table} ORDER BY user_id")  # noqa: S608 - the tables are ours
        assert [json.loads(text) for (text,) in found] == [
            {"cards": 20, "right": 18, "fastest_ms": 31_000},
            {"cards": 0, "right": 0},
        ]
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("UPDATE standings SET figures = '{\"points\": 3}' WHERE user_id = 1")
        connection.commit()

    command.downgrade(config, "0001")
    assert {table: lines(file, table) for table in tables} == before
    assert schema(file) == made
