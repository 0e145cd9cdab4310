"""annotate.py -- reads annotations, and the names of the module that they
use."""
import ast

from shape import NEST_MAX
from syntax import FUNCTIONS, dotted, index_of, last_word, literal


class Ann:
    """A type: its word, the types inside it, and anything else it needs."""

    def __init__(self, kind, args=(), extra=None):
        self.kind = kind
        self.args = list(args)
        self.extra = extra


NAMES = {
    "int": "int", "float": "float", "bool": "bool", "str": "str",
    "bytes": "bytes", "bytearray": "bytes", "memoryview": "bytes",
    "complex": "complex", "None": "none", "NoneType": "none", "list": "list",
    "List": "list", "Sequence": "list", "Iterable": "list",
    "Collection": "list", "MutableSequence": "list", "Container": "list",
    "Reversible": "list", "Sized": "list", "deque": "deque", "Deque": "deque",
    "tuple": "tuple", "Tuple": "tuple", "set": "set", "Set": "set",
    "MutableSet": "set", "FrozenSet": "frozenset", "frozenset": "frozenset",
    "AbstractSet": "set", "dict": "dict", "Dict": "dict", "Mapping": "dict",
    "MutableMapping": "dict", "OrderedDict": "dict", "DefaultDict": "dict",
    "defaultdict": "dict", "Counter": "dict", "Any": "any", "object": "any",
    "Hashable": "str", "Text": "str", "AnyStr": "str", "LiteralString": "str",
    "ByteString": "bytes", "Number": "num", "Real": "num", "Rational": "num",
    "Integral": "int", "SupportsInt": "num", "SupportsFloat": "num",
    "SupportsIndex": "int", "Iterator": "iter", "Generator": "iter",
    "AsyncIterator": "aiter", "AsyncIterable": "aiter",
    "AsyncGenerator": "aiter", "Callable": "callable", "Awaitable": "await",
    "Coroutine": "await", "Decimal": "decimal", "Fraction": "fraction",
    "date": "date", "datetime": "datetime", "time": "time",
    "timedelta": "timedelta", "Path": "path", "PurePath": "path",
    "PosixPath": "path", "PurePosixPath": "path", "PathLike": "path",
    "TextIO": "textio", "IO": "textio", "StringIO": "textio",
    "BinaryIO": "binaryio", "BytesIO": "binaryio", "UUID": "uuid",
    "Type": "type", "type": "type", "range": "range",
}
TRANSPARENT = ("Final", "Annotated", "ClassVar", "Required", "NotRequired",
               "ReadOnly", "InitVar", "Unpack")


