"""Runs flagged functions with the program ``cupel``; see cupel-confirm(1)."""

from __future__ import annotations

import asyncio
import dataclasses
import json
import os
import shutil
import tempfile
from typing import Any, Dict, IO, Iterable, List, Mapping, Optional
from typing import Sequence, Tuple, Union

from ._errors import SandboxError
from ._json import Fields, read_object
from ._process import REST_S, STDERR_KEPT_BYTES, Ended
from ._process import find_binary, line_of, os_error, run_bounded

STATUS = (
    "confirmed-bug",
    "timeout-without-confirmation",
    "no-bug-found",
    "input-synthesis-failed",
    "sandbox-error",
    "platform-unsupported",
)
CAUSE_OF_RC = {2: "caller"}
ENDED_RC = (0, 3)  # 3: every flag is platform-unsupported
SUMMARY_BYTES_MAX = 65536
LOG_BYTES_MAX = 256 << 20

Path = Union[str, "os.PathLike[str]"]


@dataclasses.dataclass(frozen=True)
class Flag:
    """A function that may fail; it has a function, a line, or both."""

    file: str
    flag_class: str
    function: Optional[str] = None
    line: Optional[int] = None
    witness_hints: Any = None
    argument: Optional[str] = None  # the parameter that must fail

    def to_json(self) -> Dict[str, Any]:
        """The members that it has."""
        found = dataclasses.asdict(self)
        return {k: v for k, v in found.items() if v is not None}


@dataclasses.dataclass(frozen=True)
class Record:
    """What came of one flag; ``raw`` has all of it (``cupel schema run-log``)."""

    number: int  # of the flag, from 1
    status: str
    reason: Optional[str]
    confirmed_class: Optional[str]  # of a confirmed bug
    witness: Any  # cupel-witness(5)
    error_class: Optional[str]
    traceback_head: Optional[str]
    exit_code: Optional[int]
    signal: Optional[int]
    duration_ms: int
    backend: Optional[str]
    raw: Mapping[str, Any] = dataclasses.field(repr=False, compare=False)

    @property
    def confirmed(self) -> bool:
        """Whether the bug showed, twice."""
        return self.status == "confirmed-bug"

    @classmethod
    def from_json(cls, line: bytes) -> Record:
        """Read a line of the log, or raise SandboxError."""
        value = read_object(line)
        at = Fields(value)
        return cls(
            at.fields("flag_ref").count("number"),
            at.word("status", STATUS),
            at.or_none("reason", at.text),
            at.optional("class", at.text),
            at.anything("witness"),
            at.or_none("error_class", at.text),
            at.or_none("traceback_head", at.text),
            at.or_none("exit_code", lambda key: at.count(key, 255)),
            at.or_none("signal", lambda key: at.count(key, 64)),
            at.count("duration_ms"),
            at.or_none("backend", at.text),
            value,
        )


class _Call:
    """The words and the input of one call, and what is made of its end."""

    def __init__(
        self,
        flags: Iterable[Union[Flag, Mapping[str, Any]]],
        binary: Optional[Path],
    ) -> None:
        if isinstance(flags, (str, bytes, Flag, Mapping)):
            raise SandboxError("flags: expected a list of flags", "caller")
        try:
            lines = [
                json.dumps(f.to_json() if isinstance(f, Flag) else dict(f))
                for f in flags
            ]
        except (TypeError, ValueError) as e:
            raise SandboxError("a flag is not JSON: %s" % e, "caller") from e
        program = find_binary(None if binary is None else os.fspath(binary))
        if program is None:
            raise SandboxError("cupel was not found", "host")
        self.count = len(lines)
        self.text = "".join(line + "\n" for line in lines).encode("utf-8")
        self.argv = [program, "confirm", "--quiet"]
        self.folder = ""

    def add(self, name: str, value: Optional[Union[Path, float]]) -> None:
        """An option, if it was asked for."""
        if value is not None:
            text = (
                "%r" % value
                if isinstance(value, (int, float))
                else os.fspath(value)
            )
            self.argv.append("--%s=%s" % (name, text))

    def __enter__(self) -> _Call:
        """Make a folder for the log and, for a child that is not fed, the flags."""
        self.folder = tempfile.mkdtemp(prefix="cupel-confirm.")
        return self

    def __exit__(self, *_: object) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)

    @property
    def log(self) -> str:
        """The file that the records are in."""
        return os.path.join(self.folder, "log.jsonl")

    def words(self) -> List[str]:
        """The whole command line."""
        return self.argv + ["--", "/dev/stdin", self.log]

    def input(self) -> IO[bytes]:
        """The flags as a file, to be read from its beginning."""
        f = open(os.path.join(self.folder, "flags.jsonl"), "w+b")
        f.write(self.text)
        f.seek(0)
        return f

    def records(self, ended: Ended) -> Tuple[Record, ...]:
        """A record for each flag, in their order."""
        if ended.returncode not in ENDED_RC:
            raise SandboxError(
                line_of(ended.stderr)
                or "cupel confirm ended with %d" % ended.returncode,
                CAUSE_OF_RC.get(ended.returncode, "bug"),
            )
        found: Dict[int, Record] = {}
        for line in self._lines():
            record = Record.from_json(line)
            if record.number in found or not 1 <= record.number <= self.count:
                raise SandboxError(
                    "cupel's log: number %d was not expected" % record.number,
                    "bug",
                )
            found[record.number] = record
        if len(found) != self.count:
            raise SandboxError(
                line_of(ended.stderr)
                or "cupel's log: records: %d; flags: %d"
                % (len(found), self.count),
                "caller" if ended.stderr else "bug",
            )
        return tuple(found[n] for n in sorted(found))

    def _lines(self) -> List[bytes]:
        try:
            with open(self.log, "rb") as f:
                raw = f.read(LOG_BYTES_MAX + 1)
        except FileNotFoundError:
            return []
        if len(raw) > LOG_BYTES_MAX:
            raise SandboxError("cupel's log is too long", "bug")
        return raw.splitlines()


