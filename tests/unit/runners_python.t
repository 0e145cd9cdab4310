#!/usr/bin/env python3
"""runners_python.t -- the Python synthesis: given a source, its witnesses.

Its modules are imported here as they lie in src/runners/python.
"""
import json
import os
import subprocess
import sys
import tempfile
import time

SRC = os.environ.get("SRC") or os.path.dirname(
    os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(SRC, "src/runners/python"))
import find  # noqa: E402
import shape  # noqa: E402
import synthesise  # noqa: E402

count = failed = 0


def ok(good, name, note=""):
    global count, failed
    count += 1
    if not good:
        failed += 1
        print("# %s" % str(note)[:1500])
    print("%sok %d - %s" % ("" if good else "not ", count, name))


def synth(source, function, flag_class, line=None, hints=None):
    try:
        return synthesise.answer({"function": function, "line": line,
                                "flag_class": flag_class,
                                "witness_hints": hints}, source)
    except shape.Failed as e:
        return {"failed": str(e)}


def rows(source, flag_class, function="f", **kw):
    """The values of each witness, of the receiver first."""
    got = synth(source, function, flag_class, **kw)
    if "failed" in got:
        return got["failed"]
    return [[a["value"] for a in w.get("receiver", []) + w["arguments"]]
            for w in got["witnesses"]]


def first(source, flag_class, want, name, **kw):
    got = rows(source, flag_class, **kw)
    ok(isinstance(got, list) and got[0] == want, name, got)


def never(source, flag_class, bad, name, **kw):
    """No value of any witness may be of that sort."""
    got = rows(source, flag_class, **kw)
    ok(isinstance(got, list) and got and not any(
        bad(v) for row in got for v in row), name, got)


def refused(source, flag_class, word, name, **kw):
    got = rows(source, flag_class, **kw)
    ok(isinstance(got, str) and got.startswith(word), name, got)


def stub(**attrs):
    return {"$stub": [[k, v] for k, v in attrs.items()]}


# -- what is tried first ------------------------------------------------------

first("def f(a, b: int):\n    return a / b\n", "div-zero", [0, 0],
      "a divisor is 0")
first("def f(x):\n    if x < 5 or x > 9:\n        return 0\n"
      "    return 1 / (x - 7)\n", "div-zero", [7],
      "a difference is solved backwards, within its guards")
first("def f(s: str):\n    if s.startswith('ab') and len(s) == 4:\n"
      "        return s[7]\n", "index-oob", ["abaa"],
      "a prefix and a length together")
first("def f(d):\n    if 'a' in d:\n        return d['b']\n", "key-missing",
      [{"$dict": [["a", 0]]}], "a dict that lacks one key of two")
first("def f(node):\n    return node.next.value\n", "null-deref", [None],
      "None where nothing says what it is, at the line that needs it", line=2)
never("def f(node):\n    return node.next.value\n", "null-deref",
      lambda v: v is None, "no None where no line is meant")
never("def f(node):\n    'node: the first'\n    return node.next.value\n",
      "null-deref", lambda v: v is None, "no None where it is told", line=3)
never("def f(a):\n    for x in a:\n        if x.y is None:\n"
      "            return x.z\n", "null-deref", lambda v: v is None,
      "who asks it of one value means the other", line=2)
never("def f(grid):\n    return [[r[i] for r in grid]\n"
      "            for i in range(len(grid[0]))]\n", "index-oob",
      lambda v: len({len(r) for r in v}) > 1, "no ragged matrix")
GRID = "def f(grid):\n    return [row[1] for row in grid]\n"
ok(any(len({len(r) for r in v[0]}) > 1 for v in rows(GRID, "index-oob")),
   "rows may be of any length where nothing says more", rows(GRID, "index-oob"))
never("def f(a):\n    return [[r[i] for r in a]\n"
      "            for i in range(len(a[0]))]\n", "index-oob",
      lambda v: len({len(r) for r in v}) > 1,
      "nor where the code asks one row for the width, whatever its name")
START = ("def f(d, start):\n    todo = [start]\n    while todo:\n"
         "        todo += d[todo.pop()]\n")
ok(any(v[0] == {"$dict": []} for v in rows(START, "key-missing")),
   "a start is a node only where something says so",
   rows(START, "key-missing"))
first("def check(n):\n    if n < 1:\n        raise ValueError\n\n\n"
      "def f(n):\n    check(n)\n    return int('a' * n)\n", "value-invalid",
      [1], "not what a helper raises by name")
