"""Shelves: indexes that run off the end, and some that do not."""
from typing import Dict, List, Tuple

from .prices import mean_price


class Shelf:
    def __init__(self, items: List[str]):
        self.items = items

    def first(self) -> str:
        return self.items[0]

    def at(self, index: int) -> str:
        if not 0 <= index < len(self.items):
            return ""
        return self.items[index]


def newest(items):
    return items[-1]


def middle(items: List[int]) -> int:
    if len(items) < 3:
        return 0
    return items[len(items) // 2]


def second_word(line: str) -> str:
    return line.split(" ")[1]


def lookup(table: Dict[str, int], name: str) -> int:
    return table[name]


def corner(box: Tuple[int, int], which: int) -> int:
    return box[which]


def typical(prices):
    return mean_price(prices)


def wait_for(items):
    while not items:
        pass
    return items[0]
