#!/usr/bin/env python3
"""exits.t -- exit statuses 0 to 255 and every signal are reported exactly."""
import concurrent.futures
import os
import signal
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True
import lib  # noqa: E402

# What stops, continues or is ignored by default does not end a process.
HARMLESS = {signal.SIGCHLD, signal.SIGCONT, signal.SIGSTOP, signal.SIGTSTP,
            signal.SIGTTIN, signal.SIGTTOU, signal.SIGURG, signal.SIGWINCH}
# SIGXFSZ and SIGSYS are taken for what usually sends them.
NAMED = {9: "KILLED_KILL", 15: "KILLED_TERM", 25: "FILE_SIZE_LIMIT",
         31: "FORBIDDEN_SYSCALL"}


def exits(user, n):
    r = lib.attack(user, "", "exit %d" % n)
    want = ("OK" if n == 0 else "FAILED", n, None)
    return (r.json["status"], r.rc, r.json["signal"]) == want, r.brief()


def dies(user, n):
    r = lib.attack(user, "--cpu-time-s unlimited --fsize-bytes unlimited",
                   "die %d" % n)
    want = (NAMED.get(n, "SIGNALED"), 128 + n, n)
    return (r.json["status"], r.rc, r.json["signal"]) == want, r.brief()


def main():
    tap = lib.Tap()
    signals = [n for n in range(1, 65) if n not in HARMLESS and
               n not in (32, 33)]
    with concurrent.futures.ThreadPoolExecutor(3) as pool:
        for user in lib.users():
            lib.repo(user)
            lib.binary("cupel")
            for name, fn, values in (("exit status", exits, range(256)),
                                     ("signal", dies, signals)):
                got = list(pool.map(lambda n: (n, fn(user, n)), values))
                bad = ["%s %d: %s" % (name, n, note)
                       for n, (good, note) in got if not good]
                tap.ok(not bad, "every %s comes out as it is [%s]"
                       % (name, user), "\n".join(bad[:10]))
    tap.done()


main()
