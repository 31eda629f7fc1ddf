"""Decides which call shows a match next: a pure function of the display's state."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeAlias

if TYPE_CHECKING:
    from bot.channel.outgoing import OutgoingPost
    from bot.channel.posts import ShownMessage
    from bot.games.sheet import Sheet

REPOST_GAP_S: Final = 5.0
"""The least time between two posts of one table that chat has pushed up, in seconds."""


@dataclass(frozen=True, slots=True)
class Rest:
    """Nothing has to be done until something changes."""


@dataclass(frozen=True, slots=True)
class Wait:
    """Nothing can be done for some seconds."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Post:
    """Post a message.

    Attributes:
        sheet: the wanted sheet.
        outgoing: the message to try again; None: a new one is made of the sheet.
    """

    sheet: Sheet
    outgoing: OutgoingPost | None = None


@dataclass(frozen=True, slots=True)
class Repost:
    """Post the wanted sheet again below the chat, where an edit would do.

    This depends on the moment: it is decided before the match joins the queue for its turn, and
    in its turn it is a `Post`.
    """


@dataclass(frozen=True, slots=True)
class Edit:
    """Edit the shown message.

    Attributes:
        shown: the message.
        sheet: its new content.
    """

    shown: ShownMessage
    sheet: Sheet


Step: TypeAlias = Rest | Wait | Post | Repost | Edit


@dataclass(frozen=True, slots=True)
class Limits:
    """When Discord and the other matches allow calls; all in seconds from now.

    Attributes:
        edit: until Discord takes the next edit of the shown message.
        post: until Discord takes the next post in the channel.
        queue: until the match has its turn, if it joins the queue now; 0 in its turn.
        idle: whether nobody is in the queue, so that a post may go where an edit would do.
            In a turn this is False, since it was decided before.
    """

    edit: float = 0.0
    post: float = 0.0
    queue: float = 0.0
    idle: bool = False


NO_LIMITS: Final = Limits()


@dataclass(frozen=True, slots=True)
class DisplayState:
    """The state on which the next call of one match depends.

    Attributes:
        wanted: the sheet that the channel has to show; None: nothing, or nothing more.
        shown: the message that shows the match now; None: there is none.
        outgoing: the message that is being posted; None: there is none.
        unseen: `game.match.Match.unseen`.
        repost: whether the match has to be posted again although its message can be edited.
        distance: how many messages below a table make it worth posting again.
        edit_at: when failed edits allow the next, in monotonic seconds.
        limits: when calls can go out.
    """

    wanted: Sheet | None = None
    shown: ShownMessage | None = None
    outgoing: OutgoingPost | None = None
    unseen: int = 0
    repost: bool = False
    distance: int = 0
    edit_at: float = 0.0
    limits: Limits = NO_LIMITS

    @property
    def outdated(self) -> ShownMessage | None:
        """The shown message, if the wanted sheet needs another one."""
        if self.shown is None or self.wanted is None or self.shown.key == self.wanted.key:
            return None
        return self.shown

    @property
    def needs_post(self) -> bool:
        """Whether an edit is not enough to show the wanted sheet.

        A message with an id up to `unseen` does not show that the match goes on after an absence
        or a pause, since its match time starts with a message above that id.
        """
        if self.shown is None or self.outdated is not None or self.repost:
            return True
        return self.shown.id <= self.unseen

    def has_moved_on(self, outgoing: OutgoingPost) -> bool:
        """Whether another message is wanted by now than the one that is being posted."""
        if self.repost or self.unseen != outgoing.unseen:
            return True
        return self.wanted is not None and self.wanted.key != outgoing.sheet.key


def plan(state: DisplayState, now: float) -> Step:
    """Return the step that brings the channel nearer to the wanted sheet.

    Args:
        state: the state of the display.
        now: monotonic seconds.
    """
    wanted, shown, outgoing = state.wanted, state.shown, state.outgoing
    if wanted is None:
        return Rest()
    if outgoing is not None:
        if outgoing.is_replaced_by(wanted):
            return Post(wanted)
        wait = outgoing.due_at - now
        return Wait(wait) if wait > 0 else Post(wanted, outgoing)
    if shown is None or state.needs_post:
        return Post(wanted)
    if shown.sheet == wanted:
        return Rest()
    if wanted.keep_in_view and _is_out_of_view(state, shown, now):
        return Repost()
    limits = state.limits
    # Others' calls take some of the wait, so the match spends that part in the queue.
    wait = max(limits.edit, state.edit_at - now) - limits.queue
    return Wait(wait) if wait > 0 else Edit(shown, wanted)


def _is_out_of_view(state: DisplayState, shown: ShownMessage, now: float) -> bool:
    """Whether chat has pushed the table up, and a post costs no edit of any match."""
    return (
        shown.below >= state.distance
        and now >= shown.posted_at + REPOST_GAP_S
        and state.limits.idle
        and state.limits.post <= 0
    )
