"""First tables.

Revision ID: 0001
Revises:
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision: str = "0001"
down_revision: str | None = None
branch_labels: None = None
depends_on: None = None


def upgrade() -> None:
    op.create_table(
        "remembered",
        sa.Column("name", sa.String(length=64), nullable=False),
        sa.Column("value", sa.String(length=256), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_remembered")),
    )
    op.create_table(
        "guild_settings",
        sa.Column("guild_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("opponents", sa.Boolean(), server_default=sa.true(), nullable=False),
        sa.Column("starters", sa.String(length=16), nullable=False),
        sa.Column("starter_role", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("guild_id", name=op.f("pk_guild_settings")),
    )
    op.create_table(
        "matches",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("guild_id", sa.BigInteger(), nullable=False),
        sa.Column("channel_id", sa.BigInteger(), nullable=False),
        sa.Column("game", sa.String(length=32), nullable=False),
        sa.Column("rules_version", sa.Integer(), nullable=False),
        sa.Column("status", sa.String(length=16), nullable=False),
        sa.Column("end_reason", sa.String(length=32), nullable=True),
        sa.Column("opened_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("closed", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("counts", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("rated", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.CheckConstraint(
            "(status = 'open') = (end_reason IS NULL)", name=op.f("ck_matches_ended_for_a_reason")
        ),
        sa.CheckConstraint(
            "NOT (closed AND status = 'open')", name=op.f("ck_matches_closed_after_end")
        ),
        sa.CheckConstraint(
            "status IN ('open', 'finished', 'void')", name=op.f("ck_matches_status")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_matches")),
    )
    op.create_index(
        "ix_matches_not_closed",
        "matches",
        ["id"],
        unique=False,
        sqlite_where=sa.text("closed IS 0"),
        postgresql_where=sa.text("closed IS false"),
    )
    op.create_index(
        "uq_matches_open_channel",
        "matches",
        ["channel_id"],
        unique=True,
        sqlite_where=sa.text("status = 'open'"),
        postgresql_where=sa.text("status = 'open'"),
    )
    op.create_table(
        "standings",
        sa.Column("guild_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("game", sa.String(length=32), nullable=False),
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("name", sa.String(length=100), nullable=False),
        sa.Column("matches", sa.Integer(), nullable=False),
        sa.Column("wins", sa.Integer(), nullable=False),
        sa.Column("points", sa.Integer(), nullable=False),
        sa.Column("places_sum", sa.Integer(), nullable=False),
        sa.Column("cards", sa.Integer(), nullable=False),
        sa.Column("right_cards", sa.Integer(), nullable=False),
        sa.Column("fastest_ms", sa.Integer(), nullable=True),
        sa.PrimaryKeyConstraint("guild_id", "game", "user_id", name=op.f("pk_standings")),
    )
    op.create_index(
        "ix_standings_board",
        "standings",
        ["guild_id", "game", sa.text("wins DESC"), sa.text("points DESC"), "user_id"],
    )
    op.create_table(
        "actions",
        sa.Column("match_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("seq", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("action_id", sa.BigInteger(), nullable=False),
        sa.Column("source_id", sa.BigInteger(), nullable=True),
        sa.Column("user_id", sa.BigInteger(), nullable=True),
        sa.Column("kind", sa.String(length=32), nullable=False),
        sa.Column("payload", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(
            ["match_id"],
            ["matches.id"],
            name=op.f("fk_actions_match_id_matches"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("match_id", "seq", name=op.f("pk_actions")),
        sa.UniqueConstraint("match_id", "source_id", name=op.f("uq_actions_match_id_source_id")),
    )
    op.create_table(
        "allowed_channels",
        sa.Column("guild_id", sa.BigInteger(), nullable=False),
        sa.Column("channel_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.ForeignKeyConstraint(
            ["guild_id"],
            ["guild_settings.guild_id"],
            name=op.f("fk_allowed_channels_guild_id_guild_settings"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("guild_id", "channel_id", name=op.f("pk_allowed_channels")),
    )
    op.create_table(
        "setting_sections",
        sa.Column("guild_id", sa.BigInteger(), nullable=False),
        sa.Column("name", sa.String(length=32), nullable=False),
        sa.Column("chosen", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(
            ["guild_id"],
            ["guild_settings.guild_id"],
            name=op.f("fk_setting_sections_guild_id_guild_settings"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("guild_id", "name", name=op.f("pk_setting_sections")),
    )
    op.create_table(
        "match_seats",
        sa.Column("match_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=True),
        sa.Column("name", sa.String(length=100), nullable=False),
        sa.Column("level", sa.String(length=16), nullable=True),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("place_among_people", sa.Integer(), nullable=True),
        sa.Column("points", sa.Integer(), nullable=False),
        sa.Column("left", sa.Boolean(), nullable=False),
        sa.Column("cards", sa.Integer(), nullable=False),
        sa.Column("right", sa.Integer(), nullable=False),
        sa.Column("fastest_ms", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(
            ["match_id"],
            ["matches.id"],
            name=op.f("fk_match_seats_match_id_matches"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("match_id", "number", name=op.f("pk_match_seats")),
    )


def downgrade() -> None:
    op.drop_table("match_seats")
    op.drop_table("setting_sections")
    op.drop_table("allowed_channels")
    op.drop_table("actions")
    op.drop_index("ix_standings_board", "standings")
    op.drop_table("standings")
    op.drop_index("uq_matches_open_channel", "matches")
    op.drop_index("ix_matches_not_closed", "matches")
    op.drop_table("matches")
    op.drop_table("guild_settings")
    op.drop_table("remembered")
