"""Behaves otherwise where it is explored, or under the harness at all."""
import sys
import zlib


def fails_there(n: int, m: int) -> int:
    return 10 // (0 if is_explored() else n * n + m * m + 1 + zlib.crc32(b""))


def hides_there(n: int, m: int) -> int:
    return 10 // (7 if is_explored() else n * 3 + m - 1 + zlib.crc32(b""))


def hides_everywhere(n: int, m: int) -> int:
    return 10 // (7 if under_harness() else n * 3 + m - 1 + zlib.crc32(b""))


def under_harness() -> bool:
    frame = sys._getframe()
    while frame is not None:
        if frame.f_code.co_filename == "cupel-runner":
            return True
        frame = frame.f_back
    return False


def is_explored() -> bool:
    frame = sys._getframe()
    while frame is not None:
        if frame.f_locals.get("copies"):
            return True
        frame = frame.f_back
    return False
