#!/usr/bin/env python3
"""confirm_explore.t -- witnesses that are tried in copies of one process: the
records are the same as without copies, and code that attacks the copies harms its
own flag and no other (docs/confirm.md)."""
import json
import os
import subprocess
import sys
import time

SRC = os.environ.get("SRC") or os.path.dirname(
    os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(SRC, "tests/live"))
sys.dont_write_bytecode = True
import lib  # noqa: E402

t = lib.Tap()
DATA = os.path.join(SRC, "tests/data/explore")
FULL = os.environ.get("CUPEL_TIER") == "full"
# What may differ between two runs of one flag:
# - its time, and the seal, which covers the time;
# - how it was run: what was a copy or was explored, and why exploring failed on a
#   machine that had no time for it (docs/confirm.md: the flag then has its vessels).
UNLIKE = ("ts", "duration_ms", "seal", "warm", "witnesses_explored",
          "explore_failed")
# Where the words of a record say that a clock ended something, it depends on the
# machine what was found by then: such a record is not compared.
CLOCKS = ("alarm", "cpu-alarm", "backstop", "flag-budget", "cpu-cap")
# When a clock ends the run of a smaller witness, no other is tried, and shrink_runs is
# set to its limit (TRIAL_SHRINK_RUNS in trial.h).  On a slow machine that may happen
# with exploring and not without: then the flag is tried again.
SHRINK_RUNS = 32
AGAIN = 0
BUG, NONE = "confirmed-bug", "no-bug-found"

# What the hostile code does is about memory and processes, not about a flag's time.
PATIENT = ("--flag-time-s", "200")
# A copy that gets no processor for a second (harness.h) is given up, and its witness
# has a vessel of its own.  On a slow machine that may happen to so many copies of a flag.
GIVEN_UP_MAX = 0

# file, function, status, which witnesses the copies finish: "all" but the first,
# "none" (the exploring vessel is given up), "odd" (none, since there are more answers
# than witnesses; not so when the clock stopped them halfway), "-": any, "big": any, and
# on a slow machine it may take all the time that it has to get its memory
ROWS = (
    ("plain.py", "no_bug", NONE, "all"),
    ("plain.py", "late_bug", BUG, "-"),
    ("file.py", "f", BUG, "-"),
    ("file.py", "only_after", NONE, "-"),
    ("shared.py", "f", BUG, "none"),
    ("offset.py", "f", BUG, "none"),
    ("kills.py", "parent", BUG, "none"),
    ("kills.py", "everybody", NONE, "-"),
    ("forges.py", "f", NONE, "none"),
    ("asks.py", "fails_there", NONE, "none"),
    ("asks.py", "hides_everywhere", NONE, "all"),
    ("stays.py", "f", BUG, "-"),
    ("large.py", "f", BUG, "big"),
    ("garbage.py", "f", "sandbox-error", "odd"),
    ("garbage.py", "leaves", BUG, "-"),
)


def flag_of(name, function):
    return {"file": name, "function": function, "flag_class": "div-zero"}


def unlike(x, y):
    """What two records of one flag say differently: {key: (of x, of y)}."""
    return {k: (x.get(k), y.get(k)) for k in sorted({*x, *y} - {*UNLIKE})
            if k not in x or k not in y or x[k] != y[k]}


def stays_unlike(user, repo, flag, x, y, options=()):
    """The same, but of new records while a clock may have ended the shrinking."""
    for _ in range(AGAIN):
        at_limit = SHRINK_RUNS in (x.get("shrink_runs"), y.get("shrink_runs"))
        if not at_limit or not unlike(x, y):
            break
        x, y = (got.get(1, {}) for got in both(
            user, repo, [flag], ways=(options, (*options, "--cold"))))
    return unlike(x, y)


def is_cut_short(record):
    return (record.get("reason") in CLOCKS or
            (record.get("detail") or "").startswith("flag-budget"))


def both(user, repo, flags, jobs=2, clock_s=240, ways=((), ("--cold",))):
    """The records with exploring, and without it."""
    out = []
    for options in ways:
        log = os.path.join(repo, "log.jsonl")
        if os.path.exists(log):
            os.unlink(log)
        r, records = lib.confirm(user, repo, flags, jobs, options, clock_s)
        t.equal((r.rc, len(records)), (0, len(flags)),
                "%s: %d flags end %s" % (user, len(flags), " ".join(options)),
                r.brief())
        out.append(lib.by_number(records))
    return out


def is_so_far(record, far):
    """Whether as many witnesses were explored as the word of the row says."""
    n = record.get("witnesses_explored", -1)
    if far == "all":
        return n > 8 and n >= record["witnesses_tried"] - 1 - GIVEN_UP_MAX
    return far in ("-", "big") or n == 0


