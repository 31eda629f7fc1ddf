"""Shows one match: carries out what `bot.channel.plan` says, one call at a time.

A wanted sheet with another key is posted; the runner gets the new message's id, and the earlier
message is cleaned up. While the key stays the same, the message is edited as often as
Discord's limits allow, each time to the newest state.
"""

from __future__ import annotations

import asyncio
import logging
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from bot.channel.cleanup import Cleanup
from bot.channel.failures import (
    NOT_CARRIED_OUT,
    EditFailures,
    Next,
    after_failed_edit,
    after_failed_post,
    after_fault,
    fault_delay,
)
from bot.channel.outgoing import OutgoingPost
from bot.channel.pacing import posts
from bot.channel.plan import NO_LIMITS, DisplayState, Edit, Limits, Post, Repost, Rest, Wait, plan
from bot.channel.posts import KnownPosts, ShownMessage
from bot.games.sheet import Text
from bot.replies.errors import CALL_ERRORS, ErrorKind, error_kind
from game.match import End, Phase

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

    import discord

    from bot.channel.calls import Calls, PreparedCall
    from bot.channel.pacing import Budget, Meter
    from bot.games.look import Look
    from bot.games.plug import GamePlug, MatchView
    from bot.games.sheet import Sheet
    from bot.matches.ports import LiveMatch
    from bot.matches.server_time import Clock

log = logging.getLogger(__name__)

_ENDED: Final = frozenset({Phase.OVER, Phase.CLOSED})


