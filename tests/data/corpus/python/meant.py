"""What callers mean, and what they would never do: each with the bug that it
must not hide."""
from typing import Dict, List

MAGIC = b"\x7fBOX"
TURNS = {"L": -1, "R": 1}
FEW_TURNS = {"L": -1}


class Shelf:
    def __init__(self):
        self.books = []

    def take(self):
        return self.books.pop()

    def take_or_say(self):
        if not self.books:
            raise IndexError("no books")
        return self.books.pop()


def _require(size):
    if size <= 0:
        raise ValueError("size")


def places(size):
    _require(size)  # @here places
    return [None] * min(size, 99)


def places_of_text(size):
    _require(len(size))
    return [None] * min(int(size), 99)  # @here places_of_text


def surname(person):
    return person.name[1:]  # @here surname


def surname_told(person):
    """The part behind the first letter.

    person: an employee
    """
    return person.name[1:]  # @here surname_told


def turned(items, by):
    by = by % len(items) if items else 0
    return items[by:] + items[:by]


def _first(rows, key):
    for row in rows:
        if row["key"] == key:
            return row
    return None


def amount(rows, key):
    row = _first(rows, key)
    return row["amount"]  # @here amount


def amount_ok(rows, key):
    row = _first(rows, key)
    if row is None:
        return 0
    return row["amount"]


def columns(matrix):
    return [[row[i] for row in matrix] for i in range(len(matrix[0]))]


def columns_ok(matrix):
    if not matrix:
        return []
    return [[row[i] for row in matrix] for i in range(len(matrix[0]))]


def heading(moves):
    """Requires: all(m in "LR" for m in moves)"""
    return sum(FEW_TURNS[m] for m in moves)


def heading_ok(moves):
    """Requires: all(m in "LR" for m in moves)"""
    return sum(TURNS[m] for m in moves)


def as_text(data, encoding="utf-8"):
    return data.decode(encoding)


def as_text_ok(data, encoding="utf-8"):
    return data.decode(encoding, "replace")


def leg(lengths, stop):
    out = 0
    while stop.after is not None:
        out += lengths[stop, stop.after]
        stop = stop.after
    return out


def reach(roads, start):
    seen, todo = {start}, [start]
    while todo:
        for town in roads[todo.pop()]:  # @here reach
            if town not in seen:
                seen.add(town)
                todo.append(town)
    return seen


def reach_ok(roads, start):
    seen, todo = {start}, [start]
    while todo:
        for town in roads.get(todo.pop(), ()):  # @here reach_ok
            if town not in seen:
                seen.add(town)
                todo.append(town)
    return seen


def way(roads, start, goal):
    """
    :param roads: dict mapping a node to its neighbours
    :param start: the first node
    :param goal: the last node
    """
    todo = [[start]]
    while todo:
        path = todo.pop(0)
        if path[-1] == goal:
            return path
        for town in roads[path[-1]]:  # @here way
            todo.append(path + [town])
    return None


def way_ok(roads, start, goal):
    """
    :param roads: dict mapping a node to its neighbours
    :param start: the first node
    :param goal: the last node
    """
    todo = [[start]]
    while todo and len(todo) < 99:
        path = todo.pop(0)
        if path[-1] == goal:
            return path
        for town in roads.get(path[-1], ()):  # @here way_ok
            todo.append(path + [town])
    return None


def relaxed(edges, source):
    best = {v: 99 for _, v in edges}
    best[source] = 0
    for (u, v), cost in edges.items():
        if u == source:
            best[v] = min(best[v], best[u] + cost)
    return best


def lightest(roads, start):
    cost, todo = {start: 0}, [start]
    while todo:
        here = todo.pop()
        for town, weight in roads[here].items():  # @here lightest
            if town not in cost:
                cost[town] = cost[here] + weight
                todo.append(town)
    return cost


def reckon_told(tokens):
    """tokens: a list of numbers and of "+", each behind its two numbers"""
    stack = []
    for token in tokens:
        if token == "+":
            b = stack.pop()
            stack.append(stack.pop() + b)
        else:
            stack.append(token)
    return stack.pop()


def place_of(path: str):
    """path: of a file"""
    out = []
    for part in path.split("/"):
        if part == "..":
            out.pop()  # @here place_of
        elif part:
            out.append(part)
    return out


def place_of_ok(path: str):
    """path: of a file"""
    out = []
    for part in path.split("/"):
        if part == "..":
            out = out[:-1]  # @here place_of_ok
        elif part:
            out.append(part)
    return out


def degrees(graph: Dict[str, List[str]]):
    out = {name: 0 for name in graph}
    for name in graph:
        for other in graph[name]:
            out[other] += 1  # @here degrees
    return out


def degrees_ok(graph: Dict[str, List[str]]):
    out = {name: 0 for name in graph}
    for name in graph:
        for other in graph[name]:
            out[other] = out.get(other, 0) + 1  # @here degrees_ok
    return out


def box_kind(data: bytes):
    return data[4] if data.startswith(MAGIC) else None  # @here box_kind


def box_kind_ok(data: bytes):
    return data[4:5] if data.startswith(MAGIC) else None  # @here box_kind_ok


def spent(pairs):
    """pairs: a list of (name, price) tuples"""
    return sum(1 for name, price in pairs if name)


def above(limits, x):
    """limits: a list of ints"""
    return [n for n in limits if n < x]


def first_name(user):
    return user.name.first  # @here first_name


def first_name_or_none(user):
    """Who asks whether the user is there means that the name is."""
    if not user:
        return None
    return user.name.first  # @here first_name_or_none


def first_name_of_named(user):
    if user and user.name:
        return user.name.first  # @here first_name_of_named
    return None


def first_name_of_other(user, other):
    """That one is asked for says nothing of the other."""
    if user:
        return other.name.first  # @here first_name_of_other
    return None


def first_name_and(user):
    return user and user.name.first  # @here first_name_and


def first_names(users):
    return [u.name.first for u in users or () if u and u.name]  # @here first_names


def first_name_of_kind(user):
    if isinstance(user, dict):
        return user["name"]
    return user.name.first  # @here first_name_of_kind


def first_name_if_has(user):
    if hasattr(user, "name"):
        return user.name.first  # @here first_name_if_has
    return None


def first_name_of_some(users):
    out = users.active  # @here first_name_of_some
    return out if len(users) > 0 else None


def first_name_beside(names, other):
    """How many names there are says nothing of the other."""
    if len(names) > 3:
        return None
    return other.name.first  # @here first_name_beside


def first_name_of_equal(user, names):
    """What another function is asked says nothing."""
    if sorted(names) == user:
        return None
    return user.name.first  # @here first_name_of_equal
