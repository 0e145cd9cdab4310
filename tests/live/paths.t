#!/usr/bin/env python3
"""paths.t -- writing to places that another user prepared: links, fifos,
hard links and directories; and logs that came with a repository. Each attack
has a control: with its wall taken down, it succeeds."""
import fcntl
import json
import os
import shutil
import signal
import sys
import time

SRC = os.environ.get("SRC") or os.path.dirname(
    os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(SRC, "tests/live"))
sys.dont_write_bytecode = True
import lib  # noqa: E402

t = lib.Tap()
CUPEL = lib.binary("cupel")
SECRET = "precious\n"
HAS_CONTROLS = os.environ.get("CUPEL_CONTROLS") != "no"
CODE = "def mean(xs):\n    return sum(xs) / len(xs)\n"
FLAG = '{"file": "m.py", "function": "mean", "flag_class": "div-zero"}\n'


class Place:
    """dir: a directory that another user prepared and anybody may write to.
    home: the user's own directory beside it, with a file that must not
    change."""

    def __init__(self, user):
        self.user = user
        self.other = "root" if user == "user" else "user"
        self.top = lib.make_dir(user)
        self.dir = self.top + "/place"
        os.mkdir(self.dir)
        lib.give(self.other, self.dir)
        os.chmod(self.dir, 0o777)
        self.home = self.top + "/home"
        os.makedirs(self.home + "/sub")
        lib.give(user, self.home)
        lib.give(user, self.home + "/sub")
        self.victim = lib.put(user, self.home + "/victim", SECRET, 0o600)
        self.repo = self.top + "/repo"
        os.mkdir(self.repo)
        lib.give(user, self.repo)
        lib.put(user, self.repo + "/m.py", CODE)
        lib.put(user, self.repo + "/flags", FLAG)
        self.env = {"XDG_CACHE_HOME": lib.make_dir(user)}

    def link(self, to, name):
        os.symlink(to, self.dir + "/" + name)
        lib.give(self.other, self.dir + "/" + name)

    def run(self, argv, drop=None, **kw):
        env = dict(self.env)
        program = CUPEL
        if drop:
            env["CUPEL_TEST_GATHER_DROP"] = drop
            program = lib.binary("tests/cupel-testing")
        return lib.run([program] + argv, self.user, cwd=self.dir, env=env,
                       **kw)

    def is_safe(self):
        with open(self.victim) as f:
            return f.read() == SECRET and os.stat(self.victim).st_size == 9


def run(*options):
    return ["run", "--repo-mode", "none"] + list(options) + [
        "--", "sh", "-c", "echo out; echo err >&2"]


# Ways to write a file: the arguments, and the wall that keeps it from following links.
WRITERS = {
    "run --stdout": (lambda p, f: run("--stdout", f), "outfile_links"),
    "run --stderr": (lambda p, f: run("--stderr", f), "outfile_links"),
    "run --json": (lambda p, f: run("--json=" + f), "outfile_links"),
    "plan --json": (lambda p, f: ["plan", "--json=" + f, "--repo-mode", "none",
                                  "--", "true"], "outfile_links"),
    "probe --record": (lambda p, f: ["probe", "--record", f,
                                     "language_detection", p.repo],
                       "outfile_links"),
    "gather --events": (lambda p, f: ["gather", "--quiet", "--events", f,
                                      "--out", p.home + "/out", p.repo],
                        "outfile_links,events_links"),
    "confirm LOG": (lambda p, f: ["confirm", "--repo", p.repo,
                                  p.repo + "/flags", f],
                    "outfile_links,events_links"),
}


def links(user):
    for name, (argv, wall) in WRITERS.items():
        for kind, to, path in (("a link", "victim", "x"),
                               ("a linked directory", "", "x/victim"),
                               ("a linked directory and ..", "sub",
                                "x/../victim")):
            p = Place(user)
            p.link((p.home + "/" + to).rstrip("/"), "x")
            r = p.run(argv(p, path))
            t.ok(r.rc == 2 and p.is_safe() and b"symbolic link" in r.err and
                 os.listdir(p.dir) == ["x"],
                 "%s: %s: %s is not followed" % (user, name, kind), r.brief())
            r = p.run(argv(p, p.dir + "/" + path))
            t.ok(r.rc == 2 and p.is_safe(),
                 "%s: %s: nor in an absolute path: %s" % (user, name, kind),
                 r.brief())
            if HAS_CONTROLS:
                r = p.run(argv(p, path), drop=wall)
                t.ok(not p.is_safe(), "%s: %s: without the wall %s is"
                     % (user, name, kind), r.brief())
        p = Place(user)
        p.link(p.home + "/new", "x")
        r = p.run(argv(p, "x"))
        t.ok(r.rc == 2 and not os.path.exists(p.home + "/new"),
             "%s: %s: nothing is made behind a dangling link" % (user, name),
             r.brief())
        os.mkdir(p.dir + "/d")
        os.chmod(p.dir + "/d", 0o777)
        r = p.run(argv(p, "d/../d/x"))
        t.ok(r.rc == 0 and os.path.getsize(p.dir + "/d/x") > 0,
             "%s: %s: a path without links is written" % (user, name),
             r.brief())


