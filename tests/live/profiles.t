#!/usr/bin/env python3
"""profiles.t -- the profiles of test runners: a suite passes at the first try,
the files that it writes stay in the run, and a failing test is reported as
failing.

In the quick tier: pytest, unittest and node --test, by one launcher each.  Else
all that the machine has: jest, vitest and mocha are those that check-all has fetched
or that are in the node_modules directory CUPEL_NODE_MODULES, and CUPEL_RUNTIME is a
prefix outside /usr with cargo."""
import json
import os
import shutil
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True
import lib  # noqa: E402

SUITES = os.path.join(lib.SRC, "tests/data/suites")
JAVASCRIPT = ("jest", "vitest", "mocha")
MODULES = lib.NODE_MODULES
RUNTIME = os.environ.get("CUPEL_RUNTIME", "")
PATH = "/usr/local/bin:/usr/bin:/bin" + (":%s/bin" % RUNTIME if RUNTIME else "")
CTEST = ("cmake -S . -B build >/dev/null && cmake --build build >/dev/null && "
         "exec ctest --test-dir build --output-junit /scratch/report.xml")
AUTOMAKE = ("autoreconf -i >/dev/null 2>&1 && ./configure >/dev/null && "
            "exec make check")
NAMELESS = ("prove",)  # whose report does not name what passed

# runner: what it needs, whether the quick tier has it, the command
RUNNERS = {
    "pytest": ("pytest", True, ["pytest", "-q"]),
    "unittest": ("python3", True, ["python3", "-m", "unittest"]),
    "node-test": ("node", True, ["node", "--test"]),
    "jest": ("node", False, ["npm", "test"]),
    "vitest": ("node", False, ["npm", "test"]),
    "mocha": ("node", False, ["npm", "test"]),
    "go-test": ("go", False, ["go", "test", "./..."]),
    "cargo-test": ("cargo", False, ["cargo", "test"]),
    "ctest": ("ctest", False, ["sh", "-c", CTEST]),
    "automake": ("automake", False, ["sh", "-c", AUTOMAKE]),
    "prove": ("prove", True, ["prove"]),
    "tap": ("sh", True, ["sh", "hello.sh"]),
}
# A test that fails, in one more file of the suite.
FAILING = {
    "pytest": ("test_bad.py", "def test_bad():\n    assert 1 == 2\n"),
    "unittest": ("test_bad.py", "import unittest\n\n\n"
                 "class Bad(unittest.TestCase):\n"
                 "    def test_bad(self):\n        self.assertEqual(1, 2)\n"),
    "node-test": ("bad.test.js", "require('node:test').test('bad', () => {"
                  " throw new Error('no') })\n"),
    "jest": ("bad.test.js", "test('bad', () => { throw new Error('no') })\n"),
    "vitest": ("bad.test.mjs", "import { test } from 'vitest'\n"
               "test('bad', () => { throw new Error('no') })\n"),
    "mocha": ("test/bad.js", "it('bad', () => { throw new Error('no') })\n"),
    "go-test": ("bad_test.go", "package hello\n\nimport \"testing\"\n\n"
                "func TestBad(t *testing.T) { t.Fatal(\"no\") }\n"),
    "cargo-test": ("tests/bad.rs", "#[test]\nfn bad() { panic!() }\n"),
    "ctest": ("CMakeLists.txt",
              "cmake_minimum_required(VERSION 3.13)\nproject(bad C)\n"
              "enable_testing()\nadd_test(NAME bad COMMAND /no/such)\n"
              "add_test(NAME aside COMMAND sh -c \"exit 7\")\n"
              "set_tests_properties(aside PROPERTIES SKIP_RETURN_CODE 7)\n"),
    "automake": ("Makefile.am", "check_PROGRAMS = hello\n"
                 "TESTS = hello bad.sh\nTEST_EXTENSIONS = .sh\n"
                 "SH_LOG_COMPILER = sh\n"),
    "prove": ("t/bad.t", "use Test::More tests => 2;\nok(1);\nok(0);\n"),
    "tap": ("hello.sh", "echo 1..1\necho 'not ok 1 - bad'\nexit 1\n"),
}


def lacks(runner):
    """What this machine lacks to run the suite, or None."""
    need = RUNNERS[runner][0]
    if not shutil.which(need, path=PATH):
        return need
    if runner in JAVASCRIPT and \
            not os.path.isdir(os.path.join(MODULES, runner)):
        return "CUPEL_NODE_MODULES with " + runner
    return None


def make_repo(user, runner, name):
    """A copy of the suite that belongs to the user."""
    path = os.path.join(lib.TMP, "%s-%s-%s" % (runner, user, name))
    shutil.copytree(os.path.join(SUITES, runner), path)
    if runner in JAVASCRIPT:
        shutil.copytree(MODULES, path + "/node_modules", symlinks=True)
    for top, dirs, files in os.walk(path):
        lib.give(user, top)
        for f in files:
            lib.give(user, os.path.join(top, f))
    os.chmod(path, 0o755)
    return path


def names_in(path):
    return sorted(os.path.join(top, f) for top, _, files in os.walk(path)
                  for f in files)


