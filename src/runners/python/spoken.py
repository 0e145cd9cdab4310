"""spoken.py -- what in the source speaks for each argument of a witness.

`annotation`, `docstring`, `guard`, `default` and `call-site` are facts of the
text; an argument with none of them has `none`.  A parameter's name is not a
fact.
"""
import ast

from basics import OMIT, encode, tag_of
from sense import told
from shape import Failed
from syntax import literal

SEVERAL = {"list", "$tuple", "$set", "$frozenset", "$deque", "$range", "$dict",
           "$iter", "str", "$text"}
KINDS = {
    "int": {"int", "bool"}, "float": {"float", "int", "bool"},
    "num": {"float", "int", "bool", "$decimal", "$fraction", "$complex"},
    "bool": {"bool"}, "str": {"str"}, "bytes": {"$bytes"}, "none": {"none"},
    "dict": {"$dict"}, "list": SEVERAL, "tuple": {"$tuple"},
    "set": {"$set", "$frozenset"},
}
SAME = {"$text": "str", "$float": "float"}


def kind_of(v):
    """The kind of an encoded value, in one word."""
    if v is None:
        return "none"
    if isinstance(v, dict):
        return SAME.get(tag_of(v), tag_of(v) or "$dict")
    return type(v).__name__


def fits(ann, v):
    """True, False, or None if the type cannot be judged from the value."""
    if ann is None:
        return None
    if ann.kind == "any":
        return True
    if ann.kind == "union":
        every = [fits(a, v) for a in ann.args]
        return True if True in every else None if None in every else False
    if ann.kind == "literal":
        return any(encode(x) == v and type(x) is type(v) for x in ann.extra)
    if ann.kind not in KINDS:
        return False if v is None else None
    if kind_of(v) not in KINDS[ann.kind]:
        return False
    inside = [fits(ann.args[0], x) for x in v] if ann.args and isinstance(
        v, list) else []
    return False if False in inside else None if None in inside else True


def tests_of(func):
    """(the condition, whether it guards a part of its own line) of each
    test."""
    for n in ast.walk(func):
        if isinstance(n, (ast.If, ast.While, ast.Assert)):
            yield n.test, False
        elif isinstance(n, ast.IfExp):
            yield n.test, True
        elif isinstance(n, ast.comprehension):
            for test in n.ifs:
                yield test, True
        elif type(n).__name__ == "Match":
            yield n.subject, False


def asks_for_absence(test, name):
    """Whether the test asks `x`, `not x` or `x is None`, alone or with
    others."""
    if isinstance(test, ast.BoolOp):
        return any(asks_for_absence(t, name) for t in test.values)
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return asks_for_absence(test.operand, name)
    if isinstance(test, ast.Compare):
        sides = [test.left] + test.comparators
        return any(getattr(s, "id", "") == name for s in sides) and any(
            literal(s) == (True, None) for s in sides)
    return getattr(test, "id", "") == name


class Spoken:
    """Answers for one value of one slot at a time."""

    def __init__(self, func, doc, sites, spans, has_line):
        last = max(b for _, b in spans) if has_line and spans else None
        first = min(a for a, _ in spans) if last else None
        self.doc, self.sites = doc, sites
        self.tests = [t for t, within in tests_of(func) if last is None
                      or t.lineno <= last and (within or t.lineno < first)]
        self.demanded = {n.id for d in doc.demands for n in ast.walk(d)
                         if isinstance(n, ast.Name)}

    def by(self, slot, v):
        asked = [("annotation", self.annotation), ("docstring", self.words),
                 ("guard", self.guard), ("default", self.default),
                 ("call-site", self.site)]
        return [word for word, ask in asked if ask(slot, v)] or ["none"]

    def annotation(self, slot, v):
        if slot.note is None or slot.note.kind == "any":
            return False  # it says nothing
        return fits(slot.note, v) is not False

    def words(self, slot, v):
        if slot.group != "arguments":
            return False
        if v is None:
            return self.doc.may_be_none(slot.name) is True
        return slot.name in self.demanded or slot.name in self.doc.types or \
            bool(self.doc.adjectives.get(slot.name)) or \
            bool(self.doc.bounds.get(slot.name)) or \
            bool(told(self.doc, slot.name).strip(" :-*`"))

    def guard(self, slot, v):
        if slot.group != "arguments":
            return False
        if v is None:
            return any(asks_for_absence(t, slot.name) for t in self.tests)
        return any(getattr(n, "id", "") == slot.name for t in self.tests
                   for n in ast.walk(t))

    @staticmethod
    def default(slot, v):
        if slot.default is None:
            return False
        try:
            own = encode(ast.literal_eval(slot.default))
        except (ValueError, TypeError, SyntaxError, MemoryError, Failed,
                RecursionError):
            return False
        return kind_of(own) == kind_of(v)

    def site(self, slot, v):
        return slot.group == "arguments" and any(
            kind_of(s) == kind_of(v) for s in self.sites.get(slot.name, ()))

    def excludes(self, slots, row):
        """Whether an annotation rules out a value of a hint or a call."""
        return any(v != OMIT and v not in s.values and fits(
            s.note, v) is False for s, v in zip(slots, row)
            if s.by in ("position", "name"))

    def of_row(self, slots, row, witness):
        out = []
        for group in ("receiver", "arguments"):
            given = {a["name"] for a in witness.get(group, ())}
            for s, v in zip(slots, row):
                if s.group == group and s.name in given:
                    by = self.by(s, v)
                    out.append({"group": group, "argument": s.name, "by": by,
                                "allows": None if by == ["none"] else True})
        return out
