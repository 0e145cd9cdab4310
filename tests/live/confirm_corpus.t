#!/usr/bin/env python3
"""confirm_corpus.t -- small functions of each class, half of them no bugs.

The quick tier takes the rows as one user, without those that wait for an
alarm; the full one takes all rows as both.  That of JavaScript is
confirm_js.t's.
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
DATA = os.path.join(SRC, "tests/data/corpus")
CUPEL = lib.binary("cupel")
FULL = os.environ.get("CUPEL_TIER") == "full"
SHARE = 8  # of the rows of a language, one in so many in the quick tier
CLOCK_S = 600
LANGUAGES = {"python": "python3"}


def rows_of(language):
    """The rows of the table: [file, function, class, line, status, reason]."""
    path = os.path.join(DATA, language + ".expected")
    if not os.path.exists(path):
        return []
    with open(path) as f:
        return [line.split() for line in f
                if line.strip() and line[0] != "#"]


def line_of(path, name):
    """The line that the source marks for that function."""
    mark = "@here " + name.split(".")[-1]
    with open(path) as f:
        hits = [i for i, text in enumerate(f, 1)
                if text.rstrip().endswith(mark)]
    if len(hits) != 1:
        raise SystemExit("%s: %d lines end in %s" % (path, len(hits), mark))
    return hits[0]


def flag_of(repo, row):
    file, name, flag_class, line = row[:4]
    flag = {"file": file, "function": name, "flag_class": flag_class}
    if line == "@":
        flag["line"] = line_of(os.path.join(repo, file), name)
    elif line != "-":
        flag["line"] = int(line)
    return json.dumps(flag)


def copy_of(user, language):
    repo = os.path.join(lib.make_dir(user), language)
    shutil.copytree(os.path.join(DATA, language), repo)
    for at, _, files in os.walk(repo):
        for n in [""] + files:
            lib.give(user, os.path.join(at, n))
            os.chmod(os.path.join(at, n), 0o644 if n else 0o755)
    return repo


def confirm(user, repo, rows):
    """The records by the number of their flag."""
    log = os.path.join(repo, "log.jsonl")
    flags = lib.put(user, os.path.join(repo, "flags.jsonl"),
                    "".join(flag_of(repo, r) + "\n" for r in rows))
    r = lib.run([CUPEL, "confirm", "--repo", repo, "--jobs", "2", "--quiet",
                 flags, log], user, clock_s=CLOCK_S)
    t.equal(r.rc, 0, user + ": the corpus ends", r.brief())
    with open(log) as f:
        records = [json.loads(line) for line in f]
    return {x["flag_ref"]["number"]: x for x in records}


def check(user, language, rows):
    repo = copy_of(user, language)
    records = confirm(user, repo, rows)
    t.equal(len(records), len(rows),
            "%s: %s: one record a flag" % (user, language))
    for i, row in enumerate(rows, 1):
        x = records.get(i, {})
        status, reason = row[4:6]
        good = x.get("status") == status and (
            reason == "-" or x.get("reason") == reason)
        t.ok(good, "%s: %s %s %s is %s" % (user, row[0], row[1], row[2],
                                           status), json.dumps(x))
        if status == "confirmed-bug":
            t.ok(x.get("witness"), "%s: %s: with its input" % (user, row[1]))


def language_is_covered(language, rows):
    """The table itself: enough rows, half of them not bugs."""
    bugs = sum(r[4] == "confirmed-bug" for r in rows)
    t.ok(len(rows) >= 45 and 0.4 <= bugs / len(rows) <= 0.66,
         "%s: %d rows, %d of them bugs" % (language, len(rows), bugs))


def chosen(rows):
    if FULL:
        return rows
    quick = [r for r in rows if not r[4].startswith("timeout")]
    return quick[::SHARE]


for language, program in LANGUAGES.items():
    rows = rows_of(language)
    if not rows:
        continue
    language_is_covered(language, rows)
    if shutil.which(program) is None:
        print("# %s is not installed: its rows are left out" % program)
        continue
    for user in lib.users() if FULL else lib.users()[-1:]:
        check(user, language, chosen(rows))
t.done()
