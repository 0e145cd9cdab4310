#!/usr/bin/env python3
"""readme.t -- the transcripts in README.md's sections "Phases" and "Gates" are
run again: in a project of the test's own, each command must print what is written
there.

A file that is shown by cat is made with that text.  A line that is "..." stands
for any number of lines, and "..." within a line for any text.
"""
import os
import re
import shutil
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True
import lib  # noqa: E402

tap = lib.Tap()

BASE = {
    "sums.py": "def add(a, b):\n    return a + b\n",
    "test_sums.py": """import unittest
from sums import add


class Sums(unittest.TestCase):
    def test_add(self):
        self.assertEqual(add(1, 2), 3)
"""}

PROJECT = {
    "package.json": '{"name": "sums", "version": "1.0.0",'
                    ' "scripts": {"test": "node --test"}}\n',
    "package-lock.json": '{"name": "sums", "version": "1.0.0",'
                         ' "lockfileVersion": 3, "requires": true, "packages":'
                         ' {"": {"name": "sums", "version": "1.0.0"}}}\n',
    "sum.js": "exports.sum = (a, b) => a + b\n",
    "sum.test.js": "require('node:test')('sum adds', () => {\n"
                   "  if (require('./sum.js').sum(1, 2) !== 3)"
                   " throw new Error('no sum')\n})\n"}

# section: the files at its start, and the program without which it is skipped
SECTIONS = {
    "Phases": (PROJECT, "npm"),
    "Gates": (dict([("base/" + k, v) for k, v in BASE.items()] +
                   [("change/" + k, v) for k, v in BASE.items()]), "python3"),
}


def steps_of(section):
    """The commands of a section and what each prints: [(command, lines)]."""
    with open(os.path.join(lib.SRC, "README.md")) as f:
        text = f.read().split("\n## %s\n" % section)[1].split("\n## ")[0]
    steps = []
    for block in re.findall(r"(?:^    .*\n(?:\n(?=    ))*)+", text, re.M):
        for line in block.rstrip("\n").split("\n"):
            line = line[4:]
            if line.startswith("$ "):
                steps.append([line[2:], []])
            elif steps[-1][0].endswith("\\"):
                steps[-1][0] = steps[-1][0][:-1] + line.strip()
            else:
                steps[-1][1].append(line)
    return steps


def pattern_of(lines):
    """A pattern for the text that those lines stand for."""
    out = ""
    for line in lines:
        if line == "...":
            out += r"(?:.*\n)*?"
        else:
            out += ".*".join(re.escape(x) for x in line.split("...")) + r"\n"
    return out


def project(user, files):
    top = lib.make_dir(user)
    for name, text in files.items():
        folder = os.path.dirname(os.path.join(top, name))
        if not os.path.isdir(folder):
            os.mkdir(folder, 0o755)
            lib.give(user, folder)
        lib.put(user, os.path.join(top, name), text)
    return top


def section_holds(user, section):
    files, program = SECTIONS[section]
    if shutil.which(program) is None:
        return tap.ok(True, "%s: %s # SKIP no %s" % (user, section, program))
    top = project(user, files)
    env = {"HOME": top, "PATH": os.path.dirname(lib.binary("cupel")) +
           ":/usr/local/bin:/usr/bin:/bin"}
    steps = steps_of(section)
    tap.ok(len(steps) > 1, "%s: %s has commands" % (user, section))
    for command, lines in steps:
        shown = re.fullmatch(r"cat (\S+)", command)
        if shown:
            lib.put(user, os.path.join(top, shown.group(1)),
                    "\n".join(lines) + "\n")
        r = lib.run(["sh", "-c", "exec 2>&1; " + command], user, env=env,
                    cwd=top)
        got = r.out.decode("utf-8", "replace")
        tap.ok(re.fullmatch(pattern_of(lines), got),
               "%s: %s: %.60s" % (user, section, command), got)
    return None


for one in lib.users():
    for title in SECTIONS:
        section_holds(one, title)
tap.done()
