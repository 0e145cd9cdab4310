"""egress_world.py -- an outside for scoped egress: a network namespace in which
every address is local, with a DNS server and servers of the test's own.

Must:     be alone in network and mount namespaces of its own (enter() sees to
          it); leave nothing outside of them
Must not: reach a network
"""
import contextlib
import fcntl
import os
import queue
import socket
import struct
import sys
import threading
import time

OWN = "9.9.9.10"       # the only address that this host calls its own
RESOLVER = "9.9.9.53"  # what its resolv.conf names
PUBLIC = "44.0.0.7"    # where servers are
OTHER = "44.0.0.8"
FAR = "44.0.0.9"
INNER = "10.1.2.3"     # in a private network
SIX = "2600:db8:7::7"
BODY = b"hello from outside\n"
NODAD = 2  # IFA_F_NODAD: the address may be used at once
NETNS, MOUNTNS = "--net", "--mount"


def enter(program):
    """Start the program again, in namespaces of its own; as an ordinary user
    in a user namespace as well, with capabilities for this program alone."""
    if os.environ.get("CUPEL_TEST_WORLD") == "1":
        return
    os.environ["CUPEL_TEST_WORLD"] = "1"
    own = [] if os.geteuid() == 0 else ["--user", "--map-current-user",
                                        "--keep-caps"]
    argv = ["unshare"] + own + [NETNS, MOUNTNS, sys.executable, program]
    os.execvp(argv[0], argv + sys.argv[1:])


def ordinary():
    """The words before a command that take those capabilities away again."""
    if os.geteuid() == 0:
        return ()
    return ("setpriv", "--ambient-caps=-all", "--inh-caps=-all", "--")


def netlink(kind, body):
    """One request that makes something, acknowledged."""
    with socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0) as s:
        s.send(struct.pack("=IHHII", 16 + len(body), kind, 0x605, 1, 0) + body)
        e = -struct.unpack_from("=i", s.recv(4096), 16)[0]
    if e:
        raise OSError(e, "netlink %d: %s" % (kind, os.strerror(e)))


def attribute(kind, value):
    return struct.pack("=HH", 4 + len(value), kind) + value


def interface_up(name):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s:
        fcntl.ioctl(s, 0x8914, struct.pack("16sh14x", name, 0x49))


def all_local(source):
    """Make every address of a family local to this namespace, and send from
    one of them."""
    family = socket.AF_INET6 if ":" in source else socket.AF_INET
    raw = socket.inet_pton(family, source)
    netlink(20, struct.pack("=4BI", family, 8 * len(raw), NODAD, 0, 1) +
            attribute(1, raw) + attribute(2, raw))
    netlink(24, struct.pack("=8BI", family, 0, 0, 0, 255, 4, 254, 2, 0) +
            attribute(4, struct.pack("=I", 1)) + attribute(7, raw))


def files_hide(directory, hosts=""):
    """Hide the machine's own name servers and hosts file from this world."""
    for name, text in (("resolv.conf", "nameserver %s\n" % RESOLVER),
                       ("hosts", "127.0.0.1 localhost\n" + hosts)):
        path = os.path.join(directory, name)
        with open(path, "w") as f:
            f.write(text)
        os.chmod(path, 0o644)
        if os.spawnlp(os.P_WAIT, "mount", "mount", "--bind", path,
                      os.path.realpath("/etc/" + name)) != 0:
            raise OSError("cannot hide /etc/" + name)


