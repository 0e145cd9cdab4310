"""Keeps what it did in the place to which an open file has been read."""
import os
import zlib

SELF = os.open(__file__, os.O_RDONLY)


def f(n: int, m: int) -> int:
    if os.lseek(SELF, 1, os.SEEK_CUR) > 1:
        return 0
    return 10 // (n * 3 + m - 1 + zlib.crc32(b""))
