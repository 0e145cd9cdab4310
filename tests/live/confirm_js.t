#!/usr/bin/env python3
"""confirm_js.t -- cupel confirm over JavaScript that cheats, and its records.

The corpus is that of confirm_corpus.t.  The full tier takes both users.
"""
import os
import shutil
import sys

SRC = os.environ.get("SRC") or os.path.dirname(
    os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(SRC, "tests/live"))
sys.dont_write_bytecode = True
import lib  # noqa: E402

t = lib.Tap()
DATA = os.path.join(SRC, "tests/data")
FULL = os.environ.get("CUPEL_TIER") == "full"
# Limits under which Node cannot run are left out; the others are as for Python.
CAPS = {"cpu_s": 5, "fsize_bytes": 10 << 20, "mem_bytes": 512 << 20,
        "alarm_s": 10, "backstop_s": 15}


def table(user, name):
    repo = lib.copy_of(user, os.path.join(DATA, name))
    want = lib.rows_of(os.path.join(DATA, name + ".expected"))
    r, records = lib.confirm(user, repo, [lib.flag_of(repo, w) for w in want],
                             6, clock_s=580)
    got = lib.by_number(records)
    t.equal((r.rc, len(got)), (0, len(want)),
            "%s: %s: one record a flag" % (user, name), r.brief())
    for i, w in enumerate(want, 1):
        x = got.get(i, {})
        # A clock may be faster than the limit of memory.
        is_late = ("mem-cap" in w[5] and
                   x.get("reason") in ("cpu-cap", "backstop"))
        t.ok(is_late or lib.is_as_expected(x, w),
             "%s: %s %s %s is %s" % (user, w[0], w[1], w[2], w[4]), x)


def record(user):
    """A flag without a name, and each detail of its records."""
    repo = lib.copy_of(user, os.path.join(DATA, "corpus/javascript"))
    flag = {"file": "nulls.js", "line": 6, "flag_class": "null-deref"}
    x = lib.confirm(user, repo, [flag])[1][-1]
    t.equal((x["status"], x["error_class"]), ("confirmed-bug", "TypeError"),
            user + ": a line is enough", x)
    t.equal(x["witness"]["arguments"][0]["value"], [],
            user + ": the smallest witness", x["witness"])
    t.has(x["traceback_head"], 'File "nulls.js", line 6, in nameOf',
          user + ": the traceback names the line")
    t.equal({k: x["caps"].get(k) for k in CAPS}, CAPS,
            user + ": the caps that Node lives under")
    again = lib.confirm(user, repo, [flag])[1][-1]
    t.equal(x["witness"], again["witness"],
            user + ": the same flag gives the same witness")


# Values that JSON cannot express; heads.js checks each.
SAID = {"big": {"$bigint": "12"}, "nan": {"$float": "nan"},
        "up": {"$float": "inf"}, "down": {"$float": "-inf"},
        "zero": {"$float": "-0.0"}, "gone": {"$undefined": True},
        "thrown": {"$throw": "no"}, "map": {"$map": [["a", [1]]]},
        "set": {"$set": ["a", "b"]}, "bytes": {"$bytes": "00ff"},
        "date": {"$date": 5}, "word": {"$regexp": ["a", "gi"]},
        "wrong": {"$error": "w"}, "call": {"$call": 3},
        "walk": {"$iter": [1, 2]}, "waits": {"$promise": 1},
        "own": {"$object": [["__proto__", 1], ["a", 1]]},
        "member": {"$member": "span.name"},
        "plain": {"$date": 5, "b": 1}}


def said(user):
    repo = lib.copy_of(user, os.path.join(DATA, "corpus/javascript"))
    flag = lib.flag_of(repo, ["heads.js", "said", "null-deref", "@"])
    x = lib.confirm(user, repo, [dict(flag, witness_hints={"v": SAID})])[1][-1]
    t.equal((x["status"], x["witnesses_tried"]), ("confirmed-bug", 1),
            user + ": a hint means what JSON cannot say", x)


def without_parser(user):
    repo = lib.copy_of(user, os.path.join(DATA, "hostile-js"))
    r, got = lib.confirm(user, repo, [{
        "file": "tricks.js", "function": "honest",
        "flag_class": "null-deref"}])
    t.equal((r.rc, got[0]["status"]), (0, "input-synthesis-failed"),
            user + ": without a parser nothing is confirmed", r.brief())
    t.has(got[0].get("detail") or "", "no-parser", user + ": and it says so")


if shutil.which("node") is None:
    print("1..0 # SKIP no node here")
    sys.exit(0)
who = lib.users()[-1]
if lib.has_parser():
    record(who)
    said(who)
    for who in lib.users() if FULL else [who]:
        table(who, "hostile-js")
else:
    without_parser(who)
t.done()
