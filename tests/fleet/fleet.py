"""fleet.py -- a fleet of workers on one JetStream server, as a simulation of
discrete events.

What is modelled is what cupel-worker(1) does: a durable consumer hands out the
oldest request; a worker keeps it alive, has its answer stored, and acknowledges
it after that.  A request that nobody keeps alive goes to another worker after
the ack wait.  One that fails by itself is put in line again with a count, and
after the fifth failure it is a dead letter.  An answer is stored under the key of
its request, and a second one is refused.

Must:     be a function of its Case alone: the same seed, the same answer
Must not: know how an answer of the model is judged (model.t), or printed
"""
import collections
import dataclasses
import heapq
import math
import random

FAILURES_MAX = 5     # by itself; then a dead letter
DELIVERIES_MAX = 50  # without an end, nor given back; then a dead letter
FAIL_REST_S = 0.5    # before it is in line again, twice as long each time
STORE_RETRY_S = 0.5  # when the server does not confirm
HOUR_S = 3600.0

WELL, FAILS, KILLS = range(3)  # what a request does to whoever runs it


@dataclasses.dataclass(frozen=True)
class Case:
    """One run of the model.  Times are seconds, rates are for each hour."""
    arrivals: tuple            # when each request arrives, rising
    service: tuple             # how long each holds a slot
    nature: tuple = ()         # WELL, FAILS or KILLS of each; (): all are WELL
    workers: int = 1
    slots: int = 1             # of each worker
    loss_rate: float = 0       # of one worker
    drain_rate: float = 0      # of one worker: SIGTERM, and a new one
    born_s: float = 30         # until there is another in the place of one
    ack_wait_s: float = 60
    drain_s: float = 30        # what runs may end in this time
    server_s: float = 0        # of the server, for one request and its answer
    downs: tuple = ()          # (from, until): the server is not there
    lost_acks: float = 0       # share of publishes that are sent once more
    resend_s: float = 5        # after this time
    unacked: float = 0         # share of acknowledgements that are lost
    duplicates_s: float = 600  # the server's window of message ids
    horizon_s: float = math.inf  # no further, whatever is open then
    seed: int = 1


@dataclasses.dataclass
class Request:
    """What became of a request; it is one, however many messages it has."""
    arrived: float
    began: float = -1
    ended: float = -1
    messages: int = 0
    answers: int = 0
    dead: int = 0
    repeated: int = 0   # answers that the server refused
    deliveries: int = 0
    backs: int = 0      # how often it was given back
    counted: set = dataclasses.field(default_factory=set)  # put in line again


@dataclasses.dataclass(eq=False)
class Message:
    """An entry of the stream; a request may be in it more than once."""
    number: int
    failures: int = 0
    delivered: int = 0
    kept: float = 0     # when the server last heard of it
    queued: int = 0     # after which delivery it is in line once more
    acked: bool = False


@dataclasses.dataclass(eq=False)
class Worker:
    born: float
    running: int = 0
    alive: bool = True
    draining: bool = False
    jobs: dict = dataclasses.field(default_factory=dict)


@dataclasses.dataclass
class Outcome:
    requests: list
    end_s: float
    worker_s: float     # of all workers, from their birth
    busy_s: float       # of their slots
    wasted_s: float     # of that: what gave no answer
    in_system_s: float  # integral of how many are not done, over time
    queue: list         # (time, how many wait), when that changed, thinned
    queue_max: int
    lost: int           # workers
    drained: int
    redelivered: int


