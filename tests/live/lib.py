"""lib.py -- run cupel as root and as an ordinary user, and read its result.

Must:     copy what is run to a place that any user can reach, bound every run
          by a clock of its own, remove what it made
Must not: need anything beyond Python's standard library
"""
import atexit
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

ORDINARY = 65534  # the ordinary user "nobody", who has no files and no groups
SRC = os.environ.get("SRC", os.getcwd())
BUILD = os.environ.get("BUILD", os.path.join(SRC, "build"))
# Where jest, vitest and mocha are; ./bootstrap check-all fetches them.
NODE_MODULES = os.environ.get("CUPEL_NODE_MODULES") or os.path.join(
    BUILD, "runners/node_modules")
CLOCK_S = 240  # ends a run that hangs
WAIT_S = 120   # ends a wait for what another process has to do

ENFORCED = """userns mountns pidns netns ipcns utsns cgroupns root_readonly
repo_readonly repo_overlay repo_objects scratch_size scratch_inodes
proc_private devices host_uid capabilities securebits no_new_privs
supplementary_groups nested_userns descriptors session seccomp
violation_report landlock landlock_scope rlimit_cpu rlimit_as rlimit_data
rlimit_nofile rlimit_fsize rlimit_nproc rlimit_core memory_total cpu_tree pids
swap wall_time output_stdout output_stderr network env trace""".split()

# The background jobs of a shell ignore these signals, and so would everything that
# is run here.
for _number in (signal.SIGINT, signal.SIGQUIT):
    if signal.getsignal(_number) == signal.SIG_IGN:
        signal.signal(_number, signal.SIG_DFL)

TMP = tempfile.mkdtemp(prefix="cupel-live.")
os.chmod(TMP, 0o755)
_OWNER = os.getpid()


@atexit.register
def _remove():
    if os.getpid() == _OWNER:
        shutil.rmtree(TMP, ignore_errors=True)


def users():
    """Names of the launchers to test: both when we are root.  Under a sanitizer
    (tests/check.sh) each test has only one of them, since the plain build has both."""
    both = ["root", "user"]
    if os.geteuid() != 0:
        return both[1:]
    if os.environ.get("CUPEL_CONTROLS") == "no":
        at = sum(os.path.basename(sys.argv[0]).encode()) % 2
        return both[at:at + 1]
    return both


def is_due(number, user, launchers):
    """Whether a part that need not run for each launcher runs for this one: in the
    quick tier launchers take turns; otherwise it runs for each."""
    return (os.environ.get("CUPEL_TIER") != "quick" or len(launchers) < 2 or
            launchers[number % 2] == user)


def uid_of(user):
    return 0 if user == "root" or os.geteuid() else ORDINARY


def become(user):
    """The words before a command that make it run as that user."""
    if user == "root" or os.geteuid():
        return []
    return ["setpriv", "--reuid=%d" % ORDINARY, "--regid=%d" % ORDINARY,
            "--clear-groups", "--"]


def binary(name):
    """A built program, copied once to where every user may run it."""
    to = os.path.join(TMP, "bin", os.path.basename(name))
    if not os.path.exists(to):
        os.makedirs(os.path.dirname(to), exist_ok=True)
        part = "%s.%d" % (to, threading.get_ident())
        shutil.copy(os.path.join(BUILD, name), part)
        os.chmod(part, 0o755)
        os.rename(part, to)
    return to


def make_dir(user, name=None):
    """A fresh directory that belongs to the user."""
    if name:
        path = os.path.join(TMP, name)
        os.makedirs(path)
    else:
        path = tempfile.mkdtemp(dir=TMP)
    give(user, path)
    os.chmod(path, 0o755)
    return path


def give(user, path):
    if os.geteuid() == 0:
        os.lchown(path, uid_of(user), uid_of(user))


