#!/usr/bin/env python3
"""runners.t -- real test runners, called as a person calls them: the report is found
without further options, and the message, file, line and time of each failure are
those of the runner.

CUPEL_NODE_MODULES names a node_modules directory with jest, vitest and mocha, if not
those that check-all has fetched, CUPEL_GO a tree of Go that is not below /usr."""
import os
import shutil
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True
import lib  # noqa: E402

MODULES = lib.NODE_MODULES
GO = os.environ.get("CUPEL_GO", "")
PATH = "/usr/local/bin:/usr/bin:/bin"
JS = ("describe('sum', () => {\n  %s('good', () => {})\n"
      "  %s('bad', () => {\n    throw new Error('no sum')\n  })\n})\n")
BROKEN = "throw new Error('cannot load')\n"
VITEST = "import { describe, test } from 'vitest'; "
PY = ("import pytest\n\n\ndef test_bad():\n    assert 1 == 2\n\n\n"
      "@pytest.fixture\ndef broken():\n    raise RuntimeError('no fixture')\n\n\n"
      "def test_setup(broken):\n    pass\n")
UNIT = ("import unittest\n\n\nclass A(unittest.TestCase):\n"
        "    def test_sub(self):\n        for i in range(3):\n"
        "            with self.subTest(i=i):\n"
        "                self.assertEqual(i, 0)\n\n"
        "    def test_good(self):\n        pass\n")
GOLANG = ("package a\n\nimport \"testing\"\n\nfunc TestGood(t *testing.T) {}\n\n"
          "func TestSub(t *testing.T) {\n\tt.Run(\"x\", func(t *testing.T) {\n"
          "\t\tt.Fatal(\"no sum\")\n\t})\n}\n")
CMAKE = ("cmake_minimum_required(VERSION 3.13)\nproject(a NONE)\n"
         "enable_testing()\nadd_test(NAME good COMMAND true)\n"
         "add_test(NAME gone COMMAND /no/such)\n")
CTEST = ("cmake -S . -B build >/dev/null && exec ctest --test-dir build "
         "--output-junit /scratch/report.xml")
BUILT = 'add_test(good "true")\nadd_test(gone "/no/such")\n'
ANY = object()  # the text differs from version to version, but there is one

# what it needs; profile; command; files; (total, failed); for each failure that is
# checked: the end of its name, message, file, line
ROWS = [
    ("pytest", "pytest", ["pytest", "-q"], {"test_a.py": PY}, (2, 2), [
        ("test_bad", "assert 1 == 2", "test_a.py", 5),
        ("test_setup", ANY, "test_a.py", 10)]),
    ("pytest", "pytest", ["pytest", "-q", "--doctest-modules"],
     {"test_a.py": "def test_a():\n    pass\n",
      "b.py": "import no_such_module\n"}, ANY, [
         ("b", "ModuleNotFoundError: No module named 'no_such_module'", "b.py",
          1)]),
    ("python3", "unittest", ["python3", "-m", "unittest"], {"test_a.py": UNIT},
     (2, 1), [("test_a.A::test_sub", "AssertionError: 1 != 0",
               "test_a.py", 8)]),
    ("node", "node-test", ["node", "--test"],
     {"a.test.js": "const { test } = require('node:test')\n"
      "test('bad', () => {\n  throw new Error('no sum')\n})\n"}, (1, 1),
     [("bad", "no sum", "a.test.js", 2)]),
    ("prove", "prove", ["prove"],
     {"t/a.t": "use Test::More tests => 2;\nok(1);\nok(0, 'no');\n"}, (2, 1),
     [("t/a.t: 2", None, "t/a.t", None)]),
    ("ctest", "ctest", ["sh", "-c", CTEST], {"CMakeLists.txt": CMAKE}, (2, 1),
     [("gone", "Unable to find executable", None, None)]),
    ("ctest", "ctest", ["ctest"], {"CTestTestfile.cmake": BUILT}, (2, 1),
     [("gone", "Unable to find executable", None, None)]),
    ("jest", "jest", ["npx", "jest"],
     {"a.test.js": JS % ("test", "test"), "b.test.js": BROKEN}, (3, 2), [
         ("sum bad", "Error: no sum", "a.test.js", 4),
         ("b.test.js", "cannot load", "b.test.js", 1)]),
    ("vitest", "vitest", ["npx", "vitest", "run"],
     {"a.test.mjs": VITEST + JS % ("test", "test"),
      "b.test.mjs": "import { test } from 'vitest'\n" + BROKEN}, (3, 2), [
          ("sum > bad", "no sum", "a.test.mjs", 4),
          ("b.test.mjs", "cannot load", "b.test.mjs", 2)]),
    ("mocha", "mocha", ["npx", "mocha"],
     {"test/a.js": JS % ("it", "it")}, (2, 1),
     [("sum bad", "no sum", "test/a.js", 4)]),
    ("go", "go-test", ["go", "test", "./..."],
     {"go.mod": "module a\n\ngo 1.19\n", "a_test.go": GOLANG}, (3, 2), [
         ("a.TestSub", None, None, None),
         ("a.TestSub/x", "no sum", "a_test.go", 9)]),
    ("go", "go-test", ["go", "test", "-json", "./..."],
     {"go.mod": "module a\n\ngo 1.19\n", "a_test.go": GOLANG}, (3, 2), [
         ("a.TestSub/x", "no sum", "a_test.go", 9)]),
]
# Runners without the options that make them write a report, and those options.
MISSING = [
    ("ctest", "ctest", ["sh", "-c", "true"], "ctest with --output-junit FILE"),
    ("python3", "pytest", ["true"], "--junitxml=FILE"),
    ("node", "jest", ["true"], "--json --outputFile=FILE"),
    ("node", "npm-test", ["true"], "--report FORMAT:FILE"),
]
TIMELESS = ("prove",)


