"""workload.py -- requests as they were measured: how long each takes, and when it
arrives.  The measurements are data/*.tsv beside this file."""
import bisect
import csv
import itertools
import json
import math
import os

HERE = os.path.dirname(os.path.abspath(__file__))
DAY_HOURS = 24


def rows(name):
    with open(os.path.join(HERE, "data", name), encoding="utf-8") as f:
        return list(csv.DictReader(
            (x for x in f if not x.startswith("#")), delimiter="\t"))


def repositories():
    """Processor seconds of each measured gather, rising: a slot for each
    processor is busy for that long."""
    return sorted(int(r["cpu_ms"]) / 1000 for r in rows("repositories.tsv"))


def answer_bytes():
    return sorted(int(r["answer_bytes"]) for r in rows("repositories.tsv"))


def between(table, share):
    """The value that this share of the table is below; logarithmic between
    two rows."""
    at = share * (len(table) - 1)
    i = min(int(at), len(table) - 2)
    low, high = math.log(table[i]), math.log(table[i + 1])
    return math.exp(low + (high - low) * (at - i))


def service(many, random, slow_share=0.0, slow_s=600.0):
    """How long each of many requests takes: as measured, but for a share that
    takes slow_s in the mean, as the test suites of a gate do."""
    table = repositories()
    return tuple(random.expovariate(1 / slow_s)
                 if slow_share and random.random() < slow_share
                 else between(table, random.random()) for _ in range(many))


def service_of(answers, many, random):
    """As long as the answers in that file took, drawn from them."""
    with open(answers, encoding="utf-8") as f:
        took = [json.loads(x)["duration_ms"] / 1000 for x in f if x.strip()]
    return tuple(random.choices(took, k=many))


def busiest_day():
    """How many arrive in each hour of the busiest weekday."""
    days = [[int(r["%02d" % h]) for h in range(DAY_HOURS)]
            for r in rows("arrivals.tsv")]
    return max(days, key=sum)


def arrivals(many, random):
    """When each of many requests arrives, within the busiest day: a Poisson
    process whose rate is that of the hour, given how many there are."""
    upto = list(itertools.accumulate(busiest_day()))
    return tuple(sorted(
        (bisect.bisect_right(upto, random.random() * upto[-1]) +
         random.random()) * 3600 for _ in range(many)))