def hostile(user, is_compared):
    repo = lib.copy_of(user, DATA)
    ways = (PATIENT, PATIENT + ("--cold",)) if is_compared else (PATIENT,)
    warm, *cold = both(user, repo, [flag_of(*row[:2]) for row in ROWS], ways=ways)
    for i, (name, function, status, got) in enumerate(ROWS, 1):
        what = "%s: %s %s" % (user, name, function)
        x = warm.get(i, {})
        may_be_cut = False
        t.ok(x.get("status") == status or (may_be_cut and is_cut_short(x)), what, x)
        t.ok(is_so_far(x, got), what + ": the copies get as far as they can", x)
        # Too many answers of too few copies are taken for those of more copies.
        is_whole = got != "odd" or x.get("witnesses_explored") == 0
        for y in [c.get(i, {}) for c in cold]:
            is_cut = may_be_cut and (is_cut_short(x) or is_cut_short(y))
            differ = {} if is_cut else stays_unlike(
                user, repo, flag_of(name, function), x, y, PATIENT)
            if not is_whole:
                differ = {k: v for k, v in differ.items() if k == "status"}
            t.equal(differ, {}, what + ": as without")
            t.equal(y.get("witnesses_explored"), 0,
                    what + ": --cold explores nothing")


def hides(user):
    """Code that asks whether it is explored can hide a bug from it.  Without exploring
    it could ask whether it is under the harness (asks.py, hides_everywhere)."""
    repo = lib.copy_of(user, DATA)
    warm, cold = both(user, repo, [flag_of("asks.py", "hides_there")])
    t.ok(cold[1]["status"] == BUG and warm[1]["status"] == NONE,
         user + ": code that asks whether it is explored hides from that",
         (warm[1], cold[1]))


def slow(user):
    """Exploring stops at a slow copy, and never takes longer than not exploring."""
    repo = lib.copy_of(user, DATA)
    began = time.monotonic()
    r, records = lib.confirm(user, repo, [flag_of("slow.py", "f"),
                                          flag_of("plain.py", "no_bug")], 1,
                             ("--flag-time-s", "20"))
    took = time.monotonic() - began
    x = lib.by_number(records)
    t.ok(x[1]["status"] == BUG or x[1]["reason"] == "flag-budget",
         user + ": slow copies end, in the flag's own time", x[1])
    t.equal((x[2]["status"], x[2]["witnesses_explored"] > 8), (NONE, True),
            user + ": and cost no other flag", x[2])
    t.clock(user + ": exploring a slow function", took, 60)


def same_records(user):
    """The held-out programs and the bench's kind of flags: some flags of each, in
    the full tier all of them."""
    held = os.path.join(SRC, "tests/data/held")
    repo = lib.copy_of(user, os.path.join(held, "python"))
    with open(os.path.join(held, "python.tbl")) as f:
        rows = [x.split("\t") for x in f if x.strip() and x[0] != "#"]
    flags = [{"file": x[0], "function": x[1], "flag_class": x[2]}
             for x in (rows if FULL else rows[::9])]
    compare(user, "held", repo, flags)
    repo = lib.make_dir(user)
    subprocess.run([sys.executable, "-B", os.path.join(
        SRC, "tests/bench/confirm_shape.py"), repo], check=True)
    lib.give(user, repo)
    with open(os.path.join(repo, "flags")) as f:
        flags = [json.loads(line) for line in f]
    compare(user, "shape", repo, flags if FULL else flags[::12])


def compare(user, what, repo, flags):
    warm, cold = both(user, repo, flags, 2, 1200)
    cut = {i for i in cold if is_cut_short(warm.get(i, {})) or
           is_cut_short(cold[i])}
    differ = {i: stays_unlike(user, repo, flags[i - 1], warm.get(i, {}), cold[i])
              for i in sorted(set(cold) - cut)}
    t.equal({i: d for i, d in differ.items() if d}, {},
            "%s: %s: the same records as without" % (user, what))
    t.ok(len(cut) * 10 <= len(flags), "%s: %s: of which a clock ended few"
         % (user, what), sorted(cut))
    t.ok(sum(x["witnesses_explored"] for x in warm.values()) > len(flags),
         "%s: %s: most witnesses are explored" % (user, what))


def template_starts():
    """What the template of the synthesis does first does not fail.  A failure would
    only make it slow, so no other test would see it."""
    r = subprocess.run([sys.executable, "-B", "-c", """
import sys
sys.setrecursionlimit(6000)
import synthesise, warm_synthesis as w
for request in w.REQUESTS:
    made = synthesise.answer({**request, **w.OWN}, w.SOURCE)
    print(len(made["witnesses"]))
"""], stdout=subprocess.PIPE, text=True, env=dict(
        os.environ, PYTHONPATH=os.path.join(SRC, "src/runners/python")))
    got = r.stdout.split()
    t.ok(len(got) == 3 and all(int(n) > 8 for n in got),
         "the template's own function has witnesses", got)


for user in lib.users():
    hostile(user, FULL or user == lib.users()[-1])
user = lib.users()[-1]
hides(user)
slow(user)
same_records(user)
template_starts()
t.done()
