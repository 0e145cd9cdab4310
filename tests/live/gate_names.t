#!/usr/bin/env python3
"""gate_names.t -- empty tests cannot take the place of others: every runner's
report names what passed, and one that does not fails the gate.  As root and as a
user; the control of each is the tree without a change."""
import json
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


def red_base(tap, user):
    """A base that fails is refused with the reason, and its output is kept."""
    bad = CASE % ("adds", "counts") + (
        "\n    def test_bad(self):\n        print('x\\n' * 99)\n"
        "        self.assertEqual(1, 2, 'a long message ' * 9 + 'ends')\n")
    place = gate_place.Place(user, "held", {"test_a.py": bad},
                             GATES % ("unittest", "",
                                      "python3, -m, unittest, discover"))
    r = place.baseline()
    said = r.err.decode()
    tap.ok(r.rc == 2 and "2 passed, 1 failed" in said and
           "| test_a.A::test_bad: AssertionError: 1 != 2" in said and
           "ends, test_a.py:13" in said.replace("\n      | ", "") and
           not os.path.exists(place.base),
           "a red base is refused, with the test and its message [%s]" % user,
           r.brief())
    kept = place.base + ".failed.json"
    if tap.ok(os.path.exists(kept), "its output is kept [%s]" % user, said):
        with open(kept) as f:
            result = json.load(f)
        tap.ok(result["status"] == "FAILED" and "x\n" * 99 in result["stdout"],
               "as a whole [%s]" % user, str(result)[:300])
    place = gate_place.Place(user, "held", {"a.sh": "\n".join(
        "echo line %d >&2" % n for n in range(40)) +
        "\necho 'Error: the cause' >&2\n" + "\n".join(
        "echo after %d >&2" % n for n in range(40)) + "\nexit 1\n"},
        GATES % ("tap", "", "sh, a.sh"))
    said = place.baseline().err.decode()
    tap.ok("| Error: the cause\n      | after 0" in said and
           "| after 39" in said and "| line 20" not in said,
           "without a report: the lines from the first error [%s]" % user,
           said)


def main():
    tap = lib.Tap()
    users = lib.users()
    for user in users:
        for row in ROWS:
            if shutil.which(row[1], path="/usr/bin:/bin"):
                judge(tap, user, row)
            else:
                tap.ok(True, "%s # SKIP this machine has no %s" % row[:2])
        red_base(tap, user)
    tap.done()


main()
