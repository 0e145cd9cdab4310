"""machine.py -- a small interpreter that tries values before vessels do.

It walks the syntax tree with plain data and a limited number of steps.  It
runs no code object and calls only what natives.py lists.  If it cannot follow
the code, the trial ends as "unknown".  Its verdict only decides which
witnesses come first: a flag is confirmed only by a real call.
"""
import ast
import json

from syntax import FUNCTIONS, all_args, index_of, last_word

STEPS_EACH = 4000  # of one trial
STEPS_ALL = 50000  # of all trials of one flag
DEPTH_MAX = 75  # depth of calls; deeper counts as endless
SIZE_MAX = 100000  # items of one object


class Stuck(Exception):
    """The machine cannot tell."""


class Endless(Exception):
    """The trial runs longer than it may."""


class Huge(Exception):
    """The trial builds something large."""


class Raised(Exception):
    """The program raised: a builtin exception's class and its message."""

    def __init__(self, kind, text=""):
        super().__init__(kind.__name__)
        self.kind, self.text = kind, text
        self.lines = []  # of the flagged function, innermost first
        self.at = None  # the statement that raised it by name


class Back(Exception):
    def __init__(self, value):
        super().__init__()
        self.value = value


class Leave(Exception):
    pass


class Again(Exception):
    pass


class Unknown:
    """A value about which the machine knows nothing."""


UNKNOWN = Unknown()


class Thing:
    """An object: a stand-in, or an instance of a class of the module."""

    def __init__(self, cls=None):
        self.cls, self.fields = cls, {}


class Closure:
    def __init__(self, node, env, bound=()):
        self.node, self.env, self.bound = node, env, bound


class Class:
    def __init__(self, node):
        self.node = node


class Env:
    """The names of one call; then those of enclosing calls, then the
    module's."""

    def __init__(self, names, above, node=None):
        self.names, self.above, self.node = names, above, node
        self.local = local_names(node) if node is not None else set()
        self.yields = None


LOCALS = {}  # node: the names that its function binds


def local_names(func):
    if func not in LOCALS:
        LOCALS[func] = bound_names(func)
    return LOCALS[func]


def bound_names(func):
    """The names that the function binds, according to the compiler's rules."""
    out = {a.arg for a in all_args(func.args)}
    body = func.body if isinstance(func.body, list) else []
    todo, given_up = list(body), set()
    while todo:
        node = todo.pop()
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            out.add(node.id)
        elif isinstance(node, FUNCTIONS + (ast.ClassDef,)):
            out.add(node.name)
            continue
        elif isinstance(node, (ast.Global, ast.Nonlocal)):
            given_up |= set(node.names)
        elif isinstance(node, ast.ExceptHandler) and node.name:
            out.add(node.name)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            out |= {(a.asname or a.name).split(".")[0] for a in node.names}
        if isinstance(node, (ast.Lambda, ast.ListComp, ast.SetComp,
                             ast.DictComp, ast.GeneratorExp)):
            continue
        todo += ast.iter_child_nodes(node)
    return out - given_up


