"""machine_call.py -- the machine's calls: arguments, closures, constructors."""
import ast

from evaluate import Evaluator
from machine import (
    Back, Class, Closure, DEPTH_MAX, Env, Raised, Stuck, Thing, UNKNOWN)
from natives import Given, Method, Native
from shape import NEST_MAX
from syntax import is_generator, last_word


class Caller(Evaluator):
    def call(self, func, args, named, env_above=None, bound=()):
        self.left -= 10
        if self.depth > DEPTH_MAX:
            raise Raised(RecursionError, "maximum recursion depth exceeded")
        names = self.bind_arguments(func, list(bound) + list(args), named,
                                    env_above)
        env = Env(names, env_above, func)
        self.depth += 1
        try:
            if isinstance(func, ast.Lambda):
                return self.ev(func.body, env)
            if is_generator(func):
                env.yields = []
            self.block(func.body, env)
        except Back as b:
            return iter(env.yields) if env.yields is not None else b.value
        except Raised as r:
            if r.kind is StopIteration and env.yields is not None:
                r.kind, r.text = RuntimeError, "generator raised StopIteration"
            raise
        finally:
            self.depth -= 1
        return iter(env.yields) if env.yields is not None else None

    def bind_arguments(self, func, args, named, env):
        a = func.args
        plain = [p.arg for p in getattr(a, "posonlyargs", []) + a.args]
        names = dict(zip(plain, args))
        if len(args) > len(plain):
            if a.vararg is None:
                raise Raised(TypeError, "takes fewer arguments")
        if a.vararg is not None:
            names[a.vararg.arg] = tuple(args[len(plain):])
        extra = {}
        for k, v in named.items():
            if k in plain or k in [p.arg for p in a.kwonlyargs]:
                names[k] = v
            elif a.kwarg is not None:
                extra[k] = v
            else:
                raise Raised(TypeError, "unexpected keyword argument")
        if a.kwarg is not None:
            names[a.kwarg.arg] = extra
        defaults = dict(zip(plain[len(plain) - len(a.defaults):], a.defaults))
        defaults.update({p.arg: d for p, d in zip(
            a.kwonlyargs, a.kw_defaults) if d is not None})
        for p in plain + [k.arg for k in a.kwonlyargs]:
            if p not in names:
                if p not in defaults:
                    raise Raised(TypeError, "missing an argument")
                names[p] = self.ev(defaults[p], Env({}, None))
        return names

    def ev_Call(self, node, env):
        func = self.ev(node.func, env)
        args = []
        for a in node.args:
            if isinstance(a, ast.Starred):
                args += self.items(self.ev(a.value, env))
            else:
                args.append(self.ev(a, env))
        named = {}
        for k in node.keywords:
            value = self.ev(k.value, env)
            if k.arg is not None:
                named[k.arg] = value
            elif isinstance(value, dict):
                named.update(value)
            else:
                raise Stuck()
        return self.apply(func, args, named)

    def apply(self, func, args, named):
        if isinstance(func, Closure):
            return self.call(func.node, args, named, func.env, func.bound)
        if isinstance(func, Class):
            return self.construct(func.node, args, named)
        if func is UNKNOWN:
            self.touched = True
            return UNKNOWN
        if isinstance(func, Given):
            return func.value
        if isinstance(func, Method):
            return self.method(func, args, named)
        if isinstance(func, Native):
            return self.library(func, args, named)
        if isinstance(func, Thing):
            raise Stuck()
        raise Raised(TypeError, "'%s' object is not callable"
                     % type(func).__name__)

    def construct(self, cls, args, named):
        thing = Thing(cls)
        init = self.module.method(cls, "__init__")
        outside = [b for b in self.module.ancestors(cls)
                   if b not in self.module.classes and b != "object"]
        marks = [last_word(d) for d in cls.decorator_list]
        if init is not None:
            self.call(init, [thing] + args, named)
        elif "dataclass" in marks or "NamedTuple" in outside:
            self.fill(thing, cls, args, named)
        elif outside:
            return UNKNOWN
        elif args or named:
            raise Raised(TypeError, cls.name + "() takes no arguments")
        return thing

    def fill(self, thing, cls, args, named):
        fields = self.module.fields(cls, 2 * NEST_MAX)
        given = dict(zip([f[0] for f in fields], args))
        given.update(named)
        for name, _, default, _ in fields:
            if name in given:
                thing.fields[name] = given[name]
            elif default is not None:
                thing.fields[name] = UNKNOWN if isinstance(
                    default, ast.Call) else self.ev(default, Env({}, None))
            else:
                raise Raised(TypeError, "missing an argument")
        after = self.module.method(cls, "__post_init__")
        if after is not None:
            self.call(after, [thing], {})
