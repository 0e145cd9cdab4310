"""Things: dicts, objects, classes, iterators, async code."""
import dataclasses
import enum
import functools
from collections import deque
from typing import Any, Dict, Iterator, List, NamedTuple, Optional, Tuple

try:
    from typing import TypedDict
except ImportError:  # Python 3.7
    TypedDict = None


class Colour(enum.Enum):
    RED = "red"
    BLUE = "blue"

    def rank(self, table: Dict[str, int]) -> int:
        return table[self.value]  # @here rank


class Point(NamedTuple):
    x: int
    y: int = 0

    def slope(self) -> float:
        return self.y / self.x  # @here slope


@dataclasses.dataclass
class Order:
    price: float
    count: int = 1
    note: Optional[str] = None
    tags: List[str] = dataclasses.field(default_factory=list)

    def each(self) -> float:
        return self.price / self.count  # @here each

    def each_ok(self) -> float:
        return self.price / self.count if self.count else 0.0  # @here each_ok

    def heading(self) -> str:
        return self.note.title()  # @here heading

    def heading_ok(self) -> str:
        return (self.note or "").title()  # @here heading_ok

    @property
    def first_tag(self) -> str:
        return self.tags[0]  # @here first_tag

    @classmethod
    def from_row(cls, row: Dict[str, float]) -> "Order":
        return cls(row["price"])  # @here from_row

    @staticmethod
    def unit(row: Dict[str, float]) -> float:
        return row.get("unit", 1.0)  # @here unit


class Base:
    def __init__(self, size: int):
        self.size = size
        self.link = None


class Connection(Base):
    def send(self, data: bytes) -> int:
        return self.link.write(data)  # @here send

    def chunks(self, n: int) -> float:
        return n / self.size  # @here chunks


class Paged:
    def __init__(self, pages: int):
        self.width = 100 // pages  # @here __init__
        self.pages = pages


def total(order):
    return order["price"] * order["count"]  # @here total


def total_ok(order):
    return order.get("price", 0) * order.get("count", 0)  # @here total_ok


def host(config: Dict[str, Any]) -> str:
    if "host" not in config:
        return ""
    return config["host"] + config["port"]  # @here host


def email(user):
    return user.contact.email.lower()  # @here email


def email_ok(user):
    if user is None or user.contact is None or user.contact.email is None:
        return ""
    return user.contact.email.lower()  # @here email_ok


def painted(colour: Colour, seen: Dict[Colour, int]) -> int:
    return seen[colour]  # @here painted


def painted_ok(colour: Colour) -> int:
    return {Colour.RED: 1, Colour.BLUE: 2}[colour]  # @here painted_ok


def second(values: Tuple[int, int]) -> int:
    return values[1]  # @here second


def third(values: Tuple[int, ...]) -> int:
    return values[2]  # @here third


def head(values: Iterator[int]) -> int:
    return next(values)  # @here head


def head_ok(values: Iterator[int]) -> int:
    return next(values, 0)  # @here head_ok


def pairs(values: List[int]):
    """A generator that asks for one more than there is."""
    it = iter(values)
    for a in it:
        yield a, next(it)  # @here pairs


async def fetched(rows: List[int]) -> int:
    return rows[0]  # @here fetched


async def streamed(rows: List[int], step: int):
    for row in rows:
        yield row // step  # @here streamed


def keyword(*, size: int, parts: int = 1) -> float:
    return size / parts  # @here keyword


def options(**given: int) -> int:
    return given["depth"]  # @here options


def rest(*values: int) -> int:
    return values[0]  # @here rest


def positional(a, b, /):
    return [1, 2, 3][a] + b  # @here positional


@functools.lru_cache(maxsize=None)
def cached(n: int) -> float:
    return 1 / n  # @here cached


def quiet(function):
    @functools.wraps(function)
    def inner(*args, **named):
        try:
            return function(*args, **named)
        except ZeroDivisionError:
            return None
    return inner


@quiet
def quieted(n: int) -> float:
    return 1 / n  # @here quieted


def depth(tree):
    if tree is None:
        return 0
    return 1 + max(depth(tree.left), depth(tree.right))  # @here depth


def walk(graph, start):
    out = [start]
    for node in graph[start]:
        out += walk(graph, node)  # @here walk
    return out


def walk_ok(graph, start, seen=None):
    seen = seen or set()
    if start in seen:
        return []
    seen.add(start)
    out = [start]
    for node in graph.get(start, []):
        out += walk_ok(graph, node, seen)  # @here walk_ok
    return out


def drained(queue: deque) -> int:
    return queue.popleft()  # @here drained


def drained_ok(queue: deque) -> int:
    return queue.popleft() if queue else 0  # @here drained_ok


def apply(function, value: int) -> float:
    return 1 / function(value)  # @here apply


def loops(values: List[int]) -> int:
    for v in values:
        found = v
    return found  # @here loops


def loops_ok(values: List[int]) -> int:
    found = 0
    for v in values:
        found = v
    return found  # @here loops_ok


def nested(values: List[List[int]]) -> int:
    def inner(row):
        return row[0]  # @here nested
    return sum(inner(row) for row in values)


def closure(n: int):
    def later(m: int) -> float:
        return m / n  # @here closure
    return later
