"""peer.py -- the same parsing as the built-in probes, by Python's C parsers.

usage: peer.py PROBE < LIST  Reads what the probe declares (one name a line)
below /repo, parses it, and prints what it counted.  It does less than the
probe: no facts are drawn, no caps are kept, nothing is checked.
"""
import collections
import json
import os
import sys

try:
    import yaml
    LOADER = getattr(yaml, "CSafeLoader", None)
except ImportError:
    LOADER = None


def parse(path):
    with open(path, encoding="utf-8", errors="replace") as f:
        text = f.read()
    if path.endswith(".json"):
        try:
            json.loads(text)
        except ValueError:
            return "bad"
    elif path.endswith((".yml", ".yaml")) and LOADER is not None:
        try:
            collections.deque(yaml.load_all(text, LOADER), 0)
        except yaml.YAMLError:
            return "bad"
    return "good"


def languages():
    return collections.Counter(
        os.path.splitext(n)[1] for _, _, names in os.walk("/repo")
        for n in names)


counts = collections.Counter(
    parse(os.path.join("/repo", line.rstrip("\n"))) for line in sys.stdin)
if sys.argv[1] == "language_detection":
    counts.update(languages())
json.dump(counts, sys.stdout)
