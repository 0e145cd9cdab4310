"""shape.py -- what is known about a value: a node that grows as uses are read.

It is part of the program of synthesise.py.  Two names for one value share one
node (they are unified).  So a loop over linked nodes closes on itself, and
what a helper does with a value counts for its caller.
"""

WITNESSES_MAX = 64
VALUES_MAX = 24  # for each parameter, in the order of trials
NEST_MAX = 4  # of annotations and of values: List[List[List[int]]]
CONSTS_MAX = 12  # for each value, of the constants it is compared with
FIELDS_MAX = 24  # keys or attributes of one value
BIG = 10 ** 18  # limit for numbers that are taken from the source


class Failed(Exception):
    """No witness can be built; the text is the reason's code and words."""


class Shape:
    """A node.  Its kinds are words: int float num bool str bytes list dict set
    tuple seq (indexed, type unknown) iterable sized callable iterator
    object."""

    def __init__(self, *kinds):
        self.link = None
        self.kinds = dict.fromkeys(kinds)
        self.marks = {}  # none, hashable, divisor, opaque, json, intlike...
        self.consts = []
        self.lens = []  # lengths that it is compared with
        self.parts = {}  # "elem", "key", "val", "ret": Shape
        self.keys = {}  # constant keys read: Shape
        self.attrs = {}
        self.calls = {}  # methods called: Shape of the result
        self.sizes = []  # (least, most or None) of unpackings
        self.isa = []  # annotations that isinstance() names
        self.origin = None  # (Shape, inverse): what it was computed from
        self.whole = None  # the Shape of which it is a slice

    def part(self, name):
        me = root(self)
        if name not in me.parts:
            me.parts[name] = Shape()
        return root(me.parts[name])

    def field(self, table, name):
        me = root(self)
        fields = getattr(me, table)
        if name not in fields:
            if len(fields) >= FIELDS_MAX:
                return Shape()
            fields[name] = Shape()
        return root(fields[name])

    def kind(self, *words):
        me = root(self)
        for word in words:
            me.kinds[word] = None
        if me.whole is not None and set(words) & {"str", "bytes"}:
            whole, me.whole = root(me.whole), None
            whole.kind(*[w for w in words if w in ("str", "bytes")])
        return me

    def mark(self, *words):
        me = root(self)
        for word in words:
            me.marks[word] = None
        return me

    def const(self, value, steps=4):
        """Note a constant that it is compared with, and what that means for
        the value it was computed from."""
        me = root(self)
        if len(me.consts) < CONSTS_MAX and not any(
                type(c) is type(value) and c == value for c in me.consts):
            me.consts.append(value)
        if me.origin is not None and steps:
            source, inverse = me.origin
            for v in inverse(value):
                if root(source) is not me:
                    source.const(v, steps - 1)

    def length(self, n):
        me = root(self)
        if isinstance(n, int) and 0 <= n <= 64 and n not in me.lens:
            me.lens.append(n)


NUMERIC = {"int", "float", "num", "bool"}
SEQUENCE = {"seq", "list", "tuple", "iterable", "sized", "str", "bytes"}


def root(shape):
    while shape.link is not None:
        shape = shape.link
    return shape


def compatible(a, b):
    """Whether two nodes can be the same value."""
    x, y = set(root(a).kinds), set(root(b).kinds)
    if not x or not y or x & y:
        return True
    if x <= NUMERIC and y <= NUMERIC:
        return True
    hard_x = x - {"seq", "iterable", "sized"}
    hard_y = y - {"seq", "iterable", "sized"}
    if not hard_x or not hard_y:
        return (x | y) <= SEQUENCE | {"dict", "set", "iterator"}
    return False


def unify(a, b):
    whole, todo = a, [(a, b)]
    while todo:
        a, b = [root(s) for s in todo.pop()]
        if a is b or not compatible(a, b):
            continue
        b.link = a
        a.kinds.update(b.kinds)
        for mark in b.marks:  # that one may be None says nothing about both
            if mark != "none" or not a.kinds:
                a.marks[mark] = b.marks[mark]
        for c in b.consts:
            a.const(c)
        for n in b.lens:
            a.length(n)
        a.sizes += b.sizes
        a.isa += b.isa
        a.origin = a.origin or b.origin
        a.whole = a.whole or b.whole
        for table in ("parts", "keys", "attrs", "calls"):
            mine, other = getattr(a, table), getattr(b, table)
            for name in other:
                if name in mine:
                    todo.append((mine[name], other[name]))
                elif len(mine) < FIELDS_MAX:
                    mine[name] = other[name]
    return root(whole)
