"""tap.py -- unittest's cases as lines of TAP, and what the suites share.

usage: python3 tap.py SUITE...   prints no plan: both.sh counts
"""
import os
import shutil
import stat
import sys
import tempfile
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