def lacks(need):
    if need in ("jest", "vitest", "mocha"):
        return None if os.path.isdir(os.path.join(MODULES, need)) else \
            "CUPEL_NODE_MODULES with " + need
    if need == "go" and GO:
        return None
    return None if shutil.which(need, path=PATH) else need


def make_repo(user, need, files):
    repo = lib.make_dir(user)
    for name, text in files.items():
        os.makedirs(os.path.dirname(os.path.join(repo, name)), exist_ok=True)
        lib.put(user, os.path.join(repo, name), text)
    if need in ("jest", "vitest", "mocha"):
        lib.put(user, repo + "/package.json", '{"name": "a"}')
        shutil.copytree(MODULES, repo + "/node_modules", symlinks=True)
    for top, dirs, names in os.walk(repo):
        for n in dirs + names:
            lib.give(user, os.path.join(top, n))
    return repo


def judge(tap, user, row):
    need, profile, command, files, counts, wanted = row
    what = "%s [%s]" % (" ".join(command)[:40], user)
    repo = make_repo(user, need, files)
    options = ["--profile", profile, "--repo", repo]
    if need == "go" and GO:
        options += ["--ro", GO + ":/go", "--env", "GOROOT=/go",
                    "--env", "PATH=/go/bin:" + PATH]
    r = lib.cupel(options, command, user, clock_s=330)
    shutil.rmtree(repo, ignore_errors=True)
    t = ((r.json or {}).get("payload") or {}).get("tests") or {}
    if not tap.ok(t and r.rc > 0 and counts in
                  (ANY, (t["total"], t["failed"])),
                  "%s: is counted" % what, r.brief()):
        return
    for name, message, path, line in wanted:
        told = [d for d in t["details"] if d["name"] == name or
                d["name"].endswith(("::" + name, " > " + name))]
        tap.ok(len(told) == 1 and all(
            a == b or (a is ANY and b) for a, b in (
                (message, told[0]["message"]), (path, told[0]["file"]),
                (line, told[0]["line"]))) and
            (profile in TIMELESS or told[0]["duration_ms"] is not None or
             message == "cannot load"),
            "%s: what is told of %s" % (what, name), t["details"])


def main():
    tap = lib.Tap()
    users = lib.users()
    for user in users:
        for i, row in enumerate(ROWS):
            if not lib.is_due(i, user, users):
                continue
            why = lacks(row[0])
            if why:
                tap.ok(True, "%s # SKIP this machine has no %s" % (row[1], why))
            else:
                judge(tap, user, row)
        for need, profile, command, words in MISSING:
            r = lib.run([lib.binary("cupel"), "run", "--profile", profile,
                         "--repo", lib.repo(user), "--"] + command, user)
            tap.has(r.err.decode(), words, "%s without a report names %r [%s]"
                    % (profile, words, user))
    tap.done()


main()
