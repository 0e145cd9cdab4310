"""objects.py -- stand-ins, instances of the module's classes, parameters."""
import ast

from annotate import Ann
from basics import OMIT, SPECIAL, distinct, encode, tag_of
from calls import Uses
from choose import Slot, arguments
from shape import Failed, NEST_MAX, SEQUENCE, Shape, VALUES_MAX, root
from syntax import FUNCTIONS, all_args, last_word, literal
from values import GRAPHS, LINKS, Maker, PLURALS


class Builder(Maker):
    """Values that are objects: constructed, or stand-ins with attributes."""

    def __init__(self, module, flag_class):
        super().__init__(module, flag_class)
        self.walker = Uses(module)

    # -- stand-ins: a plain object with the attributes that are read ---

    def of_unknown(self, ann, shape, depth):
        if self.flag_class in ("attr-missing", "type-mismatch") or \
                depth > NEST_MAX:
            return []  # a failure for what it lacks would be our fault
        if ann.extra and not (shape.attrs or shape.calls) and \
                ann.extra not in ("Protocol",):
            return [{"$stub": []}]
        deep = sum(s is shape for s in self.stack)
        if deep > 3:
            return []
        self.stack.append(shape)
        names, lists = [], []
        for name in shape.attrs:
            values = self.attribute(name, shape, depth)
            names.append(name)
            lists.append(values or [None])
        for name in shape.calls:
            if name not in shape.attrs:
                names.append(name)
                lists.append(self.answers(shape.calls[name], depth))
        self.stack.pop()
        if not lists:
            return [{"$stub": []}]
        return [{"$stub": [[n, v] for n, v in zip(names, row)]}
                for row in self.rows(lists)]

    def answers(self, shape, depth):
        """Methods that return those values.  If nothing is said about the
        object itself, that does not mean that its methods return None."""
        kept, self.is_wild = self.is_wild, False
        values = self.nested(None, shape, depth)
        self.is_wild = kept
        return [{"$call": v} for v in values[:4]] or [{"$call": 0}]

    def attribute(self, name, shape, depth):
        inner = root(shape.attrs[name])
        part = root(inner.parts["elem"]) if "elem" in inner.parts else None
        if inner in self.stack or (name in LINKS and not inner.kinds
                                   and not inner.attrs):
            chain = self.nested(None, inner, depth) if inner.attrs else []
            return distinct([None] + [v for v in chain if v is not None])
        if part is not None and part in self.stack or name.endswith(
                PLURALS + tuple(GRAPHS)) and (
                not inner.kinds or set(inner.kinds) <= SEQUENCE):
            nodes = self.nested(None, part, depth) if part is not None else []
            nodes = [v for v in nodes if tag_of(v) == "$stub"]
            out = [[]] + [[v] for v in nodes[:3]]
            if self.flag_class in ("unbounded-recursion", "infinite-loop") \
                    and name in GRAPHS:
                out = [[], [{"$up": 0}]] + out[1:]
            return distinct(out)
        values = self.nested(None, inner, depth)
        if name in LINKS and inner.attrs and None not in values:
            values = values[:1] + [None] + values[1:]
        return values

    # -- instances of the module's own classes -------------------------

    def of_class(self, ann, shape, depth):
        name = ann.extra
        cls = self.module.classes.get(name)
        if cls is None or depth > NEST_MAX or self.classes.count(name) > 1:
            return []
        if self.is_abstract(cls):
            for other, node in self.module.classes.items():
                if cls in self.module.lineage(node)[1:] and not \
                        self.is_abstract(node):
                    return self.of_class(Ann("class", extra=other), shape,
                                         depth)
            return []
        self.classes.append(name)
        try:
            slots = self.constructor(cls, shape, depth + 1)
        except Failed:
            return []
        finally:
            self.classes.pop()
        if not slots:
            return [{"$new": {"type": name, "arguments": []}}]
        out = [{"$new": {"type": name, "arguments": arguments(slots, row)}}
               for row in self.rows([s.values for s in slots])]
        return distinct(out)

    def is_abstract(self, cls):
        names = {}
        for c in reversed(self.module.lineage(cls)):
            for node in c.body:
                if isinstance(node, FUNCTIONS):
                    names[node.name] = any(
                        last_word(d) in ("abstractmethod", "abstractproperty")
                        for d in node.decorator_list)
                elif isinstance(node, ast.Assign):
                    for t in node.targets:
                        names[getattr(t, "id", "")] = False
        return any(names.values()) or "Protocol" in map(last_word, cls.bases)

    def constructor(self, cls, shape=None, depth=1):
        """The slots of the constructor's own parameters."""
        module = self.module
        marks = [last_word(d) for d in cls.decorator_list]
        above = module.ancestors(cls)
        init = module.method(cls, "__init__") or module.method(cls, "__new__")
        if init is not None and init.name == "__init__" or (
                init is not None and "NamedTuple" not in above):
            known = Shape()
            if shape is not None:
                known = shape
            kept = self.walker.self_shape, self.walker.owner
            self.walker.self_shape, self.walker.owner = known, cls
            shapes, _ = self.walker.function(init, [
                (a.arg, known) for a in all_args(init.args)[:1]])
            self.walker.self_shape, self.walker.owner = kept
            return self.slots(init, shapes, "receiver", True, depth)
        if {"dataclass", "attrs", "define", "frozen", "s"} & set(
                marks) or "NamedTuple" in above or "BaseModel" in above:
            return self.field_slots(cls, shape, depth)
        return []

    def field_slots(self, cls, shape, depth):
        out = []
        for name, ann, default, _ in self.module.fields(cls, 0):
            word = last_word(default) if isinstance(default, ast.Call) else ""
            if word in ("field", "Field", "attrib", "ib"):
                if any(k.arg == "init" and literal(k.value) == (True, False)
                       for k in default.keywords):
                    continue
                has = {k.arg: k.value for k in default.keywords}
                node = has.get("default")
                optional = bool(has.keys() & {
                    "default", "default_factory", "factory"})
            else:
                node, optional = default, default is not None
            part = Shape()
            if shape is not None and name in root(shape).attrs:
                part = root(root(shape).attrs[name])
            values = self.with_default(ann, part, node, optional, depth)
            if not values:
                raise Failed("unsupported-annotation: of parameter " + name)
            out.append(Slot("receiver", name, "name", values, is_fixed(ann)))
            out[-1].note, out[-1].default = ann, node
        return out

    # -- parameters ----------------------------------------------------

    def with_default(self, ann, shape, default, optional, depth):
        """The values of a parameter that may have a default."""
        values = self.make(ann, shape, depth)
        if default is not None:
            try:
                own = encode(ast.literal_eval(default))
                if own is not None and ann is None and \
                        "none" not in shape.marks:
                    values = [v for v in values if v is not None]
                return distinct(values[:1] + [own] + values[1:])
            except (ValueError, TypeError, SyntaxError, MemoryError, Failed,
                    RecursionError):
                pass
        if optional:
            values = values[:1] + [OMIT] + values[1:] if ann is not None or \
                shape.kinds else [OMIT]
        return values

    def slots(self, func, shapes, group, skip_first, depth=0, doc=None):
        out = []
        every = list(parameters(func.args))[1 if skip_first else 0:]
        for name, note, default, by in every:
            shape = root(shapes[name])
            ann = self.module.read(note)
            if note is not None and ann is None:
                ann = Ann("unknown", extra="?")
            if ann is None and doc is not None and name in doc.types:
                ann = self.module.read_text(doc.types[name])
            if default is not None and ann is None:
                self.kind_of_default(shape, default)
            told = doc.may_be_none(name) if doc is not None else None
            self.is_wild = told or told is None and name in self.needed
            values = self.with_default(ann, shape, default,
                                       default is not None, depth)
            self.is_wild = False
            if not values:
                raise Failed("unsupported-annotation: of parameter " + name
                             if ann is not None else
                             "unsupported-use: of parameter " + name)
            out.append(Slot(group, name, by, values[:VALUES_MAX],
                            is_fixed(ann)))
            out[-1].note = ann if note is not None else None
            out[-1].default = default
        return out + self.rest(func.args, shapes, group, depth)

    def kind_of_default(self, shape, default):
        ok, value = literal(default)
        if ok and value is not None and not shape.kinds:
            shape.kind(type(value).__name__)
        elif isinstance(default, (ast.List, ast.Tuple)) and not shape.kinds:
            shape.kind("list")
        elif isinstance(default, ast.Dict) and not shape.kinds:
            shape.kind("dict")

    def rest(self, args, shapes, group, depth):
        out = []
        if args.vararg is not None:
            shape = root(shapes[args.vararg.arg])
            values = self.of_list(Ann("list", [self.module.read(
                args.vararg.annotation)]), shape, depth)
            values = values if used(shape) else [[]]
            out.append(Slot(group, args.vararg.arg, "rest", values[:12]))
            out[-1].note = noted(args.vararg)
        if args.kwarg is not None:
            shape = root(shapes[args.kwarg.arg])
            values = [{"$dict": []}]
            if used(shape):
                inner = self.module.read(args.kwarg.annotation)
                values += self.of_dict(Ann("dict", [Ann("str"), inner]),
                                       shape, depth)
            values = [v for v in values if all(
                isinstance(k, str) and k.isidentifier()
                for k, _ in v["$dict"])]
            out.append(Slot(group, args.kwarg.arg, "restnamed",
                            distinct(values)[:12]))
            out[-1].note = noted(args.kwarg)
        return out


def noted(arg):
    """A note that the contents of *args or **kw have an annotation."""
    return None if arg.annotation is None else Ann("unknown", extra="?")


FIXED = {"literal", "member", "class", "typeddict", "unknown", "type",
         "callable"} | set(SPECIAL)


def is_fixed(ann):
    """Whether a smaller value might not belong to the type any more."""
    if ann is None:
        return False
    if ann.kind in FIXED or ann.kind == "tuple" and ann.extra == "fixed":
        return True
    return any(is_fixed(a) for a in ann.args)


def used(shape):
    return bool(shape.parts or shape.keys or shape.lens or shape.marks
                or set(shape.kinds) - {"tuple", "dict"})


def parameters(args):
    """(name, annotation, default, by) of each parameter except *args and
    **kw."""
    plain = getattr(args, "posonlyargs", []) + args.args
    defaults = [None] * (len(plain) - len(args.defaults)) + args.defaults
    for a, d in zip(plain, defaults):
        yield a.arg, a.annotation, d, "position"
    for a, d in zip(args.kwonlyargs, args.kw_defaults):
        yield a.arg, a.annotation, d, "name"
