"""Gives one spec to the program ``cupel`` and reads one result."""

from __future__ import annotations

import dataclasses
import json
import os
from typing import (
    Any,
    AsyncGenerator,
    AsyncIterable,
    Iterable,
    Iterator,
    List,
    Mapping,
    Optional,
    Union,
)

from ._errors import SandboxError
from ._json import Fields, read_object
from ._many import Answer, Spec, run_many
from ._many_async import run_many_async
from ._process import Ended, find_binary, line_of, run_bounded
from ._result import SandboxResultV2

RESULT_BYTES_MAX = 64 << 20  # of the JSON without the text of the output
ESCAPED_BYTES = 12  # two streams, six characters of JSON for each byte
ANSWER_BYTES_MAX = 1 << 20  # of doctor and --version
HEALTH_TIMEOUT_S = 60.0
GRACE_S = 60.0  # beyond the wall time: start, kill, read a report, write

RC_USAGE = 2


@dataclasses.dataclass(frozen=True)
class Health:
    """Whether runs are possible here; if not, ``reason`` says why."""

    ok: bool
    binary: Optional[str]
    version: Optional[str]
    reason: Optional[str]


class SandboxClient:
    """Runs specs.  It has no state, so threads may share one.

    binary: the program; without it the variable CUPEL, then PATH, at each
    call.
    max_result_bytes: the longest result that is read, as JSON.  The default is
    64 MiB and, except for execute_many, room for the output_bytes of a spec
    that gives them as a number.
    """

    def __init__(
        self,
        binary: Union[str, "os.PathLike[str]", None] = None,
        max_result_bytes: Optional[int] = None,
    ) -> None:
        self._binary = None if binary is None else os.fspath(binary)
        self._max_result_bytes = max_result_bytes

    def execute(
        self, spec: Mapping[str, Any], timeout_s: Optional[float] = None
    ) -> SandboxResultV2:
        """Run spec, see cupel-spec(5), and return its result.

        timeout_s limits the whole call, in addition to the limits of the run.
        The default is the spec's own wall_time_s and a minute, if the spec has
        one; with phases it is the sum, if each phase has one.  Raises
        SandboxError when there is no result.
        """
        binary = self._find()
        try:
            text = json.dumps(dict(spec), allow_nan=False).encode("ascii")
        except (TypeError, ValueError, RecursionError) as e:
            raise SandboxError("the spec is not JSON: %s" % e, "caller") from e
        ended = run_bounded(
            [binary, "run", "--spec", "-", "--json"],
            text,
            self._cap_bytes(spec),
            _timeout(spec) if timeout_s is None else timeout_s,
        )
        return _result(ended, spec.get("error_rc"))

    def execute_many(
        self,
        specs: Iterable[Spec],
        *,
        jobs: Optional[int] = None,
        ordered: bool = False,
        timeout_s: Optional[float] = None,
    ) -> Iterator[Answer]:
        """Run specs, jobs at once, and yield an answer for each as it ends.

        One program runs all of them, see cupel-batch(1).  specs may be a
        generator: a spec is taken when there is room for its answer, and an
        answer when the caller asks for the next one, so memory is bounded
        however many there are.  A spec that cannot be run gets an answer with
        an error; SandboxError is raised when there can be no more answers.
        Leaving the loop, or closing the generator, ends what runs.

        jobs: how many at once (default: the processors)
        ordered: in the order of specs instead of the order in which they end
        timeout_s: for all of it
        """
        return run_many(self._find(), specs, jobs, ordered,
                        self._cap_of_many(), timeout_s)

    def execute_many_async(
        self,
        specs: Union[Iterable[Spec], AsyncIterable[Spec]],
        *,
        jobs: Optional[int] = None,
        ordered: bool = False,
    ) -> AsyncGenerator[Answer, None]:
        """The same for asyncio; specs may be an asynchronous iterable, too.

        Leave the loop within ``contextlib.aclosing``, or close the generator
        by ``aclose``: otherwise what runs goes on until the event loop closes
        it.
        """
        return run_many_async(self._find(), specs, jobs, ordered,
                              self._cap_of_many())

    def health(self, profile: str = "test") -> Health:
        """Whether profile can be enforced here, found out by doing it.

        Never raises SandboxError: ``reason`` says what is wrong.
        """
        binary = version = None
        try:
            binary = self._find()
            version = _version(_ask(binary, ["--version"]))
            _judge(_ask(binary, ["doctor", "--json", "--profile", profile]))
        except SandboxError as e:
            return Health(False, binary, version, str(e))
        return Health(True, binary, version, None)

    def _cap_bytes(self, spec: Mapping[str, Any]) -> int:
        if self._max_result_bytes is not None:
            return self._max_result_bytes
        runs = _runs(spec)
        outputs = [r.get("output_bytes") for r in runs]
        if len(runs) > 1:
            outputs.append(max((o for o in outputs if isinstance(o, int)),
                               default=None))
        return RESULT_BYTES_MAX + sum(
            ESCAPED_BYTES * o for o in outputs if isinstance(o, int)
        )

    def _cap_of_many(self) -> int:
        if self._max_result_bytes is not None:
            return self._max_result_bytes
        return RESULT_BYTES_MAX

    def _find(self) -> str:
        binary = find_binary(self._binary)
        if binary is None:
            raise SandboxError(
                "cupel was not found: %s"
                % (self._binary or os.environ.get("CUPEL") or "not in PATH"),
                "host",
            )
        return binary


