"""natives.py -- the functions that the machine may call, as values of its own.

Nothing here opens, starts or imports anything that the code under test names.
"""
import bisect
import collections
import heapq
import itertools
import json
import math
import string

BUILTINS = frozenset(vars(__import__("builtins")))


class Native:
    """A function of the language or its library that only computes."""

    def __init__(self, function):
        self.function = function


class Method:
    """A method of plain data, together with its object."""

    def __init__(self, base, name):
        self.base, self.name = base, name


class Given:
    """A callable in a witness, which returns its value."""

    def __init__(self, value):
        self.value = value


FUNCTIONS_OF = {f.__name__: Native(f) for f in (
    abs, all, any, bin, bool, bytes, bytearray, chr, complex, dict, divmod,
    enumerate, filter, float, frozenset, hex, int, iter, len, list, map, max,
    min, next, oct, ord, pow, range, repr, reversed, round, set, slice,
    sorted, str, sum, tuple, zip, format)}
TYPES = {"int": int, "float": float, "str": str, "bytes": bytes, "bool": bool,
         "list": list, "tuple": tuple, "dict": dict, "set": set,
         "frozenset": frozenset, "complex": complex}
IMPORTED = {"math." + n: Native(f) for n, f in vars(math).items()
            if callable(f) and not n.startswith("_")}
IMPORTED.update({"math." + n: v for n, v in vars(math).items()
                 if isinstance(v, float)})
IMPORTED.update({"heapq." + f.__name__: Native(f) for f in (
    heapq.heappush, heapq.heappop, heapq.heapify, heapq.nlargest,
    heapq.nsmallest)})
IMPORTED.update({"bisect." + n: Native(getattr(bisect, n)) for n in (
    "bisect", "bisect_left", "bisect_right", "insort")})
IMPORTED.update({"collections." + f.__name__: Native(f) for f in (
    collections.deque, collections.Counter, collections.OrderedDict,
    collections.defaultdict)})
IMPORTED.update({"string." + n: v for n, v in vars(string).items()
                 if isinstance(v, str) and not n.startswith("_")})
IMPORTED["json.loads"] = Native(json.loads)
IMPORTED["itertools.chain"] = Native(itertools.chain)
IMPORTED["itertools.product"] = Native(itertools.product)
IMPORTED["itertools.combinations"] = Native(itertools.combinations)
