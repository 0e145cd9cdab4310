"""fixture.py -- the host's half of an attack: a repository of the launcher, secrets
beside it, and servers that say whether somebody got through.
"""
import ctypes
import fcntl
import mmap
import os
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile
import threading

import cache_fixture
import lib
import outside_fixture


def is_running(pid, program):
    with open("/proc/%d/cmdline" % pid, "rb") as f:
        return f.read().split(b"\0")[0] == program


OWN = 65525  # the kuid of a vessel that root launches over a repository of root


class Fixture(outside_fixture.Outside, cache_fixture.Cache):
    """Made new for every run, so that no run sees traces of another.

    Words that a table may use in commands and options are in self.words; the names
    of servers that were reached are in self.seen.
    """

    def __init__(self, user, wants=()):
        self.user, self.seen, self.used, self.closers = user, set(), set(), []
        self.env, self.before, self.kwargs = {}, [], {}
        self.mark = "mk" + secrets.token_hex(5)
        self.secret = "sc" + secrets.token_hex(8)
        self.comm = "cua" + secrets.token_hex(5)
        self.dir = lib.make_dir(user, "f-" + self.mark)
        self.repo = os.path.join(self.dir, "repo")
        os.mkdir(self.repo, 0o755)
        lib.give(user, self.repo)
        self.words = {"@REPO@": self.repo, "@HOST@": self.dir,
                      "@MARK@": self.mark, "@SECRET@": self.secret,
                      "@COMM@": self.comm}
        self.make_repo()
        for want in wants:
            name, _, value = want.partition("=")
            getattr(self, "want_" + name)(*([value] if value else []))

    def make_repo(self):
        os.link(lib.binary("adversarial/attack"),
                os.path.join(self.repo, "attack"))
        self.put("repo/file", "plain")
        self.put("repo/private", "mine", 0o600)
        self.put("secret", self.secret, 0o600)
        for name, to in (("shadow", "/etc/shadow"), ("up", ".."),
                         ("out", "../secret"), ("abs", self.dir + "/secret"),
                         ("build", ".."), ("tmp", "/"), ("scratch", ".."),
                         ("dev", "/"), ("self", "/proc/self/root")):
            os.symlink(to, os.path.join(self.repo, name))

    def put(self, name, text, mode=0o644):
        return lib.put(self.user, os.path.join(self.dir, name), text, mode)

    def words_in(self, text):
        for word, value in self.words.items():
            if word in text:
                self.used.add(word)
            text = text.replace(word, str(value))
        return text

    # -- servers; each is a thread that ends when its socket is closed

    def serve(self, name, sock, accept):
        self.closers.append(sock.close)

        def loop():
            try:
                while True:
                    if accept:
                        peer, _ = sock.accept()
                        self.seen.add(name)
                        peer.close()
                    else:
                        sock.recv(100)
                        self.seen.add(name)
            except OSError:
                pass

        threading.Thread(target=loop, daemon=True).start()

    def unix(self, name, kind):
        sock = socket.socket(socket.AF_UNIX, kind)
        here = os.open(self.repo, os.O_PATH)  # names of sockets must be short
        sock.bind("/proc/self/fd/%d/%s" % (here, name))
        os.close(here)
        os.chmod(os.path.join(self.repo, name), 0o777)
        return sock

    def want_stream(self):
        sock = self.unix("stream", socket.SOCK_STREAM)
        sock.listen(5)
        self.serve("stream", sock, True)

    def want_dgram(self):
        self.serve("dgram", self.unix("dgram", socket.SOCK_DGRAM), False)

    def want_abstract(self):
        sock = socket.socket(socket.AF_UNIX)
        sock.bind("\0" + self.mark)
        sock.listen(5)
        self.serve("abstract", sock, True)

    def want_tcp(self):
        sock = socket.create_server(("127.0.0.1", 0))
        self.words["@PORT@"] = sock.getsockname()[1]
        self.serve("tcp", sock, True)

    def want_tcp6(self):
        sock = socket.create_server(("::1", 0), family=socket.AF_INET6)
        self.words["@PORT6@"] = sock.getsockname()[1]
        self.serve("tcp6", sock, True)

    def want_udp(self):
        sock = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        sock.bind(("127.0.0.1", 0))
        self.words["@UPORT@"] = sock.getsockname()[1]
        self.serve("udp", sock, False)

    def want_fifo(self):
        path = os.path.join(self.repo, "fifo")
        os.mkfifo(path)
        os.chmod(path, 0o666)
        fd = os.open(path, os.O_RDWR | os.O_NONBLOCK)

        def close():
            try:
                if os.read(fd, 100):
                    self.seen.add("fifo")
            except OSError:
                pass
            os.close(fd)

        self.closers.append(close)

    # -- what the host holds while the attack runs

    def hold(self, name):
        f = open(self.put("repo/" + name, "held"), "r+b")
        self.closers.append(f.close)
        return f

    def want_flock(self):
        fcntl.flock(self.hold("flocked"), fcntl.LOCK_EX)

    def want_record(self):
        fcntl.lockf(self.hold("recorded"), fcntl.LOCK_EX)

    def want_lease(self):
        """A program of the host tries to write again and again."""
        path = self.put("repo/leased", "x")
        stop = threading.Event()

        def write():
            while not stop.wait(0.03):
                try:
                    os.close(os.open(path, os.O_WRONLY | os.O_NONBLOCK))
                except BlockingIOError:
                    self.seen.add("lease")

        thread = threading.Thread(target=write)
        thread.start()
        self.closers += [thread.join, stop.set]  # the last one first

    # -- a futex on a page of a file of the repository

    def futex(self, name, op, step):
        """A thread calls futex on the file until the attack is over.  name is seen if
        it was woken (FUTEX_WAIT, 0) or woke somebody (FUTEX_WAKE, 1).
        """
        number = {"aarch64": 98}.get(os.uname().machine, 202)
        call = ctypes.CDLL(None, use_errno=True).syscall
        f = self.hold("flag")
        f.write(b"\0" * 4096)
        f.flush()
        page = mmap.mmap(f.fileno(), 4096)
        word = ctypes.c_int.from_buffer(page)
        limit = (ctypes.c_long * 2)(0, 100000000)
        stop = threading.Event()

        def loop():
            while not stop.wait(step):
                r = call(number, ctypes.byref(word), op, int(op == 1),
                         limit, None, 0)
                if r >= op:
                    self.seen.add(name)

        thread = threading.Thread(target=loop)
        thread.start()
        self.closers += [thread.join, stop.set]  # the last one first

    def want_waiter(self):
        """A program of the host that waits with FUTEX_WAIT, shared."""
        self.futex("woken", 0, 0)

    def want_waker(self):
        """A program of the host that wakes every waiter with FUTEX_WAKE, shared."""
        self.futex("heard", 1, 0.01)

    def want_victim(self):
        """A process of the host that runs with the vessel's own kuid."""
        own = ["setpriv", "--reuid=%d" % OWN, "--regid=%d" % OWN,
               "--clear-groups"] if self.user == "root" else []
        p = lib.start(own + ["sleep", "20.%d" % os.getpid()], self.user)
        # While setpriv drops its privileges, the process still belongs to another user.
        lib.wait_until(lambda: is_running(p.pid, b"sleep"), 10)
        self.words["@PID@"] = p.pid
        self.victim = p

        def close():
            # Another signal that came first is what ended it.
            p.send_signal(signal.SIGUSR2)
            p.communicate()
            if p.returncode != -signal.SIGUSR2:
                self.seen.add("victim")

        self.closers.append(close)

    def want_shm(self):
        p = subprocess.run(["ipcmk", "-p", "0666", "-M", "4097"],
                           capture_output=True, text=True, check=True)
        self.words["@SHMID@"] = shm = p.stdout.split()[-1]
        self.closers.append(lambda: subprocess.run(["ipcrm", "-m", shm]))

    def want_fds(self):
        """Fifty descriptors of every kind, beyond 1023 as well."""
        fds = []
        for i in range(48):
            kind = (self.dir, self.repo + "/file", "/", "/etc/passwd")[i % 4]
            fds.append(os.open(kind, os.O_RDONLY))
        fds.extend(fcntl.fcntl(fds[0], fcntl.F_DUPFD, at)
                   for at in (1023, 1500))
        self.kwargs["pass_fds"] = fds
        self.closers.append(lambda: [os.close(fd) for fd in fds])

    def want_cached(self):
        """A file in the host's page cache; note whether it is there afterwards."""
        f = self.hold("cached")
        os.fsync(f.fileno())  # pages that are not written back yet stay anyway

        def look():
            try:
                os.preadv(f.fileno(), [bytearray(1)], 0, os.RWF_NOWAIT)
            except BlockingIOError:
                self.seen.add("evicted")
            except OSError:
                self.seen.add("no-disk")  # a file system in memory

        self.closers.append(look)

    def want_uuid(self):
        """Note if /usr is on a file system without an id to reveal."""
        fd = os.open("/usr", os.O_RDONLY)
        try:
            fcntl.ioctl(fd, 0x80111500, bytes(17))
        except OSError:
            self.seen.add("no-uuid")
        os.close(fd)

    # -- the state of the caller

    def want_env(self, value):
        name, _, text = value.partition(":")
        self.env[name] = self.words_in(text)

    def want_signals(self):
        self.shell("trap '' HUP INT QUIT TERM PIPE USR1 XFSZ CHLD")

    def want_umask(self):
        self.shell("umask 077")

    def want_stdin(self):
        f = open(os.path.join(self.dir, "secret"), "rb")
        self.kwargs["stdin"] = f
        self.closers.append(f.close)

    def want_keyring(self):
        """A caller whose session keyring holds a key."""
        add, ctl = {"aarch64": (217, 219)}.get(os.uname().machine, (248, 250))
        self.before += [
            "python3", "-c",
            "import ctypes, os, sys\n"
            "call = ctypes.CDLL(None, use_errno=True).syscall\n"
            "assert call(%d, 1, None) > 0\n"
            "assert call(%d, b'user', b'cupel-probe', b'secret', 6, -3) > 0\n"
            "os.execvp(sys.argv[1], sys.argv[1:])" % (ctl, add)]

    def want_groups(self):
        """Root with two more groups; an ordinary user cannot drop its groups."""
        self.before += ["setpriv", "--groups=4,27", "--"]

    # -- further files

    def want_allow(self):
        """A policy that allows everything: the floor must hold below it."""
        self.put("allow.json", '{"defaultAction": "SCMP_ACT_ALLOW"}')

    def want_schema(self):
        self.put("schema.json", '{"properties": {"n": {"type": "integer"}}}')

    def want_other(self):
        os.mkdir(os.path.join(self.dir, "other"), 0o755)
        lib.give(self.user, os.path.join(self.dir, "other"))
        self.put("other/file", "of the other")

    def want_moved(self):
        """The repository has a name with every odd character in it."""
        to = os.path.join(self.dir, "new\nline \\040 x:y,lowerdir=a\\b")
        os.rename(self.repo, to)
        self.repo = self.words["@MOVED@"] = to

    def want_rootfile(self):
        """A repository of an ordinary user with a file that belongs to root."""
        for dirpath, _, files in os.walk(self.repo):
            for name in files:
                path = os.path.join(dirpath, name)
                if name != "attack" and os.geteuid() == 0:
                    os.lchown(path, lib.ORDINARY, lib.ORDINARY)
        os.chown(self.repo, lib.ORDINARY, lib.ORDINARY)
        lib.put("root", os.path.join(self.repo, "rootfile"), "x", 0o600)

    def want_hostfile(self):
        """A file beside the repository that anybody may read and write."""
        self.put("file", "of the host", 0o666)

    def want_unreadable(self):
        """A runtime with a program of root that others may run but not read."""
        top = tempfile.mkdtemp(prefix="cupel-xo-", dir="/var/tmp")
        self.closers.append(lambda: shutil.rmtree(top, ignore_errors=True))
        os.chmod(top, 0o755)
        for name in ("bin", "lib"):
            os.mkdir(os.path.join(top, name), 0o755)
        to = os.path.join(top, "bin", "attack")
        shutil.copy(lib.binary("adversarial/attack"), to)
        os.chmod(to, 0o711)
        self.words["@PREFIX@"] = top

    def want_alone(self):
        """No other run that wants this runs at the same time: outside a vessel some
        attacks hit every process of the user, also the victims of other runs."""
        lock = open(os.path.join(tempfile.gettempdir(),
                                 "cupel-alone-%d" % os.geteuid()), "w")
        fcntl.flock(lock, fcntl.LOCK_EX)
        self.closers.append(lock.close)

    def want_nice(self):
        """Note, after want_victim, whether its priority was changed."""
        def look():
            if os.getpriority(os.PRIO_PROCESS, self.victim.pid) != 0:
                self.seen.add("reniced")
        self.closers.append(look)

    def shell(self, line):
        self.before += ["sh", "-c", line + '; exec "$@"', "sh"]

    def host(self, word):
        """Whether that happened to the host.  Call it after close()."""
        if word == "secret-changed":
            with open(os.path.join(self.dir, "secret")) as f:
                return f.read() != self.secret
        if word == "file-changed":
            with open(os.path.join(self.repo, "file")) as f:
                return f.read() != "plain"
        if word == "alive":
            return bool(lib.processes_named(self.comm))
        if word == "outlived":  # that its end takes 100 ms is a figure of live/kill
            return not lib.wait_until(lambda: not lib.processes_named(self.comm))[0]
        if word.startswith("exists:"):
            return os.path.lexists(os.path.join(self.dir, word[7:]))
        return word in self.seen

    def close(self):
        for close in reversed(self.closers):
            close()
        self.closers = []

    def remove(self):
        """Remove everything of this run, and what a control left alive."""
        if "@COMM@" in self.used:
            for pid in lib.processes_named(self.comm):
                os.kill(pid, 9)
        shutil.rmtree(self.dir, ignore_errors=True)
