"""All that a function can see of the process it runs in, as one JSON text on
stdout.  Run cold and in copies, it must say the same."""
import builtins
import gc
import os
import sys

MODULES = sorted(sys.modules)  # before what is imported for looking


def text(path):
    try:
        with open(path) as f:
            return f.read()
    except OSError as e:
        return "errno %d" % e.errno


def can_write(folder):
    path = os.path.join(folder, "written-by-a-test")
    try:
        with open(path, "x"):
            pass
    except OSError as e:
        return e.errno
    os.unlink(path)
    return 0


def mounts():
    """What lies on top, mount by mount: where, options, type, its options."""
    top = {}
    for line in text("/proc/self/mountinfo").splitlines():
        own, _, rest = line.partition(" - ")
        words, kind = own.split(), rest.split()
        top[words[4]] = [words[3], words[5], kind[0], kind[2]]
    return top


def descriptors():
    out = {}
    for n in sorted(os.listdir("/proc/self/fd"), key=int):
        try:
            link = os.readlink("/proc/self/fd/" + n)
        except OSError:
            continue  # the directory itself
        out[n] = link.split(":")[0].split(" ")[0]
    return out


def namespaces():
    """Numbers that are never used twice where the kernel has them (6.18);
    inode numbers are, once a namespace is gone."""
    import fcntl
    import struct
    out = {}
    for n in ("user", "mnt", "pid", "net", "ipc", "uts", "cgroup"):
        fd = os.open("/proc/self/ns/" + n, os.O_RDONLY)
        try:
            got = fcntl.ioctl(fd, 0x8008b70d, bytes(8))  # NS_GET_ID
            out[n] = struct.unpack("Q", got)[0]
        except OSError:
            out[n] = None
        os.close(fd)
    return out


def process_bits():
    import _ctypes

    class Long(_ctypes._SimpleCData):
        _type_ = "l"

    class Call(_ctypes.CFuncPtr):
        _flags_ = 1
        _restype_ = Long

    prctl = Call(_ctypes.dlsym(_ctypes.dlopen(None, 0), "prctl"))
    gets = {"dumpable": 3, "keepcaps": 7, "timing": 13, "securebits": 27,
            "timerslack": 30, "subreaper": 37, "no_new_privs": 39,
            "thp_disable": 42, "seccomp_caps": 23}
    return {name: prctl(Long(n), Long(0), Long(0), Long(0), Long(0))
            for name, n in gets.items()}


def gather():
    import resource
    import signal
    status = dict(line.split(":", 1) for line in
                  text("/proc/self/status").splitlines())
    return {
        "status": {k: v.strip() for k, v in status.items()
                   if k[:2] not in ("Vm", "Rs") and "ctxt" not in k and
                   k not in ("State", "FDSize", "HugetlbPages")},
        "limits": {n: resource.getrlimit(getattr(resource, n))
                   for n in dir(resource) if n.startswith("RLIMIT_")},
        "mounts": mounts(),
        "ids": [os.getresuid(), os.getresgid(), os.getgroups(), os.getpid(),
                os.getppid(), os.getsid(0), os.getpgid(0)],
        "fds": descriptors(),
        "writable": {d: can_write(d) for d in (
            "/", "/usr", "/etc", "/dev", "/repo", "/proc", "/proc/self",
            "/scratch", "/tmp", "/dev/shm", "/usr/lib")},
        "files": {d: sorted(os.listdir(d)) for d in (
            "/", "/scratch", "/tmp", "/dev", "/dev/shm", "/etc")},
        "proc": sorted(n for n in os.listdir("/proc")),
        "net": text("/proc/self/net/dev").count(":"),
        "env": dict(os.environ), "cwd": os.getcwd(), "umask": os.umask(18),
        "host": list(os.uname())[:2],
        "self": {n: text("/proc/self/" + n) for n in (
            "oom_score_adj", "personality", "coredump_filter", "cgroup",
            "timerslack_ns", "loginuid", "attr/current")},
        "signals": {str(s): str(signal.getsignal(s)).split(" at ")[0]
                    for s in range(1, 65) if s not in (32, 33)},
        "mask": sorted(signal.pthread_sigmask(signal.SIG_BLOCK, [])),
        "timer": signal.getitimer(signal.ITIMER_REAL)[1],
        "nice": os.nice(0), "cpus": len(os.sched_getaffinity(0)),
        "policy": os.sched_getscheduler(0),
        "bits": process_bits(),
        "python": {
            "modules": MODULES, "argv": sys.argv, "path": sys.path,
            "flags": list(sys.flags), "hash": hash("warm"),
            "limit": sys.getrecursionlimit(), "gc": gc.get_threshold(),
            "builtins": sorted(vars(builtins)), "trace": str(sys.gettrace()),
            "meta_path": len(sys.meta_path), "hooks": len(sys.path_hooks),
            "frames": frames(), "encoding": sys.stdout.encoding,
            "orig": getattr(sys, "orig_argv", [])[:-1],
            "threads": len(sys._current_frames()),
            "warnings": [str(f) for f in sys.warnoptions],
            "switch": sys.getswitchinterval(), "frozen": gc.get_freeze_count(),
        },
    }


def frames():
    n, f = 0, sys._getframe()
    while f is not None:
        n, f = n + 1, f.f_back
    return n


def probe():
    import json
    import random
    out = gather()
    names = {n: os.readlink("/proc/self/ns/" + n) for n in namespaces()}
    maps = {n: text("/proc/self/" + n).split()
            for n in ("uid_map", "gid_map", "setgroups")}
    print(json.dumps({"same": out, "names": names, "fresh": namespaces(),
                      "maps": maps, "random": random.random()}))
    sys.stdout.flush()
