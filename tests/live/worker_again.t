#!/usr/bin/env python3
"""worker_again.t -- which requests are delivered again, how often, and whose failure
that is."""
import json
import os
import re
import signal
import subprocess
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True
import lib  # noqa: E402
import worker_world as world  # noqa: E402
from worker_world import run_of, shell  # noqa: E402

LAST = {"Cupel_Lost": 49}  # one more without an end is the last
# A command that cannot work on this host, or says so.
STUB = """#!/bin/sh
echo x >>%s/count
case "$*" in *"--repo-mode none -- /bin/true"*) exit %d ;; esac
exit 3
"""
S_NS = 10 ** 9


def is_done(c, number):
    return lambda: c.answer(number)["outcome"] is not None


def lines(path):
    with open(path, encoding="utf-8") as f:
        return len(f.readlines())


def stub(user, status):
    place = lib.make_dir(user)
    return place, lib.put(user, place + "/cupel", STUB % (place, status), 0o755)


def given_back(tap, user, server):
    """Failures of workers do not count as the request's, however many there are."""
    c = world.Client(server.port)
    _, bad = stub(user, 3)
    w = world.Worker(server, user, "--jobs", "2", program=bad).ready()
    c.put("run", run_of("back"), **LAST)
    lib.wait_until(lambda: w.said().count("given back") >= 5, 30)
    w.end()
    tap.equal(c.header("cupel-requests", "Cupel-Lost"), "49",
              "what it has lost goes with it [%s]" % user)
    tap.ok(w.ends("given_back") >= 5 and w.ends("failed") == 0,
           "it is given back again and again [%s]" % user, w.said())
    tap.ok(re.search(r"a vessel cannot be made: .*; see cupel doctor\n", w.said()),
           "and what the host cannot do is told [%s]" % user, w.said())
    w = world.Worker(server, user, "--jobs", "1", "--drain-for", "0").ready()
    c.put("run", run_of("drained", ["/bin/sleep", "3"]), **LAST)
    lib.wait_until(is_done(c, "back"), 20)
    lib.wait_until(lambda: c.state("cupel-requests")["messages"] == 1, 10)
    time.sleep(0.5)
    w.end()
    tap.equal(w.ends("stopped"), 1, "and by one who is told to end [%s]" % user,
              w.said())
    w = world.Worker(server, user, "--jobs", "1").ready()
    lib.wait_until(is_done(c, "drained"), 20)
    tap.equal([c.answer(i)["outcome"] for i in ("back", "drained")],
              ["done", "done"],
              "what is given back does not count [%s]" % user,
              [c.answer(i) for i in ("back", "drained")])
    c.put("run", run_of("over"), Cupel_Lost=50)
    c.put("run", run_of("forged"), Cupel_Lost="9" * 30)
    c.put("run", run_of("minus"), Cupel_Lost="-1")
    for i in ("over", "forged", "minus"):
        lib.wait_until(is_done(c, i), 20)
        a = c.answer(i)
        tap.equal((a["outcome"], a.get("error", {}).get("code")),
                  ("failed", "lost_too_often"),
                  "control: %s has come too often [%s]" % (i, user), a)
    w.end()
    w = world.Worker(server, user, "--jobs", "1").ready()
    c.put("run", run_of("deadly", ["/bin/sleep", "9"]), **LAST)
    lib.wait_until(lambda: c.request("$JS.API.CONSUMER.INFO.cupel-requests."
                                     "workers")["num_ack_pending"] == 1, 10)
    w.end(signal.SIGKILL)
    w = world.Worker(server, user, "--jobs", "1").ready()
    lib.wait_until(is_done(c, "deadly"), 20)
    tap.equal(c.answer("deadly").get("error", {}).get("code"), "lost_too_often",
              "a dead worker counts [%s]" % user, c.answer("deadly"))
    w.end()
    c.close()


def blamed(tap, user, server):
    """If the host can make a vessel, a failure is the request's and not the host's."""
    c = world.Client(server.port)
    place, liar = stub(user, 0)
    w = world.Worker(server, user, "--jobs", "1", program=liar).ready()
    c.put("run", run_of("blames"), Cupel_Lost=7)
    lib.wait_until(is_done(c, "blames"), 40)
    w.end()
    a = c.answer("blames")
    tap.equal((a["outcome"], a["error"]["code"], a["failures"]),
              ("failed", "crash", 4), "a request that blames the host has failed "
              "by itself [%s]" % user, a)
    tap.equal([f["deliveries"] for f in c.failed() if f["id"] == "blames"], [8],
              "what it had lost before counts [%s]" % user)
    tap.equal((w.ends("given_back"), lines(place + "/count")), (0, 10),
              "a plain vessel was tried each time [%s]" % user)
    c.close()


