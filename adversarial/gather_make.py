"""gather_make.py -- hostile bytes, hostile trees, and programs that change them.

A step of a table is a line of words.  In words, \\n \\xHH \\\\ and \\s (a
space) are escapes, @HOST@ is the directory in which the repository lies beside
private files, and @SECRET@ is the text in those.

Must:     make everything new for each run, bounded in bytes and in names
Must not: touch anything outside of the fixture's own directory
"""
import contextlib
import json
import os
import re
import signal
import socket
import time
from random import choice

import lib

MAKERS = {}
STEPS = {}
RACES = {}


def named(table):
    def put(f):
        table[f.__name__.rstrip("_")] = f
        return f
    return put


def unescape(word):
    """Bytes of one word of a table."""
    def one(m):
        kind = m.group(1)
        if kind[:1] == b"x":
            return bytes([int(kind[1:], 16)])
        return {b"n": b"\n", b"r": b"\r", b"t": b"\t", b"0": b"\0",
                b"s": b" ", b"e": b""}.get(kind, kind)
    return re.sub(rb"\\(x[0-9a-f]{2}|.)", one, word.encode())


# -- bytes

@named(MAKERS)
def text(*words):
    return b" ".join(unescape(w) for w in words)


@named(MAKERS)
def times(n, *words):
    """HEAD UNIT TAIL: the unit n times."""
    head, unit, tail = [unescape(w) for w in words]
    return head + unit * int(n) + tail


@named(MAKERS)
def count(n, *words):
    """HEAD UNIT TAIL: the unit n times with commas between; %d in it is its number."""
    head, unit, tail = [unescape(w) for w in words]
    glue = b"" if unit.endswith(b"\n") else b","
    return head + glue.join(unit.replace(b"%d", b"%d" % i)
                            for i in range(int(n))) + tail


@named(MAKERS)
def nest(n, *words):
    """OPEN MIDDLE CLOSE: open n times, then close n times."""
    opened, middle, closed = [unescape(w) for w in words]
    return opened * int(n) + middle + closed * int(n)


@named(MAKERS)
def yaml_bomb(wide, deep, head=""):
    """Anchors that each alias the one before wide times: wide to the power of deep."""
    out = [unescape(head) + b"a0: &a0 [%s]" % b",".join(
        [b"x"] * int(wide))]
    for i in range(1, int(deep)):
        out.append(b"a%d: &a%d [%s]" % (i, i, b",".join(
            [b"*a%d" % (i - 1)] * int(wide))))
    return b"\n".join(out) + b"\n"


@named(MAKERS)
def yaml_merges(wide, deep, head=""):
    """Mappings that merge the one before many times over."""
    out = [unescape(head) + b"m0: &m0 {%s}" % b", ".join(
        b"k%d: v" % i for i in range(int(wide)))]
    for i in range(1, int(deep)):
        out.append(b"m%d: &m%d {<<: [%s], n%d: v}" % (i, i, b",".join(
            [b"*m%d" % (i - 1)] * int(wide)), i))
    return b"\n".join(out) + b"\n"


@named(MAKERS)
def yaml_block(n, head=""):
    """Block mappings, each one deeper than the one before."""
    return unescape(head) + b"".join(
        b" " * i + b"a:\n" for i in range(int(n)))


@named(MAKERS)
def random(n):
    """Bytes without meaning, always the same."""
    out, x = bytearray(), 12345
    for _ in range(int(n)):
        x = (x * 1103515245 + 12345) & 0x7fffffff
        out.append(x >> 16 & 255)
    return bytes(out)


# -- the tree

def at(f, word):
    """The path that a word names below the repository; its directory is made."""
    path = os.path.join(os.fsencode(f.repo), unescape(f.words_in(word)))
    make_dirs(f, os.path.dirname(path))
    return path


def make_dirs(f, path):
    if not os.path.isdir(path):
        make_dirs(f, os.path.dirname(path))
        os.mkdir(path, 0o755)
        lib.give(f.user, path)


@named(STEPS)
def file(f, path, maker, *args):
    words = [f.words_in(a) for a in args]
    lib.put(f.user, at(f, path), MAKERS[maker](*words))


@named(STEPS)
def symlink(f, path, target):
    os.symlink(unescape(f.words_in(target)), at(f, path))


