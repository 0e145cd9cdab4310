"""values.py -- the boundary values of a parameter, smallest first.

Part of the program that synthesise.py ends; see there.
"""
import itertools


def encode(value):
    """The typed encoding that call.py decodes (see 0011-witness.md)."""
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, float):
        plain = value == value and value not in (float("inf"), -float("inf"))
        return value if plain else {"$float": repr(value)}
    if isinstance(value, bytes):
        return {"$bytes": value.hex()}
    if isinstance(value, list):
        return [encode(v) for v in value]
    if isinstance(value, tuple):
        return {"$tuple": [encode(v) for v in value]}
    if isinstance(value, frozenset):
        return {"$set": [encode(v) for v in sorted(value, key=repr)]}
    if isinstance(value, dict):
        return {"$dict": [[encode(k), encode(v)] for k, v in value.items()]}
    raise Failed("unsupported-type: " + type(value).__name__)


def distinct(values):
    """Without repeats; 0, 0.0 and False are three."""
    seen, out = [], []
    for v in values:
        key = (type(v).__name__, repr(v))
        if key not in seen:
            seen.append(key)
            out.append(v)
    return out


def numbers(uses, wide):
    """Boundary numbers, then the function's own constants and neighbours."""
    near = [c + step for step in (0, 1, -1)
            for c in uses.numbers if abs(c) < 10 ** 6]
    base = [0, 1, -1, 5, 100] if wide else [0, 1, -1, 2]
    return base + near


def sequences(items):
    """Empty, one, two; items come smallest first."""
    one = items[:2]
    return [[]] + [[v] for v in one] + [[v, v] for v in one[:1]] + [
        [one[-1], one[0]], [one[-1]] * 3]


NAMES = {
    "int": "int", "float": "float", "bool": "bool", "str": "str",
    "bytes": "bytes", "complex": "float", "None": "none", "NoneType": "none",
    "list": "list", "List": "list", "Sequence": "list", "Iterable": "list",
    "Collection": "list", "MutableSequence": "list", "Iterator": "list",
    "tuple": "tuple", "Tuple": "tuple", "set": "set", "Set": "set",
    "FrozenSet": "set", "frozenset": "set", "AbstractSet": "set",
    "dict": "dict", "Dict": "dict", "Mapping": "dict",
    "MutableMapping": "dict", "Any": "any", "object": "any",
    "Number": "float", "Real": "float", "Integral": "int",
}


class Maker:
    """Lists of values by type, for one function and one flag class."""

    def __init__(self, uses, flag_class):
        self.uses = uses
        self.wide = flag_class == "index-oob"

    def by_kind(self, kind, inner, name):
        ints = numbers(self.uses, self.wide)
        if kind == "int":
            return [n for n in ints if isinstance(n, int)]
        if kind == "float":
            return [float(n) for n in ints]
        if kind == "bool":
            return [False, True]
        if kind == "str":
            return ["", "a", "0"] + self.uses.texts
        if kind == "bytes":
            return [b"", b"a"]
        if kind == "none":
            return [None]
        if kind == "any":
            return [0, "", [], None, 1]
        items = inner or [0, 1]
        if kind == "list":
            return sequences(items)
        if kind == "tuple":
            return [tuple(s) for s in sequences(items)]
        if kind == "set":
            return [frozenset(s) for s in sequences(items)
                    if all(not isinstance(v, (list, dict)) for v in s)]
        return self.dicts(items, name)

    def dicts(self, items, name):
        keys = self.uses.keys.get(name, [])
        out = [{}]
        for value in items[:2] + [[], ""]:
            if keys:
                out.append({k: value for k in keys})
        return out + [{"a": items[0]}]

    def by_annotation(self, node, name, depth=0):
        """A list of values, or None when the annotation says nothing here."""
        if depth > NEST_MAX or node is None:
            return None
        if isinstance(node, ast.Constant):
            if node.value is None:
                return [None]
            if isinstance(node.value, str):
                try:
                    parsed = ast.parse(node.value, mode="eval").body
                except (SyntaxError, ValueError):
                    return None
                return self.by_annotation(parsed, name, depth + 1)
            return None
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
            return self.union([node.left, node.right], name, depth)
        if isinstance(node, (ast.Name, ast.Attribute)):
            word = node.id if isinstance(node, ast.Name) else node.attr
            kind = NAMES.get(word)
            return self.by_kind(kind, None, name) if kind else None
        if isinstance(node, ast.Subscript):
            return self.by_subscript(node, name, depth)
        return None

    def union(self, nodes, name, depth):
        lists = [self.by_annotation(n, name, depth + 1) for n in nodes]
        lists = [v for v in lists if v]
        mixed = itertools.zip_longest(*lists, fillvalue=Failed)
        return [v for row in mixed for v in row if v is not Failed] or None

    def by_subscript(self, node, name, depth):
        head = node.value
        word = getattr(head, "id", getattr(head, "attr", ""))
        args = node.slice
        args = getattr(args, "value", args) if isinstance(
            args, getattr(ast, "Index", ())) else args
        args = args.elts if isinstance(args, ast.Tuple) else [args]
        if word == "Optional":
            inner = self.by_annotation(args[0], name, depth + 1)
            return inner + [None] if inner else None
        if word == "Union":
            return self.union(args, name, depth)
        if word == "Literal":
            return [a.value for a in args if isinstance(a, ast.Constant)]
        if word in ("Final", "Annotated", "ClassVar"):
            return self.by_annotation(args[0], name, depth + 1)
        kind = NAMES.get(word)
        if kind is None:
            return None
        inner = self.by_annotation(args[-1] if kind == "dict" else args[0],
                                   name, depth + 1)
        fixed = kind == "tuple" and not any(
            isinstance(a, ast.Constant) and a.value is Ellipsis for a in args)
        if fixed:
            return self.fixed_tuple(args, name, depth)
        return self.by_kind(kind, inner, name)

    def fixed_tuple(self, args, name, depth):
        lists = [self.by_annotation(a, name, depth + 1) or [0] for a in args]
        width = max(len(v) for v in lists)
        return [tuple(v[min(i, len(v) - 1)] for v in lists)
                for i in range(width)]

    def by_use(self, name):
        words = self.uses.words.get(name, {})
        out = []
        for word in ("dict", "str", "list", "int", "number"):
            if word in words:
                kind = "int" if word == "number" else word
                out += self.by_kind(kind, None, name)
                if word == "number":
                    out += [0.0]
        if not out and "callable" not in words:
            out = self.by_kind("any", None, name)
        return out

    def values(self, name, annotation, default):
        out = self.by_annotation(annotation, name)
        if out is None and annotation is not None and default is None:
            out = self.by_use(name) if self.uses.words.get(name) else None
        elif out is None:
            out = self.by_use(name)
        if default is not None:
            try:
                out = [ast.literal_eval(default)] + (out or [])
            except (ValueError, TypeError, SyntaxError, MemoryError,
                    RecursionError):
                pass
        if out is None:
            raise Failed("unsupported-annotation: of parameter " + name)
        if not out:
            raise Failed("unsupported-use: of parameter " + name)
        # Boundary values before an ordinary default.
        out = distinct(out)
        if default is not None and len(out) > 1:
            out = out[1:2] + out[:1] + out[2:]
            out = distinct(out)
        return out[:VALUES_MAX]