class MatchDisplay:
    """Shows one match in its channel.

    Args:
        live: the match.
        game: its game.
        look: how it is shown.
        calls: makes the calls.
        meter: says when a call can go out.
        budget: shared by all matches.
        clock: monotonic time.
        return_notice: the first text of a message that is posted after an absence.
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
        return_notice: str,
    ) -> None:
        self.live = live
        self._game = game
        self._look = look
        self._calls = calls
        self._meter = meter
        self._budget = budget
        self._clock = clock
        self._return_notice = Text(return_notice)
        post = live.match.post
        self._shown = ShownMessage(post.id, post.key) if post else None
        self._known = KnownPosts(post.id if post else None)
        self._view: MatchView | None = None
        self._wanted: Sheet | None = None
        self._newest: dict[str, Sheet] = {}
        self._outgoing: OutgoingPost | None = None
        self._repost = False
        self._removed = False
        self._edit_failures = EditFailures()
        self._faults = 0
        self._cleanup = Cleanup(live.id, calls, meter, budget, clock)
        self._sleep: asyncio.Task[None] | None = None
        self._task: asyncio.Task[None] | None = None

    async def rest(self) -> None:
        """Return when no call is under way or left to make."""
        while tasks := [task for task in (self._task, self._cleanup.task) if task is not None]:
            await asyncio.wait(tasks)

    def close(self) -> None:
        """Show nothing more."""
        self._cleanup.close()
        for task in (self._task, self._sleep):
            if task is not None:
                task.cancel()

    def show(self, view: MatchView) -> None:
        """Show the match's newest state as soon as possible."""
        sheet = self._game.sheet(view)
        if sheet is None or self._removed:
            return
        self._view = view
        self._wanted = self._newest[sheet.key] = sheet
        self._retire_outdated()
        if self._state().needs_post:
            self._wake_early()
        self._start()

    def post_again(self, view: MatchView) -> None:
        """Show the match in a new message, and delete the present one."""
        self._repost = True
        self.show(view)

    def note_message(self, message: int) -> None:
        """Note a message in the channel; those below the match's push it out of view."""
        if self._shown is not None and message > self._shown.id:
            self._shown.below += 1

    def note_deleted(self, messages: AbstractSet[int]) -> None:
        """Note messages that were deleted; if the match's is one of them, it is replaced."""
        if self._outgoing is not None:
            self._known.note_deleted(messages)
        if self._shown is not None and self._shown.id in messages:
            self._forget_shown()
            self._start()

    def note_post(self, message: int) -> None:
        """Note a message that shows the match.

        An unknown one is deleted, but not before the match's own message is posted.
        """
        self._known.note(message)
        if self._shown is not None and self._outgoing is None:
            self._clean_up()

    def pressed(self, message: int, interaction: discord.Interaction) -> None:
        """Note a press on a message: its token can edit that message for a while."""
        if self._shown is not None and self._shown.id == message:
            self._shown.token = (interaction, self._clock.monotonic())
            self._wake_early()

    def note_decided(self, message: int) -> None:
        """Note that a player's message was decided, so that a tidy channel loses it."""
        if self._look.tidy:
            self._cleanup.add_claim(message)

    def _state(self, limits: Limits = NO_LIMITS) -> DisplayState:
        return DisplayState(
            wanted=self._wanted,
            shown=self._shown,
            outgoing=self._outgoing,
            unseen=self.live.match.unseen,
            repost=self._repost,
            distance=self._look.distance,
            edit_at=self._edit_failures.retry_at,
            limits=limits,
        )

    def _limits(self, *, in_turn: bool) -> Limits:
        edit = 0.0 if self._shown is None else self._meter.wait(self._calls.route(self._shown))
        if in_turn:
            return Limits(edit)
        post = self._meter.wait(posts(self.live.venue.channel))
        return Limits(edit, post, self._budget.queue_delay, self._budget.idle)

    def _retire_outdated(self) -> None:
        """Hand the shown message to the cleanup if the wanted sheet needs another one."""
        outdated = self._state().outdated
        if outdated is None or self._view is None:
            return
        known = self._newest.pop(outdated.key, outdated.sheet)
        last = self._game.final_form(self._view, outdated.key, known)
        self._cleanup.add(outdated, last, stays=self._game.stays(outdated.key))
        self._shown = None

    def _clean_up(self) -> None:
        """Start the cleanup, also of messages that turned out to be unknown."""
        for message in self._known.take_unknown():
            self._cleanup.add(ShownMessage(message))
        self._cleanup.start()

    def _start(self) -> None:
        if self._task is None:
            self._task = asyncio.get_running_loop().create_task(
                self._work(), name=f"display-{self.live.id}"
            )

    async def _work(self) -> None:
        try:
            while await self._try_step():
                pass
        finally:
            self._task = None

    async def _try_step(self) -> bool:
        """Take a step; return False when nothing is left to do, or nothing can be done."""
        try:
            return await self._step()
        except Exception:
            log.exception("match %d can't be shown: a fault", self.live.id)
            self._faults += 1
            return await self._handle_fault()

    async def _step(self) -> bool:
        """Bring the channel one step nearer to the wanted sheet; False: nothing is left to do."""
        match plan(self._state(self._limits(in_turn=False)), self._clock.monotonic()):
            case Rest():
                return False
            case Wait(seconds):
                await self._wait(seconds)
                return True
            case Repost():
                self._repost = True
            case Post() | Edit():
                pass
        prepared = await self._budget.turn(self._prepare)
        if prepared is None:
            await self._wait_out()
            return True
        if isinstance(prepared.target, OutgoingPost):
            return await self._post(prepared, prepared.target)
        return await self._edit(prepared, prepared.target)

    async def _wait_out(self) -> None:
        """Wait for as long as a turn came too early: the length of the queue is an estimate."""
        step = plan(self._state(self._limits(in_turn=True)), self._clock.monotonic())
        if isinstance(step, Wait):
            await self._wait(step.seconds)

    async def _wait(self, seconds: float) -> None:
        """Wait until some time has passed or `_wake_early` is called."""
        self._sleep = asyncio.get_running_loop().create_task(asyncio.sleep(seconds))
        await asyncio.wait((self._sleep,))

    def _wake_early(self) -> None:
        """End the present wait: by now something else can be done."""
        if self._outgoing is not None and self._outgoing.is_late:
            self._outgoing = self._outgoing.without_wait()
        if self._sleep is not None:
            self._sleep.cancel()

    async def _prepare(self) -> PreparedCall | None:
        """Draw the newest sheet in this match's turn; None: it came too early, or for nothing."""
        # Another message may be wanted since this one was posted.
        self._retire_outdated()
        match plan(self._state(self._limits(in_turn=True)), self._clock.monotonic()):
            case Post(sheet, outgoing):
                return await self._prepare_post(outgoing or self._new_outgoing(sheet))
            case Edit(shown, sheet):
                return await self._calls.prepare_edit(shown, sheet)
            case _:
                return None

    def _new_outgoing(self, sheet: Sheet) -> OutgoingPost:
        form = sheet
        if self.live.match.away is not None:
            form = replace(form, blocks=(self._return_notice, *form.blocks))
        if self._shown is not None:
            form = replace(form, silent=True)
        now = self._clock.monotonic()
        self._outgoing = OutgoingPost(sheet, form, self.live.match.unseen, now)
        self._repost = False
        return self._outgoing

    async def _prepare_post(self, outgoing: OutgoingPost) -> PreparedCall:
        try:
            return await self._calls.prepare_post(outgoing)
        except Exception:
            self._outgoing, self._repost = None, True
            raise

    async def _post(self, prepared: PreparedCall, outgoing: OutgoingPost) -> bool:
        try:
            sent = await prepared.send()
        except CALL_ERRORS as error:
            log.warning("match %d can't be posted: %s", self.live.id, error)
            return self._failed_to_post(error_kind(error), outgoing)
        self._outgoing, self._faults = None, 0
        if self._shown is not None:
            self._cleanup.add(self._shown)
        self._shown = sent
        self._edit_failures = self._edit_failures.after_post()
        self.live.post_shown(sent.key, sent.id)
        if not self._known.confirm(sent.id):
            self._forget_shown()
        self._clean_up()
        return True

    def _failed_to_post(self, kind: ErrorKind, outgoing: OutgoingPost) -> bool:
        now = self._clock.monotonic()
        self._outgoing = failed = outgoing.after_failure(now)
        match after_failed_post(kind, self._state(), failed, self.live.match.phase, now):
            case Next.DROP:
                self._outgoing = None
            case Next.GIVE_UP:
                self._give_up(kind)
                return False
            case _:
                if failed.is_late:
                    # Earlier messages have stayed long enough for this one to replace them.
                    self._cleanup.start()
        return True

    async def _edit(self, prepared: PreparedCall, shown: ShownMessage) -> bool:
        try:
            await prepared.send()
        except CALL_ERRORS as error:
            log.warning("match %d can't be edited: %s", self.live.id, error)
            return self._failed_to_edit(error_kind(error), shown)
        self._faults = 0
        self._edit_failures = EditFailures()
        return True

    def _failed_to_edit(self, kind: ErrorKind, shown: ShownMessage) -> bool:
        now, failures = self._clock.monotonic(), self._edit_failures
        by_token, shown.token = shown.token is not None, None
        is_current = self._shown is shown
        step = after_failed_edit(kind, failures, now, by_token=by_token, is_current=is_current)
        match step:
            case Next.FORGET_MESSAGE:
                self._forget_shown()
            case Next.RETRY | Next.REPOST:
                invalid = kind is ErrorKind.INVALID
                self._edit_failures = failures.after_failure(now, invalid=invalid)
                self._repost = self._repost or step is Next.REPOST
            case Next.GIVE_UP:
                self._give_up(kind)
                return False
            case _:
                pass
        return True

    def _forget_shown(self) -> None:
        """Forget a message that was deleted; once the match has ended, it is not replaced."""
        self._shown = None
        if self.live.match.phase in _ENDED:
            self._removed, self._wanted = True, None

    def _give_up(self, kind: ErrorKind) -> None:
        """Try nothing more until the match changes."""
        self._wanted = self._outgoing = None
        self._edit_failures = self._edit_failures.after_post()
        if kind is ErrorKind.CHANNEL_GONE:
            self.live.close(End.CHANNEL_GONE)
            return
        self._clean_up()
        self.live.pause_unwritable(passing=kind in NOT_CARRIED_OUT)

    async def _handle_fault(self) -> bool:
        """Try again after a fault of ours; if that does not help, rebuild or end the match."""
        step = after_fault(self._faults)
        if step is Next.RETRY:
            await asyncio.sleep(fault_delay(self._faults))
            return True
        self._wanted = self._outgoing = None
        if step is Next.REBUILD:
            self.live.rebuild()
        else:
            self._cleanup.start()
            self.live.close(End.FAULT)
        return False
