"""relay_walls.py -- the relay confined, ended, killed, and told nonsense."""
import errno
import signal
import socket
import struct

from relay_net import (CONFINE, RULES, SOCKETS, TCP, Relay, is_readable, rule)
from relay_world import (OUT, PUBLIC, VESSEL, ZONE, Programs, case, echo, must,
                         must_equal, must_reset, one_name, ticks)

# The outcome of each attack, and which walls are taken down; None: it is killed.
ATTACKS = (
    ("open", "", None), ("open", "relay_filter", errno.EACCES),
    ("open", "relay_filter,relay_landlock", 0),
    ("port", "", errno.EACCES), ("port", "relay_landlock", 0),
    ("fork", "", None), ("fork", "relay_filter", 0),
    ("unix", "", None), ("unix", "relay_filter", 0),
    ("map", "", None), ("map", "relay_filter", 0),
    ("raw", "", None),
    ("fast_open", "", None), ("fast_open", "relay_filter,relay_landlock", 0),
)


def attack(name, down):
    """The errno that it ended with; None: it was killed."""
    relay = Relay(Programs.testing, [rule("a.test", 80, host=1)],
                  env={"CUPEL_TEST_RELAY_ATTACK": name,
                       "CUPEL_TEST_GATHER_DROP": down})
    said = relay.read()
    status = relay.process.wait(120)
    relay.control.close()
    if said is None:
        must_equal(status, -signal.SIGSYS)
        return None
    must_equal((said.kind, said.stage, status), ("failed", 0, 0))
    return said.error


@case
def a_relay_that_was_taken_over_can_do_nothing_else():
    for name, down, want in ATTACKS:
        got = attack(name, down)
        must(got == want, "%s without %r: %r" % (name, down, got))


@case
def it_is_confined_when_it_says_so():
    with one_name() as w:
        text = open("/proc/%d/status" % w.relay.process.pid).read()
        said = dict(line.split(":\t") for line in text.splitlines()
                    if ":\t" in line)
        for key, want in (("NoNewPrivs", "1"), ("Seccomp", "2"),
                          ("CapEff", "0" * 16), ("CapPrm", "0" * 16),
                          ("CapInh", "0" * 16), ("CapAmb", "0" * 16)):
            must_equal((key, said[key]), (key, want))
        w.relay.end()


@case
def its_end_tells_of_what_was_still_open():
    ZONE["a.test"] = [PUBLIC]
    with one_name(443) as w:
        s = w.connect("198.18.1.1", 443)  # no ClientHello yet
        w.relay.give([])
        r = w.final(kind="connection")
        must_equal((r.verdict, r.error), ("connect_failed", errno.ECANCELED))
        must_reset(s)


@case
def it_ends_when_nobody_wants_it():
    for confine in (False, True):
        relay = Relay(Programs.plain, [rule("a.test", 80, host=1)],
                      confine=confine)
        if confine:
            relay.wait("ready")
        must_equal([r.kind for r in relay.end()], ["end"])
    relay = Relay(Programs.plain, [rule("a.test", 80, host=1)])
    relay.wait("ready")
    relay.control.close()
    must_equal(relay.process.wait(120), 0)


@case
def a_killed_relay_leaves_no_way():
    ZONE["a.test"] = [PUBLIC]
    with one_name() as w:
        must_equal(echo(w.connect("198.18.1.1", 80)), b"echo x")
        s = w.connect("198.18.1.1", 80)
        w.relay.process.kill()
        w.relay.process.wait()
        must(is_readable(s, 20))
        while w.relay.read() is not None:
            pass
        with VESSEL.socket() as late:
            must_equal(late.connect_ex(("198.18.1.1", 80)),
                       errno.ECONNREFUSED)


@case
def nonsense_ends_it_with_a_reason():
    good = rule("a.test", 80, host=1)
    for kind, items in ((RULES, [good[:-1]]), (RULES, [bytes(len(good))]),
                        (77, []), (SOCKETS, []), (CONFINE, [b"x"])):
        relay = Relay(Programs.plain, [good], confine=False)
        relay.send(kind, items)
        said = relay.read()
        must_equal((said.kind, said.stage, said.error),
                   ("failed", 1, errno.EINVAL))
        must_equal(relay.process.wait(120), 1)
        relay.control.close()


@case
def sockets_that_are_none_of_ours_are_refused():
    def wrong():
        yield 99, 0, VESSEL.socket()
        yield TCP, 80, VESSEL.socket()  # does not listen
        yield TCP, 81, VESSEL.listener("198.18.1.1", 82)
        yield 2, 0, VESSEL.socket()
        yield 4, 0, VESSEL.socket(socket.AF_INET, socket.SOCK_DGRAM)
        yield 5, 0, VESSEL.listener("198.18.1.1", 83)
        yield 1, 0, socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)

    for what in wrong():
        relay = Relay(Programs.plain, [rule("a.test", 80, host=1)])
        relay.wait("ready")
        relay.give([what])
        must_equal((relay.read().stage, relay.process.wait(120)), (5, 1))
        relay.control.close()
    relay = Relay(Programs.plain, [rule("a.test", 80, host=1)])
    relay.wait("ready")
    relay.control.send(struct.pack("=II", SOCKETS, 3))  # and none comes
    must_equal((relay.read().stage, relay.process.wait(120)), (5, 1))
    relay.control.close()


@case
def it_takes_no_time_when_nothing_happens():
    ZONE["a.test"] = [PUBLIC]
    with one_name() as w:
        kept = [w.connect("198.18.1.1", 80) for _ in range(5)]
        for s in kept:
            s.shutdown(socket.SHUT_WR)
        half = w.connect("198.18.1.1", 80)
        half.sendall(b"x")
        must_equal(echo(w.connect("198.18.1.1", 80)), b"echo x")
        before = ticks(w.relay.process.pid)
        is_readable(half, 0.5)  # nothing comes
        must(ticks(w.relay.process.pid) - before <= 5, "it spins")
        w.relay.end()
    must(OUT)
