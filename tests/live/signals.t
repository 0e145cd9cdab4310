#!/usr/bin/env python3
"""signals.t -- signals to cupel run, and SIGKILL to it."""
import json
import os
import signal
import subprocess
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True
import lib  # noqa: E402


def started(user, options, text, **kw):
    """Start cupel with an attack, and wait until that says "ready"."""
    path = os.path.join(lib.TMP, "j%d" % time.monotonic_ns())
    p = lib.start([lib.binary("cupel"), "run", "--json=/dev/stderr",
                   "--repo", lib.repo(user)] + options.split() +
                  ["--", "/repo/attack"] + text.split(), user, **kw)
    line = p.stdout.readline()
    assert line == b"ready\n", (line, p.stderr.read() if not line else path)
    return p


def ended(p, began):
    r = lib.finish(p, began, [])
    try:
        r.json = json.loads(r.err.decode().splitlines()[0])
    except (IndexError, ValueError):
        pass
    return r


def forwarded(tap, user):
    for sig in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT):
        began = time.monotonic()
        p = started(user, "", "catch %d" % sig)
        p.send_signal(sig)
        r = ended(p, began)
        tap.equal((r.rc, r.json and r.json["status"]), (40, "FAILED"),
                  "%s reaches the command once [%s]" % (sig.name, user),
                  r.brief())
        p = started(user, "", "wait x")
        p.send_signal(sig)
        r = ended(p, began)
        tap.equal((r.rc, r.json and r.json["status"]),
                  (128 + sig, "KILLED_TERM"),
                  "%s that is not caught ends it [%s]" % (sig.name, user),
                  r.brief())


ALL = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT)


def blocked(tap, user):
    """A launcher that has the signals blocked, as one that waits with sigwait
    does, can still end what it starts."""
    block = {"preexec_fn": lambda: signal.pthread_sigmask(signal.SIG_BLOCK, ALL)}
    for sig in ALL:
        began = time.monotonic()
        p = started(user, "--wall-time-s 60", "wait x", **block)
        p.send_signal(sig)
        r = ended(p, began)
        tap.equal((r.rc, r.json and r.json["status"]),
                  (128 + sig, "KILLED_TERM"),
                  "%s that was blocked ends it [%s]" % (sig.name, user),
                  r.brief())
    # a command that makes no run of its own, and waits for its input
    p = lib.start([lib.binary("cupel"), "validate", "--lines"], user,
                  stdin=subprocess.PIPE, **block)
    time.sleep(1)
    p.send_signal(signal.SIGTERM)
    tap.equal(p.wait(60), -signal.SIGTERM, "and every other command [%s]" % user)
    p.stdin.close()


def deaf(tap, user):
    p = started(user, "--kill-after-s 0.4", "wait x deaf")
    began = time.monotonic()
    p.terminate()
    r = ended(p, began)
    tap.equal((r.rc, r.json and r.json["status"]), (143, "KILLED_TERM"),
              "who ignores it is killed after --kill-after-s [%s]" % user,
              r.brief())
    tap.ok(r.seconds >= .4, "and not before [%s]" % user, r.seconds)
    # Without the option it would be 5 s.
    tap.clock("--kill-after-s 0.4 [%s]" % user, r.seconds, 4)
    began = time.monotonic()
    p = started(user, "--kill-after-s 3000", "wait x deaf")
    p.send_signal(signal.SIGINT)
    time.sleep(.1)
    p.send_signal(signal.SIGTERM)
    r = ended(p, began)
    tap.equal((r.rc, r.json and r.json["status"]), (130, "KILLED_TERM"),
              "a second signal kills; rc is of the first [%s]" % user,
              (r.seconds, r.brief()))


def killed(tap, user):
    for text in ("wait %s", "wait %s deaf"):
        comm = "ks%d" % (time.monotonic_ns() % 10 ** 9)
        p = started(user, "", text % comm)
        tap.ok(lib.processes_named(comm), "the vessel runs [%s]" % user)
        p.kill()
        p.wait()
        gone, after = lib.wait_until(lambda: not lib.processes_named(comm))
        # That it takes no more than 100 ms is a figure of kill.c.
        tap.ok(gone, "SIGKILL of the supervisor ends the vessel [%s]" % user,
               after)
        p.stdout.close()
        p.stderr.close()


def stopped(tap, user):
    """The wall time goes on while the supervisor is stopped."""
    p = started(user, "--wall-time-s 4", "wait x")
    p.send_signal(signal.SIGSTOP)
    time.sleep(4.3)
    began = time.monotonic()
    p.send_signal(signal.SIGCONT)
    r = ended(p, began)
    tap.clock("a wall time that ended while cupel was stopped [%s]" % user,
              r.seconds, 3)
    tap.equal(r.json and r.json["status"], "TIMEOUT",
              "time passes while cupel is stopped [%s]" % user,
              (r.seconds, r.brief()))


def main():
    tap = lib.Tap()
    for user in lib.users():
        for part in (forwarded, blocked, deaf, killed, stopped):
            try:
                part(tap, user)
            except AssertionError as e:
                tap.ok(False, "%s [%s]" % (part.__name__, user), repr(e))
    tap.done()


main()