def artifacts(user):
    p = Place(user)
    p.link(p.victim, "x")
    p.link(p.home, "d")
    make = ["--", "sh", "-c", "echo new >/scratch/a"]
    r = p.run(["run", "--repo-mode", "none", "--artifact", "/scratch/a:x",
               "--artifact", "/scratch/a:d/victim",
               "--artifact", "/scratch/a:sub/a"] + make)
    t.ok(r.rc == 0 and p.is_safe() and not os.path.islink(p.dir + "/x") and
         b"write_failed" in r.err, user + ": an artifact goes through no link",
         r.brief())
    t.ok(open(p.dir + "/sub/a").read() == "new\n",
         user + ": and makes directories that are missing")


def kinds(user):
    for name, (argv, _) in WRITERS.items():
        p = Place(user)
        os.mkdir(p.dir + "/d")
        r = p.run(argv(p, "d"))
        t.ok(r.rc == 2 and r.err.count(b"\n") == 1 and not os.listdir(
            p.dir + "/d"), "%s: %s: a directory is refused" % (user, name),
            r.brief())
        os.mkfifo(p.dir + "/fifo", 0o666)
        os.chmod(p.dir + "/fifo", 0o666)
        lib.give(p.other, p.dir + "/fifo")
        r = p.run(argv(p, "fifo"), clock_s=lib.CLOCK_S)
        t.ok(r.rc in (1, 2),
             "%s: %s: a fifo without a reader is not waited for"
             % (user, name), r.brief())
        if user == "user" and os.geteuid() == 0:
            lib.put("root", p.top + "/closed/x" if os.mkdir(
                p.top + "/closed") is None else "", "old\n", 0o666)
            r = p.run(argv(p, p.top + "/closed/y"))
            t.ok(r.rc == 2 and b"ermission denied" in r.err and
                 os.listdir(p.top + "/closed") == ["x"],
                 "%s: %s: a directory that cannot be written is told"
                 % (user, name), r.brief())


def fifos(user):
    """Another user's fifo is refused even when a process reads it."""
    p = Place(user)
    os.mkfifo(p.dir + "/fifo", 0o666)
    os.chmod(p.dir + "/fifo", 0o666)
    reader = os.open(p.dir + "/fifo", os.O_RDONLY | os.O_NONBLOCK)
    for who in (p.other, user):
        lib.give(who, p.dir + "/fifo")
        r = p.run(run("--stdout", "fifo"))
        got = os.read(reader, 100)
        if who == user or user == "user":  # a fifo of root's is not a trap
            t.ok(r.rc == 0 and got == b"out\n",
                 user + ": a fifo of one's own, or root's, is written",
                 r.brief())
        else:
            t.ok(r.rc == 2 and got == b"" and b"another user" in r.err,
                 user + ": another user's fifo is not", r.brief())
    os.close(reader)


def status_in(out):
    """The status of the only result in what was printed, or None."""
    texts = [line for line in out.splitlines() if line.startswith(b"{")]
    return json.loads(texts[0]).get("status") if len(texts) == 1 else None


def streams(user):
    p = Place(user)
    for path in ("/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"):
        r = p.run(run("--json=" + path, "--quiet"))
        t.ok(r.rc == 0 and status_in(r.out) == "OK",
             "%s: --json=%s is the descriptor" % (user, path), r.brief())
        r = p.run(run("--stdout", path))
        t.equal((r.rc, r.out), (0, b"out\n"),
                "%s: --stdout %s, too" % (user, path), r.brief())
    r = p.run(run("--json=/dev/null", "--stdout", "/dev/null",
                  "--stderr=/dev/stderr"))
    t.equal((r.rc, r.out, r.err), (0, b"", b"err\n"),
            user + ": /dev/null and /dev/stderr are written to as they are",
            r.brief())


