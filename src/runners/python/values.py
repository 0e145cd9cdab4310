"""values.py -- makes the values of a type, in the form that its uses need."""
import ast
import itertools

from annotate import Ann
from basics import (
    OMIT, SPECIAL, TEXTS, arranged, distinct, encode, is_hashable,
    plain_bytes, plain_floats, plain_ints, plain_strs, tag_of)
from shape import (
    Failed, NEST_MAX, NUMERIC, SEQUENCE, Shape, VALUES_MAX, root, unify)

WIDTH = [VALUES_MAX, 7, 5, 3, 3, 2, 2]  # number of values at each depth
PLURALS = ("nodes", "neighbors", "neighbours", "successors", "edges",
           "children", "items", "list", "entries", "rows")
GRAPHS = ("successors neighbors neighbours adjacent edges links outgoing "
          "incoming friends dependencies deps references nodes").split()
LINKS = ("next successor left right parent prev previous child link head "
         "tail root up down").split()


class Maker:
    """Lists of values for one flag class, in the order in which to try
    them."""

    def __init__(self, module, flag_class):
        self.module = module
        self.flag_class = flag_class
        self.stack = []  # shapes in the making, to stop endless recursion
        self.classes = []  # classes being constructed
        self.needed = set()  # names that the flagged line needs
        self.is_wild = False  # nothing excludes None

    def make(self, ann, shape, depth=0):
        """The values of that type (None: as it is used); [] when there are
        none."""
        shape = root(shape)
        if depth >= len(WIDTH):
            return []
        if ann is None or ann.kind == "any":
            out = self.guessed(ann, shape, depth)
        else:
            out = self.by_kind(ann, shape, depth)
        if "hashable" in shape.marks:
            out = [v for v in out if is_hashable(v)]
        if ann is not None and ann.kind == "union":
            return distinct(out)[:WIDTH[depth] + 4]
        return distinct(out)[:WIDTH[depth]]

    def nested(self, ann, shape, depth):
        return self.make(ann, shape, depth + 1)

    # -- without an annotation -----------------------------------------

    def may_be_none(self, ann, shape):
        if "none" in shape.marks:
            return True
        if self.flag_class != "null-deref":
            return False
        return self.is_wild or "truth" in shape.marks and set(
            shape.kinds) <= {"object"}  # of a list, truth means not empty

    def guessed(self, ann, shape, depth):
        kinds = self.guess(shape)
        lists = [self.by_kind(a, shape, depth) for a in kinds]
        out = interleave(lists)
        if not kinds:
            out = self.anything(ann, shape, depth)
        if self.may_be_none(ann, shape) and (
                depth == 0 or self.none_inside(shape)):
            first = self.flag_class == "null-deref" and (
                depth == 0 or "none" in shape.marks)
            out = [None] + out if first and depth == 0 else \
                out[:1] + [None] + out[1:]
        return out

    def anything(self, ann, shape, depth):
        """The values for something about which nothing is known."""
        if set(shape.marks) & {"hashable", "subscripts"}:
            return ["a", "b", "", 0]
        consts = [encode(c) for c in shape.consts]
        if depth and ann is None:  # of one kind, as they may be compared
            return consts + [0, 1, 2]
        if self.flag_class == "type-mismatch":
            return [0, 1] + consts  # nobody promises a type
        return [0, "", [], 1, "a"][:5 if depth == 0 else 2] + consts

    def none_inside(self, shape):
        return "none" in shape.marks or bool(
            shape.attrs or shape.calls or shape.keys or shape.kinds)

    def guess(self, shape):
        """The types that an unannotated value may have: every use must allow
        it."""
        kinds = shape.kinds
        for node in shape.isa[:1]:
            elts = node.elts if isinstance(node, ast.Tuple) else [node]
            out = [self.module.read(e) for e in elts]
            if set(kinds) <= {"object", "iterable", "sized"} and all(out):
                return out + [Ann("int")] * (self.stack != [])
        out = []
        if "datetime" in kinds and not shape.calls:
            return [Ann("datetime")]
        for word in ("textio", "deque", "set", "dict"):
            if word in kinds:
                return [Ann(word)]
        if "str" in kinds:
            out.append(Ann("str"))
        if "bytes" in kinds:
            out.append(Ann("bytes"))
        if "iterator" in kinds and not out:
            return [Ann("iter")]
        if "list" in kinds and not out:
            return [Ann("list")]
        if not out and "contains" in shape.marks and shape.keys and \
                not set(kinds) & SEQUENCE:
            return [Ann("dict")]
        if not out and set(kinds) & {"seq", "iterable", "sized", "tuple"}:
            return self.guess_sequence(shape)
        if not out and "subscript" in shape.marks:
            return self.guess_subscript(shape)
        if "callable" in kinds and not out:
            return [Ann("callable")]
        if not out or "num" in kinds or "int" in kinds:
            out += self.guess_number(shape)
        if not out and (shape.attrs or shape.calls):
            return self.guess_object(shape)
        if not out and "contains" in shape.marks:
            return [Ann("list")]
        return out

    def guess_object(self, shape):
        """An instance of a class of the module that has everything that is
        used, and a stand-in if only attributes are used."""
        is_linked = any(root(a) is shape for a in shape.attrs.values())
        if is_linked and not shape.calls:
            return [Ann("unknown")]
        own = self.module.like(shape.attrs, shape.calls)
        return own if own and shape.calls else own + [Ann("unknown")]

    def guess_number(self, shape):
        kinds = shape.kinds
        if "float" in kinds:
            return [Ann("float"), Ann("int")] if self.flag_class in (
                "overflow", "value-invalid") else [Ann("int"), Ann("float")]
        if "int" in kinds or "num" in kinds:
            return [Ann("int")]
        return [Ann("bool")] if "bool" in kinds else []

    def guess_sequence(self, shape):
        elem = root(shape.parts["elem"]) if "elem" in shape.parts else None
        fixed = [s for s in shape.sizes if s[1] is not None]
        if "arity" in shape.marks and not fixed:
            fixed = [(shape.marks["arity"],) * 2]
        if fixed and self.stack:
            return [Ann("tuple", [None] * fixed[0][0], "fixed")]
        if fixed and "iterable" not in shape.kinds:
            one = Ann("tuple", [None] * fixed[0][0], "fixed")
            return [one, Ann("list")] if self.flag_class == \
                "value-invalid" and shape.lens else [one]
        if elem is not None and elem.consts and all(
                isinstance(c, str) and len(c) == 1 for c in elem.consts) and \
                not elem.attrs and "stored" not in shape.marks:
            return [Ann("str"), Ann("list")]
        return [Ann("list")]

    def guess_subscript(self, shape):
        key = root(shape.parts["key"]) if "key" in shape.parts else Shape()
        if set(key.kinds) & NUMERIC or "stored" in shape.marks and \
                set(key.kinds) <= NUMERIC and key.kinds:
            return [Ann("list")]
        return [Ann("dict")]

    # -- by kind -------------------------------------------------------

    def by_kind(self, ann, shape, depth):
        kind = ann.kind
        if kind in PLAIN:
            return PLAIN[kind](shape, self.flag_class)
        if kind in SPECIAL:
            return [{"$" + kind: t} for t in TEXTS["$" + kind]]
        if kind == "none":
            return [None]
        if kind == "literal":
            return [encode(v) for v in ann.extra]
        if kind == "member":
            return [{"$member": m} for m in ann.extra]
        if kind == "any":
            return self.guessed(ann, shape, depth)
        if kind == "union":
            return self.of_union(ann, shape, depth)
        handler = getattr(self, "of_" + kind, None)
        return handler(ann, shape, depth) if handler else []

    def of_union(self, ann, shape, depth):
        lists = [self.make(a, shape, depth) for a in ann.args]
        out = interleave(lists)
        first = self.flag_class == "null-deref" or any(
            tag_of(v) in ("$new", "$stub") for v in out[:1])
        if None in out and first:
            out = [None] + [v for v in out if v is not None]
        return out

    def arg(self, ann, i):
        return ann.args[i] if i < len(ann.args) else None

    def items_of(self, ann, shape, depth, name="elem", at=0):
        part = shape.part(name)
        if part in self.stack and depth > NEST_MAX:
            return []
        self.stack.append(shape)
        try:
            out = self.nested(self.arg(ann, at), part, depth)
        finally:
            self.stack.pop()
        return out

    def of_list(self, ann, shape, depth):
        items = self.items_of(ann, shape, depth)
        out = arranged(items, shape.lens, WIDTH[depth] + 8)
        if shape.keys and not ann.args:
            out = self.positions(shape, depth) + out
            out.sort(key=lambda v: len(v) > 0)
        return out

    def positions(self, shape, depth):
        """A list in which each position is used in its own way."""
        spots = [k for k in shape.keys if type(k) is int]
        if not spots:
            return []
        size = max([n for n, _ in shape.sizes] + [max(spots) + 1])
        lists = [self.nested(None, shape.keys[i], depth)
                 if i in shape.keys else [0] for i in range(size)]
        return self.rows(lists) if all(lists) else []

    def of_deque(self, ann, shape, depth):
        return [{"$deque": v} for v in self.of_list(ann, shape, depth)]

    def of_iter(self, ann, shape, depth):
        return [{"$iter": v} for v in self.of_list(ann, shape, depth)]

    def of_aiter(self, ann, shape, depth):
        return [{"$aiter": v} for v in self.of_list(ann, shape, depth)]

    def of_await(self, ann, shape, depth):
        return [{"$await": v}
                for v in self.items_of(ann, shape, depth, "ret")]

    def of_set(self, ann, shape, depth, tag="$set"):
        lists = self.of_list(ann, shape, depth)
        return [{tag: v} for v in lists
                if all(map(is_hashable, v)) and len(distinct(v)) == len(v)]

    def of_frozenset(self, ann, shape, depth):
        return self.of_set(ann, shape, depth, "$frozenset")

    def of_tuple(self, ann, shape, depth):
        widths = [n for n, most in shape.sizes if most is not None]
        if ann.extra != "fixed" and not ann.args and widths:
            ann = Ann("tuple", [None] * widths[0], "fixed")
        if ann.extra != "fixed":
            return [{"$tuple": v} for v in self.of_list(ann, shape, depth)]
        lists = []
        for i, a in enumerate(ann.args):
            part = shape.keys[i] if i in shape.keys else shape.part("elem")
            lists.append(self.nested(a, part, depth))
        if not all(lists):
            return []
        return [{"$tuple": v} for v in self.rows(lists)]

    def of_range(self, _ann, _shape, _depth):
        return [{"$range": [0, n, 1]} for n in (0, 1, 2, 3)]

    def rows(self, lists):
        """Rows with one item of each list: the first ones, then with one
        varied, then with all varied."""
        first = [v[0] for v in lists]
        out = [first]
        width = max([len(v) for v in lists] + [0])
        for rank in range(1, min(width, 6)):
            for i, v in enumerate(lists):
                if rank < len(v):
                    out.append(first[:i] + [v[rank]] + first[i + 1:])
            out.append([v[min(rank, len(v) - 1)] for v in lists])
        return distinct(out)[:3 * VALUES_MAX]

    def of_callable(self, ann, shape, depth):
        part = shape.part("ret")
        returns = self.arg(ann, 0)
        values = self.nested(returns, part, depth) or [None]
        return [{"$call": v} for v in values[:4]]

    def of_textio(self, _ann, shape, _depth):
        return [{"$file": v} for v in plain_strs(
            shape, self.flag_class) if isinstance(v, str)][:8]

    def of_binaryio(self, _ann, shape, _depth):
        return [{"$file": v} for v in plain_bytes(shape, self.flag_class)][:6]

    def of_type(self, ann, _shape, _depth):
        inner = self.arg(ann, 0)
        if inner is not None and inner.kind == "class":
            return [{"$member": inner.extra}]
        if inner is not None and inner.kind in PLAIN:
            return [{"$type": inner.kind}]
        return [{"$type": "int"}, {"$type": "str"}]

    # -- dicts ---------------------------------------------------------

    def of_dict(self, ann, shape, depth):
        if "elem" in shape.parts and "subscript" not in shape.marks:
            unify(shape.part("key"), shape.part("elem"))
        named = [k for k in shape.keys if isinstance(k, str)]
        if named:
            return self.with_keys(ann, shape, named, depth)
        keys = self.items_of(ann, shape, depth, "key", 0)
        keys = [k for k in keys if is_hashable(k)]
        if "key" not in shape.parts and not ann.args:
            keys = ["a", "b"]
        values = self.items_of(ann, shape, depth, "val", 1)
        if not keys or not values:
            return [{"$dict": []}]
        out = [{"$dict": []}] + self.graphs(shape, keys)
        a, b = keys[0], keys[min(1, len(keys) - 1)]
        inner = [v["$dict"][0] for v in values if tag_of(v) == "$dict"
                 and len(v["$dict"]) == 1]
        if inner and a != b and inner[0][0] == a:  # weights of edges
            out.append({"$dict": [[a, {"$dict": [[b, inner[0][1]]]}]]})
        for v in values[:4]:
            out.append({"$dict": [[a, v]]})
        out.append({"$dict": [[b, values[0]]]})
        if a != b:
            out.append({"$dict": [[a, values[0]], [b, values[-1]]]})
            out.append({"$dict": [[a, values[-1]], [b, values[0]]]})
        return out

    def graphs(self, shape, keys):
        """Neighbour lists, when the listed items are looked up again."""
        val = shape.part("val")
        elem = val.parts.get("elem") or val.parts.get("key")
        if elem is None or root(elem) is not shape.part("key") or \
                len(keys) < 2 or not set(val.kinds) & SEQUENCE:
            return []
        a, b = keys[:2]
        return [{"$dict": [[a, []]]}, {"$dict": [[a, [a]]]},
                {"$dict": [[a, [b]], [b, [a]]]},
                {"$dict": [[a, [b]], [b, []]]}, {"$dict": [[a, [b]]]}]

    def with_keys(self, ann, shape, named, depth):
        self.stack.append(shape)
        value_type = self.arg(ann, 1)
        lists = [self.nested(value_type, shape.keys[k], depth) or [0]
                 for k in named]
        self.stack.pop()
        full = [{"$dict": [[k, v] for k, v in zip(named, row)]}
                for row in self.rows(lists)]
        base = full[0]["$dict"]
        lacking = [{"$dict": []}] + [
            {"$dict": base[:i] + base[i + 1:]} for i in range(len(base))]
        if self.flag_class == "key-missing":
            return lacking + full
        if set(shape.marks) & {"gets", "contains"} or ann.args:
            return full[:1] + lacking[:4] + full[1:]
        return full if depth else full[:6] + lacking[:1] + full[6:]

    def of_typeddict(self, ann, shape, depth):
        lists, needed = [], []
        for name, inner, _, must in ann.extra:
            part = shape.keys[name] if name in shape.keys else Shape()
            values = self.nested(inner, part, depth) if must is not None \
                else []
            if not values and must:
                return []
            lists.append(values or [OMIT])
            needed.append(must)
        names = [f[0] for f in ann.extra]
        lists = [v if must else [OMIT] + v for v, must in zip(lists, needed)]
        if not lists:
            return [{"$dict": []}]
        return [{"$dict": [[n, v] for n, v in zip(names, row)
                           if v is not OMIT]} for row in self.rows(lists)]


def interleave(lists):
    mixed = itertools.zip_longest(*[v for v in lists if v], fillvalue=Failed)
    return [v for row in mixed for v in row if v is not Failed]


PLAIN = {
    "int": plain_ints, "float": plain_floats, "str": plain_strs,
    "bytes": plain_bytes, "bool": lambda _s, _c: [False, True],
    "complex": lambda _s, _c: [encode(0j), encode(1j), encode(1 + 0j)],
    "num": lambda s, c: interleave([plain_ints(s, c), plain_floats(s, c)]),
}
