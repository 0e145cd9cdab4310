#!/usr/bin/env python3
"""confirm_argument.t -- flags that name the argument that must fail: confirmed only
if a call that differs in that argument alone returns (docs/confirm.md)."""
import json
import os
import shutil
import sys

SRC = os.environ.get("SRC") or os.path.dirname(
    os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(SRC, "tests/live"))
sys.dont_write_bytecode = True
import lib  # noqa: E402

t = lib.Tap()
DATA = os.path.join(SRC, "tests/data/argument")
BUG, NONE, FAILED = "confirmed-bug", "no-bug-found", "input-synthesis-failed"

# file, function, class, argument, status, reason.  Without its argument each flag is
# a confirmed bug, except where the argument is not a parameter.
ROWS = (
    ("calls.py", "ratio", "div-zero", "b", BUG, None),
    ("calls.py", "ratio", "div-zero", "a", NONE, "other-argument"),
    ("calls.py", "pick", "index-oob", "items", BUG, None),
    ("calls.py", "pick", "index-oob", "at", BUG, None),
    ("calls.py", "never", "div-zero", "a", NONE, "other-argument"),
    ("calls.py", "both", "div-zero", "a", BUG, None),
    ("calls.py", "both", "div-zero", "b", BUG, None),
    ("calls.py", "names", "null-deref", "last", BUG, None),
    ("calls.py", "shares", "div-zero", "parts", BUG, None),
    ("calls.py", "shares", "div-zero", "total", NONE, "other-argument"),
    ("calls.py", "scaled", "div-zero", "factor", BUG, None),
    ("calls.py", "scaled", "div-zero", "value", NONE, "other-argument"),
    ("calls.py", "checked", "div-zero", "a", NONE, "other-argument"),
    ("calls.py", "checked", "div-zero", "b", BUG, None),
    ("calls.py", "local", "null-deref", "found", FAILED, "no-witness"),
    ("calls.py", "Box.part", "div-zero", "n", NONE, "other-argument"),
    ("calls.py", "Box.part", "div-zero", "size", FAILED, "no-witness"),
    ("calls.py", "Box.cut", "div-zero", "n", BUG, None),
    ("calls.js", "ratio", "bigint-div-zero", "b", BUG, None),
    ("calls.js", "ratio", "bigint-div-zero", "a", NONE, "other-argument"),
    ("calls.js", "pick", "null-deref", "at", BUG, None),
    ("calls.js", "pick", "null-deref", "items", BUG, None),
    ("calls.js", "never", "null-deref", "a", NONE, "other-argument"),
    ("calls.js", "names", "null-deref", "last", BUG, None),
    ("calls.js", "grid", "bad-array-length", "rows", BUG, None),
    ("calls.js", "grid", "bad-array-length", "columns", NONE, "other-argument"),
    ("calls.js", "local", "null-deref", "found", FAILED, "no-witness"),
    ("calls.js", "inner", "null-deref", "argument", FAILED, "no-witness"),
    ("calls.js", "Box.first", "null-deref", "label", NONE, "other-argument"),
)


def rows_here():
    has_node = shutil.which("node") is not None and lib.has_parser()
    if not has_node:
        print("# no node, or no parser: its rows are left out")
    return [r for r in ROWS if has_node or not r[0].endswith(".js")]


def flags_of(repo, rows, has_argument):
    out = []
    for name, function, flag_class, argument, _, _ in rows:
        flag = lib.flag_of(repo, [name, function, flag_class, "@"])
        if has_argument:
            flag["argument"] = argument
        out.append(flag)
    return out


def given(call):
    return {a["name"]: a["value"] for a in call["arguments"]}


def differs_alone(record, argument):
    """Whether the witness and its control differ in that argument alone."""
    mine, its = given(record["witness"]), given(record["control"])
    return mine.get(argument) != its.get(argument) and \
        {k: v for k, v in mine.items() if k != argument} == \
        {k: v for k, v in its.items() if k != argument} and \
        record["witness"].get("receiver") == record["control"].get("receiver")


def by_rows(user):
    repo = lib.copy_of(user, DATA)
    rows = [x for i, x in enumerate(rows_here())
            if lib.is_due(i, user, lib.users())]
    r, records = lib.confirm(user, repo, flags_of(repo, rows, True), 2)
    t.equal((r.rc, len(records)), (0, len(rows)), user + ": the flags end", r.brief())
    for i, (name, function, _, argument, status, reason) in enumerate(rows, 1):
        x = lib.by_number(records).get(i, {})
        what = "%s: %s %s, %s" % (user, name, function, argument)
        t.equal((x.get("status"), x.get("reason")), (status, reason), what, x)
        t.equal(x.get("flag_ref", {}).get("argument"), argument,
                what + ": the record has the flag's argument")
        t.equal(lib.schema_errors(json.dumps(x).encode(),
                                  "run-log.schema.json"), [], what + ": by its schema")
        if status == BUG and x.get("status") == BUG:
            t.ok(x.get("argument") == argument and differs_alone(x, argument),
                 what + ": the control differs in it alone", x)
        else:
            t.ok("control" not in x, what + ": no control", x)


