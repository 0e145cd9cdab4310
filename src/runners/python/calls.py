"""calls.py -- what a call says about its receiver and its arguments."""
import ast

from express import Reader
from shape import Shape, compatible, root, unify
from syntax import all_args, dotted, is_generator, last_word, literal
from tables import (
    BYTES_METHODS, DATE_METHODS, DATE_TEXT, DELTA_ATTRIBUTES, DICT_METHODS, DOMAIN, FILE_METHODS, JSON_TEXT,
    LIST_METHODS, MATH, MATH_INT, NUMBER_TEXT, NUM_CALLS, PATH_CALLS,
    QUEUE_METHODS, RESULT, SET_METHODS, SIZED_CALLS, STR_LISTS, STR_METHODS,
    TEXT_CALLS)


class Uses(Reader):
    def ev_Call(self, node):
        args = [self.ev(a) for a in node.args]
        for k in node.keywords:
            value = self.ev(k.value)
            if k.arg is None:
                value.kind("dict")
        f = node.func
        name = dotted(f)
        if isinstance(f, ast.Name):
            return self.by_name(node, f.id, name, args)
        if not isinstance(f, ast.Attribute):
            self.ev(f)
            return Shape()
        first = name.split(".")[0]
        if first and first in self.module.imports and first not in self.env:
            full = self.module.imports[first] + name[len(first):]
            return self.library(node, full, args)
        if first in self.module.classes and first not in self.env:
            inner = self.module.method(self.module.classes[first], f.attr)
            if inner is not None:
                return self.method(inner, args)
            return Shape()
        return self.by_method(node, f, args)

    def by_name(self, node, word, name, args):
        if word in self.env:
            mine = root(self.env[word])
            inner = getattr(mine, "inner", None)
            if "function" in mine.kinds and inner:
                func, shapes, result = inner
                self.pass_on(func, shapes, node, args)
                return result
            mine.kind("callable")
            return mine.part("ret")
        if word in self.module.functions:
            func = self.module.functions[word]
            shapes, result = self.function(
                func, self.matched(func, node, args, 0))
            return result if not is_generator(func) else self.stream(result)
        if word in self.module.classes:
            return self.construct(self.module.classes[word], node, args)
        full = self.module.imports.get(word, word)
        return self.library(node, full, args)

    def stream(self, _result):
        return Shape("iterable")

    def matched(self, func, node, args, skip):
        """(parameter name, shape) for each argument of a call of that
        function."""
        if any(isinstance(a, ast.Starred) for a in node.args):
            return []
        names = [a.arg for a in getattr(func.args, "posonlyargs", [])
                 + func.args.args][skip:]
        pairs = list(zip(names, args))
        for k in node.keywords:
            if k.arg:
                pairs.append((k.arg, self.ev(k.value)))
        return pairs

    def pass_on(self, func, shapes, node, args):
        for name, shape in self.matched(func, node, args, 0):
            if name in shapes:
                unify(shapes[name], shape)

    def method(self, func, args, node=None):
        marks = [last_word(d) for d in func.decorator_list]
        skip = 0 if "staticmethod" in marks else 1
        given = self.matched(func, node, args, skip) if node else []
        if skip and "classmethod" not in marks and self.self_shape is not None:
            first = all_args(func.args)[:1]
            given = [(a.arg, self.self_shape) for a in first] + given
        return self.function(func, given)[1]

    def construct(self, cls, node, args):
        init = self.module.method(cls, "__init__")
        if init is not None and self.left > 0:
            kept = self.self_shape, self.owner
            self.self_shape, self.owner = Shape(), cls
            self.function(init, [
                (n, s) for n, s in self.matched(init, node, args, 1)])
            self.self_shape, self.owner = kept
        return Shape()

    # -- methods -------------------------------------------------------

    def by_method(self, node, f, args):
        base = self.ev(f.value)
        word = f.attr
        if word in DELTA_ATTRIBUTES and self.of_moments(f.value):
            return Shape("float")
        if word in DATE_METHODS and not set(base.kinds) - {"num"}:
            base.kind("datetime")
            return Shape(RESULT.get(word, "str"))
        if self.self_shape is not None and root(base) is root(
                self.self_shape) and self.owner is not None:
            inner = self.module.method(self.owner, word)
            if inner is not None:
                return self.method(inner, args, node)
        known = self.known_method(node, base, word, args)
        if known is not None:
            return known
        base.kind("object")
        for a in args:
            a.mark("opaque")
        return base.field("calls", word)

    def known_method(self, node, base, word, args):
        kinds = set(base.kinds)
        if word == "join" and args and (not kinds or "str" in kinds or
                                        isinstance(node.func.value,
                                                   ast.Constant)):
            args[0].kind("iterable").part("elem").kind("str")
            return Shape("str")
        if word in ("pop", "remove", "clear", "copy", "update", "index",
                    "count", "replace") and not kinds - {"object"}:
            return self.vague(node, base, word, args)
        if word in DICT_METHODS and not kinds & {"object"} or \
                word in ("items", "setdefault") or (
                    word == "get" and args and (
                        not base.attrs or "dict" in kinds)):
            return self.of_dict(base, word, node, args)
        if word in ("decode", "encode") and args:
            args[0].kind("str").mark("codec")
        if word in STR_METHODS and "object" not in kinds - {"str"}:
            return self.of_str(base, word, node, args)
        if word in BYTES_METHODS:
            base.kind("bytes")
            return Shape("str")
        if word in LIST_METHODS | QUEUE_METHODS and "set" not in kinds:
            base.kind("deque" if word in QUEUE_METHODS else "list")
            if word in ("append", "appendleft", "insert") and args:
                unify(base.part("elem"), args[-1])
            elif word == "extend" and args:
                unify(base.part("elem"), self.iterate(args[0]))
            return base.part("elem") if word == "popleft" else Shape()
        if word in SET_METHODS and "object" not in kinds:
            base.kind("set")
            if args and word not in ("add", "discard"):
                self.iterate(args[0])
            if word == "add" and args:
                unify(base.part("elem"), args[0])
                args[0].mark("hashable")
            return Shape("set")
        if word in FILE_METHODS and not base.attrs:
            base.kind("textio")
            return Shape("str") if word != "readlines" else Shape("list")
        if word == "__next__":
            base.kind("iterator")
            return base.part("elem")
        if kinds & {"str", "bytes", "list", "dict", "set", "tuple"}:
            return self.given_back(word, base)
        return None

    def given_back(self, word, base):
        out = Shape(*([RESULT[word]] if word in RESULT else []))
        if word == "pop":
            return base.part("val" if "dict" in base.kinds else "elem")
        if word == "copy":
            return root(base)
        return out

    def vague(self, node, base, word, args):
        """Handle methods that several types have."""
        if word == "pop" and len(args) == 2:
            return self.of_dict(base, "get", node, args)
        if word == "pop":
            ok, c = literal(node.args[0]) if node.args else (True, 0)
            if ok and isinstance(c, str):
                return base.kind("dict").field("keys", c)
            base.kind("list")
            return base.part("elem")
        if word == "replace" and len(args) >= 2:
            base.kind("str")
            return Shape("str")
        if word == "update":
            if "set" not in base.kinds:
                base.kind("dict")
        elif word in ("index", "count", "remove"):
            base.kind("list")
            if args:
                unify(base.part("elem"), args[0])
            return Shape("int")
        return root(base) if word == "copy" else Shape()

    def of_dict(self, base, word, node, args):
        base.kind("dict")
        if word in ("get", "setdefault") and node.args:
            ok, c = literal(node.args[0])
            if ok and isinstance(c, str):
                base.mark("gets")
                return base.field("keys", c)
            unify(base.part("key"), args[0])
            args[0].mark("hashable")
            return base.part("val")
        out = Shape("list")
        if word == "items":
            out.parts["elem"] = self.pair(Shape("tuple"), [
                base.part("key"), base.part("val")])
        elif word in ("keys", "values"):
            out.parts["elem"] = base.part("val" if word == "values"
                                          else "key")
        return out

    def of_str(self, base, word, node, args):
        first = node.args[0] if node.args else node
        if isinstance(first, ast.Name):
            first = self.module.values.get(first.id, first)
        if "bytes" in base.kinds:
            if isinstance(literal(first)[1], bytes):
                base.const(first.value)
            out = Shape("list" if word in STR_LISTS else RESULT.get(word))
            if out.kinds.keys() & {"list"}:
                out.part("elem").kind("bytes")
            return out if not out.kinds.keys() & {"str", None} else \
                Shape("bytes")
        base.kind("str")
        if word in ("startswith", "endswith", "find", "rfind", "split",
                    "partition", "rsplit", "rpartition") and node.args:
            ok, c = literal(first)
            if ok and isinstance(c, str):
                base.const(c)
                base.const(c + "0" if word != "endswith" else "0" + c)
            for a in args[:1]:
                a.kind("str")
        out = Shape(*([RESULT[word]] if word in RESULT else []))
        if word in STR_LISTS:
            out = Shape("list")
            sep = literal(first)[1]
            out.part("elem").kind("str").origin = (
                root(base), lambda v: with_sep(v, sep))
        if RESULT.get(word) == "str":
            out.origin = (root(base), lambda v: [v] if isinstance(
                v, str) else [])
        return out

    # -- functions of the language and its library ---------------------

    def library(self, node, full, args):
        word = full.split(".")[-1]
        if not args:
            empty = {"deque": "deque", "set": "set", "list": "list",
                     "dict": "dict", "defaultdict": "dict", "str": "str"}
            return Shape(*[empty[word]] if word in empty else [])
        x = args[0]
        if full in PATH_CALLS:  # also every name inside the argument
            for n in ast.walk(node.args[0]) if node.args else ():
                if isinstance(n, ast.Name) and n.id in self.env:
                    root(self.env[n.id]).mark("path")
        if word == "len" and full == "len":
            if not x.kinds:
                x.kind("sized")
            out = Shape("int")
            out.len_of = root(x)
            return out
        if word == "isinstance" and len(node.args) == 2:
            x.isa.append(node.args[1])
            return Shape("bool")
        if word == "next":
            x.kind("iterator")
            return x.part("elem")
        if full in JSON_TEXT or word == "loads":
            x.kind("str").mark("json")
            return Shape()
        if full in ("json.load",):
            x.kind("textio").mark("json")
            return Shape()
        if word in DATE_TEXT:
            x.kind("num" if word == "fromtimestamp" else "str").mark("date")
            return Shape("object")
        if word in NUMBER_TEXT:
            if not x.kinds:
                x.kind("str", "num")
            elif set(x.kinds) <= {"sized", "iterable"}:
                x.kind("str")
            x.mark("intlike")
            out = Shape("int" if word == "int" else "float")
            return out
        if word == "str" or word == "repr":
            return Shape("str")
        if word == "bool" or word == "hash":
            x.mark("hashable" if word == "hash" else "truth")
            return Shape("bool" if word == "bool" else "int")
        if full.startswith("math.") or word in DOMAIN and "." not in full:
            return self.math(word, args)
        if full == "range":
            for a in args:
                a.kind("int").mark("count")
            out = Shape("list")
            out.part("elem").kind("int")
            return out
        return self.library_more(word, full, args)

    def math(self, word, args):
        if word in MATH or word in MATH_INT or word in DOMAIN:
            for a in args:
                a.kind("int" if word in MATH_INT or word == "chr"
                       else "float")
                for c in DOMAIN.get(word, []):
                    a.const(c)
        elif word in ("prod", "fsum"):
            args[0].kind("iterable").part("elem").kind("num")
        return Shape("str" if word == "chr" else "num")

    def library_more(self, word, full, args):
        x = args[0]
        if word in NUM_CALLS:
            for a in args:
                a.kind("num")
            if word in ("divmod",):
                args[-1].mark("divisor")
            return Shape("num")
        if full in PATH_CALLS:
            x.kind("str").mark("path")
            return Shape()
        if full in TEXT_CALLS or word in TEXT_CALLS:
            texts = args[1:2] if full.startswith("re.") and len(
                args) > 1 else args[:1]
            for a in texts:
                if "bytes" not in a.kinds:
                    a.kind("str")
            if word == "ord":
                x.mark("char")
            return Shape("int" if word == "ord" else "object")
        if word in ("min", "max") and len(args) > 1:
            for a in args[1:]:
                if compatible(x, a):
                    unify(x, a)
            return Shape(*root(x).kinds)
        if word in SIZED_CALLS:
            return self.over(word, args)
        if full in ("struct.unpack", "int.from_bytes"):
            args[-1 if word == "unpack" else 0].kind("bytes")
            return Shape("tuple" if word == "unpack" else "int")
        if word in ("heappush", "heappop", "heapify", "insort", "bisect",
                    "bisect_left", "bisect_right", "reduce"):
            x = args[1] if word == "reduce" and len(args) > 1 else x
            x.kind("list")
            if word in ("heappush", "insort") and len(args) > 1:
                unify(x.part("elem"), args[1])
            return x.part("elem")
        for a in args:
            if "getattr" != full:
                a.mark("opaque")
        return Shape()

    def over(self, word, args):
        """sum(x), sorted(x), zip(x, y), map(f, x) iterate over their
        arguments."""
        through = args[1:] if word in ("map", "filter") else args[:1]
        if word == "zip":
            through = args
        elems = [self.iterate(a) for a in through]
        if word in ("map", "filter") and args:
            inner = getattr(root(args[0]), "inner", None)
            if inner is None:
                args[0].kind("callable")
        if word in ("sum", "fsum", "mean", "median") and elems:
            elems[0].kind("num")
        if word in ("min", "max", "sum"):
            if word != "sum":
                args[0].mark("ordered")
            return elems[0] if elems else Shape()
        if word in ("any", "all"):
            return Shape("bool")
        out = Shape("set" if word in ("set", "frozenset") else
                    "deque" if word == "deque" else
                    "dict" if word in ("dict", "Counter") else "list")
        if word in ("zip", "enumerate"):
            out.parts["elem"] = self.pair(
                Shape("tuple"), elems if word == "zip"
                else [Shape("int")] + elems)
        elif elems and word != "map":
            out.parts["elem"] = elems[0]
        if word == "dict":
            return Shape("dict")
        return out


def with_sep(part, sep):
    """Texts that contain that part: alone, first, last."""
    if not isinstance(part, str):
        return []
    return [part] + ([part + sep + "a", sep + part]
                     if isinstance(sep, str) else [])
