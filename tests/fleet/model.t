#!/usr/bin/env python3
"""model.t -- the simulated fleet loses nothing and doubles nothing, and agrees
with what can be worked out by hand.  Each property has a fleet that breaks it."""
import itertools
import math
import os
import random
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                "../live"))
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import fleet  # noqa: E402
import lib  # noqa: E402
import workload  # noqa: E402

tap = lib.Tap()
MANY = 150
CASES = 50


def any_case(seed):
    """Everything goes wrong, more often than it ever does."""
    r = random.Random(seed)
    nature = tuple(r.choices((fleet.WELL, fleet.FAILS, fleet.KILLS),
                             (95, 3, 1))[0] for _ in range(MANY))
    at = r.uniform(10, 200)
    return fleet.Case(
        arrivals=tuple(sorted(r.uniform(0, 300) for _ in range(MANY))),
        service=tuple(r.expovariate(1 / r.choice((0.1, 3, 40)))
                      for _ in range(MANY)),
        nature=nature, workers=r.choice((1, 3, 16)), slots=r.choice((1, 1, 4)),
        loss_rate=r.choice((0, 5, 60)), drain_rate=r.choice((0, 0, 30)),
        born_s=r.choice((0, 5)), ack_wait_s=r.choice((2, 15, 30)),
        drain_s=r.choice((0, 5, 30)), server_s=r.choice((0, 0.001)),
        downs=((at, at + r.choice((1, 30))),), lost_acks=r.choice((0, 0.1)),
        duplicates_s=r.choice((1, 600)), unacked=r.choice((0, 0.05)),
        horizon_s=20000, seed=seed)


def faults(case, out):
    """What of it may not be: names of properties."""
    found = set()
    for r, nature in zip(out.requests, case.nature):
        if r.ended < 0:
            found.add("lost")
        if r.answers + r.dead > 1:
            found.add("doubled")
        given_up = r.deliveries > fleet.DELIVERIES_MAX
        if r.answers + r.dead == 1 and not given_up and \
                r.dead != (nature == fleet.FAILS):
            found.add("judged wrongly")
        if r.ended >= 0 and not r.arrived <= r.began <= r.ended:
            found.add("before its time")
        if nature == fleet.FAILS and r.ended >= 0 and not given_up and \
                len(r.counted) != fleet.FAILURES_MAX - 1:
            found.add("failures miscounted")
        if case.duplicates_s > case.resend_s and \
                r.messages - r.backs > fleet.FAILURES_MAX:
            found.add("in line too often")
        if any(since < r.began < until for since, until in case.downs):
            found.add("begun without a server")
    stays = sum(r.ended - r.arrived for r in out.requests)
    if not math.isclose(stays, out.in_system_s, rel_tol=1e-6):
        found.add("Little's law")
    if out.wasted_s > out.busy_s + 1e-6 or \
            out.busy_s > out.worker_s * case.slots + 1e-6:
        found.add("more work than time")
    return found


def nothing_lost_nothing_doubled():
    bad, seen = [], fleet.Outcome([], 0, 0, 0, 0, 0, [], 0, 0, 0, 0)
    repeated = dead = 0
    for seed in range(CASES):
        case = any_case(seed)
        out = fleet.simulate(case)
        bad += [(seed, faults(case, out))] if faults(case, out) else []
        seen.lost += out.lost
        seen.drained += out.drained
        seen.redelivered += out.redelivered
        repeated += sum(r.repeated for r in out.requests)
        dead += sum(r.dead for r in out.requests)
    tap.equal(bad, [], "each request of %d fleets is answered or dead, once"
              % CASES)
    tap.ok(min(seen.lost, seen.drained, seen.redelivered, repeated, dead) > 20,
           "and all of what can go wrong did", (seen, repeated, dead))


class Forgets(fleet.Fleet):
    """What a lost worker had is not delivered again."""
    def deliver_again(self, message, delivery):
        pass


class Doubles(fleet.Fleet):
    """The server takes a second answer."""
    def settle(self, job, failed):
        r = self.requests[job[0].number]
        before, r.answers = r.answers, 0
        super().settle(job, failed)
        r.answers += before


class Patient(fleet.Fleet):
    """A failure is not counted."""
    def put_again(self, r, message):
        self.at(self.now + 1, self.put, fleet.Message(message.number))