refused("def f(d, a):\n    return d[a, a.b] + a.b.c\n", "key-missing",
        "unsupported-use", "no keys that are objects")
first("from typing import Optional\ndef f(x: 'Optional[int]'):\n"
      "    return x + 1\n", "null-deref", [None], "a quoted annotation")
first("def f(x: int | None):\n    return x + 1\n", "null-deref", [None],
      "a union with None")
first("def f(n):\n    if n == 0:\n        return 0\n    return f(n - 1)\n",
      "unbounded-recursion", [-1], "below the end of a recursion")
first("def f(t):\n    import json\n    return json.loads(t)\n", "json-decode",
      [""], "no JSON at all")
first("def f(b: bytes):\n    return b.decode()\n", "unicode",
      [{"$bytes": "ff"}], "a byte that starts nothing")
first("def f(t: str):\n    return t.encode()\n", "unicode",
      [{"$text": [0xd800]}], "a lone surrogate, as a number")
first("def f(it):\n    return next(it)\n", "stop-iteration",
      [{"$iter": []}], "an iterator with nothing left")
first("def f(xs):\n    for x in xs:\n        y = x\n    return y\n",
      "unbound-local", [[]], "a loop that does not run")
first("def f(n: int):\n    assert 3 < n < 10\n", "assertion", [0],
      "a value outside what is asserted")
first("def f(n: int):\n    return [0] * n\n", "memory", [10 ** 10],
      "a count that does not fit")
first("def f(x: int):\n    return float(x)\n", "overflow", [10 ** 400],
      "more than a float holds")
first("def f(g):\n    return 1 / g(2)\n", "div-zero", [{"$call": 0}],
      "a callable that returns 0")
first("def f(*, a: int, b: int = 1):\n    return a // b\n", "div-zero",
      [0, 0], "keywords, the default replaced")
first("def f(*xs):\n    return xs[0]\n", "index-oob", [],
      "no further arguments")
first("def f(**kw):\n    return kw['a'] // kw['b']\n", "div-zero",
      [{"$dict": [["a", 0], ["b", 0]]}], "further keywords that are read")
first("def f(a, b):\n    d = {(0, 1): 2}\n    return d[a, b]\n",
      "key-missing", [0, 0], "a key of two")
first("class A:\n    def __init__(self, n):\n        self.n = n\n"
      "    def m(self):\n        return 1 / self.n\n", "div-zero", [0],
      "a receiver by what its constructor keeps", function="A.m")
first("class A:\n    def __init__(self):\n        self.c = None\n"
      "    def m(self):\n        return self.c.x\n", "null-deref", [],
      "a receiver whose attribute is None", function="A.m")
first("import enum\nclass C(enum.Enum):\n    A = 1\n    B = 2\n"
      "def f(c: C, d: dict):\n    return d[c]\n", "key-missing",
      [{"$member": "C.A"}, {"$dict": []}], "a member of an Enum")
first("from typing import TypedDict\nclass T(TypedDict):\n    a: int\n"
      "def f(t: T):\n    return 1 / t['a']\n", "div-zero",
      [{"$dict": [["a", 0]]}], "a TypedDict")
first("from typing import NewType, List\nI = NewType('I', int)\n"
      "def f(x: List[I]):\n    return x[0]\n", "index-oob", [[]],
      "an alias and a NewType")

# -- what must not be tried ----------------------------------------------------

never("def f(x: int):\n    return x + 1\n", "null-deref",
      lambda v: v is None, "no None where the annotation has none")
never("from typing import Literal\ndef f(x: Literal[2, 'a']):\n"
      "    return 1 / x\n", "div-zero", lambda v: v not in (2, "a"),
      "a Literal's values and no other")
never("def f(x: str):\n    return x.upper()\n", "attr-missing",
      lambda v: not isinstance(v, str), "a str is a str")
never("def f(a, b):\n    return a + b + 1\n", "type-mismatch",
      lambda v: not isinstance(v, int), "what is added to a number is one")
never('def f(a, k):\n    """Pre\n\n    Precondition: 0 <= k < len(a)\n'
      '    """\n    return a[k]\n', "index-oob",
      lambda v: not isinstance(v, (int, list)) or v == [],
      "a documented precondition")
never('def f(n):\n    """F.\n\n    Args:\n        n (int): a positive int\n'
      '    """\n    return 10 // n\n', "div-zero", lambda v: v <= 0,
      "a documented adjective")
never("def f(user):\n    return user.name\n", "null-deref",
      lambda v: isinstance(v, dict) and v == {"$stub": []},
      "a stand-in has what is read of it")
