"""lesser_inside.py -- what a command can do without namespaces: tries it all
and prints one JSON object, name: 0 or the errno.  argv: what lesser.t made."""
import ctypes
import errno
import fcntl
import json
import os
import resource
import signal
import socket
import struct
import sys

ARGS = json.loads(sys.argv[1])
REPO, SECRET, HOME = ARGS["repo"], ARGS["secret"], os.environ["HOME"]
said = {}


def tries(name, do, *args):
    try:
        do(*args)
        said[name] = 0
    except OSError as e:
        said[name] = e.errno


def opens(path, flags):
    os.close(os.open(path, flags, 0o600))


def connects(family, kind, address):
    with socket.socket(family, kind) as s:
        s.settimeout(2)
        s.connect(address)


def sends_by_pair():
    """A pair of datagram sockets, one of which is given another peer."""
    a, b = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    with a, b:
        a.sendto(b"x", ARGS["dgram"])


def fchmods():
    fd = os.open(REPO + "/file", os.O_RDONLY)
    try:
        os.fchmod(fd, 0o666)
    finally:
        os.close(fd)


def ioctls(number):
    fd = os.open(REPO + "/file", os.O_RDONLY)
    try:
        fcntl.ioctl(fd, number, struct.pack("l", 0x40))
    finally:
        os.close(fd)


def calls(name, *args):
    number = NUMBERS[name][os.uname().machine == "aarch64"]
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.syscall(number, *args) < 0:
        raise OSError(ctypes.get_errno(), name)


def caps():
    with open("/proc/self/status") as f:
        return {line[:6]: line.split()[1] for line in f
                if line.startswith("Cap")}


def renice_user():
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.setpriority(2, 0, 19) != 0:
        raise OSError(ctypes.get_errno(), "setpriority")


NUMBERS = {"shmget": (29, 194), "semget": (64, 190), "msgget": (68, 186),
           "mq_open": (240, 180), "inotify_add_watch": (254, 27)}
FILE = REPO + "/file"
tries("read_repo", opens, FILE, os.O_RDONLY)
tries("write_repo", opens, FILE, os.O_WRONLY)
tries("create_repo", opens, REPO + "/new", os.O_WRONLY | os.O_CREAT)
tries("unlink_repo", os.unlink, REPO + "/victim")
tries("rename_repo", os.rename, REPO + "/victim", HOME + "/taken")
tries("link_repo", os.link, REPO + "/victim", HOME + "/linked")
tries("mkdir_repo", os.mkdir, REPO + "/dir")
tries("truncate_repo", os.truncate, FILE, 0)
tries("chmod_repo", os.chmod, FILE, 0o777)
tries("fchmod_repo", fchmods)
tries("utime_repo", os.utime, FILE, (1, 1))
tries("setxattr_repo", os.setxattr, FILE, "user.x", b"1")
tries("chown_repo", os.chown, FILE, os.getuid(), os.getgid())
tries("read_secret", opens, SECRET, os.O_RDONLY)
tries("write_secret", opens, SECRET, os.O_WRONLY)
tries("chmod_secret", os.chmod, SECRET, 0o777)
tries("list_tmp", os.listdir, "/tmp")
tries("read_passwd", opens, "/etc/passwd", os.O_RDONLY)
tries("write_scratch", opens, HOME + "/new", os.O_WRONLY | os.O_CREAT)
tries("write_null", opens, "/dev/null", os.O_WRONLY)
tries("tcp", connects, socket.AF_INET, socket.SOCK_STREAM,
      ("127.0.0.1", ARGS["tcp"]))
tries("udp", connects, socket.AF_INET, socket.SOCK_DGRAM, ("127.0.0.1", 9))
tries("tcp6", connects, socket.AF_INET6, socket.SOCK_STREAM, ("::1", 9))
tries("unix", connects, socket.AF_UNIX, socket.SOCK_STREAM, ARGS["unix"])
tries("abstract", connects, socket.AF_UNIX, socket.SOCK_STREAM,
      "\0" + ARGS["abstract"])
tries("dgram_pair", sends_by_pair)
tries("signal", os.kill, ARGS["pid"], 0)
tries("prlimit", resource.prlimit, ARGS["pid"], resource.RLIMIT_CORE, (0, 0))
tries("affinity", os.sched_setaffinity, ARGS["pid"], [0])
tries("renice", os.setpriority, os.PRIO_PROCESS, ARGS["pid"], 19)
tries("renice_user", renice_user)
tries("set_flags", ioctls, 0x40086602)
tries("set_version", ioctls, 0x40087602)
tries("open_truncate", opens, FILE, os.O_RDONLY | os.O_TRUNC)
tries("open_neither", opens, SECRET, 3)
tries("inotify", calls, "inotify_add_watch", -1, REPO.encode(), 0x100)
tries("shm", calls, "shmget", 0, 4096, 0o1600)
tries("sem", calls, "semget", 0, 1, 0o1600)
tries("msg", calls, "msgget", 0, 0o1600)
tries("mq", calls, "mq_open", b"cupel-lesser", 0, 0, 0)
tries("signal_init", os.kill, os.getppid(), 0)
tries("stop_init", os.kill, os.getppid(), signal.SIGSTOP)
tries("peek_mem", opens, "/proc/%d/mem" % ARGS["pid"], os.O_RDWR)
tries("peek", opens, "/proc/%d/environ" % ARGS["pid"], os.O_RDONLY)
tries("peek_init", opens, "/proc/%d/mem" % os.getppid(), os.O_RDONLY)
st = os.stat(HOME)
said.update(caps=caps(), uid=os.getuid(), cwd=os.getcwd(), home=HOME,
            tmpdir=os.environ["TMPDIR"], mode=st.st_mode & 0o7777,
            fds=sorted(map(int, os.listdir("/proc/self/fd"))),
            names={errno.errorcode[v]: v for v in (1, 13)})
print(json.dumps(said))