def cgroup_mount():
    """Where this machine has cgroup v2, or None. A hybrid tree has it as
    well."""
    with open("/proc/self/mounts") as f:
        found = [line.split()[1] for line in f if line.split()[2] == "cgroup2"]
    return found[0] if found else None


def cgroup_give(user, path):
    """Give a cgroup to a user, as delegation does: the directory, and the files that
    divide it and move processes into it."""
    for f in ("", "/cgroup.procs", "/cgroup.subtree_control"):
        give(user, path + f)


def cgroup_remove(path):
    """Remove the cgroup and all below it, if no process is in it."""
    for top, _, _ in os.walk(path, topdown=False):
        try:
            os.rmdir(top)
        except OSError as e:
            print("# %s: %s" % (top, e))


def put(user, path, text="", mode=0o644):
    """Write a file of the user, with that text."""
    with open(path, "wb") as f:
        f.write(text if isinstance(text, bytes) else text.encode())
    os.chmod(path, mode)
    give(user, path)
    return path


class Result:
    """One run: rc, out and err as bytes, json as printed (or None)."""

    def __init__(self, rc, out, err, seconds, argv):
        self.rc, self.out, self.err = rc, out, err
        self.seconds, self.argv, self.json = seconds, argv, None

    def get(self, path):
        """The value at a dotted path; KeyError if there is none."""
        at = self.json
        if at is None:
            raise KeyError("no result was printed: rc %s, %r"
                           % (self.rc, self.err[:300]))
        for key in path.split("."):
            at = at[int(key)] if isinstance(at, list) else at[key]
        return at

    @property
    def status(self):
        return self.get("status")

    @property
    def says(self):
        """The word after VERDICT in what an attack printed."""
        text = self.json["stdout"] if self.json else self.out.decode(
            "utf-8", "replace")
        for line in text.splitlines():
            if line.startswith("VERDICT "):
                return line.split()[1]
        return None

    def brief(self):
        """One line on what happened, for a failed check."""
        if self.json is None:
            return "rc %s out %r err %r" % (self.rc, self.out[-200:],
                                            self.err[-300:])
        keys = ("status", "rc", "reason", "message", "stdout", "stderr",
                "violation", "payload_status", "payload_error")
        return " ".join("%s=%.300r" % (k, self.json.get(k)) for k in keys)


def copy_of(user, path):
    """A copy of a folder that belongs to the user, in a new place."""
    to = os.path.join(make_dir(user), os.path.basename(path))
    shutil.copytree(path, to)
    for at, _, files in os.walk(to):
        for n in [""] + files:
            give(user, os.path.join(at, n))
            os.chmod(os.path.join(at, n), 0o644 if n else 0o755)
    return to


def rows_of(path):
    """A table's rows, as lists of words; "#" begins a comment."""
    with open(path) as f:
        return [line.split() for line in f if line.strip() and line[0] != "#"]


def flag_of(repo, row):
    """A flag for `cupel confirm`, from a row [file, function or "-", class, line,
    ...].  The line may be "-", "@" (where the file has "@here FUNCTION") or "@MARK"
    (where it has "@here MARK")."""
    path, name, flag_class, line = row[:4]
    flag = {"file": path, "flag_class": flag_class}
    if name != "-":
        flag["function"] = name
    if line[0] == "@":
        mark = "@here " + (line[1:] or name.split(".")[-1])
        with open(os.path.join(repo, path)) as f:
            hits = [i for i, text in enumerate(f, 1)
                    if text.rstrip().endswith(mark)]
        if len(hits) != 1:
            raise SystemExit("%s: %d lines end in %s" % (path, len(hits), mark))
        flag["line"] = hits[0]
    elif line != "-":
        flag["line"] = int(line)
    return flag


