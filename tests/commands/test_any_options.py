"""Whatever options, buttons and choices arrive, nothing breaks and there is one private answer.

Discord checks options against the commands that it knows, and clients offer what they have seen;
here nothing is checked on the way, as after an update of the bot.
"""

import discord
import pytest
from hypothesis import given, seed, settings
from hypothesis import strategies as st
from simcord.actors import _component_interaction
from simcord.backend import serializers

from bot.replies.reply_limits import Allowance
from bot.store import guilds
from bot.views.choices import server_choices
from game.match import Phase
from tests.kit.simulation import slash_unchecked
from tests.kit.table import ACT_S

DECLARED = {
    "play": {"opponents": 4, "level": 3, "checking": 3, "rules": 3},
    "take": {"number": 4},
    "back": {},
    "stop": {},
    "table": {},
    "rules": {},
    "stats": {"member": 6},
    "leaderboard": {},
    "settings": {},
    "gone": {},
}
ENDS_A_MATCH = {"stop"}

INTEGERS = st.one_of(
    st.sampled_from([-(2**63), -1, 0, 9, 10, 69, 70, 2**31, 2**63, 10**400]), st.integers(-5, 80)
)
TEXTS = st.one_of(
    st.sampled_from(["", "journeyman", "fair", "x" * 6000, "42", "9" * 4301, "null", "@everyone"]),
    st.text(max_size=20),
)
ANYTHING = st.one_of(
    INTEGERS, TEXTS, st.booleans(), st.none(), st.floats(allow_nan=False), st.just([]), st.just({})
)
FITTING = {4: INTEGERS, 3: TEXTS, 6: st.sampled_from(["ada", "bot", "left", "nobody"])}


@st.composite
def calls(draw):
    """A command with some of its options, some others, and values of any kind."""
    name = draw(st.sampled_from(list(DECLARED)))
    declared = DECLARED[name]
    chosen = draw(st.lists(st.sampled_from([*declared, "extra"]), unique=True, max_size=4))
    options = []
    for option in chosen:
        right = declared.get(option, 3)
        kind = draw(st.sampled_from([right, right, right, 3, 4, 5, 6, 7, 8, 9, 10, 11]))
        fitting = FITTING.get(kind, ANYTHING)
        value = draw(st.one_of(fitting, fitting, ANYTHING))
        options.append({"name": option, "type": kind, "value": value})
    return name, options


def collected(strategy, number, seed_number):
    found = []

    @seed(seed_number)
    @settings(max_examples=number, database=None, derandomize=False)
    @given(strategy)
    def collect(value):
        found.append(value)

    collect()
    return found[:number]


@pytest.fixture
def hurried(world):
    """Nobody is asked to pause, so that every call is looked at."""
    whispers = world.bot.services.whispers
    whispers.words = whispers.commands = Allowance(10**9)


@pytest.fixture
def people(world):
    """Who can be named in an option: a member, a bot, somebody who left, nobody at all."""
    env, guild = world.env, world.guild
    left = guild.add_member(env.create_user("Left"))
    robot = guild.add_member(env.create_user("Robot", bot=True))
    guild.remove_member(left)
    return {"ada": world.people[0].id, "bot": robot.id, "left": left.id, "nobody": 404}


def resolved(world, people, options):
    """What Discord adds about people who are named: users it knows, members who are there."""
    backend, guild = world.env.backend, world.env.backend.get_guild(world.guild.id)
    named = [people[o["value"]] for o in options if o["value"] in list(people) and o["type"] == 6]
    known = [user for user in named if user in backend.users]
    members = {
        str(user): dict(
            serializers.member_payload(backend, guild, guild.members[user], with_user=False)
        )
        for user in known
        if user in guild.members
    }
    users = {str(user): dict(serializers.user_payload(backend.get_user(user))) for user in known}
    return {"users": users, "members": members}


async def send(world, table, people, name, options):
    """Send a command without any check; return its result."""
    person = world.people[0]
    given = [
        {**o, "value": str(people[o["value"]])}
        if o["type"] == 6 and isinstance(o["value"], str) and o["value"] in people
        else o
        for o in options
    ]
    known = resolved(world, people, options)
    result = await slash_unchecked(person, table.channel, f"rox {name}", given, known)
    await table.advance(ACT_S)
    return result


def check_private(result):
    """One answer, for that person's eyes."""
    assert result.acknowledged
    assert result.ephemeral
    assert result.response is not None
    assert result.response.content or result.response.components
    assert not result.followups


async def in_state(table, people, state):
    if state == "lobby":
        await table.open(people)
    elif state == "race":
        await table.race(people, rules="fair")


async def play_through(world, table, state, people, cases):
    ada, bo, *_ = world.people
    await in_state(table, [ada, bo], state)
    for name, options in cases:
        if name in ENDS_A_MATCH and state != "nothing":
            continue
        try:
            check_private(await send(world, table, people, name, options))
            assert not world.env.errors
        except BaseException:
            print("case:", name, options)  # noqa: T201 - so that it can be tried again
            raise
    if state == "race":
        assert table.match.end is None
        assert not table.row(ada)[6:]


@pytest.mark.parametrize("state", ["nothing", "lobby", "race"])
async def test_any_options_of_any_command_get_one_private_answer(
    world, table, hurried, people, state
):
    await play_through(world, table, state, people, collected(calls(), 60, 3))


@pytest.mark.slow
@pytest.mark.usefixtures("hurried")
@pytest.mark.parametrize("state", ["nothing", "lobby", "race"])
async def test_thousands_of_options_get_one_private_answer(world, table, people, state, run_seed):
    await play_through(world, table, state, people, collected(calls(), 2_000, run_seed))


