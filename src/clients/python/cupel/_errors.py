"""The one exception of the package."""

from __future__ import annotations

CAUSES = ("caller", "host", "busy", "bug")


class SandboxError(Exception):
    """There is no result: nothing is known about what the command did.

    ``cause`` says whether to try again: ``caller`` never (the spec is wrong),
    ``host`` on another host, ``busy`` later, ``bug`` report it.
    """

    def __init__(self, message: str, cause: str) -> None:
        if cause not in CAUSES:
            raise ValueError("expected cause to be one of %s" % ", ".join(CAUSES))
        super().__init__(message)
        self.cause = cause

    def __reduce__(self) -> tuple[type[SandboxError], tuple[str, str]]:
        return type(self), (str(self), self.cause)
