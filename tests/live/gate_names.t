#!/usr/bin/env python3
"""gate_names.t -- empty tests cannot take the place of others: every runner's
report names what passed, and one that does not fails the gate.  As root and as a
user; the control of each is the tree without a change."""
import os
import shutil
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True
import gate_place  # noqa: E402
import lib  # noqa: E402

GATES = """gates:
  held:
    phases:
      - {name: test, profile: %s, %scommand: [%s]}
    signals: {tests: {}}
    required: [tests]
"""
CASE = ("import unittest\n\n\nclass A(unittest.TestCase):\n"
        "    def test_%s(self):\n        self.assertEqual(1, 1)\n\n"
        "    def test_%s(self):\n        pass\n")
NODE = "const t = require('node:test')\nt.test('%s', () => {})\n" \
       "t.test('%s', () => {})\n"
PERL = "use Test::More tests => 2;\nok(1, '%s');\nok(1, '%s');\n"
SHELL = "echo 1..2\necho 'ok 1%s'\necho 'ok 2%s'\n"

# what, the program, profile, more of the phase, the command, the file and its text,
# whether its report names what passed
ROWS = [
    ("unittest", "python3", "unittest", "", "python3, -m, unittest, discover",
     "test_a.py", CASE, True),
    ("what unittest prints", "python3", "unittest", "report: 'unittest:stderr', ",
     "python3, -m, unittest, discover, -v", "test_a.py", CASE, False),
    ("pytest", "pytest", "pytest", "", "python3, -m, pytest, -q", "test_a.py",
     CASE, True),
    ("node --test", "node", "node-test", "", "node, --test", "a.test.js", NODE,
     True),
    ("TAP", "sh", "tap", "", "sh, a.sh", "a.sh", SHELL.replace("%s", " - %s"),
     True),
    ("TAP without descriptions", "sh", "tap", "", "sh, a.sh", "a.sh", SHELL,
     False),
    ("prove", "prove", "prove", "", "prove", "t/a.t", PERL, False),
]


def problem_of(r):
    answer = getattr(r, "json", None) or {"attempts": []}
    for a in answer["attempts"]:
        for s in a["signals"]:
            return s["details"]["problem"], len(s["details"]["gone"])
    return None


def judge(tap, user, row):
    what, program, profile, more, command, name, text, has_names = row
    before, after = ("adds", "counts"), ("empty", "nothing")
    if what == "TAP without descriptions":
        before = after = ("", "")
    place = gate_place.Place(user, "held", {name: text % before},
                             GATES % (profile, more, command))
    base = place.baseline()
    r = place.run()
    if not has_names:
        tap.ok(base.rc == 2 or (r.rc == 11 and problem_of(r) ==
                                ("names_incomplete", 0)),
               "%s: a report without names holds nothing [%s]" % (what, user),
               (base.brief(), r.brief()))
        return
    tap.ok(base.rc == 0 and r.rc == 0,
           "%s: control: the same tests pass [%s]" % (what, user),
           (base.brief(), r.brief()))
    gate_place.write(user, place.tree, {name: text % after})
    r = place.run()
    tap.ok(r.rc == 11 and problem_of(r) == (None, 2),
           "%s: empty tests take no other's place [%s]" % (what, user),
           r.brief())


def main():
    tap = lib.Tap()
    users = lib.users()
    for user in users:
        for row in ROWS:
            if shutil.which(row[1], path="/usr/bin:/bin"):
                judge(tap, user, row)
            else:
                tap.ok(True, "%s # SKIP this machine has no %s" % row[:2])
    tap.done()


main()
