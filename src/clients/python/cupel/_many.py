"""Gives many specs to one ``cupel batch`` and reads an answer for each."""

from __future__ import annotations

import dataclasses
import json
import os
import selectors
import subprocess
import time
from typing import (
    Any,
    Dict,
    Iterable,
    Iterator,
    List,
    Mapping,
    Optional,
)

from ._errors import SandboxError
from ._json import Fields, read_object
from ._process import CHUNK_BYTES, Child, line_of
from ._result import SandboxResultV2

Spec = Mapping[str, Any]

# How many lines may wait for an answer for each place, so that none is idle.
AHEAD = 4
AHEAD_LEAST = 16
UNSENT_BYTES = 1 << 16
CAUSES = ("caller", "host", "busy", "bug")
END_OF_BATCH = (0, 1)  # 1: a run was not OK, or a line was wrong
RC_USAGE = 2


@dataclasses.dataclass(frozen=True)
class Answer:
    """The answer to one spec: ``result``, or ``error`` if there is none.

    index: the place of the spec among those that were given, from 0
    id: the spec's own ``id``, whatever it is; None without one
    """

    index: int
    id: Any
    result: Optional[SandboxResultV2]
    error: Optional[SandboxError]

    def unwrap(self) -> SandboxResultV2:
        """The result; raises the error if there is none."""
        if self.result is None:
            assert self.error is not None
            raise self.error
        return self.result


def argv_of(binary: str, jobs: Optional[int], ordered: bool) -> List[str]:
    """The command line of the batch."""
    argv = [binary, "batch", "--keep-going", "--quiet"]
    if jobs is not None:
        argv.append("--jobs=%d" % jobs)
    return argv + ["--ordered"] * ordered


class Ledger:
    """Lines that were sent, and answers that nobody has taken yet.

    The ids on the wire are our own numbers, because two specs may have the
    same ``id``.  An answer is believed only if its line was sent.
    """

    def __init__(self, jobs: Optional[int], ordered: bool) -> None:
        places = jobs if jobs is not None else os.cpu_count() or 1
        self.room = max(AHEAD * places, AHEAD_LEAST)
        self.ordered = ordered
        self.asked: Dict[int, Any] = {}
        self.answers: Dict[int, Answer] = {}
        self.count = 0  # specs so far
        self.next = 0  # with ordered: the index of the next answer

    def has_room(self) -> bool:
        """Whether another spec may be sent."""
        return len(self.asked) + len(self.answers) < self.room

    def line(self, spec: Spec) -> bytes:
        """The line of spec.  If it is not JSON, its answer is there at once."""
        index, self.count = self.count, self.count + 1
        own = None
        try:
            fields = dict(spec)
            own = fields.get("id")
            fields["id"] = str(index)
            text = json.dumps(fields, allow_nan=False)
        except (TypeError, ValueError, RecursionError) as e:
            error = SandboxError("the spec is not JSON: %s" % e, "caller")
            self.answers[index] = Answer(index, own, None, error)
            return b"\n"  # the batch skips it, and counts it as a line
        self.asked[index] = own
        return text.encode("ascii") + b"\n"

    def put(self, raw: bytes) -> None:
        """Take the answer in a line of the batch, or raise SandboxError."""
        at = Fields(read_object(raw))
        index = at.count("line") - 1
        if index not in self.asked:
            raise at.wrong("line", "one that was asked and has no answer")
        name = at.or_none("id", at.text)
        result = error = None
        if "result" in at.value:
            result = SandboxResultV2.read(at.fields("result"))
        else:
            said = at.fields("error")
            error = SandboxError(
                line_of(said.text("message").encode("utf-8")),
                said.word("cause", CAUSES),
            )
        if name != str(index) and (result is not None or name is not None):
            raise at.wrong("id", "that of the line")
        self.answers[index] = Answer(
            index, self.asked.pop(index), result, error
        )

    def take(self) -> Optional[Answer]:
        """The next answer that has come, or None."""
        if not self.ordered and self.answers:
            return self.answers.pop(next(iter(self.answers)))
        found = self.answers.pop(self.next, None)
        self.next += found is not None
        return found

    def end(self, returncode: int, stderr: bytes) -> None:
        """The batch has ended: SandboxError unless it has answered all."""
        said = line_of(stderr)
        said = ": " + said if said else ""
        if returncode < 0:
            raise SandboxError(
                "cupel was ended by signal %d%s" % (-returncode, said), "host"
            )
        if returncode not in END_OF_BATCH or self.asked:
            raise SandboxError(
                "cupel batch exited with %d; specs without an answer: %d%s"
                % (returncode, len(self.asked), said),
                "caller" if returncode == RC_USAGE else "bug",
            )


