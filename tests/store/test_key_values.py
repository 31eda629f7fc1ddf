from bot.store.key_values import get_value, set_value


async def test_the_newest_value_is_recalled(database):
    for value in ("first", "second"):
        async with database.write() as session:
            await set_value(session, "commands", value)
    async with database.read() as session:
        assert await get_value(session, "commands") == "second"
        assert await get_value(session, "something else") is None
