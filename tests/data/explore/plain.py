"""Code that a machine that reads it cannot follow: zlib says nothing to it."""
import zlib

NOTHING = zlib.crc32(b"")


def late_bug(n: int, m: int) -> int:
    return 10 // (n * 3 + m - 1 + NOTHING)


def no_bug(n: int, m: int) -> int:
    return 10 // (n * n + m * m + 1 + NOTHING)
