"""Runs the migrations, when the bot starts and for the `alembic` command."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Literal

from alembic import context
from alembic.util import CommandError
from sqlalchemy import URL, create_engine, event, make_url
from sqlalchemy.pool import NullPool

from bot.store.models import Base, UtcDateTime

if TYPE_CHECKING:
    from alembic.autogenerate.api import AutogenContext
    from sqlalchemy import Connection


def database_url() -> URL:
    given = (
        context.config.attributes.get("url")
        or context.get_x_argument(as_dictionary=True).get("url")
        or os.environ.get("ROX_DATABASE_URL")
    )
    if not given:
        raise CommandError("Set ROX_DATABASE_URL, or give the address with -x url=ADDRESS.")
    url = make_url(given)
    return url.set(drivername=url.get_backend_name())


def render_item(kind: str, item: Any, _context: AutogenContext) -> str | Literal[False]:
    if kind == "type" and isinstance(item, UtcDateTime):
        return "sa.DateTime(timezone=True)"
    return False


def check_foreign_keys(connection: Connection) -> None:
    # Batch mode rebuilds tables, which works only with foreign keys off, SQLite's default. So a
    # migration could leave broken references unnoticed.
    broken = connection.exec_driver_sql("PRAGMA foreign_key_check").fetchall()
    if broken:
        raise CommandError(f"The migration leaves broken references: {broken[:5]}")


def run() -> None:
    if context.is_offline_mode():
        raise CommandError("These migrations work on a database, not on paper.")
    engine = create_engine(database_url(), poolclass=NullPool)

    # The driver begins no transaction before CREATE TABLE, so a failed migration would leave half
    # of its tables behind.
    @event.listens_for(engine, "begin")
    def on_begin(connection: Connection) -> None:
        connection.exec_driver_sql("BEGIN IMMEDIATE")

    with engine.connect() as connection:
        context.configure(
            connection=connection,
            target_metadata=Base.metadata,
            render_as_batch=True,
            render_item=render_item,
            transactional_ddl=True,
        )
        with context.begin_transaction():
            context.run_migrations()
            check_foreign_keys(connection)
    engine.dispose()


run()