def replaces(user):
    """A new file replaces the old one; the old file keeps its content under its other
    names."""
    for name, option in (("--stdout", ["--stdout", "x"]),
                         ("--json", ["--json=x"])):
        p = Place(user)
        os.link(p.victim, p.dir + "/x")
        r = p.run(run(*option))
        t.ok(r.rc == 0 and p.is_safe() and
             os.stat(p.dir + "/x").st_mode & 0o777 == 0o600 and
             open(p.dir + "/x").read() != SECRET and
             os.listdir(p.dir) == ["x"],
             "%s: %s: a hard link's other name keeps its bytes, the new file "
             "the mode" % (user, name), r.brief())
    p = Place(user)
    os.link(p.victim, p.dir + "/x")
    r = p.run(WRITERS["gather --events"][0](p, "x"))
    t.ok(r.rc == 2 and p.is_safe() and b"hard link" in r.err,
         user + ": what is appended to has no second name", r.brief())
    if HAS_CONTROLS:
        r = p.run(WRITERS["gather --events"][0](p, "x"), drop="log_owner")
        t.ok(not p.is_safe(), user + ": without the wall it would change",
             r.brief())
    p = Place(user)
    lib.put(user, p.dir + "/x", "old\n")
    r = p.run(["run", "--repo-mode", "none", "--stdout", "x", "--json=no/y", "--",
               "true"])
    t.ok(r.rc == 2 and open(p.dir + "/x").read() == "old\n" and
         os.listdir(p.dir) == ["x"],
         user + ": a request that starts nothing replaces nothing", r.brief())


def one_for_both(user):
    p = Place(user)
    r = p.run(run("--stdout", "x", "--stderr", "x"))
    t.ok(r.rc == 0 and sorted(open(p.dir + "/x").read().split()) ==
         ["err", "out"] and os.listdir(p.dir) == ["x"],
         user + ": --stdout and --stderr can have one file", r.brief())


def full_disk(user):
    """On a full disk, a result that does not fit leaves the old file
    unchanged, and nothing else."""
    p = Place(user)
    script = ("mount -t tmpfs -o size=8k none %s && cd %s && echo old >r && "
              "\"$@\"; echo rc $?; ls -A; cat r" % (p.dir, p.dir))
    r = lib.run(["unshare", "-rm", "sh", "-c", script, "sh", CUPEL, "run",
                 "--repo-mode", "none", "--json=r", "--", "sh", "-c",
                 "head -c 60000 /dev/zero | tr '\\0' x"], user)
    t.ok(r.out.endswith(b"rc 1\nr\nold\n") and b"No space" in r.err,
         user + ": a full disk leaves no half of a result", r.brief())


def races(user):
    """The link is made while the command runs."""
    for option, path in (("--json=d/victim", "d"), ("--stdout=victim", "")):
        p = Place(user)
        os.mkdir(p.dir + "/d")
        os.chmod(p.dir + "/d", 0o777)
        nap = lib.nap(2)
        q = lib.start([CUPEL, "run", "--repo-mode", "none", option, "--", "sh",
                       "-c", "sleep %s; echo late" % nap], p.user, cwd=p.dir)
        lib.wait_until(lambda: lib.with_word(nap), 30)
        if path:
            os.rename(p.dir + "/d", p.dir + "/e")
            p.link(p.home, "d")
        else:
            os.unlink(p.dir + "/victim")
            p.link(p.victim, "victim")
        r = lib.finish(q, time.monotonic(), [option])
        t.ok(p.is_safe() and (not path or (
            r.rc == 1 and b"symbolic link" in r.err)),
            "%s: %s: a link that comes during the run is not followed"
            % (user, option), r.brief())


def reads(user):
    """A fifo in place of an input file is not waited for, even when it has a
    writer."""
    p = Place(user)
    os.mkfifo(p.dir + "/fifo", 0o666)
    os.chmod(p.dir + "/fifo", 0o666)
    keep = os.open(p.dir + "/fifo", os.O_RDWR)
    for argv in (["run", "--spec", "fifo"], ["validate", "fifo"],
                 ["run", "--profile", "./fifo", "--", "true"],
                 ["run", "--result-schema", "fifo", "--", "true"],
                 ["run", "--result-schema", "/dev/null", "--ref", "u:x=fifo",
                  "--", "true"],
                 ["validate", "--schema", "fifo", p.repo + "/flags"],
                 ["confirm", "--repo", p.repo, "fifo", p.repo + "/log"],
                 ["confirm", "--rules", "fifo", "--repo", p.repo,
                  p.repo + "/flags", p.repo + "/log"],
                 ["confirm", "--spec", "fifo", "--repo", p.repo,
                  p.repo + "/flags", p.repo + "/log"]):
        r = p.run(argv, clock_s=lib.CLOCK_S)
        t.ok(r.rc == 2 and r.err.count(b"\n") == 1,
             "%s: a fifo is not read: %s" % (user, " ".join(argv[:2])),
             r.brief())
    os.close(keep)