def _runs(spec: Mapping[str, Any]) -> List[Mapping[str, Any]]:
    """The phases of spec, each with its defaults; otherwise spec itself."""
    phases = spec.get("phases")
    if not isinstance(phases, (list, tuple)) or not phases:
        return [spec]
    return [
        {**spec, **phase} if isinstance(phase, Mapping) else spec
        for phase in phases
    ]


def _timeout(spec: Mapping[str, Any]) -> Optional[float]:
    total = 0.0
    for run in _runs(spec):
        wall = run.get("wall_time_s")
        if isinstance(wall, bool) or not isinstance(wall, (int, float)):
            return None
        after = run.get("kill_after_s", 0)
        total += wall + GRACE_S
        total += after if isinstance(after, (int, float)) else 0
    return total


def _result(ended: Ended, error_rc: Any) -> SandboxResultV2:
    """The result of a run that ended, or SandboxError."""
    rc = ended.returncode
    if rc < 0:
        raise SandboxError("cupel was ended by signal %d" % -rc, "host")
    if not ended.stdout:
        said = line_of(ended.stderr)
        if said and rc in (RC_USAGE, error_rc):
            raise SandboxError(said, "caller")
        raise SandboxError(
            "cupel printed no result, exit status %d%s"
            % (rc, ": " + said if said else ""),
            "bug",
        )
    result = SandboxResultV2.from_json(ended.stdout)
    want = result.rc
    if result.status == "INTERNAL_ERROR" and error_rc:
        want = error_rc
    if rc != want:
        raise SandboxError(
            "cupel exited with %d and its result says %d: %s"
            % (rc, want, line_of(ended.stderr)),
            "bug",
        )
    return result


def _ask(binary: str, words: List[str]) -> Ended:
    return run_bounded(
        [binary] + words, b"", ANSWER_BYTES_MAX, HEALTH_TIMEOUT_S
    )


def _version(ended: Ended) -> str:
    words = ended.stdout.decode("utf-8", "backslashreplace").split()
    if ended.returncode != 0 or len(words) < 2 or words[0] != "cupel":
        raise SandboxError("cupel --version does not name cupel", "host")
    return words[1][:100]


def _judge(ended: Ended) -> None:
    """Raise SandboxError for what doctor says is missing."""
    if ended.returncode not in (0, 3):
        raise SandboxError(
            "doctor exited with %d: %s"
            % (ended.returncode, line_of(ended.stderr)),
            "caller" if ended.returncode == RC_USAGE else "bug",
        )
    at = Fields(read_object(ended.stdout))
    if at.flag("ok") and ended.returncode == 0:
        return
    for row in at.each("rows"):
        if row.or_none("ok", row.flag) is False:
            why = row.or_none("message", row.text) or "not here"
            raise SandboxError("%s: %s" % (row.text("id"), why), "host")
    raise SandboxError("cupel doctor says no, but does not say why", "host")
