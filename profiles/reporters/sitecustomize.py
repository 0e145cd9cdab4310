"""sitecustomize -- Python loads this module when it starts; it makes unittest write
a report that names every test.

cupel shows it inside, as /etc/cupel/sitecustomize.py.  Each run of unittest's own
runner writes JUnit's XML to a file of its own in CUPEL_REPORT_DIR, so that what
passed has a name as well.  What runs inside can change or ignore it."""
import os
import sys
from importlib.machinery import PathFinder

HERE = os.path.dirname(os.path.abspath(__file__))
DIR = os.environ.get("CUPEL_REPORT_DIR", "")
# Set while a writer works: what it starts is part of its tests.
WRITER = "CUPEL_REPORT_WRITER"
# How tests end, from the best to the worst, which is the one that counts.
PASSED, SKIPPED, FAILED = range(3)


class Case:
    """One test, as the report has it."""

    def __init__(self, name):
        import time

        self.name = str(name)
        self.end = None
        self.message = ""
        self.place = None
        self.began = time.monotonic()
        self.took = 0.0

    def note(self, end, error=None, message=""):
        if self.end is not None and self.end >= end:
            return
        self.end = end
        self.message = message
        if error:
            self.message = "%s: %s" % (error[0].__name__, error[1])
            self.place = place_of(error[2])


def place_of(trace):
    """The last place in a trace that is not in unittest itself."""
    place = None
    while trace is not None:
        if "__unittest" not in trace.tb_frame.f_globals:
            place = (trace.tb_frame.f_code.co_filename, trace.tb_lineno)
        trace = trace.tb_next
    return place


class Cases:
    """What a result of unittest is told, test by test."""

    def __init__(self):
        self.list = []
        self.open = {}

    def of(self, test):
        """The case of a test, a subtest, or a class that could not be set up."""
        test = getattr(test, "test_case", test)
        case = self.open.get(id(test))
        if case is None:
            case = Case(test.id())
            self.list.append(case)
        return case

    def start(self, test):
        self.open[id(test)] = self.of(test)

    def stop(self, test):
        import time

        case = self.open.pop(id(test), None)
        if case is not None:
            case.took = time.monotonic() - case.began

    def subtest(self, test, subtest, error):
        if error is not None:
            self.of(test).note(FAILED, error)

    def told(self):
        """For each method of a result: what is noted when it is called."""
        return {
            "startTest": self.start,
            "stopTest": self.stop,
            "addSuccess": lambda test: self.of(test).note(PASSED),
            "addSkip": lambda test, why: self.of(test).note(SKIPPED),
            "addExpectedFailure": lambda test, e: self.of(test).note(SKIPPED),
            "addError": lambda test, error: self.of(test).note(FAILED, error),
            "addFailure": lambda test, error: self.of(test).note(FAILED, error),
            "addUnexpectedSuccess": lambda test: self.of(test).note(
                FAILED, message="unexpected success"
            ),
            "addSubTest": self.subtest,
        }


def watch(result, cases):
    """Have the result's methods call ours before their own."""

    def both(own, ours):
        def call(*args, **kwargs):
            ours(*args, **kwargs)
            return own(*args, **kwargs)

        return call

    for name, ours in cases.told().items():
        if hasattr(result, name):
            setattr(result, name, both(getattr(result, name), ours))
    return result


def xml_of(cases):
    import html
    import re

    def attribute(name, value):
        text = re.sub(
            "[^\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]",
            lambda found: ascii(found[0])[1:-1],
            str(value),
        )
        return ' %s="%s"' % (name, html.escape(text))

    yield '<?xml version="1.0" encoding="utf-8"?>\n<testsuite>\n'
    for case in cases:
        # "setUpClass (m.C)" is no name of a test with dots before it
        kind, name = "", case.name
        if "(" not in name:
            kind, _, name = name.rpartition(".")
        yield "<testcase" + attribute("classname", kind) + attribute("name", name)
        yield attribute("time", "%.3f" % case.took)
        if case.place:
            yield attribute("file", case.place[0]) + attribute("line", case.place[1])
        yield ">"
        if case.end == SKIPPED:
            yield "<skipped/>"
        elif case.end != PASSED:
            yield "<failure%s/>" % attribute("message", case.message)
        yield "</testcase>\n"
    yield "</testsuite>\n"


def place():
    """A new, empty file that no other writer has; a runner that is killed leaves
    it empty, and cupel says that this report was begun and not ended."""
    import time

    os.makedirs(DIR, exist_ok=True)
    name = "unittest-%d-%d.xml" % (os.getpid(), time.monotonic_ns())
    return open(os.path.join(DIR, name), "x", encoding="utf-8")


def run_watched(self, test, run, make):
    """TextTestRunner.run, whose results a report has."""
    cases = Cases()
    self._makeResult = lambda: watch(make(self), cases)
    os.environ[WRITER] = str(os.getpid())
    with place() as report:
        try:
            return run(self, test)
        finally:
            os.environ.pop(WRITER, None)
            del self._makeResult
            report.writelines(xml_of(cases.list))


def runner_change(runner):
    run, make = runner.run, runner._makeResult

    def run_or_watch(self, test):
        if WRITER in os.environ:
            return run(self, test)
        return run_watched(self, test, run, make)

    runner.run = run_or_watch


class Finder:
    """Changes unittest's runner when it is imported, and costs nothing before."""

    @classmethod
    def find_spec(cls, name, path=None, target=None):
        if name != "unittest.runner":
            return None
        sys.meta_path.remove(cls)
        spec = PathFinder.find_spec(name, path, target)
        if spec is None or spec.loader is None:
            return spec
        load = spec.loader.exec_module

        def load_and_change(module):
            load(module)
            runner_change(module.TextTestRunner)

        spec.loader.exec_module = load_and_change
        return spec


def next_load():
    """Load the sitecustomize that this one hides."""
    path = [p for p in sys.path if os.path.abspath(p) != HERE]
    spec = PathFinder.find_spec("sitecustomize", path)
    if spec is not None and spec.loader is not None:
        from importlib.util import module_from_spec

        spec.loader.exec_module(module_from_spec(spec))


if DIR:
    sys.meta_path.insert(0, Finder)
next_load()
