#!/usr/bin/env python3
"""egress.t -- scoped egress from inside: ordinary programs reach what the
rules name, nothing else can be reached, and the result records all of it.
The outside is a network namespace of the test's own (egress_world.py)."""
import contextlib
import ctypes
import json
import os
import shutil
import signal
import socket
import sys
import threading
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True
import egress_world as world  # noqa: E402

world.enter(os.path.abspath(__file__))
import lib  # noqa: E402

NAMES = {
    "site.example": [[world.PUBLIC]],
    "other.example": [[world.OTHER]],
    "sub.wild.example": [[world.PUBLIC]],
    "asked.wild.example": [[world.PUBLIC]],
    "lo.example": [["127.0.0.1"]],
    "own.example": [[world.OWN]],
    "shared.example": [["100.64.1.2"]],
    "metadata.example": [["169.254.169.254"]],
    "mixed.example": [["127.0.0.1", world.PUBLIC]],
}
RULES = ("site.example:8080", "*.wild.example:8080", "lo.example:8080",
         "own.example:8080", "shared.example:8080", "metadata.example:80",
         "mixed.example:8080", "rebind.example:8080", "gone.example:8080",
         "site.example:8088", world.OTHER + "/32:8081",
         "[%s]/128:8080" % world.SIX, "site.example:443/raw")

PIDFD_GETFD = 438


class Outside:
    """The servers outside, and how many connections came to each."""

    def __init__(self):
        self.far = None
        self.site = world.Server(world.PUBLIC, 8080)
        self.raw = world.Server(world.PUBLIC, 443)
        self.six = world.Server(world.SIX, 8080)
        self.ruled = world.Server(world.OTHER, 8081)
        self.forbidden = [world.Server(*at) for at in (
            (world.PUBLIC, 9999), (world.OTHER, 8080), ("127.0.0.1", 8080),
            (world.OWN, 8080), ("100.64.1.2", 8080), ("169.254.169.254", 80),
            ("127.0.0.1", 9999), (world.SIX, 9999))]
        self.ears = [world.Ear(*at) for at in (
            (world.PUBLIC, 443), (world.PUBLIC, 8080), ("127.0.0.1", 5353),
            ("8.8.8.8", 53))]

    def trespasses(self):
        return sum(s.count for s in self.forbidden + self.ears)


class Inside:
    """A run of egress_inside.py with these rules."""

    def __init__(self, tap, user, names):
        self.tap, self.user, self.names = tap, user, names
        self.repo = lib.repo(user)
        to = os.path.join(self.repo, "inside.py")
        shutil.copy(os.path.join(lib.SRC, "tests/live/egress_inside.py"), to)
        os.chmod(to, 0o644)

    def options(self, rules=RULES):
        return (["--repo", self.repo, "--network", "scoped"] +
                [w for rule in rules for w in ("--egress", rule)])

    def run(self, *words, rules=RULES, **kw):
        """(what it printed, its egress by (host or address, port), result)"""
        r = lib.cupel(self.options(rules),
                      ["/usr/bin/python3", "/repo/inside.py"] + list(words),
                      self.user, before=world.ordinary(), **kw)
        try:
            said = json.loads(r.json["stdout"].splitlines()[-1])
        except (TypeError, ValueError, IndexError):
            said = r.brief()
        book = {}
        for e in (r.json or {}).get("egress") or []:
            book.setdefault((e["host"] or e["address"], e["port"]),
                            []).append(e)
        return said, book, r

    def ok(self, good, name, note=""):
        return self.tap.ok(good, "%s: %s" % (self.user, name), str(note))


def verdicts(book, host, port):
    return sorted((e["verdict"], e["reason"]) for e in
                  book.get((host, port), []))


# --- what works ------------------------------------------------------------------

def a_named_host_is_reached(inside, outside):
    said, book, r = inside.run("names", "site.example", "8080")
    inside.ok(said == ["198.18.1.1", 8080, "198.18.0.1",
                       world.BODY.decode()],
              "an allowed name is reached, and known by its own address", said)
    e = book.get(("site.example", 8080), [{}])[0]
    inside.ok(e.get("verdict") == "allowed" and e["connections"] == 1 and
              e["address"] == world.PUBLIC and e["reason"] is None and
              e["bytes_in"] > len(world.BODY) and e["bytes_out"] > 10,
              "and its connection and bytes are told", book)
    net = r.get("enforced.network")
    inside.ok(net["requested"] and net["applied"] and
              net["details"]["mode"] == "scoped" and r.status == "OK",
              "the wall is read back", net)
    r = lib.cupel(inside.options(), ["/usr/bin/curl", "-sS", "--max-time", "20",
                                     "http://site.example:8080/"], inside.user,
                  before=world.ordinary())
    inside.ok(r.json and r.json["stdout"] == world.BODY.decode(),
              "curl needs no proxy variable", r.brief())


