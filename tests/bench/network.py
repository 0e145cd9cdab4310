#!/usr/bin/env python3
"""network.py -- what the relay costs a connection: the same client, directly and
in a vessel with scoped egress, to the same server, interleaved.

usage: SRC= BUILD= python3 tests/bench/network.py ROUNDS REPO OUTFILE

The network is a namespace of its own (tests/live/egress_world.py), so that direct
is the loopback, the fastest there is.  REPO has the program traffic.  Prints
medians and the ratios taken within a round; exits 1 where a median is beyond what
was promised: of a stream at least 0.7 of direct, of short connections at most 3
times its time.
"""
import json
import os
import random
import statistics
import subprocess
import sys
import time

sys.dont_write_bytecode = True
SRC, BUILD = os.environ["SRC"], os.environ["BUILD"]
sys.path.insert(0, os.path.join(SRC, "tests/live"))
import egress_world as world  # noqa: E402

PORT = "8080"
MIB = 512
# name, count, whether more is better, what was promised of the ratio
KINDS = (("stream", MIB, True, 0.7), ("turn", 100, False, 3.0),
         ("burst", 100, False, 3.0))
CLOCK_S = 60


def direct(repo, kind, count):
    said = subprocess.run(
        [os.path.join(repo, "traffic"), kind, world.PUBLIC, PORT, str(count)],
        stdout=subprocess.PIPE, check=True, timeout=CLOCK_S).stdout
    return float(said)


def relayed(repo, kind, count):
    said = subprocess.run(
        [*world.ordinary(), os.path.join(BUILD, "cupel"), "run", "--json",
         "--repo", repo, "--network", "scoped", "--egress",
         "%s/32:%s" % (world.PUBLIC, PORT), "--", "/repo/traffic", kind,
         world.PUBLIC, PORT, str(count)],
        stdout=subprocess.PIPE, check=False, timeout=CLOCK_S).stdout
    result = json.loads(said)
    if result["status"] != "OK":
        sys.exit("network: %s" % said.decode())
    return float(result["stdout"])


WAYS = {"direct": direct, "relayed": relayed}


def measure(repo, rounds):
    """{kind: {way: [microseconds]}}"""
    took = {k[0]: {w: [] for w in WAYS} for k in KINDS}
    turns = [(k[0], k[1], w) for k in KINDS for w in WAYS]
    for i in range(rounds + 1):
        random.shuffle(turns)
        for kind, count, way in turns:
            us = WAYS[way](repo, kind, count)
            if i > 0:  # the first warms
                took[kind][way].append(us)
    return took


def report(took):
    """The table, and what of it breaks a promise."""
    broken = []
    print("%-8s %10s %10s   ratio (quartiles)" % ("", "direct", "relayed"))
    for kind, count, is_rate, promised in KINDS:
        both = list(zip(took[kind]["direct"], took[kind]["relayed"]))
        ratios = [d / r if is_rate else r / d for d, r in both]
        low, middle, high = statistics.quantiles(ratios, n=4)
        shown = [statistics.median(took[kind][w]) for w in WAYS]
        if is_rate:
            shown = [count / us * 1e6 for us in shown]
        else:
            shown = [us / count for us in shown]
        print("%-8s %10.0f %10.0f %s %.2f (%.2f to %.2f), wanted %s %.1f" % (
            kind, shown[0], shown[1], "MiB/s" if is_rate else "us   ", middle,
            low, high, ">=" if is_rate else "<=", promised))
        if middle < promised if is_rate else middle > promised:
            broken.append(kind)
    return broken


def main():
    rounds, repo, out = int(sys.argv[1]), sys.argv[2], sys.argv[3]
    world.make(os.path.dirname(out), {})
    server = subprocess.Popen(
        [os.path.join(repo, "traffic"), "serve", world.PUBLIC, PORT],
        stdout=subprocess.PIPE)
    server.stdout.readline()
    begun = time.time()
    try:
        took = measure(repo, rounds)
    finally:
        server.kill()
        server.wait()
    with open(out, "w") as f:
        json.dump({"begun": begun, "rounds": rounds, "us": took}, f)
    broken = report(took)
    if broken:
        sys.exit("network: beyond what was promised: " + ", ".join(broken))


world.enter(os.path.abspath(__file__))
main()
