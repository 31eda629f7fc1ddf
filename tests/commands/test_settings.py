"""`/rox settings`: who may, what the selects show, and that what is chosen is kept and holds."""

import pytest

from bot.store import guilds
from bot.store.guilds import Starters
from game.rox.engine import read_settings
from game.rox.settings import Checking, Preset, RoxSettings
from tests.kit.table import ACT_S, answer_of

CHOICES = {
    "preset": ("fair", lambda s: rox(s).preset is Preset.FAIR),
    "checking": ("instant", lambda s: rox(s).checking is Checking.INSTANT),
    "shortest": ("3", lambda s: rox(s).shortest == 3),
    "rest": ("0", lambda s: rox(s).rest_ms == 0),
    "opponents": ("no", lambda s: not s.opponents),
    "starters": ("managers", lambda s: s.starters is Starters.MANAGERS),
}


def rox(server):
    return server.section("rox", RoxSettings)


async def settings(table, person):
    result = await person.slash(table.channel, "rox settings")
    await table.advance(ACT_S)
    return result.response


def walk(components):
    for component in components:
        yield component
        yield from walk(component.get("components", ()))


def select_of(response, custom_id):
    found = [c for c in walk(response.components) if c.get("custom_id") == custom_id]
    assert len(found) == 1, custom_id
    return found[0]


def present(response, field):
    """What a select shows as chosen."""
    options = select_of(response, f"settings:rox:choice:{field}")["options"]
    (shown,) = [option["value"] for option in options if option.get("default")]
    return shown


async def pick(table, person, response, custom_id, values):
    result = await person.select(response, values, custom_id=custom_id)
    await table.advance(ACT_S)
    return result


async def stored(world):
    async with world.bot.services.database.read() as session:
        return await guilds.load(session, world.guild.id)


async def test_only_managers_of_the_server_see_the_settings(world, table, manager):
    answer = await table.slash(world.people[1], "settings")
    assert answer == "Only members who may manage the server can change this."
    response = await settings(table, manager)
    assert response.ephemeral
    assert len(list(walk(response.components))) <= 40


@pytest.mark.parametrize("field", CHOICES)
async def test_a_choice_is_saved_as_it_is_made_and_shown(world, table, manager, field):
    value, holds = CHOICES[field]
    response = await settings(table, manager)
    assert present(response, field) != value
    assert not holds(await stored(world))
    others = {other: present(response, other) for other in CHOICES if other != field}
    await pick(table, manager, response, f"settings:rox:choice:{field}", [value])
    assert holds(await stored(world))
    assert present(response, field) == value
    again = await settings(table, manager)
    assert present(again, field) == value
    assert {other: present(again, other) for other in others} == others


async def test_every_offered_value_can_be_chosen(world, table, manager):
    response = await settings(table, manager)
    for component in list(walk(response.components)):
        for option in component.get("options", ()):
            result = await pick(table, manager, response, component["custom_id"], [option["value"]])
            assert result.acknowledged
            field = component["custom_id"].rpartition(":")[2]
            assert present(response, field) == option["value"]


async def test_channels_and_the_role_are_saved_and_shown(world, table, manager):
    other = world.table("other")
    role = world.guild.create_role("starters")
    response = await settings(table, manager)
    await pick(table, manager, response, "settings:rox:channels", [table.channel, other.channel])
    await pick(table, manager, response, "settings:rox:role", [role])
    server = await stored(world)
    assert set(server.channels) == {table.channel.id, other.channel.id}
    assert (server.starters, server.starter_role) == (Starters.ROLE, role.id)
    assert present(response, "starters") == "role"

    def defaults(custom_id):
        return {int(v["id"]) for v in select_of(response, custom_id)["default_values"]}

    assert defaults("settings:rox:channels") == {table.channel.id, other.channel.id}
    assert defaults("settings:rox:role") == {role.id}
    await pick(table, manager, response, "settings:rox:channels", [])
    await pick(table, manager, response, "settings:rox:role", [])
    server = await stored(world)
    assert server.channels == ()
    assert (server.starters, server.starter_role) == (Starters.EVERYONE, None)


async def test_changes_hold_from_the_next_match_on(world, table, manager):
    bo = world.people[1]
    await table.open([manager, bo])
    response = await settings(table, manager)
    await pick(table, manager, response, "settings:rox:choice:preset", ["fair"])
    assert read_settings(table.match.opening.settings).preset is Preset.RULEBOOK
    assert "Rules: rulebook." in table.texts()
    await table.press(manager, "Cancel")
    await table.open([manager, bo])
    assert read_settings(table.match.opening.settings).preset is Preset.FAIR
    assert "Rules: fair." in table.texts()


async def test_the_page_works_after_a_restart(world, table, manager):
    response = await settings(table, manager)
    await pick(table, manager, response, "settings:rox:choice:shortest", ["3"])
    await world.restart()
    assert present(await settings(table, manager), "shortest") == "3"
    await pick(table, manager, response, "settings:rox:choice:rest", ["5"])
    server = await stored(world)
    assert (rox(server).shortest, rox(server).rest_ms) == (3, 5000)


async def test_who_may_no_longer_manage_the_server_changes_nothing(world, table, manager):
    response = await settings(table, manager)
    role = next(role.id for name, role in world.guild.roles.items() if name == "Manager")
    world.env.backend.remove_member_role(world.guild.id, manager.id, role)
    for custom_id, values in (
        ("settings:rox:choice:preset", ["fair"]),
        ("settings:rox:channels", [table.channel]),
        ("settings:rox:role", []),
    ):
        result = await pick(table, manager, response, custom_id, values)
        assert answer_of(result) == "Only members who may manage the server can change this."
        assert result.ephemeral
    server = await stored(world)
    assert rox(server).preset is Preset.RULEBOOK
    assert server.channels == ()


async def test_settings_belong_to_one_server(world, table, manager):
    response = await settings(table, manager)
    await pick(table, manager, response, "settings:rox:choice:preset", ["fair"])
    async with world.bot.services.database.read() as session:
        elsewhere = await guilds.load(session, world.guild.id + 1)
    assert rox(elsewhere).preset is Preset.RULEBOOK


async def test_two_choices_at_once_are_both_kept(world, table, manager):
    response = await settings(table, manager)
    async with world.at_once():
        await manager.select(response, ["fair"], custom_id="settings:rox:choice:preset")
        await manager.select(response, ["3"], custom_id="settings:rox:choice:shortest")
    server = await stored(world)
    assert (rox(server).preset, rox(server).shortest) == (Preset.FAIR, 3)
