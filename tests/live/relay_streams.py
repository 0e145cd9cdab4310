"""relay_streams.py -- what the relay does with connections."""
import errno
import select
import socket
import ssl
import struct
import threading
import time

from relay_dns import ask
from relay_net import rule
from relay_world import (OTHER, PUBLIC, VESSEL, ZONE, World, case, echo, must,
                         must_equal, must_refuse, must_reset, one_name, read_all,
                         ticks)

LINGER_NONE = struct.pack("ii", 1, 0)


def server(port, backlog=64, address="0.0.0.0"):
    s = socket.create_server((address, port), backlog=backlog)
    s.settimeout(120)
    return s


def reset(s):
    s.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, LINGER_NONE)
    s.close()


def pair(w, listener, port):
    """A connection: its end inside and its end outside."""
    inside = w.connect("198.18.1.1", port)
    outside, _ = listener.accept()
    outside.settimeout(120)
    outside.sendall(b"!")  # now the relay also knows that it is connected
    must_equal(inside.recv(1), b"!")
    return inside, outside


@case
def ends_and_resets_are_passed_on():
    ZONE["a.test"] = [PUBLIC]
    with server(1001) as listener, one_name(1001) as w:
        inside, outside = pair(w, listener, 1001)
        outside.shutdown(socket.SHUT_WR)  # a half close: it still receives
        must_equal(inside.recv(1), b"")
        inside.sendall(b"more")
        must_equal(outside.recv(10), b"more")
        inside.close()
        must_equal(outside.recv(1), b"")
        inside, outside = pair(w, listener, 1001)
        reset(outside)
        must_reset(inside)
        inside, outside = pair(w, listener, 1001)
        inside.sendall(b"x")
        must_equal(outside.recv(1), b"x")
        reset(inside)
        must_reset(outside)
        # What was sent before a reset arrives.
        inside, outside = pair(w, listener, 1001)
        outside.sendall(b"last words")
        inside.sendall(b"unread")
        must(select.select([outside], [], [], 20)[0])
        outside.close()  # closed with something unread: a reset
        must_equal(inside.recv(100), b"last words")
        must_reset(inside)
        r = w.final(kind="connection")
        must_equal((r.count, r.verdict), (4, "allowed"))


@case
def a_server_that_is_down_is_told():
    ZONE["a.test"] = [PUBLIC]
    with one_name(1002) as w:
        must_refuse(w, "198.18.1.1", 1002)
        r = w.final(kind="connection")
        must_equal((r.verdict, r.error), ("connect_failed",
                                          errno.ECONNREFUSED))


@case
def another_address_is_tried_beside_a_slow_one():
    ZONE["a.test"] = [OTHER, PUBLIC]
    # Its queue is full: the next connection is neither taken nor refused.
    with server(1003, 0, OTHER) as full, server(1003, 9, PUBLIC) as good:
        filler = [socket.socket() for _ in range(4)]
        for s in filler:
            s.setblocking(False)
            s.connect_ex((OTHER, 1003))
        with one_name(1003) as w:
            inside = w.connect("198.18.1.1", 1003)
            outside, _ = good.accept()
            outside.sendall(b"here")
            must_equal(inside.recv(10), b"here")
            must_equal(w.final(kind="connection").address, PUBLIC)
        for s in filler:
            s.close()
    must(full)


LONG = 3 << 20  # more than is passed on before a pipe is used


def long_send(s, byte, size=LONG):
    """In the background, send that many of the byte, and the end."""
    def send():
        try:
            s.sendall(bytes([byte]) * size)
            s.shutdown(socket.SHUT_WR)
        except OSError:
            pass  # the other side closed it
    t = threading.Thread(target=send)
    t.start()
    return t


@case
def long_streams_arrive_whole_with_more_of_them_than_pipes():
    ZONE["a.test"] = [PUBLIC]
    with server(1020) as listener, one_name(1020) as w:
        for _ in range(3):
            pairs = [pair(w, listener, 1020) for _ in range(24)]
            both = [t for i, (inside, outside) in enumerate(pairs)
                    for t in (long_send(outside, i),
                              long_send(inside, i + 100))]
            for i, (inside, outside) in enumerate(pairs):
                if i % 3 == 0:  # gives its pipes back
                    reset(outside)
                    inside.close()
                    continue
                must(read_all(inside) == bytes([i]) * LONG, "down %d" % i)
                must(read_all(outside) == bytes([i + 100]) * LONG, "up %d" % i)
                inside.close()
                outside.close()
            for t in both:
                t.join(20)
        must_equal(w.final(kind="connection").count, 72)