class Hasty(fleet.Fleet):
    """Dead letters come after fewer failures."""
    def settle(self, job, failed):
        if failed:
            job[0].failures += 1
        super().settle(job, failed)


class Careless(fleet.Fleet):
    """A request that is answered stays in the count of what is open."""
    def settle(self, job, failed):
        super().settle(job, failed)
        self.inside += 1


class Busy(fleet.Fleet):
    """A slot is counted twice."""
    def job_end(self, worker, job, wasted):
        self.out.busy_s += 50 * (self.now - worker.jobs[job])
        super().job_end(worker, job, wasted)


def faults_are_seen():
    for kind, want in ((Forgets, "lost"), (Doubles, "doubled"),
                       (Patient, "lost"), (Hasty, "failures miscounted"),
                       (Careless, "Little's law"),
                       (Busy, "more work than time")):
        found = set()
        for case in map(any_case, range(12)):
            found |= faults(case, kind(case).run())
            if want in found:
                break
        tap.ok(want in found, "control: %s is seen to be wrong: %s" % (
            kind.__name__, want), found)


def case_of(*words, **more):
    """One that ends, also where the model is broken."""
    return fleet.Case(*words, **dict({"horizon_s": 20000.0}, **more))


def by_hand():
    r = random.Random(5)
    service = tuple(r.expovariate(1) for _ in range(500))
    out = fleet.simulate(fleet.Case((0.0,) * 500, service))
    tap.ok(all(math.isclose(q.ended, s) for q, s in zip(
        out.requests, itertools.accumulate(service))),
        "one worker and all at once: each ends with the sum of those before")
    arrivals = tuple(itertools.accumulate(
        r.expovariate(0.9) for _ in range(500)))
    out = fleet.simulate(fleet.Case(arrivals, service))
    free, bad = 0.0, 0
    for q, a, s in zip(out.requests, arrivals, service):
        free = max(free, a) + s
        bad += not math.isclose(q.ended, free)
    tap.equal(bad, 0, "one worker: each waits for the one before it")
    out = fleet.simulate(fleet.Case((0.0,) * 400, (2.0,) * 400, workers=7,
                                    slots=3))
    tap.ok(math.isclose(out.end_s, 2 * math.ceil(400 / 21)) and
           math.isclose(out.busy_s, 800),
           "equal requests end in whole rounds of all slots", out.end_s)
    out = fleet.simulate(fleet.Case((0.0,) * 400, (0.001,) * 400, workers=50,
                                    server_s=0.01))
    tap.ok(math.isclose(out.end_s, 4.001), "a slow server is the limit",
           out.end_s)


def mean_wait(draw, rate, workers=1, many=20000):
    r = random.Random(11)
    out = fleet.simulate(fleet.Case(
        tuple(itertools.accumulate(r.expovariate(rate) for _ in range(many))),
        tuple(draw(r) for _ in range(many)), workers=workers))
    return sum(q.began - q.arrived for q in out.requests) / many


def by_theory():
    got = mean_wait(lambda r: r.expovariate(1), 0.6)
    tap.ok(abs(got / 1.5 - 1) < 0.06, "M/M/1: the mean wait is rho/(mu-lambda)",
           got)
    # Pollaczek and Khinchine: lambda E[S^2] / 2(1-rho), S lognormal of mean 1
    got = mean_wait(lambda r: r.lognormvariate(-0.5, 1), 0.5)
    tap.ok(abs(got / (0.5 * math.e / (2 * 0.5)) - 1) < 0.06,
           "M/G/1: the mean wait is that of Pollaczek and Khinchine", got)
    load, c = 3.0, 4
    top = load ** c / math.factorial(c) * c / (c - load)
    wait = top / (top + sum(load ** k / math.factorial(k) for k in range(c)))
    got = mean_wait(lambda r: r.expovariate(1), load, c)
    tap.ok(abs(got / (wait / (c - load)) - 1) < 0.06,
           "M/M/4: the mean wait is Erlang's", (got, wait))
    out = fleet.simulate(case_of((0.0,) * 4000, (300.0,) * 4000, workers=40,
                                 loss_rate=4, horizon_s=1e5))
    got = sum(q.deliveries for q in out.requests) / 4000
    tap.ok(abs(got / math.exp(4 / 12) - 1) < 0.03,
           "losses: a request is begun exp(loss rate times its time) times",
           got)


