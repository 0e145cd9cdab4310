"""infer.py -- walks a function in its order and records how each value is
used.

An environment maps names to shapes.  A new assignment gives a new shape, and
where branches meet the shapes are unified.  Helpers of the same module are
walked with the shapes of their arguments, a few levels deep.
"""
import ast

from shape import SEQUENCE, Shape, root, unify
from syntax import all_args, index_of, literal

CALLS_MAX = 24  # functions walked
ARITHMETIC = (ast.Div, ast.FloorDiv, ast.Mod, ast.Sub, ast.Mult, ast.Pow,
              ast.Add, ast.LShift, ast.RShift, ast.BitAnd, ast.BitOr,
              ast.BitXor)
DIVIDING = (ast.Div, ast.FloorDiv, ast.Mod)


def inverses(op, c, const_left):
    """A function from a value to what the variable of `x op c` may have
    been."""
    def back(v):
        if type(v) not in (int, float) or type(c) not in (int, float):
            return []
        if isinstance(op, ast.Add):
            return [v - c]
        if isinstance(op, ast.Sub):
            return [c - v] if const_left else [v + c]
        if isinstance(op, ast.Mult) and c:
            return [v // c]
        if isinstance(op, ast.FloorDiv) and not const_left:
            return [v * c]
        if isinstance(op, ast.Mod) and not const_left:
            return [v, v + c]
        return []
    return back


class Walker(ast.NodeVisitor):
    """The shapes of all expressions of the functions that it walks."""

    def __init__(self, module):
        self.module = module
        self.walked = {}  # (id of a function): (parameter shapes, result)
        self.left = CALLS_MAX
        self.owner = None  # the class whose self is walked
        self.self_shape = None
        self.env = {}
        self.result = None
        self.loops = 0
        self.answers = set()  # names of what calls gave

    # -- functions -----------------------------------------------------

    def function(self, func, given=()):
        """Walk the function once; returns ({name: Shape}, result)."""
        if id(func) in self.walked:
            shapes, result = self.walked[id(func)]
        else:
            names = [a.arg for a in all_args(func.args)]
            shapes, result = {n: Shape() for n in names}, Shape()
            self.walked[id(func)] = (shapes, result)
            for name, shape in given:
                if name in shapes:
                    unify(shapes[name], shape)
            if self.left > 0:
                self.left -= 1
                self.body(func, dict(shapes), result)
            return shapes, result
        for name, shape in given:
            if name in shapes:
                unify(shapes[name], shape)
        return shapes, result

    def body(self, func, env, result):
        kept = self.env, self.result
        for default, a in zip(func.args.defaults[::-1],
                              (getattr(func.args, "posonlyargs", [])
                               + func.args.args)[::-1]):
            if a.arg in env and literal(default) == (True, None):
                env[a.arg].mark("none")
        if func.args.vararg:
            env[func.args.vararg.arg].kind("tuple")
        if func.args.kwarg:
            env[func.args.kwarg.arg].kind("dict")
        self.env, self.result = env, result
        try:
            self.block(func.body)
        finally:
            self.env, self.result = kept

    def block(self, body):
        for stmt in body:
            self.visit(stmt)

    def join(self, before, after):
        """Where branches meet, give each name one shape if that is
        possible."""
        for name in after:
            if name in before and root(before[name]) is not root(after[name]):
                unify(before[name], after[name])
            elif name not in before:
                before[name] = after[name]
        return before

    # -- statements ----------------------------------------------------

    def visit_FunctionDef(self, node):
        shapes = {a.arg: Shape() for a in all_args(node.args)}
        env = dict(self.env)
        env.update(shapes)
        mine = Shape("function")
        mine.inner = (node, shapes, Shape())
        self.env[node.name] = mine
        env[node.name] = mine
        self.body(node, env, mine.inner[2])

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_ClassDef(self, node):
        pass

    def visit_Import(self, node):
        self.module.take_import(node)

    visit_ImportFrom = visit_Import

    def visit_Return(self, node):
        if node.value is not None:
            unify(self.result, self.ev(node.value))

    def visit_Expr(self, node):
        self.ev(node.value)

    def visit_Assign(self, node):
        value = self.ev(node.value)
        self.answered(node.targets[0], node.value)
        for target in node.targets:
            self.bind(target, value)

    def answered(self, target, value):
        """Note names that hold the result of a call.  A test of such a result
        says nothing about the values that it may have been taken from."""
        if isinstance(target, ast.Name):
            change = self.answers.add if isinstance(value, ast.Call) else \
                self.answers.discard
            change(target.id)

    def visit_AnnAssign(self, node):
        if node.value is not None:
            self.bind(node.target, self.ev(node.value))

    def visit_AugAssign(self, node):
        as_load = ast.BinOp(left=node.target, op=node.op, right=node.value)
        self.bind(node.target, self.ev(as_load))

    def visit_Delete(self, node):
        for t in node.targets:
            if isinstance(t, ast.Subscript):
                self.ev(t)

    def visit_If(self, node):
        self.test(node.test)
        before = dict(self.env)
        self.block(node.body)
        mine, self.env = self.env, before
        self.block(node.orelse)
        self.env = self.join(self.env, mine)

    def visit_While(self, node):
        self.test(node.test)
        self.loop(node)
        self.test(node.test)

    def loop(self, node):
        before = dict(self.env)
        self.block(node.body)
        self.env = self.join(before, self.env)
        if self.loops < 3:  # the second round uses what the first bound
            self.loops += 1
            self.block(node.body)
            self.loops -= 1
        self.block(node.orelse)

    def visit_For(self, node):
        self.bind(node.target, self.iterate(self.ev(node.iter)))
        self.loop(node)

    visit_AsyncFor = visit_For

    def visit_With(self, node):
        for item in node.items:
            got = self.ev(item.context_expr)
            if item.optional_vars is not None:
                self.bind(item.optional_vars, got)
        self.block(node.body)

    visit_AsyncWith = visit_With

    def visit_Try(self, node):
        before = dict(self.env)
        self.block(node.body)
        self.block(node.orelse)
        for handler in node.handlers:
            mine, self.env = self.env, dict(before)
            self.block(handler.body)
            self.env = self.join(mine, self.env)
        self.block(node.finalbody)

    visit_TryStar = visit_Try

    def visit_Assert(self, node):
        self.test(node.test)

    def visit_Raise(self, node):
        if node.exc is not None:
            self.ev(node.exc)

    def visit_Match(self, node):
        subject = self.ev(node.subject)
        before, out = dict(self.env), dict(self.env)
        for case in node.cases:
            self.env = dict(before)
            self.pattern(case.pattern, subject)
            if case.guard is not None:
                self.test(case.guard)
            self.block(case.body)
            out = self.join(out, self.env)
        self.env = out

    def pattern(self, p, subject):
        name = type(p).__name__
        if name == "MatchValue":
            ok, value = literal(p.value)
            if ok:
                subject.const(value)
        elif name == "MatchSingleton":
            subject.mark("none" if p.value is None else "truth")
        elif name == "MatchOr":
            for q in p.patterns:
                self.pattern(q, subject)
        elif name == "MatchAs":
            if p.pattern is not None:
                self.pattern(p.pattern, subject)
            if p.name:
                self.env[p.name] = subject
        elif name == "MatchSequence":
            subject.kind("seq")
            root(subject).lens.append(len(p.patterns))
            for q in p.patterns:
                self.pattern(q, subject.part("elem"))
        elif name == "MatchMapping":
            subject.kind("dict")
            for k, q in zip(p.keys, p.patterns):
                ok, value = literal(k)
                if ok:
                    self.pattern(q, subject.field("keys", value))

    # -- names ---------------------------------------------------------

    def bind(self, target, value):
        if isinstance(target, ast.Name):
            self.env[target.id] = value
        elif isinstance(target, ast.Starred):
            self.bind(target.value, Shape("list"))
        elif isinstance(target, (ast.Tuple, ast.List)):
            stars = sum(isinstance(e, ast.Starred) for e in target.elts)
            n = len(target.elts) - stars
            value.kind("seq")
            root(value).sizes.append((n, None if stars else n))
            for i, e in enumerate(target.elts):
                self.bind(e, value.field("keys", i))
        elif isinstance(target, ast.Attribute):
            base = self.ev(target.value)
            unify(base.field("attrs", target.attr), value)
        elif isinstance(target, ast.Subscript):
            item = self.ev(target)
            unify(item, value)
            base = self.ev(target.value)
            if not isinstance(index_of(target), ast.Slice) and \
                    "dict" not in root(base).kinds:
                base.mark("stored")

    def iterate(self, shape):
        """The shape of the items of an iteration."""
        shape = root(shape)
        if "function" in shape.kinds:
            return Shape()
        if "str" in shape.kinds:
            return Shape("str").mark("char")
        if "dict" in shape.kinds:
            return shape.part("key")
        if "subscript" in shape.marks and not set(shape.kinds) & SEQUENCE:
            shape.kind("dict")  # never indexed by a number: it has keys
            return shape.part("key")
        if not set(shape.kinds) & SEQUENCE - {"sized"}:
            shape.kind("iterable")
        return shape.part("elem")

    def test(self, node):
        shape = self.ev(node)
        if isinstance(node, ast.Name) and node.id not in self.answers:
            shape.mark("truth")
