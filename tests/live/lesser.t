#!/usr/bin/env python3
"""lesser.t -- the backends without namespaces: which walls hold, which are
declared missing, and that nothing is left behind."""
import ctypes
import json
import os
import signal
import shutil
import socket
import sys
import tempfile
import time

SRC = os.environ.get("SRC") or os.path.dirname(
    os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(SRC, "tests/live"))
sys.dont_write_bytecode = True
import lib  # noqa: E402

t = lib.Tap()
PYTHON = "/usr/bin/python3"
# Linux 6.12; before it another process of the same user can be signalled.
IS_SCOPED = ctypes.CDLL(None).syscall(444, None, 0, 1) >= 6
EPERM, EACCES, EXDEV, ENOSYS = 1, 13, 18, 38
BACKENDS = ("landlock", "rlimits")
NEVER = """userns mountns pidns netns ipcns utsns cgroupns scratch_size
scratch_inodes proc_private devices memory_total pids rlimit_nproc
repo_objects""".split()
# what every backend refuses to the command
REFUSED = """truncate_repo chmod_repo fchmod_repo utime_repo setxattr_repo
chown_repo chmod_secret tcp udp tcp6 unix abstract dgram_pair prlimit affinity
renice renice_user set_flags set_version open_truncate open_neither
inotify""".split()
# IPC of System V and POSIX: without namespaces these get ENOSYS, and no refusal
ABSENT = "shm sem msg mq".split()
# what any Landlock domain also refuses; then what one with a scope for signals does
BY_DOMAIN = "peek peek_mem".split()
BY_SCOPE = "signal signal_init stop_init".split()
# what the rules of Landlock also refuse
BY_PATH = """write_repo create_repo unlink_repo rename_repo link_repo mkdir_repo
read_secret write_secret list_tmp read_passwd peek_init""".split()
GOOD = "read_repo write_scratch write_null".split()


class Host:
    """A repository, a secret, servers and a bystander, all of one user."""

    def __init__(self, user):
        # The user that the kernel sees: commands of root run as the owner of the files.
        self.user = user
        self.dir = lib.make_dir("user")
        self.repo = os.path.join(self.dir, "repo")
        os.mkdir(self.repo)
        lib.give("user", self.repo)
        # In memory if possible, because there are thousands of files.
        self.tmp = tempfile.mkdtemp(prefix="cupel-lesser.", dir="/dev/shm"
                                    if os.access("/dev/shm", os.W_OK)
                                    else self.dir)
        lib.give("user", self.tmp)
        for name in ("repo/file", "repo/victim", "secret"):
            lib.put("user", os.path.join(self.dir, name), "before\n", 0o600)
        self.inside = lib.put("user", os.path.join(self.repo, "inside.py"),
                              open(os.path.join(
                                  SRC, "tests/live/lesser_inside.py")).read())
        self.bystander = lib.start(["sleep", "300"], "user")
        self.unix = self.listen(os.path.join(self.dir, "unix"))
        self.dgram = self.listen(os.path.join(self.repo, "dgram"),
                                 socket.SOCK_DGRAM)
        self.abstract = self.listen("\0" + os.path.basename(self.dir))
        self.tcp = socket.create_server(("127.0.0.1", 0))

    def listen(self, path, kind=socket.SOCK_STREAM):
        s = socket.socket(socket.AF_UNIX, kind)
        s.bind(path)
        if kind == socket.SOCK_STREAM:
            s.listen()
        if path[0] != "\0":
            os.chmod(path, 0o777)
        return s

    def args(self):
        return json.dumps({
            "repo": self.repo, "secret": os.path.join(self.dir, "secret"),
            "unix": self.unix.getsockname(),
            "dgram": self.dgram.getsockname(),
            "abstract": os.path.basename(self.dir),
            "tcp": self.tcp.getsockname()[1], "pid": self.bystander.pid})

    def run(self, backend, command, options=(), **kw):
        return lib.cupel(["--backend", backend, "--repo", self.repo]
                         + list(options), command, self.user,
                         env={"TMPDIR": self.tmp}, **kw)

    def start(self, backend, command, options=()):
        return lib.start([lib.binary("cupel"), "run", "--backend", backend,
                          "--repo", self.repo] + list(options) + ["--"]
                         + list(command), self.user,
                         env={"TMPDIR": self.tmp})

    def done(self):
        self.bystander.kill()
        self.bystander.wait()
        shutil.rmtree(self.tmp, ignore_errors=True)
        for s in (self.unix, self.dgram, self.abstract, self.tcp):
            s.close()


