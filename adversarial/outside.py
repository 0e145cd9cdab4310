"""outside.py -- the outside of attacks on scoped egress, for fixture.py: a process
in namespaces of its own (tests/live/egress_world.py).  It prints a line with one
word for each thing that reaches one of its servers, and ends when its stdin ends.

usage: unshare ... python3 outside.py DIRECTORY MARK
"""
import os
import socket
import sys
import threading
import time

sys.path.insert(0, os.path.join(os.environ["SRC"], "tests/live"))
sys.dont_write_bytecode = True
import egress_world as world  # noqa: E402

SITE, OTHER = world.PUBLIC, world.OTHER
MOST_NAMES = 256  # names that a run may ask for under its wildcards
NAMES = {
    "site.example": [[SITE]], "other.example": [[OTHER]], "intranet": [[OTHER]],
    "lo.example": [["127.0.0.1"]], "own.example": [[world.OWN]],
    "shared.example": [["100.64.1.2"]], "private.example": [[world.INNER]],
    "metadata.example": [["169.254.169.254"]], "bench.example": [["198.18.7.7"]],
    "zero.example": [["0.0.0.0"]],
    "private.inner.example": [[world.INNER]],
    "rebind.example": [[SITE], ["127.0.0.1"]],
    "turns.example": [[SITE], ["169.254.169.254"]],
}
INWARD = ("127.0.0.1", world.OWN, "100.64.1.2", world.INNER, "169.254.169.254",
          "198.18.7.7")


def say(word):
    os.write(1, word.encode() + b"\n")


def serve(s, peer):
    """Send back what comes."""
    with s:
        try:
            data = s.recv(65536)
            while data:
                s.sendall(data)
                data = s.recv(65536)
        except OSError:
            pass


def tcp(word, address, port):
    """A server that prints word for each connection."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    server = socket.socket(family)
    server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    server.setsockopt(socket.IPPROTO_IP, 15, 1)  # IP_FREEBIND
    if family == socket.AF_INET6:
        server.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
    server.bind((address, port))
    server.listen(256)

    def loop():
        while True:
            s, peer = server.accept()
            say(word)
            threading.Thread(target=serve, args=(s, peer),
                             daemon=True).start()

    threading.Thread(target=loop, daemon=True).start()


def udp(word, address, port):
    s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    s.bind((address, port))

    def loop():
        while True:
            s.recv(65536)
            say(word)

    threading.Thread(target=loop, daemon=True).start()


class Asked:
    """Prints "asked" when a name has the mark in it, and "over" when there were more
    such names than a run may have."""

    def __init__(self, mark):
        self.mark, self.found = mark, set()

    def append(self, name):
        if self.mark in name:
            self.found.add(name)
            say("over" if len(self.found) > MOST_NAMES else "asked")


class Names(dict):
    """Every name below wild.example is a name of the site."""

    def get(self, name, otherwise=None):
        if name.endswith(".wild.example"):
            return [[SITE]]
        return super().get(name, otherwise)


def main():
    names, asked = Names(NAMES), Asked(sys.argv[2])
    server = world.make(sys.argv[1], names)
    server.asked = asked
    # The name server for a vessel without its own network namespace (resolv.conf).
    again = world.Names(names, "127.0.0.1")
    again.asked = asked
    again.start()
    for port in (8080, 443):
        tcp("site", SITE, port)
        tcp("other", OTHER, port)
    tcp("port", SITE, 9999)
    tcp("other", OTHER, 8081)
    tcp("any6", "::", 8080)
    for address in INWARD:
        tcp("inward", address, 8080)
    udp("quic", SITE, 443)
    udp("dns", "8.8.8.8", 53)
    say("ready")
    sys.stdin.read()
    time.sleep(.2)  # time to notice the last connections


main()
