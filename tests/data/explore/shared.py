"""Keeps what it did in memory that copies share."""
import mmap
import zlib

COUNT = mmap.mmap(-1, 4096)


def f(n: int, m: int) -> int:
    COUNT[0] += 1
    if COUNT[0] > 1:
        return 0
    return 10 // (n * 3 + m - 1 + zlib.crc32(b""))
