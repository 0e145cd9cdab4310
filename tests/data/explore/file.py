"""Keeps what it did in a file: only the first call in a vessel does anything."""
import os
import zlib

MARK = "/tmp/mark"


def f(n: int, m: int) -> int:
    if os.path.exists(MARK):
        return 0
    with open(MARK, "w") as out:
        out.write("x")
    return 10 // (n * 3 + m - 1 + zlib.crc32(b""))


def only_after(n: int, m: int) -> int:
    """Fails only where another call was before it."""
    if os.path.exists(MARK):
        return n // (m - m)
    with open(MARK, "w") as out:
        out.write("x")
    return zlib.crc32(b"")