def confirm(user, repo, flags, jobs=4, options=(), clock_s=600):
    """Run `cupel confirm` on flags (a list; text is passed unchanged; None: the flags
    in the repository).
    Returns (result, every record in the repository's log)."""
    log = os.path.join(repo, "log.jsonl")
    path = os.path.join(repo, "review-flags.jsonl")
    if flags is not None:
        path = put(user, os.path.join(repo, "flags.jsonl"),
                   flags if isinstance(flags, str) else
                   "".join(json.dumps(f) + "\n" for f in flags))
    r = run([binary("cupel"), "confirm", "--repo", repo, "--jobs", str(jobs),
             "--quiet"] + list(options) + [path, log], user, clock_s=clock_s)
    if not os.path.exists(log):
        return r, []
    with open(log) as f:
        return r, [json.loads(line) for line in f]


def is_as_expected(record, row):
    """Whether a record has a status and reason that the row [file, function, class,
    line, status, reason] allows; "|" separates several, and reason "-" is any."""
    return any(record.get("status") == status and
               reason in ("-", record.get("reason"))
               for status, reason in zip(row[4].split("|"), row[5].split("|")))


def has_parser():
    """Whether this build has a parser for JavaScript."""
    path = os.path.join(BUILD, "src/runners/babel-parser.js")
    return os.path.exists(path) and os.path.getsize(path) > 0


def by_number(records):
    return {x["flag_ref"]["number"]: x for x in records}


def clean_env(more=None):
    env = {"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": "/", "LANG": "C"}
    env.update(more or {})
    return env


def start(argv, user="user", env=None, cwd=None, before=(), **kw):
    """Popen of argv as that user.  before: words in front of everything."""
    kw.setdefault("stdin", subprocess.DEVNULL)
    kw.setdefault("stdout", subprocess.PIPE)
    kw.setdefault("stderr", subprocess.PIPE)
    return subprocess.Popen(list(before) + become(user) + list(argv),
                            env=clean_env(env), cwd=cwd or "/",
                            start_new_session=True, **kw)


def finish(p, began, argv, clock_s=CLOCK_S):
    try:
        out, err = p.communicate(timeout=clock_s)
    except subprocess.TimeoutExpired:
        os.killpg(p.pid, signal.SIGKILL)
        out, err = p.communicate()
        err += b"\n[killed by the test's own clock]"
    return Result(p.returncode, out, err, time.monotonic() - began, argv)


def run(argv, user="user", clock_s=CLOCK_S, **kw):
    """Run any program as that user; no result is read."""
    began = time.monotonic()
    return finish(start(argv, user, **kw), began, argv, clock_s)


def cupel(options, command, user="user", program="cupel", drop=None, env=None,
          **kw):
    """cupel run --json OPTIONS -- COMMAND, and its result read."""
    env = dict(env or {})
    if drop:
        env["CUPEL_TEST_DROP"] = drop
    argv = ([binary(program), "run", "--json"] + list(options) + ["--"]
            + list(command))
    r = run(argv, user, env=env, **kw)
    try:
        r.json = json.loads(r.out.decode())
    except ValueError:
        r.json = None
    return r


_REPOS = {}


def repo(user):
    """A small repository of the user, made once, with the attacks in it."""
    if user not in _REPOS:
        path = make_dir(user, "repo-" + user)
        shutil.copy(binary("adversarial/attack"), path)
        put(user, path + "/file", "plain\n")
        put(user, path + "/private", "mine\n", 0o600)
        put(user, path + "/script", "#!/bin/sh\necho ran\n", 0o755)
        put(user, path + "/bare", "echo ran\n", 0o755)
        put(user, path + "/orphan", "#!/no/such/program\n", 0o755)
        put(user, path + "/plain", "#!/bin/sh\n", 0o644)
        os.mkdir(path + "/dir", 0o755)
        give(user, path + "/dir")
        _REPOS[user] = path
    return _REPOS[user]


def go(user, options, *command, **kw):
    """cupel run --json in the small repository; options as one string."""
    if isinstance(options, str):
        options = options.split()
    if not {"--repo", "none"} & set(options):
        options = ["--repo", repo(user)] + list(options)
    return cupel(options, command, user, **kw)