def other_ways_to_say_it(inside, outside):
    said, book, _ = inside.run(
        "reach", "SITE.Example.,8080", world.OTHER + ",8081",
        world.SIX + ",8080", "sub.wild.example,8080", "mixed.example,8080",
        "site.example,443")
    inside.ok(said == ["ping"] * 6, "case and a last dot, an IPv4 and an IPv6 "
              "address rule, a wildcard, the good one of two addresses, raw",
              said)
    inside.ok(verdicts(book, world.OTHER, 8081) == [("allowed", None)] and
              verdicts(book, world.SIX, 8080) == [("allowed", None)] and
              verdicts(book, "sub.wild.example", 8080) == [("allowed", None)],
              "and each is told", book)


def many_at_once(inside, outside):
    said, book, _ = inside.run("many", "site.example", "8080", "100")
    e = book.get(("site.example", 8080), [{}])[0]
    inside.ok(said == 100 and e.get("connections") == 100,
              "100 connections, each with its own bytes", (said, book))


def own_servers_work(inside, outside):
    said, _, _ = inside.run("own", "8080", "127.0.0.1", "::1")
    inside.ok(said == ["mine"] * 2, "servers of the command's own on the "
              "loopback, on a port of the rules", said)
    said, _, _ = inside.run("own", "7070", "127.0.0.1", "0.0.0.0", "::1", "::")
    inside.ok(said == ["mine"] * 4, "and everywhere on another", said)


# --- what does not ---------------------------------------------------------------

def nothing_else_is_reached(inside, outside):
    before = outside.trespasses()
    pairs = ("other.example,8080", "site.example,9999", "example,8080",
             "wild.example,8080", "xsite.example,8080", "a.site.example,8080",
             "xwild.example,8080", world.PUBLIC + ",8080",
             "738197511,8080", "0x2c000007,8080", world.PUBLIC + ",9999",
             "::ffff:%s,8080" % world.PUBLIC, world.OTHER + ",8080",
             world.SIX + ",9999", "127.0.0.1,9999", world.OWN + ",8080",
             "100.64.1.2,8080", "169.254.169.254,80", "198.18.1.200,8080",
             "198.18.1.0,8080")
    said, book, r = inside.run("reach", *pairs)
    inside.ok(isinstance(said, list) and len(said) == len(pairs) and
              not [s for s in said if s != "ECONNREFUSED" and
                   not s.startswith("gai")],
              "names, ports, literals, local addresses that no rule names",
              list(zip(pairs, said)))
    inside.ok(outside.trespasses() == before, "and none of them saw anybody")
    missing = [at for at in (
        ("other.example", None), (world.PUBLIC, 8080), (world.SIX, 9999),
        ("xsite.example", None), ("wild.example", None),
        ("169.254.169.254", 80), ("site.example", 9999))
        if ("refused", "no_rule") not in verdicts(book, *at)]
    inside.ok(not missing, "and each is told as refused", (missing, book))
    asked = [n for n in inside.names.asked if "other" in n or "xsite" in n]
    inside.ok(not asked, "and no name server heard of them", asked)


