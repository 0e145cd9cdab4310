"""interpreter.py -- the machine, complete: methods, library calls, a witness's values."""
import ast
import collections

from evaluate import OURS
from machine import (
    Class, Closure, Huge, SIZE_MAX, Stuck, Thing, UNKNOWN, Unknown)
from machine_call import Caller
from natives import Given, Method, Native, TYPES
from syntax import last_word

SLOW = {"factorial", "comb", "perm", "product", "combinations", "pow"}
CONSUMERS = {"list", "tuple", "set", "frozenset", "sorted", "sum", "max",
             "min", "dict", "bytes", "bytearray", "Counter", "deque", "all",
             "any", "join", "extend", "update"}
CONTAINERS = {"$tuple": tuple, "$set": set, "$frozenset": frozenset,
              "$deque": collections.deque, "$iter": iter}


class Interpreter(Caller):
    """The machine, complete: methods, library calls, trials."""

    def ready(self, name, args):
        """Arguments in the form that a native function can take."""
        out = []
        for a in args:
            if isinstance(a, Closure):
                a = self.as_function(a)
            elif isinstance(a, Native):
                a = a.function
            elif isinstance(a, Given):
                a = self.as_given(a)
            elif isinstance(a, Method):
                if a.name.startswith("_") and a.name != "__getitem__":
                    raise Stuck()
                a = getattr(a.base, a.name)
            elif isinstance(a, range) and len(a) > SIZE_MAX and \
                    name in CONSUMERS:
                raise Huge()
            elif name in CONSUMERS and hasattr(a, "__next__"):
                a = self.items(a)
            out.append(a)
        return out

    def as_function(self, closure):
        return lambda *args: self.call(closure.node, args, {}, closure.env,
                                       closure.bound)

    def as_given(self, given):
        return lambda *_args: given.value

    def is_too_big(self, name, args):
        numbers = [abs(a) for a in args if type(a) is int]
        if name in SLOW and any(n > 300 for n in numbers):
            return True
        if name in ("bytes", "bytearray", "repeat"):
            return any(n > SIZE_MAX for n in numbers)
        return name in ("ljust", "rjust", "zfill", "center", "expandtabs",
                        "to_bytes") and any(n > SIZE_MAX for n in numbers)

    def library(self, func, args, named):
        f = func.function
        name = f.__name__
        if any(a is UNKNOWN for a in list(args) + list(named.values())):
            self.touched = True
            return UNKNOWN
        if self.is_too_big(name, args):
            raise Huge()
        if name == "len" and args and isinstance(args[0], Thing):
            raise Stuck()
        if name in ("str", "repr", "format", "int", "float", "iter", "list",
                    "sorted", "sum", "abs", "next", "tuple", "set", "max",
                    "min") and any(isinstance(a, Thing) for a in args):
            return UNKNOWN
        if name == "bool" and args:
            return self.truth(args[0])
        ready = self.ready(name, args)
        words = dict(zip(named, self.ready(name, list(named.values()))))
        return self.native(lambda *a: f(*a, **words), *ready)

    def method(self, func, args, named):
        base, name = func.base, func.name
        if name.startswith("_") or name in ("format", "format_map",
                                            "translate", "maketrans"):
            return UNKNOWN
        if any(a is UNKNOWN for a in args):
            if name in ("append", "add", "insert"):
                return getattr(base, name)(*args)
            raise Stuck()
        if self.is_too_big(name, args):
            raise Huge()
        ready = self.ready(name, args)
        words = dict(zip(named, self.ready(name, list(named.values()))))
        method = getattr(base, name)
        if not callable(method):
            return method
        return self.native(lambda *a: method(*a, **words), *ready)

    def ev_Call(self, node, env):
        if isinstance(node.func, ast.Name) and not self.bound(
                node.func.id, env):
            word = node.func.id
            if word == "isinstance" and len(node.args) == 2:
                return self.is_instance(self.ev(node.args[0], env),
                                        node.args[1])
            if word == "print":
                return None
            if word == "callable" and len(node.args) == 1:
                value = self.ev(node.args[0], env)
                return UNKNOWN if value is UNKNOWN else isinstance(
                    value, (Closure, Class, Native, Given, Method))
            if word == "hasattr" and len(node.args) == 2:
                base = self.ev(node.args[0], env)
                name = self.ev(node.args[1], env)
                if isinstance(base, Thing) and base.cls is None:
                    return name in base.fields
                return UNKNOWN if isinstance(base, OURS + (Unknown,)) else \
                    self.native(hasattr, base, name)
        return super().ev_Call(node, env)

    def is_instance(self, value, node):
        words = [last_word(e) for e in (
            node.elts if isinstance(node, ast.Tuple) else [node])]
        if value is UNKNOWN or not all(w in TYPES or w in self.module.classes
                                       for w in words):
            return UNKNOWN
        if isinstance(value, Thing):
            return value.cls is not None and any(
                c.name in words for c in self.module.lineage(value.cls))
        return any(w in TYPES and isinstance(value, TYPES[w]) for w in words)

    # -- a witness's values --------------------------------------------

    def value(self, v, stubs=()):
        """Decode the typed encoding; what cannot be decoded is unknown."""
        if isinstance(v, list):
            return [self.value(x, stubs) for x in v]
        if not isinstance(v, dict):
            return v
        (tag, x), = v.items()
        if tag == "$dict":
            return {self.value(k, stubs): self.value(i, stubs) for k, i in x}
        if tag in ("$tuple", "$set", "$frozenset", "$deque", "$iter"):
            return CONTAINERS[tag](self.value(x, stubs))
        if tag == "$bytes":
            return bytes.fromhex(x)
        if tag == "$float":
            return float(x)
        if tag == "$text":
            return "".join(map(chr, x))
        if tag == "$call":
            return Given(self.value(x, stubs))
        if tag == "$up":
            return stubs[-1 - x]
        if tag == "$range":
            return range(*x)
        if tag == "$stub":
            out = Thing()
            for name, i in x:
                out.fields[name] = self.value(i, stubs + (out,))
            return out
        if tag == "$new" and x["type"] in self.module.classes:
            args, named = self.passed(x["arguments"])
            return self.construct(self.module.classes[x["type"]], args, named)
        return UNKNOWN

    def passed(self, group):
        args, named = [], {}
        for a in group:
            value, by = self.value(a["value"]), a["by"]
            if by == "position":
                args.append(value)
            elif by == "name":
                named[a["name"]] = value
            elif by == "rest":
                args += value
            else:
                named.update(value)
        return args, named
