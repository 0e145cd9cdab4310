#!/usr/bin/env python3
"""gather_kill.t -- a gather that is stopped, killed, or runs beside another one:
the earlier output stays whole, and nothing is left behind."""
import json
import os
import random
import shutil
import signal
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True
import lib  # noqa: E402

t = lib.Tap()
CUPEL = lib.binary("cupel")
KILLS = int(os.environ.get("CUPEL_KILLS", "20"))


class Place:
    """A repository that can take two forms, its cache, and a probe that
    takes a while."""

    def __init__(self, user):
        self.user = user
        self.repo, self.cache = lib.make_dir(user), lib.make_dir(user)
        self.dir, self.tmp = lib.make_dir(user), lib.make_dir(user)
        os.chmod(self.cache, 0o700)
        self.out = self.repo + "/.cupel"
        self.form(0)
        self.mark = "mark-%d-%s" % (os.getpid(), user)

    def form(self, n):
        """Write the form aside and rename it, so that a gather never sees
        half of it."""
        lib.put(self.user, self.repo + "/.git.new", json.dumps(
            {"name": "form%d" % n, "dependencies":
             {"dep%d" % i: "1.%d" % n for i in range(2000)}}))
        os.rename(self.repo + "/.git.new", self.repo + "/package.json")

    def slow(self, seconds):
        lib.put(self.user, self.dir + "/slow.json", json.dumps(
            {"name": "slow", "version": "1", "schema_version": "1.0",
             "inputs": [{"glob": "package.json", "max_bytes": 1 << 20}],
             "command": ["python3", "-c", "import time; time.sleep(%d)"
                         % seconds, self.mark],
             "schema": "slow.schema.json"}))
        lib.put(self.user, self.dir + "/slow.schema.json", "true")

    def start(self, *options):
        return lib.start([CUPEL, "gather", "--format", "json"]
                         + list(options) + [self.repo], self.user,
                         env={"XDG_CACHE_HOME": self.cache,
                              "XDG_RUNTIME_DIR": self.tmp})

    def gather(self, *options):
        p = self.start(*options)
        return lib.finish(p, time.monotonic(), [])

    def read(self, name="repo-context.json"):
        with open(os.path.join(self.out, name), "rb") as f:
            return f.read()

    def chain(self):
        r = lib.run([CUPEL, "audit", "verify", self.out], self.user)
        return r.rc == 0 or r.brief()


def marked(mark):
    """Whether any process has the mark among its words."""
    return bool(lib.with_word(mark))


def is_stopped_by_signals(user):
    p = Place(user)
    p.gather()
    before = {n: p.read(n) for n in ("repo-context.json", "CONTEXT_REPORT.md")}
    records = os.listdir(p.out + "/runs")
    p.form(1)
    p.slow(25)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        began = time.monotonic()
        run = p.start("--probe-dir", p.dir)
        t.ok(lib.wait_until(lambda: marked(p.mark), 20)[0],
             "%s: %s: it has begun" % (user, number.name))
        os.kill(run.pid, number)
        r = lib.finish(run, began, [])
        lines = r.err.decode().splitlines()
        t.equal(r.rc, 128 + number, "%s: %s: the exit status" % (
            user, number.name), r.brief())
        t.ok("stopped by %s after " % number.name in lines[-1] and
             "of 8 probes: nothing was written" in lines[-1],
             "%s: %s: one line says what was done" % (user, number.name),
             lines)
        t.ok(not marked(p.mark), "%s: %s: no process is left" % (
            user, number.name))
        t.equal(os.listdir(p.tmp), [], "%s: %s: nor a directory" % (
            user, number.name))
        t.equal({n: p.read(n) for n in before}, before,
                "%s: %s: what stood there stays" % (user, number.name))
        t.equal(sorted(os.listdir(p.out + "/runs")), sorted(records),
                "%s: %s: and no record is made" % (user, number.name))


def is_killed_at_any_moment(user):
    p = Place(user)
    seed = int(os.environ.get("CUPEL_SEED", str(random.randrange(1 << 30))))
    dice = random.Random(seed)
    whole = []
    for n in (0, 1):
        p.form(n)
        began = time.monotonic()
        p.gather("--no-cache")
        took = time.monotonic() - began
        whole.append(p.read())
    cut = tries = 0
    while cut < KILLS and tries < 10 * KILLS:
        i = tries = tries + 1
        p.form(i % 2)
        run = p.start(*(["--no-cache"] if i % 3 else []))
        time.sleep(dice.uniform(0, took))
        run.kill()
        r = lib.finish(run, time.monotonic(), [])
        cut += r.rc == -9
        if p.read() not in whole:
            t.ok(False, "%s: half a context" % user, p.read()[:300])
        if not p.read("CONTEXT_REPORT.md").endswith(b"\n"):
            t.ok(False, "%s: half a report" % user)
    t.equal(cut, KILLS, "%s: killed in time, of %d (seed %d)"
            % (user, tries, seed))
    t.ok(True, "%s: the context was whole each time" % user)
    t.equal(p.chain(), True, user + ": so is the chain of records")
    p.form(1)
    r = p.gather()
    t.equal((r.rc, p.read()), (0, whole[1]), user + ": and the next is right",
            r.brief())
    left = [n for n in os.listdir(p.out) if n not in (
        "repo-context.json", "CONTEXT_REPORT.md", "runs", ".gitignore")]
    t.equal(left, [], user + ": with nothing left over")
    names = os.listdir(p.cache + "/cupel/gather")
    t.ok("key" in names, user + ": and a cache that can be used", names)


def a_killed_one_s_directory_is_cleared_away(user):
    p = Place(user)
    p.slow(25)
    run = p.start("--probe-dir", p.dir, "--only", "slow")
    t.ok(lib.wait_until(lambda: marked(p.mark), 20)[0], user + ": it runs")
    run.kill()
    run.communicate()
    t.ok(lib.wait_until(lambda: not marked(p.mark), 10)[0],
         user + ": killed, its vessel is gone with it")
    left = os.listdir(p.tmp)
    t.equal(len(left), 1, user + ": its directory is left", left)
    p.slow(0)
    p.gather("--probe-dir", p.dir, "--only", "slow")
    t.equal(os.listdir(p.tmp), left, user + ": a young one is not touched")
    os.utime(os.path.join(p.tmp, left[0]), (1, 1))
    p.gather("--probe-dir", p.dir, "--only", "slow", "--no-cache")
    t.equal(os.listdir(p.tmp), [], user + ": the next gather clears it away")


def many_at_once_do_not_collide(user):
    p = Place(user)
    p.gather("--no-cache")
    want = p.read()
    for cold in (True, False):
        if cold:
            shutil.rmtree(p.cache)
            os.mkdir(p.cache, 0o700)
            lib.give(user, p.cache)
        runs = [p.start("--quiet") for _ in range(6)]
        results = [lib.finish(r, time.monotonic(), []) for r in runs]
        t.equal([r.rc for r in results], [0] * 6,
                "%s: six at once, %s" % (user, "cold" if cold else "warm"),
                [r.brief() for r in results])
        t.equal(p.read(), want, user + ": one context comes out")
        t.equal(p.chain(), True, user + ": and one chain")
    names = [n for n in os.listdir(p.out + "/runs") if n.endswith(".json")]
    t.equal(len(names), 13, user + ": each has its record")


for who in lib.users():
    is_stopped_by_signals(who)
    is_killed_at_any_moment(who)
    a_killed_one_s_directory_is_cleared_away(who)
    many_at_once_do_not_collide(who)
t.done()
