#!/usr/bin/env python3
"""rows.t -- figures that tests of other kinds print, judged here.

usage: rows.t [PATTERN]

A test prints "# clock: WHAT: GOT of MOST s" where it waited for something that must not
take long; its own rows compare no times.  Every test of tests.list that can print
one runs here, alone on the machine.  A figure that is too high is measured again, and
is red if it was three times.
"""
import fnmatch
import os
import re
import subprocess
import sys

SRC, BUILD = os.environ["SRC"], os.environ["BUILD"]
FIGURE = re.compile(r"# clock: (.*): ([0-9.]+) of ([0-9.e+-]+) s$", re.M)
PRINTS = re.compile(r"\btap_(clock|time)\(|\.clock\(|# clock: ")
TRIES = 3


def tests():
    """The names of the tests that print figures."""
    with open(SRC + "/tests/tests.list") as f:
        names = [line.split()[0] for line in f if re.match(r"[a-z]+/", line)]
    yield "live/lib.t"  # whose programs print them
    for name in ["../adversarial/gather.t"] + names:
        path = "%s/tests/%s" % (SRC, name if name.endswith(".t") else name + ".c")
        with open(path) as f:
            if not name.startswith("clocks/") and PRINTS.search(f.read()):
                yield name


def figures(name):
    """Run the test: {what: (seconds, limit)}; and whether it passed."""
    path = "%s/tests/%s" % (SRC, name)
    if not name.endswith(".t"):
        path = "%s/tests/%s.t" % (BUILD, name)
    r = subprocess.run(["sh", SRC + "/tests/bounded.sh", path],
                       stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                       stderr=subprocess.STDOUT, check=False)
    found = FIGURE.findall(r.stdout.decode(errors="replace"))
    return {what: (float(got), float(most)) for what, got, most in found}, r.returncode


def main():
    n = bad = 0
    for name in tests():
        if sys.argv[1:] and not fnmatch.fnmatch(name, sys.argv[1]):
            continue
        seen, status = figures(name)
        tries = {what: 1 for what in seen}
        for _ in range(TRIES - 1):
            if all(got <= most for got, most in seen.values()):
                break
            for what, (got, most) in figures(name)[0].items():
                if what in seen and seen[what][0] > seen[what][1]:
                    seen[what] = got, most
                    tries[what] += 1
        rows = [("%s: %s (%.3f of %g s; try %d)" % (name, what, got, most, tries[what]),
                 got <= most) for what, (got, most) in seen.items()]
        rows.append(("%s passed, and printed %d figures" % (name, len(seen)),
                     status == 0 and bool(seen)))
        for what, good in rows:
            n += 1
            bad += not good
            print("%sok %d - %s" % ("" if good else "not ", n, what), flush=True)
    print("1..%d" % n)
    return 1 if bad else 0


sys.exit(main())
