#!/usr/bin/env python3
"""leakage.t -- the leakage oracle: nothing that a run leaves is found by a later
run of the same template and place (docs/copies.md).

The first copy of a template, before any run left something, shows how everything must
look.  Then come pairs: one run leaves something in every place that it can write to
or set, and the next runs look.  A batch has two templates for a place, because a
vessel that is ending keeps its own, so there are two looks after each.  The controls
share one thing on purpose, in the test build, and the same looks must find it.
"""
import json
import os
import subprocess
import sys

SRC = os.environ.get("SRC") or os.path.dirname(
    os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(SRC, "tests/live"))
sys.dont_write_bytecode = True
import lib  # noqa: E402

FULL = os.environ.get("CUPEL_TIER") == "full"
PAIRS = 1000 if FULL else 30
CLOCK_S = 2400 if FULL else 600
# What a run must be able to leave; otherwise the oracle would show nothing.  The filter
# or Landlock refuses most of it, so there is a pass without them, in which only the
# namespaces protect.
LEFT = {"/scratch", "/tmp", "/dev/shm", "abstract", "priority", "scheduler",
        "timer", "umask", "process"}
LEFT_LOOPBACK = LEFT | {"shm", "closed tcp", "udp", "udp6"}
LEFT_UNFILTERED = LEFT_LOOPBACK | {"sem", "msg", "mq", "processors",
                                   "session key", "user key"}
# The walls that are taken down, and how the lines begin that a look must then have.
CONTROLS = {
    "share_scratch": ["dir /scratch/leak", "dir /tmp/leak", "dir /dev/shm/leak"],
    "root_readonly,landlock": ["dir /dev/leak", "dir //leak"],
    "share_ipc,seccomp,landlock": ["ipc shm there", "ipc sem there", "ipc msg there",
                  "ipc mq there"],
    "share_net": ["net /proc/net/snmp:", "net /proc/net/netstat:"],
    "share_user,capabilities,seccomp": ["key user there"],
}
# Without this no message queue can be made, with or without a filter.
QUEUES = ["--rlimit", "msgqueue=800K"]
# Without these root's runs have a cgroup, and are copied only if it is version 1.
NO_CGROUP = ["--mem-bytes", "unlimited", "--pids-max", "unlimited",
             "--cpu-time-s", "unlimited"]


def lines_of(user, repo, commands, words=(), program="cupel", drop=None,
             has_cgroup=False):
    """The answers of one batch, in order."""
    text = "".join(json.dumps({"id": str(i), "command": c}) + "\n"
                   for i, c in enumerate(commands))
    env = lib.clean_env({"CUPEL_TEST_DROP": drop} if drop else None)
    r = subprocess.run(
        lib.become(user) + [lib.binary(program), "batch", "--jobs", "1",
                            "--ordered", "--keep-going", "--repo", repo] +
        (NO_CGROUP if user == "root" and not has_cgroup else []) + list(words),
        input=text.encode(), capture_output=True, timeout=CLOCK_S, cwd="/",
        env=env)
    found = [json.loads(line) for line in r.stdout.splitlines()]
    if len(found) != len(commands):
        raise SystemExit("batch: %d answers to %d lines: %r"
                         % (len(found), len(commands), r.stderr[-2000:]))
    for line in r.stderr.decode().splitlines():
        if "from the beginning" in line:
            print("# " + line)
    return [a.get("result") or {"status": str(a["error"]), "stdout": "",
                                "message": "", "enforced": {"mountns": {}}}
            for a in found]


def is_copy(result):
    return bool(result["enforced"]["mountns"].get("details"))


def pairs_run(user, repo, pairs, words=(), more=(), **kw):
    """(the look in a fresh vessel, the runs that left something, the looks after
    them)"""
    leak = ["/repo/leak"]
    look = leak + ["look", *more]
    results = lines_of(user, repo, [["/repo/leak", "look"], look] +
                       [leak + ["leave", *more], look, look] * pairs,
                       words, **kw)
    base, rest = results[1], results[2:]
    leavers, looks = rest[0::3], rest[1::3] + rest[2::3]
    return base, leavers, looks


def cgroup_is_of_version_1(user, repo):
    answer = lines_of(user, repo, [["/bin/true"]], has_cgroup=True)[0]
    how = answer["enforced"].get("memory_total", {}).get("details") or {}
    return how.get("by") == "cgroup" and how.get("version") == 1


def left_by(result):
    return {line.split(" ", 1)[1].rsplit(" ", 1)[0]
            for line in result["stdout"].splitlines()
            if line.startswith("left ") and line.endswith(" yes")}


def differences(base, look):
    """Lines of a look that are not in that of a fresh vessel, and those it lacks."""
    want, got = (set(r["stdout"].splitlines()) for r in (base, look))
    return sorted(got - want) + ["lacks " + x for x in sorted(want - got)]


def oracle(tap, user, repo, words, name, left, more=(), **kw):
    base, leavers, looks = pairs_run(user, repo, PAIRS, words, more, **kw)
    bad = [r["status"] + " " + str(r["message"])
           for r in [base] + leavers + looks if r["status"] != "OK"]
    tap.equal(bad[:3], [], "%s, %s: all end well" % (user, name))
    tap.ok(all(is_copy(r) for r in [base] + leavers + looks),
           "%s, %s: all are copies" % (user, name))
    missing = set().union(*(left - left_by(r) for r in leavers))
    tap.equal(sorted(missing), [], "%s, %s: something is left in every place"
              % (user, name))
    found = [d for d in (differences(base, look) for look in looks) if d]
    tap.equal([len(found), found[:1]], [0, []],
              "%s, %s: nothing of it is found in %d pairs"
              % (user, name, PAIRS))
    return base


def controls(tap, user, repo):
    for drop, begins in CONTROLS.items():
        more = ["keys"] if "seccomp" in drop else []
        words = ["--profile", "test"] if "net" in drop else QUEUES
        base, leavers, looks = pairs_run(user, repo, 2, words, more,
                                         program="tests/cupel-testing",
                                         drop=drop)
        told = [r["status"] + " " + str(r["message"]) for r in leavers + looks
                if r["status"] != "OK" or not is_copy(r)]
        found = set()
        for look in looks:
            found |= {b for b in begins for line in differences(base, look)
                      if line.startswith(b)}
        tap.equal([sorted(set(begins) - found), told[:1]], [[], []],
                  "%s: (control) %s is found" % (user, drop),
                  "\n".join(differences(base, looks[0])[:20]))


def main():
    tap = lib.Tap()
    for user in lib.users():
        repo = lib.make_dir(user)
        path = repo + "/leak"
        with open(os.path.join(lib.BUILD, "adversarial/leak"), "rb") as f:
            program = f.read()
        with open(path, "wb") as f:
            f.write(program)
        os.chmod(path, 0o755)
        lib.give(user, path)
        test = ["--profile", "test"]
        oracle(tap, user, repo, [], "default", LEFT)
        oracle(tap, user, repo, test, "test", LEFT_LOOPBACK)
        if cgroup_is_of_version_1(user, repo):
            oracle(tap, user, repo, test, "with a cgroup", LEFT_LOOPBACK,
                   has_cgroup=True)
        oracle(tap, user, repo, test + QUEUES, "without a filter",
               LEFT_UNFILTERED,
               ["keys"], program="tests/cupel-testing",
               drop="seccomp,landlock")
        if os.environ.get("CUPEL_CONTROLS") != "no":
            controls(tap, user, repo)
    tap.done()


main()
