"""express.py -- the second half of the walk: the shapes of expressions."""
import ast

from infer import DIVIDING, Walker, inverses
from shape import (
    CONSTS_MAX, FIELDS_MAX, NUMERIC, SEQUENCE, Shape, compatible, root, unify)
from syntax import all_args, dotted, index_of, last_word, literal
from tables import DELTA_ATTRIBUTES


class Reader(Walker):
    def ev(self, node):
        """The Shape of an expression.  What it says about other values is
        noted."""
        handler = getattr(self, "ev_" + type(node).__name__, None)
        if handler is not None:
            return handler(node)
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr):
                self.ev(child)
        return Shape()

    def ev_Constant(self, node):
        kind = type(node.value).__name__
        return Shape(kind) if kind in (
            "int", "float", "str", "bytes", "bool") else Shape()

    def ev_JoinedStr(self, node):
        for v in node.values:
            if isinstance(v, ast.FormattedValue):
                inner = self.ev(v.value)
                spec = v.format_spec
                if spec is not None and spec.values and isinstance(
                        spec.values[0], ast.Constant) and str(
                        spec.values[0].value)[-1:] in "dfeg%":
                    inner.kind("num")
        return Shape("str")

    def ev_Name(self, node):
        if node.id in self.env:
            return root(self.env[node.id])
        if node.id in self.module.values:
            value = self.module.values[node.id]
            ok, const = literal(value)
            shape = self.ev_Constant(value) if ok and isinstance(
                value, ast.Constant) else Shape(*{
                    ast.Dict: ["dict"], ast.List: ["list"], ast.Set: ["set"],
                    ast.Tuple: ["tuple"]}.get(type(value), []))
            self.env[node.id] = shape
            return shape
        return Shape()

    def ev_NamedExpr(self, node):
        value = self.ev(node.value)
        self.answered(node.target, node.value)
        self.bind(node.target, value)
        return value

    def ev_Attribute(self, node):
        if dotted(node).split(".")[0] in self.module.imports and \
                dotted(node).split(".")[0] not in self.env:
            return Shape()
        base = self.ev(node.value)
        if node.attr == "__getitem__":
            base.kind("dict")
        if self.self_shape is not None and root(base) is root(
                self.self_shape) and self.owner is not None:
            inner = self.module.method(self.owner, node.attr)
            if inner is not None and "property" in [
                    last_word(d) for d in inner.decorator_list]:
                return self.method(inner, [])
        if node.attr in DELTA_ATTRIBUTES and self.of_moments(node.value):
            return Shape("int")
        base.kind("object")
        return base.field("attrs", node.attr)

    def of_moments(self, node):
        """`a - b`, when an attribute is read from it that only a timedelta
        has."""
        if not (isinstance(node, ast.BinOp) and isinstance(node.op, ast.Sub)):
            return False
        for side in (node.left, node.right):
            shape = self.ev(side)
            if isinstance(side, (ast.Name, ast.Attribute)) and \
                    not set(shape.kinds) - {"num", "datetime"}:
                shape.kind("datetime")
        return True

    def ev_Starred(self, node):
        return self.iterate(self.ev(node.value))

    def ev_Await(self, node):
        shape = self.ev(node.value)
        return shape

    def ev_Yield(self, node):
        if node.value is not None:
            self.ev(node.value)
        return Shape()

    def ev_YieldFrom(self, node):
        self.iterate(self.ev(node.value))
        return Shape()

    def ev_Lambda(self, node):
        shapes = {a.arg: Shape() for a in all_args(node.args)}
        mine = Shape("function")
        env, self.env = self.env, dict(self.env, **shapes)
        result = self.ev(node.body)
        self.env = env
        mine.inner = (node, shapes, result)
        return mine

    def ev_IfExp(self, node):
        self.test(node.test)
        one, other = self.ev(node.body), self.ev(node.orelse)
        return unify(one, other) if compatible(one, other) else one

    def ev_BoolOp(self, node):
        shapes = [self.ev(v) for v in node.values]
        for v, s in zip(node.values, shapes):
            if isinstance(v, ast.Name):
                s.mark("truth")
        if isinstance(node.op, ast.Or) and not any(
                isinstance(v, ast.Compare) for v in node.values):
            for s in shapes[1:]:
                unify(shapes[0], s)
            return root(shapes[0])
        return Shape()

    def ev_UnaryOp(self, node):
        if isinstance(node.op, ast.Not):
            self.test(node.operand)
            return Shape("bool")
        return self.ev(node.operand).kind("num")

    def ev_BinOp(self, node):
        left, right = self.ev(node.left), self.ev(node.right)
        if isinstance(node.op, ast.Mod) and "str" in left.kinds:
            return Shape("str")
        if isinstance(node.op, DIVIDING):
            right.mark("divisor").const(0)
        if isinstance(node.op, (ast.LShift, ast.RShift, ast.BitAnd,
                                ast.BitOr, ast.BitXor)):
            for s in (left, right):
                if not set(s.kinds) & {"set", "dict", "bool"}:
                    s.kind("int")
            return Shape("int")
        if isinstance(node.op, ast.Add):
            if compatible(left, right):
                plain = any(isinstance(n, ast.Constant)
                            for n in (node.left, node.right))
                if not plain:
                    return unify(left, right)
                else:
                    left.kind(*right.kinds)
                    right.kind(*left.kinds)
            out = Shape(*root(left).kinds)
        elif isinstance(node.op, ast.Mult) and (
                {"str", "list", "bytes", "tuple"} & (
                    set(left.kinds) | set(right.kinds))):
            is_left = {"str", "list", "bytes", "tuple"} & set(left.kinds)
            (right if is_left else left).kind("int").mark("count")
            return Shape(*(left if is_left else right).kinds)
        elif isinstance(node.op, ast.MatMult):
            return Shape()
        else:
            for s in (left, right):
                if not set(s.kinds) & {"set", "str", "list", "object"}:
                    s.kind("num")
            out = Shape("num")
        for here, other, flip in ((left, node.right, False),
                                  (right, node.left, True)):
            ok, c = literal(other)
            if ok:
                out.origin = (root(here), inverses(node.op, c, flip))
        return out

    def ev_Compare(self, node):
        sides = [node.left] + node.comparators
        shapes = [self.ev(s) for s in sides]
        for op, a, b, x, y in zip(node.ops, sides, sides[1:], shapes,
                                  shapes[1:]):
            self.compare(op, a, b, x, y)
            self.compare(op, b, a, y, x, True)
        return Shape("bool")

    def compare(self, op, a, b, x, y, flipped=False):
        """Note `x op y`, where b is the expression of y (flipped: y op x)."""
        if isinstance(op, (ast.In, ast.NotIn)):
            if not flipped:
                self.member(a, b, x, y)
            return
        b_values = [literal(b)]
        if isinstance(b, ast.Name):
            value = self.module.values.get(b.id)
            if b.id not in self.env or value is not None:
                b_values.append(literal(value) if value is not None
                                else (False, None))
        for ok, c in b_values:
            if not ok:
                continue
            if c is None:
                if getattr(a, "id", "") not in self.answers:
                    x.mark("none")
                continue
            x.const(c)
            if type(c) in (int, float, str, bytes) and not isinstance(
                    op, (ast.Is, ast.IsNot)):
                kind = "num" if type(c) in (int, float) else type(c).__name__
                x.kind(kind)
            source = getattr(x, "len_of", None)
            if source is not None and type(c) is int:
                for n in (c, c + 1, c - 1):
                    source.length(n)
            return
        if not flipped and not isinstance(op, (ast.Is, ast.IsNot)):
            if not isinstance(a, ast.Constant) and compatible(
                    x, y) and getattr(x, "len_of", None) is None and \
                    getattr(y, "len_of", None) is None:
                if x.origin is None and y.origin is None:
                    unify(x, y)
                else:
                    x.kind(*root(y).kinds)
                    y.kind(*root(x).kinds)

    def member(self, a, b, x, y):
        ok, c = literal(a)
        values = []
        target = b
        if isinstance(b, ast.Name) and b.id in self.module.values:
            target = self.module.values[b.id]
        if isinstance(target, (ast.Tuple, ast.List, ast.Set)):
            values = [v for ok2, v in map(literal, target.elts) if ok2]
        elif isinstance(target, ast.Dict):
            values = [v for ok2, v in map(literal, filter(
                None, target.keys)) if ok2]
            x.mark("hashable")
        elif isinstance(target, ast.Constant) and isinstance(
                target.value, str):
            x.kind("str")
            values = list(target.value[:4])
        for v in values[:CONSTS_MAX]:
            if v is None:
                x.mark("none")
                continue
            x.const(v)
            x.kind("num" if type(v) in (int, float) else type(v).__name__)
        if values or isinstance(target, (ast.Tuple, ast.List, ast.Set)):
            return
        if ok and isinstance(c, str) and "str" not in y.kinds:
            y.field("keys", c)
            y.mark("contains")
            return
        if "str" in y.kinds:
            x.kind("str")
        elif "dict" in y.kinds:
            unify(y.part("key"), x)
        else:
            if not set(y.kinds) & (SEQUENCE | {"set"}):
                y.mark("contains")
            unify(y.part("elem"), x)

    def ev_Subscript(self, node):
        base = self.ev(node.value)
        index = index_of(node)
        if isinstance(index, ast.Slice):
            for part in (index.lower, index.upper, index.step):
                if part is not None:
                    self.ev(part).kind("int")
            if not set(base.kinds) & {"str", "bytes", "list", "tuple"}:
                base.kind("seq")
            out = Shape(*[k for k in root(base).kinds if k != "tuple"])
            if "str" not in out.kinds:
                out.parts["elem"] = root(base).part("elem")
                if not set(base.kinds) & {"list", "tuple", "bytes"}:
                    out.whole = root(base)
            return out
        ok, c = literal(index)
        at = self.ev(index)
        if ok and isinstance(c, str):
            return base.kind("dict").field("keys", c)
        if "str" in base.kinds:
            at.kind("int")
            return Shape("str").mark("char")
        if self.comes_of(at, base):
            base.parts["key"] = at
        if "dict" in base.kinds or set(at.kinds) & {"str", "tuple"} or (
                root(at).attrs) or self.comes_of(at, base):
            base.kind("dict")
            unify(base.part("key"), at)
            at.mark("hashable")
            return base.part("val")
        if ok and type(c) is int:
            if not set(base.kinds) & (SEQUENCE - {"iterable", "sized"}):
                base.kind("seq")
            base.length(c + 1 if c >= 0 else -c)
            known = root(base).keys
            return root(known[c]) if c in known else base.part("elem")
        if set(at.kinds) & NUMERIC or isinstance(index, ast.BinOp) or \
                set(base.kinds) & {"list", "tuple"}:
            at.kind("int")
            base.kind("seq")
            return base.part("elem")
        base.mark("subscript")
        at.mark("subscripts")
        elem = unify(base.part("elem"), base.part("val"))
        unify(base.part("key"), at)
        return elem

    def comes_of(self, at, base):
        """Whether it comes from iterating over that value, so that it is a
        key."""
        return set(base.kinds) == {"iterable"} and \
            root(base.part("elem")) is root(at) and not (
                set(at.kinds) & NUMERIC)

    def ev_Tuple(self, node):
        shapes = [self.ev(e) for e in node.elts]
        out = Shape("tuple")
        if not any(isinstance(e, ast.Starred) for e in node.elts):
            self.pair(out, shapes)
        return out

    def pair(self, out, shapes):
        """A tuple of these values; each position has its own shape."""
        for i, shape in enumerate(shapes[:FIELDS_MAX]):
            out.keys[i] = shape
        out.marks["arity"] = len(shapes)
        return out

    def ev_List(self, node):
        out = Shape("list")
        for e in node.elts:
            unify(out.part("elem"), self.ev(e))
        return out

    ev_Set = ev_List

    def ev_Dict(self, node):
        out = Shape("dict")
        for k, v in zip(node.keys, node.values):
            value = self.ev(v)
            if k is not None:
                self.ev(k)
                ok, c = literal(k)
                if ok and c is not None:
                    out.part("key").kind(type(c).__name__).const(c)
                unify(out.part("val"), value)
            else:
                value.kind("dict")
        return out

    def comprehend(self, node, *parts):
        env, self.env = self.env, dict(self.env)
        for g in node.generators:
            self.bind(g.target, self.iterate(self.ev(g.iter)))
            for test in g.ifs:
                self.test(test)
        out = [self.ev(p) for p in parts]
        self.env = env
        return out

    def ev_ListComp(self, node):
        out = Shape("list")
        unify(out.part("elem"), self.comprehend(node, node.elt)[0])
        return out

    ev_GeneratorExp = ev_ListComp

    def ev_SetComp(self, node):
        out = Shape("set")
        self.comprehend(node, node.elt)
        return out

    def ev_DictComp(self, node):
        out = Shape("dict")
        key, val = self.comprehend(node, node.key, node.value)
        unify(out.part("key"), key)
        unify(out.part("val"), val)
        return out
