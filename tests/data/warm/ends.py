"""One way to end, by name; SELECTED is replaced by the test."""
import os
import sys

SELECTED = "value"


def value():
    return 1


def sleeps():
    import time
    time.sleep(1)


def raises():
    return 1 // 0


def exits():
    sys.exit(3)


def leaves():
    os._exit(4)


def segfault():
    os.kill(os.getpid(), 11)


def terminated():
    os.kill(os.getpid(), 15)


def killed():
    os.kill(os.getpid(), 9)


def socket():
    import socket as s
    s.socket()


def unshare():
    import _ctypes

    class Call(_ctypes.CFuncPtr):
        _flags_ = 1

    Call(_ctypes.dlsym(_ctypes.dlopen(None, 0), "unshare"))(0x10000000)


def memory():
    kept = []
    while True:
        kept.append(bytearray(1 << 20))


def large_file():
    with open("/scratch/f", "wb") as f:
        for _ in range(11):
            f.write(bytes(1 << 20))


def depth():
    def down(n):
        globals()["DEEPEST"] = n
        return down(n + 1)
    try:
        down(0)
    except RecursionError:
        raise RecursionError("at %d" % DEEPEST) from None


def many_files():
    return [os.open("/repo/ends.py", os.O_RDONLY) for _ in range(20)]


def spin():
    import signal
    signal.alarm(0)
    while True:
        pass


def probe():
    return globals()[SELECTED]()
