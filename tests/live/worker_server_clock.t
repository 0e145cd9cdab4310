#!/usr/bin/env python3
"""worker_server_clock.t -- the clock of the JetStream server's host is set by an hour,
ahead or back, while requests are under way, and while the server is not there:
nothing is lost and nothing has two answers.

The clock is set for the server alone (clock_shift.c).  The times of its messages show
that it is."""
import calendar
import os
import signal
import struct
import subprocess
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True
import lib  # noqa: E402
import worker_world as world  # noqa: E402
from worker_world import ids_of, lines_of, run_of, shell  # noqa: E402

HOUR = 3600
SHIFT = os.path.join(lib.TMP, "clock_shift")
REQUESTS = [run_of(i, shell("sleep %s; echo %d" % (3 if i < 2 else 0, i)))
            for i in range(12)]  # two last longer than the ack wait
WANTED = sorted(r["id"] for r in REQUESTS)


def compiled(tap):
    r = subprocess.run(
        os.environ.get("CC", "cc").split() + [
            "-O1", "-D_GNU_SOURCE", "-o", SHIFT,
            os.path.join(lib.SRC, "tests/live/clock_shift.c")],
        capture_output=True, text=True)
    tap.equal(r.returncode, 0, "there is a clock that can be set", r.stderr)
    os.chmod(SHIFT, 0o755)


class Scene:
    """A server with a clock of its own, and a client."""

    def __init__(self, user):
        path = lib.put(user, lib.make_dir(user) + "/shift", struct.pack("q", 0))
        self.user, self.file = user, open(path, "r+b", buffering=0)
        self.server = world.Server(user, under=[SHIFT, path])
        self.c = world.Client(self.server.port)

    def set(self, seconds):
        """Make the clock wrong by that much."""
        os.pwrite(self.file.fileno(), struct.pack("q", seconds), 0)

    def worker(self, *words):
        return world.Worker(self.server, self.user, *words).ready()

    def submit(self, requests, timeout_s=60):
        """A `cupel submit` that is running."""
        path = lib.put(self.user, lib.make_dir(self.user) + "/requests",
                       lines_of(requests))
        return world.start(
            [lib.binary("cupel"), "submit", "--nats", self.server.url,
             "--timeout", str(timeout_s), path], self.user,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def pending(self, number):
        """Wait until so many requests are being done."""
        lib.wait_until(lambda: self.c.pending() == number, 20)
        time.sleep(0.3)

    def wrong_by(self):
        """Seconds between the server's clock, as its messages have it, and ours."""
        self.c.put("run", run_of("clock"))
        seq = self.c.state("cupel-requests")["last_seq"]
        stored = self.c.request("$JS.API.STREAM.MSG.GET.cupel-requests",
                                b'{"seq":%d}' % seq)["message"]["time"]
        return calendar.timegm(time.strptime(stored[:19], "%Y-%m-%dT%H:%M:%S")) \
            - time.time()

    def answers(self, p):
        """The end of a submit, and the ids that it printed and that are stored."""
        out, self.said = p.communicate(timeout=90)
        return (p.returncode, ids_of(out),
                sorted(a["id"] for a in self.c.answers() if a["id"] != "clock"))

    def return_with(self, step):
        """End the server, set its clock, and begin it again with its store."""
        self.c.close()
        self.server.end()
        self.set(step)
        self.server.begin()
        self.c = world.Client(self.server.port)

    def end(self):
        self.c.close()
        self.server.end()


def is_by(seconds, wanted):
    return abs(seconds - wanted) < 30


# --- while requests are under way, and while the server is not there ---------------------

def through(tap, user, what, step, change):
    """Have the clock changed while two requests are being done, and the others wait.
    Returns how many requests were stored."""
    s = Scene(user)
    w = s.worker("--jobs", "2")
    p = s.submit(REQUESTS)
    s.pending(2)
    change(s, step)
    tap.ok(is_by(s.wrong_by(), step), what % "the server's clock is so")
    tap.equal(s.answers(p), (0, WANTED, WANTED), what % "each is answered once",
              "%r %s" % (s.said, w.said()))
    stored = s.c.state("cupel-requests")["last_seq"] - 1  # without "clock"
    w.end()
    s.end()
    return stored


def ahead(tap, user):
    through(tap, user, "set ahead: %%s [%s]" % user, HOUR, Scene.set)


def back(tap, user):
    through(tap, user, "set back: %%s [%s]" % user, -HOUR, Scene.set)


def returned_ahead(tap, user):
    """The time for which the server knows identifiers is over, so it stores again what
    `cupel submit` has no answer to."""
    what = "returns an hour ahead: %%s [%s]" % user
    for _ in range(3):  # on a busy machine most may have had their answers by then
        stored = through(tap, user, what, HOUR, Scene.return_with)
        if stored > len(WANTED) + 8:
            break
    tap.ok(stored > len(WANTED) + 8, what % "(control) many were stored twice", stored)


def returned_back(tap, user):
    what = "returns an hour back: %%s [%s]" % user
    stored = through(tap, user, what, -HOUR, Scene.return_with)
    tap.equal(stored, len(WANTED), what % "none was stored twice")


def asked_again(tap, user):
    """The server has forgotten the identifiers of requests and answers; what is stored
    on the subject of an answer decides."""
    what = "returns an hour ahead, asked again: %%s [%s]" % user
    s = Scene(user)
    w = s.worker("--jobs", "2")
    some = REQUESTS[2:6]
    first = s.answers(s.submit(some))
    before = s.c.answers()
    s.return_with(HOUR)
    for r in some:
        s.c.put("run", r, Nats_Msg_Id=r["id"])
    lib.wait_until(lambda: s.c.state("cupel-requests")["messages"] == 0, 20)
    tap.equal((first[0], s.c.answers()), (0, before),
              what % "the first answers stay, and are the only ones", w.said())
    w.end()
    tap.equal(w.count("repeated_answers_total"), 4.0,
              what % "(control) each was done again", w.said())
    s.end()


# --- what a killed worker had --------------------------------------------------------------

def killed(tap, user):
    """The server counts the wait by its clock, so it gives what a killed worker had to
    another one when its clock has caught up; until then it is kept."""
    what = "set back, a worker is killed: %%s [%s]" % user
    s = Scene(user)
    first = s.worker("--jobs", "1")
    p = s.submit([run_of("a", shell("sleep 1; echo a"))])
    s.pending(1)
    s.set(-HOUR)
    first.process.kill()
    second = s.worker("--jobs", "1")
    time.sleep(3 * world.ACK_WAIT_S)
    tap.equal((p.poll(), s.c.pending(), s.c.answers()), (None, 1, []),
              what % "the request is kept", second.said())
    s.set(0)
    tap.equal(s.answers(p), (0, ["a"], ["a"]),
              what % "and answered once when the clock is right again",
              "%r %s" % (s.said, second.said()))
    second.end(signal.SIGTERM)
    s.end()


world.main((), (ahead, back, returned_ahead, returned_back, asked_again, killed),
           first=compiled, needs=("cc",))
