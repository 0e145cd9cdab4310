#!/usr/bin/env python3
"""reporters.t -- several runners of one run: what they report is summed, none is
lost to another's, and what a runner starts within its tests is no second report."""
import os
import shutil
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True
import lib  # noqa: E402

MODULES = os.environ.get("CUPEL_NODE_MODULES", "")
GOOD = "def test_good():\n    pass\n\n\ndef test_too():\n    pass\n"
BAD = "def test_bad():\n    assert 1 == 2\n"
NESTED = ("import subprocess, sys\n\n\ndef test_nested():\n"
          "    r = subprocess.run([sys.executable, '-m', 'pytest', '-q', 'bad'])\n"
          "    assert r.returncode == 1\n")
PYTEST = "python3 -m pytest -q -p no:cacheprovider "

# what, the script, its rc, (reports, total, passed, failed), warnings
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
    ("a failure that no report has", PYTEST + "good && exit 3", 3, None, None),
]


def make_repo(user):
    path = lib.make_dir(user)
    for name, text in (("good", GOOD), ("bad", BAD), ("nested", NESTED)):
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
               d["payload_error"]["code"] == "counts_disagree_with_exit",
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


def workspaces(tap, user):
    """npm test --workspaces with jest in each; the first fails."""
    if not os.path.isdir(os.path.join(MODULES, "jest")):
        tap.ok(True, "workspaces # SKIP this machine has no "
               "CUPEL_NODE_MODULES with jest")
        return
    repo = lib.make_dir(user)
    lib.put(user, repo + "/package.json", '{"name": "top", "version": "1.0.0", '
            '"private": true, "workspaces": ["a", "b"]}')
    shutil.copytree(MODULES, repo + "/node_modules", symlinks=True)
    for name, good in (("a", "1"), ("b", "2")):
        os.mkdir("%s/%s" % (repo, name))
        lib.put(user, "%s/%s/package.json" % (repo, name), '{"name": "%s", '
                '"version": "1.0.0", "scripts": {"test": "jest"}}' % name)
        lib.put(user, "%s/%s/x.test.js" % (repo, name), "test('x %s', () => "
                "{ expect(2).toBe(%s) })\n" % (name, good))
    for top, dirs, files in os.walk(repo):
        for f in dirs + files:
            lib.give(user, os.path.join(top, f))
    judge(tap, user, ("jest in two workspaces", "npm test --workspaces", 1,
                      (2, 2, 1, 1), []), repo, "jest")


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
        if os.environ.get("CUPEL_TIER") == "full":
            workspaces(tap, user)
    tap.done()


main()
