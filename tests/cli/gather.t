#!/usr/bin/env python3
"""gather.t -- cupel gather as a person and a script see it: what is written,
what is kept, what is refused, what is printed."""
import errno
import json
import os
import pty
import shutil
import stat
import subprocess
import sys

SRC = os.environ.get("SRC") or os.path.dirname(
    os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(SRC, "tests/live"))
sys.dont_write_bytecode = True
import lib  # noqa: E402

t = lib.Tap()
CUPEL = lib.binary("cupel")
SCHEMAS = lib.schema_files()


class Place:
    """A repository and a cache that belong to the user."""

    def __init__(self, user):
        self.user = user
        self.top = lib.make_dir(user)
        self.repo = os.path.join(self.top, "repo")
        shutil.copytree(os.path.join(SRC, "tests/data/example"), self.repo)
        self.own(self.repo)
        self.cache = os.path.join(self.top, "cache")
        os.mkdir(self.cache, 0o700)
        lib.give(user, self.cache)
        self.events_file = os.path.join(self.top, "events")
        self.out = os.path.join(self.repo, ".cupel")

    def own(self, top):
        for at, dirs, files in os.walk(top):
            for name in [at] + [os.path.join(at, n) for n in dirs + files]:
                lib.give(self.user, name)

    def gather(self, *options, repo=None, env=None, **kw):
        if os.path.exists(self.events_file):
            os.unlink(self.events_file)
        more = {"XDG_CACHE_HOME": self.cache}
        more.update(env or {})
        return lib.run([CUPEL, "gather", "--events", self.events_file]
                       + list(options) + [repo or self.repo], self.user,
                       env=more, **kw)

    def events(self):
        with open(self.events_file) as f:
            return [json.loads(line) for line in f]

    def told(self, name):
        return sorted(e.get("probe") or "" for e in self.events()
                      if e["event"] == name)

    def read(self, name="repo-context.json"):
        with open(os.path.join(self.out, name), "rb") as f:
            return f.read()

    def context(self):
        return json.loads(self.read())

    def entries(self):
        top = os.path.join(self.cache, "cupel/gather")
        return sorted(os.path.join(top, n) for n in os.listdir(top)
                      if len(n) == 64)


def modes(top):
    return {os.path.relpath(os.path.join(at, n), top):
            stat.S_IMODE(os.lstat(os.path.join(at, n)).st_mode)
            for at, dirs, files in os.walk(top) for n in dirs + files}


def is_valid(text):
    """Whether it fits repo-context; the schemas of the probes are given by name."""
    argv = [CUPEL, "validate", "--schema", SCHEMAS["repo-context"]]
    for name in json.loads(text)["probes"]:
        if name in SCHEMAS:
            argv += ["--ref", "urn:cupel:schema:%s-1.0=%s" %
                     (name, SCHEMAS[name])]
    p = subprocess.run(argv + ["-"], input=text, capture_output=True)
    return p.returncode == 0 or p.stdout + p.stderr


def writes(user):
    p = Place(user)
    before = modes(p.repo)
    r = p.gather("--format", "json")
    t.equal((r.rc, r.out), (0, b""), user + ": the example is gathered",
            r.brief())
    c = p.context()
    t.ok(len(c["probes"]) >= 4 and
         all(o["probe"] == n for n, o in c["probes"].items()),
         user + ": every probe's output stands under its name")
    t.equal(list(c["probes"]), sorted(c["probes"]), user + ": sorted")
    t.equal(is_valid(p.read()), True, user + ": valid against the schemas")
    now = modes(p.repo)
    new = {n: m for n, m in now.items() if n not in before}
    t.equal({n for n in new if not n.startswith(".cupel")}, set(),
            user + ": nothing is written outside .cupel")
    runs = [n for n in new if n.startswith(".cupel/runs/")]
    t.equal({n: m for n, m in new.items() if n not in runs},
            {".cupel": 0o700, ".cupel/runs": 0o700, ".cupel/.gitignore": 0o600,
             ".cupel/repo-context.json": 0o600,
             ".cupel/CONTEXT_REPORT.md": 0o600},
            user + ": what is written is for this user alone")
    t.ok(runs and all(new[n] == 0o600 for n in runs), user + ": records too",
         new)
    t.equal({n: now[n] for n in before}, before, user + ": modes are kept")
    r = p.gather()
    t.equal(r.rc, 0, user + ": as YAML too", r.brief())
    try:
        import yaml
        t.equal(yaml.safe_load(p.read("repo-context.yaml")), c,
                user + ": YAML says what JSON says")
    except ImportError:
        t.ok(p.read("repo-context.yaml").startswith(b'version: "1.0"\n'),
             user + ": YAML (no reader here)")
    r = lib.run([CUPEL, "audit", "verify", p.out], user)
    t.equal(r.rc, 0, user + ": the records are a chain", r.brief())


