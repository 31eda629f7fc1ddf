"""Figures by name.

One JSON column replaces the columns of Rox's figures, so that each game can have its own figures.

Revision ID: 0002
Revises: 0001
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import sqlalchemy as sa
from alembic import op

if TYPE_CHECKING:
    from collections.abc import Mapping

revision: str = "0002"
down_revision: str | None = "0001"
branch_labels: None = None
depends_on: None = None

KEYS = {"match_seats": ("match_id", "number"), "standings": ("guild_id", "game", "user_id")}
COLUMNS = {
    "match_seats": {"cards": "cards", "right": "right", "fastest_ms": "fastest_ms"},
    "standings": {"cards": "cards", "right": "right_cards", "fastest_ms": "fastest_ms"},
}
"""The column of each figure, by table and the figure's name."""


def upgrade() -> None:
    op.drop_index("ix_standings_board", "standings")
    for table, columns in COLUMNS.items():
        with op.batch_alter_table(table) as batch:
            batch.add_column(sa.Column("figures", sa.JSON(), nullable=True))
        for key, row in select_rows(table, *map(sa.column, columns.values())):
            figures = {name: row[column] for name, column in columns.items()}
            known = {name: value for name, value in figures.items() if value is not None}
            update_row(table, key, {"figures": known})
        with op.batch_alter_table(table) as batch:
            batch.alter_column("figures", existing_type=sa.JSON(), nullable=False)
            for column in columns.values():
                batch.drop_column(column)
    create_board_index()


def downgrade() -> None:
    op.drop_index("ix_standings_board", "standings")
    # These columns hold Rox's figures only; those of other games are lost.
    for table, columns in COLUMNS.items():
        with op.batch_alter_table(table) as batch:
            for column in columns.values():
                batch.add_column(sa.Column(column, sa.Integer(), nullable=True))
        for key, row in select_rows(table, sa.column("figures", sa.JSON())):
            values = {column: row["figures"].get(name) for name, column in columns.items()}
            for name, column in columns.items():
                if name != "fastest_ms":
                    values[column] = values[column] or 0
            update_row(table, key, values)
        with op.batch_alter_table(table) as batch:
            for name, column in columns.items():
                if name != "fastest_ms":
                    batch.alter_column(column, existing_type=sa.Integer(), nullable=False)
            batch.drop_column("figures")
    create_board_index()


def create_board_index() -> None:
    # Batch mode would rebuild the index without the descending order of its columns.
    op.create_index(
        "ix_standings_board",
        "standings",
        ["guild_id", "game", sa.text("wins DESC"), sa.text("points DESC"), "user_id"],
    )


def select_rows(
    table: str, *columns: sa.ColumnClause[Any]
) -> list[tuple[Mapping[str, Any], Mapping[str, Any]]]:
    keys = [sa.column(key) for key in KEYS[table]]
    found = op.get_bind().execute(sa.select(*keys, *columns).select_from(sa.table(table)))
    return [
        ({key.name: row[key.name] for key in keys}, {c.name: row[c.name] for c in columns})
        for row in found.mappings()
    ]


def update_row(table: str, key: Mapping[str, Any], values: Mapping[str, Any]) -> None:
    columns = [sa.column("figures", sa.JSON()), *map(sa.column, COLUMNS[table].values())]
    target = sa.table(table, *map(sa.column, key), *columns)
    same_key = sa.and_(*(target.c[name] == value for name, value in key.items()))
    op.get_bind().execute(sa.update(target).where(same_key).values(**values))
