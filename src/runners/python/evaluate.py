"""evaluate.py -- the machine's expressions."""
import ast
import operator

from annotate import top_level
from machine import (
    Again, Back, Class, Closure, Endless, Env, Huge, Leave, Machine, Raised,
    SIZE_MAX, Stuck, Thing, UNKNOWN)
from natives import BUILTINS, FUNCTIONS_OF, IMPORTED, Method
from syntax import FUNCTIONS, dotted, index_of, last_word

OPERATORS = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul,
    ast.Div: operator.truediv, ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod, ast.Pow: operator.pow, ast.LShift: operator.lshift,
    ast.RShift: operator.rshift, ast.BitAnd: operator.and_,
    ast.BitOr: operator.or_, ast.BitXor: operator.xor,
    ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.Lt: operator.lt,
    ast.LtE: operator.le, ast.Gt: operator.gt, ast.GtE: operator.ge,
    ast.In: lambda a, b: a in b, ast.NotIn: lambda a, b: a not in b,
    ast.UAdd: operator.pos, ast.USub: operator.neg, ast.Invert: operator.inv,
}
OURS = (Thing, Closure, Class)


class Evaluator(Machine):
    def ev(self, node, env):
        self.step()
        handler = getattr(self, "ev_" + type(node).__name__, None)
        if handler is None:
            raise Stuck()
        return handler(node, env)

    def native(self, f, *args):
        """Do a plain operation on plain data; the program gets what it
        raises."""
        if any(a is UNKNOWN for a in args):
            self.touched = True
            return UNKNOWN
        try:
            return f(*args)
        except (Stuck, Endless, Huge, Raised, Back, Leave, Again):
            raise
        except MemoryError:
            raise Huge() from None
        except Exception as e:
            text = str(e.args[0]) if e.args else ""
            raise Raised(type(e), text) from None

    def ev_Constant(self, node, _env):
        return node.value

    def ev_Name(self, node, env):
        name, at = node.id, env
        while at is not None:
            if name in at.names:
                return at.names[name]
            if name in at.local:
                raise Raised(UnboundLocalError if at is env else NameError,
                             "local variable")
            at = at.above
        return self.of_module(name)

    def of_module(self, name):
        module = self.module
        if name in self.constants:
            return self.constants[name]
        if name in module.functions:
            func = module.functions[name]
            return Closure(func, None) if not func.decorator_list else UNKNOWN
        if name in module.classes:
            return Class(module.classes[name])
        if name in module.values:
            self.constants[name] = UNKNOWN
            try:
                value = self.ev(module.values[name], Env({}, None))
            except (Raised, Stuck):
                value = UNKNOWN
            self.constants[name] = value
            return value
        if name in module.imports:
            return IMPORTED.get(module.imports[name], UNKNOWN)
        for star in module.stars:
            if star + "." + name in IMPORTED:
                return IMPORTED[star + "." + name]
        if name in FUNCTIONS_OF:
            return FUNCTIONS_OF[name]
        if "*" in module.imports or name in BUILTINS or \
                name.startswith("__"):
            return UNKNOWN
        raise Raised(NameError, "name '%s' is not defined" % name)

    def ev_NamedExpr(self, node, env):
        value = self.ev(node.value, env)
        self.assign(node.target, value, env)
        return value

    def ev_Tuple(self, node, env):
        return tuple(self.elements(node, env))

    def ev_List(self, node, env):
        return self.elements(node, env)

    def ev_Set(self, node, env):
        return self.native(set, self.elements(node, env))

    def elements(self, node, env):
        out = []
        for e in node.elts:
            if isinstance(e, ast.Starred):
                out += self.items(self.ev(e.value, env))
            else:
                out.append(self.ev(e, env))
        return out

    def ev_Dict(self, node, env):
        out = {}
        for k, v in zip(node.keys, node.values):
            if k is None:
                inner = self.ev(v, env)
                if not isinstance(inner, dict):
                    raise Stuck()
                out.update(inner)
                continue
            key = self.ev(k, env)
            if key is UNKNOWN:
                raise Stuck()
            self.native(out.__setitem__, key, self.ev(v, env))
        return out

    def ev_JoinedStr(self, node, env):
        out = ""
        for v in node.values:
            if isinstance(v, ast.Constant):
                out += v.value
                continue
            value = self.ev(v.value, env)
            if value is UNKNOWN or isinstance(value, OURS):
                return UNKNOWN
            spec = self.ev(v.format_spec, env) if v.format_spec else ""
            if spec is UNKNOWN or len(spec) > 8:
                return UNKNOWN
            out += self.native(format, value, spec)
        return out

    def ev_Lambda(self, node, env):
        return Closure(node, env)

    def ev_IfExp(self, node, env):
        test = self.truth(self.ev(node.test, env))
        return self.ev(node.body if test else node.orelse, env)

    def ev_BoolOp(self, node, env):
        value = None
        for v in node.values:
            value = self.ev(v, env)
            if self.truth(value) == isinstance(node.op, ast.Or):
                return value
        return value

    def ev_UnaryOp(self, node, env):
        value = self.ev(node.operand, env)
        if isinstance(node.op, ast.Not):
            return not self.truth(value)
        return self.native(OPERATORS[type(node.op)], self.plain(value))

    def plain(self, value):
        return UNKNOWN if isinstance(value, OURS) else value

    def ev_BinOp(self, node, env):
        return self.operate(node.op, self.ev(node.left, env),
                            self.ev(node.right, env))

    def operate(self, op, a, b, in_place=False):
        a, b = self.plain(a), self.plain(b)
        kinds = (type(a), type(b))
        if isinstance(op, ast.Pow) and kinds == (int, int) and (
                abs(b) > 64 and abs(a) > 1):
            if abs(b) * a.bit_length() > 200000:
                raise Huge()
        if isinstance(op, ast.LShift) and type(b) is int and b > 100000:
            raise Huge()
        if isinstance(op, ast.Mult):
            for x, n in ((a, b), (b, a)):
                if isinstance(x, (str, bytes, list, tuple)) and type(
                        n) is int and len(x) * n > SIZE_MAX:
                    raise Huge()
        if isinstance(op, ast.Mod) and isinstance(a, (str, bytes)):
            if "*" in str(a) or any(c.isdigit() for c in str(a)):
                return UNKNOWN
        if in_place and isinstance(op, ast.Add) and isinstance(a, list):
            a.extend(self.items(b))
            return a
        return self.native(OPERATORS.get(type(op), self.stuck), a, b)

    def stuck(self, *_args):
        raise Stuck()

    def ev_Compare(self, node, env):
        left = self.ev(node.left, env)
        for op, right_node in zip(node.ops, node.comparators):
            right = self.ev(right_node, env)
            got = self.compare(op, left, right)
            if got is UNKNOWN or not got:
                return got
            left = right
        return True

    def compare(self, op, a, b):
        if isinstance(op, (ast.Is, ast.IsNot)):
            if a is UNKNOWN or b is UNKNOWN:
                return UNKNOWN
            same = a is b or (a == b and isinstance(a, (int, str))
                              and type(a) is type(b))
            return same == isinstance(op, ast.Is)
        if isinstance(a, Thing) or isinstance(b, Thing):
            cls = getattr(a, "cls", None) or getattr(b, "cls", None)
            if cls is not None and not isinstance(op, (ast.In, ast.NotIn)):
                return UNKNOWN
            if isinstance(op, (ast.Lt, ast.LtE, ast.Gt, ast.GtE)):
                return UNKNOWN
        if self.is_demand and isinstance(op, (ast.In, ast.NotIn)) and \
                isinstance(a, str) and isinstance(b, str):
            b = list(b)  # "token in '+-*/'": it is one of these
        return self.native(OPERATORS[type(op)], a, b)

    def ev_Attribute(self, node, env):
        path = dotted(node)
        first = path.split(".")[0]
        if first and first in self.module.imports and not self.bound(
                first, env):
            full = self.module.imports[first] + path[len(first):]
            return IMPORTED.get(full, UNKNOWN)
        return self.attribute(self.ev(node.value, env), node.attr)

    def bound(self, name, env):
        while env is not None:
            if name in env.names or name in env.local:
                return True
            env = env.above
        return False

    def attribute(self, base, name):
        if base is UNKNOWN or isinstance(base, (Closure, Class)):
            self.touched = True
            return UNKNOWN
        if isinstance(base, Thing):
            if name in base.fields:
                return base.fields[name]
            if base.cls is not None:
                return self.of_class(base, name)
            raise Raised(AttributeError, "'Stub' object has no attribute")
        if base is None or not hasattr(base, name):
            raise Raised(AttributeError, "'%s' object has no attribute '%s'"
                         % (type(base).__name__, name))
        return Method(base, name)

    def of_class(self, base, name):
        for cls in self.module.lineage(base.cls):
            for node in top_level(cls.body):
                if isinstance(node, FUNCTIONS) and node.name == name:
                    marks = [last_word(d) for d in node.decorator_list]
                    if not marks:
                        return Closure(node, None, (base,))
                    if marks == ["property"]:
                        return self.call(node, [base], {})
                    if marks == ["staticmethod"]:
                        return Closure(node, None)
                    return UNKNOWN
                targets = node.targets if isinstance(node, ast.Assign) else [
                    node.target] if isinstance(
                    node, ast.AnnAssign) and node.value else []
                if any(getattr(t, "id", "") == name for t in targets):
                    return self.ev(node.value, Env({}, None))
        bases = [b for b in self.module.ancestors(base.cls)
                 if b not in self.module.classes and b != "object"]
        if bases or base.cls.decorator_list or base.cls.keywords or \
                name.startswith("__"):
            return UNKNOWN
        raise Raised(AttributeError, "'%s' object has no attribute '%s'"
                     % (base.cls.name, name))

    def ev_Subscript(self, node, env):
        base = self.plain(self.ev(node.value, env))
        index = index_of(node)
        if isinstance(index, ast.Slice):
            parts = [self.ev(p, env) if p is not None else None
                     for p in (index.lower, index.upper, index.step)]
            if any(p is UNKNOWN for p in parts):
                return UNKNOWN
            return self.native(lambda b: b[slice(*parts)], base)
        return self.native(lambda b, i: b[i], base, self.ev(index, env))

    def ev_Await(self, node, env):
        return self.ev(node.value, env)

    def ev_Yield(self, node, env):
        value = self.ev(node.value, env) if node.value is not None else None
        home = env
        while home is not None and home.yields is None:
            home = home.above
        if home is None:
            raise Stuck()
        home.yields.append(value)
        return None

    def ev_YieldFrom(self, node, env):
        for item in self.items(self.ev(node.value, env)):
            env.yields.append(item)
        return None

    # -- comprehensions ------------------------------------------------

    def rows(self, node, env):
        def walk(at, inner):
            if at == len(node.generators):
                yield inner
                return
            g = node.generators[at]
            for item in self.items(self.ev(g.iter, inner)):
                self.step()
                self.assign(g.target, item, inner)
                if all(self.truth(self.ev(t, inner)) for t in g.ifs):
                    yield from walk(at + 1, inner)

        return walk(0, Env({}, env))

    def ev_ListComp(self, node, env):
        return [self.ev(node.elt, inner) for inner in self.rows(node, env)]

    def ev_GeneratorExp(self, node, env):
        return (self.ev(node.elt, inner) for inner in self.rows(node, env))

    def ev_SetComp(self, node, env):
        return self.native(set, self.ev_ListComp(node, env))

    def ev_DictComp(self, node, env):
        out = {}
        for inner in self.rows(node, env):
            key = self.ev(node.key, inner)
            if key is UNKNOWN:
                raise Stuck()
            self.native(out.__setitem__, key, self.ev(node.value, inner))
        return out

    def items(self, value):
        """The items that iterating it gives, one step at a time."""
        if value is UNKNOWN or isinstance(value, OURS):
            raise Stuck()
        it = self.native(iter, value)
        while True:
            self.step()
            try:
                item = next(it)
            except StopIteration:
                return
            except (Stuck, Endless, Huge, Raised, Back, Leave, Again):
                raise
            except Exception as e:
                raise Raised(type(e), str(e)) from None
            yield item