def names_that_turn_inwards(inside, outside):
    before = outside.trespasses()
    pairs = ("lo.example,8080", "own.example,8080", "shared.example,8080",
             "metadata.example,80")
    said, book, _ = inside.run("reach", *pairs)
    inside.ok(isinstance(said, list) and "ping" not in said and
              outside.trespasses() == before,
              "an allowed name that resolves to a local address", said)
    reasons = [verdicts(book, p.split(",")[0], None) for p in pairs]
    inside.ok(all(("refused", "address_range") in r for r in reasons),
              "and it is told as that", book)
    found = [e["address"] for p in pairs
             for e in book.get((p.split(",")[0], None), [])]
    inside.ok(found == ["127.0.0.1", world.OWN, "100.64.1.2",
                        "169.254.169.254"],
              "with the address, which a rule could name", found)
    r = lib.run([lib.binary("cupel"), "run"] + inside.options() +
                ["--", "getent", "ahostsv4", "lo.example"], inside.user,
                before=world.ordinary())
    inside.ok(b"egress: lo.example (127.0.0.1) was refused: address_range" in
              r.err, "on the terminal, too", r.err)
    inside.names.names["rebind.example"] = [[world.PUBLIC], ["127.0.0.1"]]
    r = lib.cupel(inside.options(), [
        "/bin/sh", "-c", "p='python3 /repo/inside.py reach rebind.example,8080'"
        "; $p; sleep 1.2; $p"], inside.user, before=world.ordinary())
    said = (r.json or {}).get("stdout", "")
    inside.ok(said.startswith('["ping"]') and said.count("ping") == 1 and
              outside.trespasses() == before,
              "and one that does so after its first answer", r.brief())


def a_question_is_no_channel(inside, outside):
    secret = "top-secret.wild.example"
    r = lib.cupel(inside.options(), ["getent", "ahostsv4", secret],
                  inside.user, before=world.ordinary())
    inside.ok(r.json and r.json["stdout"].startswith("198.18.1.") and
              secret not in inside.names.asked,
              "a name under a wildcard is not resolved when it is only asked "
              "for", (r.brief(), inside.names.asked[-5:]))


def other_protocols(inside, outside):
    before = outside.trespasses()
    said, book, _ = inside.run("datagrams", world.PUBLIC + ",443",
                               "site.example,8080", "127.0.0.1,5353")
    inside.ok(said == ["ECONNREFUSED"] * 3 and outside.trespasses() == before,
              "UDP to anywhere", said)
    inside.ok(("refused", "no_rule") in verdicts(book, world.PUBLIC, 443) and
              book[(world.PUBLIC, 443)][0]["protocol"] == "udp",
              "and it is told", book)
    said, _, _ = inside.run("fast_open", world.PUBLIC, "8080")
    inside.ok(said == "ECONNREFUSED", "a connection by sendto(2)", said)
    said, _, _ = inside.run("kinds")
    inside.ok(isinstance(said, dict) and len(said) == 8 and
              "made" not in said.values(),
              "raw, ICMP, packet, VSOCK, netfilter sockets", said)
    said, _, _ = inside.run("routes")
    inside.ok(isinstance(said, dict) and set(said.values()) == {"EPERM"},
              "routes and links stay as they are", said)


def each_datagram_is_told(inside, outside):
    to = (world.PUBLIC + ",1", "255.255.255.255,2", world.SIX + ",3",
          "::ffff:%s,4" % world.PUBLIC, "169.254.169.254,5", "ff02::fb,6")
    said, book, _ = inside.run("send", *to)
    keys = ((world.PUBLIC, 1), ("255.255.255.255", 2), (world.SIX, 3),
            (world.PUBLIC, 4), ("169.254.169.254", 5))
    wrong = [k for k in keys if verdicts(book, *k) != [("refused", "no_rule")]
             or book[k][0]["protocol"] != "udp"]
    inside.ok(not wrong, "datagrams from a socket that is not connected, "
              "over IPv4 and IPv6, broadcast too", (wrong, said, book))


def nothing_of_the_host_is_seen(inside, outside):
    said, _, r = inside.run("sees")
    if not inside.ok(isinstance(said, dict), "it looks round", said):
        return
    inside.ok(said["interfaces"] == ["lo"] and said["sockets"] == [],
              "one interface, no socket among its descriptors", said)
    found = [a for a in (world.OWN, world.RESOLVER, world.PUBLIC, "9:9:9",
                         "0A090909", "3509090A") if a in said["text"]]
    inside.ok(not found, "no address of the host, nor of what was reached",
              found)


# --- the relay, and its end --------------------------------------------------------

def child_of(pid, name):
    """The child of a process by the name of its program, or 0."""
    for entry in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open("/proc/%s/stat" % entry) as f:
                parent = int(f.read().rsplit(")", 1)[1].split()[1])
            with open("/proc/%s/cmdline" % entry, "rb") as f:
                line = f.read()
        except OSError:
            continue
        if parent == pid and line.split(b"\0")[0] == name.encode():
            return int(entry)
    return 0


