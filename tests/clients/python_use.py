"""python_use.py -- how a caller uses the package: held against its types by
mypy, never run.  The lines that end with "# wrong" are found by it."""
from typing import Mapping, Optional, Tuple

from cupel import (
    Flag,
    Health,
    Record,
    SandboxClient,
    SandboxError,
    SandboxPolicy,
    SandboxResultV2,
    Wall,
    aconfirm,
    confirm,
    run_pytests,
    run_pytests_v2,
)


def use() -> Optional[str]:
    both: Tuple[int, str] = run_pytests(["tests"], 30)
    result: SandboxResultV2 = run_pytests_v2(
        ["tests"], SandboxPolicy(wall_time_s=0.5, mem_bytes=1 << 20)
    )
    walls: Mapping[str, Wall] = result.enforced
    health: Health = SandboxClient("/usr/bin/cupel").health()
    try:
        SandboxClient().execute({"command": ["true"]}, timeout_s=1.5)
    except SandboxError as e:
        cause: str = e.cause
        return cause
    records: Tuple[Record, ...] = confirm([Flag("m.py", "div-zero", line=2)])
    if records[0].confirmed:
        return records[0].traceback_head
    for answer in SandboxClient().execute_many([{}], jobs=2, ordered=True):
        same: SandboxResultV2 = answer.unwrap()
        result = answer.result or same
    return result.reason if walls and health.ok else both[1]


def misuse() -> None:
    run_pytests("tests", "30")  # wrong
    SandboxPolicy(wall_time=30)  # wrong
    SandboxClient().execute(["true"])  # wrong
    SandboxPolicy().nofile = 3  # wrong
    word: str = SandboxClient().execute({}).reason  # wrong
    SandboxClient().execute_many({}, jobs="2")  # wrong
    Flag("m.py")  # wrong
    confirm([7])  # wrong
    word = aconfirm([])  # wrong
    for answer in SandboxClient().execute_many([{}]):
        word = answer.result.status  # wrong
    print(word)