def is_a_function_of_the_bytes(user):
    p, q = Place(user), Place(user)
    os.rename(q.repo, q.repo + "-elsewhere")
    q.repo += "-elsewhere"
    q.out = os.path.join(q.repo, ".cupel")
    p.gather("--format", "json", "--no-cache")
    first = p.read()
    p.gather("--format", "json", "--no-cache", "--jobs", "1")
    t.equal(p.read(), first, user + ": twice the same bytes")
    q.gather("--format", "json", "--no-cache")
    t.equal(q.read(), first, user + ": the same in another place")
    for word in (p.top, str(os.getpid()), "2026-"):
        t.ok(word.encode() not in first, user + ": nothing of the host: "
             + word)
    t.ok(not os.path.exists(os.path.join(p.cache, "cupel")),
         user + ": --no-cache writes none")
    text = json.dumps({"name": "x", "description": "see %s/src and "
                       "file://%s" % (p.repo, p.repo),
                       "dependencies": {"a": "file:%s/lib" % p.repo}})
    lib.put(user, p.repo + "/package.json", text)
    p.gather("--format", "json", "--no-cache")
    t.ok(p.repo.encode() not in p.read() and
         p.told("sanitizer.path_scrubbed"),
         user + ": its own path in a file becomes relative")


def keeps_answers(user):
    p = Place(user)
    p.gather("--format", "json")
    probes = sorted(p.context()["probes"])
    t.equal((p.told("cache.miss"), p.told("cache.put"),
             p.told("probe.sandbox.start")), (probes,) * 3,
            user + ": cold, each probe runs and is kept")
    first = p.read()
    p.gather("--format", "json")
    t.equal((p.told("cache.hit"), p.told("probe.sandbox.start")),
            (probes, []), user + ": warm, none is started")
    t.equal(p.read(), first, user + ": with the same bytes")
    with open(os.path.join(p.out, "runs", sorted(
            n for n in os.listdir(p.out + "/runs")
            if n.endswith(".json"))[-1])) as f:
        record = json.load(f)
    t.ok(all(x["cache_hit"] for x in record["probes"]),
         user + ": the record says so")
    other = os.path.join(p.top, "other")
    shutil.copytree(p.repo, other)
    p.own(other)
    p.gather("--format", "json", repo=other)
    t.equal(p.told("probe.sandbox.start"), [],
            user + ": nor for the same bytes in another repository")
    lib.put(user, p.repo + "/package.json", '{"name": "changed"}')
    p.gather("--format", "json")
    t.ok("node_manifest" in p.told("cache.miss") and
         p.context()["probes"]["node_manifest"]["slice"]["packages"][0]["name"]
         == "changed", user + ": a changed input is read")
    os.symlink("/etc/passwd", p.repo + "/Dockerfile")
    p.gather("--format", "json")
    t.ok("node_manifest" in p.told("cache.hit"),
         user + ": what is no input changes nothing")
    notes = [w for o in p.context()["probes"].values()
             for w in o["warnings"] if w["code"] == "symlink"]
    t.ok(notes, user + ": and what was skipped is said, warm or not")


