#!/usr/bin/env python3
"""network.py -- what the relay costs a connection: the same client, directly and
in a vessel with scoped egress, to the same server, interleaved.

usage: SRC= BUILD= python3 tests/bench/network.py ROUNDS REPO OUTFILE

The network is a namespace of its own (tests/live/egress_world.py), so that direct
is the loopback, the fastest there is.  REPO has the programs traffic and
floor_relay.  Prints medians and the ratios taken within a round; exits 1 where a
median is beyond what was promised: of a stream, either way, at least 0.7 of direct,
of short connections at most 3 times its time.  Of a stream it also prints what the
least relay reaches, floor_relay.c: nothing is promised of it, but where both are
slow it is the machine or its congestion control (docs/egress.md).

Before that, what scoped adds to the start of a run: the time from before cupel is
started to the first thing that its command does, against one with loopback alone;
promised is 1 ms.
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
KINDS = (("stream", MIB, True, 0.7), ("upload", MIB, True, 0.7),
         ("turn", 100, False, 3.0), ("burst", 100, False, 3.0))
CLOCK_S = 60
START_US = 1000


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


def floor(repo, kind, count):
    said = subprocess.run(
        [*world.ordinary(), os.path.join(repo, "floor_relay"), world.PUBLIC,
         PORT, os.path.join(repo, "traffic"), kind, str(count)],
        stdout=subprocess.PIPE, check=True, timeout=CLOCK_S).stdout
    return float(said)


WAYS = {"direct": direct, "relayed": relayed, "floor": floor}


def ways(is_rate):
    """The floor has one connection, so it is there for streams alone."""
    return [w for w in WAYS if is_rate or w != "floor"]


def measure(repo, rounds):
    """{kind: {way: [microseconds]}}"""
    took = {k[0]: {w: [] for w in ways(k[2])} for k in KINDS}
    turns = [(k[0], k[1], w) for k in KINDS for w in ways(k[2])]
    for i in range(rounds + 1):
        random.shuffle(turns)
        for kind, count, way in turns:
            us = WAYS[way](repo, kind, count)
            if i > 0:  # the first warms
                took[kind][way].append(us)
    return took


def start(repo, network):
    """Microseconds until the command ran."""
    argv = [*world.ordinary(), os.path.join(BUILD, "cupel"), "run", "--json",
            "--repo", repo, "--network", *network, "--", "/repo/traffic",
            "now"]
    begun = time.monotonic() * 1e6
    p = subprocess.run(argv, stdout=subprocess.PIPE, check=False,
                       timeout=CLOCK_S, close_fds=False)
    return float(json.loads(p.stdout)["stdout"]) - begun


NETWORKS = {"loopback": ["loopback"],
            "scoped": ["scoped", "--egress", "host.example:443"]}


def starts(repo, rounds):
    """What scoped adds, and whether that is more than was promised."""
    took = {n: [] for n in NETWORKS}
    for i in range(rounds + 1):
        for n in random.sample(list(NETWORKS), len(NETWORKS)):
            us = start(repo, NETWORKS[n])
            if i > 0:
                took[n].append(us)
    low, middle, high = statistics.quantiles(
        [s - l for s, l in zip(took["scoped"], took["loopback"])], n=4)
    print("start    %10.0f %10.0f us    %+.0f us (%+.0f to %+.0f), wanted <= %d"
          % (statistics.median(took["loopback"]),
             statistics.median(took["scoped"]), middle, low, high, START_US))
    return took, ["start"] if middle > START_US else []


def ratios(took, is_rate, way):
    """Quartiles against direct, taken within a round."""
    return statistics.quantiles(
        [d / w if is_rate else w / d
         for d, w in zip(took["direct"], took[way])], n=4)


def report(took):
    """The table, and what of it breaks a promise."""
    broken = []
    print("%-8s %10s %10s   ratio (quartiles)" % ("", "direct", "relayed"))
    for kind, count, is_rate, promised in KINDS:
        low, middle, high = ratios(took[kind], is_rate, "relayed")
        shown = [statistics.median(took[kind][w]) for w in ("direct", "relayed")]
        if is_rate:
            shown = [count / us * 1e6 for us in shown]
        else:
            shown = [us / count for us in shown]
        line = "%-8s %10.0f %10.0f %s %.2f (%.2f to %.2f), wanted %s %.1f" % (
            kind, shown[0], shown[1], "MiB/s" if is_rate else "us   ", middle,
            low, high, ">=" if is_rate else "<=", promised)
        if is_rate:
            line += "; floor %.2f (%.2f to %.2f)" % tuple(
                ratios(took[kind], is_rate, "floor")[i] for i in (1, 0, 2))
        print(line)
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
        begins, broken = starts(repo, rounds * 4)
        took = measure(repo, rounds)
    finally:
        server.kill()
        server.wait()
    with open(out, "w") as f:
        json.dump({"begun": begun, "rounds": rounds, "us": took,
                   "starts_us": begins}, f)
    broken += report(took)
    if broken:
        sys.exit("network: beyond what was promised: " + ", ".join(broken))


world.enter(os.path.abspath(__file__))
main()