def _call(
    flags: Iterable[Union[Flag, Mapping[str, Any]]],
    repo: Path,
    jobs: Optional[int],
    flag_time_s: Optional[int],
    ro: Sequence[Path],
    runtimes: Sequence[Path],
    rules: Sequence[Path],
    reproducer: Optional[Path],
    cold: bool,
    binary: Optional[Path],
) -> _Call:
    call = _Call(flags, binary)
    call.add("repo", repo)
    call.add("jobs", jobs)
    call.add("flag-time-s", flag_time_s)
    call.add("reproducer", reproducer)
    for name, paths in (("ro", ro), ("runtime", runtimes), ("rules", rules)):
        for path in paths:
            call.add(name, path)
    call.argv += ["--cold"] * cold
    return call


def confirm(
    flags: Iterable[Union[Flag, Mapping[str, Any]]],
    repo: Path = ".",
    *,
    jobs: Optional[int] = None,
    flag_time_s: Optional[int] = None,
    ro: Sequence[Path] = (),
    runtimes: Sequence[Path] = (),
    rules: Sequence[Path] = (),
    reproducer: Optional[Path] = None,
    cold: bool = False,
    binary: Optional[Path] = None,
    timeout_s: Optional[float] = None,
) -> Tuple[Record, ...]:
    """Call each flagged function of repo with inputs that may make it fail.

    flags: Flag objects, or objects of ``cupel schema review-flags``.  The other
    arguments are the options of cupel-confirm(1).  Returns a record for each
    flag, in their order.  No log is kept in repo: where one shall be, run the
    program.  Raises SandboxError with cause ``caller`` for a flag that cannot be
    read; none has a record then.
    """
    with _call(flags, repo, jobs, flag_time_s, ro, runtimes, rules,
               reproducer, cold, binary) as call:
        return call.records(
            run_bounded(call.words(), call.text, SUMMARY_BYTES_MAX, timeout_s)
        )


async def aconfirm(
    flags: Iterable[Union[Flag, Mapping[str, Any]]],
    repo: Path = ".",
    *,
    jobs: Optional[int] = None,
    flag_time_s: Optional[int] = None,
    ro: Sequence[Path] = (),
    runtimes: Sequence[Path] = (),
    rules: Sequence[Path] = (),
    reproducer: Optional[Path] = None,
    cold: bool = False,
    binary: Optional[Path] = None,
    timeout_s: Optional[float] = None,
) -> Tuple[Record, ...]:
    """The same for asyncio: cancelling it ends what runs."""
    with _call(flags, repo, jobs, flag_time_s, ro, runtimes, rules,
               reproducer, cold, binary) as call:
        try:
            ended = await asyncio.wait_for(_run(call), timeout_s)
        except asyncio.TimeoutError:
            raise SandboxError(
                "%s did not end within %g s" % (call.argv[0], timeout_s or 0),
                "busy",
            ) from None
        return call.records(ended)


class _Output(asyncio.Protocol):
    """The beginning of what comes through a pipe; the rest is read and dropped.

    The pipe is ours and not the event loop's, so that it can be closed whoever
    holds its other end: a wrapper around cupel may leave children behind.
    """

    def __init__(self, most: int) -> None:
        self.most = most
        self.kept = b""
        self.ended: asyncio.Future[None] = (
            asyncio.get_running_loop().create_future())
        ours, self.theirs = os.pipe()
        self._ours = open(ours, "rb", buffering=0)
        self._transport: Optional[asyncio.ReadTransport] = None

    async def begin(self) -> None:
        """Read from now on."""
        self._transport, _ = (
            await asyncio.get_running_loop().connect_read_pipe(
                lambda: self, self._ours))

    def data_received(self, data: bytes) -> None:
        self.kept = (self.kept + data)[: self.most]

    def connection_lost(self, exc: Optional[Exception]) -> None:
        if not self.ended.done():
            self.ended.set_result(None)

    def leave(self) -> None:
        """Close the end that the child has as its own by now."""
        if self.theirs >= 0:
            os.close(self.theirs)
        self.theirs = -1

    async def close(self) -> None:
        """Close both ends, whatever is left in the pipe."""
        self.leave()
        if self._transport is None:
            self._ours.close()
            return
        self._transport.close()
        await self.ended


async def _run(call: _Call) -> Ended:
    outputs: List[_Output] = []
    child = None
    try:
        for most in (SUMMARY_BYTES_MAX, STDERR_KEPT_BYTES):
            outputs.append(_Output(most))
            await outputs[-1].begin()
        with call.input() as flags:
            child = await asyncio.create_subprocess_exec(
                *call.words(), stdin=flags,
                stdout=outputs[0].theirs, stderr=outputs[1].theirs,
            )
        for output in outputs:
            output.leave()
        rc = await child.wait()
        # Somebody whom it has left behind may hold its pipes.
        await asyncio.wait([o.ended for o in outputs], timeout=REST_S)
        return Ended(rc, outputs[0].kept, outputs[1].kept)
    except OSError as e:
        raise os_error(call.argv[0], e) from e
    finally:
        if child is not None and child.returncode is None:
            child.kill()
        for output in outputs:
            await output.close()
        if child is not None:
            await child.wait()