refused("def f(user):\n    return user.name\n", "attr-missing",
        "unsupported", "no stand-in where an attribute is at stake")
refused("import abc\nclass A(abc.ABC):\n    @abc.abstractmethod\n"
        "    def g(self): ...\n    def m(self):\n        return 1 / 0\n",
        "div-zero", "unsupported-kind", "an abstract class",
        function="A.m")
refused("def f(n):\n    def g(m):\n        return m / n\n    return g\n",
        "div-zero", "unsupported-kind", "a closure that is only returned",
        function="g")
refused("def f(:\n", "div-zero", "cannot-parse", "no Python")
refused("def g():\n    pass\n", "div-zero", "function-not-found",
        "no such function")
refused("def f(x):\n    y = 1\n    return y\n", "div-zero", "cannot-raise",
        "no code at that place can raise")

# -- what speaks of a witness ---------------------------------------------------


def said(source, flag_class, at=0, **kw):
    """{argument: by} of one witness."""
    got = synth(source, "f", flag_class, **kw)
    if "failed" in got:
        return got
    facts = got["preconditions"][got["spoken"][at]]
    assert all((x["allows"] is None) == (x["by"] == ["none"]) for x in facts)
    return {x["argument"]: x["by"] for x in facts}


def speaks(source, flag_class, want, name, **kw):
    got = said(source, flag_class, **kw)
    ok(got == want, name, got)


speaks("def f(a, b: int):\n    return a / b\n", "div-zero",
       {"a": ["none"], "b": ["annotation"]}, "an annotation, and nothing")
speaks("def f(n):\n    if n < 9:\n        pass\n    return 1 / n\n",
       "div-zero", {"n": ["guard"]}, "a guard", line=4)
speaks("def f(n):\n    x = 1 / n\n    if n < 9:\n        return x\n",
       "div-zero", {"n": ["none"]}, "no guard behind the line", line=2)
speaks("def f(n):\n    if 1 / n:\n        return 1\n", "div-zero",
       {"n": ["none"]}, "nor a condition that is itself flagged", line=2)
speaks('def f(n):\n    """F.\n\n    :param n: how many\n    """\n'
       "    return 1 / n\n", "div-zero", {"n": ["docstring"]}, "a docstring")
speaks("def f(n, m=2):\n    return n / m\n", "div-zero",
       {"n": ["none"], "m": ["default"]}, "a default of that kind")
speaks("def f(n):\n    return 1 / n\n\n\nf(3)\n", "div-zero",
       {"n": ["call-site"]}, "a call in the same file")
speaks("def f(node):\n    return node.next.value\n", "null-deref",
       {"node": ["none"]}, "None that nothing speaks of says so", line=2)
speaks("from typing import Optional\ndef f(x: Optional[int]):\n"
       "    return x + 1\n", "null-deref", {"x": ["annotation"]},
       "None by an annotation")
speaks("def f(x=None):\n    return x + 1\n", "null-deref",
       {"x": ["default"]}, "None by a default")
speaks("def f(x: int = None):\n    return x + 1\n", "null-deref",
       {"x": ["default"]}, "by a default that its annotation denies")
never("def f(a, b):\n    return a + b + 1\n", "type-mismatch",
      lambda v: v is None, "no None without a word but for null-deref", line=2)

# -- calls of the function -------------------------------------------------------

CODE = "def f(text):\n    return 1 / text.count('?qz')\n"
ok(["a?qz"] not in rows(CODE, "div-zero"), "what no shape says is not tried")
got = rows(CODE + "\n\nprint(f('a?qz'))\n", "div-zero")
ok(["a?qz"] in got, "the literal of a call is", got)
KIND = ("def f(kind, n):\n    if kind == 'o' + 'dd':\n"
        "        return 1 / n\n    return 0\n")
first(KIND + "\n\nf('odd', 3)\n", "div-zero", ["odd", 0],
      "from a call one argument goes to a boundary")
ok(["odd", 0] not in rows(KIND, "div-zero"), "which no shape would")
got = rows(KIND + "\n\nwith raises(ValueError):\n    f('zqz', 3)\n"
           "assertRaises(ValueError, f('zqy', 3))\n", "div-zero")
ok(not any(v[0] in ("zqz", "zqy") for v in got),
   "no call that must fail", got)
got = rows("def f(n: int):\n    return 1 / n\n\n\nf('zqz')\n", "div-zero")
ok(["zqz"] not in got, "no call against the annotation", got)
got = rows("def f(n: int):\n    return 1 / n\n", "div-zero",
           hints={"n": "zqz"})
