"""People in several channels who play on though the bot may be dead at any moment."""

from __future__ import annotations

import asyncio
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from bot.sandbox.demo.reading import labels, read_table, texts
from bot.sandbox.person import RefusedError
from bot.views.buttons import read_custom_id

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from simcord.backend.models import Message

    from bot.sandbox.demo.reading import Reading
    from bot.sandbox.interactions import PendingInteraction
    from bot.sandbox.person import Person
    from bot.sandbox.run import LoopbackDiscord

LOOK_S = 0.08
AGAIN_S = 1.2
"""How long people wait for what they pressed to show before they press again."""
LONG_S = 6.0
"""A message that has not changed for so long is no match's any more."""
BACK = "I was away for a moment"
CHAT = ("so close", "give me 12 minutes", "who took my card", "42 is the answer", "-12")


@dataclass(frozen=True, slots=True)
class Seen:
    """An open table as somebody saw it: what was acknowledged to everybody.

    Attributes:
        match: the match's key.
        round: which round.
        free: the numbers that were free.
        claims: who took which number, by the line of last claims.
    """

    match: int
    round: int
    free: frozenset[int]
    claims: frozenset[tuple[str, int]]


@dataclass(frozen=True, slots=True)
class Take:
    """A claim by command, to which there is a private answer."""

    number: int
    asked: PendingInteraction