class Machine:
    """Statements.  evaluate.py has the expressions."""

    def __init__(self, module, target):
        self.module, self.target = module, target
        self.all_left = STEPS_ALL
        self.left = 0
        self.depth = 0
        self.touched = False  # an unknown value was used
        self.constants = {}
        self.seen = set()  # lines of the target that were reached
        self.handled = []
        self.is_demand = False  # evaluating a condition of a docstring

    def step(self):
        self.left -= 1
        if self.left < 0:
            raise Endless()

    # -- statements ----------------------------------------------------

    def block(self, body, env):
        for stmt in body:
            self.step()
            if self.is_target(env):
                self.seen.add(stmt.lineno)
            handler = getattr(self, "do_" + type(stmt).__name__, None)
            if handler is None:
                raise Stuck()
            try:
                handler(stmt, env)
            except Raised as r:
                if self.is_target(env) and (
                        not r.lines or r.lines[-1] is not stmt):
                    r.lines.append(stmt)
                raise

    def is_target(self, env):
        while env is not None:
            if env.node is self.target:
                return True
            env = env.above
        return False

    def truth(self, value):
        if value is UNKNOWN:
            raise Stuck()
        if isinstance(value, Thing):
            if value.cls is not None and (
                    self.module.method(value.cls, "__bool__")
                    or self.module.method(value.cls, "__len__")):
                raise Stuck()
            return True
        if isinstance(value, (Closure, Class)):
            return True
        return bool(value)

    def do_Expr(self, s, env):
        self.ev(s.value, env)

    def do_Pass(self, _s, _env):
        pass

    do_Global = do_Nonlocal = do_Pass

    def do_Import(self, s, env):
        for a in s.names:
            env.names[(a.asname or a.name).split(".")[0]] = UNKNOWN

    do_ImportFrom = do_Import

    def do_Return(self, s, env):
        raise Back(self.ev(s.value, env) if s.value is not None else None)

    def do_Break(self, _s, _env):
        raise Leave()

    def do_Continue(self, _s, _env):
        raise Again()

    def do_Assign(self, s, env):
        value = self.ev(s.value, env)
        for t in s.targets:
            self.assign(t, value, env)

    def do_AnnAssign(self, s, env):
        if s.value is not None:
            self.assign(s.target, self.ev(s.value, env), env)

    def do_AugAssign(self, s, env):
        old = self.ev(s.target, env)
        new = self.operate(s.op, old, self.ev(s.value, env), True)
        self.assign(s.target, new, env)

    def do_Delete(self, s, env):
        for t in s.targets:
            if isinstance(t, ast.Subscript):
                base = self.ev(t.value, env)
                at = self.ev(index_of(t), env)
                self.native(lambda b, i: b.__delitem__(i), base, at)
            elif isinstance(t, ast.Name):
                env.names.pop(t.id, None)
            else:
                raise Stuck()

    def do_If(self, s, env):
        self.block(s.body if self.truth(self.ev(s.test, env))
                   else s.orelse, env)

    def do_Assert(self, s, env):
        if not self.truth(self.ev(s.test, env)):
            raise Raised(AssertionError)

    def do_While(self, s, env):
        while self.truth(self.ev(s.test, env)):
            self.step()
            try:
                self.block(s.body, env)
            except Leave:
                return
            except Again:
                continue
        self.block(s.orelse, env)

    def do_For(self, s, env):
        for item in self.items(self.ev(s.iter, env)):
            self.step()
            self.assign(s.target, item, env)
            try:
                self.block(s.body, env)
            except Leave:
                return
            except Again:
                continue
        self.block(s.orelse, env)

    do_AsyncFor = do_For

    def do_FunctionDef(self, s, env):
        env.names[s.name] = UNKNOWN if s.decorator_list else Closure(s, env)

    do_AsyncFunctionDef = do_FunctionDef

    def do_ClassDef(self, s, env):
        env.names[s.name] = UNKNOWN

    def do_With(self, s, env):
        raise Stuck()

    def do_Raise(self, s, env):
        if s.exc is None:
            if self.handled:
                raise self.handled[-1]
            raise Stuck()
        node = s.exc
        text = ""
        if isinstance(node, ast.Call):
            if node.args:
                value = self.ev(node.args[0], env)
                text = value if isinstance(value, str) else ""
            node = node.func
        kind = EXCEPTIONS.get(last_word(node))
        if kind is None or not isinstance(node, ast.Name):
            raise Raised(Exception, "of its own")
        raised = Raised(kind, text)
        raised.at = s
        raise raised

    def do_Try(self, s, env):
        try:
            try:
                self.block(s.body, env)
            except Raised as r:
                handler = self.handler_of(s, r)
                if handler is None:
                    raise
                if handler.name:
                    env.names[handler.name] = UNKNOWN
                self.handled.append(r)
                try:
                    self.block(handler.body, env)
                finally:
                    self.handled.pop()
            else:
                self.block(s.orelse, env)
        finally:
            self.block(s.finalbody, env)

    def handler_of(self, s, raised):
        for h in s.handlers:
            if h.type is None:
                return h
            types = h.type.elts if isinstance(h.type, ast.Tuple) else [h.type]
            for t in types:
                kind = EXCEPTIONS.get(last_word(t))
                if kind is None:
                    if last_word(t) == "JSONDecodeError":
                        kind = json.JSONDecodeError
                    elif raised.text == "of its own":
                        raise Stuck()
                    else:
                        continue
                if issubclass(raised.kind, kind):
                    return h
        return None

    def assign(self, target, value, env):
        if isinstance(target, ast.Name):
            home = env
            while target.id not in home.local and home.above is not None and \
                    home.node is not None:
                home = home.above
            (env if home.node is None else home).names[target.id] = value
        elif isinstance(target, (ast.Tuple, ast.List)):
            self.unpack(target.elts, value, env)
        elif isinstance(target, ast.Attribute):
            base = self.ev(target.value, env)
            if isinstance(base, Thing):
                base.fields[target.attr] = value
            elif base is None:
                raise Raised(AttributeError, "'NoneType' object has no "
                             "attribute '%s'" % target.attr)
            else:
                raise Stuck()
        elif isinstance(target, ast.Subscript):
            base = self.ev(target.value, env)
            index = index_of(target)
            if isinstance(index, ast.Slice) or base is UNKNOWN:
                raise Stuck()
            at = self.ev(index, env)
            self.native(lambda b, i: b.__setitem__(i, value)
                        if hasattr(b, "__setitem__") else b[i], base, at)
        else:
            raise Stuck()

    def unpack(self, elts, value, env):
        items = list(self.items(value))
        stars = [i for i, e in enumerate(elts) if isinstance(e, ast.Starred)]
        if stars:
            i, after = stars[0], len(elts) - stars[0] - 1
            if len(items) < len(elts) - 1:
                raise Raised(ValueError, "not enough values to unpack")
            items = items[:i] + [items[i:len(items) - after]] + (
                items[len(items) - after:])
        if len(items) != len(elts):
            raise Raised(ValueError, "values to unpack")
        for e, v in zip(elts, items):
            self.assign(e.value if isinstance(e, ast.Starred) else e, v, env)


EXCEPTIONS = {name: kind for name, kind in vars(
    __import__("builtins")).items() if isinstance(kind, type)
    and issubclass(kind, BaseException)}