def settings():
    at_once = (0.0,) * 100
    one = case_of(at_once, (40.0, 70.0) * 50, workers=100,
                  downs=((20.0, 50.0),))
    out = fleet.simulate(one)
    first = sorted(q.ended for q in out.requests)
    tap.ok(out.redelivered == 0 and out.end_s == 70 and
           all(50 <= x <= 50.5 for x in first[:50]),
           "a restart of 30 s, an ack wait of 60: answers wait, nothing is done "
           "twice", first)
    case = case_of(**dict(one.__dict__, ack_wait_s=15.0,
                          arrivals=at_once[1:] + (300.0,)))
    out = fleet.simulate(case)
    tap.ok(sum(q.answers for q in out.requests) == 100 and
           out.redelivered > 0 and out.wasted_s > 0 and
           sum(q.repeated for q in out.requests) > 0,
           "with one of 15 work is done twice, and answered once",
           out.redelivered)
    for born, again, why in ((5.0, 1, "is heard of before the server went"),
                             (31.0, 1, "is in line once")):
        out = fleet.simulate(case_of(
            (0.0,), (30.0 if born > 5 else 45.0,), (fleet.KILLS,), slots=2,
            born_s=born, ack_wait_s=15.0 if born > 5 else 30.0,
            downs=((20.0, 50.0),), horizon_s=62.0))
        tap.equal((out.redelivered, out.requests[0].deliveries),
                  (again, again + 1), "lost while the server is away, it " + why)
    for window, messages in ((600.0, 100), (1.0, 200)):
        out = fleet.simulate(case_of(at_once, (1.0,) * 100, lost_acks=1.0,
                                        duplicates_s=window))
        tap.ok(sum(q.messages for q in out.requests) == messages and
               all(q.answers == 1 for q in out.requests),
               "sent again after 5 s, a window of %g s: %d messages"
               % (window, messages), out)
    nature = (fleet.FAILS, fleet.KILLS) + (fleet.WELL,) * 98
    out = fleet.simulate(case_of(at_once, (1.0,) * 100, nature, workers=3))
    tap.equal(([q.deliveries for q in out.requests[:2]], out.lost),
              ([fleet.FAILURES_MAX, fleet.DELIVERIES_MAX + 1],
               fleet.DELIVERIES_MAX),
              "one that fails has five tries, one that kills has fifty")
    for drain, again in ((60.0, False), (5.0, True)):
        out = fleet.simulate(case_of(at_once, (50.0,) * 100, workers=10,
                                        drain_rate=20, drain_s=drain))
        tap.ok(out.drained > 5 and (out.redelivered > 0) == again and
               (out.wasted_s > 0) == again,
               "a drain of %g s %s work" % (drain, "loses" if again
                                            else "loses no"), out)


def same_again():
    case = any_case(7)
    one, two = fleet.simulate(case), fleet.simulate(case)
    other = fleet.simulate(fleet.Case(**dict(case.__dict__, seed=8)))
    tap.ok(one == two and one != other, "a seed is a run")


def drawn_as_measured():
    r = random.Random(3)
    table = workload.repositories()
    tap.ok(len(table) >= 50 and all(x > 0 for x in table) and
           len(workload.rows("arrivals.tsv")) == 7,
           "the tables have what was measured", len(table))
    drawn = sorted(workload.service(20000, r))
    same = [abs(drawn[int(share * 19999)] / workload.between(table, share) - 1)
            for share in (0.1, 0.5, 0.9, 0.97)]
    tap.ok(max(same) < 0.05 and table[0] * 0.999 <= drawn[0] and
           drawn[-1] <= table[-1] * 1.001,
           "what is drawn is spread as the table is", same)
    slow = workload.service(20000, r, 0.01, 600)
    tap.ok(abs(sum(x > 10 for x in slow) / 200 - 1) < 0.2,
           "and a hundredth is slow when asked for")
    day, when = workload.busiest_day(), workload.arrivals(50000, r)
    hours = [0] * 24
    for t in when:
        hours[int(t // 3600)] += 1
    off = [abs(h / 50000 / (d / sum(day)) - 1) for h, d in zip(hours, day)]
    tap.ok(list(when) == sorted(when) and max(off) < 0.15,
           "as many arrive in each hour as the table says", off)


nothing_lost_nothing_doubled()
faults_are_seen()
by_hand()
by_theory()
settings()
same_again()
drawn_as_measured()
tap.done()
