#!/usr/bin/env python3
"""batch_long.t -- a long batch: each of its lines is answered once, and what the
batch keeps does not grow with them.

There are 1,500 lines in the quick tier, and 100,000 in check-all (20,000 as root if
an ordinary user's 100,000 come after them); LINES in the environment is another
number.  Some are wrong, in every way there is, some fail, some take too long."""
import json
import os
import subprocess
import sys
import threading
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True
import lib  # noqa: E402

IS_FULL = os.environ.get("CUPEL_TIER") == "full"
JOBS = 2
WARM = 300  # by then the batch has made everything that it needs
CLOCK_S = 3600 if IS_FULL else 300
# A line takes 16 bytes of the table, at most half of the table is unused, and while it
# grows the old one exists too (cupel-batch(1)).  SPARE_KIB is for what waits on a
# loaded machine.
SPARE_KIB = 2048


def line_and_end(n):
    """Line n, and what its answer says: a status, or "wrong" with its id."""
    doc = {"id": "line %d" % n, "command": ["/bin/true"]}
    if n % 503 == 0:
        return json.dumps(dict(doc, command=["/bin/sleep", "60"],
                               wall_time_s=1)), "TIMEOUT"
    if n % 4999 == 0:
        return json.dumps(dict(doc, env={"A": "x" * (1 << 20)})), "wrong"
    if n % 61 == 0:
        return json.dumps(dict(doc, id="line 1")), "wrong"
    if n % 59 == 0:
        return "{\"id\": \"line %d\", \"command\": [\"\0\"]}" % n, "wrong"
    if n % 53 == 0:
        return json.dumps(dict(doc, unknown_key=1)), "wrong with its id"
    if n % 47 == 0:
        return "not JSON %d" % n, "wrong"
    if n % 23 == 0:
        return json.dumps(dict(doc, command=["/bin/false"])), "FAILED"
    if n % 19 == 0:
        return json.dumps(dict(doc, command=["/bin/sh", "-c", "kill -9 $$"],
                               env={"N": str(n)})), "KILLED_KILL"
    return json.dumps(doc), "OK"


class Seen:
    """The process itself, from outside."""

    def __init__(self, pid):
        self.pid = pid
        self.fds = self.children = 0

    def look(self):
        self.fds = max(self.fds, len(os.listdir("/proc/%d/fd" % self.pid)))
        with open("/proc/%d/task/%d/children" % (self.pid, self.pid)) as f:
            self.children = max(self.children, len(f.read().split()))

    def peak_kib(self):
        with open("/proc/%d/status" % self.pid) as f:
            return int(f.read().split("VmHWM:")[1].split()[0])


def feed(pipe, total):
    for n in range(1, total + 1):
        pipe.write(line_and_end(n)[0].encode() + b"\n")
    pipe.flush()


def table_kib(entries):
    """The most memory that so many ids may take."""
    room = 1024
    while room * 3 // 4 <= entries:
        room *= 2
    return (room + room // 2) * 16 // 1024


def fault_of(answer, want):
    """What is wrong with the answer, or None."""
    if want.startswith("wrong"):
        named = "line %d" % answer["line"] if "id" in want else None
        good = (answer["id"] == named and
                answer.get("error", {}).get("cause") == "caller")
    else:
        good = (answer["id"] == "line %d" % answer["line"] and
                answer.get("result", {}).get("status") == want)
    return None if good else (want, str(answer)[:300])


def long_batch(tap, user, total):
    limits = [] if user == "user" else [
        "--mem-bytes", "unlimited", "--pids-max", "unlimited",
        "--cpu-time-s", "unlimited"]
    p = subprocess.Popen(
        lib.become(user) + [lib.binary("cupel"), "batch", "--jobs", str(JOBS),
                            "--keep-going", "--repo", lib.repo(user)] + limits,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        cwd="/", env=lib.clean_env())
    feeder = threading.Thread(target=feed, args=(p.stdin, total), daemon=True)
    stop = threading.Timer(CLOCK_S, p.kill)
    stop.start()
    feeder.start()
    began = time.monotonic()
    got, twice, faults, counts, ids = bytearray(total + 1), [], [], {}, 0
    seen, warm_kib, warm_fds = Seen(p.pid), 0, 0
    for count in range(1, total + 1):
        text = p.stdout.readline()
        if not text:
            break
        answer = json.loads(text)
        n = answer["line"]
        twice += [n] if got[n] else []
        got[n] = 1
        ids += answer["id"] is not None
        want = line_and_end(n)[1]
        counts[want.split()[0]] = counts.get(want.split()[0], 0) + 1
        fault = fault_of(answer, want)
        faults += [fault] if fault else []
        if count % 20 == 0:
            seen.look()
        if count == WARM:
            warm_kib, warm_fds = seen.peak_kib(), seen.fds
    peak_kib = seen.peak_kib() if sum(got) == total else 0
    took = time.monotonic() - began
    feeder.join(10)
    p.stdin.close()
    rest, err = p.stdout.read(), p.stderr.read().decode()
    rc = p.wait()
    stop.cancel()
    name = "%s, %d lines" % (user, total)
    print("# %s: %.0f s, %.0f a second; peak %d KiB, %d after %d lines; %d "
          "descriptors, %d children; %s" %
          (name, took, total / took, peak_kib, warm_kib, WARM, seen.fds,
           seen.children, counts))
    tap.equal([sum(got), twice, rest], [total, [], b""],
              "each line has one answer [%s]" % name, err)
    tap.equal(faults[:3], [], "which says what became of it [%s]" % name,
              "%d" % len(faults))
    tap.ok(min(counts.get(w, 0) for w in (
        "OK", "FAILED", "TIMEOUT", "KILLED_KILL", "wrong")) > 0 and
        len(counts) == 5, "of every kind there was one [%s]" % name)
    tap.equal([rc, err], [1, "cupel: %d OK, %d not OK, %d wrong lines\n" % (
        counts["OK"], counts["FAILED"] + counts["TIMEOUT"] +
        counts["KILLED_KILL"], counts["wrong"])],
              "and the batch counts as we do [%s]" % name)
    room = table_kib(ids) - table_kib(0) + SPARE_KIB
    tap.ok(0 < peak_kib <= warm_kib + room,
           "its memory grows by its table alone, %d KiB to %d, at most %d "
           "[%s]" % (warm_kib, peak_kib, warm_kib + room, name))
    tap.ok(seen.fds <= warm_fds + 12 and seen.fds < 100,
           "its descriptors do not, %d to %d [%s]" % (warm_fds, seen.fds, name))
    tap.ok(seen.children <= 2 * (2 * JOBS + 6),
           "nor the processes that wait, %d [%s]" % (seen.children, name))


def main():
    tap = lib.Tap()
    users = lib.users()
    if os.environ.get("CUPEL_TIER") == "quick":
        users = users[-1:]
    for user in users:
        total = 1500
        if IS_FULL:
            total = 100000 if user == users[-1] else 20000
        long_batch(tap, user, int(os.environ.get("LINES", total)))
    tap.done()


main()
