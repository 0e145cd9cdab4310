#!/usr/bin/env python3
"""worker_fleet.t -- three workers that are killed again and again, and a server that
ends twice: each request has one answer, the same as from cupel batch.

There are 300 requests in the quick tier; in the full tier (./bootstrap check-all)
2,000 as root and 50,000 as an ordinary user.  CUPEL_FLEET in the environment is
another number for both."""
import json
import os
import random
import signal
import subprocess
import sys
import threading
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True
import lib  # noqa: E402
import worker_world as world  # noqa: E402
from worker_world import run_of, shell  # noqa: E402

WORKERS = 3
SAME = ("status", "rc", "stdout", "stderr", "enforced", "spec_hash", "cmd",
        "reason", "backend", "payload", "payload_status", "partial",
        "isolation_class", "policy_hash")


def many_of(user):
    """The number of requests."""
    full = {"root": 2000, "user": 50000}[user]
    is_quick = os.environ.get("CUPEL_TIER", "quick") == "quick"
    return int(os.environ.get("CUPEL_FLEET", 300 if is_quick else full))


def clock_of(many):
    """The seconds that so many requests may take."""
    return max(40, many * 3 // 10)


def requests(repo, many):
    for i in range(many):
        if i % 10 == 3:
            yield {"id": str(i), "kind": "gather", "source": {"path": repo},
                   "gather": {"only": ["language_detection"]}}
        elif i % 10 == 7:
            yield {"id": str(i), "kind": "confirm", "source": {"path": repo},
                   "confirm": {"flags": [{"file": "a.py", "line": 1,
                                          "flag_class": "no_such"}]}}
        elif i % 10 == 5:
            yield run_of(i, shell("echo %d; exit %d" % (i, i % 7)))
        else:
            yield run_of(i, ["/bin/true"])


class Killer(threading.Thread):
    """Kills a worker and starts another in its place, until it is told to stop."""

    def __init__(self, server, user, root):
        super().__init__()
        self.args, self.go_on, self.kills = (server, user, root), True, 0
        self.random = random.Random(1)
        self.workers = [self.one() for _ in range(WORKERS)]

    def one(self):
        server, user, root = self.args
        return world.Worker(server, user, "--jobs", "2", "--root", root)

    def run(self):
        while self.go_on:
            time.sleep(self.random.uniform(0.3, 0.9))
            i = self.random.randrange(WORKERS)
            self.workers[i].end(signal.SIGKILL)
            self.workers[i] = self.one()
            self.kills += 1


def fleet(tap, user):
    many = many_of(user)
    clock_s = clock_of(many)
    server = world.Server(user)
    root = lib.make_dir(user)
    repo = root + "/repo"
    os.mkdir(repo)
    lib.give(user, repo)
    lib.put(user, repo + "/a.py", "x = 1\n")
    asked = list(requests(repo, many))
    killer = Killer(server, user, root)
    killer.start()
    out = lib.put(user, lib.make_dir(user) + "/answers")
    path = lib.put(user, os.path.dirname(out) + "/requests",
                   "".join(json.dumps(r) + "\n" for r in asked))
    began = time.monotonic()
    with open(out, "wb") as f:
        p = world.start([lib.binary("cupel"), "submit", "--nats", server.url,
                         "--timeout", str(clock_s), path], user, stdout=f,
                        stderr=subprocess.PIPE)
        for part, how in ((1, signal.SIGKILL), (2, signal.SIGTERM)):
            lib.wait_until(lambda part=part: count(out) > many * part // 4,
                           clock_s)
            server.restart(how)
        _, said = p.communicate(timeout=clock_s + 20)
    seconds = time.monotonic() - began
    killer.go_on = False
    killer.join()
    # Requests that were answered but not yet acknowledged are delivered again.
    c = world.Client(server.port)
    lib.wait_until(lambda: waiting(c) == 0, clock_s)
    tap.equal(waiting(c), 0, "no request waits [%s]" % user)
    c.close()
    for w in killer.workers:
        w.end()
    print("# %d requests, %d workers killed, the server twice: %.1f s [%s]"
          % (many, killer.kills, seconds, user))
    tap.equal(p.returncode, 0, "all are done [%s]" % user, said)
    tap.ok(killer.kills > 3, "workers were killed [%s]" % user, killer.kills)
    with open(out, encoding="utf-8") as f:
        got = [json.loads(line) for line in f]
    check(tap, user, asked, got)
    stored(tap, user, server, got)
    server.end()


def waiting(c):
    """The number of requests that are not acknowledged.  The stream may have more
    messages: a killed server may find some that it had removed, but knows that they
    are done."""
    i = c.request("$JS.API.CONSUMER.INFO.cupel-requests.workers")
    return i["num_pending"] + i["num_ack_pending"]


def count(path):
    with open(path, "rb") as f:
        return f.read().count(b"\n")


def check(tap, user, asked, got):
    tap.equal(sorted(a["id"] for a in got), sorted(r["id"] for r in asked),
              "each has one answer [%s]" % user)
    tap.equal({a["outcome"] for a in got}, {"done"}, "a result each [%s]"
              % user)
    by = {a["id"]: a["result"] for a in got}
    specs = "".join(json.dumps(dict(r["spec"], id=r["id"])) + "\n"
                    for r in asked if r["kind"] == "run")
    r = subprocess.run(
        lib.become(user) + [lib.binary("cupel"), "batch", "--repo-mode", "none",
                            "--keep-going", "--quiet"],
        input=specs.encode(), capture_output=True, env=lib.clean_env(),
        timeout=clock_of(len(asked)), cwd="/")
    batch = {x["id"]: x["result"] for x in map(json.loads,
                                              r.stdout.splitlines())}
    for x in batch.values():
        # A line of a batch may be a copy of a template, a request never is.
        details = x["enforced"]["mountns"]["details"]
        if details == {"root": "template"}:
            x["enforced"]["mountns"]["details"] = None
    wrong = [i for i, x in batch.items()
             if any(by[i].get(k) != x.get(k) for k in SAME)]
    tap.ok(len(batch) > len(asked) / 2 and not wrong,
           "equal to what a batch says [%s]" % user, wrong[:5])
    for kind in ("gather", "confirm"):
        texts = {json.dumps(plain(by[r["id"]], kind), sort_keys=True)
                 for r in asked if r["kind"] == kind}
        tap.equal(len(texts), 1, "each %s says the same [%s]" % (kind, user),
                  texts)


def plain(result, kind):
    """The result without members that differ from run to run."""
    if kind == "confirm":
        return [{k: v for k, v in r.items() if k not in ("ts", "duration_ms", "seal")}
                for r in result["records"]]
    return {k: v for k, v in result.items() if k != "generated_at"}


def stored(tap, user, server, got):
    c = world.Client(server.port)
    tap.equal(sorted(a["id"] for a in c.answers()),
              sorted(a["id"] for a in got),
              "the server has each answer once [%s]" % user)
    left = {r["id"] for _, r in c.all_of("cupel-requests")}
    print("# %d requests that are done are still stored" % len(left))
    tap.equal((left - {a["id"] for a in got},
               c.state("cupel-failed")["messages"]), (set(), 0),
              "none is without its answer, and none was given up [%s]" % user)
    c.close()


world.main((), (fleet,), at_once=1)
