"""Functions of which one argument fails, and others that do not."""
import time


def ratio(a: int, b: int) -> float:
    return a / b  # @here ratio


def pick(items: list, at: int):
    return items[at]  # @here pick


def never(a: int) -> float:
    return 1 / (a - a)  # @here never


def both(a: int, b: int) -> float:
    return 1 / (a + b)  # @here both


def names(first, last):
    return first.name + last.name  # @here names


def shares(total: int, *parts: int) -> list:
    return [total / p for p in parts]  # @here shares


def scaled(value: int, factor: int = 0) -> float:
    return value / factor  # @here scaled


def checked(a: int, b: int) -> float:
    if a < 0:
        raise ValueError("a")
    return 1 / b  # @here checked


def local(key: str):
    found = {"a": 1}.get(key)
    return found.bit_length()  # @here local


class Box:
    def __init__(self, size: int = 0):
        self.size = size

    def part(self, n: int) -> float:
        return n / self.size  # @here part

    def cut(self, n: int) -> float:
        return self.size / n  # @here cut


def sleeps(a: int, b: int) -> float:
    if b != 0:
        time.sleep(60)
    return a / b  # @here sleeps


def sleeps_once(a: int, b: int) -> float:
    if b == 1:
        time.sleep(60)
    return a / b  # @here sleeps_once
