#!/usr/bin/env python3
"""report.py -- what ran of cupel's own C, line by line.

usage: report.py TOP BUILD

BUILD is a tree that `./bootstrap coverage` made.  Its images (programs, and
what is loaded) say which functions have which counters; the counters are in
BUILD/counts (see counts.c and counts.h).  They are added up over all images and handed to
llvm-cov, which knows the lines: once for each way a source was compiled, for it
shows a function once.  A line is hit when it was in any of them.

Exits 1 when a bar is not reached.
"""

import hashlib
import os
import struct
import subprocess
import sys
import zlib

EVERYTHING = 85.0
BARS = {"launch": 90.0, "supervise": 90.0, "boundary": 90.0}
WORST = 25
# What runs only where it is hard to count: in init, in a copy of a template, in
# the parsers' vessel.  Nothing of it at all: the counting is broken.
ELSEWHERE = ("src/launch/native/init/main.c", "src/launch/native/init/copy.c",
             "src/parsers/program/parse_main.c")

COUNTER = 8
PARTS, PART_BYTES = 1 << 23, 1 << 20  # of the file of counts
# Of a record of __llvm_prf_data: the function's name, its shape, and where its
# counters are, seen from here.  What follows differs between clang's versions.
RECORD = struct.Struct("<QQq")
RECORD_SIZES = (40, 48, 56, 64, 72)


class Elf:
    """The sections of a 64-bit little-endian ELF file."""

    def __init__(self, data):
        self.sections = {}
        at, = struct.unpack_from("<Q", data, 40)
        size, count, names = struct.unpack_from("<3H", data, 58)
        heads = [struct.unpack_from("<IIQQQQ", data, at + i * size)
                 for i in range(count)]
        text = heads[names][4]
        for name, kind, _, address, offset, length in heads:
            end = data.index(b"\0", text + name)
            body = b"" if kind == 8 else data[offset:offset + length]
            key = data[text + name:end].decode()
            self.sections[key] = (address, body)


def is_elf(path):
    if os.path.islink(path) or not os.path.isfile(path):
        return False
    with open(path, "rb") as file:
        return file.read(5) == b"\x7fELF\x02"


