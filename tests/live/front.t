#!/usr/bin/env python3
"""front.t -- calls that a policy refuses: the command's process may still make
them to finish its own confinement, and no process may make them afterwards
(docs/init.md).

The policy here refuses every call that the instructions in front of it let pass with
the key.  So if the command starts, no other call was needed; inside, each call is
tried without the key, with a key of zeros and with a key of ones.  All of this is
done again in the order for kernels without futex_waitv(2), where the policy comes
last, and below a filter without openat2(2), where the Landlock rules come later.
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

# Only ctypes is used: loading it makes none of these calls.
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


# A filter around us that answers openat2(2), 437, with ENOSYS.
NO_OPENAT2 = """
import ctypes, os, struct, sys
libc = ctypes.CDLL(None, use_errno=True)
code = ctypes.create_string_buffer(struct.pack(
    "HBBI" * 4, 0x20, 0, 0, 0, 0x15, 0, 1, 437, 6, 0, 0, 0x50026,
    6, 0, 0, 0x7fff0000))
prog = struct.pack("HP", 4, ctypes.addressof(code))
assert libc.prctl(38, 1, 0, 0, 0) == 0 and libc.prctl(22, 2, prog) == 0
os.execv(sys.argv[1], sys.argv[1:])
"""


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


def below(tap, user):
    """The same walls, and the same files, where openat2(2) is not available."""
    command = ["--", "sh", "-c", "echo 1 >/tmp/x && cat /tmp/x && "
               "! echo 2 2>/dev/null >/repo/x"]
    results = []
    for before in ([], [sys.executable, "-c", NO_OPENAT2]):
        r = lib.run(before + [lib.binary("cupel"), "run", "--json", "--repo",
                              lib.repo(user)] + command, user)
        try:
            r.json = json.loads(r.out)
        except ValueError:
            r.json = {}
        tap.equal((r.json.get("status"), r.json.get("rc"),
                   r.json.get("stdout")), ("OK", 0, "1\n"),
                  "%s: %s openat2(2): its files are its own"
                  % (user, "without" if before else "with"), r.brief())
        results.append(walls(r.json))
    tap.equal(results[0], results[1],
              user + ": the same walls stand without openat2(2)")


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
        below(tap, user)
    tap.done()


main()
