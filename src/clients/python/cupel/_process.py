"""Finds the program, runs it, and reads its output up to a cap."""

from __future__ import annotations

import contextlib
import errno
import os
import selectors
import subprocess
import time
from typing import Dict, IO, Iterator, List, NamedTuple, Optional, Sequence

from ._errors import SandboxError

CHUNK_BYTES = 65536
STDERR_KEPT_BYTES = 65536  # one line is expected; the rest is read and dropped
REST_S = 1.0  # to read what an ended program left in its pipes

_BUSY = (errno.EAGAIN, errno.ENOMEM, errno.EMFILE, errno.ENFILE)


class Ended(NamedTuple):
    """A program that ran to its end; a signal's number is negative."""

    returncode: int
    stdout: bytes
    stderr: bytes


def find_binary(named: Optional[str]) -> Optional[str]:
    """The program to run, or None: as named, from CUPEL, or from PATH.

    A path with a slash is used as it is.  A program that is named but does not
    exist is not searched for elsewhere.  Relative directories in PATH are
    skipped, because they may belong to a repository that nobody trusts.
    """
    name = named or os.environ.get("CUPEL") or "cupel"
    if "/" in name:
        return os.path.abspath(name) if _can_run(name) else None
    for directory in os.environ.get("PATH", os.defpath).split(os.pathsep):
        path = os.path.join(directory, name)
        if os.path.isabs(directory) and _can_run(path):
            return path
    return None


def _can_run(path: str) -> bool:
    return os.path.isfile(path) and os.access(path, os.X_OK)


def run_bounded(
    argv: Sequence[str],
    text: bytes,
    cap_bytes: int,
    timeout_s: Optional[float] = None,
) -> Ended:
    """Run argv with text on its stdin and wait for its end.

    Whatever happens, even a KeyboardInterrupt, the program has ended and been
    reaped when this returns or raises; killing cupel ends its vessel.  A process
    that it leaves behind with its pipes open, as a gate's planner may, is not
    waited for (with Python 3.9 and Linux 5.3).  Raises
    SandboxError if it cannot be started, prints more than cap_bytes, or takes
    longer than timeout_s.
    """
    deadline = None if timeout_s is None else time.monotonic() + timeout_s
    try:
        with Child(argv) as child:
            return _take(child, text, cap_bytes, deadline)
    except subprocess.TimeoutExpired:
        raise SandboxError(
            "%s did not end within %g s" % (argv[0], timeout_s or 0), "busy"
        ) from None
    except OSError as e:
        raise os_error(argv[0], e) from e


def os_error(name: str, e: OSError) -> SandboxError:
    """The error for a program that the system cannot start."""
    cause = "busy" if e.errno in _BUSY else "host"
    return SandboxError("%s: %s" % (name, e.strerror or e), cause)


def _end(child: subprocess.Popen[bytes]) -> None:
    try:
        if child.poll() is None:
            child.kill()
    finally:
        for stream in (child.stdin, child.stdout, child.stderr):
            if stream is not None:
                stream.close()
        child.wait()


def _left(deadline: Optional[float]) -> Optional[float]:
    """Seconds left, None without a deadline; raises when the time is over."""
    if deadline is None:
        return None
    left = deadline - time.monotonic()
    if left <= 0:
        raise subprocess.TimeoutExpired([], 0)
    return left


def _take(
    child: Child,
    text: bytes,
    cap_bytes: int,
    deadline: Optional[float],
) -> Ended:
    """Write to one pipe and read from the others at the same time, then
    wait.  What the program wrote is in the pipes when it has ended."""
    kept: Dict[str, List[bytes]] = {"stdout": [], "stderr": []}
    size = {"stdout": 0, "stderr": 0}
    unwritten = memoryview(text)
    rest_ends: Optional[float] = None
    with selectors.DefaultSelector() as ready, child.end_file() as end:
        if end is not None:
            ready.register(end, selectors.EVENT_READ, "end")
        for stream, name, events in (
            (child.stdin, "stdin", selectors.EVENT_WRITE),
            (child.stdout, "stdout", selectors.EVENT_READ),
            (child.stderr, "stderr", selectors.EVENT_READ),
        ):
            os.set_blocking(stream.fileno(), False)
            ready.register(stream, events, name)
        while any(k.data != "end" for k in ready.get_map().values()):
            found = ready.select(_left(deadline) if rest_ends is None else 0)
            if rest_ends is not None and (
                    not found or time.monotonic() > rest_ends):
                break
            for key, _ in found:
                name = key.data
                if name == "end":
                    rest_ends = time.monotonic() + REST_S
                    ready.unregister(key.fileobj)
                    continue
                if name == "stdin":
                    unwritten = _write(child.stdin, unwritten)
                    if not unwritten:
                        ready.unregister(child.stdin)
                        child.stdin.close()
                    continue
                piece = os.read(key.fd, CHUNK_BYTES)
                if not piece:
                    ready.unregister(key.fileobj)
                    continue
                size[name] += len(piece)
                if name == "stdout" and size[name] > cap_bytes:
                    raise SandboxError(
                        "cupel's answer is longer than the %d bytes of "
                        "max_result_bytes" % cap_bytes,
                        "caller",
                    )
                if name == "stdout" or size[name] <= STDERR_KEPT_BYTES:
                    kept[name].append(piece)
    returncode = child.wait(_left(deadline))
    return Ended(returncode, b"".join(kept["stdout"]), b"".join(kept["stderr"]))


def _write(pipe: IO[bytes], text: memoryview) -> memoryview:
    """Write; return what is left to write, or nothing if nobody reads any
    more."""
    try:
        return text[os.write(pipe.fileno(), text[:CHUNK_BYTES]) :]
    except BrokenPipeError:
        return text[:0]


def line_of(raw: bytes) -> str:
    """The first line of a complaint, printable and short."""
    lines = raw.decode("utf-8", "backslashreplace").strip().splitlines()
    text = "".join(c for c in lines[0] if c.isprintable()) if lines else ""
    if text.startswith("cupel: "):
        text = text[len("cupel: ") :]
    return text[:500]


class Child:
    """A program with three pipes; it lasts as long as a ``with``."""

    def __init__(self, argv: Sequence[str]) -> None:
        try:
            self._child = subprocess.Popen(
                argv,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
            )
        except OSError as e:
            raise os_error(argv[0], e) from e
        child = self._child
        assert child.stdin and child.stdout and child.stderr
        self.stdin, self.stdout, self.stderr = (
            child.stdin, child.stdout, child.stderr)
        self._said = b""

    def __enter__(self) -> Child:
        return self

    def __exit__(self, *_: object) -> None:
        _end(self._child)

    @contextlib.contextmanager
    def end_file(self) -> Iterator[Optional[int]]:
        """A descriptor that is ready when the program has ended, or None."""
        pidfd_open = getattr(os, "pidfd_open", None)
        try:
            fd = pidfd_open(self._child.pid) if pidfd_open else None
        except OSError:
            fd = None
        try:
            yield fd
        finally:
            if fd is not None:
                os.close(fd)

    def complain(self, piece: bytes) -> None:
        """Keep the beginning of its complaint."""
        self._said = (self._said + piece)[:STDERR_KEPT_BYTES]

    def complaint(self) -> bytes:
        """Its complaint."""
        return self._said

    def wait(self, timeout_s: Optional[float]) -> int:
        """Its exit status; a signal's number is negative."""
        return self._child.wait(timeout_s)