def has_ended(pid):
    try:
        with open("/proc/%d/stat" % pid) as f:
            return f.read().rsplit(")", 1)[1].split()[0] in "ZX"
    except OSError:
        return True


class Waiting:
    """A run that holds a connection; its relay and its init."""

    def __init__(self, inside, host="site.example", port=8080, word="wait",
                 rules=RULES):
        self.p = lib.start(
            [lib.binary("cupel"), "run", "--json"] + inside.options(rules) +
            ["--wall-time-s", "40", "--", "/usr/bin/python3",
             "/repo/inside.py", word, host, str(port)], inside.user,
            before=world.ordinary())
        self.began = time.monotonic()
        self.relay = self.init = 0

    def ready(self, server, before):
        """Whether the connection has had an answer from the server."""
        good, _ = lib.wait_until(lambda: server.met > before, 20)
        self.relay = child_of(self.p.pid, "cupel-relay")
        self.init = child_of(self.p.pid, "cupel-init")
        return good and self.relay > 0 and self.init > 0

    def finish(self):
        r = lib.finish(self.p, self.began, [])
        r.json = json.loads(r.out.decode()) if r.out else None
        return r


def the_relay_itself_is_confined(inside, outside):
    before = outside.site.met
    w = Waiting(inside)
    if inside.ok(w.ready(outside.site, before), "a run holds a connection"):
        with open("/proc/%d/status" % w.relay) as f:
            status = dict(line.partition(":")[::2] for line in f)
        inside.ok((status["Seccomp"].strip(), status["NoNewPrivs"].strip()) ==
                  ("2", "1") and not
                  [k for k in ("CapEff", "CapPrm", "CapInh", "CapAmb")
                   if int(status[k], 16)],
                  "its relay has a filter, and no capability", status)
        if os.geteuid() == 0:  # only root may look at the relay
            with open("/proc/%d/environ" % w.relay, "rb") as f:
                inside.ok(f.read() == b"", "nor anything of the caller's "
                          "environment")
            links = [os.readlink("/proc/%d/fd/%s" % (w.relay, fd))
                     for fd in os.listdir("/proc/%d/fd" % w.relay)]
            other = [x for x in links if not x.startswith(
                ("socket:", "pipe:", "anon_inode:[event", "anon_inode:[timer"))]
            inside.ok(not other, "nor a file", links)
    os.kill(w.p.pid, signal.SIGTERM)
    r = w.finish()
    inside.ok(r.json and r.status == "KILLED_TERM" and
              [e for e in r.json["egress"] if e["host"] == "site.example" and
               e["verdict"] == "allowed" and e["bytes_in"] == 4],
              "and the connection that lived to the end is told", r.brief())


def sockets_of(pid):
    """The TCP connections of another process: (the address on its side, the name of
    the congestion control, the peer's address, the send buffer)."""
    found = []
    libc = ctypes.CDLL(None, use_errno=True)
    pidfd = os.pidfd_open(pid)
    for name in os.listdir("/proc/%d/fd" % pid):
        fd = libc.syscall(PIDFD_GETFD, pidfd, int(name), 0)
        if fd < 0 or not os.readlink("/proc/self/fd/%d" % fd).startswith(
                "socket:"):
            continue
        with socket.socket(fileno=fd) as s, contextlib.suppress(OSError):
            if s.family == socket.AF_UNIX or not s.getpeername():
                continue
            found.append((s.getsockname()[0], s.getsockopt(
                socket.IPPROTO_TCP, socket.TCP_CONGESTION, 16).rstrip(
                    b"\0").decode(), s.getpeername()[0], s.getsockopt(
                        socket.SOL_SOCKET, socket.SO_SNDBUF)))
    os.close(pidfd)
    return found


def what_stays_on_the_machine_is_not_paced(inside, outside):
    with open("/proc/sys/net/ipv4/tcp_congestion_control") as f:
        usual = f.read().strip()
    said, _, _ = inside.run("congestion", "site.example,8080",
                            "sub.wild.example,8080", world.OTHER + ",8081",
                            world.SIX + ",8080")
    inside.ok(said == ["reno"] * 4, "what the command sends to the relay is not "
              "paced (the host's own: %s)" % usual, said)
    if os.geteuid() != 0:  # only root can take the relay's descriptors
        return
    for host in ("site.example", "sub.wild.example"):
        before = outside.site.met
        w = Waiting(inside, host)
        if inside.ok(w.ready(outside.site, before), "a run holds a connection"):
            found = dict(x[:2] for x in sockets_of(w.relay))
            inner = [c for a, c in found.items() if a.startswith("198.18.")]
            inside.ok(inner == ["reno"], "nor is what the relay sends to %s's "
                      "command" % host, found)
            inside.ok(found.get(world.OWN) == usual, "what it sends to the "
                      "network is sent in the host's way", found)
        os.kill(w.p.pid, signal.SIGTERM)
        w.finish()