class Module:
    """The names that the flagged file defines at its top level."""

    def __init__(self, tree):
        self.tree = tree
        self.is_loose = False
        self.classes, self.functions, self.values = {}, {}, {}
        self.imports, self.stars = {}, []
        for node in top_level(tree.body):
            if isinstance(node, ast.ClassDef):
                self.classes[node.name] = node
            elif isinstance(node, FUNCTIONS):
                self.functions[node.name] = node
            elif isinstance(node, ast.Assign):
                for t in node.targets:
                    if isinstance(t, ast.Name):
                        self.values[t.id] = node.value
            elif isinstance(node, ast.AnnAssign):
                if isinstance(node.target, ast.Name) and node.value:
                    self.values[node.target.id] = node.value
            elif isinstance(node, (ast.Import, ast.ImportFrom)):
                self.take_import(node)

    def take_import(self, node):
        for a in node.names:
            if isinstance(node, ast.Import):
                name = a.asname or a.name.split(".")[0]
                self.imports[name] = a.name if a.asname else name
            elif not node.level and node.module:
                if a.name == "*":
                    self.stars.append(node.module)
                self.imports[a.asname or a.name] = node.module + "." + a.name

    def bases(self, cls):
        return [self.classes[b] for b in map(last_word, cls.bases)
                if b in self.classes and self.classes[b] is not cls]

    def lineage(self, cls):
        """The class and its ancestors in this module, nearest first."""
        out, todo = [], [cls]
        while todo and len(out) < 16:
            c = todo.pop(0)
            if c not in out:
                out.append(c)
                todo += self.bases(c)
        return out

    def ancestors(self, cls):
        """The last word of each base, whether it is in this module or not."""
        return [last_word(b) for c in self.lineage(cls) for b in c.bases]

    def method(self, cls, name):
        for c in self.lineage(cls):
            for node in top_level(c.body):
                if isinstance(node, FUNCTIONS) and node.name == name:
                    return node
        return None

    def like(self, attrs, calls):
        """The one class of this module whose instances have all of these
        attributes and methods; [] if there are none or several."""
        asked = set(attrs) | set(calls)
        mine = [n for n, cls in self.classes.items()
                if asked <= self.members(cls)]
        if len(mine) != 1:
            return []
        ann = self.of_class(self.classes[mine[0]], mine[0], 0)
        return [ann] if ann.kind == "class" else []

    def members(self, cls):
        """The methods, the fields, and the attributes that the constructor
        sets."""
        out = set()
        for c in self.lineage(cls):
            for node in top_level(c.body):
                if isinstance(node, FUNCTIONS):
                    out.add(node.name)
                elif isinstance(node, ast.AnnAssign):
                    out.add(getattr(node.target, "id", ""))
        init = self.method(cls, "__init__")
        for n in ast.walk(init) if init is not None else ():
            if isinstance(n, ast.Attribute) and isinstance(n.ctx, ast.Store) \
                    and getattr(n.value, "id", "") == "self":
                out.add(n.attr)
        return out

    # -- annotations ---------------------------------------------------

    def read(self, node, depth=0):
        """The Ann of an annotation; None when it says nothing about the
        type."""
        if node is None or depth > 3 * NEST_MAX:
            return None
        if isinstance(node, ast.Constant):
            if node.value is None:
                return Ann("none")
            if isinstance(node.value, str) and len(node.value) < 10000:
                try:
                    inner = ast.parse(node.value.strip(), mode="eval").body
                except (SyntaxError, ValueError, RecursionError, MemoryError):
                    return None
                return self.read(inner, depth + 1)
            return None
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
            return self.union([node.left, node.right], depth)
        if isinstance(node, (ast.Name, ast.Attribute)):
            return self.named(last_word(node), dotted(node), depth)
        if isinstance(node, ast.Subscript):
            return self.subscript(node, depth)
        return None

    def read_text(self, text):
        """A type as it is written in a docstring, where names need no
        import."""
        self.is_loose = True
        try:
            return self.read(ast.parse(text, mode="eval").body)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return None
        finally:
            self.is_loose = False

    def union(self, nodes, depth):
        out = [self.read(n, depth + 1) for n in nodes]
        if not all(out):
            return Ann("any")
        return Ann("union", [b for a in out for b in (
            a.args if a.kind == "union" else [a])])

    def named(self, word, path, depth):
        if word in self.classes and "." not in path:
            return self.of_class(self.classes[word], word, depth)
        if word in self.values and "." not in path:
            return self.alias(self.values[word], depth)
        if word in ("LiteralString", "AnyStr", "Text"):
            return Ann("str")
        if word in NAMES:
            kind = NAMES[word]
            known = self.is_loose or word in vars_of_builtins or word in (
                "None", "NoneType") or path != word or \
                word in self.imports or "*" in self.imports
            return Ann(kind) if known else Ann("unknown", extra=word)
        return Ann("unknown", extra=word)

    def alias(self, node, depth):
        """Name = ...: a type alias, NewType, TypeVar, NamedTuple(...)."""
        word = last_word(node) if isinstance(node, ast.Call) else ""
        if word == "NewType" and len(node.args) > 1:
            return self.read(node.args[1], depth + 1)
        if word == "TypeVar":
            for k in node.keywords:
                if k.arg == "bound":
                    return self.read(k.value, depth + 1)
            if len(node.args) > 1:
                return self.read(node.args[1], depth + 1)
            return Ann("any")
        if word in ("ParamSpec", "TypeVarTuple"):
            return Ann("any")
        if word in ("NamedTuple", "namedtuple", "TypedDict", "Enum"):
            return Ann("unknown", extra=word)
        return self.read(node, depth + 1) if not word else None

    def of_class(self, cls, word, depth):
        above = self.ancestors(cls)
        if "TypedDict" in above:
            return Ann("typeddict", extra=self.fields(cls, depth))
        if {"Enum", "IntEnum", "StrEnum", "Flag", "IntFlag"} & set(above):
            return Ann("member", extra=[
                word + "." + t.id for node in cls.body
                if isinstance(node, ast.Assign) for t in node.targets
                if isinstance(t, ast.Name) and not t.id.startswith("_")])
        if "Protocol" in above:
            return Ann("unknown", extra=word)
        return Ann("class", extra=word)

    def fields(self, cls, depth):
        """(name, Ann, default node or None, required) of each annotated
        name."""
        out = {}
        for c in reversed(self.lineage(cls)):
            total = not any(k.arg == "total" and literal(
                k.value) == (True, False) for k in c.keywords)
            for node in top_level(c.body):
                if isinstance(node, ast.AnnAssign) and isinstance(
                        node.target, ast.Name):
                    text = last_word(node.annotation)
                    if text == "ClassVar":
                        continue
                    name = node.target.id
                    needed = text == "Required" or (
                        total and text != "NotRequired")
                    ann = self.read(node.annotation, depth + 1) \
                        if depth < 2 * NEST_MAX else Ann("none")
                    out[name] = (name, ann, node.value, needed)
        return list(out.values())

    def subscript(self, node, depth):
        word = last_word(node.value)
        args = index_of(node)
        args = args.elts if isinstance(args, ast.Tuple) else [args]
        if word == "Optional":
            return self.union([args[0], ast.Constant(value=None)], depth)
        if word == "Union":
            return self.union(args, depth)
        if word == "Literal":
            values = [literal(a) for a in args]
            return Ann("literal", extra=[v for ok, v in values if ok])
        if word in TRANSPARENT:
            return self.read(args[0], depth + 1)
        base = self.named(word, dotted(node.value), depth)
        if base.kind == "dict" and word == "Counter":
            return Ann("dict", [self.read(args[0], depth + 1), Ann("int")])
        if base.kind == "callable":
            return Ann("callable", [self.read(args[-1], depth + 1)])
        if base.kind == "await":
            return Ann("await", [self.read(args[-1], depth + 1)])
        if base.kind == "tuple":
            if len(args) == 2 and literal(args[1]) == (True, Ellipsis):
                return Ann("tuple", [self.read(args[0], depth + 1)], "many")
            if len(args) == 1 and isinstance(args[0], ast.Tuple):
                return Ann("tuple", [], "fixed")
            return Ann("tuple", [self.read(a, depth + 1) for a in args],
                       "fixed")
        return Ann(base.kind, [self.read(a, depth + 1) for a in args],
                   base.extra)


vars_of_builtins = frozenset(
    "int float bool str bytes bytearray memoryview complex list tuple set "
    "frozenset dict object type range".split())


def top_level(body):
    """The statements at this level, including those under if, try and with."""
    for node in body:
        yield node
        if isinstance(node, (ast.If, ast.Try, ast.With)):
            for part in ("body", "orelse", "finalbody"):
                yield from top_level(getattr(node, part, []))
            for handler in getattr(node, "handlers", []):
                yield from top_level(handler.body)