ok(["zqz"] not in got, "and no such hint", got)
with tempfile.TemporaryDirectory() as repo:
    def put(name, text):
        os.makedirs(os.path.dirname(os.path.join(repo, name)), exist_ok=True)
        with open(os.path.join(repo, name), "w", encoding="utf-8") as f:
            f.write(text)

    put("tests/test_m.py", "from m import f\n\n\ndef test():\n"
        "    assert f('odd', 3) == 1\n")
    put("tests/other.py", "from n import f\nf('zqx', 3)\n")
    put("tests/large.py", "from m import f\nf('zqw', 3)\n#" + "x" * 300000)
    put("broken.py", "from m import f(\nf('zqv', 3)\n")
    put("node_modules/m/a.py", "from m import f\nf('zqu', 3)\n")
    put("m.py", KIND)
    os.symlink(os.path.join(repo, "tests"), os.path.join(repo, "linked"))
    os.mkfifo(os.path.join(repo, "pipe.py"))
    got = synthesise.answer({"function": "f", "line": None, "file": "m.py",
                             "flag_class": "div-zero", "repo": repo}, KIND)
    values = [[a["value"] for a in w["arguments"]] for w in got["witnesses"]]
    ok(values[0] == ["odd", 0], "a call in a test", values)
    ok(got["preconditions"][got["spoken"][0]][1]["by"] == ["call-site"],
       "speaks of its arguments", got["preconditions"])
    ok(not any(str(v[0]).startswith("zq") for v in values),
       "another module's, a large file's and a folder's of packages do not",
       values)

# -- examples, hints, order, bounds ----------------------------------------------

SHOWN = ('def f(a):\n    """F.\n\n    >>> f([[7], 8])\n    1\n    """\n'
         "    return a[0][0] / 1\n")
ok([[[7], 8]] in rows(SHOWN, "div-zero"), "an example of the documentation",
   rows(SHOWN, "div-zero"))
first("def f(a, b):\n    return g(a) / b\n", "div-zero", ["x", 0],
      "a hint comes first", hints={"a": "x"})
MANY = "def f(%s):\n    return p0 / p1\n" % ", ".join(
    "p%d: int" % i for i in range(255))
began = time.monotonic()
got = synth(MANY, "f", "div-zero")
ok(len(got.get("witnesses", [])) in range(1, 65), "255 parameters", got)
LARGE = "def f(a, b):\n    return a / b\n" + "x = [1, 2, 'three']\n" * 60000
ok("witnesses" in synth(LARGE, "f", "div-zero"), "a source of more than 1 MB")
DEEP = "def f(x):\n    return " + "(" * 90 + "1 / x" + ")" * 90 + "\n"
ok("witnesses" in synth(DEEP, "f", "div-zero"), "deep nesting")
NESTED = "from typing import List\ndef f(x: %sint%s):\n    return x[0]\n" % (
    "List[" * 40, "]" * 40)
ok(isinstance(rows(NESTED, "index-oob"), (list, str)),
   "an annotation without end")
print("# clock: witnesses of large functions: %.3f of 30 s" %
      (time.monotonic() - began))
SAMPLE = ("def f(a, b, c=None, *d, e=(), **g):\n    for x in a:\n"
          "        b[x] = c\n    return {k: v / len(d) for k, v in "
          "b.items() if k in e or g['q']}\n")
outs = set()
for seed in ("0", "1", "2"):
    code = ("import json, sys\nsys.path.insert(0, sys.argv[2])\n"
            "from synthesise import answer\n"
            "print(json.dumps(answer({'function': 'f', 'line': None, "
            "'flag_class': 'div-zero'}, sys.argv[1])))")
    outs.add(subprocess.run(
        [sys.executable, "-B", "-c", code, SAMPLE, sys.path[0]],
        stdout=subprocess.PIPE,
        env=dict(os.environ, PYTHONHASHSEED=seed), check=True).stdout)
ok(len(outs) == 1 and b"witnesses" in outs.pop(), "the same list every time")
for cls in sorted(find.RAISING):
    got = synth(SAMPLE, "f", cls)
    ok("failed" in got or 0 < len(got["witnesses"]) <= 64 and len(
        {json.dumps(w) for w in got["witnesses"]}) == len(got["witnesses"]),
       cls + ": at most 64, each once", got)
print("1..%d" % count)
sys.exit(1 if failed else 0)
