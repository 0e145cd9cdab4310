"""relay_net.py -- a world for the relay: two network namespaces, and the
supervisor's side of its control socket.

Must:     run in user and network namespaces of its own (relay.t sees to it)
Must not: touch anything but loopback interfaces
"""
import array
import ctypes
import fcntl
import os
import select
import socket
import struct
import subprocess

CLOCK_S = 120  # ends what hangs
NAME, SUFFIX, CIDR4, CIDR6 = 1, 2, 3, 4
CONFIG, RULES, HOSTS, OWN, CONFINE, SOCKETS = 1, 2, 3, 4, 5, 6
TCP, DNS_UDP, DNS_TCP, RECORDER_TCP, RECORDER_UDP, POOL = 1, 2, 3, 4, 5, 6
KINDS = ["", "ready", "failed", "named", "name", "connection", "attempt",
         "end"]
VERDICTS = ["", "allowed", "no_rule", "address_range", "resolve_failed",
            "connect_failed", "sni_mismatch", "limit"]
RECORD = struct.Struct("=6HiII4QHH16s254s6x")
CLONE_NEWNET = 0x40000000
LIBC = ctypes.CDLL(None, use_errno=True)


def call(name, *args):
    if getattr(LIBC, name)(*args) < 0:
        e = ctypes.get_errno()
        raise OSError(e, "%s: %s" % (name, os.strerror(e)))


def netlink(kind, body):
    """One request that makes something, acknowledged."""
    s = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0)
    s.send(struct.pack("=IHHII", 16 + len(body), kind, 0x605, 1, 0) + body)
    e = -struct.unpack_from("=i", s.recv(4096), 16)[0]
    s.close()
    if e:
        raise OSError(e, "netlink %d: %s" % (kind, os.strerror(e)))


def attribute(kind, value):
    return struct.pack("=HH", 4 + len(value), kind) + value


def family_of(text):
    return socket.AF_INET6 if ":" in text else socket.AF_INET


def address_add(text):
    """An address of this namespace's loopback interface."""
    raw = socket.inet_pton(family_of(text), text)
    netlink(20, struct.pack("=4BI", family_of(text), 8 * len(raw), 2, 254, 1) +
            attribute(1, raw) + attribute(2, raw))


def all_local(sources):
    """Every address is local to this namespace; it sends from its own."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s:
        fcntl.ioctl(s, 0x8914, struct.pack("16sh14x", b"lo", 0x49))
    for source in sources:
        raw = socket.inet_pton(family_of(source), source)
        address_add(source)
        netlink(24, struct.pack("=8BI", family_of(source), 0, 0, 0, 255, 4, 254,
                                2, 0) +
                attribute(4, struct.pack("=I", 1)) + attribute(7, raw))


class Namespace:
    """A network namespace; "with" enters it, for this thread."""

    def __init__(self, new, sources):
        self.fd = self.back = os.open("/proc/self/ns/net", os.O_RDONLY)
        if new:
            call("unshare", CLONE_NEWNET)
            self.fd = os.open("/proc/self/ns/net", os.O_RDONLY)
        all_local(sources)
        call("setns", self.back, CLONE_NEWNET)

    def __enter__(self):
        self.back = os.open("/proc/self/ns/net", os.O_RDONLY)
        call("setns", self.fd, CLONE_NEWNET)

    def __exit__(self, *_):
        call("setns", self.back, CLONE_NEWNET)
        os.close(self.back)

    def socket(self, family=socket.AF_INET, kind=socket.SOCK_STREAM, proto=0):
        with self:
            s = socket.socket(family, kind, proto)
        s.settimeout(CLOCK_S)
        return s

    def listener(self, address, port):
        s = self.socket(family_of(address))
        s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        s.bind((address, port))
        s.listen(1024)
        return s


def packed_address(text, port=0):
    if text is None:
        return bytes(20)
    raw = socket.inet_pton(family_of(text), text)
    return struct.pack("=HH16s", family_of(text), port, raw)


def rule(what, low, high=None, host=0, raw=0):
    """"name", "*.name" or "address/bits"; host is a name's number."""
    kind, bits, address, name = NAME, 0, b"", what
    if "/" in what:
        text, bits = what.split("/")
        address = socket.inet_pton(family_of(text), text)
        kind, bits, name = CIDR6 if ":" in text else CIDR4, int(bits), ""
    elif what.startswith("*."):
        kind, name = SUFFIX, what[2:]
    return struct.pack("=6H16s254s", kind, bits, raw, host, low, high or low,
                       address, name.encode())


