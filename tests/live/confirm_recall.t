#!/usr/bin/env python3
"""confirm_recall.t -- how many of the bugs that a type-valid witness can raise are
found, and whether anything is confirmed that is not a bug.

tests/data/held has programs in the style of students and of real packages, written
by people who did not know how witnesses are made, and a table that says which flags
are true.  The table itself is checked first: the exception of each true flag is
raised here, without cupel.  The quick tier takes one flag of three.
"""
import json
import os
import re
import shutil
import subprocess
import sys

SRC = os.environ.get("SRC") or os.path.dirname(
    os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(SRC, "tests/live"))
sys.dont_write_bytecode = True
import lib  # noqa: E402

t = lib.Tap()
DATA = os.path.join(SRC, "tests/data/held")
FULL = os.environ.get("CUPEL_TIER") == "full"
RECALL = 0.90
CLOCK_S = 2400
PROGRAMS = {"python": "python3", "javascript": "node"}
LEAST = {"python": (60, 45), "javascript": (30, 15)}  # true and false flags

# What each class stands for, written here again and not read from class.c.
PYTHON_RAISES = {
    "div-zero": "ZeroDivisionError", "index-oob": "IndexError",
    "key-missing": "KeyError", "value-invalid": "ValueError",
    "null-deref": "AttributeError TypeError", "type-mismatch": "TypeError",
    "unbounded-recursion": "RecursionError", "assertion": "AssertionError",
    "overflow": "OverflowError", "stop-iteration": "StopIteration RuntimeError",
    "unicode": "UnicodeDecodeError UnicodeEncodeError",
    "unbound-local": "UnboundLocalError", "json-decode": "JSONDecodeError"}
JAVASCRIPT_SAYS = {
    "null-deref": "of (undefined|null)|is not iterable|destructure",
    "undefined-call": "is not a (function|constructor)",
    "bad-array-length": "Invalid array length", "json-parse": "JSON",
    "unbounded-recursion": "call stack", "bigint-div-zero": "Division by zero",
    "assertion": "falsy value"}

# Each program prints a line for each expression: the lines of FILE that the exception
# passed through, and its type.
PYTHON_TRUTH = """
import importlib.util, json, os, sys, traceback
rows = json.load(sys.stdin)
out = []
for path, text in rows:
    for top in (os.getcwd(), os.path.join(os.getcwd(), "src")):
        if top not in sys.path:
            sys.path.insert(0, top)
    spec = importlib.util.spec_from_file_location("held", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules["held"] = module
    spec.loader.exec_module(module)
    try:
        eval(text, module.__dict__)
        out.append([[], "nothing", ""])
    except BaseException as e:
        frames = traceback.extract_tb(e.__traceback__)
        if e.__cause__ is not None:  # what ended a generator
            frames = list(frames) + traceback.extract_tb(e.__cause__.__traceback__)
        lines = [f.lineno for f in frames
                 if os.path.abspath(f.filename) == os.path.abspath(path)]
        out.append([lines[:200], type(e).__name__, str(e)[:200]])
print(json.dumps(out))
"""
JAVASCRIPT_TRUTH = """
const path = require('node:path');
const rows = JSON.parse(require('node:fs').readFileSync(0, 'utf8'));
(async () => {
    const out = [];
    Error.stackTraceLimit = 200;
    for (const [file, text] of rows) {
        const at = path.resolve(file), m = await import(at);
        const names = Object.keys(m).filter((k) => /^[a-z]\\w*$/i.test(k));
        const scope = m.default && typeof m.default === 'object' ?
            { ...m.default } : Object.fromEntries(names.map((k) => [k, m[k]]));
        try {
            await new Function(...Object.keys(scope), 'return (' + text + ')')(
                ...Object.values(scope));
            out.push([[], 'nothing', '']);
        } catch (e) {
            const lines = [];
            for (const l of e.stack.split('\\n')) {
                const hit = l.includes(at) && l.match(/:(\\d+):\\d+\\)?$/);
                if (hit)
                    lines.push(Number(hit[1]));
            }
            out.push([lines, e.name, e.message.slice(0, 200)]);
        }
    }
    console.log(JSON.stringify(out));
})();
"""