def without(user):
    """(control) The flags that are refused above do have an exception of that class
    at that line."""
    repo = lib.copy_of(user, DATA)
    rows = [r for r in rows_here() if r[5] == "other-argument"]
    r, records = lib.confirm(user, repo, flags_of(repo, rows, False), 2)
    for i, row in enumerate(rows, 1):
        x = lib.by_number(records).get(i, {})
        t.equal((x.get("status"), "argument" in x), (BUG, False),
                "%s: %s %s without its argument" % (user, row[0], row[1]), x)


# Flags for which the call that has to show that the argument decides does not end.
ENDLESS = (
    ("calls.py", "sleeps", "div-zero", "b", "timeout-without-confirmation", "alarm"),
    ("calls.py", "sleeps_once", "div-zero", "b", BUG, None),
)


def ended(user):
    """A call that was ended by a limit shows nothing: it confirms nothing and rules
    nothing out, and at most three of them are waited for."""
    repo = lib.copy_of(user, DATA)
    spec = lib.put(user, os.path.join(repo, "spec.json"), '{"wall_time_s": 1}')
    for has_argument in (True, False):
        r, records = lib.confirm(user, repo, flags_of(repo, ENDLESS, has_argument),
                                 2, ["--spec", spec, "--flag-time-s", "120"])
        for i, (_, function, _, _, status, reason) in enumerate(ENDLESS, 1):
            x = lib.by_number(records).get(i, {})
            want = (status, reason) if has_argument else (BUG, None)
            t.equal((x.get("status"), x.get("reason")), want, "%s: %s, %s argument" % (
                user, function, "with its" if has_argument else "without its"), x)
            t.ok("control" in x or status != BUG or not has_argument,
                 "%s: %s has its control" % (user, function), x)
        if has_argument:
            x = lib.by_number(records).get(1, {})
            t.ok(x.get("witnesses_tried") == 1 and "control" not in x,
                 user + ": after three that were ended no more is tried", x)


def resumed(user):
    """Flags that differ only in their argument are two flags."""
    repo = lib.copy_of(user, DATA)
    rows = ROWS[:2]
    flags = flags_of(repo, rows, True)
    log = os.path.join(repo, "log")
    for some in (flags[:1], flags):
        lib.put(user, os.path.join(repo, "flags"),
                "".join(json.dumps(f) + "\n" for f in some))
        lib.run([lib.binary("cupel"), "confirm", "--repo", repo, "--quiet",
                 "--resume", os.path.join(repo, "flags"), log], user,
                env={"XDG_CACHE_HOME": repo})
    with open(log) as f:
        records = [json.loads(line) for line in f]
    t.equal([x["flag_ref"].get("argument") for x in records], ["b", "a"],
            user + ": one flag is recorded, the other is run", records)


RULES = ("pylint*\tE0001\tpython\tdiv-zero\t'{argument}' may be 0\n"
         "pylint*\tE0001\tpython\tdiv-zero\n"
         "pylint*\tE0002\tpython\tnull-deref\t'{argument}' may be None\n")


def message(repo, function, rule, text):
    return {"path": "calls.py", "line": lib.flag_of(
        repo, ["calls.py", function, "-", "@"])["line"], "message-id": rule,
        "symbol": rule, "message": text, "type": "error", "module": "calls",
        "obj": function, "column": 0}


def by_rules(user):
    """A row of the table says where the message names the argument."""
    repo = lib.copy_of(user, DATA)
    rules = lib.put(user, os.path.join(repo, "rules.txt"), RULES)
    report = [message(repo, *x) for x in (
        ("ratio", "E0001", "'a' may be 0"), ("ratio", "E0001", "'b' may be 0"),
        ("ratio", "E0001", "it may be 0"), ("local", "E0002",
                                            "'found' may be None"),
        ("names", "E0002", "'last.name' may be None"))]
    r, records = lib.confirm(user, repo, json.dumps(report), 2,
                             ("--rules", rules))
    got = [(x["status"], x["flag_ref"].get("argument"), x.get("argument"))
           for _, x in sorted(lib.by_number(records).items())]
    t.equal(got, [(NONE, "a", None), (BUG, "b", "b"), (BUG, None, None),
                  (BUG, "found", None), (BUG, "last", "last")],
            user + ": as the messages say", r.brief())


def bad(user):
    repo = lib.copy_of(user, DATA)
    flag = flags_of(repo, ROWS[:1], True)[0]
    r, records = lib.confirm(user, repo, [dict(flag, argument=3)])
    t.equal(len(records), 0, user + ": a number is no argument", r.brief())
    t.ok(b"argument: expected the name of a parameter" in r.err,
         user + ": is told", r.brief())
    rules = lib.put(user, os.path.join(repo, "rules.txt"),
                    "x\ty\tpython\tdiv-zero\t{argument} {argument}\n")
    r, records = lib.confirm(user, repo, [flag], options=("--rules", rules))
    t.ok(r.rc == 2 and b"at most one {argument}" in r.err,
         user + ": two holes in a row", r.brief())


for user in lib.users():
    by_rows(user)
user = lib.users()[-1]
without(user)
ended(user)
resumed(user)
by_rules(user)
bad(user)
t.done()
