"""measure.py -- what a gather of real trees takes, and when real work arrives.

usage: measure.py repos TREE...      (BUILD in the environment; as root)
       measure.py arrivals           of this machine's Debian changelogs

repos:    a row for each TREE: its files and bytes, the processor time and the
          fastest wall time of three `cupel gather --no-cache`, and the bytes of
          the answer.  The processor time is a cgroup's, because the time that is
          spent inside of vessels is nobody's child's.
arrivals: how many changelog entries were signed in each hour of the week (UTC),
          and how uneven the counts of single hours are.

Both are tests/fleet/data/*.tsv in the tree, which say how they were made.
"""
import datetime
import email.utils
import glob
import gzip
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

ROUNDS = 3
ENTRY = re.compile(r"^ -- .*>  (.*)$", re.M)
HOURS = 7 * 24


def cgroup_make():
    """A cgroup v2 of our own."""
    with open("/proc/self/mounts") as f:
        found = [x.split()[1] for x in f if x.split()[2] == "cgroup2"]
    if not found:
        sys.exit("measure: no cgroup v2 here")
    path = "%s/cupel-fleet-%d" % (found[0], os.getpid())
    try:
        os.mkdir(path)
    except OSError as e:
        sys.exit("measure: %s" % e)
    return path


def used_us(cgroup):
    with open(cgroup + "/cpu.stat") as f:
        return int(dict(x.split() for x in f)["usage_usec"])


def cgroup_end(cgroup):
    """It and what a run may have left below; empty ones only."""
    for top, _, _ in os.walk(cgroup, topdown=False):
        os.rmdir(top)


def tree_size(top):
    files = size = 0
    for at, _, names in os.walk(top):
        for n in names:
            st = os.lstat(os.path.join(at, n))
            files += 1
            size += st.st_size
    return files, size


def gather(tree, out):
    """(processor ms, wall ms) of one gather, or None when it fails."""
    cgroup = cgroup_make()

    def enter():
        with open(cgroup + "/cgroup.procs", "w") as f:
            f.write("0")
    try:
        began = time.monotonic()
        p = subprocess.run(
            [os.environ["BUILD"] + "/cupel", "gather", "--quiet", "--no-cache",
             "--format", "json", "--out", out, tree],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            preexec_fn=enter, timeout=300)
        wall = time.monotonic() - began
        return None if p.returncode else (used_us(cgroup) / 1000, wall * 1000)
    finally:
        cgroup_end(cgroup)


def repo_row(tree):
    took, size = [], 0
    for _ in range(ROUNDS):
        out = tempfile.mkdtemp(prefix="cupel-fleet.")
        try:
            one = gather(tree, out)
            if one is None:
                sys.exit("measure: %s: the gather failed" % tree)
            took.append(one)
            size = os.path.getsize(out + "/repo-context.json")
        finally:
            shutil.rmtree(out)
    files, octets = tree_size(tree)
    return (os.path.basename(tree), files, octets,
            round(min(t[0] for t in took)), round(min(t[1] for t in took)),
            size)


def repos(trees):
    print("name\tfiles\tbytes\tcpu_ms\twall_ms\tanswer_bytes")
    for tree in trees:
        print("\t".join(map(str, repo_row(os.path.abspath(tree)))), flush=True)


def times_signed():
    found = set()
    for path in glob.glob("/usr/share/doc/*/changelog.Debian.gz"):
        with gzip.open(path, "rt", encoding="utf-8", errors="replace") as f:
            for text in ENTRY.findall(f.read()):
                try:
                    when = email.utils.parsedate_to_datetime(text)
                except ValueError:
                    continue
                if when.tzinfo is not None:
                    found.add(when.astimezone(datetime.timezone.utc))
    return found


def arrivals():
    found = times_signed()
    counts = [0] * HOURS
    for when in found:
        counts[when.weekday() * 24 + when.hour] += 1
    print("# entries: %d; busiest hour of the week over the mean: %.2f" % (
        len(found), max(counts) / statistics.mean(counts)))
    print("weekday\t" + "\t".join("%02d" % h for h in range(24)))
    for day in range(7):
        print("%d\t%s" % (day, "\t".join(
            map(str, counts[day * 24:day * 24 + 24]))))


if len(sys.argv) > 2 and sys.argv[1] == "repos":
    repos(sys.argv[2:])
elif sys.argv[1:] == ["arrivals"]:
    arrivals()
else:
    sys.exit(__doc__)
