"""The settings of servers.

Who may play, and where, are fields of `ServerSettings`. All other settings come in sections: one
for each game and one for the look of messages. A section is a frozen dataclass, defined elsewhere,
whose fields are plain values with defaults. It is stored under its name, and only with the values
that differ from the defaults.
"""

from __future__ import annotations

from dataclasses import MISSING, asdict, dataclass, field, fields, replace
from enum import StrEnum
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeVar

from sqlalchemy import delete, select

from bot.store.models import AllowedChannelRow, GuildRow, SectionRow

if TYPE_CHECKING:
    from collections.abc import Mapping

    from _typeshed import DataclassInstance
    from sqlalchemy.ext.asyncio import AsyncSession

S = TypeVar("S", bound="DataclassInstance")


class Starters(StrEnum):
    """Who may start matches in a server."""

    EVERYONE = "everyone"
    MANAGERS = "managers"
    ROLE = "role"


def _no_sections() -> Mapping[str, Mapping[str, Any]]:
    return MappingProxyType({})


@dataclass(frozen=True, slots=True)
class ServerSettings:
    """The settings of one server; a change applies from the next match on.

    Attributes:
        opponents: whether simulated opponents may play.
        channels: ids of the channels in which matches may be played, in ascending order; empty
            means everywhere.
        starters: who may start matches.
        starter_role: id of the role that may start matches, if `starters` is `Starters.ROLE`.
        sections: the values that differ from the defaults, by the section's name; read them with
            `section`.
    """

    opponents: bool = True
    channels: tuple[int, ...] = ()
    starters: Starters = Starters.EVERYONE
    starter_role: int | None = None
    sections: Mapping[str, Mapping[str, Any]] = field(default_factory=_no_sections)

    def section(self, name: str, kind: type[S]) -> S:
        """Return a section's settings as a `kind`, with its defaults where nothing was chosen.

        A stored value that its field no longer accepts is replaced by the default, so that an older
        database stays readable.

        >>> @dataclass(frozen=True)
        ... class Pace:
        ...     rest_ms: int = 2000
        ...     rounds: int = 5
        >>> slow = ServerSettings().with_section("race", Pace(rest_ms=5000))
        >>> slow.section("race", Pace)
        Pace(rest_ms=5000, rounds=5)
        """
        chosen = self.sections.get(name, {})
        values: dict[str, Any] = {}
        for spec in fields(kind):
            if spec.name in chosen and spec.default is not MISSING:
                values[spec.name] = _convert(chosen[spec.name], spec.default)
        return kind(**values)

    def with_section(self, name: str, settings: DataclassInstance) -> ServerSettings:
        """Return a copy in which one section has other settings."""
        defaults = {spec.name: spec.default for spec in fields(settings)}
        chosen = {key: value for key, value in asdict(settings).items() if value != defaults[key]}
        others = {other: values for other, values in self.sections.items() if other != name}
        return replace(self, sections=others | {name: chosen} if chosen else others)


async def load(session: AsyncSession, guild: int) -> ServerSettings:
    """Return a server's settings, with the defaults where nothing was chosen.

    To change a setting, load, replace and save within one writing session; otherwise one of two
    changes made at the same time would be lost.
    """
    row = await session.get(GuildRow, guild)
    if row is None:
        return ServerSettings()
    channels = await session.scalars(
        select(AllowedChannelRow.channel_id)
        .where(AllowedChannelRow.guild_id == guild)
        .order_by(AllowedChannelRow.channel_id)
    )
    sections = await session.execute(
        select(SectionRow.name, SectionRow.chosen).where(SectionRow.guild_id == guild)
    )
    return ServerSettings(
        opponents=row.opponents,
        channels=tuple(channels),
        starters=Starters(row.starters),
        starter_role=row.starter_role,
        sections={row.name: row.chosen for row in sections},
    )


async def save(session: AsyncSession, guild: int, settings: ServerSettings) -> None:
    """Store a server's settings, replacing its earlier ones."""
    await session.merge(
        GuildRow(
            guild_id=guild,
            opponents=settings.opponents,
            starters=settings.starters,
            starter_role=settings.starter_role,
        )
    )
    await session.flush()
    await session.execute(delete(AllowedChannelRow).where(AllowedChannelRow.guild_id == guild))
    await session.execute(delete(SectionRow).where(SectionRow.guild_id == guild))
    session.add_all(
        AllowedChannelRow(guild_id=guild, channel_id=channel) for channel in set(settings.channels)
    )
    session.add_all(
        SectionRow(guild_id=guild, name=name, chosen=dict(chosen))
        for name, chosen in settings.sections.items()
    )
    await session.flush()


def _convert(value: Any, default: Any) -> Any:
    try:
        return type(default)(value)
    except (TypeError, ValueError):
        return default