class Stopping(threading.Thread):
    """A server that reads TAKES bytes from its one connection, and then nothing until
    it is told to end."""
    TAKES = 16 << 20
    BUFFER = 65536

    def __init__(self, address):
        super().__init__(daemon=True)
        self.taken, self.over = 0, threading.Event()
        self.socket = socket.socket()
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF,
                               self.BUFFER)
        self.socket.bind((address, 0))
        self.socket.listen(1)
        self.port = self.socket.getsockname()[1]
        self.start()

    def run(self):
        s, _ = self.socket.accept()
        with self.socket, s:
            data = b"."
            while data and self.taken < self.TAKES:
                data = s.recv(min(1 << 20, self.TAKES - self.taken))
                self.taken += len(data)
            self.over.wait(60)


def a_near_server_is_sent_no_more_than_it_takes(inside, outside):
    """Without near.c, 4 MiB wait in the relay's send buffer.  With it, twice NEAR_BYTES
    may wait there, in addition to what the server's own buffer has.

    A server is near when it acknowledges something within 50 us, which takes luck on a
    busy host: there are five tries."""
    for _ in range(5):
        server = Stopping(world.OTHER)
        said, book, _ = inside.run("push", world.OTHER, str(server.port), rules=[
            "%s/32:%d" % (world.OTHER, server.port)])
        server.over.set()
        e = book.get((world.OTHER, server.port), [{}])[0]
        ahead = e.get("bytes_out", 0) - server.TAKES
        is_right = (server.taken == server.TAKES and said > server.TAKES and
                    0 <= ahead < 1 << 20)
        if is_right or server.taken != server.TAKES:
            break
    inside.ok(is_right, "a near server that stops reading: less than 1 MiB is under "
              "way to it", (said, book))


def a_far_server_keeps_the_buffer_of_the_kernel(inside, outside):
    if os.geteuid() != 0:  # as above; and only root can make a tun device
        return
    if outside.far is None:
        inside.ok(True, "a far server's send buffer # SKIP no /dev/net/tun")
        return
    twice = 2 * 212992  # of NEAR_BYTES
    for address, is_near, tries in ((world.OTHER, True, 5), (world.FAR, False, 3)):
        for _ in range(tries):
            taken, found = pushed_to(inside, address, is_near)
            sizes = [x[3] for x in found if x[2] == address]
            is_right = (taken == Stopping.TAKES and len(sizes) == 1 and
                        (sizes[0] == twice if is_near else sizes[0] > twice))
            if is_right:
                break
        inside.ok(is_right, "a %s server's send buffer" % (
            "near" if is_near else "far"), (taken, found))


def pushed_to(inside, address, is_near):
    """What a server took that then stops, and the sockets of the relay then."""
    server = Stopping(address if is_near else world.OWN)
    w = Waiting(inside, address, server.port, "push",
                ["%s/32:%d" % (address, server.port)])
    lib.wait_until(lambda: server.taken == server.TAKES, 20)
    relay = child_of(w.p.pid, "cupel-relay")  # 0: the command has given up
    found = sockets_of(relay) if relay else []
    w.finish()
    server.over.set()
    return server.taken, found


def a_relay_that_is_killed(inside, outside):
    before, connections = outside.site.met, outside.site.count
    w = Waiting(inside)
    if inside.ok(w.ready(outside.site, before), "a run holds a connection"):
        os.kill(w.relay, signal.SIGKILL)
    r = w.finish()
    inside.ok(r.json and r.status == "INTERNAL_ERROR" and
              "relay" in r.json["message"] and r.json["started"],
              "its relay is killed: the run ends as INTERNAL_ERROR", r.brief())
    inside.ok(outside.site.count == connections + 1,
              "and nothing more is reached")
    inside.ok(has_ended(w.init) and has_ended(w.relay), "and nothing is left")


