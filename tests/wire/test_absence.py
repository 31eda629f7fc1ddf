"""A bot that is away for an hour, alone with one match."""

import pytest

from game.ids import LOW_BITS
from game.match import Phase
from game.rox.state import Stage
from tests.kit.wire.faults import POST, refused
from tests.kit.wire.match import hosted
from tests.kit.wire.process import said

pytestmark = pytest.mark.asyncio


async def test_an_hour_away_and_a_channel_that_is_closed_do_not_end_the_match(tmp_path):
    """When the match is paused, nothing but the answers of Discord has told how late it is."""
    async with hosted(tmp_path) as wire:
        table = wire.table("rox-table", "Ada", "Ben")
        await table.race()
        hour = 3_600_000 << LOW_BITS

        async def an_hour_passes():
            wire.world.messages[table.channel_id].clear()
            wire.rows("update actions set action_id = action_id - ?", hour)

        with wire.faults.on(POST, refused(403)):
            await wire.restart(an_hour_passes)
            await table.until(lambda: table.match.phase is Phase.PAUSED)
        assert await said(wire.loopback, table.host.slash("rox table")) == "Here it comes."
        await table.until(lambda: table.stage is Stage.RACE)
        await table.goes_on()
