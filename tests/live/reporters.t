#!/usr/bin/env python3
"""reporters.t -- several test runners in one run: their reports are added
up, none replaces another, and a runner that is started within a test does
not count as a second report."""
import os
import shutil
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True
import lib  # noqa: E402

MODULES = lib.NODE_MODULES
GOOD = "def test_good():\n    pass\n\n\ndef test_too():\n    pass\n"
BAD = "def test_bad():\n    assert 1 == 2\n"
NESTED = ("import subprocess, sys\n\n\ndef test_nested():\n"
          "    r = subprocess.run([sys.executable, '-m', 'pytest', '-q', 'bad'])\n"
          "    assert r.returncode == 1\n")
KILLED = "import os\n\n\ndef test_killed():\n    os.kill(os.getpid(), 9)\n"
PYTEST = "python3 -m pytest -q -p no:cacheprovider "

# what, the script, its rc, (reports, total, passed, failed) and warnings; or None
# and the code of the error
ROWS = [
    ("two pytests, the first fails", PYTEST + "bad; a=$?; " + PYTEST + "good; "
     "exit $a", 1, (2, 3, 2, 1), []),
    ("two pytests of one process", "python3 -c 'import pytest, sys; "
     "a = pytest.main([\"-q\", \"bad\"]); pytest.main([\"-q\", \"good\"]); "
     "sys.exit(a)'", 1, (2, 3, 2, 1), []),
    ("a pytest within a test", PYTEST + "nested", 0, (1, 1, 1, 0), []),
    ("a report of the caller's own", PYTEST + "--junitxml=/scratch/own.xml bad;"
     " a=$?; " + PYTEST + "--junitxml=/scratch/own.xml good; exit $a", 1,
     (2, 3, 2, 1), []),
    ("failures that a script hides", PYTEST + "bad; true", 0, (1, 1, 0, 1),
     ["counts_disagree_with_exit"]),
    ("a failure that no report has", PYTEST + "good && exit 3", 3, None,
     "counts_disagree_with_exit"),
    ("a pytest that is killed, and one that passes", PYTEST + "killed; "
     + PYTEST + "good", 0, None, "report_unfinished"),
    ("a pytest that runs nothing, and one that passes", PYTEST +
     "--help >/dev/null; " + PYTEST + "good", 0, (1, 2, 2, 0), []),
]
NODE = "const t = require('node:test')\nt.test('%s', () => { %s })\n"
# A suite for each runner that npm test may start: the name of the file, a test that
# passes and one that fails.
SUITES = {
    "node-test": ("node --test", "x.test.js", NODE % ("good", ""),
                  NODE % ("bad", "throw new Error('no')")),
    "jest": ("jest", "x.test.js", "test('good', () => {})\n",
             "test('bad', () => { throw new Error('no') })\n"),
    "vitest": ("vitest run", "x.test.mjs", "import { test } from 'vitest'\n"
               "test('good', () => {})\n", "import { test } from 'vitest'\n"
               "test('bad', () => { throw new Error('no') })\n"),
    "mocha": ("mocha *.test.js", "x.test.js", "it('good', () => {})\n",
              "it('bad', () => { throw new Error('no') })\n"),
}
# The same for other runners: profile, files, script, counts.
STREAMS = [
    ("unittest", {"test_a.py": "import unittest\n\n\n"
                  "class A(unittest.TestCase):\n    def test_bad(self):\n"
                  "        self.fail('no')\n",
                  "b_test.py": "import unittest\n\n\n"
                  "class B(unittest.TestCase):\n    def test_good(self):\n"
                  "        pass\n"},
     "python3 -m unittest test_a; a=$?; python3 -m unittest b_test; exit $a",
     (2, 2, 1, 1)),
    ("prove", {"a.t": "use Test::More tests => 1;\nok(0);\n",
               "b.t": "use Test::More tests => 1;\nok(1);\n"},
     "prove a.t; a=$?; prove b.t; exit $a", (1, 2, 1, 1)),
]


def make_repo(user):
    path = lib.make_dir(user)
    for name, text in (("good", GOOD), ("bad", BAD), ("nested", NESTED),
                       ("killed", KILLED)):
        os.mkdir("%s/%s" % (path, name))
        lib.put(user, "%s/%s/test_%s.py" % (path, name, name), text)
        lib.give(user, "%s/%s" % (path, name))
    return path