def a_relay_that_hangs(inside, outside):
    before = outside.site.met
    w = Waiting(inside)
    if inside.ok(w.ready(outside.site, before), "a run holds a connection"):
        os.kill(w.relay, signal.SIGSTOP)
        os.kill(w.p.pid, signal.SIGTERM)
    r = w.finish()
    inside.ok(r.json and r.status == "INTERNAL_ERROR" and
              "relay" in r.json["message"],
              "its relay is stopped: the run ends all the same", r.brief())
    inside.ok(has_ended(w.relay), "and so does the relay")


def a_supervisor_that_is_killed(inside, outside):
    before = outside.site.met
    w = Waiting(inside)
    if inside.ok(w.ready(outside.site, before), "a run holds a connection"):
        os.kill(w.p.pid, signal.SIGKILL)
    gone, _ = lib.wait_until(lambda: has_ended(w.relay) and has_ended(w.init),
                             5)
    inside.ok(gone, "its supervisor is killed: init and the relay end")
    w.p.communicate()


# --- what is refused, and the controls -----------------------------------------------

def only_where_it_can_be_had(inside, outside):
    for backend in ("landlock", "rlimits"):
        for more in ([], ["--allow-partial"]):
            r = lib.run([lib.binary("cupel"), "run", "--backend", backend] +
                        more + inside.options() + ["--", "/bin/true"],
                        inside.user, before=world.ordinary())
            inside.ok(r.rc == 2 and b"scoped needs --backend namespaces" in
                      r.err, " ".join([backend] + more) + " has it not", r.err)


def without_ipv6(inside, outside):
    """On a kernel without IPv6, what needs IPv4 works, and nothing else does."""
    before = outside.trespasses()
    said, book, r = inside.run(
        "reach", "site.example,8080", "sub.wild.example,8080",
        world.OTHER + ",8081", world.SIX + ",8080", world.SIX + ",9999",
        world.PUBLIC + ",9999", program="tests/cupel-testing", drop="ipv6")
    inside.ok(isinstance(said, list) and said[:3] == ["ping"] * 3 and
              "ping" not in said[3:] and outside.trespasses() == before,
              "without IPv6 names and IPv4 addresses are reached", said)
    inside.ok(r.get("enforced.network") and
              r.get("enforced.network")["applied"] and
              verdicts(book, world.PUBLIC, 9999) == [("refused", "no_rule")],
              "the wall stands, and what is refused is told", book)


def without_the_wall(inside, outside):
    """(control) In the host's own network namespace everything can be
    reached."""
    before = outside.trespasses()
    said, _, r = inside.run("reach", world.PUBLIC + ",9999", "127.0.0.1,9999",
                            "169.254.169.254,80",
                            program="tests/cupel-testing", drop="netns")
    inside.ok(said == ["ping"] * 3 and outside.trespasses() == before + 3,
              "(control) without a network namespace literals and local "
              "addresses are reached", (said, r.brief()))
    said, _, r = inside.run("datagrams", "127.0.0.1,5353",
                            program="tests/cupel-testing", drop="netns",
                            clock_s=40)
    came, _ = lib.wait_until(lambda: outside.trespasses() > before + 3, 5)
    inside.ok(came, "(control) and so are datagrams", said)


CASES = (a_named_host_is_reached, other_ways_to_say_it, many_at_once,
         own_servers_work, nothing_else_is_reached, names_that_turn_inwards,
         a_question_is_no_channel, other_protocols, each_datagram_is_told,
         nothing_of_the_host_is_seen, the_relay_itself_is_confined,
         what_stays_on_the_machine_is_not_paced,
         a_near_server_is_sent_no_more_than_it_takes,
         a_far_server_keeps_the_buffer_of_the_kernel, a_relay_that_is_killed,
         a_relay_that_hangs, a_supervisor_that_is_killed,
         only_where_it_can_be_had, without_ipv6, without_the_wall)


def main():
    tap = lib.Tap()
    names = world.make(lib.make_dir("root"), dict(NAMES))
    outside = Outside()
    if os.geteuid() == 0 and os.path.exists("/dev/net/tun"):
        outside.far = world.Far()
    only = sys.argv[1:]
    for user in lib.users():
        inside = Inside(tap, user, names)
        for case in CASES:
            if not only or case.__name__ in only:
                case(inside, outside)
    tap.done()


main()