class Record:
    """A record that the relay sent."""

    def __init__(self, raw):
        (kind, verdict, self.is_final, self.protocol, self.port, self.stage,
         self.error, self.count, self.lost, self.bytes_in, self.bytes_out,
         self.first_ns, self.turns, family, _, address, name) = RECORD.unpack(raw)
        self.kind, self.verdict = KINDS[kind], VERDICTS[verdict]
        self.name = name.split(b"\0")[0].decode()
        self.address = "" if family == 0 else socket.inet_ntop(
            family, address if family == socket.AF_INET6 else address[:4])

    def __repr__(self):
        return "<%s %s %s %s:%d x%d error %d>" % (
            self.kind, self.verdict, self.name, self.address, self.port,
            self.count, self.error)


class Relay:
    """A running cupel-relay, and the supervisor's end of its socket."""

    def __init__(self, program, rules, audit=0, connections=1024, resolve_ms=0,
                 connect_ms=0, hello_ms=0, servers=("127.0.0.1",), hosts=(),
                 own=(), env=None, confine=True):
        self.control, theirs = socket.socketpair(socket.AF_UNIX,
                                                 socket.SOCK_SEQPACKET)
        self.control.settimeout(CLOCK_S)
        self.process = subprocess.Popen(
            [program], env=env or {}, close_fds=False,
            preexec_fn=lambda: os.dup2(theirs.fileno(), 3, inheritable=True))
        theirs.close()
        self.fds, self.records = [], []
        names = [packed_address(s, 53) for s in servers]
        names += [packed_address(None)] * (3 - len(names))
        self.send(CONFIG, [struct.pack("=6I", audit, connections, resolve_ms,
                                       connect_ms, hello_ms, len(servers)) +
                           b"".join(names)])
        self.send(RULES, rules)
        self.send(HOSTS, [packed_address(a) + struct.pack("254s", n.encode())
                          for n, a in hosts])
        self.send(OWN, [packed_address(a) for a in own])
        if confine:
            self.send(CONFINE, [])

    def send(self, kind, items):
        self.control.send(struct.pack("=II", kind, len(items)) +
                          b"".join(items))

    def give(self, sockets):
        """[(kind, port, socket)]; our own copies are closed."""
        body = struct.pack("=II", SOCKETS, len(sockets)) + b"".join(
            struct.pack("=HH", kind, port) for kind, port, _ in sockets)
        fds = array.array("i", [s.fileno() for _, _, s in sockets])
        self.control.sendmsg([body], [(socket.SOL_SOCKET, socket.SCM_RIGHTS,
                                       fds)])
        for _, _, s in sockets:
            s.close()

    def read(self):
        """The next record, or None at the end of file."""
        raw = self.control.recv(1024)
        if not raw:
            return None
        record = Record(raw)
        self.records.append(record)
        return record

    def wait(self, kind, **wanted):
        """The first record of that kind, among those received and those to come."""
        at = 0
        while True:
            if at == len(self.records) and self.read() is None:
                raise EOFError("no %s %r in %r" % (kind, wanted, self.records))
            r = self.records[at]
            at += 1
            if r.kind == kind and all(getattr(r, k) == v
                                      for k, v in wanted.items()):
                return r

    def end(self):
        """Its final records, after it ended; the last is END."""
        self.control.shutdown(socket.SHUT_WR)
        final = []
        while not final or final[-1].kind != "end":
            record = self.read()
            if record is None:
                raise EOFError("it said no END")
            if record.is_final:
                final.append(record)
        if self.process.wait(CLOCK_S) != 0:
            raise OSError("exit status %d" % self.process.returncode)
        self.control.close()
        return final


# A TCP packet over IPv4 with SYN and without ACK.
FILTER = ((0x30, 0, 0, 33), (0x54, 0, 0, 0x12), (0x15, 0, 1, 2),
          (6, 0, 0, 0xffff), (6, 0, 0, 0))


def filter_put(s):
    code = ctypes.create_string_buffer(
        b"".join(struct.pack("=HBBI", *i) for i in FILTER))
    s.setsockopt(socket.SOL_SOCKET, 26, struct.pack(
        "HP", len(FILTER), ctypes.addressof(code)))


def vessel_sockets(vessel, ports, pool=0):
    """The sockets that init would make: listeners {port: [address]}, resolver,
    recorder."""
    out = [(TCP, port, vessel.listener(address, port))
           for port, addresses in ports.items() for address in addresses]
    udp = vessel.socket(socket.AF_INET6, socket.SOCK_DGRAM)
    udp.bind(("::", 53))
    out.append((DNS_UDP, 0, udp))
    out.append((DNS_TCP, 0, vessel.listener("::", 53)))
    for kind, protocol in ((RECORDER_TCP, socket.IPPROTO_TCP),
                           (RECORDER_UDP, socket.IPPROTO_UDP)):
        for family in (socket.AF_INET, socket.AF_INET6):
            raw = vessel.socket(family, socket.SOCK_RAW, protocol)
            if family == socket.AF_INET and kind == RECORDER_TCP:
                filter_put(raw)
            out.append((kind, 0, raw))
    return out + [(POOL, 0, vessel.socket()) for _ in range(pool)]


def is_readable(s, seconds):
    return bool(select.select([s], [], [], seconds)[0])