@named(STEPS)
def hardlink(f, path, target):
    os.link(unescape(f.words_in(target)), at(f, path))


@named(STEPS)
def fifo(f, path):
    os.mkfifo(at(f, path))
    lib.give(f.user, at(f, path))


@named(STEPS)
def socket_(f, path):
    to = at(f, path)
    fd = os.open(os.path.dirname(to), os.O_PATH)
    s = socket.socket(socket.AF_UNIX)
    s.bind(b"/proc/self/fd/%d/%s" % (fd, os.path.basename(to)))
    os.close(fd)
    lib.give(f.user, to)
    f.closers.append(s.close)


@named(STEPS)
def device(f, path, major, minor):
    os.mknod(at(f, path), 0o20644, os.makedev(int(major), int(minor)))


@named(STEPS)
def sparse(f, path, size):
    to = lib.put(f.user, at(f, path))
    os.truncate(to, int(size, 0))


@named(STEPS)
def dir_(f, path):
    make_dirs(f, at(f, path + "/x")[:-2])


@named(STEPS)
def mode(f, path, bits):
    os.chmod(at(f, path), int(bits, 8))


@named(STEPS)
def remove(f, path):
    os.unlink(at(f, path))


@named(STEPS)
def many(f, n, path, maker, *args):
    """%d in the path is a number that counts up."""
    content = MAKERS[maker](*args)
    names = (at(f, path.replace("%d", str(i))) for i in range(int(n)))
    if "%d" in os.path.dirname(path):
        for name in names:
            lib.put(f.user, name, content)
        return
    # In one directory all names are links to one file, which is ten times as fast.
    first = next(names)
    lib.put(f.user, first, content)
    top = os.open(os.path.dirname(first), os.O_PATH)
    for name in names:
        os.link(os.path.basename(first), os.path.basename(name),
                src_dir_fd=top, dst_dir_fd=top)
    os.close(top)


@named(STEPS)
def deep(f, n, name, path, maker, *args):
    """A chain of directories that is longer than a path may be, with a file at its
    end."""
    fd = os.open(f.repo, os.O_RDONLY)
    for _ in range(int(n)):
        os.mkdir(name, 0o755, dir_fd=fd)
        if os.geteuid() == 0:
            os.chown(name, lib.uid_of(f.user), -1, dir_fd=fd)
        below = os.open(name, os.O_RDONLY, dir_fd=fd)
        os.close(fd)
        fd = below
    to = os.open(path, os.O_WRONLY | os.O_CREAT, 0o644, dir_fd=fd)
    os.write(to, MAKERS[maker](*args))
    os.close(to)
    os.close(fd)


@named(STEPS)
def listen(f):
    """A server of the host, on port @PORT@."""
    s = socket.create_server(("127.0.0.1", 0))
    f.closers.append(s.close)
    f.words["@PORT@"] = str(s.getsockname()[1])


@named(STEPS)
def outside(f, path, maker, *args):
    """A file of the host, beside the repository."""
    to = os.path.join(f.dir, path)
    lib.put(f.user, to, MAKERS[maker](*[f.words_in(a) for a in args]))


# -- the cache, and what a gather wrote earlier

def entries(f):
    top = os.path.join(f.cache, "cupel/gather")
    names = sorted(n for n in os.listdir(top) if n != "key")
    if not names:
        raise OSError("the cache is empty: there is nothing to attack")
    return [os.path.join(top, n) for n in names]


def instead(path, make):
    os.unlink(path)
    make(path)


def overwrite(path, change):
    with open(path, "r+b") as e:
        old = e.read()
        new = change(old)
        if new == old:
            raise OSError("nothing was changed")
        e.seek(0)
        e.write(new)
        e.truncate()