def holds(host, backend, name):
    """What the command can read, write and reach."""
    r = host.run(backend, [PYTHON, host.inside, host.args()])
    try:
        said = json.loads(r.get("stdout"))
    except (KeyError, ValueError):
        t.ok(False, name + ": runs", r.brief())
        return
    t.equal(r.status, "OK", name + ": runs", r.brief())
    t.equal([k for k in GOOD if said[k] != 0], [],
            name + ": what it needs is there", said)
    refused = REFUSED + (BY_PATH if backend == "landlock" else [])
    if IS_SCOPED:
        refused += BY_SCOPE
    if IS_SCOPED or backend == "landlock":
        refused += BY_DOMAIN
    t.equal([k for k in refused if said[k] not in (EPERM, EACCES, EXDEV)], [],
            name + ": what is refused is refused", said)
    t.equal([k for k in ABSENT if said[k] != ENOSYS], [],
            name + ": what is the host's of System V and POSIX", said)
    with open(os.path.join(host.repo, "file")) as f:
        st = os.fstat(f.fileno())
        t.equal((f.read(), st.st_mode & 0o777, st.st_mtime > 10),
                ("before\n", 0o600, True), name + ": the repository is as it "
                "was", said)
    t.equal((said["mode"], said["home"], os.path.dirname(said["home"])),
            (0o700, said["tmpdir"], host.tmp),
            name + ": a scratch of its own, 0700, below TMPDIR")
    t.equal(said["cwd"], host.repo, name + ": starts in the repository")
    t.ok(said["uid"] != 0 or os.geteuid() != 0, name + ": never as uid 0")
    # 4 is the directory that is being listed
    t.equal(said["fds"], [0, 1, 2, 3, 4], name + ": no descriptor but its own")
    t.equal(os.listdir(host.tmp), [], name + ": the scratch is gone")
    rows(r, said, backend, name)


def rows(r, said, backend, name):
    enforced = r.get("enforced")
    t.equal(sorted(enforced), sorted(lib.ENFORCED), name + ": every row")
    lacks = [k for k in NEVER if enforced[k]["requested"] is not True
             or enforced[k]["applied"] is not False]
    t.equal(lacks, [], name + ": what it has not is said")
    stands = """host_uid no_new_privs session seccomp network nested_userns
        rlimit_cpu rlimit_as rlimit_data rlimit_nofile rlimit_fsize
        rlimit_core""".split()
    if backend == "landlock" or IS_SCOPED:
        stands += ["descriptors", "env"]
    if IS_SCOPED:
        stands += ["landlock_scope", "wall_time"]
    else:
        t.equal((enforced["landlock_scope"]["applied"],
                 enforced["wall_time"]["applied"]), (False, False),
                name + ": what a command can do to init is said")
    if backend == "landlock":
        stands += "landlock root_readonly repo_readonly".split()
    t.equal([k for k in stands if enforced[k]["applied"] is not True], [],
            name + ": what stands is said")
    t.equal((enforced["root_readonly"]["applied"],
             enforced["repo_readonly"]["applied"]),
            (backend == "landlock",) * 2, name + ": read-only is Landlock's")
    is_empty = all(int(v, 16) == 0 for v in said["caps"].values())
    t.equal((enforced["capabilities"]["applied"],
             enforced["capabilities"]["details"]),
            (is_empty, {"bounding": "empty" if is_empty else "kept"}),
            name + ": no capability, and whether one could come back",
            said["caps"])
    t.equal([said["caps"][k] for k in ("CapInh", "CapPrm", "CapEff",
                                       "CapAmb")], ["0" * 16] * 4,
            name + ": none is held")
    t.equal(enforced["host_uid"]["details"]["inside"], said["uid"],
            name + ": the id inside is the one that is told")
    t.equal(enforced["repo_objects"]["details"],
            {"by": "filter", "fifos": "open"},
            name + ": the repository's objects, by the filter, fifos not")
    t.equal((r.get("backend"), r.get("isolation_class"), r.get("partial")),
            (backend, "shared_kernel", True), name + ": partial, and says so")


