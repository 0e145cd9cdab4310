"""relay_hello.py -- the ClientHello that is judged is the one that is sent."""
import contextlib
import mmap
import os
import socket
import subprocess
import sys

from relay_dns import A, addresses, answer
from relay_net import rule
from relay_streams import hello
from relay_world import (PUBLIC, ZONE, World, case, echo, must, must_equal,
                         must_reset, one_name, read_all)

TRIES = 60
GOOD, BAD = b"a.test", b"b.test"
# Writes one letter and another by turns, for at most a minute.
TOGGLE = """import mmap, sys, time
page, at = mmap.mmap(int(sys.argv[1]), 4096), int(sys.argv[2])
ends = time.monotonic() + 60
print("on", flush=True)
while time.monotonic() < ends:
    for _ in range(1000):
        page[at] = 97
        page[at] = 98
"""


def name_in(heard):
    return ("nothing" if not heard else "b.test" if BAD in heard else
            "a.test" if GOOD in heard else "no name")


class Page:
    """A ClientHello in a file.  Sending the file sends its page, not a copy, so a later
    reader reads what was written to the file later."""

    def __init__(self):
        self.text = hello("a.test")
        self.at = self.text.index(GOOD)
        self.fd = os.memfd_create("page")
        os.ftruncate(self.fd, 4096)
        self.page = mmap.mmap(self.fd, 4096)
        self.page[:len(self.text)] = self.text

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.page.close()
        os.close(self.fd)

    def put(self, name):
        self.page[self.at:self.at + len(name)] = name

    def echo(self, w):
        """What the server received; nothing if the connection was refused."""
        with w.connect("198.18.1.1", 443) as s:
            must_equal(os.sendfile(s.fileno(), self.fd, 0, len(self.text)),
                       len(self.text))
            with contextlib.suppress(ConnectionError, OSError):
                s.shutdown(socket.SHUT_WR)
            try:
                return read_all(s)
            except ConnectionError:
                return b""

    def heard_when_changed(self, w):
        """Change it when the name is asked for: it has been judged then, and nothing of
        it has been passed on."""
        def changing(asked, kind, _times, _tcp):
            self.put(BAD)
            return answer(asked, addresses("a.test", kind, [PUBLIC], 0)
                          if kind == A else [])

        ZONE["a.test"] = changing
        self.put(GOOD)
        return self.echo(w)


@case
def a_hello_that_changes_once_it_was_judged_goes_out_as_it_was_judged():
    with Page() as page:
        with one_name(443) as w:
            heard = page.heard_when_changed(w)
            must(heard == b"echo " + page.text, "it heard " + name_in(heard))
            must_equal(page.page[page.at], BAD[0])
            must_equal(w.final(kind="connection").verdict, "allowed")
        # The control: a stream that is not judged does change on its way.
        with World([rule("a.test", 443, host=1, raw=1)], {443: [1]}) as w:
            must(BAD in page.heard_when_changed(w), "the page was copied")


@case
def a_hello_that_changes_all_the_time_never_has_another_name():
    ZONE["a.test"] = [PUBLIC]
    with Page() as page, one_name(443) as w:
        with subprocess.Popen(
                [sys.executable, "-c", TOGGLE, str(page.fd), str(page.at)],
                pass_fds=[page.fd], stdout=subprocess.PIPE) as child:
            try:
                must_equal(child.stdout.readline(), b"on\n")
                heard = [page.echo(w) for _ in range(TRIES)]
            finally:
                child.kill()
        others = set(heard) - {b"", b"echo " + page.text}
        must_equal([name_in(h) for h in others], [])
        counts = {r.verdict: r.count for r in w.relay.end()
                  if r.kind == "connection"}
        passed = len([h for h in heard if h])
        must_equal(counts.pop("allowed", 0), passed)
        must_equal(counts.pop("sni_mismatch", 0), TRIES - passed)
        must_equal(counts, {})


@case
def each_hello_is_kept_for_itself_and_only_so_much_of_it():
    ZONE["a.test"] = [PUBLIC]
    first, second, bad = hello("a.test"), hello("a.test"), hello("b.test")
    # Records of one byte each, of a message that is not complete by then.
    long = b"".join(b"\x16\3\1\0\1" + bytes([b])
                    for b in b"\1\0\x17\x70" + bytes(6000))
    with one_name(443) as w:
        one, other = (w.connect("198.18.1.1", 443) for _ in range(2))
        one.sendall(first[:200])
        must_equal(echo(w.connect("198.18.1.1", 443), second),
                   b"echo " + second)
        other.sendall(bad[:200])
        must_equal(echo(one, first[200:]), b"echo " + first)
        other.sendall(bad[200:])
        must_reset(other)
        with w.connect("198.18.1.1", 443) as s:
            with contextlib.suppress(ConnectionError):
                s.sendall(long)
            must_reset(s)
        verdicts = {r.verdict: r.count for r in w.relay.end()
                    if r.kind == "connection"}
        must_equal(verdicts, {"allowed": 2, "sni_mismatch": 2})


@contextlib.contextmanager
def small_buffers():
    """The sockets outside take only a few KiB at a time."""
    path = "/proc/sys/net/ipv4/tcp_wmem"
    with open(path) as f:
        before = f.read()
    with open(path, "w") as f:
        f.write("4096 4096 4096")
    try:
        yield
    finally:
        with open(path, "w") as f:
            f.write(before)


@case
def a_hello_and_what_follows_it_arrive_in_order():
    ZONE["a.test"] = [PUBLIC]
    good = hello("a.test")
    with one_name(443) as w:
        with small_buffers():
            for more in (1, 32768 - len(good), 32768, 3 << 20):
                text = good + os.urandom(more)
                s = w.connect("198.18.1.1", 443)
                must(echo(s, text) == b"echo " + text, more)
        s = w.connect("198.18.1.1", 443)
        s.sendall(good)  # and nothing more until it is answered
        must_equal(s.recv(5), b"echo ")
        must_equal(echo(s, b"tail"), good + b"tail")
        must_equal(w.final(kind="connection").bytes_out,
                   4 * len(good) + 4 + 1 + 2 * 32768 + (3 << 20))
