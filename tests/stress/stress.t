#!/usr/bin/env python3
"""stress.t -- each system call that a policy allows, as much of it as a vessel
gives, while the host is watched from outside.

usage: stress.t [--only PATTERN,...] [--user root|user] [--seconds N]
In the quick tier some stressors for a second each; in the full one (CUPEL_TIER,
./bootstrap check-all) all of them for ten seconds, and what the host counts for a
user is asked for by another process of that user.

A figure a line, as a comment.  Memory is judged where it can be told from what
others on the machine use: by root in a cgroup of version 1, else in the full tier.
"""
import argparse
import fnmatch
import json
import os
import subprocess
import sys
import time

SRC = os.environ.get("SRC") or os.path.dirname(
    os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path[:0] = [os.path.join(SRC, "tests/live"),
                os.path.join(SRC, "tests/stress")]
sys.dont_write_bytecode = True
import lib  # noqa: E402
import covered  # noqa: E402
import rows  # noqa: E402
import watcher  # noqa: E402

MIB = 1 << 20
LIMIT_MIB = 128
CAP_MIB = LIMIT_MIB + 1472  # where a stressor stops by itself
CONTROL_MIB = 640  # where it stops with the wall down
SLACK_MIB = 48  # init, 62 processes, and what is counted for them
NOISE_MIB = 512  # of others, where no cgroup measures
FREE_MIB = 6144  # with less the machine is left alone
LATENCY_US = 5000000  # of 100 ordinary things the slowest but one
FLUSHES_S = 1000
KERNEL_SHARE = 0.7  # of one processor, for kernel threads of the host
FULL = os.environ.get("CUPEL_TIER") == "full"


class Run:
    """One stressor in one vessel, watched."""

    def __init__(self, name, profile, user, seconds, drop=None):
        self.name, self.profile, self.user = name, profile, user
        self.seconds, self.drop = seconds, drop
        self.complaints = []

    def argv(self):
        return lib.become(self.user) + [
            lib.binary("tests/cupel-testing" if self.drop else "cupel"), "run", "--json", "--profile", self.profile,
            "--repo", repo(self.user), "--mem-bytes", "%dM" % LIMIT_MIB,
            "--cpu-time-s", str(4 * self.seconds + 20), "--wall-time-s",
            str(2 * self.seconds + 15), "--", "/repo/stress", self.name,
            str(self.seconds), str(CONTROL_MIB if self.drop else CAP_MIB)]

    def go(self, during=None):
        """Run it; during() is called when it has had three quarters."""
        w = self.watcher = watcher.Watcher(
            lib.binary("tests/stress/probe"), os.path.join(lib.TMP, "probed"))
        p = subprocess.Popen(self.argv(), stdin=subprocess.DEVNULL,
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                             cwd="/", env=self.env(),
                             preexec_fn=w.enter)
        if during:
            time.sleep(self.seconds * 0.75)
            during()
        out, self.err = w.watch(p, 3 * self.seconds + 40)
        try:
            self.json = json.loads(out.decode())
        except ValueError:
            self.json = {"status": "no result", "stdout": ""}
        self.judge()
        return self

    def env(self):
        return lib.clean_env({"CUPEL_TEST_DROP": self.drop} if self.drop
                             else None)

    def told(self, wall):
        """What the result says of a limit."""
        return (self.json.get("enforced", {}).get(wall, {}).get("details")
                or {})

    def memory(self):
        return self.told("memory_total")

    def judge(self):
        w, status = self.watcher, self.json["status"]
        peak = w.peak_bytes // MIB
        bound = (LIMIT_MIB + SLACK_MIB +
                 self.memory().get("overshoot_bytes", 0) // MIB)
        is_measured = w.cgroup.path is not None
        wanted = rows.ENDS.get(self.name, ("OK", "MEM_LIMIT"))
        if not self.drop and status not in wanted:
            self.complaints.append("status %s" % status)
        if not is_measured:
            bound += NOISE_MIB
        if (peak > bound and status == "OK" and (is_measured or FULL)
                and self.name not in rows.CACHES):
            self.passed(peak, bound)
        for thing, (_, rare, _) in w.latency.items():
            if rare > LATENCY_US and FULL:
                self.complaints.append("%s: %d us" % (thing, rare))
        if w.disk[2] > FLUSHES_S * self.seconds:
            self.complaints.append("%d flushes" % w.disk[2])
        self.kernel(w.kernel_s)

    def kernel(self, seconds):
        if seconds <= KERNEL_SHARE * self.seconds or not FULL:
            return
        if rows.is_declared(self.name, self.told("cpu_tree"), rows.UNPAID):
            print("# declared as uncounted: kernel threads %.1f s" % seconds)
        else:
            self.complaints.append("kernel threads %.1f s" % seconds)

    def passed(self, peak, bound):
        if rows.is_declared(self.name, self.memory(), rows.UNCOUNTED):
            print("# declared as uncounted: %d MiB, bound %d" % (peak, bound))
        else:
            self.complaints.append("%d MiB, bound %d" % (peak, bound))

    def line(self):
        w = self.watcher
        latency = " ".join("%s %d/%d" % (k, v[0], v[1])
                           for k, v in w.latency.items())
        said = (self.json.get("stdout") or self.err.decode(
            "utf-8", "replace")).strip()[-100:]
        return ("%s %s %s: %s; peak %d MiB; %s; %s; kernel threads %.1f s, "
                "interrupts %.1f s; disk %d requests %d MiB %d flushes; "
                "us %s; %s" % (
                    self.name, self.profile, self.user, self.json["status"],
                    w.peak_bytes // MIB, w.grown() or "-", w.caches() or "-",
                    w.kernel_s, w.interrupts_s, *w.disk, latency, said))


_REPOS = {}


def repo(user):
    if user not in _REPOS:
        _REPOS[user] = path = lib.make_dir(user)
        subprocess.run(["cp", lib.binary("tests/stress/stress"), path],
                       check=True)
        os.chmod(path + "/stress", 0o755)
    return _REPOS[user]


def is_chosen(name, patterns):
    return any(fnmatch.fnmatch(name, p) for p in patterns.split(","))


def has_room():
    return watcher.meminfo()["MemAvailable"] > FREE_MIB


def report(tap, r, what, complaints):
    print("# " + r.line())
    tap.ok(not complaints, "%s %s [%s]" % (r.name, what, r.user),
           "; ".join(complaints))


def stress(tap, user, names, seconds):
    for name in names:
        for profile in rows.profiles_of(name):
            if not has_room():
                tap.ok(False, "%s [%s]" % (name, user), "too little memory")
                return
            r = Run(name, profile, user, seconds).go()
            report(tap, r, "holds in " + profile, r.complaints)


def control(tap, user, seconds):
    """With the wall down the same is seen and judged to fail."""
    r = Run("heap", "default", user, seconds, "memory_total").go()
    print("# control: " + r.line())
    if r.watcher.cgroup.path:
        tap.ok(any("MiB" in c for c in r.complaints),
               "a heap without a limit is seen [%s]" % user, r.complaints)
    else:
        tap.ok(r.json["status"] == "OK",
               "a heap without a limit is not ended [%s]" % user, r.line())


def outside(user):
    r = lib.run([sys.executable, os.path.join(SRC, "tests/stress/outside.py")],
                user)
    return json.loads(r.out.decode()) if r.rc == 0 else {"rc": r.rc}


def counters(tap, user, only, seconds):
    for name, profile in rows.COUNTERS:
        if not is_chosen(name, only) or not has_room():
            continue
        before, during = outside(user), {}
        r = Run(name, profile, user, seconds)
        r.go(lambda: during.update(outside(user)))
        lost = ["%s: %s, was %s" % (k, during.get(k), v)
                for k, v in before.items() if during.get(k) != v]
        known = rows.used_up(name)
        lost = [text for text in lost if text.split(":")[0] not in known]
        print("# outside, during %s: %s" % (name, during))
        tap.ok(not lost, "%s leaves the host's counts to others [%s]"
               % (name, user), "; ".join(lost))


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--only", default="*")
    p.add_argument("--user", choices=("root", "user"))
    p.add_argument("--seconds", type=float, default=10 if FULL else 1)
    given = p.parse_args()
    tap = lib.Tap()
    names = covered.stressors(lib.binary("tests/stress/stress"))
    covered.check(tap, SRC, lib.BUILD, names)
    chosen = names if FULL or given.only != "*" else rows.SMOKE
    chosen = [n for n in chosen if is_chosen(n, given.only)]
    for user in [given.user] if given.user else lib.users():
        control(tap, user, max(3, given.seconds))
        stress(tap, user, chosen, given.seconds)
        if FULL:
            counters(tap, user, given.only, given.seconds)
    tap.done()


main()