def narrow(tap, user):
    """Streams whose largest message is smaller than an answer."""
    server = world.Server(user)
    c = world.Client(server.port)
    config = {"name": "cupel-answers", "subjects": ["cupel.answers.*"],
              "retention": "limits", "storage": "file", "discard": "new",
              "max_age": 7 * 86400 * S_NS, "duplicate_window": 600 * S_NS,
              "num_replicas": 1, "max_consumers": -1, "max_msgs": -1,
              "max_bytes": -1, "max_msg_size": 4096}

    def alter(what, size):
        r = c.request("$JS.API.STREAM.%s.cupel-answers" % what,
                      json.dumps(dict(config, max_msg_size=size)).encode())
        assert "error" not in r, r

    alter("CREATE", 4096)
    w = world.Worker(server, user)
    lib.wait_until(lambda: w.process.poll() is not None, 20)
    tap.equal(w.process.poll(), 2, "a stream in which no reason fits is "
              "refused [%s]" % user, w.said())
    tap.has(w.said(), "stream cupel-answers: max_msg_size is 4096, expected "
            "at least 8192", "the setting is named [%s]" % user)
    alter("UPDATE", 8192)
    w = world.Worker(server, user, "--jobs", "1").ready()
    c.put("run", run_of("wide", shell("head -c 50000 /dev/zero")))
    lib.wait_until(is_done(c, "wide"), 20)
    lib.wait_until(lambda: c.state("cupel-requests")["messages"] == 0, 20)
    a = c.answer("wide")
    tap.equal((a["outcome"], a["error"]["code"]),
              ("refused", "answer_too_large"),
              "an answer that the stream does not take is told [%s]" % user, a)
    tap.equal([f["code"] for f in c.failed()], ["answer_too_large"],
              "with its reason among the failed [%s]" % user)
    w.end()
    tap.equal(w.count("delivered_total"), 1, "and is done once [%s]" % user)
    w = world.Worker(server, user, "--jobs", "1").ready()
    alter("UPDATE", 100)
    c.put("run", run_of("later"))
    lib.wait_until(lambda: "given back" in w.said(), 20)
    tap.ok("given back: its outcome was not stored" in w.said(),
           "an answer that cannot be stored is given back [%s]" % user,
           w.said())
    alter("UPDATE", 8192)
    lib.wait_until(is_done(c, "later"), 20)
    w.end()
    tap.equal((c.answer("later")["outcome"], w.ends("stopped")),
              ("done", 0), "and stored when it can be [%s]" % user, w.said())
    c.close()
    server.end()


def slow(tap, user, server):
    """A slot that waits for the server for longer than the ack wait."""
    c = world.Client(server.port)
    proxy = world.Proxy(server.port, world.ANSWER)
    w = world.Worker(server, user, "--jobs", "2", url=proxy.url).ready()
    began = time.monotonic()
    c.put("run", run_of("slow"))
    lib.wait_until(is_done(c, "slow"), 30)
    seconds = time.monotonic() - began
    lib.wait_until(lambda: c.state("cupel-requests")["messages"] == 0, 20)
    w.end()
    tap.ok(proxy.lost == 1 and seconds > world.ACK_WAIT_S + 1,
           "an answer was stored late [%s]" % user, (proxy.lost, seconds))
    tap.equal((w.count("delivered_total"), w.ends("done")), (1, 1),
              "and its request was done once [%s]" % user)
    c.close()


def lines_of_one_id(tap, user, server):
    w = world.Worker(server, user, "--jobs", "1").ready()
    text = "".join(json.dumps(run_of("twin", shell("echo %s" % word))) + "\n"
                   for word in ("one", "two", "one"))
    r, got = world.submit(server, text, user)
    tap.equal((r.returncode, [a["result"]["stdout"] for a in got]),
              (1, ["one\n"]), "of lines with one id the first is done [%s]"
              % user, r.stderr)
    tap.equal(re.findall(rb"line \d+: .*", r.stderr),
              [b"line 2: another line has this id and asks for something else"],
              "and another one is told [%s]" % user, r.stderr)
    w.end()


