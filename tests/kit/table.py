"""One channel of a simulated Discord: what a test sees and does there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from simcord.backend import serializers

from bot.sandbox.demo.reading import labels, read_table, texts
from bot.sandbox.demo.transcript import readable
from game.match import Match, Phase
from game.rox.claims import LOWEST
from game.rox.state import PLACES, RoxGame, Stage, number_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    import discord
    from simcord import ChannelHandle, MemberActor
    from simcord.results import InteractionResult

    from bot.matches.runner import Runner
    from bot.sandbox.demo.reading import Reading
    from tests.kit.simulation import World

SETTLE_S = 0.06
ACT_S = 0.1
REST_S = 2.1
EDIT_S = 1.1
"""After so long every message shows the newest state: edits are a second apart."""


class Table:
    """One channel, and what people do in it."""

    def __init__(self, world: World, channel: ChannelHandle) -> None:
        self.world = world
        self.env = world.env
        self.channel = channel
        self._runner: Runner | None = None

    # --- what the bot knows ---

    @property
    def runner(self) -> Runner:
        """The newest match of the channel, whether it is open or not."""
        registry = self.world.bot.matches.registry
        runner = registry.at(self.channel.id) or registry.offer_at(self.channel.id)
        runner = runner or self._runner
        assert runner is not None, "no match was opened here"
        self._runner = runner
        self.world.runners[runner.id] = runner
        return runner

    @property
    def is_free(self) -> bool:
        """Whether a new match could be opened here."""
        return self.world.bot.matches.registry.at(self.channel.id) is None

    @property
    def match(self) -> Match[RoxGame]:
        return self.runner.match

    @property
    def game(self) -> RoxGame:
        game = self.match.game
        assert game is not None
        return game

    @property
    def deadline_ms(self) -> int | None:
        """When the match next goes on by itself, in the milliseconds of Discord's ids."""
        deadline = self.runner.game.machine.deadline(self.match)
        return None if deadline is None else self.match.discord_ms(deadline)

    @property
    def awaits_post(self) -> bool:
        """Whether claims wait for the message that opens the race."""
        return self.runner.game.machine.awaits_post(self.match)

    @property
    def stage(self) -> Stage | None:
        """The stage of the round; None outside of a round."""
        match = self.match
        return match.game.stage if match.phase is Phase.PLAYING and match.game else None

    def seat(self, person: MemberActor) -> int:
        return next(seat.number for seat in self.match.seats if seat.user == person.id)

    def row(self, person: MemberActor) -> list[int]:
        """The numbers in somebody's row, the start card first."""
        return [number_of(held.index) for held in self.game.hands[self.seat(person)].row]

    def owner(self, number: int) -> int | None:
        """Whose the card at a number is, as a seat."""
        return self.game.owner[number - LOWEST]

    def right(self, person: MemberActor, *, but: Iterable[int] = ()) -> int:
        """A free number with the stone that somebody's last card asks for."""
        return self._free(person, but, fits=True)

    def wrong(self, person: MemberActor, *, but: Iterable[int] = ()) -> int:
        """A free number with another stone."""
        return self._free(person, but, fits=False)

    def _free(self, person: MemberActor, but: Iterable[int], *, fits: bool) -> int:
        game, taken = self.game, set(but)
        last = game.last_card(self.seat(person))
        assert last is not None
        return next(
            number_of(index)
            for index in range(PLACES)
            if game.owner[index] is None
            and number_of(index) not in taken
            and (game.card_at(index).centre is last.answer) is fits
        )

    # --- what people see ---

    @property
    def messages(self) -> list[discord.Message]:
        """Everything in the channel that all can see, oldest first."""
        return [m for m in self.channel.history() if not m.flags.ephemeral]

    @property
    def newest(self) -> discord.Message:
        """The newest message that shows a match."""
        return next(m for m in reversed(self.messages) if m.components)

    def texts(self, message: discord.Message | None = None) -> str:
        """What a message says, as plain text; by default the newest that shows a match."""
        shown = "\n".join(texts(self._components(message)))
        return readable(shown, self.env.now().timestamp())

    def buttons(self, message: discord.Message | None = None) -> list[str]:
        return labels(self._components(message))

    def reading(self) -> Reading:
        """What the alt texts of the newest table say."""
        reading = read_table(self._components(None))
        assert reading is not None, "no table is shown"
        return reading

    def _components(self, message: discord.Message | None) -> list[dict[str, Any]]:
        return [c.to_dict() for c in (message or self.newest).components]

    def said(self, text: str) -> list[discord.Message]:
        """Every message that contains a text."""
        return [m for m in self.messages if text in self._all_text(m)]

    def _all_text(self, message: discord.Message) -> str:
        return (
            f"{message.content}\n{self.texts(message)}"
            if message.components
            else str(message.content)
        )

    # --- what people do ---

    async def advance(self, seconds: float) -> None:
        await self.env.advance_time(seconds)

    async def until(
        self, reached: Callable[[], bool], limit: float = 60, step: float = 0.5
    ) -> None:
        """Let time pass until something holds."""
        passed = 0.0
        while not reached():
            assert passed < limit, f"not reached: {self.match.phase} {self.stage}"
            await self.advance(step)
            passed += step

    async def slash(self, person: MemberActor, name: str, **options: object) -> str:
        """Use a command; return the private answer."""
        result = await person.slash(self.channel, f"rox {name}", **options)
        await self.advance(ACT_S)
        return answer_of(result)

    async def press(
        self, person: MemberActor, label: str, message: discord.Message | None = None
    ) -> str | None:
        """Press a button of the newest message; return the private answer."""
        result = await person.click(message or self.newest, label=label)
        await self.advance(ACT_S)
        return plain(result.followups[-1].content) if result.followups else None

    async def leave(self, person: MemberActor) -> str:
        """Leave a match under way: the button asks once."""
        asked = await person.click(self.newest, label="Leave")
        await self.advance(ACT_S)
        assert "Leave for good?" in asked.followups[-1].content
        result = await person.click(asked.followups[-1], label="Leave the match")
        await self.advance(ACT_S)
        return answer_of(result)

    async def type(self, person: MemberActor, text: object) -> discord.Message:
        """Type a message, and let it be decided."""
        message = await person.send(self.channel, str(text))
        await self.advance(ACT_S)
        return message

    def say(self, person: MemberActor, text: object) -> int:
        """Write a message without waiting for anything; return its id."""
        return self.env.backend.create_message(self.channel.id, person.id, str(text)).id

    async def burst(self, lines: Iterable[tuple[MemberActor, object]]) -> list[int]:
        """Write many messages in one tick; return their ids."""
        async with self.world.at_once():
            return [self.say(person, text) for person, text in lines]

    def unheard(self, person: MemberActor, text: object) -> int:
        """Write a message of which the bot is not told yet; return its id."""
        with self.world.silence():
            return self.say(person, text)

    def deliver(self, message_id: int) -> None:
        """Send the bot the event of a message, for the first time or once more."""
        message = self.env.backend.get_message(self.channel.id, message_id)
        payload = serializers.message_payload(self.env.backend, message)
        self.env.backend.emit("MESSAGE_CREATE", payload)

    # --- parts of matches ---

    async def open(self, people: Iterable[MemberActor], **options: object) -> None:
        """Open a lobby and seat people; the first is host."""
        host, *others = people
        answer = await self.slash(host, "play", **options)
        assert "The lobby is open" in answer, answer
        for person in others:
            await self.press(person, "Join")
        assert self.match.phase is Phase.LOBBY

    async def start(self, people: Iterable[MemberActor], **options: object) -> None:
        """Go as far as the first round's get-ready time."""
        people = list(people)
        await self.open(people, **options)
        await self.press(people[0], "Start")
        assert self.stage is Stage.READY
        await self.advance(EDIT_S)

    async def to_race(self) -> None:
        """Go on until a race is open and the hands are free."""
        await self.until(lambda: self.stage is Stage.RACE)
        await self.advance(REST_S)

    async def race(self, people: Iterable[MemberActor], **options: object) -> None:
        """Go as far as the first race, with free hands."""
        await self.start(people, **options)
        await self.to_race()

    async def rows(self, rows: Mapping[MemberActor, str]) -> None:
        """Let rows grow: for each claim `r` for a right card, `w` for a wrong one, `-` for none.

        All rows grow at the same time; within a step, in the order of the mapping.
        """
        for step in range(max(map(len, rows.values()))):
            claims: list[tuple[MemberActor, int]] = []
            for person, pattern in rows.items():
                kind = pattern[step : step + 1]
                if kind in {"r", "w"}:
                    pick = self.right if kind == "r" else self.wrong
                    claims.append((person, pick(person, but=[n for _, n in claims])))
            await self.burst(claims)
            if self.stage is not Stage.RACE:
                return
            await self.advance(REST_S - ACT_S)

    async def round(self, rows: Mapping[MemberActor, str]) -> None:
        """Play a race and its check, from the get-ready time to the break or the end."""
        await self.to_race()
        await self.rows(rows)
        await self.until(lambda: self.stage is not Stage.RACE, limit=130, step=5)
        await self.until(lambda: self.stage is not Stage.CHECK)

    async def next_round(self, people: Iterable[MemberActor]) -> None:
        """Cut the break short."""
        for person in people:
            await self.press(person, "Ready")
        assert self.stage is Stage.READY
        await self.advance(EDIT_S)


def answer_of(result: InteractionResult) -> str:
    """What somebody was answered privately."""
    return plain(result.response.content) if result.response else ""


def plain(text: str) -> str:
    """Return text without the marks around names."""
    return readable(text, 0)


async def click_custom_id(table, person, message, custom_id):
    """Press a button that is no longer there, as a client that has not caught up can."""
    backend = table.env.backend
    stored = backend.get_message(table.channel.id, message.id)
    kept = stored.components
    stored.components = [
        {
            "type": 1,
            "id": 1,
            "components": [{"type": 2, "id": 2, "style": 2, "label": "x", "custom_id": custom_id}],
        }
    ]
    clicking = person.click(message, custom_id=custom_id)
    try:
        result = await clicking
    finally:
        stored.components = kept
    await table.advance(ACT_S)
    assert result.acknowledged
    assert all(followup.ephemeral for followup in result.followups)
    return [followup.content for followup in result.followups]
