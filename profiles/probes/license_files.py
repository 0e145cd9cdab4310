"""license_files.py -- licence files, and the SPDX tags of sources.

A probe for `cupel gather --probe-dir`.  Below /repo it finds its declared inputs
and nothing else.  It writes one JSON value, its slice, to the descriptor that
CUPEL_RESULT_FD names, and ends with status 0.
"""
import json
import os
import re
import sys

REPO = b"/repo"
HEAD_LINES = 20  # a tag is near the top
LINE_BYTES = 1000
FILES_MAX = 2000  # the slice is at most 1 MiB
TAG = b"SPDX-License-Identifier:"
# SPDX 2.3, annex D: ids, parentheses, AND, OR, WITH, a plus.
EXPRESSION = re.compile(rb"[A-Za-z0-9.+:()\- ]{1,200}")
# What a text says about itself in its first lines; nothing else is guessed.
TITLES = (
    (b"apache license", b"version 2.0", "Apache-2.0"),
    (b"mit license", b"", "MIT"),
    (b"isc license", b"", "ISC"),
    (b"mozilla public license", b"version 2.0", "MPL-2.0"),
    (b"gnu affero general public license", b"version 3", "AGPL-3.0"),
    (b"gnu lesser general public license", b"version 2.1", "LGPL-2.1"),
    (b"gnu lesser general public license", b"version 3", "LGPL-3.0"),
    (b"gnu general public license", b"version 2", "GPL-2.0"),
    (b"gnu general public license", b"version 3", "GPL-3.0"),
    (b"the unlicense", b"", "Unlicense"),
)


def shown(path):
    """A name in bytes as text that can be turned back, as cupel shows it."""
    out = []
    for c in path.decode("utf-8", "surrogateescape"):
        if c == "\\":
            out.append("\\\\")
        elif 0xDC80 <= ord(c) <= 0xDCFF:
            out.append("\\x%02x" % (ord(c) - 0xDC00))
        elif ord(c) < 0x20 or 0x7F <= ord(c) < 0xA0:
            out.extend("\\x%02x" % b for b in c.encode())
        else:
            out.append(c)
    return "".join(out)


def head(path):
    """The first lines, each cut to LINE_BYTES."""
    with open(path, "rb") as f:
        return [f.readline(LINE_BYTES) for _ in range(HEAD_LINES)]


def expression(lines):
    for line in lines:
        at = line.find(TAG)
        if at >= 0:
            text = EXPRESSION.match(line[at + len(TAG):].strip())
            if text:
                return text.group().decode().strip()
    return None


def title(lines):
    text = b" ".join(b" ".join(lines).lower().split())
    for first, second, name in TITLES:
        if first in text and second in text:
            return name
    return None


def is_license(path):
    base = path.rsplit(b"/", 1)[-1].split(b".")[0].split(b"-")[0]
    return (path.startswith(b"LICENSES/") or
            base in (b"LICENSE", b"LICENCE", b"COPYING", b"NOTICE"))


def files():
    for top, dirs, names in os.walk(REPO):
        dirs.sort()
        for name in sorted(names):
            yield os.path.relpath(os.path.join(top, name), REPO)


def main():
    licenses, counts, first, untagged = [], {}, {}, 0
    for path in sorted(files()):
        lines = head(os.path.join(REPO, path))
        tag = expression(lines)
        if is_license(path):
            if len(licenses) < FILES_MAX:
                licenses.append({"source": shown(path), "title": title(lines),
                                 "expression": tag})
        elif tag is None:
            untagged += 1
        else:
            counts[tag] = counts.get(tag, 0) + 1
            first.setdefault(tag, shown(path))
    tags = [{"expression": t, "files": counts[t], "source": first[t]}
            for t in sorted(counts)[:FILES_MAX]]
    slice_ = {"license_files": licenses, "tags": tags,
              "untagged_files": untagged}
    with open(int(os.environ["CUPEL_RESULT_FD"]), "w",
              encoding="utf-8") as out:
        json.dump(slice_, out, ensure_ascii=False)


sys.exit(main())
