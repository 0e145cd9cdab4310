#!/usr/bin/env python3
"""cgroup.t -- the cgroup of a run: each limit that it holds, with an attack and
a control; what the command sees of it; and that none is left, however the
supervisor ends.

Needs a cgroup v2 that this caller may write to.  On a hybrid host, where that tree
has no controllers, everything except the limits is tested."""
import json
import os
import signal
import sys

SRC = os.environ.get("SRC") or os.path.dirname(
    os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(SRC, "tests/live"))
sys.dont_write_bytecode = True
import lib  # noqa: E402

t = lib.Tap()
TESTING = "tests/cupel-testing"
ENTER = 'echo $$ >"$0/cgroup.procs" && exec "$@"'
WANTED = {"memory", "pids", "cpu"}


def read(path):
    try:
        with open(path) as f:
            return f.read()
    except OSError:
        return ""


MOUNT = lib.cgroup_mount()
REAL = MOUNT == "/sys/fs/cgroup" and WANTED <= set(
    read(MOUNT + "/cgroup.controllers").split())


class Place:
    """The caller's place in the tree of cgroups, and how it gets there."""

    def __init__(self, name, user, at=None, kind="root"):
        self.name, self.user, self.kind = name, user, kind
        self.env = {} if REAL else {"CUPEL_TEST_CGROUP": MOUNT}
        self.before, self.dir, self.at, self.pids = (), MOUNT, at, []
        if at is not None:
            self.dir = os.path.join(MOUNT, "cupel-live-%d-%s" % (os.getpid(),
                                                                 user))
            os.makedirs(os.path.join(self.dir, at), exist_ok=True)
            for top, _, _ in os.walk(self.dir):
                lib.cgroup_give(user, top)
            self.before = ("sh", "-c", ENTER, os.path.join(self.dir, at))

    def attack(self, options, text, drop=None):
        return lib.attack(self.user, options, text, program=TESTING,
                          drop=drop, env=self.env, before=self.before,
                          clock_s=CLOCK_S)

    def run(self, options, *command, **kw):
        return lib.go(self.user, options, *command, program=TESTING,
                      env=self.env, before=self.before, **kw)

    def start(self, *command):
        run = lib.start([lib.binary(TESTING), "run", "--repo-mode", "none",
                         "--", *command], self.user, env=self.env,
                        before=self.before)
        self.pids.append(str(run.pid))
        return run

    def plan(self):
        r = lib.run([lib.binary(TESTING), "plan", "--repo-mode", "none", "--",
                     "true"], self.user, env=self.env, before=self.before)
        return json.loads(r.out)["cgroup"]

    def left(self, prefix="cupel-run-"):
        """The cgroups that this test made, and those whose supervisor has ended;
        other tests have runs at the same time."""
        names = [n for n in os.listdir(self.dir) if n.startswith(prefix)]
        return sorted(n for n in names if n.split("-")[3] in self.pids or
                      not os.path.exists("/proc/" + n.split("-")[3]))

    def done(self):
        if self.at is not None:
            lib.cgroup_remove(self.dir)


# --- what it limits --------------------------------------------------------------

# On an emulated processor of a busy machine a second of work takes a minute.
SLOW = " --cpu-time-s 900 --wall-time-s 300"
CLOCK_S = 400
MEMORY = [
    ("heap 100", "--mem-bytes 64M"),
    ("shared 100", "--mem-bytes 64M"),
    ("tree 104 8", "--mem-bytes 64M"),
    ("tmpfs /scratch 100", "--mem-bytes 64M --scratch-bytes 256M"),
    ("page-tables 100 900", "--mem-bytes 64M"),
]


def memory(p):
    for text, options in MEMORY:
        name = "%s: %s" % (p.name, text)
        options += SLOW
        r = p.attack(options, text)
        t.equal((r.status, r.rc, r.get("reason"), r.get("partial")),
                ("MEM_LIMIT", 137, "memory_tree", False), name, r.brief())
        t.ok((r.get("usage.oom_kills") or 0) > 0 and
             r.get("usage.cpu_tree_ms") > 0,
             name + ": the kernel says so", r.get("usage"))
        peak = r.get("usage.peak_memory_bytes")
        t.ok(peak is None or 60 << 20 <= peak <= 68 << 20,
             name + ": and how much it was", peak)
        r = p.attack(options, text, drop="memory_total")
        t.equal(r.says, "won", name + ": control", r.brief())


def together(p):
    """When one process runs out of memory, all are killed: half a tree is
    never left running."""
    r = p.run("--mem-bytes 64M" + SLOW, "sh", "-c",
              "/repo/attack heap 100; echo survived", clock_s=CLOCK_S)
    t.equal((r.status, "survived" in r.get("stdout")), ("MEM_LIMIT", False),
            p.name + ": all of a tree goes with one of it", r.brief())


def small(p):
    """The few MiB that the vessel itself needs fit into what is added to the
    limit for it."""
    r = p.run("--mem-bytes 1M", "/repo/attack", "exit", "0")
    r = p.run("--mem-bytes 2M", "/bin/true") if r.rc != 0 else r
    t.ok(r.json and r.status != "INTERNAL_ERROR",
         p.name + ": a vessel fits into the least memory", r.brief())