def nothing_left(tap, user, server):
    """After many requests a worker has no more descriptors and threads than after
    one."""
    c = world.Client(server.port)
    w = world.Worker(server, user, "--jobs", "1").ready()

    def held():
        of = "/proc/%d/" % w.process.pid
        return len(os.listdir(of + "fd")), len(os.listdir(of + "task"))

    def holds(number):
        c.put("run", run_of(number))
        lib.wait_until(is_done(c, number), 20)
        lib.wait_until(lambda: c.state("cupel-requests")["messages"] == 0, 10)
        time.sleep(0.2)
        return held()

    holds("zeroth")
    time.sleep(1)
    first = holds("first")
    for i in range(10):
        holds("left-%d" % i)
    # A busy machine may be late with the end of the last one.
    lib.wait_until(lambda: held() == first, 10)
    tap.equal(held(), first, "no descriptor and no thread is left of a request "
              "[%s]" % user)
    w.end()
    c.close()


def late(tap, user, how, what):
    """The time limit ends the wait, with and without a server."""
    server = world.Server(user)
    world.Worker(server, user).ready().end()
    began = time.monotonic()
    p = world.start([lib.binary("cupel"), "submit", "--nats", server.url,
                     "--timeout", "4"], user, stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    p.stdin.write(json.dumps(run_of("a")).encode() + b"\n")
    p.stdin.flush()
    c = world.Client(server.port)
    lib.wait_until(lambda: c.state("cupel-requests")["messages"] == 1,
                   10)
    c.close()
    server.process.send_signal(how)
    p.stdin.write(json.dumps(run_of("b")).encode())
    p.stdin.close()
    lib.wait_until(lambda: p.poll() is not None, 30)
    p.kill()
    out, said = p.stdout.read(), p.stderr.read()
    seconds = time.monotonic() - began
    tap.equal((p.wait(120), out), (1, b""),
              "without an answer it ends with 1, the server %s [%s]"
              % (what, user), said)
    tap.has(said.decode(), "--timeout: ", "which is told, the server %s "
            "[%s]" % (what, user))
    tap.ok(seconds > 3.5, "at its time, the server %s [%s]" % (what, user), seconds)
    tap.clock("--timeout 4, the server %s [%s]" % (what, user), seconds, 4 + 7)
    server.process.send_signal(signal.SIGCONT)
    server.end(signal.SIGKILL)


def late_gone(tap, user):
    late(tap, user, signal.SIGKILL, "gone")


def late_silent(tap, user):
    late(tap, user, signal.SIGSTOP, "silent")


FIND = b"$JS.API.STREAM.MSG.GET.cupel-answers"


def hinted(tap, user):
    """Each hint of an answer makes submit ask, and it waits 5 s for a silent server."""
    server = world.Server(user)
    world.Worker(server, user).ready().end()
    proxy = world.Proxy(server.port, re.compile(rb"(?!)"))
    c = world.Client(server.port)
    began = time.monotonic()
    p = world.start([lib.binary("cupel"), "submit", "--nats", proxy.url,
                     "--timeout", "4"], user, stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    p.stdin.write(b"".join(json.dumps(run_of("hint-%d" % i)).encode() + b"\n"
                           for i in range(6)))
    p.stdin.close()
    lib.wait_until(lambda: c.state("cupel-requests")["messages"] == 6, 10)
    keys = c.headers("cupel-requests", "Nats-Msg-Id")
    proxy.is_deaf = True
    for key in keys:
        c.s.sendall(b"PUB cupel.answers.%s 2\r\n{}\r\n" % key.encode())
    lib.wait_until(lambda: p.poll() is not None, 40)
    p.kill()
    out, said = p.stdout.read(), p.stderr.read()
    seconds = time.monotonic() - began
    asked = proxy.unheard.count(FIND)
    tap.equal((p.wait(120), out), (1, b""), "hints are no answers [%s]" % user,
              said)
    tap.ok(b"--timeout: 6 answers did not come" in said and asked > 0,
           "it asked for what they tell of [%s]" % user, (said, asked))
    tap.clock("--timeout 4 with many hints [%s]" % user, seconds, 4 + 7)
    c.close()
    server.end()


world.main((given_back, blamed, slow, lines_of_one_id, nothing_left),
           (narrow, late_gone, late_silent, hinted))
