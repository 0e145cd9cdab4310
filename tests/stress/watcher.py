"""watcher.py -- what a run costs the host, looked at from outside of its vessel.

Must:     look only; by root, put the run into a memory cgroup (version 1) of its
          own that has no limit, so that what colleagues do is not counted
Must not: stop the run: each stressor stops by itself
"""
import os
import subprocess
import threading
import time

MIB = 1 << 20
LOOK_S = 0.03
UNCHARGED = ("file_lock_cache", "file_lease_cache", "file_lock_ctx")
CGROUPS = "/sys/fs/cgroup/memory"
MEMINFO = ("MemAvailable", "Slab", "SUnreclaim", "KernelStack", "PageTables",
           "Percpu", "Shmem")


def numbers_of(path):
    """{name: number} of a file with a name and a number in each line."""
    found = {}
    try:
        with open(path) as f:
            for line in f:
                words = line.replace(":", " ").split()
                if len(words) > 1 and words[1].isdigit():
                    found[words[0]] = int(words[1])
    except OSError:
        pass
    return found


def meminfo():
    """{name: MiB}"""
    return {k: v // 1024 for k, v in numbers_of("/proc/meminfo").items()}


def slabs():
    """{cache: MiB}; nothing for who may not read it."""
    found = {}
    try:
        with open("/proc/slabinfo") as f:
            for words in map(str.split, f):
                if len(words) > 14 and words[1].isdigit():
                    found[words[0]] = int(words[14]) * int(words[5]) * 4 // 1024
    except OSError:
        pass
    return found


def uncharged():
    """Bytes of the slab caches that no memory cgroup counts: file locks."""
    return sum(v for k, v in slabs().items() if k in UNCHARGED) * MIB


def queues():
    """Bytes in the queues of TCP and UDP, of the whole host: no cgroup of version 1
    counts them."""
    pages = 0
    with open("/proc/net/sockstat") as f:
        for words in map(str.split, f):
            if "mem" in words:
                pages += int(words[words.index("mem") + 1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def kernel_threads():
    """{number: ticks of processor time} of all kernel threads: children of 2."""
    found = {}
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open("/proc/%s/stat" % name) as f:
                words = f.read().rsplit(")", 1)[1].split()
        except OSError:
            continue
        if words[1] == "2":
            found[name] = int(words[11]) + int(words[12])
    return found


def interrupts_s():
    """Processor time in interrupts and softirqs, in seconds."""
    with open("/proc/stat") as f:
        words = f.readline().split()
    return (int(words[6]) + int(words[7])) / os.sysconf("SC_CLK_TCK")


def disks():
    """(requests to write, MiB written, flushes) of all disks that are no part."""
    total = [0, 0, 0]
    with open("/proc/diskstats") as f:
        for words in map(str.split, f):
            if not os.path.exists("/sys/block/" + words[2]):
                continue
            total[0] += int(words[7])
            total[1] += int(words[9]) // 2048
            total[2] += int(words[18]) if len(words) > 18 else 0
    return total


class Cgroup:
    """A memory cgroup to measure with, or nothing where there is none."""

    def __init__(self):
        self.path = os.path.join(CGROUPS, "cupel-stress-%d" % os.getpid())
        try:
            os.mkdir(self.path)
        except OSError:
            self.path = None

    def enter(self):
        """By the child, before its exec."""
        if self.path:
            with open(self.path + "/cgroup.procs", "w") as f:
                f.write(str(os.getpid()))

    def used(self):
        """Bytes of all in it, but for files of disks in the page cache."""
        stat = numbers_of(self.path + "/memory.stat")
        try:
            with open(self.path + "/memory.usage_in_bytes") as f:
                used = int(f.read())
        except OSError:
            return 0
        return used - stat.get("total_cache", 0) + stat.get("total_shmem", 0)

    def close(self):
        """What is left in it is charged to the one above."""
        for _ in range(100 if self.path else 0):
            try:
                os.rmdir(self.path)
                return
            except OSError:
                time.sleep(0.05)


class Probe:
    """Another process that measures how long ordinary things take."""

    def __init__(self, program, path):
        self.p = subprocess.Popen([program, path], stdin=subprocess.PIPE,
                                  stdout=subprocess.PIPE, text=True)

    def end(self):
        """{thing: (middle, one of 100, slowest)} in microseconds"""
        out, _ = self.p.communicate()
        rows = [line.split() for line in out.splitlines()]
        return {r[0]: tuple(map(int, r[1:])) for r in rows}


class Watcher:
    """One run, watched.  Use: w = Watcher(...); start with preexec_fn=w.enter;
    w.watch(process); then its figures."""

    def __init__(self, probe, path):
        self.cgroup = Cgroup()
        self.before = meminfo()
        self.slabs_before = slabs()
        self.beside_before = self.beside()
        self.counts = (kernel_threads(), interrupts_s(), disks())
        self.peak_bytes, self.at_peak, self.slabs_at_peak = 0, {}, {}
        self.probe = Probe(probe, path)

    def enter(self):
        self.cgroup.enter()

    @staticmethod
    def beside():
        return queues() + uncharged()

    def held(self, now):
        """What the run holds by what can be seen here."""
        if self.cgroup.path:
            return self.cgroup.used() + self.beside() - self.beside_before
        return max(0, self.before["MemAvailable"] - now["MemAvailable"]) * MIB

    def look(self):
        now = meminfo()
        held = self.held(now)
        if held <= self.peak_bytes:
            return
        if held > self.peak_bytes * 1.1 + 4 * MIB:
            self.at_peak, self.slabs_at_peak = now, slabs()
        self.peak_bytes = held

    def watch(self, process, clock_s):
        """Look until it ends: (stdout, stderr)."""
        out = []
        reader = threading.Thread(
            target=lambda: out.extend(process.communicate()))
        end = time.monotonic() + clock_s
        reader.start()
        while reader.is_alive():
            self.look()
            if time.monotonic() > end:
                process.kill()
            reader.join(LOOK_S)
        self.finish()
        return out

    def finish(self):
        self.latency = self.probe.end()
        threads, soft, disk = self.counts
        self.kernel_s = sum(
            t - threads.get(n, 0) for n, t in kernel_threads().items()
        ) / os.sysconf("SC_CLK_TCK")
        self.interrupts_s = interrupts_s() - soft
        self.disk = [b - a for a, b in zip(disk, disks())]
        self.cgroup.close()

    def grown(self):
        """The figures of meminfo that changed by more than 8 MiB at the peak."""
        pairs = ((k, self.at_peak.get(k, 0) - self.before.get(k, 0))
                 for k in MEMINFO if self.at_peak)
        return " ".join("%s %+d" % p for p in pairs if abs(p[1]) > 8)

    def caches(self):
        """The three slab caches that grew most, by root."""
        pairs = sorted(((v - self.slabs_before.get(k, 0), k)
                        for k, v in self.slabs_at_peak.items()), reverse=True)
        return " ".join("%s %+d" % (k, v) for v, k in pairs[:3] if v > 4)