class Flag:
    """A row of a table: a flag, and what is true about it."""

    def __init__(self, language, line):
        fields = line.rstrip("\n").split("\t")
        self.file, self.function, self.flag_class, mark, truth, self.why = fields
        self.true = {"true": True, "false": False}[truth]
        name = self.function.split(".")[-1] if mark == "-" else mark
        self.line = line_of(os.path.join(DATA, language, self.file), name)
        self.name = "%s %s %s" % (self.file, self.function, self.flag_class)

    def given(self):
        return {"file": self.file, "function": self.function,
                "flag_class": self.flag_class, "line": self.line}


def line_of(path, name):
    with open(path) as f:
        hits = [i for i, text in enumerate(f, 1)
                if text.rstrip().endswith("@here " + name)]
    if len(hits) != 1:
        raise SystemExit("%s: %d lines end in @here %s" % (path, len(hits), name))
    return hits[0]


def flags_of(language):
    with open(os.path.join(DATA, language + ".tbl")) as f:
        return [Flag(language, x) for x in f if x.strip() and x[0] != "#"]


def is_raised(language, flag, lines, kind, message):
    if flag.line not in lines:
        return False
    if language == "python":
        return kind in PYTHON_RAISES[flag.flag_class].split()
    return re.search(JAVASCRIPT_SAYS[flag.flag_class], message) is not None


def table_is_true(language, flags):
    """Each flag that the table calls true raises at its line, by its expression."""
    due = [f for f in flags if f.true and not f.file.endswith(".ts")]
    argv = {"python": [sys.executable, "-B", "-c", PYTHON_TRUTH],
            "javascript": ["node", "-e", JAVASCRIPT_TRUTH]}[language]
    r = subprocess.run(argv, input=json.dumps([[f.file, f.why] for f in due]),
                       stdout=subprocess.PIPE, text=True, check=True,
                       cwd=os.path.join(DATA, language))
    said = json.loads(r.stdout)
    wrong = ["%s: %s raises %s" % (f.name, f.why, x) for f, x in zip(due, said)
             if not is_raised(language, f, *x)]
    t.ok(not wrong, "%s: the table's expressions raise what they say" % language,
         "; ".join(wrong))
    true = sum(f.true for f in flags)
    least = LEAST[language]
    t.ok(true >= least[0] and len(flags) - true >= least[1],
         "%s: %d true flags and %d false ones" % (language, true,
                                                  len(flags) - true))


def recall_is_held(user, language, flags):
    repo = lib.copy_of(user, os.path.join(DATA, language))
    r, records = lib.confirm(user, repo, [f.given() for f in flags], 2,
                             clock_s=CLOCK_S)
    t.equal(r.rc, 0, "%s: %s: the flags end" % (user, language), r.brief())
    records = lib.by_number(records)
    missed, wrong, bare = [], [], []
    for i, f in enumerate(flags, 1):
        x = records.get(i, {})
        if x.get("status") == "confirmed-bug":
            if not f.true:
                wrong.append("%s by %s" % (f.name, json.dumps(x.get("witness"))))
            if "preconditions" not in x:
                bare.append(f.name)
        elif f.true:
            missed.append("%s: %s %s" % (f.name, x.get("status"),
                                         x.get("reason")))
    true = sum(f.true for f in flags)
    share = (true - len(missed)) / true
    print("# %s: %s: recall %.3f (%d of %d), %d false of %d" % (
        user, language, share, true - len(missed), true, len(wrong),
        len(flags) - true))
    for m in missed:
        print("# missed " + m)
    t.ok(share >= RECALL, "%s: %s: recall is at least %.2f" % (
        user, language, RECALL), "%.3f" % share)
    t.ok(not wrong, "%s: %s: nothing is confirmed that is no bug" % (
        user, language), "; ".join(wrong))
    t.ok(not bare, "%s: %s: each confirmed bug has its preconditions" % (
        user, language), "; ".join(bare))


for language, program in PROGRAMS.items():
    if shutil.which(program) is None or (program == "node" and
                                         not lib.has_parser()):
        print("# no %s, or no parser: its flags are left out" % program)
        continue
    flags = flags_of(language)
    table_is_true(language, flags)
    recall_is_held(lib.users()[-1], language, flags if FULL else flags[::4])
t.done()