LEAVINGS = {
    "a deep tree": """
import os
for i in range(5000):
    os.mkdir("d"); os.chdir("d")
open("f", "w").close()
""",
    "directories that nobody may enter": """
import os
for i in range(50):
    os.makedirs("a%d/b/c" % i)
    open("a%d/b/c/f" % i, "w").close()
    os.umask(0o777)
    os.mkdir("a%d/b/c/none" % i)
    os.umask(0o22)
""",
    "many files": """
import os
for d in range(40):
    os.mkdir("m%d" % d)
    for i in range(1000):
        os.close(os.open("m%d/%d" % (d, i), os.O_CREAT | os.O_WRONLY))
""",
    "links and odd names": """
import os
os.symlink("/", "root"); os.symlink("/tmp", "tmp"); os.mkfifo("fifo")
os.mkdir(b"\\xff\\n"); os.symlink(b"/etc", b"\\xff\\n/l")
""",
}


def leaves(host, backend, name):
    for what, code in LEAVINGS.items():
        code = "import os; os.chdir(os.environ['HOME'])" + code
        r = host.run(backend, [PYTHON, "-c", code])
        t.ok(r.rc == 0 and os.listdir(host.tmp) == [],
             "%s: %s is removed" % (name, what), r.brief())
        # the same, and the supervisor is killed
        p = host.start(backend, [PYTHON, "-c", code + "\nprint('made', "
                                 "flush=True)\nimport time; time.sleep(60)"])
        line = p.stdout.readline()
        p.kill()
        p.wait()
        gone, s = lib.wait_until(lambda: os.listdir(host.tmp) == [], 20)
        t.ok(line == b"made\n" and gone, "%s: %s is removed after SIGKILL of "
             "the supervisor" % (name, what), "%r %r" % (line, s))
        p.stdout.close()
        p.stderr.close()


def deputy(host, backend, name):
    """Init removes the scratch by its name, and may change modes of files that the
    command may not change: the command must not be able to use that."""
    shut = os.path.join(host.repo, "shut")
    os.mkdir(shut, 0o555)
    lib.give("user", shut)
    code = """
import os
home = os.environ["HOME"]
os.chdir("/")
try:
    os.rename(home, home + "-away")
    os.symlink(%r, home)
except OSError as e:
    print(e.errno)
""" % shut
    r = host.run(backend, [PYTHON, "-c", code])
    t.equal((r.rc, os.stat(shut).st_mode & 0o777), (0, 0o555),
            name + ": init changes the mode of nothing but the scratch",
            r.brief())
    os.rmdir(shut)
    for left in os.listdir(host.tmp):
        path = os.path.join(host.tmp, left)
        if os.path.islink(path):
            os.unlink(path)
        else:
            os.rmdir(path)


def ticks(pid):
    """The CPU time of a process; -1 when it has ended."""
    try:
        with open("/proc/%d/stat" % pid) as f:
            fields = f.read().rpartition(")")[2].split()
    except OSError:
        return -1
    return -1 if fields[0] == "Z" else int(fields[11]) + int(fields[12])


def tell(pid, sig):
    try:
        os.kill(pid, sig)
    except ProcessLookupError:
        pass


def slow_removal(host, backend, name, is_late):
    """Init removes 200000 files, and is slowed down so that it needs longer than the
    supervisor waits for a killed process (10 s).  is_late: at first it does not
    answer either, so that the supervisor gives up and closes the connection."""
    code = "import os; os.chdir(os.environ['HOME'])" + LEAVINGS[
        "many files"].replace("40", "200")
    p = host.start(backend, [PYTHON, "-c", code + "\nprint('made', flush=True)\n"
                             "import time; time.sleep(600)"],
                   ["--wall-time-s=600", "--cpu-time-s=600",
                    "--kill-after-s=0.1"])
    line = p.stdout.readline()
    with open("/proc/%d/task/%d/children" % (p.pid, p.pid)) as f:
        init = int(f.read().split()[0])
    scratch = os.path.join(host.tmp, os.listdir(host.tmp)[0])
    before = ticks(init)
    if is_late:
        tell(init, signal.SIGSTOP)
    p.send_signal(signal.SIGTERM)
    if is_late:
        time.sleep(3)
        tell(init, signal.SIGCONT)
    # It gets a little time now and then: it makes progress, but slowly.
    lib.wait_until(lambda: ticks(init) > before, 60)
    end = time.monotonic() + 13
    while ticks(init) >= 0 and time.monotonic() < end:
        tell(init, signal.SIGSTOP)
        time.sleep(2)
        before = ticks(init)
        tell(init, signal.SIGCONT)
        while ticks(init) == before >= 0:
            pass
    was_slow = ticks(init) >= 0 and os.path.exists(scratch)
    p.wait()
    t.ok(line == b"made\n" and was_slow and p.returncode == 143 and
         os.listdir(host.tmp) == [], name + ": a removal that takes longer than "
         "the supervisor's patience is done, and the run's end is its own%s"
         % (", also when init is late" if is_late else ""),
         (line, was_slow, p.returncode, p.stderr.read()))
    p.stdout.close()
    p.stderr.close()