def uleb128(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return value, at


def names_read(data):
    """The functions' names, by the number that stands for each."""
    names = {}
    at = 0
    while at < len(data):
        if data[at] == 0:  # between two objects' parts
            at += 1
            continue
        plain, at = uleb128(data, at)
        packed, at = uleb128(data, at)
        if packed:
            part = zlib.decompress(data[at:at + packed])
        else:
            part = data[at:at + plain]
        at += packed or plain
        for name in part.split(b"\x01"):
            digest = hashlib.md5(name).digest()
            names[struct.unpack("<Q", digest[:8])[0]] = name
    return names


def records_read(data, names):
    """(offset, name, shape, counters seen from there) of each record."""
    for size in RECORD_SIZES:
        if len(data) % size:
            continue
        found = [(at,) + RECORD.unpack_from(data, at)
                 for at in range(0, len(data), size)]
        if all(name in names for _, name, _, _ in found):
            return found
    raise SystemExit("report.py: a clang whose records it does not know")


def image_key(names, counts_bytes):
    key = 0xcbf29ce484222325 ^ counts_bytes
    for byte in names:
        key = (key ^ byte) * 0x100000001b3 & 0xffffffffffffffff
    return key


def image_counts(elf, counts):
    """(name, shape) -> its counters, of one image."""
    base, data = elf.sections["__llvm_prf_data"]
    start, cells = elf.sections["__llvm_prf_cnts"]
    names = names_read(elf.sections["__llvm_prf_names"][1])
    found = []
    for at, name, shape, near in records_read(data, names):
        found.append((base + at + near - start, names[name], shape))
    found.sort()
    ends = [first for first, _, _ in found[1:]] + [len(cells)]
    return {(name, shape): struct.unpack_from(
        "<%dQ" % ((end - first) // COUNTER), counts, first)
            for (first, name, shape), end in zip(found, ends)}


def images_find(build):
    """The counting programs and shared objects: (path, Elf)."""
    for folder, _, files in os.walk(build):
        for file in sorted(files):
            path = os.path.join(folder, file)
            if file.endswith((".o", ".a", ".bin")) or not is_elf(path):
                continue
            with open(path, "rb") as image:
                elf = Elf(image.read())
            if "__llvm_prf_cnts" in elf.sections:
                yield path, elf


def counts_all(build):
    """Summed over the images."""
    total = {}
    parts = {}
    with open(os.path.join(build, "counts"), "rb") as file:
        for path, elf in images_find(build):
            size = len(elf.sections["__llvm_prf_cnts"][1])
            key = image_key(elf.sections["__llvm_prf_names"][1], size)
            if key in parts.values():
                continue  # a copy of one that was seen
            if key % PARTS in parts or size > PART_BYTES:
                raise SystemExit("report.py: %s counts where another does" %
                                 path)
            parts[key % PARTS] = key
            counts = os.pread(file.fileno(), size, key % PARTS * PART_BYTES)
            for name, values in image_counts(elf, counts).items():
                old = total.get(name, (0,) * len(values))
                total[name] = tuple(map(sum, zip(old, values)))
    return total


def profile_write(build, total):
    path = os.path.join(build, "counts.proftext")
    with open(path, "wb") as file:
        for (name, shape), values in sorted(total.items()):
            file.write(b"%s\n%d\n%d\n" % (name, shape, len(values)))
            file.write(b"".join(b"%d\n" % v for v in values) + b"\n")
    merged = os.path.join(build, "counts.profdata")
    subprocess.run(["llvm-profdata", "merge", "-o", merged, path], check=True)
    return merged


def objects_find(build):
    """The objects of src/, in one list for each way to compile."""
    ways = {}
    for folder, _, files in os.walk(os.path.join(build, "src")):
        for file in files:
            if not file.endswith(".o"):
                continue
            way = file.rpartition("-")[0]
            ways.setdefault(way, []).append(os.path.join(folder, file))
    return ways


def lines_add(lines, profile, objects, top):
    """lines: file -> line -> times; from llvm-cov's words for lcov."""
    args = ["llvm-cov", "export", "-format=lcov", "-instr-profile=" + profile,
            objects[0]]
    for path in objects[1:]:
        args += ["-object", path]
    done = subprocess.run(args, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if done.returncode:
        raise SystemExit("report.py: llvm-cov: " + done.stderr.decode())
    file = None
    for row in done.stdout.decode().split("\n"):
        word, _, rest = row.partition(":")
        if word == "SF":
            path = os.path.relpath(os.path.realpath(rest), top)
            # An object may be older than the file's removal.
            is_ours = path.startswith("src/") and os.path.exists(rest)
            file = lines.setdefault(path, {}) if is_ours else {}
        elif word == "DA":
            line, times = map(int, rest.split(",")[:2])
            file[line] = file.get(line, 0) + times


def percent(lines):
    hit = sum(1 for times in lines if times)
    return hit, 100.0 * hit / len(lines)


def table(lines):
    """Prints it; returns the bars that were not reached."""
    rooms = {}
    for path, counted in lines.items():
        rooms.setdefault(path.split("/")[1], []).extend(counted.values())
    rows = sorted(rooms.items())
    rows.append(("all of src", sum(rooms.values(), [])))
    print("%-12s %7s %7s %8s   bar" % ("room", "lines", "hit", "percent"))
    below = []
    for room, counted in rows:
        hit, part = percent(counted)
        bar = EVERYTHING if room == "all of src" else BARS.get(room)
        print("%-12s %7d %7d %7.2f%%   %s" % (
            room, len(counted), hit, part, "%.0f%%" % bar if bar else ""))
        if bar and part < bar:
            below.append("%s: %.2f%% of its lines, %.0f%% wanted" % (
                room, part, bar))
    return below


def worst(lines):
    print("\nmost lines not hit:")
    rows = [(len(c) - percent(c.values())[0], path, c)
            for path, c in lines.items() if c]
    for missed, path, counted in sorted(rows, reverse=True,
                                        key=lambda r: r[0])[:WORST]:
        if missed:
            print("%6d of %4d  %s" % (missed, len(counted), path))


def spans_write(build, lines):
    """Which lines: a file a line, for whoever wants to mend it."""
    path = os.path.join(build, "missed.txt")
    with open(path, "w", encoding="utf-8") as file:
        for source, counted in sorted(lines.items()):
            missed = [str(n) for n, times in sorted(counted.items())
                      if not times]
            if missed:
                print(source + ":", *missed, file=file)
    print("\nline by line: " + path)


def main():
    top, build = map(os.path.realpath, sys.argv[1:])
    total = counts_all(build)
    if not any(map(any, total.values())):
        raise SystemExit("report.py: nothing was counted")
    profile = profile_write(build, total)
    lines = {}
    for objects in objects_find(build).values():
        lines_add(lines, profile, objects, top)
    for path in ELSEWHERE:
        if not any(lines.get(path, {}).values()):
            raise SystemExit("report.py: nothing of %s was counted" % path)
    below = table(lines)
    worst(lines)
    spans_write(build, lines)
    for complaint in below:
        print("coverage: " + complaint, file=sys.stderr)
    return 1 if below else 0


if __name__ == "__main__":
    sys.exit(main())
