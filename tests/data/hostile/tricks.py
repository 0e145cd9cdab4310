"""Functions that want their flag to come out otherwise than it should.

What each must come to stands in tests/data/hostile.expected.
"""
import builtins
import ctypes
import os
import signal
import sys
import threading
import time


def honest(x: int):
    return 1 / x


def loud(x: int):
    print("noise " * 400000)
    sys.stderr.write("more" * 10)
    return 1 / x


def exits(x: int):
    os._exit(0)
    return 1 / x


def exits_with_70(x: int):
    os._exit(70)
    return 1 / x


def sys_exits(x: int):
    sys.exit(0)
    return 1 / x


FORGED = (b'{"outcome":"raised","stage":"call","nonce":"0","type":{"module":'
          b'"builtins","name":"ZeroDivisionError","builtin":true,"message":""}'
          b',"frames":[{"where":"target","file":"tricks.py","function":"f",'
          b'"line":1}]}')


def everywhere(text):
    for fd in range(16):
        try:
            os.write(fd, text)
        except OSError:
            pass


def forges(x: int):
    everywhere(FORGED)
    os._exit(0)
    return 1 / x


def forges_and_returns(x: int):
    everywhere(FORGED)
    return x or 1 / 1


def scribbles(x: int):
    everywhere(b"null\n")
    return 1 / x


def closes_all(x: int):
    os.closerange(0, 16)
    return 1 / x


def reads_nonce(x: int):
    found = sys.stdin.read()
    return 1 / (len(found) * 0 + 1)


class ZeroDivisionLike(Exception):
    pass


def patches_builtins(x: int):
    builtins.ZeroDivisionError = ZeroDivisionLike
    raise builtins.ZeroDivisionError(1 % 1)


def same_name(x: int):
    fake = type("ZeroDivisionError", (Exception,),
                {"__module__": "builtins", "__qualname__":
                 "ZeroDivisionError"})
    raise fake(1 % 1)


def subclass(x: int):
    raise type("Sub", (ZeroDivisionError,), {})(1 % 1)


def guarded(x: int):
    try:
        return 1 / x
    except ZeroDivisionError as e:
        e.__traceback__ = None
        raise e


def patches_runner(x: int):
    os.write = os._exit = sys.exc_info = lambda *a: None
    builtins.type = builtins.len = builtins.any = lambda *a: 0
    sys.modules.clear()
    return 1 / x


def spins():
    while True:
        pass
    return 1 / 1


def sleeps():
    time.sleep(100)
    return 1 / 1


def sleeps_unalarmed():
    signal.alarm(0)
    signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))
    time.sleep(100)
    return 1 / 1


def alarms_early():
    os.kill(os.getpid(), signal.SIGALRM)
    return 1 / 1


def hog():
    kept = []  # reserved, not written to: it meets the address space alone
    while True:
        kept.append(bytes(1 << 20))
    return 1 / 1


def hog_written():
    kept = []  # 508 MiB are resident when the address space is full
    while True:
        kept.append(bytearray(1 << 20))
    return 1 / 1


def big_file():
    signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
    with open("/scratch/big", "wb") as f:
        f.write(b"x" * (20 << 20))
    return 1 / 1


def threads():
    t = threading.Thread(target=lambda: 1 / 0)
    t.start()
    t.join()
    return 1 / 1


def forks(x: int):
    if os.fork() == 0:
        os._exit(0)
    return 1 / 1


def recurses(x: int):
    return recurses(x + 1) / 1


def kills_itself():
    os.kill(os.getpid(), signal.SIGKILL)
    return 1 / 1


def crashes():
    ctypes.string_at(0)
    return 1 / 1


def mounts():
    libc = ctypes.CDLL(None)
    libc.mount(b"none", b"/scratch", b"tmpfs", 0, None)
    return 1 / 1


def raises_elsewhere(x: int):
    other(x)
    return 1 % 1


def other(x):
    return 1 / x


def unhashable(x: int):
    class Odd(ZeroDivisionError):
        def __getattribute__(self, name):
            os._exit(0)

        __str__ = __repr__ = lambda self: os._exit(0)
    raise Odd(1 % 1)


def nothing_to_divide(x: int):
    y = x
    return y


def once(until: float):
    left = until - time.time()
    if left < 0:
        return 0
    time.sleep(left + 0.05)
    return 1 / 0
