"""Checks and types a result of ``cupel run --json``; see cupel-result(5)."""

from __future__ import annotations

import dataclasses
from typing import Any, Dict, Mapping, Optional, Tuple

from ._json import Fields, read_object

# The values of rc for each status (cupel-run(1), "EXIT STATUS").
RC_OF_STATUS: Dict[str, Tuple[int, int]] = {
    "OK": (0, 0),
    "FAILED": (1, 255),
    "TIMEOUT": (124, 124),
    "CPU_LIMIT": (152, 152),
    "MEM_LIMIT": (137, 137),
    "OUTPUT_LIMIT": (137, 137),
    "FILE_SIZE_LIMIT": (153, 153),
    "FORBIDDEN_SYSCALL": (159, 159),
    "KILLED_TERM": (129, 192),
    "KILLED_KILL": (137, 137),
    "SIGNALED": (129, 192),
    "INTERNAL_ERROR": (1, 255),
}

PAYLOAD_STATUS = (
    "absent",
    "valid",
    "too_large",
    "malformed",
    "schema_violation",
    "schema_error",
    "rejected",
)


@dataclasses.dataclass(frozen=True)
class Wall:
    """One wall of ``enforced``: whether it was asked for, whether it was read
    back as standing, and how."""

    requested: bool
    applied: Optional[bool]
    details: Optional[Mapping[str, Any]]

    @classmethod
    def read(cls, at: Fields) -> Wall:
        """From its JSON object."""
        return cls(
            at.flag("requested"),
            at.or_none("applied", at.flag),
            at.or_none("details", at.mapping),
        )


@dataclasses.dataclass(frozen=True)
class Usage:
    """What the run used."""

    cpu_user_ms: int
    cpu_system_ms: int
    cpu_tree_ms: Optional[int]
    max_rss_kib: int
    peak_memory_bytes: Optional[int]
    oom_kills: Optional[int]
    processes: int
    processes_killed: int
    tasks: Optional[int]  # processes and threads that were started

    @classmethod
    def read(cls, at: Fields) -> Usage:
        """From its JSON object."""
        return cls(
            at.count("cpu_user_ms"),
            at.count("cpu_system_ms"),
            at.optional("cpu_tree_ms", at.count),
            at.count("max_rss_kib"),
            at.or_none("peak_memory_bytes", at.count),
            at.optional("oom_kills", at.count),
            at.count("processes"),
            at.count("processes_killed"),
            at.optional("tasks", at.count),
        )


@dataclasses.dataclass(frozen=True)
class Violation:
    """The system call that the filter does not allow."""

    syscall: Optional[str]
    number: Optional[int]
    arch: Optional[str]
    args: Tuple[str, ...]
    pid: Optional[int]
    comm: Optional[str]

    @classmethod
    def read(cls, at: Fields) -> Violation:
        """From its JSON object."""
        return cls(
            at.or_none("syscall", at.text),
            at.or_none("number", at.integer),
            at.or_none("arch", at.text),
            at.texts("args"),
            at.or_none("pid", at.count),
            at.or_none("comm", at.text),
        )


@dataclasses.dataclass(frozen=True)
class PayloadError:
    """Which rule a payload breaks, and where."""

    code: str
    offset: Optional[int]
    instance: Optional[str]
    schema: Optional[str]
    message: Optional[str]

    @classmethod
    def read(cls, at: Fields) -> PayloadError:
        """From its JSON object."""
        return cls(
            at.text("code"),
            at.or_none("offset", at.count),
            at.or_none("instance", at.text),
            at.or_none("schema", at.text),
            at.or_none("message", at.text),
        )


@dataclasses.dataclass(frozen=True)
class Cache:
    """What became of what the run added to its cache (``--cache``)."""

    dir: str
    state: str  # "saved", "unchanged" or "not_saved"
    why: Optional[str]  # a word, when it is not saved
    bytes: int
    entries: int
    left_out: int

    @classmethod
    def read(cls, at: Fields) -> Cache:
        """From its JSON object."""
        return cls(
            at.text("dir"),
            at.word("state", ("saved", "unchanged", "not_saved")),
            at.or_none("why", at.text),
            at.count("bytes"),
            at.count("entries"),
            at.count("left_out"),
        )