# argv[1] is a mark by which it is found
STAYS = {
    "a daemon": """
import os, sys, time, signal
for s in range(1, 32):
    try: signal.signal(s, signal.SIG_IGN)
    except OSError: pass
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.setsid()
        time.sleep(60)
    os._exit(0)
time.sleep(0.3)
""",
    "a chain of forks": """
import os, sys, time
if os.fork() == 0:
    os.setsid()
    end = time.monotonic() + 30
    while time.monotonic() < end:
        if os.fork() > 0: os._exit(0)
time.sleep(0.3)
""",
    "two hundred children": """
import os, sys, time
for i in range(200):
    if os.fork() == 0:
        os.setsid()
        time.sleep(60)
""",
}


def living(mark):
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open("/proc/%s/cmdline" % pid, "rb") as f:
                if mark.encode() in f.read().split(b"\0")[-2:]:
                    found.append(int(pid))
        except (OSError, IndexError):
            pass
    return found


def bomb(host, backend, name):
    """Processes that cannot be counted are all killed at once."""
    path = os.path.join(host.repo, "fork_bomb")
    shutil.copy(lib.binary("tests/live/fork_bomb"), path)
    mark = "cupel-bomb-%d-%s-%s" % (os.getpid(), backend, host.user)
    r = host.run(backend, [path, mark], before=["prlimit", "--nproc=400"])
    left = living(mark)
    t.clock(name + ": a fork bomb ends", r.seconds, 8)
    t.ok(r.rc == 0 and not left,
         name + ": a fork bomb ends with the run",
         "%s; after %s s, left %s" % (r.brief(), r.seconds, left))


def stays(host, backend, name):
    for i, (what, code) in enumerate(STAYS.items()):
        mark = "cupel-mark-%d-%d-%s-%s" % (os.getpid(), i, backend, host.user)
        r = host.run(backend, [PYTHON, "-c", code, mark])
        left = living(mark)
        t.ok(r.rc == 0 and not left and os.listdir(host.tmp) == [],
             "%s: %s ends with the run" % (name, what),
             "%s; left %s" % (r.brief(), left))
        p = host.start(backend, [PYTHON, "-c", code + "\nprint('made', "
                                 "flush=True)\ntime.sleep(60)", mark])
        line = p.stdout.readline()
        p.kill()
        p.wait()
        gone, s = lib.wait_until(lambda: not living(mark), 5)
        t.ok(line == b"made\n" and gone, "%s: %s ends at SIGKILL of the "
             "supervisor" % (name, what), "%r left %s" % (line, living(mark)))
        for pid in living(mark):
            os.kill(pid, signal.SIGKILL)
        lib.wait_until(lambda: os.listdir(host.tmp) == [], 5)
        p.stdout.close()
        p.stderr.close()
    t.ok(host.bystander.poll() is None, name + ": a bystander of the same user "
         "lives")


# A filter around us under which no process can enter a Landlock domain, although the
# kernel has them: landlock_restrict_self(2), 446, answers EPERM.
NO_DOMAIN = """
import ctypes, os, struct, sys
libc = ctypes.CDLL(None, use_errno=True)
code = ctypes.create_string_buffer(struct.pack(
    "HBBI" * 4, 0x20, 0, 0, 0, 0x15, 0, 1, 446, 6, 0, 0, 0x50001,
    6, 0, 0, 0x7fff0000))
prog = struct.pack("HP", 4, ctypes.addressof(code))
assert libc.prctl(38, 1, 0, 0, 0) == 0 and libc.prctl(22, 2, prog) == 0
os.execv(sys.argv[1], sys.argv[1:])
"""