@case
def it_outlives_who_stops_to_read_a_long_stream():
    ZONE["a.test"] = [PUBLIC]
    with server(1021) as listener, one_name(1021) as w:
        for _ in range(20):
            inside, outside = pair(w, listener, 1021)
            outside.shutdown(socket.SHUT_WR)  # after that a reset is an EPIPE
            sending = long_send(inside, 1, 64 << 20)
            got = 0
            while got < 2 << 20:
                got += len(outside.recv(1 << 20))
            reset(outside)
            sending.join(20)
            must(not sending.is_alive(), "nobody told who sends")
            inside.close()
        must_equal(w.final(kind="connection").count, 20)


@case
def who_does_not_read_holds_up_who_writes():
    ZONE["a.test"] = [PUBLIC]
    with server(1004) as listener, one_name(1004) as w:
        inside, outside = pair(w, listener, 1004)
        sent = 0
        outside.setblocking(False)
        while select.select([], [outside], [], 0.5)[1]:
            try:
                sent += outside.send(bytes(1 << 20))
            except BlockingIOError:
                pass
            must(sent < 256 << 20, "it takes without end")
        pages = int(open("/proc/%d/statm" % w.relay.process.pid).read()
                    .split()[1])
        must(pages * 4096 < 8 << 20, "%d pages" % pages)
        before = ticks(w.relay.process.pid)
        must(not select.select([], [outside], [], 0.5)[1])
        must(ticks(w.relay.process.pid) - before <= 5, "it spins")
        # Others are served meanwhile.
        other, far = pair(w, listener, 1004)
        far.sendall(b"x")
        must_equal(other.recv(1), b"x")
        threading.Thread(target=lambda: (
            outside.setblocking(True), outside.sendall(b"the end"),
            outside.close())).start()
        must_equal(len(read_all(inside)), sent + 7)


