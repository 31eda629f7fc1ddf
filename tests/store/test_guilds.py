import asyncio
from dataclasses import dataclass, replace

from bot.store.guilds import ServerSettings, Starters, load, save
from game.rox.settings import Checking, Preset, RoxSettings
from tests.kit.stored_logs import GUILD

CHOSEN = ServerSettings(
    opponents=False,
    channels=(11, 1_100_000_000_000_000_099),
    starters=Starters.ROLE,
    starter_role=1_100_000_000_000_000_077,
).with_section(
    "rox", RoxSettings(preset=Preset.FAIR, checking=Checking.INSTANT, shortest=3, rest_ms=1_500)
)


@dataclass(frozen=True)
class OtherGame:
    stones: int = 5
    open_hand: bool = False


async def loaded(database, guild=GUILD):
    async with database.read() as session:
        return await load(session, guild)


async def saved(database, settings, guild=GUILD):
    async with database.write() as session:
        await save(session, guild, settings)


async def test_a_server_that_chose_nothing_has_the_defaults(database):
    settings = await loaded(database)
    assert settings == ServerSettings(
        opponents=True, channels=(), starters=Starters.EVERYONE, starter_role=None
    )
    assert settings.section("rox", RoxSettings) == RoxSettings()


async def test_saved_settings_are_loaded(database):
    await saved(database, CHOSEN)
    settings = await loaded(database)
    assert settings == CHOSEN
    rox = settings.section("rox", RoxSettings)
    assert rox == RoxSettings(
        preset=Preset.FAIR, checking=Checking.INSTANT, shortest=3, rest_ms=1_500
    )
    assert isinstance(rox.preset, Preset)
    assert isinstance(settings.starters, Starters)
    assert await loaded(database, GUILD + 1) == ServerSettings()


async def test_a_later_choice_replaces_the_earlier(database):
    await saved(database, CHOSEN)
    await saved(database, CHOSEN, GUILD + 1)
    await saved(database, replace(CHOSEN, channels=(7, 5, 7), opponents=True))
    settings = await loaded(database)
    assert (settings.channels, settings.opponents) == ((5, 7), True)
    await saved(database, ServerSettings())
    assert await loaded(database) == ServerSettings()
    assert await loaded(database, GUILD + 1) == CHOSEN


async def test_games_do_not_share_settings(database):
    both = CHOSEN.with_section("other", OtherGame(stones=3, open_hand=True))
    await saved(database, both)
    settings = await loaded(database)
    assert settings.section("other", OtherGame) == OtherGame(3, open_hand=True)
    assert settings.section("rox", RoxSettings) == CHOSEN.section("rox", RoxSettings)
    assert settings.with_section("other", OtherGame()) == CHOSEN


def test_only_what_differs_from_the_defaults_is_kept():
    settings = ServerSettings().with_section("rox", RoxSettings(rest_ms=0))
    assert settings.sections == {"rox": {"rest_ms": 0}}
    assert settings.with_section("rox", RoxSettings()) == ServerSettings()


def test_a_value_that_a_game_no_longer_knows_becomes_the_default():
    stored = ServerSettings(sections={"rox": {"preset": "royal", "shortest": 3, "banners": True}})
    assert stored.section("rox", RoxSettings) == RoxSettings(shortest=3)


async def test_two_changes_at_the_same_time_are_both_kept(database):
    async def change(**changes):
        async with database.write() as session:
            settings = await load(session, GUILD)
            await save(session, GUILD, replace(settings, **changes))

    await asyncio.gather(
        change(opponents=False), change(channels=(4,)), change(starters=Starters.MANAGERS)
    )
    assert await loaded(database) == ServerSettings(
        opponents=False, channels=(4,), starters=Starters.MANAGERS
    )