class Repo(Place):
    """A repository that brings its own .cupel directory."""

    def __init__(self, user):
        super().__init__(user)
        self.own = self.repo + "/.cupel"
        os.mkdir(self.own)
        lib.give(user, self.own)
        self.flags = lib.put(user, self.own + "/review-flags.jsonl", FLAG)
        self.log = self.own + "/run-log.jsonl"

    def confirm(self, *options, **kw):
        return self.run(["confirm", "--repo", self.repo] + list(options), **kw)

    def records(self):
        with open(self.log) as f:
            return [json.loads(x) for x in f]


def seals(user):
    p = Repo(user)
    r = p.confirm()
    (record,) = p.records()
    t.ok(r.rc == 0 and record["status"] == "confirmed-bug" and
         record["seal"].startswith("blake3:"),
         user + ": a record carries a seal", r.brief())
    r = p.confirm("--resume")
    t.ok(r.rc == 0 and b"have a record already: 1 of 1" in r.err and
         len(p.records()) == 1, user + ": and is believed", r.brief())
    for name, edit in (
            ("without its seal", lambda x: x.pop("seal")),
            ("with the seal of another verdict",
             lambda x: x.update(status="no-bug-found")),
            ("with a seal of one's own making",
             lambda x: x.update(seal="blake3:" + 64 * "0"))):
        forged = dict(record)
        edit(forged)
        lib.put(user, p.log, json.dumps(forged, separators=(",", ":")) + "\n")
        r = p.confirm("--resume")
        t.ok(r.rc == 0 and b"records ignored: 1 (not written by this user" in r.err
             and json.loads(r.out)["confirmed"] == 1,
             "%s: a record %s is not" % (user, name), r.brief())
    if HAS_CONTROLS:
        lib.put(user, p.log, json.dumps(forged) + "\n")
        r = p.confirm("--resume", drop="log_seal")
        t.ok(json.loads(r.out)["confirmed"] == 0,
             user + ": without the wall the flag is left out", r.brief())
    q = Repo(user)
    q.env = p.env
    whole = (json.dumps(record, separators=(",", ":"), ensure_ascii=False)
             + "\n")
    lib.put(user, q.log, whole)
    r = q.confirm("--resume")
    t.ok(json.loads(r.out)["confirmed"] == 1 and b"records ignored: 1" in r.err,
         user + ": nor is one of another repository", r.brief())
    lib.put(user, p.log, whole)
    r = p.confirm("--resume")
    t.ok(json.loads(r.out)["confirmed"] == 0,
         user + ": which is believed where it belongs", r.brief())
    p.env = {"XDG_CACHE_HOME": lib.make_dir(user)}
    r = p.confirm("--resume")
    t.ok(json.loads(r.out)["confirmed"] == 1,
         user + ": nor is one under another key", r.brief())
    p.env = {"XDG_CACHE_HOME": "", "HOME": "/dev/null"}
    lib.put(user, p.log, whole)
    r = p.confirm("--resume")
    t.ok(json.loads(r.out)["confirmed"] == 1 and b"sealed" in r.err and
         "seal" not in p.records()[-1],
         user + ": without a key none is, and that is said", r.brief())


def torn(user):
    p = Repo(user)
    lib.put(user, p.flags, FLAG + FLAG.replace("mean", "m"))
    p.confirm("--quiet")
    with open(p.log, "rb+") as f:
        f.truncate(os.path.getsize(p.log) - 30)
    r = p.confirm("--resume")
    t.ok(b"have a record already: 1 of 2" in r.err and len(p.records()) == 2,
         user + ": the record that a run died in is made again", r.brief())


