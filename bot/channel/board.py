"""One match's messages: the newest state wins, one call at a time.

A match that shows something new wants a message with another key; then the new one is posted,
the runner is told its id, and the earlier one gets its last form or goes. While the key stays,
the message is edited, as often as Discord's limits allow, and always into what is newest when
the call can go out. A table that chat has pushed up is posted again instead.
"""

from __future__ import annotations

import asyncio
import logging
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from bot.channel.calls import Standing
from bot.channel.known import KnownPosts
from bot.channel.pacing import posts
from bot.channel.parting import Parting
from bot.channel.troubles import Trouble, trouble_of
from bot.channel.unsent import ATTEMPTS, Unsent
from bot.games.sheet import Text
from bot.matches.backoff import Backoff
from bot.views.refusals import CALL_ERRORS
from game.match import End, Phase

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

    import discord

    from bot.channel.calls import Calls, Ready
    from bot.channel.pacing import Budget, Meter
    from bot.games.look import Look
    from bot.games.plug import GamePlug, MatchView
    from bot.games.sheet import Sheet
    from bot.matches.ports import LiveMatch
    from bot.matches.server_time import Clock

log = logging.getLogger(__name__)

_ENDED: Final = frozenset({Phase.OVER, Phase.CLOSED})
_NOT_CARRIED_OUT: Final = frozenset({Trouble.PASSING, Trouble.REFUSED})
AGAIN_GAP_S: Final = 5.0
"""Seconds between two posts of one table because chat has pushed it up."""
EDIT_AGAIN_S: Final = 3.0
"""How long an edit that failed waits at the most: people look at what it was to change."""


