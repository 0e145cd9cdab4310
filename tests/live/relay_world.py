"""relay_world.py -- the world that the relay's cases share, and their list."""
import errno
import os
import socket

from relay_dns import NameServer
from relay_net import Namespace, Relay, address_add, rule, vessel_sockets

HAS_V6 = socket.has_ipv6
try:
    with open("/proc/net/if_inet6"):
        pass
except OSError:
    HAS_V6 = False
PUBLIC, OTHER, MINE = "93.184.216.34", "93.184.216.35", "93.184.216.99"
CASES, ZONE = [], {}


class Programs:
    """What is tested: where cupel-relay is, and cupel-relay-testing."""
    plain = testing = None


def if_v6(*texts):
    """The same, if there is IPv6."""
    return list(texts) if HAS_V6 else []


OUT = Namespace(False, ["198.51.100.1"] + if_v6("2001:db8::1"))
VESSEL = Namespace(True, ["198.18.0.1"] + if_v6("fd00::1"))
address_add(MINE)
DNS = NameServer(ZONE)


def case(function):
    CASES.append(function)
    return function


class World:
    """A relay that serves; ports: {port: numbers of names, or addresses}."""

    def __init__(self, rules, ports=None, pool=0, program=None, **more):
        self.relay = Relay(program or Programs.plain, rules, **more)
        self.relay.wait("ready")
        self.relay.give(vessel_sockets(VESSEL, {
            port: ["198.18.1.%d" % a if isinstance(a, int) else a for a in at]
            for port, at in (ports or {}).items()}, pool))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.relay.process.poll() is None:
            self.relay.process.kill()
        self.relay.process.wait()
        self.relay.control.close()

    def connect(self, address, port):
        s = VESSEL.socket(socket.AF_INET6 if ":" in address
                          else socket.AF_INET)
        s.connect((address, port))
        return s

    def final(self, **wanted):
        """The only final record that has these values."""
        found = [r for r in self.relay.end()
                 if all(getattr(r, k) == v for k, v in wanted.items())]
        must(len(found) == 1, "%r of %r" % (wanted, self.relay.records))
        return found[0]


def one_name(port=80, **more):
    """A relay that lets a.test through, on one port."""
    return World([rule("a.test", port, host=1)], {port: [1]}, **more)


def must(holds, said=""):
    if not holds:
        raise AssertionError(said)


def must_equal(got, want):
    must(got == want, "%r, wanted %r" % (got, want))


def must_reset(s):
    """The next thing that is read is a reset."""
    with s:
        try:
            got = s.recv(1)
        except OSError as e:
            must_equal(e.errno, errno.ECONNRESET)
            return
    must(False, "read %r" % got)


def must_refuse(w, address, port):
    """The connection is reset, before or after the client knows that it is made."""
    try:
        s = w.connect(address, port)
    except ConnectionResetError:
        return
    must_reset(s)


def ticks(pid):
    """CPU time in clock ticks, a hundred a second."""
    fields = open("/proc/%d/stat" % pid).read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) * 100 // os.sysconf(
        "SC_CLK_TCK")


def read_all(s):
    parts = []
    while True:
        part = s.recv(1 << 20)
        if not part:
            return b"".join(parts)
        parts.append(part)


def echo(s, text=b"x"):
    """What a server says to it: "echo " and the text."""
    with s:
        s.sendall(text)
        s.shutdown(socket.SHUT_WR)
        return read_all(s)
