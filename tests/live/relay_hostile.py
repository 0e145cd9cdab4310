"""relay_hostile.py -- peers that want the relay to work for nothing.  How often it
woke up is counted (its last record says so), whichever side the peer is on."""
import resource
import select
import socket
import threading
import time

from relay_streams import pair, reset, server
from relay_world import (PUBLIC, ZONE, Programs, case, must, must_equal,
                         one_name)

LONG = 3 << 20  # more than is passed on before a pipe is used
QUIET_S = 0.7   # a loop without progress turns tens of thousands of times in it
# What a stream of LONG bytes takes when each turn passes on one small segment.
LONG_TURNS = 4000


def long_send(source, sink):
    """Until the relay uses a pipe."""
    sending = threading.Thread(target=source.sendall, args=(bytes(LONG),))
    sending.start()
    read_exactly(sink, LONG)
    sending.join(20)


def read_exactly(s, n):
    while n > 0:
        got = s.recv(min(n, 1 << 20))
        must(got, "it ended before all had come")
        n -= len(got)


def turns_of(port, act, is_long=True, **more):
    """What the relay did for one act, from either side.  act(source, sink)."""
    ZONE["a.test"] = [PUBLIC]
    said = []
    for from_inside in (True, False):
        with server(port) as listener, one_name(port,
                                                    **more) as w:
            inside, outside = pair(w, listener, port)
            source, sink = (inside, outside) if from_inside else (outside,
                                                                  inside)
            if is_long:
                long_send(source, sink)
            act(source, sink)
            time.sleep(QUIET_S)
            source.close()
            sink.close()
            said.append(w.relay.end()[-1].turns)
    return said


def must_be_few(turns, most=LONG_TURNS):
    must(max(turns) <= most, "%r turns, wanted %d" % (turns, most))


def urgent(source, sink):
    source.send(b"!", socket.MSG_OOB)
    source.sendall(b"behind it")
    read_exactly(sink, 9)
    source.send(b"!", socket.MSG_OOB)


@case
def an_urgent_byte_is_passed_over():
    must_be_few(turns_of(1101, urgent))
    must_be_few(turns_of(1102, urgent, is_long=False), 100)


@case
def what_follows_an_urgent_byte_comes_before_the_end():
    def act(source, sink):
        source.sendall(b"before")
        source.send(b"!", socket.MSG_OOB)
        source.sendall(b"last words")
        source.shutdown(socket.SHUT_WR)
        time.sleep(0.2)  # so that the relay finds all of it at once
        read_exactly(sink, 16)
        must_equal(sink.recv(1), b"")

    must_be_few(turns_of(1103, act))


@case
def ends_and_full_windows_are_waited_for():
    def half_closed(source, sink):
        source.shutdown(socket.SHUT_WR)
        must_equal(sink.recv(1), b"")

    def fill(source):
        source.setblocking(False)
        while select.select([], [source], [], 0.3)[1]:
            try:
                source.send(bytes(1 << 20))
            except BlockingIOError:
                pass

    def nobody_reads(source, sink):
        fill(source)

    def gone_unread(source, sink):
        fill(source)
        source.close()

    def both_closed_unread(source, sink):
        fill(source)
        source.shutdown(socket.SHUT_RDWR)
        sink.shutdown(socket.SHUT_WR)

    def reset_unread(source, sink):
        fill(source)
        reset(source)

    must_be_few(turns_of(1104, half_closed))
    for port, act in enumerate((nobody_reads, gone_unread, both_closed_unread,
                                reset_unread), 1105):
        must_be_few(turns_of(port, act), 3 * LONG_TURNS)


@case
def one_byte_at_a_time_costs_a_turn_each():
    bytes_sent = 1000

    def act(source, sink):
        for _ in range(bytes_sent):
            source.sendall(b"x")
            must_equal(sink.recv(1), b"x")

    must_be_few(turns_of(1110, act, is_long=False), 2 * bytes_sent + 100)


@case
def many_closed_connections_cost_some_turns_each():
    ZONE["a.test"] = [PUBLIC]
    many = 300
    with server(1111, 1024) as listener, one_name(1111) as w:
        for i in range(many):
            inside, outside = pair(w, listener, 1111)
            (reset if i % 2 else socket.socket.close)(inside)
            (reset if i % 3 else socket.socket.close)(outside)
        time.sleep(QUIET_S)
        must_be_few([w.relay.end()[-1].turns], 12 * many)


@case
def a_relay_without_descriptors_waits_for_some():
    ZONE["a.test"] = [PUBLIC]
    with server(1112) as listener, one_name(1112) as w:
        kept = pair(w, listener, 1112)  # by now it has its sockets
        resource.prlimit(w.relay.process.pid, resource.RLIMIT_NOFILE, (4, 4))
        waiting = [w.connect("198.18.1.1", 1112) for _ in range(8)]
        waiting += [w.connect("198.18.0.1", 53) for _ in range(8)]
        time.sleep(QUIET_S)
        must_be_few([w.relay.end()[-1].turns], 100)
        must(waiting and kept)


@case
def whatever_makes_no_progress_is_looked_at_now_and_then():
    """Without the wall that passes over an urgent byte.  The other makes the loop
    sleep, and is the control."""
    for down, is_held in (("relay_urgent", True),
                          ("relay_urgent,relay_pause", False)):
        turns = turns_of(1113, lambda source, sink: source.send(
            b"!?", socket.MSG_OOB) and source.send(b"?"),
                         program=Programs.testing,
                         env={"CUPEL_TEST_GATHER_DROP": down})
        must((max(turns) <= LONG_TURNS) == is_held, (down, turns))