def number_of(r):
    words = (r.json["stdout"] if r.json else "").split()
    return [w for w in words if w.isdigit()][:1]


def pids(p):
    r = p.attack("--pids-max 20", "forks 60", drop="nproc_alone")
    t.equal((r.says, number_of(r)), ("EAGAIN", ["19"]), p.name
            + ": 20 processes, the command and 19 more", r.brief())
    refused = r.get("limits_met.0.refused")
    t.ok([(m["limit"], m["by"]) for m in r.get("limits_met")] ==
         [("pids", "cgroup")] and refused > 0 and
         " %d time%s (--pids-max)" % (refused, "s" * (refused > 1))
         in r.get("message"),
         p.name + ": how often the kernel refused one is said", r.brief())
    r = p.attack("--pids-max 0", "forks 1", drop="nproc_alone")
    t.equal((r.says, number_of(r)), ("EAGAIN", ["0"]), p.name
            + ": none but the command", r.brief())
    r = p.attack("--pids-max 20", "forks 60", drop="pids")
    t.equal((r.says, number_of(r)), ("won", ["60"]), p.name
            + ": processes, control", r.brief())
    r = p.attack("--pids-max 20", "forks 60")
    t.equal(r.says, "EAGAIN", p.name + ": with RLIMIT_NPROC", r.brief())
    t.ok([m["limit"] for m in r.get("limits_met")] == ["pids"] and
         "the process limit of 20 was reached" in r.get("message"),
         p.name + ": and that it was met is said", r.get("limits_met"))


def cpu(p):
    # No rusage has its children, because nobody waits for them; few samples see one.
    words = "burn-forks 50 60 deaf"
    r = p.attack("--cpu-time-s 1", words)
    t.equal((r.status, r.rc, r.get("reason")), ("CPU_LIMIT", 152, "cpu_tree"),
            p.name + ": CPU time that nobody waits for", r.brief())
    t.ok(r.get("usage.cpu_tree_ms") >= 1000, p.name + ": and how much it was",
         r.get("usage"))
    r = p.attack("--cpu-time-s 1", words, drop="cgroup,cpu_tree,rlimit_cpu")
    t.equal(r.says, "won", p.name + ": CPU time, control", r.brief())


def cpu_share(p):
    def share(options, **kw):
        r = p.attack(options, "burn-beside 1500 1", **kw)
        return r, (r.get("usage.cpu_tree_ms") / max(1, r.get("duration_ms"))
                   if r.json else 9)

    r, s = share("--cpu-max 0.2")
    t.ok(r.says == "won" and s < 0.35, p.name + ": a fifth of a processor",
         "%s %s" % (s, r.brief()))
    t.equal(r.get("enforced.cpu_tree.details"),
            {"method": "cgroup", "bound": "exact", "ms": 30000,
             "max_milli": 200}, p.name + ": and it is said")
    for _ in range(5):  # others may have the processors for a while
        r, s = share("--cpu-max 0.2", drop="cpu_max")
        if s > 0.5:
            break
    t.ok(r.says == "won" and s > 0.5, p.name + ": a share, control",
         "%s %s" % (s, r.brief()))


def rows(p):
    r = p.run("--repo-mode none", "/bin/true")
    e = r.get("enforced")
    t.equal((r.status, r.get("partial")), ("OK", False), p.name + ": a run")
    t.equal({k: (e[k]["requested"], e[k]["applied"], e[k]["details"])
             for k in ("memory_total", "pids", "swap", "cpu_tree")},
            {"memory_total": (True, True, {
                "by": "cgroup", "version": 2, "bytes": 1 << 30,
                "overshoot_bytes": 4 << 20, "uncounted": ["file_locks"]}),
             "pids": (True, True, {"by": "cgroup", "max": 66, "soft": 64,
                                   "hard": 64}),
             "swap": (False, True, {"by": "cgroup", "bytes": 0}),
             "cpu_tree": (True, True, {"method": "cgroup", "bound": "exact",
                                       "ms": 30000})},
            p.name + ": enforced says by what")
    t.equal(r.get("usage.oom_kills"), 0, p.name + ": nothing was killed")
    t.equal(lib.schema_errors(r.out, "result.schema.json"), [],
            p.name + ": as the schema has it")


# --- what is seen, what is left ------------------------------------------------------

def seen(p):
    t.equal((p.plan() or {}).get("kind"), p.kind, p.name + ": which kind")
    r = p.run("--repo-mode none", "cat", "/proc/self/cgroup",
              "/proc/self/mountinfo")
    lines = r.get("stdout").splitlines()
    t.ok("0::/" in lines and "cupel-" not in r.get("stdout"),
         p.name + ": inside it has no name", r.brief())
    t.equal(r.get("enforced.cpu_tree.details.method"), "cgroup",
            p.name + ": there is one", r.brief())
    t.equal(p.left(), [], p.name + ": and then there is none")


