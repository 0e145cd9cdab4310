"""relay_dns.py -- a name server that answers what a test wants, and a client.

A zone is {name: answer}; an answer is a list of addresses, a str (CNAME), a
function of (question, type, number of times asked, over TCP) to bytes or None,
or an int, the code of an error.  What is not in it does not exist."""
import random
import socket
import struct
import threading

from relay_net import CLOCK_S, family_of

A, CNAME, AAAA = 1, 5, 28


def name_bytes(name):
    return b"".join(bytes([len(part)]) + part
                    for part in name.encode().split(b".") if part) + b"\0"


def question(name, kind=A, number=None, flags=0x100):
    if number is None:
        number = random.randrange(65536)
    return struct.pack("!6H", number, flags, 1, 0, 0, 0) + name_bytes(
        name) + struct.pack("!HH", kind, 1)


def record(owner, kind, data, ttl=60):
    return name_bytes(owner) + struct.pack("!HHIH", kind, 1, ttl,
                                           len(data)) + data


def answer(asked, records, code=0, flags=0x8180, count=None):
    return asked[:2] + struct.pack(
        "!5H", flags | code, 1, len(records) if count is None else count, 0,
        0) + asked[12:] + b"".join(records)


def addresses(name, kind, texts, ttl=60):
    family = {A: socket.AF_INET, AAAA: socket.AF_INET6}.get(kind)
    return [record(name, kind, socket.inet_pton(family, t), ttl)
            for t in texts if family_of(t) == family]


def name_of(asked):
    parts, at = [], 12
    while asked[at]:
        parts.append(asked[at + 1:at + 1 + asked[at]].decode())
        at += 1 + asked[at]
    return ".".join(parts).lower(), struct.unpack_from("!H", asked, at + 1)[0]


class NameServer:
    """Serves a zone on a loopback address, in threads of its own."""

    def __init__(self, zone, address="127.0.0.1"):
        self.zone, self.asked, self.peer = zone, [], None
        self.udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.udp.bind((address, 53))
        self.tcp = socket.create_server((address, 53))
        for run in (self.run_udp, self.run_tcp):
            threading.Thread(target=run, daemon=True).start()

    def records(self, name, kind, hops=0):
        """The chain from a name to its addresses."""
        said = self.zone.get(name)
        if isinstance(said, str):
            more = self.records(said, kind, hops + 1) if hops < 6 else []
            return [record(name, CNAME, name_bytes(said))] + more
        return addresses(name, kind, said if isinstance(said, list) else [])

    def reply(self, asked, over_tcp):
        name, kind = name_of(asked)
        times = self.asked.count((name, kind))
        self.asked.append((name, kind))
        said = self.zone.get(name, 3)
        if callable(said):
            return said(asked, kind, times, over_tcp)
        if isinstance(said, int):
            return answer(asked, [], said)
        return answer(asked, self.records(name, kind))

    def run_udp(self):
        while True:
            asked, self.peer = self.udp.recvfrom(4096)
            said = self.reply(asked, False)
            if said is not None:
                self.udp.sendto(said, self.peer)

    def run_tcp(self):
        while True:
            peer, _ = self.tcp.accept()
            peer.settimeout(CLOCK_S)
            with peer:
                asked = peer.recv(4096)
                said = self.reply(asked[2:], True)
                if said is not None:
                    peer.sendall(struct.pack("!H", len(said)) + said)


class Answer:
    """The answer of the relay's resolver: code, addresses."""

    def __init__(self, raw, asked):
        self.raw = raw
        self.code = raw[3] & 15
        self.count = struct.unpack_from("!H", raw, 6)[0]
        at = len(asked)
        self.addresses = [socket.inet_ntoa(raw[at + 12:at + 16])] \
            if self.count else []
        if raw[:2] != asked[:2] or raw[12:at] != asked[12:]:
            raise ValueError("it answers something else: %r" % raw)


def ask(vessel, name, kind=A, server="127.0.0.1", over_tcp=False):
    """One question from inside."""
    asked = question(name, kind)
    if over_tcp:
        s = vessel.socket()
        with s:
            s.connect((server, 53))
            s.sendall(struct.pack("!H", len(asked)) + asked)
            raw = s.recv(4096)
            while len(raw) < 2 or len(raw) < 2 + struct.unpack(
                    "!H", raw[:2])[0]:
                raw += s.recv(4096)
        return Answer(raw[2:], asked)
    with vessel.socket(family_of(server), socket.SOCK_DGRAM) as s:
        s.connect((server, 53))
        s.send(asked)
        return Answer(s.recv(4096), asked)
