"""Games with what the harness relies on while it looks at an exception."""
import functools
import sys


def traced(x: int):
    sys.settrace(lambda *a: 1 // 0)
    return 1 / x


def shallow(x: int):
    sys.setrecursionlimit(sys.getrecursionlimit() // 10)
    return 1 / x


def kept(x: int):
    if KEPT:
        raise KEPT[0]
    return 1 / x


KEPT = []
try:
    kept(0)
except ZeroDivisionError as e:
    KEPT.append(e)


def borrowed(x: int):
    try:
        divide(x)
    except ZeroDivisionError as e:
        error = e
    else:
        return 1 / 1
    raise error


def divide(x):
    return 1 / x


def fails_first(function):
    @functools.wraps(function)
    def inner(x):
        return function(1 // (x * 0))
    return inner


@fails_first
def wrapped(x: int):
    return 1 / x


class Broken:
    def __init__(self, x: int):
        self.x = x // 0

    def of_broken(self):
        return 1 / self.x


def hooked(x: int):
    sys.excepthook = sys.exit
    sys.unraisablehook = sys.exit
    return 1 / x


class Last:
    def __del__(self):
        raise SystemExit(3)


def collected(x: int):
    last = Last()
    last.me = last
    return 1 / x
