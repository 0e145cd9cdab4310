#!/usr/bin/env python3
"""gate_kill.t -- a runner is killed at random moments, alone and beside another
one: the next runner continues, and no record is lost or written twice.

The seed is fixed; 20 kills in the quick tier, 500 in the whole check."""
import json
import os
import random
import signal
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True
import gate_place  # noqa: E402
import lib  # noqa: E402

KILLS = int(os.environ.get("CUPEL_GATE_KILLS") or
            (20 if os.environ.get("CUPEL_TIER") == "quick" else 500))
SEED = 16

# Two phases; the second fails, so that a planner is asked between attempts.
CATALOGUE = """gates:
  g:
    phases:
      - {name: build, profile: test, command: ["true"]}
      - name: test
        profile: test
        command: [sh, -c, "echo kept >/scratch/a; test -e /repo/good"]
        artifact: [/scratch/a]
    signals: {build: {}, install: {phase: test}}
    required: [build, install]
    max_attempts: 8
"""

tap = lib.Tap()


def whole_lines(path):
    """The ledger's bytes up to its last newline."""
    try:
        with open(path, "rb") as f:
            text = f.read()
    except OSError:
        return b""
    return text[:text.rfind(b"\n") + 1]


def twice(records):
    """Records that are there twice or in a wrong place."""
    faults, seen, open_gate, attempt = [], set(), False, 0
    for r in records:
        kind, n = r["kind"], r.get("attempt")
        key = {"run.ended": ("run", n, r.get("phase")),
               "signal": ("signal", n, r.get("signal", {}).get("kind")),
               "attempt.begun": ("begun", n), "attempt.ended": ("ended", n),
               "replan": ("replan", n)}.get(kind)
        if kind == "gate.begun":
            if open_gate:
                faults.append("line %d: a gate in a gate" % r["seq"])
            open_gate, attempt, seen = True, 0, set()
        elif kind == "gate.ended":
            if not open_gate:
                faults.append("line %d: the end of none" % r["seq"])
            open_gate = False
        elif kind == "attempt.begun":
            attempt += 1
            if n != attempt:
                faults.append("line %d: attempt %s, not %d"
                              % (r["seq"], n, attempt))
        if key in seen:
            faults.append("line %d: %s twice" % (r["seq"], key))
        if key:
            seen.add(key)
    return faults


def begun_and_ended(records):
    """Attempts that were begun and never ended."""
    open_attempts, gate = set(), 0
    for r in records:
        gate += r["kind"] == "gate.begun"
        if r["kind"] == "attempt.begun":
            open_attempts.add((gate, r["attempt"]))
        elif r["kind"] == "attempt.ended":
            open_attempts.discard((gate, r["attempt"]))
    return open_attempts


def runner(place):
    return lib.start([lib.binary("cupel"), "gate", "run", "--quiet",
                      "--resume", "--replan", "true"] +
                     place.run_words(), place.user, cwd=place.top,
                     env={"TMPDIR": place.temp})


def kill_at_random(place, rng, whole_s):
    """Start one runner, or two at once, and kill one of them. Returns
    whether it was killed."""
    first = runner(place)
    second = runner(place) if rng.random() < 0.2 else None
    time.sleep(rng.random() * whole_s)
    victim = second if second and rng.random() < 0.5 else first
    victim.send_signal(signal.SIGKILL)
    victim.communicate(timeout=120)
    if second:
        other = first if victim is second else second
        other.communicate(timeout=120)
        # attempts used up: they were lost (3), or also failed
        if other.returncode not in (3, 11, 12):
            raise OSError("the other runner ended with %d"
                          % other.returncode)
    return victim.returncode == -signal.SIGKILL


def kills(place, count):
    rng = random.Random(SEED)
    path = place.state + "/attempts.jsonl"
    began = time.monotonic()
    r = lib.finish(runner(place), began, ["gate run"], 240)
    tap.ok(r.rc == 12, "%s: unkilled, it fails three times" % place.user,
           r.brief())
    whole_s = time.monotonic() - began
    done = tries = 0
    lost, broken, doubled = [], [], []
    while done < count and tries < 3 * count + 20:
        tries += 1
        before = whole_lines(path)
        done += kill_at_random(place, rng, whole_s)
        after = whole_lines(path)
        if not after.startswith(before):
            lost.append("after kill %d" % done)
        records = [json.loads(x) for x in after.splitlines()]
        doubled += twice(records)
        # every tenth time, and at the end, since it reads all of the evidence
        if done % 10 == 0 and place.verify().rc != 0:
            broken.append("kill %d: %s" % (done, place.verify().brief()))
        if lost or doubled or broken:
            break
        if len(after) > 4 << 20:
            break
    tap.ok(done >= count, "%s: %d kills struck" % (place.user, count),
           "%d of %d in %d tries" % (done, count, tries))
    tap.equal(lost, [], "%s: no record is lost" % place.user)
    tap.equal(doubled, [], "%s: none is there twice" % place.user)
    tap.equal(broken, [], "%s: the chain is whole" % place.user)


def the_end(place):
    """The gate whose runner was killed last is continued to its end."""
    r = lib.finish(runner(place), time.monotonic(), ["gate run"], 240)
    records = place.records()
    tap.ok(r.rc in (3, 11, 12), "%s: it goes on to its end" % place.user,
           r.brief())
    tap.equal(begun_and_ended(records), set(),
              "%s: every attempt that began has an end" % place.user)
    tap.ok(any(x["kind"] == "attempt.ended" and x["lost"] for x in records),
           "%s: some were lost, and are told so" % place.user)
    r = place.verify()
    tap.ok(r.rc == 0 and b"one whole chain" in r.out,
           "%s: at the end all of it is verified" % place.user, r.brief())


def main():
    launchers = lib.users()
    for number, user in enumerate(launchers):
        place = gate_place.Place(user, "g", {"file": "\n"}, CATALOGUE)
        place.temp = lib.make_dir(user)
        kills(place, max(KILLS // len(launchers), 1))
        the_end(place)
        # the next runner has removed what a killed one left
        left = os.listdir(place.temp) + [
            n for n in os.listdir(place.state)
            if n not in ("attempts.jsonl", "HEAD", "evidence", "lock")]
        tap.equal(left, [], "%s: nothing is left of artifacts" % user)
    tap.done()


main()
