from tests.kit.wire.fixtures import (
    ada,
    ben,
    bot,
    loopback,
    response_timeout,
    tables,
    unharmed,
    wire,
)

__all__ = ["ada", "ben", "bot", "loopback", "response_timeout", "tables", "unharmed", "wire"]