@dataclasses.dataclass(frozen=True)
class Artifact:
    """A file that was copied out, or why it was not."""

    path: str
    dst: Optional[str]
    bytes: Optional[int]
    blake3: Optional[str]
    skipped: Optional[str]

    @classmethod
    def read(cls, at: Fields) -> Artifact:
        """From its JSON object."""
        return cls(
            at.text("path"),
            at.optional("dst", at.text),
            at.optional("bytes", at.count),
            at.optional("blake3", at.text),
            at.optional("skipped", at.text),
        )


@dataclasses.dataclass(frozen=True)
class Program:
    """The program that was run as the command, or as the interpreter of a
    script."""

    name: str
    found: str
    taken: str
    origin: str

    @classmethod
    def read(cls, at: Fields) -> Program:
        """From its JSON object."""
        return cls(
            at.text("name"),
            at.text("found"),
            at.text("taken"),
            at.text("origin"),
        )


@dataclasses.dataclass(frozen=True)
class LimitMet:
    """A limit that the command met and was told of by an error number alone.

    by ``look``: seen in samples, so that a moment between two is not.
    """

    limit: str
    option: str
    value: int
    by: str
    looks: int
    looks_at_limit: int
    at_end: bool
    refused: Optional[int]

    @classmethod
    def read(cls, at: Fields) -> LimitMet:
        """From its JSON object."""
        return cls(
            at.text("limit"),
            at.text("option"),
            at.count("value", 2**64 - 1),
            at.word("by", ("cgroup", "look")),
            at.count("looks"),
            at.count("looks_at_limit"),
            at.flag("at_end"),
            at.or_none("refused", at.count),
        )


@dataclasses.dataclass(frozen=True)
class Reached:
    """The contacts with one host and port, allowed or refused.

    ``allowed`` with a reason means that it was not reached.
    """

    host: Optional[str]
    address: Optional[str]
    port: Optional[int]
    verdict: str
    reason: Optional[str]
    connections: int
    bytes_in: int
    bytes_out: int
    first_ms: int

    @classmethod
    def read(cls, at: Fields) -> Reached:
        """From its JSON object."""
        return cls(
            at.or_none("host", at.text),
            at.or_none("address", at.text),
            at.or_none("port", lambda key: at.count(key, 65535)),
            at.word("verdict", ("allowed", "refused")),
            at.or_none("reason", at.text),
            at.count("connections"),
            at.count("bytes_in"),
            at.count("bytes_out"),
            at.count("first_ms"),
        )


@dataclasses.dataclass(frozen=True)
class TraceEvent:
    """Something that was executed, or connected to; ``raw`` has more of it."""

    kind: str
    t_ms: int
    pid: int
    result: int
    verified: bool
    path: Optional[str]
    raw: Mapping[str, Any] = dataclasses.field(repr=False, compare=False)

    @classmethod
    def read(cls, at: Fields) -> TraceEvent:
        """From its JSON object."""
        return cls(
            at.word("kind", ("exec", "connect")),
            at.count("t_ms"),
            at.count("pid"),
            at.count("result"),
            at.flag("verified"),
            at.or_none("path", at.text),
            at.value,
        )


@dataclasses.dataclass(frozen=True)
class Trace:
    """What was executed and connected to, and whether anything may be
    missing."""

    events: Tuple[TraceEvent, ...]
    events_omitted: int
    lost: int
    coverage_ok: bool
    coverage: Mapping[str, int]

    @classmethod
    def read(cls, at: Fields) -> Trace:
        """From its JSON object."""
        return cls(
            tuple(TraceEvent.read(e) for e in at.each("events")),
            at.count("events_omitted"),
            at.count("lost"),
            at.flag("coverage_ok"),
            {c.text("cause"): c.count("count") for c in at.each("coverage")},
        )