def dot_cupel(user):
    for name, wall in (("run-log.jsonl", "events_links"),
                       ("run-log.jsonl", "log_owner")):
        p = Repo(user)
        to = p.own + "/" + name
        (os.symlink if wall == "events_links" else os.link)(p.victim, to)
        r = p.confirm()
        t.ok(r.rc == 2 and p.is_safe() and b"link" in r.err,
             "%s: a log that is a link is not written to: %s" % (user, wall),
             r.brief())
        if HAS_CONTROLS:
            r = p.confirm(drop=wall)
            t.ok(not p.is_safe(), user + ": without the wall it is",
                 r.brief())
    p = Repo(user)
    os.rename(p.own, p.home + "/cupel")
    os.symlink(p.home + "/cupel", p.own)
    r = p.confirm(p.home + "/cupel/review-flags.jsonl")
    t.ok(r.rc == 2 and b"symbolic link" in r.err and
         not os.path.exists(p.home + "/cupel/run-log.jsonl"),
         user + ": a .cupel that is a link is not written through", r.brief())
    r = p.confirm()
    t.ok(r.rc == 2 and b"symlink" in r.err,
         user + ": nor is it read through", r.brief())
    if HAS_CONTROLS:
        r = p.confirm(p.home + "/cupel/review-flags.jsonl",
                      drop="outfile_links")
        t.ok(r.rc == 0 and os.path.exists(p.home + "/cupel/run-log.jsonl"),
             user + ": without the wall it is", r.brief())
    for name in ("review-flags.jsonl", "run-log.jsonl"):
        for make in (os.mkfifo, os.mkdir):
            p = Repo(user)
            if os.path.exists(p.own + "/" + name):
                os.unlink(p.own + "/" + name)
            make(p.own + "/" + name)
            lib.give(user, p.own + "/" + name)
            r = p.confirm(clock_s=lib.CLOCK_S)
            t.ok(r.rc == 2 and r.err.count(b"\n") == 1,
                 "%s: %s: refused at once: %s" % (user, name, make.__name__),
                 r.brief())


def interrupted(user, p, what, argv, **kw):
    q = lib.start([CUPEL, "confirm", "--repo", p.repo] + argv, user,
                  env=p.env, **kw)
    lib.wait_until(lambda: lib.is_ready_for(q.pid, signal.SIGINT), 20)
    began = time.monotonic()
    time.sleep(1)
    alive = q.poll() is None
    q.send_signal(signal.SIGINT)
    r = lib.finish(q, began, argv, clock_s=lib.CLOCK_S)
    t.ok(alive and r.rc == 130,
         "%s: SIGINT ends waiting for %s" % (user, what), r.brief())


def signals(user):
    p = Repo(user)
    ours, theirs = os.pipe()
    interrupted(user, p, "flags", ["/dev/stdin"], stdin=ours)
    os.close(ours)
    os.close(theirs)
    lib.put(user, p.log, "")
    with open(p.log, "r+") as f:
        fcntl.flock(f, fcntl.LOCK_EX)
        interrupted(user, p, "a lock", [])


def out_is_told_first(user):
    """gather looks where it will write before it runs a probe."""
    p = Place(user)
    shutil.rmtree(p.home + "/sub")
    p.link(p.home, "x")
    r = p.run(["gather", "--out", "x/out", p.repo])
    t.ok(r.rc == 2 and b"--out" in r.err and b"symbolic link" in r.err and
         not os.path.exists(p.home + "/out"),
         user + ": --out goes through no link", r.brief())
    if HAS_CONTROLS:
        r = p.run(["gather", "--out", "x/out", p.repo], drop="outfile_links")
        t.ok(r.rc == 0 and os.path.exists(p.home + "/out/CONTEXT_REPORT.md"),
             user + ": without the wall it does", r.brief())
    r = p.run(["gather", "--out", "none/out", p.repo])
    t.ok(r.rc == 2 and b"--out" in r.err and b"1/6" not in r.err,
         user + ": --out that cannot be is told before a probe runs",
         r.brief())
    if user == "user" and os.geteuid() == 0:
        lib.give("root", p.repo)
        r = p.run(["gather", p.repo])
        t.ok(r.rc == 2 and b"--out" in r.err and b"1/6" not in r.err,
             user + ": a repository that cannot be written, too", r.brief())
    r = p.run(["gather", "--out", "out", p.repo])
    t.ok(r.rc == 0 and r.err.decode().splitlines()[-1] ==
         "cupel: the report is out/CONTEXT_REPORT.md",
         user + ": and at the end where the report is", r.brief())


for who in lib.users():
    for part in (links, artifacts, kinds, fifos, streams, replaces,
                 one_for_both, full_disk,
                 races, reads, seals, torn, dot_cupel, signals,
                 out_is_told_first):
        part(who)
t.done()
