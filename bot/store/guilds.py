"""What servers have chosen.

Who may play where are fields of `ServerSettings`. The rest comes in sections: what a game can be
set to, and how a channel looks, is each a dataclass of plain values with defaults elsewhere; here
it is kept under the section's name, and only where it differs from the defaults.
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


def _nothing_chosen() -> Mapping[str, Mapping[str, Any]]:
    return MappingProxyType({})


@dataclass(frozen=True, slots=True)
class ServerSettings:
    """The settings of one server; they hold from the next match on.

    Attributes:
        opponents: whether simulated opponents may play.
        channels: where matches may be played, in ascending order; empty means everywhere.
        starters: who may start matches.
        starter_role: the role that may, where `starters` is a role.
        sections: what was chosen in each section, by its name; read it with `of`.
    """

    opponents: bool = True
    channels: tuple[int, ...] = ()
    starters: Starters = Starters.EVERYONE
    starter_role: int | None = None
    sections: Mapping[str, Mapping[str, Any]] = field(default_factory=_nothing_chosen)

    def of(self, section: str, kind: type[S]) -> S:
        """Return a section's settings, with the defaults of `kind` where nothing was chosen.

        A value that the section no longer knows gives way to the default.

        >>> @dataclass(frozen=True)
        ... class Pace:
        ...     rest_ms: int = 2000
        ...     rounds: int = 5
        >>> slow = ServerSettings().having("race", Pace(rest_ms=5000))
        >>> slow.of("race", Pace)
        Pace(rest_ms=5000, rounds=5)
        """
        chosen = self.sections.get(section, {})
        values: dict[str, Any] = {}
        for spec in fields(kind):
            if spec.name in chosen and spec.default is not MISSING:
                values[spec.name] = _read(chosen[spec.name], spec.default)
        return kind(**values)

    def having(self, section: str, settings: DataclassInstance) -> ServerSettings:
        """Return the settings with those of one section in place of its present ones."""
        defaults = {spec.name: spec.default for spec in fields(settings)}
        chosen = {
            name: value for name, value in asdict(settings).items() if value != defaults[name]
        }
        others = {name: values for name, values in self.sections.items() if name != section}
        return replace(self, sections=others | {section: chosen} if chosen else others)


async def load(session: AsyncSession, guild: int) -> ServerSettings:
    """Return a server's settings: the defaults, where it has chosen nothing.

    To change one setting, load, replace and save within one writing session, so that of two
    changes at the same time none is lost.
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
    """Keep a server's settings in place of those it had."""
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


def _read(value: Any, default: Any) -> Any:
    try:
        return type(default)(value)
    except (TypeError, ValueError):
        return default
