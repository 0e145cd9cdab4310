"""What looks as if it might fail, and does not: each has its reason."""
from datetime import date
from enum import Enum
from typing import Literal, Optional, Tuple


class Side(Enum):
    LEFT = 1
    RIGHT = 2


TURN = {Side.LEFT: -1, Side.RIGHT: 1}
SPEED = {"slow": 1, "fast": 9}


def turn(side: Side) -> int:
    return TURN[side]  # @here turn


def speed(name: Literal["slow", "fast"]) -> int:
    return SPEED[name]  # @here speed


def corner(point: Tuple[int, int, int]) -> int:
    return point[2]  # @here corner


def ratio_or(a, b):
    try:
        return a / b  # @here ratio_or
    except ZeroDivisionError:
        return 0


def ratio_early(a, b):
    if not b:
        return 0
    return a / b  # @here ratio_early


def ratio_squared(a, b):
    return a / (b * b + 1)  # @here ratio_squared


def head(items):
    """The first of items.

    :param items: a non-empty list
    """
    return items[0]  # @here head


def mean_documented(values):
    """The mean.

    Parameters
    ----------
    values : list of float
        At least one value.
    """
    return sum(values) / len(values)  # @here mean_documented


def per_day(total, days):
    """Pieces for each day.

    Args:
        total: how many there are.
        days: number of days, greater than zero.
    """
    return total / days  # @here per_day


def name_length(user: "User") -> int:
    return len(user.name)  # @here name_length


class User:
    def __init__(self, name: str, mail: Optional[str] = None):
        self.name = name
        self.mail = mail

    def mail_domain(self):
        if self.mail and "@" in self.mail:
            return self.mail.split("@")[1]  # @here mail_domain
        return None

    def greeting(self):
        return "Hello " + self.name  # @here greeting


def weekday(day: date) -> str:
    return ["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"][day.weekday()]  # @here weekday


def bucket(n: int) -> str:
    return "abc"[n % 3]  # @here bucket


def first_or(items, other=None):
    return next(iter(items), other)  # @here first_or


def dead(flag):
    if flag and not flag:
        return 1 / 0  # @here dead
    return 1


def sign(n: int) -> str:
    return {True: "-", False: "+"}[n < 0]  # @here sign


def chunk(items, size):
    size = max(1, size)
    return [items[i:i + size] for i in range(0, len(items), size)]  # @here chunk


def take_while(items):
    out = []
    while items and items[0] > 0:  # @here take_while
        out.append(items.pop(0))
    return out


def inverse(n: int) -> float:
    if n == 0:
        raise ValueError("n must not be 0")
    return 1 / n  # @here inverse


def digit_sum(n: int) -> int:
    return sum(int(d) for d in str(abs(n)))  # @here digit_sum


def window_mean(values, k):
    """Means of windows.

    Requires: 0 < k
    """
    return [sum(values[i:i + k]) / k for i in range(len(values) - k + 1)]  # @here window_mean
