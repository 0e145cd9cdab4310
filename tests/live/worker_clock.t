#!/usr/bin/env python3
"""worker_clock.t -- the clock of a worker's host is set by an hour, ahead or back,
while requests are under way: nothing is lost, done twice, late or early.

The clock is set for the processes of the test alone (clock_step.c).  The controls
are the same program with libc's clock: there a step is seen."""
import json
import os
import re
import struct
import subprocess
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True
import lib  # noqa: E402
import worker_world as world  # noqa: E402
from worker_world import ids_of, run_of, shell  # noqa: E402

HOUR = 3600
STEADY, UNSTEADY = "cupel-worker", "tests/live/worker_unsteady"
PRELOADED = os.path.join(lib.TMP, "clock_step.so")
REPLY_S = 5  # how long a server may take to confirm that it stored something


def compiled(tap):
    r = subprocess.run(
        os.environ.get("CC", "cc").split() + [
            "-O1", "-D_GNU_SOURCE", "-shared", "-fPIC", "-o", PRELOADED,
            os.path.join(lib.SRC, "tests/live/clock_step.c")],
        capture_output=True, text=True)
    tap.equal(r.returncode, 0, "there is a clock that can be set", r.stderr)
    for name in (UNSTEADY, "cupel"):
        lib.binary(name)