def judge(tap, user, row, repo, profile="pytest"):
    name, script, rc, counts, warnings = row
    r = lib.cupel(["--profile", profile, "--repo", repo], ["sh", "-c", script],
                  user, clock_s=200)
    d = r.json or {}
    t = (d.get("payload") or {}).get("tests") or {}
    if counts is None:
        tap.ok(r.rc == rc and d.get("payload") is None and
               d["payload_error"]["code"] == warnings,
               "%s: is none [%s]" % (name, user), r.brief())
        return
    tap.ok(r.rc == rc and warnings == t.get("warnings") and counts ==
           tuple(t.get(k) for k in ("reports", "total", "passed", "failed")),
           "%s: is told [%s]" % (name, user), r.brief())


def lesser(tap, user, repo):
    r = lib.cupel(["--profile", "pytest", "--backend", "rlimits", "--repo", repo],
                  ["sh", "-c", PYTEST + "good"], user, clock_s=100)
    tap.ok(r.rc == 0 and "2 passed" in r.json["stdout"],
           "without namespaces pytest runs as well [%s]" % user, r.brief())


def workspaces(tap, user, runner, profile):
    """npm test --workspaces with the runner in each workspace; the first one
    fails."""
    command, name, good, bad = SUITES[runner]
    what = "%s in two workspaces, profile %s" % (runner, profile)
    if runner != "node-test" and not os.path.isdir(os.path.join(MODULES, runner)):
        tap.ok(True, "%s # SKIP this machine has no CUPEL_NODE_MODULES with %s"
               % (what, runner))
        return
    repo = lib.make_dir(user)
    lib.put(user, repo + "/package.json", '{"name": "top", "version": "1.0.0", '
            '"private": true, "workspaces": ["a", "b"]}')
    if runner != "node-test":
        shutil.copytree(MODULES, repo + "/node_modules", symlinks=True)
    for place, text in (("a", bad), ("b", good)):
        os.mkdir("%s/%s" % (repo, place))
        lib.put(user, "%s/%s/package.json" % (repo, place), '{"name": "%s", '
                '"version": "1.0.0", "scripts": {"test": "%s"}}'
                % (place, command))
        lib.put(user, "%s/%s/%s" % (repo, place, name), text)
    for top, dirs, files in os.walk(repo):
        for f in dirs + files:
            lib.give(user, os.path.join(top, f))
    judge(tap, user, (what, "npm test --workspaces", 1, (2, 2, 1, 1), []), repo,
          profile)
    shutil.rmtree(repo)


def streams(tap, user):
    for profile, files, script, counts in STREAMS:
        repo = lib.make_dir(user)
        for name, text in files.items():
            lib.put(user, "%s/%s" % (repo, name), text)
        judge(tap, user, ("two of %s" % profile, script, 1, counts, []), repo,
              profile)


def without(tap, user, repo):
    """If another report is asked for than the profile's, our reporter is not loaded,
    and the caller's own variable stays."""
    for report in ("none", "junit:/scratch/own.xml"):
        r = lib.go(user, ["--repo", repo, "--profile", "pytest", "--report",
                          report], "sh", "-c", PYTEST +
                   "--junitxml=/scratch/own.xml good")
        tap.ok(r.rc == 0 and (r.json["payload"] or {}).get(
            "tests", {"total": 2})["total"] == 2,
            "pytest with --report %s [%s]" % (report, user), r.brief())
        for profile in ("jest", "mocha", "vitest", "node-test", "npm-test"):
            r = lib.go(user, ["--repo", repo, "--profile", profile, "--report",
                              report], "node", "-e", "")
            tap.equal(r.rc, 0, "node of %s with --report %s [%s]"
                      % (profile, report, user), r.brief())
    r = lib.go(user, ["--repo", repo, "--profile", "jest", "--report", "none",
                      "--env", "NODE_OPTIONS=--no-warnings"],
               "node", "-p", "process.env.NODE_OPTIONS")
    tap.equal(r.json["stdout"], "--no-warnings\n",
              "the caller's own options stay [%s]" % user, r.brief())


def main():
    tap = lib.Tap()
    if lib.run([shutil.which("python3", path="/usr/bin"), "-c",
                "import pytest"]).rc != 0:
        print("1..0 # SKIP this machine's python3 has no pytest")
        return
    users = lib.users()
    for user in users:
        repo = make_repo(user)
        for i, row in enumerate(ROWS):
            if lib.is_due(i, user, users):
                judge(tap, user, row, repo)
        lesser(tap, user, repo)
        without(tap, user, repo)
        streams(tap, user)
        quick = os.environ.get("CUPEL_TIER") != "full"
        for i, runner in enumerate(["node-test"] if quick else SUITES):
            for profile in (runner, "npm-test"):
                if lib.is_due(i, user, users):
                    workspaces(tap, user, runner, profile)
    tap.done()


main()
