#!/usr/bin/env python3
"""readme.t -- the transcripts in README.md's sections "Phases" and "Gates", and
after the latter those in cupel-gate(1), "EXAMPLES", are run again: in a project of
the test's own, each command must print what is written there.

A file that is shown by cat is made with that text.  A line that is "..." stands
for any number of lines, and "..." within a line for any text.

The table of limits is compared with the profiles that the program has.
"""
import json
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


# The man page whose examples go on where the section ends.
PAGES = {"Gates": "cupel-gate.1.in"}


def blocks_of_readme(section):
    """The lines of each block of code."""
    with open(os.path.join(lib.SRC, "README.md")) as f:
        text = f.read().split("\n## %s\n" % section)[1].split("\n## ")[0]
    for block in re.findall(r"(?:^    .*\n(?:\n(?=    ))*)+", text, re.M):
        yield [line[4:] for line in block.rstrip("\n").split("\n")]


def blocks_of_page(page):
    """The same of the section EXAMPLES of a man page's template."""
    with open(os.path.join(lib.SRC, "man", page)) as f:
        text = f.read().split("\n.SH EXAMPLES\n")[1].split("\n.SH ")[0]
    for block in re.findall(r"^\.EX\n(.*?)^\.EE$", text, re.M | re.S):
        for roff, plain in (("\\&", ""), ("\\-", "-"), ("\\(aq", "'"), ("\\e", "\\")):
            block = block.replace(roff, plain)
        yield block.rstrip("\n").split("\n")


def steps_of(section):
    """The commands of a section and what each prints: [(command, lines)]."""
    blocks = list(blocks_of_readme(section))
    if section in PAGES:
        blocks += blocks_of_page(PAGES[section])
    steps = []
    for block in blocks:
        for line in block:
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


# --- the limits of the profiles ------------------------------------------------------

def limits_told():
    """Profile: what README's table says of it, a word for each column."""
    with open(os.path.join(lib.SRC, "README.md")) as f:
        rows = f.read().split("\n| profile | wall s |")[1].split("\n\n")[0]
    told = {}
    for row in rows.split("\n")[2:]:
        names, *words = [w.strip() for w in row.strip("|").split("|")]
        told.update((name, words) for name in names.split(", "))
    return told


def in_short(size):
    """A size as the table has it: 536870912 is 512M."""
    if size == "unlimited":
        return "-"
    for unit in ("", "K", "M"):
        if size < 1024 or size % 1024:
            return "%d%s" % (size, unit)
        size //= 1024
    return "%dG" % size


def limits_of(name):
    r = lib.run([lib.binary("cupel"), "profile", "show", name])
    p = json.loads(r.out)
    sizes = [in_short(p[key]) for key in (
        "mem_bytes", "as_bytes", "data_bytes", "nofile", "fsize_bytes", "pids_max")]
    return ["alarm " * p["wall_alarm"] + str(p["wall_time_s"]),
            str(p["cpu_time_s"]), *sizes,
            in_short(p["scratch_bytes"]) if p["scratch_bytes"] else "none",
            "%s %s" % (in_short(p["output_bytes"]), p["output_mode"]),
            p["network"],
            p.get("chdir", "/repo" if p["repo_mode"] != "none" else "none")]


def limits_hold():
    told = limits_told()
    r = lib.run([lib.binary("cupel"), "profile", "list"])
    tap.equal(sorted(told), sorted(line.split()[0] for line in
                                   r.out.decode().splitlines()),
              "README's table has every profile")
    for name, words in told.items():
        tap.equal(words, limits_of(name), "README's limits of " + name)


limits_hold()
for one in lib.users():
    for title in SECTIONS:
        section_holds(one, title)
tap.done()
