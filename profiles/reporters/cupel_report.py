"""cupel_report -- a plugin of pytest: the report of this process goes to a file
of its own in CUPEL_REPORT_DIR, so that two pytests of one run do not overwrite
each other.  cupel shows this file inside, as /etc/cupel/cupel_report.py; what
runs inside can change or ignore it."""
import os
import shutil
import time

import pytest

DIR = os.environ.get("CUPEL_REPORT_DIR", "")
# Set while a writer works: what it starts is part of its tests.
WRITER = "CUPEL_REPORT_WRITER"


def place():
    """A new, empty file that no other writer has; a pytest that is killed leaves
    it empty, and cupel says that this report was begun and not ended."""
    os.makedirs(DIR, exist_ok=True)
    name = "pytest-%d-%d.xml" % (os.getpid(), time.monotonic_ns())
    path = os.path.join(DIR, name)
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o644))
    return path


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config):
    config.cupel_report = None
    if not DIR or WRITER in os.environ or hasattr(config, "workerinput"):
        return
    os.environ[WRITER] = str(os.getpid())
    config.cupel_report = place()
    if not getattr(config.option, "xmlpath", None):
        config.option.xmlpath = config.cupel_report


@pytest.hookimpl(trylast=True)
def pytest_unconfigure(config):
    ours = getattr(config, "cupel_report", None)
    if ours is None:
        return
    os.environ.pop(WRITER, None)
    # a report that the command line asked for is the caller's; ours is a copy of it
    asked = config.option.xmlpath
    if asked != ours and os.path.isfile(asked):
        shutil.copyfile(asked, ours)
    # a pytest that ran no tests (--help) has no report
    if os.path.isfile(ours) and os.path.getsize(ours) == 0:
        os.unlink(ours)
