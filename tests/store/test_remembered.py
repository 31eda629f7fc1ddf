from bot.store.remembered import recall, remember


async def test_the_newest_value_is_recalled(database):
    for value in ("first", "second"):
        async with database.write() as session:
            await remember(session, "commands", value)
    async with database.read() as session:
        assert await recall(session, "commands") == "second"
        assert await recall(session, "something else") is None