def domainless(host, backend, name):
    """The plan relies on a Landlock scope for signals, and the kernel has none."""
    r = {}
    for options in ((), ("--allow-partial",)):
        r[options] = lib.run(
            lib.become(host.user) + [PYTHON, "-c", NO_DOMAIN,
                                     lib.binary("cupel"), "run", "--json",
                                     "--backend", backend, "--repo",
                                     host.repo] + list(options)
            + ["--", "true"], "root" if os.geteuid() == 0 else "user",
            env={"TMPDIR": host.tmp})
        try:
            r[options].json = json.loads(r[options].out)
        except ValueError:
            t.ok(False, name + ": no domain: a result", r[options].brief())
            return
    t.equal((r[()].status, r[()].get("stage"), r[()].get("started")),
            ("INTERNAL_ERROR", "landlock", False),
            name + ": no domain, strict: nothing is started", r[()].brief())
    r = r[("--allow-partial",)]
    t.equal((r.status, r.get("enforced.landlock_scope.applied"),
             r.get("enforced.wall_time.applied"), r.get("partial")),
            ("OK", False, False, True),
            name + ": no domain, partial: what ends with init is not claimed",
            r.brief())


# --- where user namespaces are refused ---------------------------------------

# Runs as the ordinary user of a user namespace in which no other can be made.
NO_USERNS = """
import ctypes, os, sys
uid, gid = os.getuid(), os.getgid()
libc = ctypes.CDLL(None, use_errno=True)
assert libc.unshare(0x10000000) == 0, ctypes.get_errno()
for name, text in (("setgroups", "deny"), ("uid_map", "%d %d 1" % (uid, uid)),
                   ("gid_map", "%d %d 1" % (gid, gid))):
    with open("/proc/self/" + name, "w") as f:
        f.write(text)
with open("/proc/sys/user/max_user_namespaces", "w") as f:
    f.write("0")
os.execv(sys.argv[1], sys.argv[1:])
"""


def is_forbidden():
    """Whether this kernel refuses user namespaces by itself."""
    with open("/proc/sys/user/max_user_namespaces") as f:
        return int(f.read()) == 0


def refused(host):
    before = [PYTHON, "-c", NO_USERNS]
    if is_forbidden():
        before = []
    argv = [lib.binary("cupel"), "run", "--json", "--repo", host.repo]
    touch = ["--", "sh", "-c", "echo it ran; id -u"]

    def run(options):
        r = lib.run(before + argv + options + touch, "user",
                    env={"TMPDIR": host.tmp})
        try:
            r.json = json.loads(r.out)
        except ValueError:
            pass
        return r

    r = run([])
    t.ok(r.json is not None and r.status == "INTERNAL_ERROR" and r.rc == 1,
         "no user namespaces, strict: INTERNAL_ERROR", r.brief())
    if r.json is not None:
        t.equal((r.get("stage"), r.get("started"), r.get("stdout")),
                ("namespace", False, ""), "no user namespaces, strict: stage "
                "namespace, and nothing ran", r.brief())
        t.has(r.get("message") or "", "max_user_namespaces",
              "no user namespaces, strict: says what to change")
    r = run(["--allow-partial"])
    t.ok(r.json is not None and r.status == "OK"
         and r.get("backend") == "landlock" and r.get("partial") is True
         and r.get("reason") == "PARTIAL_ENFORCEMENT",
         "no user namespaces, --allow-partial: landlock", r.brief())
    t.equal(os.listdir(host.tmp), [], "no user namespaces: nothing is left")


for who in lib.users():
    for b in BACKENDS:
        host = Host(who)
        title = "%s, %s" % (b, who)
        holds(host, b, title)
        leaves(host, b, title)
        deputy(host, b, title)
        if IS_SCOPED:
            domainless(host, b, title)
        stays(host, b, title)
        bomb(host, b, title)
        if os.environ.get("CUPEL_TIER") == "full":
            slow_removal(host, b, title, False)
            slow_removal(host, b, title, True)
        host.done()
host = Host("user")
refused(host)
host.done()
t.done()