def drops_bad_entries(user):
    p = Place(user)
    outside = lib.put(user, os.path.join(p.top, "outside"), "precious", 0o600)
    p.gather("--format", "json", "--only", "node_manifest")
    first, entry = p.read(), p.entries()[0]
    with open(entry, "rb") as f:
        good = f.read()

    def again(what, event, text=None, act=None):
        if text is not None:
            lib.put(user, entry, text, 0o600)
        if act is not None:
            act()
        r = p.gather("--format", "json", "--only", "node_manifest")
        t.equal((r.rc, p.told(event), p.told("probe.sandbox.start"), p.read()),
                (0, ["node_manifest"], ["node_manifest"], first),
                "%s: %s: %s" % (user, what, event), r.brief())

    again("a flipped byte", "cache.blob.poisoned",
          good[:100] + bytes([good[100] ^ 1]) + good[101:])
    again("cut short", "cache.blob.invalid", good[:-1])
    again("empty", "cache.blob.invalid", b"")
    again("another MAC", "cache.blob.poisoned", good[:-32] + b"\0" * 32)
    again("readable by all", "cache.blob.poisoned", None,
          lambda: os.chmod(entry, 0o644))
    again("5 MB", "cache.size_cap_exceeded", b"x" * (5 << 20))
    again("a link", "cache.symlink.skipped", None,
          lambda: (os.unlink(entry), os.symlink(outside, entry)))
    again("of another secret", "cache.blob.poisoned", None,
          lambda: lib.put(user, p.cache + "/cupel/gather/key", b"k" * 32,
                          0o600))
    with open(outside) as f:
        t.equal(f.read(), "precious", user + ": nothing was written through")
    lib.put(user, p.repo + "/package.json", '{"name": "victim"}')
    p.gather("--format", "json", "--only", "node_manifest")
    victim = [e for e in p.entries() if e != entry][0]
    shutil.copy(entry, victim)
    os.chmod(victim, 0o600)
    lib.give(user, victim)
    p.gather("--format", "json", "--only", "node_manifest")
    t.equal(p.told("cache.blob.poisoned"), ["node_manifest"],
            user + ": another repository's answer under this one's name")
    os.chmod(p.cache + "/cupel/gather", 0o777)
    r = p.gather("--format", "json", "--only", "node_manifest")
    t.equal((r.rc, p.told("cache.hit") + p.told("cache.put")), (0, []),
            user + ": a directory open to others is not used", r.brief())
    r = p.gather("--only", "node_manifest",
                 env={"XDG_CACHE_HOME": "", "HOME": "/dev/null"})
    t.equal(r.rc, 0, user + ": without a home there is no cache", r.brief())


def refuses(user):
    p = Place(user)
    rows = (
        (["--only", "nope"], "nope"), (["--jobs", "0"], "--jobs"),
        (["--jobs", "65"], "--jobs"), (["--jobs", "x"], "--jobs"),
        (["--format", "xml"], "--format"), (["--nope"], "--nope"),
        (["--out", p.repo], "repository itself"), (["a"], "expected one REPO"),
        (["--out", p.top + "/no/such"], "/no: No such file"),
        (["--probe-dir", p.top + "/none"], "--probe-dir"),
    )
    for words, part in rows:
        r = p.gather(*words)
        t.ok(r.rc == 2 and part in r.err.decode() and
             r.err.count(b"\n") == 1 and not r.out,
             "%s: %s is refused in one line" % (user, words), r.brief())
    r = p.gather(repo="/no/such")
    t.ok(r.rc == 2 and b"/no/such" in r.err, user + ": so is no repository",
         r.brief())
    os.symlink(p.top, p.out)
    r = p.gather()
    t.ok(r.rc == 2 and b"symbolic link" in r.err and r.err.count(b"\n") == 1,
         user + ": and a link for .cupel", r.brief())
    os.unlink(p.out)
    target = lib.put(user, os.path.join(p.top, "target"), "precious")
    os.symlink(target, p.top + "/link")
    r = lib.run([CUPEL, "gather", "--events", p.top + "/link", p.repo], user)
    with open(target) as f:
        t.equal((r.rc, f.read()), (2, "precious"),
                user + ": --events through a link", r.brief())
    t.ok(not os.path.exists(p.out), user + ": and nothing is written")