def begun(p):
    run = p.start("sh", "-c", "echo up; sleep 60")
    line = run.stdout.readline()
    t.equal(line, b"up\n", p.name + ": one more runs",
            run.stderr.read() if line != b"up\n" else "")
    return run


def end(run):
    run.kill()
    run.wait()
    run.stdout.close()
    run.stderr.close()


def killed(p):
    """A supervisor that is killed leaves its cgroup; the next run removes
    that one, and no other."""
    lives = begun(p)
    mine = p.left()
    t.equal(len(mine), 1, p.name + ": a cgroup a run", mine)
    dies = begun(p)
    two = p.left()
    t.equal(len(two), 2, p.name + ": two of them", two)
    end(dies)
    its = [n for n in two if n not in mine][0]
    gone, _ = lib.wait_until(lambda: "populated 1" not in read(os.path.join(
        p.dir, its, "cgroup.events")), 5)
    t.ok(gone, p.name + ": nothing lives in what a killed one left")
    # not ours: of another PID namespace, of another user, or not a name of that form
    parts = its.split("-")
    strange = ["-".join(parts[:2] + ["1"] + parts[3:]), "cupel-run-1-0-3"]
    for n in strange:
        os.mkdir(os.path.join(p.dir, n))
        lib.give(p.user, os.path.join(p.dir, n))
    if os.geteuid() == 0:
        strange.append(its[:-1] + ("0" if its[-1] != "0" else "1"))
        os.mkdir(os.path.join(p.dir, strange[-1]))
        os.chown(os.path.join(p.dir, strange[-1]), 12345, 12345)
    r = p.run("--repo-mode none", "/bin/true")
    t.equal(r.status, "OK", p.name + ": the next run", r.brief())
    t.equal(p.left(), sorted(mine + strange), p.name + ": the next run "
            "removes it, and nobody else's")
    t.ok(lives.poll() is None, p.name + ": and harms no other run")
    for n in strange:
        os.rmdir(os.path.join(p.dir, n))
    lives.send_signal(signal.SIGTERM)
    lives.wait()
    lives.stdout.close()
    lives.stderr.close()
    t.equal(p.left(), [], p.name + ": nothing is left")


def crowd(p):
    """A cgroup that holds other processes cannot be divided: the
    run goes on without, and doctor says so."""
    script = 'echo $$ >"$0/cgroup.procs" && "$@"; true'
    p.before = ("sh", "-c", script) + p.before[3:]
    r = p.run("--repo-mode none", "/bin/true")
    t.equal((r.status, r.get("enforced.memory_total.details.by"),
             r.get("enforced.pids.details.by")),
            ("OK", "watchdog", "rlimit_nproc"),
            p.name + ": not alone: the watchdog", r.brief())
    t.equal(p.plan(), None, p.name + ": not alone: no cgroup is planned")
    r = lib.run([lib.binary(TESTING), "doctor"], p.user, env=p.env,
                before=p.before)
    t.has(r.out.decode(), "other processes are in the cgroup of this process",
          p.name + ": not alone: doctor says why")
    without(p)


# --- without one ------------------------------------------------------------------

def without(p):
    r = p.run("--cpu-max 0.5 --repo-mode none", "/bin/true")
    t.equal((r.status, r.get("rc"), r.get("started"), r.get("stage"),
             r.get("cause")), ("INTERNAL_ERROR", 1, False, "limit", "host"),
            p.name + ": a share of the processors, strict", r.brief())
    t.has(r.get("message") or "", "--cpu-max needs a cgroup",
          p.name + ": a share of the processors, strict: says what it needs")
    r = p.run("--cpu-max 0.5 --repo-mode none --allow-partial", "/bin/true")
    t.equal((r.status, r.get("partial"), r.get("reason"),
             r.get("enforced.cpu_tree.applied")),
            ("OK", True, "PARTIAL_ENFORCEMENT", False),
            p.name + ": a share of the processors, partial", r.brief())


def main():
    if MOUNT is None or not os.access(MOUNT + "/cgroup.procs", os.W_OK):
        print("1..0 # SKIP no cgroup v2 that this user may write to")
        return
    places = [Place("root", "root")]
    if "user" in lib.users():
        places.append(Place("user, beside", "user", "leaf", "subtree"))
    for p in places:
        seen(p)
        killed(p)
        if REAL:
            rows(p)
            small(p)
            memory(p)
            together(p)
            pids(p)
            cpu(p)
            cpu_share(p)
        else:
            print("# no limits: this tree has no controllers")
        p.done()
    for user in lib.users():
        p = Place(user + ", alone", user, ".", "alone")
        seen(p)
        t.equal(len(p.left("cupel-caller-")) > 0, True, p.name
                + ": the caller's leaf is there")
        p.done()
    if "user" in lib.users():  # root would have the top of the tree
        p = Place("user, in a crowd", "user", ".")
        crowd(p)
        p.done()
    t.equal([n for n in os.listdir(MOUNT)
             if n.startswith("cupel-live-%d-" % os.getpid())] +
            places[0].left(), [], "nothing is left")
    t.done()


main()