class Names(threading.Thread):
    """A DNS server: names[NAME] is a list of answers, each a list of
    addresses. Each question takes one answer; the last one is given again
    and again."""

    def __init__(self, names, address=RESOLVER):
        super().__init__(daemon=True)
        self.names, self.asked = names, []
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.bind((address, 53))

    def answer(self, question):
        at, labels = 12, []
        while question[at]:
            labels.append(question[at + 1:at + 1 + question[at]])
            at += 1 + question[at]
        name = b".".join(labels).decode().lower()
        kind = struct.unpack_from(">H", question, at + 1)[0]
        self.asked.append(name)
        answers = self.names.get(name)
        found = []
        if answers and kind == 1:
            found = answers.pop(0) if len(answers) > 1 else answers[0]
        body = b"".join(b"\xc0\x0c" + struct.pack(">HHIH", 1, 1, 0, 4) +
                        socket.inet_aton(a) for a in found)
        flags = 0x8180 | (0 if answers else 3)
        return (question[:2] + struct.pack(">HHHHH", flags, 1, len(found), 0,
                                           0) + question[12:at + 5] + body)

    def run(self):
        while True:
            question, peer = self.socket.recvfrom(4096)
            self.socket.sendto(self.answer(question), peer)


class Server(threading.Thread):
    """A TCP server that counts its connections: an HTTP request gets a page
    that names the server, anything else is sent back.  A client that says MET
    is counted as one that has had an answer."""

    def __init__(self, address, port):
        super().__init__(daemon=True)
        self.count = self.met = 0
        family = socket.AF_INET6 if ":" in address else socket.AF_INET
        self.socket = socket.socket(family)
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self.socket.setsockopt(socket.IPPROTO_IP, 15, 1)  # IP_FREEBIND
        self.socket.bind((address, port))
        self.socket.listen(256)
        self.start()

    def serve(self, s):
        with s, contextlib.suppress(ConnectionError):
            data = s.recv(65536)
            if data.startswith(b"GET "):
                s.sendall(b"HTTP/1.0 200 OK\r\nContent-Length: %d\r\n\r\n%s"
                          % (len(BODY), BODY))
            while data and not data.startswith(b"GET "):
                if data == b"MET":
                    self.met += 1
                else:
                    s.sendall(data)
                data = s.recv(65536)

    def run(self):
        while True:
            s, _ = self.socket.accept()
            self.count += 1
            threading.Thread(target=self.serve, args=(s,), daemon=True).start()


class Ear(threading.Thread):
    """A UDP socket that counts datagrams, and sends them back."""

    def __init__(self, address, port):
        super().__init__(daemon=True)
        self.count = 0
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.bind((address, port))
        self.start()

    def run(self):
        while True:
            data, peer = self.socket.recvfrom(65536)
            self.count += 1
            self.socket.sendto(data, peer)


class Far:
    """The address FAR, made when root runs this: a connection to it arrives at OWN,
    with the same port, and each packet takes DELAY_S in each direction.  A tun
    device gets the packets and returns them with source and destination exchanged,
    so that their checksums stay good."""
    DELAY_S = 0.002

    def __init__(self):
        self.tun = os.open("/dev/net/tun", os.O_RDWR | os.O_CLOEXEC)
        self.late = queue.SimpleQueue()
        fcntl.ioctl(self.tun, 0x400454CA, struct.pack(  # TUNSETIFF: TUN, NO_PI
            "16sH22x", b"far0", 0x1001))
        interface_up(b"far0")
        netlink(24, struct.pack("=8BI", socket.AF_INET, 32, 0, 0, 255, 4, 0, 1,
                                0) + attribute(1, socket.inet_aton(FAR)) +
                attribute(4, struct.pack("=I", socket.if_nametoindex("far0"))) +
                attribute(7, socket.inet_aton(OWN)))
        for turn in (self.take, self.give):
            threading.Thread(target=turn, daemon=True).start()

    def take(self):
        while True:
            p = os.read(self.tun, 65536)
            if p[0] >> 4 == 4:
                self.late.put((time.monotonic() + self.DELAY_S,
                               p[:12] + p[16:20] + p[12:16] + p[20:]))

    def give(self):
        while True:
            due, p = self.late.get()
            time.sleep(max(0, due - time.monotonic()))
            os.write(self.tun, p)


def make(directory, names):
    """The namespace's addresses and files, and its DNS server."""
    interface_up(b"lo")
    all_local(OWN)
    all_local("2600:db8:9::10")
    files_hide(directory)
    server = Names(names)
    server.start()
    return server