@dataclass(eq=False)
class Ring:
    """One channel and who plays there.

    Attributes:
        name: what the channel is called.
        people: who plays; the first opens the lobbies.
        random: what they decide by.
        seen: what was shown to them since it was last looked at.
        takes: their claims by command.
        ending: whether they play to the end of the match and no further.
        greeted: when the bot last said that it is back.
    """

    loopback: LoopbackDiscord
    name: str
    people: list[Person]
    random: Random
    seen: list[Seen] = field(default_factory=list)
    takes: list[Take] = field(default_factory=list)
    ending: bool = False
    greeted: float = 0.0
    _again: dict[object, float] = field(default_factory=dict)
    _changed: float = 0.0
    _wishes: dict[int, bool] = field(default_factory=dict)

    @property
    def channel(self) -> int:
        return self.people[0].channel_id

    def watch(self) -> None:
        """Look at every message from now on."""
        self.loopback.world.message_listeners.append(self._look)

    def shown(self) -> Message | None:
        """The newest message that shows a match."""
        return next((m for m in reversed(self.own_messages()) if m.components), None)

    def own_messages(self) -> list[Message]:
        """What the bot has posted for all to see, oldest first."""
        bot = self.loopback.world.application.user.id
        messages = self.loopback.world.messages[self.channel]
        found = (messages[i] for i in sorted(messages))
        return [m for m in found if m.author_id == bot and not m.is_ephemeral]

    async def play(self) -> None:
        """Play on and on."""
        while True:
            self.act()
            await asyncio.sleep(LOOK_S)

    def act(self) -> None:
        """Do what the newest message asks for."""
        message = self.shown()
        offered = labels(message.components) if message else []
        if message is None or (not offered and self._now - self._changed > LONG_S):
            self._open()
        elif "Start" in offered:
            self._gather(message)
        elif "Put back" in offered:
            self._race(message)
        elif "Ready" in offered:
            self._press_some(message, "Ready")
        elif "Go on" in offered:
            if self._now - self._changed > 2 * AGAIN_S:
                self._press_some(message, "Go on")
        elif "Rematch" in offered:
            self._go_on(message)
        self._confirm_leaving()

    @property
    def _now(self) -> float:
        return asyncio.get_running_loop().time()

    def _may(self, what: object, pause: float = AGAIN_S) -> bool:
        """Whether it is time to do something again."""
        if self._now < self._again.get(what, 0.0):
            return False
        self._again[what] = self._now + pause * (0.5 + self.random.random())
        return True

    def _open(self) -> None:
        if not self.ending and self._may("play", 2 * AGAIN_S):
            self._slash(self.people[0], "rox play")

    def _gather(self, message: Message) -> None:
        text = "\n".join(texts(message.components))
        missing = [p for p in self.people if p.name not in text]
        if missing and self._may("join", 0.3):
            self._press(missing[0], message, "Join")
        elif not missing and self._may("start"):
            self._press(self.people[0], message, "Start")

    def _press_some(self, message: Message, label: str) -> None:
        for person in self.people:
            if self.random.random() < 0.3 and self._may((label, person.id)):
                self._press(person, message, label)

    def _go_on(self, message: Message) -> None:
        """Want a rematch, or a new lobby instead."""
        named = match_of(message)
        if self.ending or named is None:
            return
        if self._wishes.setdefault(named[0], self.random.random() < 0.7):
            self._press_some(message, "Rematch")
        elif self._now - self._changed > AGAIN_S:
            self._open()

    def _race(self, message: Message) -> None:
        reading, named = read_table(message.components), match_of(message)
        if reading is None or named is None:
            return
        if not self.ending and self._falls_silent(*named):
            return
        for person in self.people:
            if person.name in reading.edges and self._may(("claim", person.id), 0.9):
                self._claim(person, reading, message)

    def _falls_silent(self, match: int, key: str) -> bool:
        """In some matches nobody types in the first two rounds, which pauses them."""
        return match % 3 == 0 and key in {"table-1", "table-2"}

    def _claim(self, person: Person, reading: Reading, message: Message) -> None:
        ranking = reading.ranking(person.name)
        right = reading.free[ranking[0]]
        wrong = reading.free[ranking[-1]]
        free = {number for numbers in reading.free.values() for number in numbers}
        taken = [number for number in range(10, 70) if number not in free]
        roll = self.random.random()
        if roll < 0.45 and right:
            self._say(person, right[int(self.random.random() ** 2 * len(right))])
        elif roll < 0.67 and right:
            number = right[0]
            asked = self._slash(person, "rox take", number=number)
            if asked is not None:
                self.takes.append(Take(number, asked))
        elif roll < 0.77 and wrong:
            self._say(person, self.random.choice(wrong))
        elif roll < 0.84 and taken:
            self._say(person, self.random.choice(taken))
        elif roll < 0.88:
            self._say(person, "0")
        elif roll < 0.91:
            self._press(person, message, "Put back")
        elif roll < 0.93 and right:
            for number in right[:2]:
                self._say(person, number)
        elif roll < 0.945 and len(self.people) > 2:
            self._press(person, message, "Leave")
        else:
            self._say(person, self.random.choice(CHAT))

    def _confirm_leaving(self) -> None:
        for person in self.people:
            asked = person.find("Leave for good?")
            if asked is not None and self._may(("leave", asked.id), 60):
                self._press(person, asked, "Leave the match")

    def _say(self, person: Person, text: object) -> None:
        person.say(str(text))

    def _press(self, person: Person, message: Message, label: str) -> None:
        try:
            person.press(message.id, label)
        except RefusedError:
            return

    def _slash(self, person: Person, path: str, **options: Any) -> PendingInteraction | None:
        try:
            return person.slash(path, **options)
        except RefusedError:
            return None

    def _look(self, channel: int, message_id: int) -> None:
        if channel != self.channel:
            return
        message = self.loopback.world.messages[channel].get(message_id)
        if message is None or not message.components or message.is_ephemeral:
            return
        self._changed = self._now
        text = "\n".join(texts(message.components))
        if text.startswith(BACK):
            self.greeted = self._now
        reading, named = read_table(message.components), match_of(message)
        if reading is None or named is None:
            return
        free = frozenset(n for numbers in reading.free.values() for n in numbers)
        claims = frozenset(_claims(text))
        self.seen.append(Seen(named[0], int(named[1].removeprefix("table-")), free, claims))


def match_of(message: Message) -> tuple[int, str] | None:
    """The match and the key that a message's buttons name; None without buttons."""
    stack: list[dict[str, Any]] = list(message.components)
    while stack:
        component = stack.pop()
        named = read_custom_id(str(component.get("custom_id", "")))
        if named is not None:
            return named
        stack += component.get("components") or []
    return None


def _claims(text: str) -> Iterator[tuple[str, int]]:
    last_claims = next(line for line in text.splitlines() if line.startswith("-# "))
    for claim in last_claims.split(" · "):
        before, took, after = claim.partition(" took ")
        if took:
            name = re.findall("\u2068(.+?)\u2069", before)[-1]
            yield name, int(after.split()[0])