class Fleet:
    """The state of one run; run() is the whole of it."""

    def __init__(self, case):
        self.case = case
        self.random = random.Random(case.seed)
        self.now = 0.0
        self.events, self.order = [], 0
        self.line = collections.deque()    # messages that wait
        self.again = collections.deque()   # and those to be delivered again
        self.idle = collections.deque()    # workers, once for each free slot
        self.workers = []
        self.requests = [Request(t) for t in case.arrivals]
        self.open = len(self.requests)     # neither answered nor dead
        self.inside = 0
        self.server_free = 0.0
        self.down = (-1.0, -1.0)           # the last time without a server
        self.held = []                     # answers that wait for the server
        self.out = Outcome(self.requests, 0, 0, 0, 0, 0, [], 0, 0, 0, 0)
        self.counted = 0.0

    # --- the clock ---------------------------------------------------------

    def at(self, when, act, *words):
        self.order += 1
        heapq.heappush(self.events, (when, self.order, act, words))

    def run(self):
        c = self.case
        for since, until in c.downs:
            self.at(since, self.server_lost, until)
        for _ in range(c.workers):
            self.worker_born()
        if c.arrivals:
            self.at(c.arrivals[0], self.arrive, 0)
        while self.open and self.events:
            when, _, act, words = heapq.heappop(self.events)
            if when > c.horizon_s:
                break
            self.out.in_system_s += self.inside * (when - self.now)
            self.now = when
            act(*words)
        self.out.end_s = self.now
        for w in self.workers:
            self.worker_count(w)
        return self.out

    # --- requests ----------------------------------------------------------

    def arrive(self, number):
        c = self.case
        self.inside += 1
        self.publish(number)
        if c.lost_acks and self.random.random() < c.lost_acks:
            self.at(self.now + c.resend_s, self.publish_again, number)
        if number + 1 < len(c.arrivals):
            self.at(c.arrivals[number + 1], self.arrive, number + 1)

    def publish(self, number):
        self.requests[number].messages += 1
        self.put(Message(number))

    def publish_again(self, number):
        """The server knows the id of a message for as long as its window."""
        if self.case.resend_s > self.case.duplicates_s:
            self.publish(number)

    def put(self, message):
        self.line.append(message)
        self.hand_out()
        self.note_queue()

    def note_queue(self):
        depth = len(self.line) + len(self.again)
        self.out.queue_max = max(self.out.queue_max, depth)
        if not self.out.queue or self.now - self.out.queue[-1][0] >= 60:
            self.out.queue.append((self.now, depth))

    # --- deliveries --------------------------------------------------------

    def is_down(self):
        return self.now < self.down[1]

    def heard(self, message):
        """When the server last heard of it: it is kept alive three times in
        an ack wait, and for nothing while the server is away."""
        every = self.case.ack_wait_s / 3
        since, until = self.down
        last = self.now - (self.now - message.kept) % every
        if since < last < until and since >= message.kept:
            last = since - (since - message.kept) % every
        return max(last, message.kept)

    def hand_out(self):
        while (self.again or self.line) and self.idle and not self.is_down():
            worker = self.idle.popleft()
            if not worker.alive or worker.draining:
                continue
            message = (self.again or self.line).popleft()
            if not message.acked:
                self.deliver(worker, message)
            else:
                self.idle.appendleft(worker)

    def deliver(self, worker, message):
        c, r = self.case, self.requests[message.number]
        message.delivered += 1
        r.deliveries += 1
        if r.began < 0:
            r.began = self.now
        start = self.now
        if c.server_s:
            start = self.server_free = (max(self.now, self.server_free) +
                                        c.server_s)
        message.kept = start
        job = (message, message.delivered)
        worker.jobs[job] = self.now
        nature = c.nature[message.number] if c.nature else WELL
        if message.delivered > DELIVERIES_MAX:
            self.at(start, self.finish, worker, job, True)
        elif nature == KILLS:
            self.at(start + c.service[message.number], self.worker_lost, worker)
        else:
            self.at(start + c.service[message.number], self.finish, worker, job,
                    nature == FAILS)

    def finish(self, worker, job, failed):
        """The work is done: now the server has to take what came of it."""
        if job not in worker.jobs or not worker.alive:
            return
        if self.is_down():
            self.held.append((worker, job, failed))
            return
        self.settle(job, failed)
        self.job_end(worker, job, self.requests[job[0].number].ended < self.now)

    def settle(self, job, failed):
        """Store the answer, or put the request in line again; then ack."""
        message, delivery = job
        r = self.requests[message.number]
        if failed and message.delivered <= DELIVERIES_MAX and \
                message.failures + 1 < FAILURES_MAX:
            self.put_again(r, message)
        elif r.answers or r.dead:
            r.repeated += 1
        else:
            r.dead += failed
            r.answers += not failed
            r.ended = self.now
            self.open -= 1
            self.inside -= 1
        if self.case.unacked and self.random.random() < self.case.unacked:
            self.leave(message, delivery)
        else:
            message.acked = True

    def put_again(self, r, message):
        """With one failure more; the server drops what it has had."""
        failures = message.failures + 1
        if failures not in r.counted:
            r.counted.add(failures)
            r.messages += 1
            self.at(self.now + FAIL_REST_S * 2 ** message.failures, self.put,
                    Message(message.number, failures,
                            message.delivered - 1))

    def job_end(self, worker, job, wasted):
        began = worker.jobs.pop(job)
        self.out.busy_s += self.now - began
        self.out.wasted_s += (self.now - began) * wasted
        if worker.draining:
            if not worker.jobs:
                self.worker_gone(worker)
        else:
            self.idle.append(worker)
            self.hand_out()

    # --- workers -----------------------------------------------------------

    def worker_born(self):
        c = self.case
        w = Worker(self.now)
        self.workers.append(w)
        if c.loss_rate:
            self.at(self.now + self.random.expovariate(c.loss_rate / HOUR_S),
                    self.worker_lost, w)
        if c.drain_rate:
            self.at(self.now + self.random.expovariate(c.drain_rate / HOUR_S),
                    self.worker_drained, w)
        self.idle.extend([w] * c.slots)
        self.hand_out()

    def worker_count(self, w):
        """Its time, up to now, once."""
        if w.alive:
            self.out.worker_s += self.now - w.born
            for began in w.jobs.values():
                self.out.busy_s += self.now - began
                self.out.wasted_s += self.now - began

    def worker_lost(self, w):
        if not w.alive:
            return
        self.worker_count(w)
        self.out.lost += 1
        w.alive = False
        for message, delivery in w.jobs:
            self.leave(message, delivery)
        w.jobs = {}
        self.at(self.now + self.case.born_s, self.worker_born)

    def leave(self, message, delivery):
        """Nobody keeps it alive any more."""
        self.at(max(self.now, self.heard(message) + self.case.ack_wait_s),
                self.deliver_again, message, delivery)

    def deliver_again(self, message, delivery):
        if self.is_down():
            self.at(self.down[1], self.deliver_again, message, delivery)
        elif not message.acked and \
                message.queued < delivery == message.delivered:
            message.queued = delivery
            self.out.redelivered += 1
            self.again.append(message)
            self.hand_out()

    def worker_drained(self, w):
        if not w.alive or w.draining:
            return
        self.out.drained += 1
        w.draining = True
        if w.jobs:
            self.at(self.now + self.case.drain_s, self.worker_stopped, w)
        else:
            self.worker_gone(w)

    def worker_stopped(self, w):
        """What still runs is given back: it counts for nothing."""
        if not w.alive:
            return
        jobs = list(w.jobs)
        self.worker_gone(w)
        for message, delivery in jobs:
            if self.is_down():
                self.deliver_again(message, delivery)
            elif not message.acked and delivery == message.delivered:
                self.put_back(message)

    def put_back(self, message):
        """It is stored again, and so comes after all that wait."""
        message.acked = True
        self.requests[message.number].messages += 1
        self.requests[message.number].backs += 1
        self.out.redelivered += 1
        self.put(Message(message.number, message.failures,
                         message.delivered - 1))

    def worker_gone(self, w):
        self.worker_count(w)
        w.alive = False
        w.jobs = {}
        self.at(self.now + self.case.born_s, self.worker_born)

    # --- the server --------------------------------------------------------

    def server_lost(self, until):
        """Restarted with its store.  Who is not heard of for an ack wait loses
        the request to another, and goes on with it all the same."""
        self.down = (self.now, until)
        for w in self.workers:
            for message, delivery in w.jobs if w.alive else ():
                if self.heard(message) + self.case.ack_wait_s < until:
                    self.at(until, self.deliver_again, message, delivery)
        self.at(until, self.server_back)

    def server_back(self):
        held, self.held = self.held, []
        for worker, job, failed in held:
            self.at(self.now + self.random.random() * STORE_RETRY_S,
                    self.finish, worker, job, failed)
        self.hand_out()


def simulate(case):
    return Fleet(case).run()