def attack(user, options, text, **kw):
    """One attack of the suite, by its arguments."""
    return go(user, options, "/repo/attack", *text.split(), **kw)


def schema_files():
    """The published schemas by name: as they stand in the tree, or made of a source."""
    files = {}
    for top in (SRC, BUILD):
        folder = os.path.join(top, "profiles/schemas")
        files.update((f[:-len(".schema.json")], os.path.join(folder, f))
                     for f in os.listdir(folder)
                     if f.endswith(".schema.json"))
    return files


def schema_errors(text, schema, refs=()):
    """The errors that cupel validate finds against one of cupel's schemas.  refs names
    other such schemas ("result") that it refers to."""
    files = schema_files()
    path = files[schema[:-len(".schema.json")]]
    more = []
    for name in refs:
        more += ["--ref", "urn:cupel:schema:%s-1.0=%s" % (name, files[name])]
    p = subprocess.run([binary("cupel"), "validate", "--schema", path, *more,
                        "-"],
                       input=text, capture_output=True, timeout=CLOCK_S)
    if p.returncode == 0:
        return []
    return [(p.stdout or p.stderr).decode("utf-8", "replace")[:2000]]


class Tap:
    """Counts checks and prints them as TAP; the plan comes last."""

    def __init__(self):
        self.n = self.failed = 0

    def ok(self, good, name, note=""):
        self.n += 1
        if not good:
            self.failed += 1
            for line in str(note).splitlines() or ["no note"]:
                print("# " + line[:1500])
        print("%s %d - %s" % ("ok" if good else "not ok", self.n, name))
        sys.stdout.flush()
        return good

    def equal(self, got, want, name, note=""):
        return self.ok(got == want, name, "got %r, wanted %r\n%s"
                       % (got, want, note))

    def has(self, text, part, name):
        return self.ok(part in text, name, "%r lacks %r" % (text[-800:], part))

    def clock(self, what, got_s, most_s):
        """A figure, which is no row here: tests/clocks/rows.t judges it."""
        print("# clock: %s: %.3f of %g s" % (what, got_s, most_s), flush=True)

    def done(self):
        print("1..%d" % self.n)
        sys.exit(1 if self.failed else 0)


def processes_named(comm):
    """Pids on the host whose comm is that name (zombies do not count)."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open("/proc/%s/stat" % pid) as f:
                text = f.read()
        except OSError:
            continue
        name, rest = text[text.index("(") + 1:].rsplit(")", 1)
        if name == comm and rest.split()[0] not in "ZX":
            found.append(int(pid))
    return found


def nap(seconds):
    """A number of seconds for sleep(1) that no other process on this machine has:
    other tests, and this one as another user, may run at the same time."""
    return "%d.%06d" % (seconds, os.getpid() % 1000000)


def with_word(word):
    """Pids on the host that have the word among their arguments."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open("/proc/%s/cmdline" % pid, "rb") as f:
                if word.encode() in f.read().split(b"\0"):
                    found.append(int(pid))
        except OSError:
            pass
    return found


def is_ready_for(pid, number):
    """Whether the process already catches that signal, or blocks it to read it from
    a descriptor."""
    try:
        with open("/proc/%d/status" % pid) as f:
            masks = dict(line.split(":\t", 1) for line in f if ":\t" in line)
    except OSError:
        return False
    return any(int(masks[k], 16) >> (number - 1) & 1 for k in ("SigCgt", "SigBlk"))


def wait_until(test, seconds=WAIT_S):
    """Whether test() became true before this wait was taken for one that hangs, and
    after how long."""
    began = time.monotonic()
    while True:
        if test():
            return True, time.monotonic() - began
        if time.monotonic() - began > max(seconds, WAIT_S):
            return False, time.monotonic() - began
        time.sleep(0.002)
