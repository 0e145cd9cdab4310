"""Run code that nobody has reason to trust in a cupel vessel.

Must:     speak only the spec and result JSON of the program ``cupel``
Must not: use a shell, believe an answer before it is checked, need more than
          the standard library
"""

from ._client import Health, SandboxClient
from ._confirm import Flag, Record, aconfirm, confirm
from ._errors import SandboxError
from ._gate import Attempt, GateResult, Signal, run_gate
from ._many import Answer
from ._pytest import SandboxPolicy, run_pytests, run_pytests_v2
from ._result import (
    Artifact,
    Cache,
    LimitMet,
    PayloadError,
    Program,
    SandboxResultV2,
    Usage,
    Violation,
    Wall,
)

__all__ = [
    "Answer",
    "Artifact",
    "Attempt",
    "Cache",
    "Flag",
    "GateResult",
    "Health",
    "LimitMet",
    "PayloadError",
    "Program",
    "Record",
    "SandboxClient",
    "SandboxError",
    "SandboxPolicy",
    "SandboxResultV2",
    "Signal",
    "Usage",
    "Violation",
    "Wall",
    "aconfirm",
    "confirm",
    "run_gate",
    "run_pytests",
    "run_pytests_v2",
]
