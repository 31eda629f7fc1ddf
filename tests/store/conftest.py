import pytest

from bot.store.database import Database
from bot.store.journal import Journal
from bot.store.migrate import upgrade
from tests.kit.stored_logs import FIGURES


@pytest.fixture
def url(tmp_path):
    return f"sqlite+aiosqlite:///{tmp_path / 'rox.sqlite3'}"


@pytest.fixture
async def database(url):
    upgrade(url)
    database = Database.open(url)
    yield database
    await database.close()


@pytest.fixture
async def second(database, url):
    """The same database, as another process would open it."""
    other = Database.open(url)
    yield other
    await other.close()


@pytest.fixture
async def journal(database):
    journal = Journal(database, FIGURES)
    yield journal
    await journal.flush()
