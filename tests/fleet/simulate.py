"""simulate.py -- what a fleet does with a hundred thousand requests, as tables.

usage: simulate.py OUT SERVER_US [MANY [ANSWERS]]

OUT is a directory for the .dat files that fleet.gp draws; SERVER_US is how long
the server is busy with one request, of what server.py measures; MANY is how many
requests there are.  With ANSWERS, what `cupel submit` printed, requests take as
long as those did, and only the backlog is simulated.  cupel-fleet(7) explains the
words of the tables.
"""
import random
import sys

import fleet
import workload

WORKERS = (1, 2, 4, 8, 16, 32, 64, 128, 256)
DAY_WORKERS = (1, 2, 4, 8, 12, 16, 32)
LOSSES = (0, 0.01, 0.1)
SLOW = 0.01
ENOUGH = 12  # workers: the busiest hour's work, and a third


def share(sorted_values, part):
    return sorted_values[min(int(part * len(sorted_values)),
                             len(sorted_values) - 1)]


def figures(case):
    """One run, as the numbers that are printed."""
    out = fleet.simulate(case)
    stays = sorted(r.ended - r.arrived for r in out.requests)
    return {"end_h": out.end_s / 3600, "p50": share(stays, .5),
            "p95": share(stays, .95), "p99": share(stays, .99),
            "last": stays[-1], "depth": out.queue_max,
            "hours": out.worker_s / 3600, "wasted_h": out.wasted_s / 3600,
            "again": out.redelivered, "dead": sum(r.dead for r in out.requests),
            "out": out}


def table(path, head, rows):
    text = [head] + ["\t".join("%.3g" % x if isinstance(x, float) else str(x)
                               for x in row) for row in rows]
    with open(path, "w", encoding="utf-8") as f:
        f.write("\n".join(text) + "\n")
    print("\n".join(text), flush=True)


def backlog(out, server_s, service, name):
    """All requests are there at once."""
    many = len(service)
    print("\nbacklog-%s, %d requests, %.3g hours of work" % (
        name, many, sum(service) / 3600))
    rows = []
    for n in WORKERS:
        row = [n]
        for loss in LOSSES:
            got = figures(fleet.Case((0.0,) * many, service, workers=n,
                                     loss_rate=loss, server_s=server_s))
            row += [got["end_h"], got["p50"] / 3600, got["hours"],
                    got["wasted_h"]]
        rows.append(row)
    table("%s/backlog-%s.dat" % (out, name),
          "workers" + "".join("\tdone_h_%g\tp50_h_%g\tcost_h_%g\twasted_h_%g"
                              % ((x * 100,) * 4) for x in LOSSES), rows)


def day_case(many, **more):
    r = random.Random(2)
    words = dict(arrivals=workload.arrivals(many, r),
                 service=workload.service(many, r, SLOW))
    words.update(more)
    return fleet.Case(**words)


def day(out, server_s, many):
    """The busiest day, a hundredth of the requests slow."""
    case = day_case(many, server_s=server_s)
    print("\na day's arrivals, %d requests, %.3g hours of work" % (
        many, sum(case.service) / 3600))
    rows = []
    for n in DAY_WORKERS:
        got = figures(fleet.Case(**dict(case.__dict__, workers=n)))
        rows.append([n, got["depth"], got["p50"], got["p95"], got["p99"],
                     got["last"], got["hours"]])
        if n in (4, 8, 16):
            with open("%s/queue-%d.dat" % (out, n), "w",
                      encoding="utf-8") as f:
                f.writelines("%.3f\t%d\n" % (t / 3600, d)
                             for t, d in got["out"].queue)
    table(out + "/day.dat",
          "workers\tdepth\tp50_s\tp95_s\tp99_s\tlast_s\tcost_h", rows)


def troubles(out, server_s, many):
    """The same day with enough workers, and what can go wrong."""
    r = random.Random(4)
    fails = tuple(r.choices((fleet.WELL, fleet.FAILS), (99, 1))[0]
                  for _ in range(many))
    kills = tuple(fleet.KILLS if i % (many // 5) == 7 else fleet.WELL
                  for i in range(many))
    noon = 12 * 3600.0
    print("\nthe same day, %d workers" % ENOUGH)
    rows = []
    for name, more in (
            ("nothing", {}),
            ("losses_1", {"loss_rate": 0.01}),
            ("losses_10", {"loss_rate": 0.1}),
            ("losses_10_wait_10", {"loss_rate": 0.1, "ack_wait_s": 10.0}),
            ("losses_10_wait_600", {"loss_rate": 0.1, "ack_wait_s": 600.0}),
            ("poison_1", {"nature": fails}),
            ("five_that_kill", {"nature": kills}),
            ("server_30_s", {"downs": ((noon, noon + 30),)}),
            ("server_30_s_wait_10", {"downs": ((noon, noon + 30),),
                                     "ack_wait_s": 10.0}),
            ("server_1_h", {"downs": ((noon, noon + 3600),)}),
            ("drains_30", {"drain_rate": 1.0}),
            ("drains_3600", {"drain_rate": 1.0, "drain_s": 3600.0})):
        got = figures(day_case(many, workers=ENOUGH, server_s=server_s, **more))
        rows.append([name, got["depth"], got["p50"], got["p95"], got["p99"],
                     got["last"], got["wasted_h"], got["again"], got["dead"]])
    table(out + "/troubles.dat", "trouble\tdepth\tp50_s\tp95_s\tp99_s\tlast_s\t"
          "wasted_h\tagain\tdead", rows)


def main(out, server_us, many="100000", answers=None):
    server_s, many, r = float(server_us) / 1e6, int(many), random.Random(1)
    if answers:
        backlog(out, server_s, workload.service_of(answers, many, r), "own")
        return
    backlog(out, server_s, workload.service(many, r), "fast")
    r.seed(1)
    backlog(out, server_s, workload.service(many, r, SLOW), "slow")
    day(out, server_s, many)
    troubles(out, server_s, many)


if not 3 <= len(sys.argv) <= 5:
    sys.exit(__doc__)
main(*sys.argv[1:])