class Clock:
    """The wall clock of some processes."""

    def __init__(self, user):
        path = lib.put(user, lib.make_dir(user) + "/step", struct.pack("q", 0))
        self.file = open(path, "r+b", buffering=0)
        self.env = {"LD_PRELOAD": PRELOADED, "CLOCK_STEP": path}

    def set(self, seconds):
        """Make the clock wrong by that much."""
        os.pwrite(self.file.fileno(), struct.pack("q", seconds), 0)

    def turn(self, seconds, over_s):
        """Make the clock wrong by that much in two steps.  A wait that begins just
        after the first step takes its end from the clock as it is then; the second
        step changes the clock during that wait, too."""
        self.set(seconds // 2)
        time.sleep(over_s)
        self.set(seconds)

    def worker(self, server, user, program, *words, url=None):
        return world.Worker(server, user, *words, program=lib.binary("cupel"),
                            worker=program, env=self.env, url=url).ready()

    def submit(self, server, user, program, requests, timeout_s):
        """A `cupel submit` that is running; its stderr is a file."""
        place = lib.make_dir(user)
        path = lib.put(user, place + "/requests", world.lines_of(requests))
        p = world.start(
            [lib.binary(program), lib.binary("cupel"), "submit", "--nats",
             server.url, "--timeout", str(timeout_s), path], user, self.env,
            stdout=subprocess.PIPE, stderr=open(place + "/said", "wb"))
        p.said = place + "/said"
        return p


def said(p):
    with open(p.said, encoding="utf-8") as f:
        return f.read()


def date_of(clock):
    """The time in seconds that a program gets when it asks."""
    r = subprocess.run(["date", "+%s"], env=dict(os.environ, **clock.env),
                       capture_output=True, text=True, check=True)
    return int(r.stdout)


# --- a step while requests are under way -------------------------------------------

NOTHING = re.compile(rb"(?!)")
REQUESTS = [run_of(i, shell("sleep %s; echo %d" % (3 if i < 2 else 0, i)))
            for i in range(12)]  # two last longer than the ack wait


class UnderWay:
    """A worker that is busy with two requests, and others that wait."""

    def __init__(self, user, server, program, lost):
        self.clock, self.c = Clock(user), world.Client(server.port)
        self.proxy = world.Proxy(server.port, lost)
        self.w = self.clock.worker(server, user, program, "--jobs", "2",
                                   url=self.proxy.url)
        self.p = self.clock.submit(server, user, program, REQUESTS, 60)
        lib.wait_until(lambda: self.c.pending() == 2, 20)
        time.sleep(0.3)
        self.out = b""

    def ends(self, clock_s):
        """Wait for the end and read the output: it is more than a pipe holds."""
        try:
            self.out, _ = self.p.communicate(timeout=clock_s)
        except subprocess.TimeoutExpired:
            return False
        return True

    def end(self, tap, what):
        self.ends(90)
        wanted = sorted(r["id"] for r in REQUESTS)
        tap.equal((self.p.returncode, ids_of(self.out)), (0, wanted),
                  what % "each is answered once", said(self.p))
        tap.equal(sorted(a["id"] for a in self.c.answers()), wanted,
                  what % "and has one answer")
        self.w.end()
        w = self.w
        tap.equal((w.count("delivered_total"), w.count("redelivered_total"),
                   w.ends("done"), w.count("repeated_answers_total")),
                  (12, 0, 12, 0), what % "none was done twice", w.said())
        self.c.close()


def ahead(tap, user, server):
    what = "set ahead: %%s [%s]" % user
    u = UnderWay(user, server, STEADY, NOTHING)
    u.clock.set(HOUR)
    tap.ok(abs(date_of(u.clock) - time.time() - HOUR) < 5,
           what % "the clock is so")
    tap.ok(u.ends(20), what % "in its time", u.w.said())
    u.end(tap, what)


def set_back(user, server, program):
    """Set the clock back while the worker waits for a reply that cannot come, because
    its message was lost.  (If the reply comes, the wait ends by any clock.)"""
    u = UnderWay(user, server, program, world.ANSWER)
    lib.wait_until(lambda: u.proxy.lost, 20)
    u.clock.turn(-HOUR, 1)
    return u


def back(tap, user, server):
    what = "set back: %%s [%s]" % user
    u = set_back(user, server, STEADY)
    tap.ok(u.proxy.lost and abs(date_of(u.clock) - time.time() + HOUR) < 5,
           what % "the clock is so, and an answer was lost")
    tap.ok(u.ends(20), what % "in its time", u.w.said())
    u.end(tap, what)


def control_under_way(tap, user, server):
    what = "control, set back with libc's clock: %%s [%s]" % user
    u = set_back(user, server, UNSTEADY)
    tap.ok(u.proxy.lost and not u.ends(20), what % "not in its time", u.w.said())
    u.clock.set(0)
    u.end(tap, what)


# --- a step while the server is looked for -------------------------------------------

def lost(user, server, program, step):
    """Set the clock while there is no server.  Returns whether an answer came within
    8 s of the server's return, the ids of all answers, and what was said."""
    clock, c = Clock(user), world.Client(server.port)
    w = clock.worker(server, user, program, "--jobs", "1")
    p = clock.submit(server, user, program, [run_of("a", ["/bin/sleep", "1"]),
                                             run_of("b")], 60)
    lib.wait_until(lambda: c.pending() == 1, 20)
    c.close()
    server.end()
    time.sleep(2)
    clock.turn(step, 0.2)  # shorter than the wait between two attempts
    time.sleep(0.1)
    server.begin()
    soon, _ = lib.wait_until(lambda: p.poll() is not None, 8)
    clock.set(0)
    out, _ = p.communicate(timeout=90)
    w.end()
    c = world.Client(server.port)
    stored = sorted(a["id"] for a in c.answers())
    c.close()
    return soon, ids_of(out), stored, said(p) + w.said()


def lost_ahead(tap, user, server):
    *got, text = lost(user, server, STEADY, HOUR)
    tap.equal(got, [True, ["a", "b"], ["a", "b"]],
              "set ahead without a server: each has one answer, soon [%s]" % user,
              text)


def lost_back(tap, user, server):
    *got, text = lost(user, server, STEADY, -HOUR)
    tap.equal(got, [True, ["a", "b"], ["a", "b"]],
              "set back without a server: each has one answer, soon [%s]" % user,
              text)


def control_back(tap, user, server):
    *got, text = lost(user, server, UNSTEADY, -HOUR)
    tap.equal(got, [False, ["a", "b"], ["a", "b"]],
              "control: with libc's clock not before it is set right [%s]" % user,
              text)


# --- a step while submit waits for a silent server --------------------------------------

def silence(user, server, program, step):
    """Seconds until submit says that a request is not stored yet."""
    world.Worker(server, user).ready().end()
    clock = Clock(user)
    place = lib.make_dir(user)
    p = world.start(
        [lib.binary(program), lib.binary("cupel"), "submit", "--no-wait",
         "--nats", server.url, "--timeout", "40"], user, clock.env,
        stdin=subprocess.PIPE, stderr=open(place + "/said", "wb"))
    p.said = place + "/said"
    c = world.Client(server.port)
    # The first is stored, so there is a connection.
    p.stdin.write(json.dumps(run_of("first")).encode() + b"\n")
    p.stdin.flush()
    lib.wait_until(lambda: c.state("cupel-requests")["messages"] == 1, 20)
    server.process.send_signal(world.signal.SIGSTOP)
    began = time.monotonic()
    p.stdin.write(json.dumps(run_of("second")).encode() + b"\n")
    p.stdin.close()
    time.sleep(1)
    clock.set(step)
    lib.wait_until(lambda: "not stored yet" in said(p), 20)
    seconds = time.monotonic() - began
    server.process.send_signal(world.signal.SIGCONT)
    code = p.wait(60)
    messages = c.state("cupel-requests")["messages"]
    c.close()
    return seconds, (code, messages), said(p)


def silent(tap, user, server):
    seconds, end, text = silence(user, server, STEADY, HOUR)
    tap.clock("a server's time to reply [%s]" % user, seconds, REPLY_S + 3)
    tap.ok(REPLY_S - 1 < seconds and end == (0, 2),
           "set ahead, a server has its time to reply, and stores one [%s]" % user,
           (seconds, end, text))


def control_silent(tap, user, server):
    seconds, end, text = silence(user, server, UNSTEADY, HOUR)
    tap.ok(1 <= seconds < REPLY_S - 1,
           "control: with libc's clock it has not [%s]" % user,
           (seconds, end, text))


# --- the time of --timeout ------------------------------------------------------------

def patience(tap, user, step):
    server, clock = world.Server(user), Clock(user)
    began = time.monotonic()
    p = clock.submit(server, user, STEADY, [run_of("a")], 4)
    c = world.Client(server.port)
    lib.wait_until(lambda: c.has("cupel-requests") and
                   c.state("cupel-requests")["messages"] == 1, 20)
    c.close()
    clock.set(step)
    ended, _ = lib.wait_until(lambda: p.poll() is not None, 30)
    seconds = time.monotonic() - began
    tap.clock("--timeout 4, set by %+d s [%s]" % (step, user), seconds, 4 + 7)
    tap.ok(ended and 3.5 < seconds and p.poll() == 1 and
           re.search("--timeout: 1 answer did not come", said(p)),
           "set by %+d s, --timeout is over at its time [%s]" % (step, user),
           (seconds, p.poll(), said(p)))
    server.end()


def patience_ahead(tap, user):
    patience(tap, user, HOUR)


def patience_back(tap, user):
    patience(tap, user, -HOUR)


world.main((ahead, back, control_under_way, lost_ahead, lost_back,
            control_back, silent, control_silent), (patience_ahead, patience_back), first=compiled,
           needs=("cc",))
