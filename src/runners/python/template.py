"""template.py -- makes a program a template of which copies are made.

See docs/copies.md.  Descriptor 0: the socket for orders; 5: the shared object that
makes the copies; 6: their plan.  Nothing here, and nothing that a program does
before it becomes a template, touches the repository.
"""
PAGES_MAX = 1024  # written to in a copy before anybody waits for it
GAP_MAX = 1  # unused pages that may lie inside a run of pages


def rehearse(steps, ends, texts):
    """Find the pages that a copy will write to: [(address, bytes)].  A child
    does what every copy does, with texts of its own on the descriptors, and its
    pages are examined."""
    import os

    done, told = os.pipe()
    waits, goes = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.close(goes)
            told, waits = os.dup2(told, 20), os.dup2(waits, 21)
            for fd, text in texts.items():
                out, into = os.pipe()
                os.write(into, text)
                os.close(into)
                os.dup2(out, 22)
                os.close(out)
                os.dup2(22, fd)
            os.dup2(os.open("/dev/null", os.O_WRONLY), 3)

            def end(_status):
                os.write(told, b"1")
                os.read(waits, 1)
                os._exit(0)

            ends[0] = end
            next(steps)
        finally:
            os._exit(70)
    os.close(told)
    os.close(waits)
    try:
        return written(child) if os.read(done, 1) else []
    except (OSError, ValueError):
        return []
    finally:
        os.close(done)
        os.close(goes)
        os.waitpid(child, 0)


def written(child):
    """Runs of pages that belong to the child alone (pagemap, bit 56).
    Mappings that are too large to examine are left out."""
    import os

    out, left = [], PAGES_MAX
    with open("/proc/self/maps") as f:
        lines = f.read().splitlines()
    pagemap = os.open("/proc/%d/pagemap" % child, os.O_RDONLY)
    for line in lines:
        span, access = line.split()[:2]
        first, end = [int(x, 16) >> 12 for x in span.split("-")]
        if access != "rw-p" or end - first > 4096:
            continue
        bits = os.pread(pagemap, 8 * (end - first), 8 * first)[7::8]
        last = None
        for at, byte in enumerate(bits):
            if byte & 0x81 != 0x81 or left <= 0:
                continue
            if last is not None and at - last <= GAP_MAX + 1:
                out[-1][1] += at - last
                left -= at - last
            else:
                out.append([first + at, 1])
                left -= 1
            last = at
    os.close(pagemap)
    return [(4096 * page, 4096 * pages) for page, pages in out]


def tidy(own, function):
    """Free unused memory, so that there are fewer page tables to copy."""
    import gc

    gc.collect()
    try:
        trim = function(own, "malloc_trim")
    except OSError:
        return  # the C library is not GNU's
    trim(0)


def keep_mapped():
    """Map the pages of mapped files in every copy.  A copy then need not look
    each of them up again, because fork(2) copies the tables of a mapping that
    has a page of its own."""
    import os

    memory = os.open("/proc/self/mem", os.O_RDWR)
    with open("/proc/self/maps") as f:
        lines = f.read().splitlines()
    for line in lines:
        span, access, _, _, _, *path = line.split()
        first, end = [int(x, 16) for x in span.split("-")]
        if path and path[0][0] == "/" and access[1] == "-" and \
                access[0] == "r" and end - first > 1 << 16:
            os.pwrite(memory, os.pread(memory, 1, first), first)
    os.close(memory)


def become(steps, ends, texts):
    """Return in each copy, and never in the template.  A copy is a vessel of
    its own: it is confined and has the descriptors of its own run.

    texts: what a copy could read from its descriptors, {number: bytes}"""
    import os
    import sys

    # Use _ctypes, because ctypes makes a callback when it is loaded, and on
    # some systems that is memory shared by all copies.  No other module stays
    # loaded.
    before = set(sys.modules)
    import _ctypes

    class Long(_ctypes._SimpleCData):
        _type_ = "l"

    class Call(_ctypes.CFuncPtr):
        _flags_ = 1 | 4  # the C calls keep the interpreter's lock
        _restype_ = Long

    def function(handle, name):
        return Call(_ctypes.dlsym(handle, name))

    own = _ctypes.dlopen(None, 0)
    made = _ctypes.dlopen("/proc/self/fd/5", 2)  # RTLD_NOW
    os.close(5)
    serve = function(made, "template_serve")
    before_fork = function(own, "PyOS_BeforeFork")
    after_fork = function(own, "PyOS_AfterFork_Child")
    fork = Long(_ctypes.dlsym(own, "fork"))
    tidy(own, function)
    for name in set(sys.modules) - before:
        del sys.modules[name]

    def is_shared(line):
        access = line.split()[1]
        return access[1] == "w" and access[3] == "s"

    # Memory that one copy could write to and the next could read.
    with open("/proc/self/maps") as f:
        if any([is_shared(line) for line in f]):
            os._exit(71)
    if len(os.listdir("/proc/self/task")) != 1:
        os._exit(71)

    try:
        keep_mapped()
    except OSError:
        pass  # the kernel forbids it (proc_mem.force_override)
    ranges = b"".join([n.to_bytes(8, sys.byteorder)
                       for run in rehearse(steps, ends, texts)
                       for n in run])
    before_fork()
    if serve(Long(0), Long(6), fork, ranges, Long(len(ranges) // 16)) != 1:
        os._exit(0)
    after_fork()
    os.close(4)