@dataclasses.dataclass(frozen=True)
class SandboxResultV2:
    """The result of a run; the names are those of cupel-result(5).

    Keys that a later minor version adds are in ``raw`` only.
    """

    version: str
    status: str
    rc: int
    reason: Optional[str]
    message: Optional[str]
    stage: Optional[str]
    cause: Optional[str]
    partial: bool
    started: bool
    stdout: str
    stdout_bytes: int
    stdout_truncated: bool
    stdout_replaced: bool
    stderr: str
    stderr_bytes: int
    stderr_truncated: bool
    stderr_replaced: bool
    duration_ms: int
    cmd: Tuple[str, ...]
    trace_id: str
    backend: Optional[str]
    isolation_class: str
    signal: Optional[int]
    enforced: Mapping[str, Wall]
    usage: Usage
    violation: Optional[Violation]
    spec_hash: str
    policy_hash: Optional[str]
    payload: Any
    payload_status: str
    payload_error: Optional[PayloadError]
    artifacts: Tuple[Artifact, ...]
    programs: Tuple[Program, ...]
    limits_met: Tuple[LimitMet, ...]
    cache: Optional[Cache]  # None without --cache
    egress: Optional[Tuple[Reached, ...]]
    egress_omitted: Optional[int]
    trace: Optional[Trace]
    name: Optional[str]  # of a phase
    goes_on: Optional[bool]  # of a phase
    phases: Optional[Tuple[SandboxResultV2, ...]]  # of a spec with phases
    raw: Mapping[str, Any] = dataclasses.field(repr=False, compare=False)

    @property
    def ok(self) -> bool:
        """Whether the command ran to its end and exited with 0."""
        return self.status == "OK"

    @property
    def output(self) -> str:
        """stdout, then stderr."""
        gap = "" if not self.stdout or self.stdout.endswith("\n") else "\n"
        return self.stdout + (gap + self.stderr if self.stderr else "")

    @classmethod
    def from_json(cls, raw: bytes) -> SandboxResultV2:
        """Read the bytes of one result; SandboxError when it is not one."""
        return cls.read(Fields(read_object(raw)))

    @classmethod
    def read(cls, at: Fields) -> SandboxResultV2:
        """From its JSON object."""
        if not at.text("version").startswith("1."):
            raise at.wrong("version", "1.x, which this package reads")
        status = at.word("status", tuple(RC_OF_STATUS))
        walls = at.fields("enforced")
        least, most = RC_OF_STATUS[status]
        if not least <= at.count("rc", 255) <= most:
            raise at.wrong("rc", "%d to %d with %s" % (least, most, status))
        if status == "INTERNAL_ERROR" and at.flag("started"):
            raise at.wrong("started", "false with INTERNAL_ERROR")
        payload_status = at.word("payload_status", PAYLOAD_STATUS)
        payload = at.anything("payload")
        if payload is not None and payload_status != "valid":
            raise at.wrong("payload", "null with %s" % payload_status)
        return cls(
            status=status,
            rc=at.count("rc", 255),
            signal=at.or_none("signal", lambda key: at.count(key, 64)),
            enforced={k: Wall.read(walls.fields(k)) for k in walls.value},
            usage=Usage.read(at.fields("usage")),
            violation=at.or_none(
                "violation", lambda key: Violation.read(at.fields(key))
            ),
            payload=payload,
            payload_status=payload_status,
            payload_error=at.or_none(
                "payload_error", lambda key: PayloadError.read(at.fields(key))
            ),
            artifacts=tuple(Artifact.read(a) for a in at.each("artifacts")),
            programs=tuple(Program.read(p) for p in at.each("programs")),
            limits_met=tuple(LimitMet.read(m) for m in at.each("limits_met")),
            cache=at.optional(
                "cache", lambda key: Cache.read(at.fields(key))
            ),
            egress=at.optional(
                "egress",
                lambda key: tuple(Reached.read(e) for e in at.each(key)),
            ),
            egress_omitted=at.optional("egress_omitted", at.count),
            trace=at.optional(
                "trace", lambda key: Trace.read(at.fields(key))
            ),
            name=at.optional("name", at.text),
            goes_on=at.optional("goes_on", at.flag),
            phases=at.optional(
                "phases", lambda key: tuple(cls.read(p) for p in at.each(key))
            ),
            raw=at.value,
            **_plain(at),
        )


def _plain(at: Fields) -> Dict[str, Any]:
    """The members that are plain values."""
    found: Dict[str, Any] = {"trace_id": at.text("traceId")}
    for key in ("version", "isolation_class", "spec_hash"):
        found[key] = at.text(key)
    for key in ("reason", "message", "backend", "policy_hash"):
        found[key] = at.or_none(key, at.text)
    for key in ("stage", "cause"):
        found[key] = at.optional(key, at.text)
    for key in ("partial", "started"):
        found[key] = at.flag(key)
    for key in ("stdout", "stderr"):
        found[key] = at.text(key)
        found[key + "_bytes"] = at.count(key + "_bytes")
        found[key + "_truncated"] = at.flag(key + "_truncated")
        found[key + "_replaced"] = at.flag(key + "_replaced")
    found["duration_ms"] = at.count("duration_ms")
    found["cmd"] = at.texts("cmd")
    return found
