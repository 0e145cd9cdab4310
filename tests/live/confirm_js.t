#!/usr/bin/env python3
"""confirm_js.t -- cupel confirm over JavaScript that cheats, and its records.

The corpus is confirm_corpus.t's.  The full tier takes both users.
"""
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
DATA = os.path.join(SRC, "tests/data")
CUPEL = lib.binary("cupel")
FULL = os.environ.get("CUPEL_TIER") == "full"
# What Node cannot live under is not there; the rest is CONTRACT 2's.
CAPS = {"cpu_s": 5, "fsize_bytes": 10 << 20, "mem_bytes": 512 << 20,
        "alarm_s": 10, "backstop_s": 15}


def has_parser():
    path = os.path.join(os.environ["BUILD"], "src/runners/babel-parser.js")
    return os.path.exists(path) and os.path.getsize(path) > 0


def copy_of(user, name):
    repo = os.path.join(lib.make_dir(user), os.path.basename(name))
    shutil.copytree(os.path.join(DATA, name), repo)
    for at, _, files in os.walk(repo):
        for n in [""] + files:
            lib.give(user, os.path.join(at, n))
            os.chmod(os.path.join(at, n), 0o644 if n else 0o755)
    return repo


def rows(name):
    with open(os.path.join(DATA, name + ".expected")) as f:
        return [line.split() for line in f if line[0] != "#"]


def flag_of(repo, row):
    path, name, flag_class, line = row[:4]
    flag = {"file": path, "flag_class": flag_class}
    if name != "-":
        flag["function"] = name
    if line == "@":
        with open(os.path.join(repo, path)) as f:
            flag["line"] = [i for i, text in enumerate(f, 1)
                            if text.rstrip().endswith("// @here " + name)][0]
    elif line != "-":
        flag["line"] = int(line)
    return flag


def confirm(user, repo, flags, jobs="6"):
    log = os.path.join(repo, "log.jsonl")
    path = os.path.join(repo, "flags.jsonl")
    lib.put(user, path, "".join(json.dumps(f) + "\n" for f in flags))
    if os.path.exists(log):
        os.unlink(log)
    r = lib.run([CUPEL, "confirm", "--repo", repo, "--jobs", jobs, "--quiet",
                 path, log], user, clock_s=580)
    with open(log) as f:
        records = [json.loads(line) for line in f]
    return r, {x["flag_ref"]["number"]: x for x in records}


def table(user, name):
    repo, want = copy_of(user, name), rows(name)
    r, got = confirm(user, repo, [flag_of(repo, w) for w in want])
    t.equal((r.rc, len(got)), (0, len(want)),
            "%s: %s: one record a flag" % (user, name), r.brief())
    for i, w in enumerate(want, 1):
        x = got.get(i, {})
        ends = zip(w[4].split("|"), w[5].split("|"))
        t.ok(any(x.get("status") == status and reason in ("-", x.get("reason"))
                 for status, reason in ends),
             "%s: %s %s %s is %s" % (user, w[0], w[1], w[2], w[4]), x)


def record(user):
    """A flag without a name, looked at closely."""
    repo = copy_of(user, "corpus/javascript")
    flag = {"file": "nulls.js", "line": 6, "flag_class": "null-deref"}
    x = confirm(user, repo, [flag])[1][1]
    t.equal((x["status"], x["error_class"]), ("confirmed-bug", "TypeError"),
            user + ": a line is enough", x)
    t.equal(x["witness"]["arguments"][0]["value"], [],
            user + ": the smallest witness", x["witness"])
    t.has(x["traceback_head"], 'File "nulls.js", line 6, in nameOf',
          user + ": the traceback names the line")
    t.equal({k: x["caps"].get(k) for k in CAPS}, CAPS,
            user + ": the caps that Node lives under")
    again = confirm(user, repo, [flag])[1][1]
    t.equal(x["witness"], again["witness"],
            user + ": the same flag gives the same witness")


def without_parser(user):
    repo = copy_of(user, "hostile-js")
    r, got = confirm(user, repo, [{"file": "tricks.js", "function": "honest",
                                   "flag_class": "null-deref"}])
    t.equal((r.rc, got[1]["status"]), (0, "input-synthesis-failed"),
            user + ": without a parser nothing is confirmed", r.brief())
    t.has(got[1].get("detail") or "", "no-parser", user + ": and it says so")


if shutil.which("node") is None:
    print("1..0 # SKIP no node here")
    sys.exit(0)
who = lib.users()[-1]
if has_parser():
    record(who)
    for who in lib.users() if FULL else [who]:
        table(who, "hostile-js")
else:
    without_parser(who)
t.done()
