#!/usr/bin/env python3
"""confirm_corpus.t -- small functions of each class; half of them have no bug.

The quick tier takes some of the rows as one user, without those that wait for
an alarm; the full tier takes all rows as both users.
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
FULL = os.environ.get("CUPEL_TIER") == "full"
CLOCK_S = 1200
# The interpreter, and of how many rows the quick tier takes one.
LANGUAGES = {"python": ("python3", 8), "javascript": ("node", 24)}


def check(user, language, rows):
    repo = lib.copy_of(user, os.path.join(DATA, language))
    r, records = lib.confirm(user, repo, [lib.flag_of(repo, x) for x in rows],
                             2, clock_s=CLOCK_S)
    t.equal(r.rc, 0, user + ": the corpus ends", r.brief())
    records = lib.by_number(records)
    t.equal(len(records), len(rows),
            "%s: %s: one record a flag" % (user, language))
    for i, row in enumerate(rows, 1):
        x = records.get(i, {})
        t.ok(lib.is_as_expected(x, row), "%s: %s %s %s is %s" % (
            user, row[0], row[1], row[2], row[4]), json.dumps(x))
        if row[4] == "confirmed-bug":
            t.ok(x.get("witness"), "%s: %s: with its input" % (user, row[1]))


def language_is_covered(language, rows):
    """The table itself: it has enough rows, and half of them are not bugs."""
    bugs = sum(r[4] == "confirmed-bug" for r in rows)
    t.ok(len(rows) >= 45 and 0.4 <= bugs / len(rows) <= 0.66,
         "%s: %d rows, %d of them bugs" % (language, len(rows), bugs))


def chosen(rows, share):
    if FULL:
        return rows
    return [r for r in rows if not r[4].startswith("timeout")][::share]


for language, (program, share) in LANGUAGES.items():
    rows = lib.rows_of(os.path.join(DATA, language + ".expected"))
    language_is_covered(language, rows)
    if shutil.which(program) is None or (program == "node" and
                                         not lib.has_parser()):
        print("# no %s, or no parser: its rows are left out" % program)
        continue
    for user in lib.users() if FULL else lib.users()[-1:]:
        check(user, language, chosen(rows, share))
t.done()