def run(user, runner, repo):
    options = ["--profile", runner, "--repo", repo]
    if RUNTIME and runner == "cargo-test":
        options += ["--runtime", RUNTIME]
    return lib.cupel(options, RUNNERS[runner][2], user, clock_s=330)


def suite(tap, user, runner):
    repo = make_repo(user, runner, "good")
    before = names_in(repo)
    r = run(user, runner, repo)
    tap.ok(r.json and r.json["status"] == "OK" and not r.json["partial"],
           "%s passes at the first try [%s]" % (runner, user), r.brief())
    tests = ((r.json or {}).get("payload") or {}).get("tests", {})
    tap.ok(tests.get("passed", 0) > 0 and tests["failed"] == 0 and
           tests["skipped"] == 1 and
           (tests["inventory_hash"] is None) == (runner in NAMELESS),
           "%s says what passed [%s]" % (runner, user), r.brief())
    tap.equal(names_in(repo), before,
              "%s leaves nothing in the repository [%s]" % (runner, user))
    name, text = FAILING[runner]
    os.makedirs(os.path.dirname(os.path.join(repo, name)), exist_ok=True)
    lib.put(user, os.path.join(repo, name), text)
    r = run(user, runner, repo)
    tap.ok(r.json and r.json["status"] == "FAILED" and r.rc == r.json["rc"]
           and r.rc > 0, "%s fails when a test does [%s]" % (runner, user),
           r.brief())
    tap.ok(r.json and "\x1b" not in r.json["stdout"] + r.json["stderr"],
           "%s says so without colours [%s]" % (runner, user), r.brief())
    tests = ((r.json or {}).get("payload") or {}).get("tests", {})
    tap.ok(tests.get("failed") == 1 and "ad" in tests["failures"][0],
           "%s names the test that failed [%s]" % (runner, user), r.brief())


# Eight workers of a runner that is here anyway, over more files than that:
# runner, its command, and the files to add.
EIGHT = [
    ("node-test", ["node", "--test", "--test-concurrency=8"],
     {"more%d.test.js" % i: "require('node:test').test('more', () => new "
      "Promise((done) => setTimeout(done, 300)))\n" for i in range(10)}),
    ("ctest", ["sh", "-c", CTEST.replace("ctest --", "ctest -j 8 --")],
     {"CMakeLists.txt": "cmake_minimum_required(VERSION 3.13)\n"
      "project(more NONE)\nenable_testing()\n" + "".join(
          "add_test(NAME more%d COMMAND sh -c \"sleep 0.3; :\")\n" % i
          for i in range(10))}),
    # Each process holds what it takes with the suite of a real project
    # (docs/packaging.md).
    ("pytest", ["pytest", "-q", "-n", "8"],
     {"conftest.py": "HELD = b'x' * (48 << 20)\n", **{
         "test_more%d.py" % i: "import time\n\n\ndef test_more():\n"
         "    time.sleep(0.3)\n" for i in range(10)}}),
    ("jest", ["npx", "jest", "--maxWorkers", "8"],
     {"more%d.test.js" % i: "test('more', () => new "
      "Promise((done) => setTimeout(done, 300)))\n" for i in range(10)}),
]


def eight(tap, user, runner, command, files):
    """A suite that takes a quarter of the grant has room for another machine."""
    repo = make_repo(user, runner, "eight")
    for name, text in files.items():
        lib.put(user, os.path.join(repo, name), text)
    shown = lib.run([lib.binary("cupel"), "profile", "show", runner]).out
    grant = json.loads(shown.decode())
    # Under too few of them node waits for ever.
    r = lib.cupel(["--profile", runner, "--repo", repo, "--pids-max",
                   str(grant["pids_max"] // 4), "--mem-bytes",
                   str(grant["mem_bytes"] // 4), "--wall-time-s", "60"], command, user)
    tests = ((r.json or {}).get("payload") or {}).get("tests", {})
    tap.ok(r.rc == 0 and tests.get("passed", 0) >= 10,
           "%s with eight workers has four times what it takes [%s]"
           % (runner, user), r.brief())


def main():
    tap = lib.Tap()
    users = lib.users()
    for i, runner in enumerate(RUNNERS):
        is_quick = RUNNERS[runner][1]
        if not is_quick and os.environ.get("CUPEL_TIER") != "full":
            continue
        why = lacks(runner)
        if why:
            tap.ok(True, "%s # SKIP this machine has no %s" % (runner, why))
            continue
        for user in users:
            if not lib.is_due(i, user, users):
                continue
            if runner == "cargo-test" and lib.run(
                    ["test", "-x", shutil.which("cargo", path=PATH)],
                    user).rc != 0:
                tap.ok(True, "cargo-test [%s] # SKIP its cargo is closed to "
                       "this user" % user)
                continue
            suite(tap, user, runner)
    for i, (runner, command, files) in enumerate(EIGHT):
        why = lacks(runner)
        if not why and "-n" in command and lib.run(
                ["/usr/bin/python3", "-c", "import xdist"], "root").rc != 0:
            why = "xdist"
        if why:
            tap.ok(True, "eight workers # SKIP this machine has no %s" % why)
            continue
        for user in users:
            if lib.is_due(i, user, users):
                eight(tap, user, runner, command, files)
    tap.done()


main()
