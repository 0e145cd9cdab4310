"""Runs a gate over a work tree with the program ``cupel``; see
cupel-gate(1)."""

from __future__ import annotations

import dataclasses
import os
from typing import Any, List, Mapping, Optional, Sequence, Tuple, Union

from ._errors import SandboxError
from ._json import Fields, read_object
from ._process import find_binary, line_of, run_bounded

OUTCOME_OF_RC = {0: "passed", 11: "escalate", 12: "failed_unrecoverable"}
CAUSE_OF_RC = {2: "caller", 4: "caller", 3: "host", 5: "busy"}
OUTCOMES = tuple(OUTCOME_OF_RC.values())
ANSWER_BYTES_MAX = 64 << 20

Path = Union[str, "os.PathLike[str]"]


@dataclasses.dataclass(frozen=True)
class Signal:
    """One kind of observation; ``details`` are those of its schema."""

    kind: str
    passed: bool
    details: Optional[Mapping[str, Any]]
    provenance: Mapping[str, Any]
    at: str

    @classmethod
    def read(cls, at: Fields) -> Signal:
        """Read it from its JSON object."""
        return cls(
            at.text("kind"),
            at.flag("passed"),
            at.or_none("details", at.mapping),
            at.mapping("provenance"),
            at.text("at"),
        )


@dataclasses.dataclass(frozen=True)
class Attempt:
    """One attempt; ``lost``: nothing is known about it."""

    attempt: int
    passed: bool
    lost: bool
    failing_signals: Tuple[str, ...]
    signals: Tuple[Signal, ...]
    runs: Tuple[Mapping[str, Any], ...]

    @classmethod
    def read(cls, at: Fields) -> Attempt:
        """Read it from its JSON object."""
        return cls(
            at.count("attempt"),
            at.flag("passed"),
            at.flag("lost"),
            tuple(_texts(at, "failing_signals")),
            tuple(Signal.read(f) for f in _objects(at, "signals")),
            tuple(f.value for f in _objects(at, "runs")),
        )


@dataclasses.dataclass(frozen=True)
class GateResult:
    """The outcome of a gate, and the place of its ledger."""

    outcome: str
    reason: Optional[str]
    gate: str
    catalogue: str
    isolation_class: Optional[str]
    attempts: Tuple[Attempt, ...]
    state: str

    @property
    def passed(self) -> bool:
        """Whether the change may advance."""
        return self.outcome == "passed"

    @classmethod
    def from_json(cls, raw: bytes) -> GateResult:
        """Read what ``cupel gate run --json`` printed, or raise
        SandboxError."""
        at = Fields(read_object(raw))
        return cls(
            at.word("outcome", OUTCOMES),
            at.or_none("reason", at.text),
            at.text("gate"),
            at.text("catalogue"),
            at.or_none("isolation_class", at.text),
            tuple(Attempt.read(f) for f in _objects(at, "attempts")),
            at.text("state"),
        )


def _list(at: Fields, key: str) -> List[Any]:
    found = at.anything(key)
    if not isinstance(found, list):
        raise at.wrong(key, "an array")
    return found


def _texts(at: Fields, key: str) -> List[str]:
    found = _list(at, key)
    for item in found:
        if not isinstance(item, str):
            raise at.wrong(key, "an array of strings")
    return found


def _objects(at: Fields, key: str) -> List[Fields]:
    found = []
    for i, item in enumerate(_list(at, key)):
        if not isinstance(item, dict):
            raise at.wrong(key, "an array of objects")
        found.append(Fields(item, "%s%s[%d]." % (at.path, key, i)))
    return found


def run_gate(
    gate: str,
    worktree: Path = ".",
    *,
    baseline: Optional[Path] = None,
    catalogues: Sequence[Path] = (),
    replan: Optional[str] = None,
    state: Optional[Path] = None,
    max_attempts: Optional[int] = None,
    operator_ack: Optional[str] = None,
    resume: bool = False,
    no_wait: bool = False,
    binary: Optional[Path] = None,
    timeout_s: Optional[float] = None,
) -> GateResult:
    """Run a gate over worktree and return its outcome.

    The arguments are the options of cupel-gate(1); replan is given to /bin/sh.
    Raises SandboxError when there is no outcome: cause ``caller`` for a wrong
    request or a broken ledger, ``host`` if the host cannot do it.
    """
    program = find_binary(None if binary is None else os.fspath(binary))
    if program is None:
        raise SandboxError("cupel was not found", "host")
    argv = [program, "gate", "run", "--json", "--quiet"]
    for name, value in (
        ("worktree", worktree),
        ("baseline", baseline),
        ("replan", replan),
        ("state", state),
        ("max-attempts", max_attempts),
        ("operator-ack", operator_ack),
    ):
        if value is not None:
            text = str(value) if isinstance(value, int) else os.fspath(value)
            argv.append("--%s=%s" % (name, text))
    argv += ["--catalogue=%s" % os.fspath(c) for c in catalogues]
    argv += ["--resume"] * resume + ["--no-wait"] * no_wait + ["--", gate]
    ended = run_bounded(argv, b"", ANSWER_BYTES_MAX, timeout_s)
    rc = ended.returncode
    if rc not in OUTCOME_OF_RC:
        raise SandboxError(
            line_of(ended.stderr) or "cupel gate ended with %d" % rc,
            CAUSE_OF_RC.get(rc, "bug"),
        )
    result = GateResult.from_json(ended.stdout)
    if result.outcome != OUTCOME_OF_RC[rc]:
        raise SandboxError("cupel's answer does not match its exit status", "bug")
    return result
