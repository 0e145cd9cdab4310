#!/usr/bin/env python3
"""front.t -- what a policy refuses, the command's process may still do to finish
its own confinement, and nobody after it (decision 0052).

The policy here refuses every call that the instructions in front of it let pass
with the key, so a start shows that no other was needed; inside, each is tried
without the key, with one of zeros and with one of ones.  All of it also in the
order of kernels that have no futex_waitv(2), where the policy comes last.
"""
import errno
import json
import os
import platform
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True
import lib  # noqa: E402

REFUSED = ("chdir", "setsid", "rt_sigsuspend", "prctl", "faccessat",
           "prlimit64", "seccomp", "landlock_restrict_self", "futex_waitv")
NUMBERS = {
    "x86_64": (80, 112, 130, 157, 269, 302, 317, 446, 449),
    "aarch64": (49, 157, 133, 167, 48, 261, 277, 446, 449),
}[platform.machine()]
KEYS = (0, 1, 0xffffffff, -1)

# ctypes alone: what it loads makes none of these calls by itself.
INSIDE = """
import ctypes, json
libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long
said = []
for number in %r:
    for key in %r:
        ctypes.set_errno(0)
        r = libc.syscall(*[ctypes.c_long(n) for n in
                           (number, -1, -1, -1, -1, -1, key)])
        said.append(ctypes.get_errno() if r == -1 else 0)
print(json.dumps(said))
""" % (NUMBERS, KEYS)


def policy():
    return {"defaultAction": "SCMP_ACT_ALLOW",
            "architectures": ["SCMP_ARCH_X86_64", "SCMP_ARCH_AARCH64"],
            "syscalls": [{"names": list(REFUSED), "action": "SCMP_ACT_ERRNO",
                          "errnoRet": errno.EDOM}]}


def started(tap, user, path, name, drop):
    r = lib.go(user, ["--seccomp", path], "python3", "-S", "-c", INSIDE,
               program="tests/cupel-testing", drop=drop)
    tap.ok(r.json and r.json["status"] == "OK",
           "%s: %s: starts below a policy that refuses them" % (user, name),
           r.brief())
    try:
        said = json.loads(r.json["stdout"])
    except (TypeError, ValueError):
        said = None
    tap.equal(said, [errno.EDOM] * (len(REFUSED) * len(KEYS)),
              "%s: %s: none passes inside, whatever its last argument"
              % (user, name), r.brief())
    return r.json


def walls(result):
    return {name: (wall["requested"], wall["applied"])
            for name, wall in (result or {"enforced": {}})["enforced"].items()
            if isinstance(wall, dict) and "applied" in wall}


def main():
    tap = lib.Tap()
    for user in lib.users():
        path = lib.put(user, os.path.join(lib.TMP, "front-%s.json" % user),
                       json.dumps(policy()))
        early = started(tap, user, path, "while the root is built", None)
        late = started(tap, user, path, "after it", "early")
        tap.equal(walls(early), walls(late),
                  user + ": the same walls stand either way")
        r = lib.attack(user, "", "vanish-exit", program="tests/cupel-testing",
                       drop="early")
        tap.ok(r.json and r.json["status"] == "FORBIDDEN_SYSCALL",
               user + ": a forbidden call is seen when it comes after",
               r.brief())
    tap.done()


main()
