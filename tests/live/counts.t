#!/usr/bin/env python3
"""counts.t -- limits of the vessel's own namespaces (inotify instances and the
like) are lowered where the command can use what they count; where they cannot
be lowered, the command cannot use it (docs/memory.md).

For inotify, what each shipped policy answers to every flag, and to numbers that are
not flags, is compared with the counts; so is a policy file that allows it.  For
mptcp, nothing can connect where it is left on.
"""
import json
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True
import lib  # noqa: E402

INSIDE = r"""
import ctypes, json, os, socket
libc = ctypes.CDLL(None, use_errno=True)

def number(path):
    try:
        with open("/proc/sys/" + path) as f:
            return int(f.read())
    except OSError:
        return None

def instances():
    taken = 0
    for flags in (0, os.O_CLOEXEC, os.O_NONBLOCK, os.O_CLOEXEC | os.O_NONBLOCK,
                  -1, 1, 1 << 31):
        taken += libc.inotify_init1(flags) >= 0
    return taken + (libc.inotify_init() >= 0)

def connected(protocol):
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_STREAM, protocol) as a, \
             socket.socket(socket.AF_INET, socket.SOCK_STREAM, protocol) as b:
            a.bind(("127.0.0.1", 0))
            a.listen()
            b.settimeout(5)
            b.connect(a.getsockname())
            return True
    except OSError:
        return False

print(json.dumps({
    "backlog": number("net/core/somaxconn"),
    "mptcp": number("net/mptcp/enabled"),
    "instances": number("user/max_inotify_instances"),
    "watches": number("user/max_inotify_watches"),
    "taken": instances(), "tcp": connected(0), "mptcp_tcp": connected(262),
}))
"""
# A row: what it is called, the options, and whether inotify is available.
ROWS = (
    ("the default", [], False),
    ("profile test", ["--profile", "test"], True),
    ("loopback", ["--network", "loopback"], False),
    ("a file", ["--seccomp", "FILE"], True),
)
POLICY = {"defaultAction": "SCMP_ACT_ALLOW",
          "architectures": ["SCMP_ARCH_X86_64", "SCMP_ARCH_AARCH64"]}


def said_by(user, options):
    r = lib.go(user, options, "python3", "-S", "-c", INSIDE)
    try:
        return r, json.loads(r.json["stdout"])
    except (TypeError, ValueError):
        return r, None


def row(tap, user, path, name, options, has_inotify):
    options = [path if o == "FILE" else o for o in options]
    has_network = "loopback" in options or "test" in options
    r, said = said_by(user, options)
    name = "%s: %s" % (user, name)
    if not tap.ok(said is not None, "%s: starts" % name, r.brief()):
        return
    tap.ok(said["backlog"] == 128, "%s: connections that wait: 128" % name, said)
    if has_inotify:
        tap.ok((said["instances"], said["watches"]) == (16, 8192) and
               said["taken"] > 0, "%s: inotify is available, and bounded" % name,
               said)
    else:
        tap.ok(said["taken"] == 0, "%s: no inotify, whatever the flags" % name,
               said)
    tap.ok(said["tcp"] == has_network,
           "%s: %s" % (name, "a network" if has_network else "no network"), said)
    tap.ok(not said["mptcp_tcp"] or said["mptcp"] == 0,
           "%s: nothing is connected by mptcp while that is on" % name, said)
    if has_network and os.path.exists("/proc/sys/net/mptcp/enabled"):
        tap.ok(said["mptcp"] == 0, "%s: mptcp is off" % name, said)


def main():
    tap = lib.Tap()
    for user in lib.users():
        path = lib.put(user, os.path.join(lib.make_dir(user), "policy.json"),
                       json.dumps(POLICY))
        for name, options, has_inotify in ROWS:
            row(tap, user, path, name, options, has_inotify)
    tap.done()


main()
