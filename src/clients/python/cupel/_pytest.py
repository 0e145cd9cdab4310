"""Runs test suites under a policy: pytest in a vessel."""

from __future__ import annotations

import dataclasses
import os
import sys
from typing import Any, Dict, Iterable, List, Optional, Tuple, Union

from ._client import SandboxClient
from ._errors import SandboxError
from ._result import SandboxResultV2

MIB = 1 << 20

# Prefixes that are always shown: an interpreter there needs no --runtime.
SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib64")

Path = Union[str, "os.PathLike[str]"]


@dataclasses.dataclass(frozen=True)
class SandboxPolicy:
    """What a test suite may use.

    enforce_network: do not run without a network namespace, even if
    allow_partial accepts fewer walls.  Without it, and with allow_partial, a
    host that has no namespaces may leave the network open; the result says so.
    In either case there is a loopback device and never more.
    cache: a directory of the caller's that outlives runs, cupel-run(1), "THE
    CACHE"; it must exist, and untrusted code writes what is in it.
    allow_partial: run even if something cannot be enforced; ``partial`` and
    ``enforced`` of the result say what.
    """

    wall_time_s: float = 30
    cpu_time_s: float = 20
    mem_bytes: int = 512 * MIB
    pids_max: int = 32
    nofile: int = 512
    output_bytes: int = 1 * MIB
    enforce_network: bool = True
    allow_partial: bool = False
    cache: Optional[Path] = None

    def to_spec(self) -> Dict[str, Any]:
        """The policy as keys of a spec, on top of the profile ``pytest``."""
        spec: Dict[str, Any] = {
            "profile": "pytest",
            "network": "loopback",
            "wall_time_s": self.wall_time_s,
            "cpu_time_s": self.cpu_time_s,
            "mem_bytes": self.mem_bytes,
            "pids_max": self.pids_max,
            "nofile": self.nofile,
            "output_bytes": self.output_bytes,
            "allow_partial": self.allow_partial,
        }
        # Other backends have no network namespace, and auto may choose them.
        if self.enforce_network:
            spec["backend"] = "namespaces"
        if self.cache is not None:
            spec["cache"] = os.fspath(self.cache)
        return spec


def run_pytests(
    paths: Iterable[Path], timeout_s: float = 30
) -> Tuple[int, str]:
    """Run pytest over paths, below the current directory, in a vessel.

    Returns the exit status (124 after timeout_s) and what was printed.  The
    other limits are those of SandboxPolicy, except for the CPU time, which is
    timeout_s if that is more.  Raises SandboxError if nothing could be run.
    """
    result = run_pytests_v2(
        paths,
        SandboxPolicy(
            wall_time_s=timeout_s,
            cpu_time_s=max(SandboxPolicy.cpu_time_s, timeout_s),
        ),
    )
    said = "" if result.message is None else "cupel: %s\n" % result.message
    gap = "" if not said or result.output.endswith("\n") else "\n"
    return result.rc, result.output + (gap if result.output else "") + said


def run_pytests_v2(
    paths: Iterable[Path],
    policy: SandboxPolicy = SandboxPolicy(),
    repo: Optional[Path] = None,
    python: Optional[str] = None,
    client: Optional[SandboxClient] = None,
) -> SandboxResultV2:
    """Run pytest over paths under policy, and return the result.

    paths: below repo, relative to it or absolute; ``file::test`` names one
    test.  Without paths, pytest chooses.
    repo: the directory shown at /repo, by default the current one; what the
    suite writes there is lost at the end of the run and never reaches the
    host.
    python: the interpreter, by default the one that runs this.

    The payload of the result is ``{"tests": {...}}``, made from pytest's
    report (``cupel schema tests``), or None; then payload_error says why.  The
    profile ``pytest`` loads the reporter and puts pytest's cache into the
    scratch.  If pytest is not installed, the result's ``message`` says so.
    """
    top = os.path.abspath(os.curdir if repo is None else os.fspath(repo))
    spec = policy.to_spec()
    spec["repo"] = top
    if python is None:
        python, spec["runtime"] = _own_python(top)
    spec["command"] = [python, "-m", "pytest"] + [
        _inside(top, os.fspath(p)) for p in paths
    ]
    result = (client or SandboxClient()).execute(spec)
    if policy.enforce_network and result.started:
        wall = result.enforced.get("network")
        if wall is None or wall.applied is not True:
            raise SandboxError("the network was not closed", "bug")
    if _lacks_pytest(result):
        why = "pytest is not installed for %s, as seen inside" % python
        return dataclasses.replace(result, message=why)
    return result


def _lacks_pytest(result: SandboxResultV2) -> bool:
    said = result.stderr.rstrip("\n")
    return (
        result.status == "FAILED"
        and result.rc == 1
        and not result.stdout
        and "\n" not in said
        and said.endswith(": No module named pytest")
    )


def _is_below(path: str, top: str) -> bool:
    return path == top or path.startswith(top.rstrip("/") + "/")


def _own_python(repo: str) -> Tuple[str, List[str]]:
    """The path of this interpreter inside, and the prefixes that must be
    shown.

    A virtualenv in the repository is already there, below /repo.
    """
    if not sys.executable:
        raise SandboxError("the path of this interpreter is unknown", "host")
    python = os.path.abspath(sys.executable)
    tops = (repo, os.path.realpath(repo))
    for top in tops:
        if _is_below(python, top):
            python = "/repo/" + os.path.relpath(python, top)
            break
    shown: List[str] = []
    for prefix in (sys.prefix, sys.base_prefix):
        prefix = os.path.realpath(prefix)
        if not any(_is_below(prefix, d) for d in SYSTEM + tops):
            if prefix not in shown:
                shown.append(prefix)
    return python, shown


def _inside(repo: str, text: str) -> str:
    """The caller's path or node id as pytest sees it from /repo."""
    path, colons, test = text.partition("::")
    if os.path.isabs(path):
        for top in (repo, os.path.realpath(repo)):
            if _is_below(os.path.normpath(path), top):
                path = os.path.relpath(path, top)
                break
        else:
            raise SandboxError(
                "%s: not below the repository %s" % (path, repo), "caller"
            )
    # It must not be read as an option of pytest or as a file of arguments.
    if path[:1] in ("-", "@"):
        path = "./" + path
    return path + colons + test
