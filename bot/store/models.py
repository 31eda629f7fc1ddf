"""The tables.

Discord's ids are given, never counted up; own keys are. Times are aware and in UTC. Times of
matches are match time, made from Discord's ids.
"""

from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Any, ClassVar, Final

from sqlalchemy import (
    JSON,
    BigInteger,
    CheckConstraint,
    DateTime,
    Dialect,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    TypeDecorator,
    UniqueConstraint,
    false,
    text,
    true,
)
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

DISCORD_EPOCH: Final = datetime(2015, 1, 1, tzinfo=UTC)

NAMES: Final = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}


def utc_of(ms: int) -> datetime:
    """Return a point of match time, in milliseconds since Discord's epoch, as a date.

    >>> utc_of(1_500).isoformat()
    '2015-01-01T00:00:01.500000+00:00'
    """
    return DISCORD_EPOCH + timedelta(milliseconds=ms)


class UtcDateTime(TypeDecorator[datetime]):
    """An aware time, kept in UTC; SQLite itself would forget the zone."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Return the time in UTC.

        Raises:
            ValueError: the time is naive.
        """
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("a stored time needs a time zone")
        return value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Return the time with its zone."""
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


class Base(DeclarativeBase):
    """What all tables share."""

    metadata = MetaData(naming_convention=NAMES)
    type_annotation_map: ClassVar[dict[Any, Any]] = {
        datetime: UtcDateTime,
        dict[str, Any]: JSON,
        dict[str, int]: JSON,
    }


OwnKey: Final = BigInteger().with_variant(Integer, "sqlite")
"""The type of keys that the database counts up."""


class MatchStatus(StrEnum):
    """Whether a match runs, has a result, or ended without one."""

    OPEN = "open"
    FINISHED = "finished"
    VOID = "void"


class MatchRow(Base):
    """A match.

    `closed` is set when nothing more will happen to it: a match that has ended may still offer
    a rematch, or its end is still to be told. `counts` and `rated` are those of its result.
    """

    __tablename__ = "matches"

    id: Mapped[int] = mapped_column(OwnKey, primary_key=True)
    guild_id: Mapped[int] = mapped_column(BigInteger)
    channel_id: Mapped[int] = mapped_column(BigInteger)
    game: Mapped[str] = mapped_column(String(32))
    rules_version: Mapped[int]
    status: Mapped[str] = mapped_column(String(16))
    end_reason: Mapped[str | None] = mapped_column(String(32))
    opened_at: Mapped[datetime]
    ended_at: Mapped[datetime | None]
    closed: Mapped[bool] = mapped_column(server_default=false())
    counts: Mapped[bool] = mapped_column(server_default=false())
    rated: Mapped[bool] = mapped_column(server_default=false())

    __table_args__ = (
        CheckConstraint("status IN ('open', 'finished', 'void')", name="status"),
        CheckConstraint("(status = 'open') = (end_reason IS NULL)", name="ended_for_a_reason"),
        CheckConstraint("NOT (closed AND status = 'open')", name="closed_after_end"),
    )


Index(
    "uq_matches_open_channel",
    MatchRow.channel_id,
    unique=True,
    sqlite_where=text("status = 'open'"),
    postgresql_where=text("status = 'open'"),
)
Index(
    "ix_matches_not_closed",
    MatchRow.id,
    sqlite_where=text("closed IS 0"),
    postgresql_where=text("closed IS false"),
)


class ActionRow(Base):
    """One line of a match's log.

    `action_id` says where it stands in match time. `source_id` is the same id where a message
    or an interaction caused the action, so that none is recorded twice. `payload` is the rest
    of the action, and is never queried.
    """

    __tablename__ = "actions"

    match_id: Mapped[int] = mapped_column(
        ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True
    )
    seq: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    action_id: Mapped[int] = mapped_column(BigInteger)
    source_id: Mapped[int | None] = mapped_column(BigInteger)
    user_id: Mapped[int | None] = mapped_column(BigInteger)
    kind: Mapped[str] = mapped_column(String(32))
    payload: Mapped[dict[str, Any]]

    __table_args__ = (UniqueConstraint("match_id", "source_id"),)


class SeatRow(Base):
    """One seat of a match with a result: its place and its figures, by name."""

    __tablename__ = "match_seats"

    match_id: Mapped[int] = mapped_column(
        ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True
    )
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    user_id: Mapped[int | None] = mapped_column(BigInteger)
    name: Mapped[str] = mapped_column(String(100))
    level: Mapped[str | None] = mapped_column(String(16))
    place: Mapped[int]
    place_among_people: Mapped[int | None]
    points: Mapped[int]
    left: Mapped[bool]
    figures: Mapped[dict[str, int]]


class StandingRow(Base):
    """What the matches that count add up to, for one person in one server and game.

    `figures` holds the game's own figures by name; they are read, and never queried.
    """

    __tablename__ = "standings"

    guild_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    game: Mapped[str] = mapped_column(String(32), primary_key=True)
    user_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    name: Mapped[str] = mapped_column(String(100))
    matches: Mapped[int]
    wins: Mapped[int]
    points: Mapped[int]
    places_sum: Mapped[int]
    figures: Mapped[dict[str, int]]


Index(
    "ix_standings_board",
    StandingRow.guild_id,
    StandingRow.game,
    StandingRow.wins.desc(),
    StandingRow.points.desc(),
    StandingRow.user_id,
)


class GuildRow(Base):
    """What a server has chosen about who may play, and with whom."""

    __tablename__ = "guild_settings"

    guild_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    opponents: Mapped[bool] = mapped_column(server_default=true())
    starters: Mapped[str] = mapped_column(String(16))
    starter_role: Mapped[int | None] = mapped_column(BigInteger)


class SectionRow(Base):
    """What a server has chosen in one section, where it differs from the section's defaults."""

    __tablename__ = "setting_sections"

    guild_id: Mapped[int] = mapped_column(
        ForeignKey("guild_settings.guild_id", ondelete="CASCADE"), primary_key=True
    )
    name: Mapped[str] = mapped_column(String(32), primary_key=True)
    chosen: Mapped[dict[str, Any]]


class AllowedChannelRow(Base):
    """A channel that a server allows matches in; none means all."""

    __tablename__ = "allowed_channels"

    guild_id: Mapped[int] = mapped_column(
        ForeignKey("guild_settings.guild_id", ondelete="CASCADE"), primary_key=True
    )
    channel_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)


class KeyValueRow(Base):
    """A small fact that the bot remembers from one start to the next."""

    __tablename__ = "remembered"

    name: Mapped[str] = mapped_column(String(64), primary_key=True)
    value: Mapped[str] = mapped_column(String(256))
