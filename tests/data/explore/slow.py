"""Takes the time that copies have."""
import time
import zlib


def f(n: int, m: int) -> int:
    if n or m:
        time.sleep(1.5)
    return 10 // (n * 3 + m - 1 + zlib.crc32(b""))
