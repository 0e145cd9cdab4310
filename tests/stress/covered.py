"""covered.py -- each call that a shipped policy allows has a stressor, or a line
in without.txt that says why it needs none."""
import glob
import json
import os
import subprocess

POLICIES = "default test probe parser python-function node-function".split()


def stressors(program):
    """{name: the calls it covers}, in the program's order"""
    out = subprocess.run([program, "--list"], capture_output=True, text=True,
                         check=True).stdout
    return {row[0]: row[1].split()
            for row in (line.split("\t") for line in out.splitlines())}


def policy_of(src, build, name):
    """A policy is made by the build, or stands in the sources."""
    found = [p for top in (build, src) for p in
             glob.glob(os.path.join(top, "profiles/seccomp", name + ".json"))]
    with open(found[0]) as f:
        return json.load(f)


def allowed(src, build):
    calls = set()
    for name in POLICIES:
        for entry in policy_of(src, build, name)["syscalls"]:
            if entry["action"] == "SCMP_ACT_ALLOW":
                calls.update(entry["names"])
    return calls


def without(src):
    """{call: why}; a line with a colon begins a reason, the others are calls."""
    why, found = "", {}
    with open(os.path.join(src, "tests/stress/without.txt")) as f:
        for line in f:
            if line.startswith("#"):
                continue
            if line.rstrip().endswith(":"):
                why = line.strip()
            else:
                found.update((call, why) for call in line.split())
    return found


def check(tap, src, build, names):
    covered = {call for calls in names.values() for call in calls}
    excused = without(src)
    open_calls = sorted(allowed(src, build) - covered - set(excused))
    tap.ok(not open_calls, "each allowed call has a stressor or a reason",
           " ".join(open_calls))
    both = sorted(covered & set(excused))
    tap.ok(not both, "none has both", " ".join(both))
    tap.ok(len(covered) > 100 and len(names) > 60,
           "there are stressors for most", "%d calls" % len(covered))