class Lines:
    """Splits the pieces that are read into whole lines, up to a cap."""

    def __init__(self, cap_bytes: int) -> None:
        self.cap_bytes = cap_bytes
        self.pieces: List[bytes] = []
        self.size = 0

    def take(self, piece: bytes) -> Iterator[bytes]:
        """The lines that end in piece."""
        *whole, rest = piece.split(b"\n")
        for end in whole:
            self.keep(end)
            yield b"".join(self.pieces)
            self.pieces, self.size = [], 0
        self.keep(rest)

    def keep(self, piece: bytes) -> None:
        """Keep a part of a line whose end has not come."""
        self.size += len(piece)
        if self.size > self.cap_bytes:
            raise SandboxError(
                "an answer is longer than the %d bytes of max_result_bytes"
                % self.cap_bytes,
                "caller",
            )
        self.pieces.append(piece)


class Batch:
    """A running batch, for execute_many."""

    def __init__(self, child: Child, specs: Iterable[Spec], ledger: Ledger,
                 cap_bytes: int, deadline: Optional[float]) -> None:
        self.child = child
        self.specs: Optional[Iterator[Spec]] = iter(specs)
        self.ledger = ledger
        self.lines = Lines(cap_bytes)
        self.deadline = deadline
        self.unsent = b""
        self.ready = selectors.DefaultSelector()
        for stream, name in ((child.stdout, "stdout"),
                             (child.stderr, "stderr")):
            os.set_blocking(stream.fileno(), False)
            self.ready.register(stream, selectors.EVENT_READ, name)
        os.set_blocking(child.stdin.fileno(), False)

    def fill(self) -> None:
        """Take specs while there is room for them."""
        while (self.specs is not None and len(self.unsent) < UNSENT_BYTES
               and self.ledger.has_room()):
            try:
                self.unsent += self.ledger.line(next(self.specs))
            except StopIteration:
                self.specs = None

    def watch(self) -> None:
        """Wait for the batch to read, if there is something to send."""
        stdin = self.child.stdin
        if stdin.closed:
            return
        if not self.unsent and self.specs is None:
            self.forget()
            return
        is_watched = stdin.fileno() in self.ready.get_map()
        if self.unsent and not is_watched:
            self.ready.register(stdin, selectors.EVENT_WRITE, "stdin")
        elif not self.unsent and is_watched:
            self.ready.unregister(stdin)

    def forget(self) -> None:
        """Stop sending."""
        stdin = self.child.stdin
        if stdin.closed:
            return
        if stdin.fileno() in self.ready.get_map():
            self.ready.unregister(stdin)
        stdin.close()

    def send(self) -> None:
        """Write what the pipe accepts.  The end tells if nobody reads."""
        try:
            n = os.write(self.child.stdin.fileno(),
                         memoryview(self.unsent)[:CHUNK_BYTES])
            self.unsent = self.unsent[n:]
        except BrokenPipeError:
            self.unsent, self.specs = b"", None
            self.forget()

    def read(self, key: selectors.SelectorKey) -> None:
        """Read from one of its outputs."""
        piece = os.read(key.fd, CHUNK_BYTES)
        if not piece:
            self.ready.unregister(key.fileobj)
        elif key.data == "stderr":
            self.child.complain(piece)
        else:
            for line in self.lines.take(piece):
                self.ledger.put(line)

    def run(self) -> Iterator[Answer]:
        """All answers, as they come."""
        while True:
            self.fill()
            answer = self.ledger.take()
            if answer is not None:
                yield answer
                continue
            self.watch()
            if not self.ready.get_map():
                break
            for key, _ in self.ready.select(_left(self.deadline)):
                if key.data == "stdin":
                    self.send()
                else:
                    self.read(key)
        self.ledger.end(self.child.wait(_left(self.deadline)),
                        self.child.complaint())


def _left(deadline: Optional[float]) -> Optional[float]:
    if deadline is None:
        return None
    left = deadline - time.monotonic()
    if left <= 0:
        raise SandboxError("the batch did not end in time", "busy")
    return left


def run_many(
    binary: str,
    specs: Iterable[Spec],
    jobs: Optional[int],
    ordered: bool,
    cap_bytes: int,
    timeout_s: Optional[float],
) -> Iterator[Answer]:
    """The generator behind SandboxClient.execute_many."""
    deadline = None if timeout_s is None else time.monotonic() + timeout_s
    with Child(argv_of(binary, jobs, ordered)) as child:
        batch = Batch(child, specs, Ledger(jobs, ordered),
                      cap_bytes, deadline)
        try:
            yield from batch.run()
        except subprocess.TimeoutExpired:
            raise SandboxError(
                "the batch did not end in time", "busy"
            ) from None
        finally:
            batch.ready.close()
