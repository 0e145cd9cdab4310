"""Bytes, dates and URLs on the wire."""
import struct
from datetime import datetime


def header(data: bytes):
    kind, size = struct.unpack(">BH", data[:3])
    return kind, data[3:3 + size].decode("ascii")  # @here header


def checksum(data: bytes) -> int:
    total = data[0]  # @here checksum
    for b in data[1:]:
        total ^= b
    return total


def records(data: bytes):
    out, at = [], 0
    while at < len(data):
        size = data[at]
        out.append(data[at + 1:at + 1 + size])
        at += 1 + size  # @here records
    return out


def tlv(data):
    out, at = {}, 0
    while at < len(data):
        tag, size = data[at], data[at + 1]  # @here tlv
        out[tag] = bytes(data[at + 2:at + 2 + size])
        at += 2 + size
    return out


def byte_of(n: int) -> bytes:
    return bytes([n])  # @here byte_of


def byte_masked(n: int) -> bytes:
    return bytes([n & 255])  # @here byte_masked


def big_endian(n: int, width: int) -> bytes:
    return n.to_bytes(width, "big")  # @here big_endian


def query(url):
    out = {}
    for pair in url.split("?")[1].split("&"):  # @here query
        name, _, value = pair.partition("=")
        out[name] = value
    return out


def query_ok(url):
    out = {}
    for pair in url.partition("?")[2].split("&"):
        name, _, value = pair.partition("=")
        out[name] = value
    return out  # @here query_ok


def query_pairs(text):
    return dict(pair.split("=") for pair in text.split("&"))  # @here query_pairs


def host_port(netloc):
    host, port = netloc.split(":")  # @here host_port
    return host, int(port)


def cookie(header_text, name):
    jar = dict(p.strip().split("=", 1) for p in header_text.split(";") if "=" in p)
    return jar[name]  # @here cookie


def stamp(entry):
    return datetime.fromisoformat(entry["at"]).timestamp()  # @here stamp


def throughput(sizes, began, ended):
    return sum(sizes) / (ended - began).total_seconds()  # @here throughput


def status_line(text):
    version, code, _ = text.split(" ", 2)  # @here status_line
    return version, int(code)


def accept(types, offered):
    """The first of the client's types that is offered, else 'x'."""
    for t in types.split(","):
        if t.split(";")[0].strip() in offered:
            return t.split(";q=")[1]  # @here accept
    return "x"


def decode_body(body, charset="utf-8"):
    return body.decode(charset)  # @here decode_body


def ip_number(text):
    a, b, c, d = (int(x) for x in text.split("."))  # @here ip_number
    return (a << 24) + (b << 16) + (c << 8) + d