class Board:
    """Shows one match in its channel.

    Args:
        live: the match.
        game: its game.
        look: how it is shown.
        calls: makes the calls.
        meter: says when a call can go out.
        budget: what all matches share.
        clock: monotonic time.
        greeting: what a message says first after the bot was away.
    """

    def __init__(
        self,
        live: LiveMatch,
        game: GamePlug,
        look: Look,
        *,
        calls: Calls,
        meter: Meter,
        budget: Budget,
        clock: Clock,
        greeting: str,
    ) -> None:
        self.live = live
        self._game = game
        self._look = look
        self._calls = calls
        self._meter = meter
        self._budget = budget
        self._clock = clock
        self._greeting = greeting
        post = live.match.post
        self._standing = Standing(post.id, post.key) if post else None
        self._known = KnownPosts(post.id if post else None)
        self._showing: MatchView | None = None
        self._wanted: Sheet | None = None
        self._newest: dict[str, Sheet] = {}
        self._parting = Parting(live.id, calls, meter, budget, clock)
        self._again = False
        self._again_at = 0.0
        self._edit_at = 0.0
        self._edit_patience = Backoff(clock)
        self._edits_refused = 0
        self._unsent: Unsent | None = None
        self._pushed_up = self._too_early = False
        self._removed = False
        self._nap: asyncio.Task[None] | None = None
        self._task: asyncio.Task[None] | None = None
        self._faults = 0
        self._broken = False

    async def rest(self) -> None:
        """Return when nothing is on its way to Discord."""
        while tasks := [task for task in (self._task, self._parting.task) if task is not None]:
            await asyncio.wait(tasks)

    def close(self) -> None:
        """Show nothing any more."""
        self._parting.close()
        for task in (self._task, self._nap):
            if task is not None:
                task.cancel()

    def show(self, view: MatchView) -> None:
        """Want the match's newest state to be shown."""
        sheet = self._game.sheet(view)
        if sheet is None or self._removed:
            return
        self._showing = view
        self._wanted = self._newest[sheet.key] = sheet
        self._take_leave(sheet)
        if self._standing is None or self._again or self._is_unseen:
            self._hurry()
        self._wake()

    def post_again(self, view: MatchView) -> None:
        """Show the match in a new message and let the present one go."""
        self._again = True
        self.show(view)

    def pushed(self, message: int) -> None:
        """Take note of a message in the channel; those below the match's push it up."""
        if self._standing is not None and message > self._standing.id:
            self._standing.pushed += 1

    def deleted(self, messages: AbstractSet[int]) -> None:
        """Take note of messages that somebody deleted: a match can't go on without its own."""
        if self._unsent is not None:
            self._known.deleted(messages)
        standing = self._standing
        if standing is not None and standing.id in messages:
            self._lost(standing)
            self._wake()

    def saw(self, message: int) -> None:
        """Take note of a message that shows the match.

        One that nobody here knew of goes, but not before the match's own stands.
        """
        self._known.saw(message)
        if self._standing is not None and self._unsent is None:
            self._leave_strangers()
            self._parting.begin()

    def _leave_strangers(self) -> None:
        for message in self._known.take_strangers():
            self._parting.leave(Standing(message))

    def pressed(self, message: int, interaction: discord.Interaction) -> None:
        """Take note of a press on a message: its token can edit that message for a while."""
        if self._standing is not None and self._standing.id == message:
            self._standing.token = (interaction, self._clock.monotonic())
            self._hurry()

    def decided(self, message: int) -> None:
        """Take note of a player's message that was decided; a tidy channel loses it."""
        if self._look.tidy:
            self._parting.tidies(message)

    def _take_leave(self, wanted: Sheet) -> None:
        """Part from the standing message if another one is wanted."""
        standing = self._standing
        if standing is None or standing.key == wanted.key or self._showing is None:
            return
        known = self._newest.pop(standing.key, standing.sheet)
        last = self._game.final_form(self._showing, standing.key, known)
        self._parting.leave(standing, last, stays=self._game.stays(standing.key))
        self._standing = None

    def _hurry(self) -> None:
        """Wait no longer for the next edit: something else can be done."""
        if self._nap is not None:
            self._nap.cancel()

    def _wake(self) -> None:
        if self._task is None:
            self._task = asyncio.get_running_loop().create_task(
                self._work(), name=f"board-{self.live.id}"
            )

    async def _work(self) -> None:
        try:
            while await self._try_step():
                pass
        finally:
            self._task = None

    async def _try_step(self) -> bool:
        """Take a step; a fault of ours, as in a picture, is tried again."""
        try:
            more = await self._step()
        except Exception:
            log.exception("match %d can't be shown: a fault", self.live.id)
            self._faults += 1
            if self._faults == ATTEMPTS:
                self._faults = 0
                self._break()
                return False
            await asyncio.sleep(2 ** (self._faults - 1))
            return True
        self._faults = 0
        return more

    async def _step(self) -> bool:
        """Bring the channel one call nearer to what is wanted; False when nothing is left."""
        self._pushed_up = self._worth_posting_again()
        wait = self._wait()
        if wait is None:
            return False
        # Who has to wait for others may as well wait among them.
        ahead = 0.0 if self._too_early else self._budget.wait
        self._too_early = False
        if wait > ahead:
            await self._rest(wait - ahead)
            return True
        ready = await self._budget.turn(self._prepare)
        if ready is None:
            return True
        if ready.standing is None:
            return await self._post(ready)
        return await self._edit(ready.standing, ready)

    def _wait(self) -> float | None:
        """Return in how many seconds the next call should be made; None: none is needed."""
        sheet, standing = self._wanted, self._standing
        if sheet is None:
            return None
        if self._must_post or standing is None or standing.key != sheet.key:
            return 0.0
        if standing.sheet == sheet:
            return None
        wait = self._meter.wait(self._calls.route(standing))
        return max(wait, self._edit_at - self._clock.monotonic())

    @property
    def _must_post(self) -> bool:
        again = self._again or self._pushed_up or self._is_unseen
        return self._unsent is not None or again

    @property
    def _is_unseen(self) -> bool:
        """Whether the message that stands does not show that the match goes on."""
        standing = self._standing
        return standing is not None and standing.id <= self.live.match.unseen

    def _worth_posting_again(self) -> bool:
        """Whether a frame is due and the table is out of view; posts take what edits leave."""
        standing, wanted = self._standing, self._wanted
        return (
            standing is not None
            and wanted is not None
            and wanted.keep_in_view
            and standing.sheet != wanted
            and standing.pushed >= self._look.distance
            and self._clock.monotonic() >= self._again_at
            and self._budget.idle
            and self._meter.wait(posts(self.live.venue.channel)) <= 0
        )

    async def _rest(self, seconds: float) -> None:
        """Wait, but no longer than until something can be done at once."""
        self._nap = asyncio.get_running_loop().create_task(asyncio.sleep(seconds))
        await asyncio.wait((self._nap,))

    async def _prepare(self) -> Ready | None:
        """Draw what is newest when it is this match's turn; None: nothing is to be shown."""
        sheet = self._wanted
        if sheet is None:
            return None
        # What is wanted may have changed while the message was on its way.
        self._take_leave(sheet)
        standing = self._standing
        if standing is None or self._must_post:
            return await self._prepare_post(sheet)
        if standing.sheet == sheet:
            return None
        self._too_early = (self._wait() or 0.0) > 0
        if self._too_early:
            return None
        return await self._calls.prepare_edit(standing, sheet)

    async def _prepare_post(self, sheet: Sheet) -> Ready:
        unsent = self._unsent
        if unsent is not None and unsent.is_late and unsent.sheet.key != sheet.key:
            self._drop()
            unsent = None
        if unsent is None:
            self._again = False
            form = sheet if self.live.match.away is None else self._with_greeting(sheet)
            if self._standing is not None:
                form = replace(form, silent=True)
            unseen = self.live.match.unseen
            unsent = self._unsent = Unsent(sheet, form, unseen, Backoff(self._clock))
        try:
            return await self._calls.prepare_post(unsent.form, unsent.nonce)
        except Exception:
            self._drop()
            self._again = True
            raise

    def _drop(self) -> None:
        """Give up a message that was not sent."""
        self._unsent = None

    async def _post(self, ready: Ready) -> bool:
        unsent = self._unsent
        if unsent is None:
            return True
        try:
            sent = await ready.send()
        except CALL_ERRORS as error:
            return await self._failed_to_post(unsent, error)
        self._unsent, self._broken = None, False
        if self._standing is not None:
            self._parting.leave(self._standing)
        # The greeting is no part of what is shown, so it stays until that changes.
        sent.sheet = unsent.sheet
        self._standing = sent
        self._again_at = self._clock.monotonic() + AGAIN_GAP_S
        self._edit_patience.reset()
        self.live.post_shown(sent.key, sent.id)
        if not self._known.stands(sent.id):
            self._lost(sent)
        self._leave_strangers()
        self._parting.begin()
        return True

    async def _failed_to_post(self, unsent: Unsent, error: BaseException) -> bool:
        """Try again where that may help."""
        trouble = trouble_of(error)
        log.warning("match %d can't be posted: %s", self.live.id, error)
        unsent.failed()
        if trouble is Trouble.FORBIDDEN and self._moved_on(unsent):
            self._drop()
            return True
        if trouble not in _NOT_CARRIED_OUT or unsent.is_hopeless(self.live.match.phase):
            self._give_up(trouble)
            return False
        wait = unsent.patience.retry_at - self._clock.monotonic()
        if unsent.is_late:
            # Earlier messages have waited long enough for this one to take their place.
            self._parting.begin()
            await self._rest(wait)
        else:
            await asyncio.sleep(wait)
        return True

    def _moved_on(self, unsent: Unsent) -> bool:
        """Whether something new was to be posted while a call was under way.

        What that call was refused for may be mended by now; the next one will tell.
        """
        if self._again or self.live.match.unseen != unsent.unseen:
            return True
        return self._wanted is not None and self._wanted.key != unsent.sheet.key

    def _give_up(self, trouble: Trouble) -> None:
        """Stop trying until the match wants something new."""
        self._wanted = self._unsent = None
        self._edit_patience.reset()
        if trouble is Trouble.CHANNEL_GONE:
            self.live.close(End.CHANNEL_GONE)
            return
        self._leave_strangers()
        self._parting.begin()
        self.live.pause_unwritable(passing=trouble in _NOT_CARRIED_OUT)

    def _break(self) -> None:
        """Let the match start anew after faults of ours; if that does not help, it ends."""
        self._drop()
        self._wanted = None
        again, self._broken = self._broken, True
        if again:
            self._parting.begin()
            self.live.close(End.FAULT)
        else:
            self.live.rebuild()

    def _with_greeting(self, sheet: Sheet) -> Sheet:
        return replace(sheet, blocks=(Text(self._greeting), *sheet.blocks))

    async def _edit(self, standing: Standing, ready: Ready) -> bool:
        try:
            await ready.send()
        except CALL_ERRORS as error:
            return self._failed_to_edit(standing, error)
        self._broken = False
        self._edit_patience.reset()
        self._edits_refused = 0
        return True

    def _failed_to_edit(self, standing: Standing, error: BaseException) -> bool:
        log.warning("match %d can't be edited: %s", self.live.id, error)
        if standing.token is not None:
            standing.token = None
            return True
        match trouble_of(error):
            case Trouble.MESSAGE_GONE:
                self._lost(standing)
                return True
            case Trouble.PASSING | Trouble.REFUSED as trouble if not self._edit_patience.exhausted:
                self._edit_later(trouble)
                return True
            case Trouble.FORBIDDEN if self._standing is not standing:
                return True
            case trouble:
                self._give_up(trouble)
                return False

    def _edit_later(self, trouble: Trouble) -> None:
        """Try again; a message that takes no more edits is once posted anew instead."""
        self._edit_patience.fail()
        latest = self._clock.monotonic() + EDIT_AGAIN_S
        self._edit_at = min(self._edit_patience.retry_at, latest)
        if trouble is Trouble.REFUSED:
            self._edits_refused += 1
            if self._edits_refused == ATTEMPTS:
                self._again = True

    def _lost(self, standing: Standing) -> None:
        """Post a deleted message anew, unless the match is over: then it is not wanted here."""
        if self._standing is not standing:
            return
        self._standing = None
        if self.live.match.phase in _ENDED:
            self._removed, self._wanted = True, None