@pytest.mark.parametrize(
    ("name", "option"),
    [
        ("take", {"name": "number", "type": 4, "value": 10**400}),
        ("take", {"name": "number", "type": 4, "value": -12}),
        ("take", {"name": "number", "type": 4, "value": True}),
        ("take", {"name": "number", "type": 3, "value": "42"}),
        ("take", {"name": "number", "type": 10, "value": 42.5}),
        ("take", {"name": "extra", "type": 7, "value": "none"}),
        ("play", {"name": "opponents", "type": 4, "value": 4}),
        ("play", {"name": "level", "type": 3, "value": "x" * 6000}),
        ("play", {"name": "rules", "type": 3, "value": "unfair"}),
        ("stats", {"name": "member", "type": 6, "value": "nobody"}),
        ("take", {"name": "x", "type": 3, "value": "number left out"}),
        ("gone", {"name": "x", "type": 3, "value": "x"}),
    ],
)
async def test_options_of_another_version_are_refused_in_words(world, table, people, name, option):
    ada, bo, *_ = world.people
    await table.race([ada, bo])
    row = table.row(ada)
    result = await send(world, table, people, name, [option])
    check_private(result)
    assert "That command has changed" in result.response.content
    assert table.row(ada) == row
    assert not world.env.errors


@pytest.mark.parametrize("who", ["bot", "left"])
async def test_figures_of_bots_and_of_people_who_left_can_be_asked_for(world, table, people, who):
    option = {"name": "member", "type": 6, "value": who}
    result = await send(world, table, people, "stats", [option])
    check_private(result)
    assert "has no finished match here yet" in result.response.content


async def press(table, message, custom_id, kind, values=None):
    """Use a control that is not there as if it were."""
    backend, person = table.env.backend, table.world.people[0]
    stored = backend.get_message(table.channel.id, message.id)
    kept = stored.components
    control = {"type": kind, "id": 2, "custom_id": custom_id}
    control |= {"style": 2, "label": "x"} if kind == 2 else {}
    control |= {"options": [{"label": "x", "value": "x"}]} if kind == 3 else {}
    stored.components = [{"type": 1, "id": 1, "components": [control]}]
    data = {"custom_id": custom_id, "component_type": kind, "id": 2}
    if values is not None:
        data["values"] = values
    try:
        result = await _component_interaction(person, stored, data)
    finally:
        stored.components = kept
    await table.advance(ACT_S)
    return result


BUTTONS = st.builds(
    "match:{}:{}:{}".format,
    st.sampled_from(
        ["join", "leave", "leave-now", "start", "back", "ready", "resume", "my-card", "zap"]
    ),
    st.sampled_from([0, 1, 2, 404, 10**30]),
    st.sampled_from(["lobby", "table-1", "ready-1", "now", "x" * 60]),
)


@pytest.mark.parametrize("state", ["lobby", "race"])
async def test_any_button_is_acknowledged_and_answers_privately(world, table, hurried, state):
    ada, bo, cy, *_ = world.people
    await in_state(table, [ada, bo, cy], state)
    for custom_id in collected(BUTTONS, 40, 5):
        result = await press(table, table.newest, custom_id, 2)
        assert result.acknowledged, custom_id
        assert all(followup.ephemeral for followup in result.followups)
        assert not world.env.errors
    assert table.match.phase in {Phase.LOBBY, Phase.PLAYING}


FIELDS = [
    *("preset", "checking", "shortest", "rest", "theme", "distance", "tidy"),
    *("opponents", "starters", "zap"),
]
SINGLE = ["99", "fair", "", "²", "x" * 6000, "-1"]
CHOSEN = st.one_of(
    st.tuples(
        st.sampled_from(FIELDS).map("settings:rox:choice:{}".format),
        st.just(3),
        st.lists(
            st.one_of(TEXTS, st.sampled_from(["fair", "2", "99", "no", "role", "stones"])),
            max_size=3,
        ),
    ),
    st.tuples(
        st.just("settings:rox:channels"), st.just(8), st.lists(st.sampled_from(["1", "x", ""]))
    ),
    st.tuples(
        st.just("settings:rox:role"),
        st.just(6),
        st.lists(st.sampled_from(["1", "²", "9" * 30, "-1"])),
    ),
)


async def test_any_choice_is_answered_and_only_what_was_offered_is_saved(world, table, hurried):
    ada = world.people[0]
    role = world.guild.create_role("keeper", permissions=discord.Permissions(manage_guild=True))
    world.env.backend.add_member_role(world.guild.id, ada.id, role.id)
    page = (await ada.slash(table.channel, "rox settings")).response
    single = [(f"settings:rox:choice:{field}", 3, [value]) for field in FIELDS for value in SINGLE]
    for custom_id, kind, values in [*single, *collected(CHOSEN, 40, 7)]:
        result = await press(table, page, custom_id, kind, values)
        assert result.acknowledged, (custom_id, values)
        assert all(followup.ephemeral for followup in result.followups)
        assert not world.env.errors, (custom_id, values)
    # Whatever was saved, the page and a match can be shown with it.
    again = await ada.slash(table.channel, "rox settings")
    assert again.response.components
    async with world.bot.services.database.read() as session:
        server = await guilds.load(session, world.guild.id)
    for choice in server_choices(world.bot.services.games["rox"]):
        assert choice.has_option(choice.read(server), world.bot.services.words), choice.name
