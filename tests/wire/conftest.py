from tests.kit.wire.fixtures import ada, answer_within, ben, bot, loopback, tables, unharmed, wire

__all__ = ["ada", "answer_within", "ben", "bot", "loopback", "tables", "unharmed", "wire"]
