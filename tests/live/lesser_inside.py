"""lesser_inside.py -- what a command can do without namespaces: tries it all
and prints one JSON object, name: 0 or the errno.  argv: what lesser.t made."""
import ctypes
import errno
import json
import os
import resource
import socket
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
    """A datagram pair that is told another peer."""
    a, b = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    with a, b:
        a.sendto(b"x", ARGS["dgram"])


def fchmods():
    fd = os.open(REPO + "/file", os.O_RDONLY)
    try:
        os.fchmod(fd, 0o666)
    finally:
        os.close(fd)


def renice_user():
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.setpriority(2, 0, 19) != 0:
        raise OSError(ctypes.get_errno(), "setpriority")


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
tries("peek", opens, "/proc/%d/environ" % ARGS["pid"], os.O_RDONLY)
tries("peek_init", opens, "/proc/%d/mem" % os.getppid(), os.O_RDONLY)
st = os.stat(HOME)
said.update(uid=os.getuid(), cwd=os.getcwd(), home=HOME,
            tmpdir=os.environ["TMPDIR"], mode=st.st_mode & 0o7777,
            fds=sorted(map(int, os.listdir("/proc/self/fd"))),
            names={errno.errorcode[v]: v for v in (1, 13)})
print(json.dumps(said))