def host_without_namespaces(user):
    p = Place(user)
    p.gather("--format", "json", "--no-cache")
    before = p.read()
    r = lib.run(["unshare", "-U", "-r", "sh", "-c",
                 "echo 0 >/proc/sys/user/max_user_namespaces && exec \"$@\"",
                 "sh", CUPEL, "gather", "--format", "json", "--no-cache",
                 p.repo], user)
    if r.rc == 1 and b"unshare" in r.err:
        t.ok(True, user + ": # SKIP no unshare(1) here")
        return
    t.ok(r.rc == 3 and r.err.count(b"namespace") >= 1,
         user + ": a host that cannot sandbox is exit 3", r.brief())
    t.equal(p.read(), before, user + ": and what stood there stays")


def all_of(terminal):
    """What was written to a terminal whose other end is closed.  One read may give
    a part of it."""
    text = b""
    try:
        while more := os.read(terminal, 65536):
            text += more
    except OSError as e:
        if e.errno != errno.EIO:  # the end
            raise
    return text


def shows_progress(user):
    p = Place(user)
    r = p.gather()
    lines = r.err.decode().splitlines()
    n = len(p.told("probe.start"))
    t.ok(len(lines) == n + 1 and
         lines[-2].startswith("cupel: %d/%d " % (n, n)),
         user + ": a line for each probe when piped", lines)
    t.equal(lines[-1], "cupel: the report is %s/.cupel/CONTEXT_REPORT.md"
            % p.repo, user + ": and the last says where the report is")
    t.equal(p.gather("--quiet").err, b"", user + ": none when quiet")
    mine, theirs = pty.openpty()
    r = p.gather(stderr=theirs, env={"TERM": "xterm"})
    os.close(theirs)
    text = all_of(mine)
    os.close(mine)
    drawn, told = text.rsplit(b"\r\x1b[K", 1)
    t.ok(r.rc == 0 and drawn.count(b"\r\x1b[K") >= n and
         b"\n" not in drawn and told.startswith(b"cupel: the report is "),
         user + ": one line, drawn again, on a terminal", text)


def says_first_where_it_cannot_write(user):
    """A bad place is refused before a probe runs, and the message says how to name
    another place."""
    p = Place(user)
    out = p.repo + "/.cupel"
    lib.put(user, out, "a file where the directory would be")
    r = p.gather()
    t.equal((r.rc, r.err), (2, b"cupel: --out .cupel: cannot be written: Not a "
                            b"directory; choose another place with --out DIR\n"),
            user + ": a place that is no directory is told before the probes")
    lib.put(user, p.repo + "/x", "")
    r = p.gather("--out", p.repo + "/x")
    t.ok(r.rc == 2 and r.err.startswith(b"cupel: --out ") and
         r.err.count(b"\n") == 1, user + ": one that was named, too", r.brief())
    if user == "root":
        return
    os.unlink(out)
    os.mkdir(out)
    lib.give("root", out)
    os.chmod(out, 0o700 if os.geteuid() == 0 else 0o500)
    r = p.gather()
    t.ok(r.rc == 2 and r.err.startswith(b"cupel: --out .cupel: cannot be ") and
         b"; choose another place with --out DIR\n" in r.err and
         r.err.count(b"\n") == 1,
         user + ": and one that belongs to somebody else", r.brief())


def enters_node_modules_when_asked(user):
    p = Place(user)
    os.makedirs(p.repo + "/node_modules/dep")
    lib.put(user, p.repo + "/node_modules/dep/package.json",
            '{"name": "dep", "version": "9.9.9"}')
    p.own(p.repo)
    p.gather("--format", "json")
    few = p.context()["repo"]["files"]
    p.gather("--format", "json", "--with-node-modules")
    t.equal(p.context()["repo"]["files"], few + 1,
            user + ": node_modules is read when asked for")


for who in lib.users():
    writes(who)
    is_a_function_of_the_bytes(who)
    keeps_answers(who)
    drops_bad_entries(who)
    refuses(who)
    host_without_namespaces(who)
    shows_progress(who)
    says_first_where_it_cannot_write(who)
    enters_node_modules_when_asked(who)
t.done()
