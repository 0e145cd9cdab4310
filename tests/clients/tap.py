"""tap.py -- unittest's cases as lines of TAP, and what the suites share.

usage: python3 tap.py SUITE...   prints no plan: both.sh counts
"""
import os
import shutil
import signal
import stat
import sys
import tempfile
import time
import unittest

SRC = os.environ["SRC"]
BUILD = os.environ["BUILD"]
CUPEL = os.path.join(BUILD, "cupel")

sys.path.insert(0, os.path.join(SRC, "src/clients/python"))
sys.dont_write_bytecode = True


class Case(unittest.TestCase):
    """A case with a repository of its own, and CUPEL set."""

    def setUp(self):
        self.work = tempfile.mkdtemp(prefix="cupel-clients.")
        self.addCleanup(shutil.rmtree, self.work, ignore_errors=True)
        self.repo = os.path.join(self.work, "repo")
        os.mkdir(self.repo)
        os.chmod(self.work, 0o755)
        self.addCleanup(self.put_back, os.getcwd(), dict(os.environ))
        os.chdir(self.repo)
        os.environ["CUPEL"] = CUPEL

    def put_back(self, where, env):
        os.chdir(where)
        os.environ.clear()
        os.environ.update(env)

    def put(self, name, text):
        path = os.path.join(self.repo, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)
        return path

    def program(self, text, name="stand-in"):
        """A program of Python's in place of cupel; returns its path."""
        path = os.path.join(self.work, name)
        with open(path, "w", encoding="utf-8") as f:
            f.write("#!%s\nimport os, sys, time\n%s" % (sys.executable, text))
        os.chmod(path, stat.S_IRWXU)
        return path

    def gone(self, word):
        """A vessel ends within 100 ms of its cupel; this machine may be busy.
        Looks are counted, because a machine that stands still has a clock that
        goes on.  A process to which SIGKILL was sent runs nothing any more, but
        on a machine that has no time for it, it stays until it is given some.
        """
        for _ in range(LOOKS):
            if not running(word):
                return
            time.sleep(LOOK_S)
        left = running(word)
        told = "\n".join(line for pid in left for line in lineage(pid))
        self.assertTrue(all(map(is_killed, left)), "still there:\n" + told)
        late = time.monotonic() + KILLED_S
        while running(word):
            self.assertLess(time.monotonic(), late, "killed, and there:\n" + told)
            time.sleep(LOOK_S)


LOOK_S = 0.02
LOOKS = 250
KILLED_S = 60


def running(word):
    """Processes that have the word among their arguments."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open("/proc/%s/cmdline" % pid, "rb") as f:
                if word.encode() in f.read().split(b"\0"):
                    found.append(pid)
        except OSError:
            pass
    return found


def status(pid):
    """The lines of /proc/PID/status by their names; OSError: it has gone."""
    with open("/proc/%s/status" % pid, encoding="utf-8",
              errors="replace") as f:
        return dict(line.rstrip("\n").split(":\t", 1) for line in f
                    if ":\t" in line)


def is_killed(pid):
    """Whether SIGKILL waits for it, or it has gone."""
    try:
        at = status(pid)
    except OSError:
        return True
    waiting = int(at["SigPnd"], 16) | int(at["ShdPnd"], 16)
    return bool(waiting >> (signal.SIGKILL - 1) & 1)


def lineage(pid):
    """What is known of a process that should be gone, and of its ancestors: a
    line each, with the signals that wait for it."""
    lines = []
    while pid not in ("0", "1"):
        try:
            at = status(pid)
        except OSError as e:
            lines.append("%s: %s" % (pid, e))
            break
        lines.append(", ".join([pid] + [at[k] for k in (
            "Name", "State", "SigPnd", "ShdPnd", "Cpus_allowed",
            "voluntary_ctxt_switches", "nonvoluntary_ctxt_switches")]))
        pid = at["PPid"]
    return lines


class Tap(unittest.TestResult):
    """A line for each case, its traceback as notes."""

    def say(self, good, test, notes="", more=""):
        name = test.id().split(".", 1)[-1].replace("_", " ")
        print("%s - %s%s" % ("ok" if good else "not ok", name, more))
        for line in notes.splitlines():
            print("# " + line)
        sys.stdout.flush()

    def addSuccess(self, test):
        self.say(True, test)

    def addSkip(self, test, reason):
        self.say(True, test, more=" # SKIP " + reason)

    def addFailure(self, test, err):
        super().addFailure(test, err)
        self.say(False, test, self._exc_info_to_string(err, test))

    addError = addFailure

    def addSubTest(self, test, subtest, err):
        super().addSubTest(test, subtest, err)
        if err is not None:
            self.say(False, subtest, self._exc_info_to_string(err, test))


def main(names):
    suite = unittest.defaultTestLoader.loadTestsFromNames(names)
    result = Tap()
    suite.run(result)
    return 0 if result.testsRun and result.wasSuccessful() else 1


if __name__ == "__main__":
    sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
    sys.modules["tap"] = sys.modules["__main__"]
    sys.exit(main(sys.argv[1:]))
