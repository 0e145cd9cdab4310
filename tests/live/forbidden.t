#!/usr/bin/env python3
"""forbidden.t -- a run that made a forbidden call never ends with OK,
however fast its thread, its process or the command ends (docs/init.md).  There
are many runs of each way to hide the call, and as many honest ones."""
import concurrent.futures
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True
import lib  # noqa: E402

RUNS = 1000 if os.environ.get("CUPEL_TIER") == "full" else 60
WAYS = ("vanish-exit", "vanish-exec", "vanish-child", "vanish-signal")
# Ways to end that must not be mistaken for hiding a call.
HONEST = ("exit 0", "die 9", "orphans 5", "threads 4", "daemon-herd 8")


def statuses(pool, user, text, runs, **kw):
    """How often each status came, and how many results named the call."""
    seen, named = {}, 0
    jobs = [pool.submit(lib.attack, user, "", text, **kw)
            for _ in range(runs)]
    for job in jobs:
        result = job.result().json or {"status": "no result",
                                       "violation": None}
        seen[result["status"]] = seen.get(result["status"], 0) + 1
        if result["violation"] is not None:
            named += result["violation"]["syscall"] == "mount"
    return seen, named


def user_test(tap, pool, user):
    for way in WAYS:
        seen, named = statuses(pool, user, way, RUNS)
        tap.ok(seen == {"FORBIDDEN_SYSCALL": RUNS},
                  "%s: %d times %s" % (user, RUNS, way),
                  "%r, named %d times" % (seen, named))
    for text in HONEST:
        seen, _ = statuses(pool, user, text, 10)
        tap.ok("FORBIDDEN_SYSCALL" not in seen,
                  "%s: %s is no forbidden call" % (user, text), repr(seen))
    seen, _ = statuses(pool, user, "vanish-keeper", 10)
    tap.ok("OK" not in seen, user + ": who kills the keeper hides nothing",
              repr(seen))
    seen, _ = statuses(pool, user, "vanish-signal", 200,
                       program="tests/cupel-testing", drop="keeper")
    tap.ok("OK" in seen, user + ": (control) nobody keeps the count",
              repr(seen))


def main():
    tap = lib.Tap()
    with concurrent.futures.ThreadPoolExecutor(3) as pool:
        for user in lib.users():
            lib.repo(user)
            lib.binary("cupel")
            lib.binary("tests/cupel-testing")
            user_test(tap, pool, user)
    tap.done()


main()