@case
def much_goes_both_ways_at_once():
    ZONE["a.test"] = [PUBLIC]
    size = 24 << 20
    with server(1005) as listener, one_name(1005) as w:
        inside, outside = pair(w, listener, 1005)
        data = bytes(range(256)) * 4096
        got = []

        def write(s):
            for _ in range(size // len(data)):
                s.sendall(data)
            s.shutdown(socket.SHUT_WR)

        def read(s):
            got.append(read_all(s) == data * (size // len(data)))

        threads = [threading.Thread(target=f, args=(s,))
                   for s in (inside, outside) for f in (write, read)]
        for t in threads:
            t.start()
        for t in threads:
            t.join(60)
        must_equal(got, [True, True])
        r = w.final(kind="connection")
        must_equal((r.bytes_in, r.bytes_out), (size + 1, size))


@case
def a_thousand_connections_are_open_at_once():
    ZONE["a.test"] = [PUBLIC]
    with server(1006, 1024) as listener, one_name(1006) as w:
        pairs = [pair(w, listener, 1006) for _ in range(1000)]
        for i, (inside, _) in enumerate(pairs):
            inside.sendall(b"%4d" % i)
        for inside, outside in pairs:
            number = outside.recv(4)
            outside.sendall(number)
            must_equal(inside.recv(4), number)
        must_equal(w.final(kind="connection").count, 1000)
        for inside, outside in pairs:
            inside.close()
            outside.close()


@case
def more_than_the_limit_are_reset():
    ZONE["a.test"] = [PUBLIC]
    with server(1007) as listener, one_name(1007, connections=3) as w:
        kept = [pair(w, listener, 1007) for _ in range(3)]
        must_refuse(w, "198.18.1.1", 1007)
        must_refuse(w, "198.18.1.1", 1007)
        kept[0][0].close()
        must_equal(kept[0][1].recv(1), b"")
        kept[0][1].close()
        w.relay.wait("connection", verdict="limit")
        deadline = time.monotonic() + 120
        while True:  # until the relay has also seen both ends
            s = w.connect("198.18.1.1", 1007)
            if select.select([s, listener], [], [], 20)[0] == [listener]:
                break
            must(time.monotonic() < deadline)
        verdicts = {r.verdict: r.count for r in w.relay.end()}
        must_equal(verdicts["allowed"], 4)
        must(verdicts["limit"] >= 2)


@case
def what_nobody_listens_to_is_refused_and_recorded():
    ZONE["a.test"] = [PUBLIC]
    with one_name() as w:
        for address, port in (("198.18.1.1", 81), ("8.8.4.4", 443),
                              ("10.0.0.1", 22), ("127.0.0.1", 99)):
            with VESSEL.socket() as s:
                must_equal(s.connect_ex((address, port)), errno.ECONNREFUSED)
        with VESSEL.socket(socket.AF_INET, socket.SOCK_DGRAM) as s:
            s.connect(("8.8.4.4", 443))
            s.send(b"QUIC")
            must_equal(refusal_of(s), errno.ECONNREFUSED)
        with VESSEL.socket() as s:  # a connection without connect(2)
            try:
                s.sendto(b"x", socket.MSG_FASTOPEN, ("9.9.9.9", 443))
                s.recv(1)
            except OSError:
                pass
        got = {(r.name or r.address, r.port, r.protocol)
               for r in w.relay.end() if r.kind == "attempt"}
        must_equal(got, {("a.test", 81, 6), ("8.8.4.4", 443, 6),
                         ("10.0.0.1", 22, 6), ("8.8.4.4", 443, 17),
                         ("9.9.9.9", 443, 6)})


def refusal_of(s):
    try:
        s.recv(1)
    except OSError as e:
        return e.errno
    return 0


@case
def a_flood_of_refusals_is_counted():
    with one_name() as w:
        for _ in range(20000):
            s = socket_of_vessel()
            s.connect_ex(("8.8.4.4", 443))
            s.close()
        final = w.relay.end()
        seen = [r.count for r in final if r.kind == "attempt"]
        must(len(seen) == 1 and seen[0] <= 20000 <= seen[0] + final[-1].lost,
             (seen, final[-1].lost))


def socket_of_vessel(made=[]):
    """Many connections, without entering the namespace for each."""
    if not made:
        with VESSEL:
            made += [socket.socket() for _ in range(500)]
    return made.pop()


# --- port 443 ---

def hello(name):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    read, write = ssl.MemoryBIO(), ssl.MemoryBIO()
    try:
        context.wrap_bio(read, write, server_hostname=name).do_handshake()
    except ssl.SSLWantReadError:
        pass
    return write.read()


@case
def the_client_hello_must_have_the_name():
    ZONE["a.test"] = [PUBLIC]
    good = hello("a.test")
    split = good[:3] + struct.pack("!H", 99) + good[5:104] + good[:3] + \
        struct.pack("!H", len(good) - 104) + good[104:]
    with one_name(443, hello_ms=1500) as w:
        for text in (good, split, hello("A.TEST")):
            must_equal(echo(w.connect("198.18.1.1", 443), text),
                       b"echo " + text)
        s = w.connect("198.18.1.1", 443)
        s.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for i in range(len(good)):
            s.send(good[i:i + 1])
        must_equal(echo(s, b"tail"), b"echo " + good + b"tail")
        for text in (hello("b.test"), hello(None), hello("x.a.test"),
                     b"GET / HTTP/1.1\r\nHost: a.test\r\n\r\n",
                     b"SSH-2.0-x\r\n", good[:50] + bytes(2000)):
            s = w.connect("198.18.1.1", 443)
            s.sendall(text)
            must_reset(s)
        s = w.connect("198.18.1.1", 443)  # ends before it is complete
        s.sendall(good[:50])
        s.shutdown(socket.SHUT_WR)
        must_reset(s)
        must_refuse(w, "198.18.1.1", 443)  # says nothing
        verdicts = {r.verdict: r.count for r in w.relay.end()}
        must_equal(verdicts["allowed"], 4)
        must_equal(verdicts["sni_mismatch"], 8)


@case
def a_raw_rule_asks_for_none():
    ZONE["a.test"] = [PUBLIC]
    with World([rule("a.test", 443, host=1, raw=1)], {443: [1]}) as w:
        must_equal(echo(w.connect("198.18.1.1", 443)), b"echo x")
        w.relay.end()


# --- audit ---

@case
def audit_lets_public_addresses_through():
    ZONE.update({"any.test": [PUBLIC], "inner.test": ["10.0.0.1"]})
    with World([], {80: ["::"], 443: ["::"]}, audit=1) as w:
        must_equal(ask(VESSEL, "any.test").addresses, ["198.18.1.1"])
        must_equal(ask(VESSEL, "inner.test").addresses, ["198.18.1.2"])
        must_equal(echo(w.connect("198.18.1.1", 80)), b"echo x")
        must_equal(echo(w.connect("198.18.1.1", 443)), b"echo x")
        must_equal(echo(w.connect(OTHER, 80)), b"echo x")
        must_refuse(w, "198.18.1.2", 80)
        must_refuse(w, "10.0.0.1", 80)
        got = {(r.name or r.address, r.port, r.verdict)
               for r in w.relay.end() if r.kind == "connection"}
        must_equal(got, {("any.test", 80, "allowed"),
                         ("any.test", 443, "allowed"),
                         (OTHER, 80, "allowed"),
                         ("inner.test", 80, "address_range"),
                         ("10.0.0.1", 80, "address_range")})
