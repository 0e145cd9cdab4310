"""explore.py -- tries witnesses in copies of one process that has loaded the
module.

What comes of it proves nothing: it says which witness is worth a vessel of its
own (docs/confirm.md).  Every copy runs in the same vessel as the module, which
nobody has reason to trust, and could have changed this process.

It makes closures.  They hold what they need in cells, which are filled before
the import.
"""
ANSWER_BYTES = 16384  # of one copy; less than a pipe holds
ANSWERS_BYTES = 512 << 10  # of all copies
ENTRIES_MAX = 200  # in the folders that can be written to
WRITABLE = ("/scratch", "/tmp", "/dev/shm")
DESCRIPTORS = 64  # more than RLIMIT_NOFILE gives


def make_explorer(limits, result_fd):
    """(hold, explore): hold() is called before the module is loaded, then
    explore(witnesses) returns in each copy: (witness, descriptor for its
    answer).

    limits: copy_ms and all_ms, how long a copy and all copies may run
    """
    import os
    import sys
    import time

    before = set(sys.modules)
    import resource
    import select

    for name in set(sys.modules) - before:
        del sys.modules[name]  # a real run has not loaded them

    fork, pipe, close, kill, wait = (os.fork, os.pipe, os.close, os.kill,
                                     os.waitpid)
    read, write, leave, fstat = os.read, os.write, os._exit, os.fstat
    scan, open_file = os.scandir, os.open
    clock, poll, ready = time.monotonic, select.poll, select.POLLIN
    gone = select.POLLHUP
    kind, set_limit = resource.RLIMIT_NPROC, resource.setrlimit
    most = resource.getrlimit(kind)[1]
    copy_s, all_s = limits["copy_ms"] / 1000, limits["all_ms"] / 1000

    def open_now():
        """The descriptors that are open, with what they refer to."""
        out = []
        for fd in range(DESCRIPTORS):
            try:
                at = fstat(fd)
            except OSError:
                continue
            out.append((fd, at.st_dev, at.st_ino))
        return out

    def files():
        """What is in the folders that can be written to.  Something that is
        equal to nothing else where that is too much."""
        out, todo = [], list(WRITABLE)
        while todo:
            try:
                with scan(todo.pop()) as found:
                    for entry in found:
                        at = entry.stat(follow_symlinks=False)
                        out.append((entry.path, at.st_ino, at.st_mode,
                                    at.st_size, at.st_mtime_ns))
                        if entry.is_dir(follow_symlinks=False):
                            todo.append(entry.path)
                        if len(out) > ENTRIES_MAX:
                            return object()
            except OSError:
                continue
        out.sort()
        return out

    def has_shared_memory():
        fd, text = open_file("/proc/self/maps", os.O_RDONLY), b""
        try:
            got = read(fd, 65536)
            while got:
                text += got
                got = read(fd, 65536)
        finally:
            close(fd)
        return any([b"s" in line.split(b" ", 2)[1][3:] and
                    b"w" in line.split(b" ", 2)[1]
                    for line in text.splitlines()])

    opened = []

    def hold():
        """While it is loaded, a module can start no process and no thread, as
        in a real run."""
        set_limit(kind, (0, most))
        opened[:] = open_now()

    def answer_of(fd, until):
        """What a copy writes; None: its time is over."""
        text, watch = b"", poll()
        watch.register(fd, ready | gone)
        while len(text) <= ANSWER_BYTES:
            left = until - clock()
            if left <= 0 or not watch.poll(left * 1000):
                return None
            got = read(fd, 65536)
            if not got:
                return text
            text += got
        return b""

    def tell(nonce, answers):
        text = b'{"nonce":"%s","answers":[%s]}' % (nonce, b",".join(answers))
        while text:
            text = text[write(result_fd, text):]
        leave(0)

    def explore(nonce, witnesses):
        if open_now() != opened or has_shared_memory():
            tell(nonce, [])  # copies would share more than what they read
        set_limit(kind, (most, most))
        answers, was, used = [], files(), 0
        end = clock() + all_s
        for witness in witnesses:
            out, into = pipe()
            child = fork()
            if child == 0:
                close(out)
                close(result_fd)
                set_limit(kind, (0, 0))
                return witness, into
            close(into)
            text = answer_of(out, min(clock() + copy_s, end))
            close(out)
            kill(child, 9)
            wait(child, 0)
            if text is None:
                answers.append(b'{"outcome":"slow"}')
                break
            answers.append(text or b'{"outcome":"gone"}')
            used += len(text)
            if used > ANSWERS_BYTES or files() != was or clock() > end:
                break
        tell(nonce, answers)

    return hold, explore


def make_short():
    """short(answer): what decides of an answer; the rest is left out."""
    def short(answer):
        frames = []
        for f in answer.get("frames", ()):
            f = {"where": f["where"], "file": "", "function": "",
                 "line": f["line"]}
            if f["where"] != "other" and f not in frames:
                frames.append(f)
        if "frames" in answer:
            answer["frames"] = frames
        return answer

    return short
