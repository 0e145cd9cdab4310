#!/usr/bin/env python3
"""jobs_gather_pyyaml.t -- PyYAML (YAML 1.1) reads back what was written."""
import json
import os
import random
import subprocess
import sys

try:
    import yaml
except ImportError:
    print("1..0 # SKIP python3-yaml is not installed")
    sys.exit(0)

PROGRAM = os.path.join(os.environ["BUILD"], "tests/unit/jobs_gather_yaml.t")
NASTY = ["y", "Y", "yes", "No", "ON", "off", "null", "~", "true", "1", "-1",
         "0x1f", "0b1", "017", "0o7", "1_0", "1.5", ".5", "1e3", "1.0e+3",
         "1:30", "2026-11-21", "2026-11-21T10:00:00Z", ".inf", ".nan", "",
         " a", "a ", "a: b", "a:", "a #b", "#", "- a", "? a", ": a", "&a",
         "*a", "!a", "|", ">", "'", '"', "%", "@", "`", "{", "}", "[", "]",
         ",", "=", "<<", "---", "...", "a\tb", "\x85", "\u2028", "\ufeff",
         "\x00", "\x7f", "a\nb", "\u00e9", "\U0001f600", "\U000e0041", "/a",
         "a:b", "a\\b", "\r\n", "x" * 5000, "k k" * 400, "e1", "a~", "/"]
PIECES = [s for s in NASTY if len(s) < 9] + ["a", " ", ":", "b", "1"]


def text(r):
    if r.random() < 0.5:
        return r.choice(NASTY)
    return "".join(r.choice(PIECES) for _ in range(r.randrange(6)))


def value(r, depth):
    kind = r.randrange(6 if depth else 4)
    if kind < 2:
        return text(r)
    if kind < 4:
        return r.choice([None, True, False, 0, -7, 12.5, 1e300, 2 ** 70, [],
                         {}, 1e-7])
    if kind == 4:
        return [value(r, depth - 1) for _ in range(r.randrange(5))]
    return {text(r): value(r, depth - 1) for _ in range(r.randrange(5))}


def written(v):
    return subprocess.run([PROGRAM, "filter"], input=json.dumps(v).encode(),
                          stdout=subprocess.PIPE, check=True).stdout


def main():
    r = random.Random(3)
    loaders = [yaml.SafeLoader]
    if hasattr(yaml, "CSafeLoader"):
        loaders.append(yaml.CSafeLoader)
    for n, loader in enumerate(loaders):
        bad = []
        v = NASTY + [{k: k for k in NASTY}, {k: {k: [k]} for k in NASTY},
                     [[[k]] for k in NASTY], [value(r, 6) for _ in range(3000)]]
        for item in v:
            got = yaml.load(written(item).decode(), Loader=loader)
            # 1 == True in Python: the types have to agree too.
            if got != item or json.dumps(got) != json.dumps(item):
                bad.append(repr(item)[:200])
        print("%sok %d - %s takes each value for what it is" % (
            "not " if bad else "", n + 1, loader.__name__))
        for b in bad[:5]:
            print("# " + b)
    print("1..%d" % len(loaders))


main()
