"""egress_inside.py -- what a command tries with scoped egress: an argument says what
to try, and it prints the outcome as one line of JSON."""
import concurrent.futures
import errno
import json
import os
import socket
import struct
import sys

CLOCK_S = 120
PUSH_MAX = 256 << 20


def tried(do, *args):
    """What do() returns, or the name of its error."""
    try:
        return do(*args)
    except socket.gaierror as e:
        return "gai%d" % e.errno
    except OSError as e:
        return errno.errorcode.get(e.errno, str(e.errno))


def talk(host, port, text="ping"):
    """Connect, send text, and read it back."""
    with socket.create_connection((host, int(port)), CLOCK_S) as s:
        s.sendall(text.encode())
        return s.recv(100).decode() or "EOF"


def reach(*pairs):
    return [tried(talk, *pair.rsplit(",", 1)) for pair in pairs]


def names(host, port):
    """getpeername(), getsockname() and the page itself."""
    with socket.create_connection((host, int(port)), CLOCK_S) as s:
        s.sendall(b"GET / HTTP/1.0\r\n\r\n")
        peer = s.getpeername()
        page = b""
        while True:
            data = s.recv(4096)
            if not data:
                return [peer[0], peer[1], s.getsockname()[0],
                        page.split(b"\r\n\r\n")[-1].decode()]
            page += data


def many(host, port, count):
    with concurrent.futures.ThreadPoolExecutor(16) as pool:
        jobs = [pool.submit(tried, talk, host, port, str(i))
                for i in range(int(count))]
        return sum(j.result() == str(i) for i, j in enumerate(jobs))


def datagram(host, port):
    """What a UDP socket receives after it sent a datagram."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s:
        s.settimeout(CLOCK_S)
        s.connect((host, int(port)))
        s.send(b"\xc3 quic or not")
        return tried(s.recv, 100)


def datagrams(*pairs):
    return [tried(datagram, *pair.split(",")) for pair in pairs]


def send_once(host, port):
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_DGRAM) as s:
        s.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
        return s.sendto(b"anybody?", (host, int(port)))


def send(*pairs):
    """Send one datagram to each address, from a socket that is not
    connected."""
    return [tried(send_once, *pair.rsplit(",", 1)) for pair in pairs]


def fast_open(host, port):
    with socket.socket() as s:
        return tried(s.sendto, b"ping", socket.MSG_FASTOPEN,
                     (host, int(port)))


def make(family, kind, protocol):
    with socket.socket(family, kind, protocol):
        return "made"


def kinds():
    """Open a socket of every kind that must not lead out."""
    return {
        "raw": tried(make, socket.AF_INET, socket.SOCK_RAW, 255),
        "icmp_raw": tried(make, socket.AF_INET, socket.SOCK_RAW, 1),
        "icmp": tried(make, socket.AF_INET, socket.SOCK_DGRAM, 1),
        "icmp6": tried(make, socket.AF_INET6, socket.SOCK_DGRAM, 58),
        "raw6": tried(make, socket.AF_INET6, socket.SOCK_RAW, 255),
        "packet": tried(make, socket.AF_PACKET, socket.SOCK_DGRAM, 3),
        "vsock": tried(make, 40, socket.SOCK_STREAM, 0),
        "netfilter": tried(make, socket.AF_NETLINK, socket.SOCK_RAW, 12),
    }


def request(kind, body):
    with socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0) as s:
        s.send(struct.pack("=IHHII", 16 + len(body), kind, 5, 1, 0) + body)
        answer = s.recv(4096)
    error = -struct.unpack_from("=i", answer, 16)[0]
    return errno.errorcode.get(error, str(error))


def routes():
    """Change the routes and links of the vessel."""
    index = struct.pack("=HHI", 8, 4, 1)
    return {
        "route_add": tried(request, 24, struct.pack(
            "=8BI", 2, 0, 0, 0, 254, 3, 0, 1, 0) + index),
        "route_delete": tried(request, 25, struct.pack(
            "=8BI", 2, 0, 0, 0, 255, 3, 254, 2, 0) + index),
        "link_add": tried(request, 16, struct.pack("=BBHiII", 0, 0, 0, 0, 1, 1)
                          + struct.pack("=HH4s", 8, 3, b"new\0")),
        "link_down": tried(request, 16, struct.pack("=BBHiII", 0, 0, 0, 1, 0,
                                                    1)),
    }


def sees():
    """The interfaces, addresses and descriptors that are visible."""
    links = {n: os.readlink("/proc/self/fd/" + n)
             for n in os.listdir("/proc/self/fd")
             if os.path.lexists("/proc/self/fd/" + n)}
    text = ""
    for name in ("dev", "route", "if_inet6", "fib_trie", "tcp", "tcp6", "udp",
                 "udp6", "arp", "packet"):
        path = "/proc/self/net/" + name
        if os.path.exists(path):
            with open(path) as f:
                text += "== %s\n%s" % (name, f.read())
    return {"interfaces": [n for _, n in socket.if_nameindex()],
            "sockets": [v for v in links.values() if v.startswith("socket")],
            "text": text}


def own(port, *addresses):
    """Start servers of the command's own, and connect to each."""
    found = []
    for address in addresses:
        family = socket.AF_INET6 if ":" in address else socket.AF_INET
        with socket.socket(family) as server:
            server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            server.bind((address, int(port)))
            server.listen(1)
            to = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(address, address)
            with socket.create_connection((to, int(port)), CLOCK_S) as s:
                peer, _ = server.accept()
                with peer:
                    s.sendall(b"mine")
                    found.append(peer.recv(10).decode())
    return found


def congestion_of(host, port):
    with socket.create_connection((host, int(port)), CLOCK_S) as s:
        name = s.getsockopt(socket.IPPROTO_TCP, socket.TCP_CONGESTION, 16)
        return name.rstrip(b"\0").decode()


def congestion(*pairs):
    """The congestion control of each connection."""
    return [tried(congestion_of, *pair.rsplit(",", 1)) for pair in pairs]


def wait(host, port):
    """Say that all is well, then go on until the connection ends."""
    with socket.create_connection((host, int(port)), 60) as s:
        s.sendall(b"ping")
        s.recv(100)
        s.sendall(b"MET")
        end = tried(s.recv, 100)
    return [str(end), tried(talk, host, port)]


def push(host, port):
    """Send until the other side takes nothing for 3 s; how much was sent."""
    piece = bytes(1 << 20)
    count = 0
    with socket.create_connection((host, int(port)), CLOCK_S) as s:
        s.settimeout(3)
        while count < PUSH_MAX:
            try:
                count += s.send(piece)
            except TimeoutError:
                break
    return count


def main():
    words = {f.__name__: f for f in (reach, names, many, datagrams, send,
                                     fast_open, kinds, congestion, routes, sees,
                                     own, push, wait)}
    result = tried(words[sys.argv[1]], *sys.argv[2:])
    print(json.dumps(result))


main()
