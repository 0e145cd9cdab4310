"""What one witness tries to leave for the next; each tells how far it came.
SELECTED is replaced by the test."""
import os
import sys

SELECTED = "files"
HERE = ("/scratch", "/tmp", "/dev/shm")


def attempt(f, *args):
    try:
        return repr(f(*args))
    except BaseException as e:
        return type(e).__name__


def files():
    for d in HERE:
        with open(d + "/left", "w") as f:
            f.write("left")
        os.mkdir(d + "/dir")
    return [sorted(os.listdir(d)) for d in HERE]


def fill():
    n = 0
    try:
        for i in range(1000):
            with open("/dev/shm/%d" % i, "wb") as f:
                n += f.write(bytes(9 << 20))
    except OSError as e:
        return [n, e.errno]
    return n


def interpreter():
    import builtins
    import json
    builtins.len = lambda x: -1
    builtins.planted = 1
    json.loads = None
    sys.modules["planted"] = sys
    os.environ["PLANTED"] = "1"
    sys.path.insert(0, "/scratch")
    sys.setrecursionlimit(77)
    os.umask(0)
    os.chdir("/tmp")
    return [len([]), os.environ["PLANTED"]]


def limits():
    import resource
    resource.setrlimit(resource.RLIMIT_AS, (100 << 20, 100 << 20))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    os.nice(5)
    return resource.getrlimit(resource.RLIMIT_FSIZE)


def signals():
    import signal
    out = [attempt(os.kill, pid, sig) for pid in (1, os.getppid(), -1, 3, 13)
           for sig in (signal.SIGINT, signal.SIGTERM, signal.SIGSTOP,
                       signal.SIGKILL)]
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 32))
    return out


def looks():
    return [attempt(open, p, "rb") for p in (
        "/proc/1/mem", "/proc/1/maps", "/proc/1/environ", "/proc/1/fd/0",
        "/proc/2/../1/mem")] + [
        attempt(os.listdir, p) for p in ("/proc/1", "/proc/1/fd",
                                         "/proc/1/root")]


def memory():
    """Scribble over what came from the template, code and plan included."""
    import _ctypes
    import re

    class Long(_ctypes._SimpleCData):
        _type_ = "l"

    class Call(_ctypes.CFuncPtr):
        _flags_ = 1
        _restype_ = Long

    own = _ctypes.dlopen(None, 0)
    protect, fill = [Call(_ctypes.dlsym(own, n)) for n in ("mprotect",
                                                           "memset")]
    done = 0
    with open("/proc/self/maps") as f:
        for line in f.readlines():
            if "memfd:cupel" in line:
                a, b = [int(x, 16) for x in
                        re.match("([0-9a-f]+)-([0-9a-f]+)", line).groups()]
                if protect(Long(a), Long(b - a), Long(3)) == 0:
                    fill(Long(a), Long(0xcc), Long(b - a))
                    done += 1
    return done


def leaves():
    import threading
    out = [attempt(os.fork)]
    try:
        threading.Thread(target=lambda: None).start()
        out.append("started")
    except RuntimeError as e:
        out.append(type(e).__name__)
    return out


def lock():
    import fcntl
    f = os.open("/repo/hostile.py", os.O_RDONLY)
    out = attempt(fcntl.flock, f, fcntl.LOCK_EX)
    globals()["KEPT"] = f
    return out


def maps():
    """New memory that is shared, named, or executable."""
    import mmap
    m = mmap.mmap(-1, 1 << 20)
    m.write(b"left" * 1000)
    globals()["KEPT"] = m
    return len(m)


def output():
    for _ in range(300):
        os.write(1, b"x" * 10000)
        os.write(2, b"y" * 10000)
    return None


def result():
    for fd in range(3, 16):
        attempt(os.write, fd, b'{"outcome":"raised"}')
        attempt(os.close, fd)
    return None


def stop():
    import signal
    signal.alarm(0)
    os.write(1, b'{"did": "stop"}')
    while True:
        pass


def probe():
    import json
    did = globals()[SELECTED]()
    os.write(1, json.dumps({"did": did}).encode() if did is not None else b"")
