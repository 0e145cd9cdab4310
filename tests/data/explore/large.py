"""Takes the memory that all copies have together."""
import zlib

KEPT = b"x" * (260 << 20)


def f(n: int, m: int) -> int:
    more = bytearray(b"y" * (100 << 20))
    return len(more) // (n * 3 + m - 1 + zlib.crc32(b""))