@named(STEPS)
def cache(f, kind, *args):
    """Do something to every entry."""
    all_ = entries(f)
    old = [open(p, "rb").read() for p in all_]
    n = int(args[0], 0) if args else 0
    for i, p in enumerate(all_):
        if kind == "flip":
            overwrite(p, lambda b: b[:n % len(b)] +
                      bytes([b[n % len(b)] ^ 1]) + b[n % len(b) + 1:])
        elif kind == "cut":
            overwrite(p, lambda b: b[:len(b) * n // 100])
        elif kind == "add":
            overwrite(p, lambda b: b + b" ")
        elif kind == "forge":
            overwrite(p, lambda b: b.replace(b'fine', b'evil'))
        elif kind == "swap":
            overwrite(p, lambda b: old[(i + 1) % len(old)])
        elif kind == "mode":
            os.chmod(p, int(args[0], 8))
        elif kind == "give":
            os.chown(p, 12345, 12345)
        elif kind == "link":
            os.link(p, p + "x")
        elif kind == "symlink":
            os.rename(p, p + "x")
            os.symlink(os.path.basename(p) + "x", p)
        elif kind == "fifo":
            instead(p, os.mkfifo)
        elif kind == "directory":
            instead(p, os.mkdir)
        elif kind == "huge":
            os.truncate(p, 1 << 40)
        else:
            raise ValueError(kind)
        if kind in ("fifo", "directory"):
            lib.give(f.user, p)


@named(STEPS)
def key(f, kind):
    """Do something to the key by which entries are authenticated."""
    path = os.path.join(f.cache, "cupel/gather/key")
    if kind == "other":
        overwrite(path, lambda b: bytes(32))
    elif kind == "open":
        os.chmod(path, 0o644)
    elif kind == "short":
        os.truncate(path, 5)
    elif kind == "symlink":
        instead(path, lambda p: os.symlink(f.dir + "/host/secret", p))
    elif kind == "fifo":
        instead(path, os.mkfifo)
        lib.give(f.user, path)
    else:
        raise ValueError(kind)


@named(STEPS)
def folder(f, kind):
    """Do something to the directory of the cache."""
    path = os.path.join(f.cache, "cupel/gather")
    if kind == "open":
        os.chmod(path, 0o777)
    elif kind == "symlink":
        os.rename(path, path + ".x")
        os.symlink(path + ".x", path)
    else:
        raise ValueError(kind)


@named(STEPS)
def elsewhere(f, where):
    """A gather over an attacker's repository, with the same cache (where is "same") or
    one of its own ("own"); then its answers are put in the place of ours."""
    ours = entries(f)
    evil = os.path.join(f.dir, "evil")
    cache_dir = f.cache if where == "same" else os.path.join(f.dir, "cache2")
    for path in (evil, cache_dir):
        if not os.path.isdir(path):
            os.mkdir(path, 0o755)
            lib.give(f.user, path)
    for path, content in f.honest.items():
        was = f.repo
        f.repo = evil
        lib.put(f.user, at(f, path), content.replace("fine", "evil"))
        f.repo = was
    r = lib.run([lib.binary("cupel"), "gather", "--quiet", evil], f.user,
                env={"XDG_CACHE_HOME": cache_dir, "HOME": f.dir})
    if r.rc:
        raise OSError(r.brief())
    top = os.path.join(cache_dir, "cupel/gather")
    theirs = [open(os.path.join(top, n), "rb").read()
              for n in sorted(os.listdir(top)) if n != "key" and
              os.path.join(top, n) not in ours]
    by_probe = {probe_of(t): t for t in theirs}
    if b'"probe":"node_manifest"' not in by_probe:
        raise OSError("nothing to put in the place of ours: %s" % by_probe)
    for path in ours:
        with open(path, "rb") as e:
            other = by_probe.get(probe_of(e.read()))
        if other:
            overwrite(path, lambda b: other)


def probe_of(entry):
    """The member of an entry that says who gave the answer."""
    return re.search(rb'"probe":"\w+"', entry).group(0)


@named(STEPS)
def records(f, kind):
    """Do something to the newest run record."""
    top = os.path.join(f.out, "runs")
    path = os.path.join(top, sorted(n for n in os.listdir(top)
                                    if n[0] == "2")[-1])
    if kind == "flip":
        overwrite(path, lambda b: b.replace(b'"OK"', b'"KO"'))
    elif kind == "remove":
        os.unlink(path)
    else:
        raise ValueError(kind)


# -- probes that lie

PRELUDE = """import json, os, sys
fd = int(os.environ["CUPEL_RESULT_FD"])
def put(b):
    b = memoryview(b)
    while b:
        b = b[os.write(fd, b):]
def say(v):
    put(json.dumps(v).encode())
"""


@named(STEPS)
def probe(f, schema, *body):
    """A probe called liar; schema is "name" or "any"; body is Python, with two
    backslashes between its lines."""
    top = os.path.join(f.dir, "probes")
    code = "\n".join(unescape(f.words_in(line)).decode()
                     for line in " ".join(body).split("\\\\"))
    compile(PRELUDE + code, "liar.py", "exec")  # it lies, but it runs
    schemas = {"any": "true", "name": json.dumps(
        {"type": "object", "properties": {"name": {"type": "string"}},
         "required": ["name"], "additionalProperties": False})}
    manifest = {"name": "liar", "version": "1", "schema_version": "1.0",
                "inputs": [{"glob": "ok/package.json", "max_bytes": 100000}],
                "command": ["python3", "-I", "{program}"],
                "program": "liar.py", "schema": "liar.schema.json",
                "caps": {"wall_time_s": 8, "cpu_time_s": 2,
                         "mem_bytes": 128 << 20}}
    lib.put(f.user, top + "/liar.json", json.dumps(manifest))
    lib.put(f.user, top + "/liar.py", PRELUDE + code + "\n")
    lib.put(f.user, top + "/liar.schema.json", schemas[schema])


@named(STEPS)
def manifest(f, name, maker, *args):
    """A file in the folder of manifests, beside the files that liar needs."""
    top = os.path.join(f.dir, "probes")
    lib.put(f.user, os.path.join(top, name), MAKERS[maker](*args))


@named(STEPS)
def probes_mode(f, bits):
    os.chmod(os.path.join(f.dir, "probes"), int(bits, 8))


# -- what changes while it is read

@named(RACES)
def grow(f, path):
    with open(at(f, path), "ab") as to:
        to.write(b" " * 4096)
        if to.tell() > 64 << 20:
            to.truncate(0)


@named(RACES)
def shrink(f, path):
    with open(at(f, path), "r+b") as to:
        to.truncate(0)
        to.write(b'{"name": "racing"}' + b" " * 200000)


@named(RACES)
def swap(f, path, other):
    """Exchange two names again and again, at once or after a moment: a reader that
    looks twice may see both files, and one that looks later sees the other."""
    a, b = at(f, path), at(f, other)
    os.rename(a, a + b".x")
    os.rename(b, a)
    os.rename(a + b".x", b)
    time.sleep(choice((0, 0.00005, 0.0002)))


@named(RACES)
def vanish(f, path):
    to = at(f, path)
    os.rename(to, to + b".x")
    os.rename(to + b".x", to)


@named(RACES)
def churn(f, path):
    """Names come and go in a directory that is being listed."""
    for i in range(200):
        lib.put(f.user, at(f, "%s/%d/package.json" % (path, i)), b"{}")
    for i in range(200):
        os.unlink(at(f, "%s/%d/package.json" % (path, i)))
        os.rmdir(at(f, "%s/%d" % (path, i)))


class Race:
    """Does what the lines of `while` say again and again, in a process of its own: a
    thread would have to wait for threads of ours that compute.  It has the highest
    priority if the kernel allows that, because on a busy machine a process that
    waits its turn changes nothing between a look and the open after it."""

    def __init__(self, f, lines):
        self.parent = os.getpid()
        self.said, said = os.pipe()
        self.pid = os.fork()
        if self.pid == 0:
            self.run(f, lines, said)
        os.close(said)
        self.begun = os.read(self.said, 1)  # a byte after one round, or nothing

    def run(self, f, lines, said):
        try:
            # Descriptors by which other parts of the test talk are not for this one.
            os.dup2(said, 3)
            os.closerange(4, os.sysconf("SC_OPEN_MAX"))
            with contextlib.suppress(PermissionError):
                os.setpriority(os.PRIO_PROCESS, 0, -20)
            while os.getppid() == self.parent:  # nobody else would end it
                for words in lines:
                    RACES[words[0]](f, *words[1:])
                if said is not None:
                    os.write(3, b"+")
                    said = None
        except BaseException as e:
            os.write(3, repr(e).encode())
        finally:
            os._exit(1)

    def end(self):
        """Stop it.  Returns None, or why it had stopped by itself."""
        if self.pid is None:
            return None
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        self.pid = None
        why = self.begun.replace(b"+", b"") + os.read(self.said, 4096)
        os.close(self.said)
        return why.decode() or None


def do(f, words):
    """Do one step; a KeyError names an unknown one."""
    STEPS[words[0]](f, *words[1:])
