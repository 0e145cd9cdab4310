#!/usr/bin/env python3
"""lesser_end.t -- without a PID namespace, processes that init started end
together with init, also when they get to run only after init has ended."""
import os
import sys

SRC = os.environ.get("SRC") or os.path.dirname(
    os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(SRC, "tests/live"))
sys.dont_write_bytecode = True
import lib  # noqa: E402

t = lib.Tap()

# This process adopts orphans, and waits until it has none: so nothing has to be read
# about a process that is not dumpable.  argv: how many children init must have
# before it is killed, and the command.
KILLER = """
import ctypes, os, signal, subprocess, sys, time

def children(pid):
    try:
        with open("/proc/%d/task/%d/children" % (pid, pid)) as f:
            return [int(word) for word in f.read().split()]
    except OSError:
        return []

def none(*_):
    raise TimeoutError

assert ctypes.CDLL(None).prctl(36, 1, 0, 0, 0) == 0  # PR_SET_CHILD_SUBREAPER
signal.signal(signal.SIGALRM, none)
signal.alarm(SECONDS)
run = subprocess.Popen(sys.argv[2:], stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)
said = "not started"
try:
    while len(children((children(run.pid) + [0])[0])) < int(sys.argv[1]):
        time.sleep(0.001)
    os.kill(children(run.pid)[0], signal.SIGKILL)
    said = "left"
    run.wait()
    while True:
        os.waitpid(-1, 0x40000000)  # __WALL
except ChildProcessError:
    said = "gone"
except TimeoutError:
    for pid in children(os.getpid()):
        os.kill(pid, signal.SIGKILL)
print(said)
"""


def late(user, backend, drop, count):
    scratch = lib.make_dir(user)
    r = lib.run([sys.executable, "-c",
                 KILLER.replace("SECONDS", str(lib.WAIT_S)),
                 str(count), lib.binary("tests/cupel-testing"), "run",
                 "--allow-partial", "--backend", backend, "--repo",
                 lib.repo(user), "--", "sleep", "600"], user,
                clock_s=lib.CLOCK_S,
                env={"TMPDIR": scratch, "CUPEL_TEST_DROP": drop})
    t.equal(r.out, b"gone\n", "%s, %s: %s" % (
        backend, user, "the command's process ends with an init that ended "
        "before its turn" if drop == "turn_command" else
        "the keeper ends with an init that ended before its turn"), r.brief())


for who in lib.users():
    for b in ("landlock", "rlimits"):
        late(who, b, "turn_command", 1)
        late(who, b, "turn_keeper", 2)
t.done()
