#!/usr/bin/env python3
"""limits.t -- the limits of cupel-profile(1) as the kernel has them inside,
and what happens at each of them. Attacks on limits are in adversarial/."""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True
import lib  # noqa: E402

K, M, G = 1 << 10, 1 << 20, 1 << 30
ANY = object()

# profile: (cpu soft, cpu hard, AS, DATA, nofile, fsize, nproc, scratch)
PROFILES = {
    "default": (30, 31, 64 * G, G, 256, 256 * M, 64, 256 * M),
    "test": (600, 601, 64 * G, None, 512, 256 * M, 128, 512 * M),
    "python-function": (5, 5, 512 * M, None, 16, 10 * M, 0, 64 * M),
    "node-function": (5, 5, None, 512 * M, 64, 10 * M, ANY, 64 * M),
    "probe": (30, 31, 512 * M, None, 256, 64 * M, 32, 64 * M),
}
NAMES = {"Max cpu time": "cpu", "Max address space": "as",
         "Max data size": "data", "Max open files": "nofile",
         "Max file size": "fsize", "Max processes": "nproc",
         "Max core file size": "core", "Max locked memory": "memlock",
         "Max msgqueue size": "msgqueue", "Max pending signals": "sigpending",
         "Max stack size": "stack", "Max nice priority": "nice",
         "Max realtime priority": "rtprio"}


def limits_inside(user, options):
    """{name: (soft, hard)} as /proc has them, None for unlimited."""
    r = lib.go(user, options, "cat", "/proc/self/limits")
    found = {}
    for line in (r.json["stdout"] if r.json else "").splitlines():
        for title, name in NAMES.items():
            if line.startswith(title + " "):
                words = line[len(title):].split()
                found[name] = tuple(None if w == "unlimited" else int(w)
                                    for w in words[:2])
    return found, r


def table(tap, user):
    for profile, row in PROFILES.items():
        got, r = limits_inside(user, "--profile " + profile)
        cpu, hard, space, data, nofile, fsize, nproc, scratch = row
        own, _ = limits_inside(user, "--profile default --data-bytes "
                               "unlimited --as-bytes unlimited")
        want = {"cpu": (cpu, hard), "nofile": (nofile,) * 2,
                "fsize": (fsize,) * 2, "core": (0, 0),
                "memlock": (64 * K,) * 2, "msgqueue": (0, 0),
                "sigpending": (256,) * 2}
        for name, value in (("as", space), ("data", data), ("nproc", nproc)):
            if value is not ANY:
                want[name] = (value,) * 2
        seen = {k: got.get(k) for k in want}
        tap.equal(seen, want, "%s has its limits [%s]" % (profile, user),
                  r.brief())
        r = lib.go(user, "--profile " + profile, "sh", "-c",
                   "exec stat -f -c '%b %S' /scratch")
        words = (r.json["stdout"] if r.json else "").split()
        size = int(words[0]) * int(words[1]) if len(words) == 2 else None
        tap.ok(size and scratch <= size <= scratch + 2 * M,
               "%s has its scratch [%s]" % (profile, user), (size, r.brief()))


def each_option(tap, user):
    for option, name, value, want in (
            ("cpu-time-s", "cpu", "7", (7, 8)),
            ("cpu-time-s", "cpu", "1.5", (2, 3)),
            ("as-bytes", "as", "3G", (3 * G,) * 2),
            ("data-bytes", "data", "100M", (100 * M,) * 2),
            ("fsize-bytes", "fsize", "5K", (5 * K,) * 2),
            ("nofile", "nofile", "77", (77,) * 2),
            ("nproc", "nproc", "9", (9,) * 2),
            ("pids-max", "nproc", "11", (11,) * 2),
            ("rlimit", "stack", "stack=4M", (4 * M,) * 2),
            ("rlimit", "memlock", "memlock=0", (0,) * 2),
            ("rlimit", "nice", "nice=0", (0,) * 2),
            ("rlimit", "rtprio", "rtprio=0", (0,) * 2),
            ("rlimit", "core", "core=0", (0,) * 2)):
        got, r = limits_inside(user, ["--" + option, value])
        tap.equal(got.get(name), want, "--%s %s [%s]" % (option, value, user),
                  r.brief())
    for option, value in (("nofile", "0x"), ("nofile", "-1"),
                          ("wall-time-s", "0"), ("mem-bytes", "1Q"),
                          ("fsize-bytes", "99999999999999999999"),
                          ("rlimit", "what=1"), ("rlimit", "core"),
                          ("scratch-bytes", ""), ("output-mode", "drop")):
        r = lib.go(user, ["--" + option, value], "true")
        tap.ok(r.rc == 2 and option.encode() in r.err and
               r.err.count(b"\n") == 1,
               "--%s %r is refused by name [%s]" % (option, value, user),
               r.brief())


def by_effect(tap, user):
    for name, options, text, want in (
            ("nofile counts all", "--nofile 20", "open-many 60", "EMFILE"),
            ("nofile leaves what is under it", "--nofile 80",
             "open-many 60", "won"),
            ("pids_max", "--pids-max 10", "forks 20", "EAGAIN"),
            ("pids_max leaves what is under it", "--pids-max 30",
             "forks 20", "won"),
            ("nproc 0", "--nproc 0", "forks 1", "EAGAIN"),
            ("threads count", "--pids-max 10", "threads 20", "EAGAIN"),
            ("scratch", "--scratch-bytes 4M", "fill-many /tmp 8", "ENOSPC"),
            ("scratch is there", "--scratch-bytes 12M", "fill-many /tmp 8",
             "won"),
            ("scratch inodes", "--scratch-inodes 100", "inodes /tmp 700",
             "ENOSPC"),
            ("scratch inodes are there", "--scratch-inodes 900",
             "inodes /tmp 700", "won"),
            ("no scratch", "--scratch-bytes 0 --chdir /repo",
             "write /scratch/x", "ENOENT"),
            ("data", "--data-bytes 64M", "data 128", "ENOMEM"),
            ("as", "--as-bytes 64M", "reserve 128", "ENOMEM"),
            ("memory below the limit", "--mem-bytes 128M", "heap 64", "won"),
            ("no limit of the tree", "--mem-bytes unlimited", "heap 128",
             "won"),
            ("mlock", "", "mlock 1", "ENOMEM"),
            ("limits stay", "", "raise-limit 7", "EPERM")):
        r = lib.attack(user, options, text)
        tap.equal(r.says, want, "%s [%s]" % (name, user), r.brief())
    # The kernel counts CPU time by ticks, and from before the exec: what was used may be
    # a third less.
    for name, options, text, status, key, low, high in (
            ("wall time", "--wall-time-s 0.5", "sleep 9000", "TIMEOUT",
             "duration_ms", .5, 1.5),
            ("wall time of one who is deaf", "--wall-time-s 0.5",
             "sleep-deaf 9000", "TIMEOUT", "duration_ms", .5, 1.5),
            ("cpu time", "--cpu-time-s 1", "burn 9000", "CPU_LIMIT",
             "usage.cpu_tree_ms", .5, 2.5)):
        r = lib.attack(user, options, text)
        took = r.get(key) / 1000
        tap.ok(r.json["status"] == status and took >= low,
               "%s ends when it should [%s]" % (name, user), (took, r.brief()))
        tap.clock("%s [%s]" % (name, user), took, high)


SQLITE = """import sqlite3
a, b = (sqlite3.connect("/scratch/a.db") for i in (1, 2))
a.execute("pragma journal_mode=wal")
a.execute("create table t(x)")
a.execute("insert into t values(7)")
a.commit()
print(b.execute("select x from t").fetchone())
"""


def file_locks(tap, user):
    """No limit of memory counts them.  Without a limit of their number this
    attack takes 100 MiB of the host's memory, and more when it goes on."""
    options = "--mem-bytes 256M --wall-time-s 60"
    r = lib.attack(user, options, "locks 8 100 700 60000")
    tap.ok(r.json["status"] == "MEM_LIMIT" and
           "file locks were held" in r.json["message"],
           "many locks on files end the run [%s]" % user, r.brief())
    r = lib.attack(user, options, "locks 2 80 300 1000")
    tap.equal(r.says, "won", "fewer do not [%s]" % user, r.brief())
    r = lib.attack(user, options, "locks-ofd")
    tap.equal(r.says, "EINVAL", "none is held by an open file [%s]" % user,
              r.brief())
    r = lib.go(user, options, "python3", "-c", SQLITE)
    tap.equal(r.json["stdout"], "(7,)\n", "a database has its own [%s]" % user,
              r.brief())


FILL = "dd if=/dev/zero of=/tmp/x bs=64k 2>&1; exit 3"
MANY = "i=0; while [ $i -lt 300 ]; do : >/tmp/$i; i=$((i+1)); done; exit 3"
FORK = "for i in 1 2 3 4 5 6 7 8 9; do sleep 1 & done; exit 3"
THREADS = """import threading, time
try:
    for i in range(60):
        threading.Thread(target=time.sleep, args=(1,)).start()
finally:
    time.sleep(1)
"""
OPEN = """import os, time
try:
    while True:
        os.open("/dev/null", 0)
finally:
    time.sleep(1)
"""
BACK = """import os, time
os.close(os.dup(0))
time.sleep(.2)
print("\\nthe process limit of 8 was reached (--pids-max)")
raise SystemExit(3)
"""


def is_counted(user):
    """Whether the kernel counts the open files of a process (Linux 6.2)."""
    r = lib.go(user, "", "stat", "-c", "%s", "/proc/self/fd")
    return r.json and int(r.json["stdout"] or 0) > 0


def met(tap, user):
    """The result names a limit that was met, even when the command only saw
    an error number."""
    counts = is_counted(user)
    for name, options, argv, limit, words in (
            ("processes", "--pids-max 8", ["sh", "-c", FORK], "pids",
             " (--pids-max)"),
            ("processes, by --nproc", "--nproc 8", ["sh", "-c", FORK], "pids",
             " (--nproc)"),
            ("threads", "--pids-max 20", ["python3", "-c", THREADS], "pids",
             "looks (--pids-max)"),
            ("the scratch", "--scratch-bytes 1M", ["sh", "-c", FILL],
             "scratch_bytes", "the scratch of 1048576 bytes was full"),
            ("the scratch, while it runs", "--scratch-bytes 1M",
             ["sh", "-c", FILL.replace("; exit", "; sleep 1; rm /tmp/x; exit")],
             "scratch_bytes", "looks (--scratch-bytes)"),
            ("inodes", "--scratch-inodes 100", ["sh", "-c", MANY],
             "scratch_inodes", "all 100 inodes of the scratch were in use"),
            ("open files", "--nofile 30", ["python3", "-c", OPEN],
             "nofile" if counts else None,
             "the limit of 30 open files was reached at"),
            ("none was met", "--pids-max 8 --nofile 30 --scratch-bytes 1M",
             ["python3", "-c", BACK], None, None),
            # the command by itself reaches this limit
            ("a limit that says nothing", "--pids-max 3",
             ["sh", "-c", "exec sleep .2"], None, None)):
        r = lib.go(user, options, *argv)
        found = r.get("limits_met")
        by_looks = limit and found and words and " looks" in words
        tap.ok([m["limit"] for m in found] == ([limit] if limit else []) and
               (words in (r.get("message") or "") if limit
                else r.get("message") is None) and
               (not by_looks or 0 < found[0]["looks_at_limit"] <=
                found[0]["looks"]),
               "%s: what was met is said, and nothing else [%s]"
               % (name, user), "%s %s" % (found, r.brief()))
        tap.equal(lib.schema_errors(r.out, "result.schema.json"), [],
                  "%s: as the schema has it [%s]" % (name, user))
    r = lib.go(user, "--pids-max 8 --wall-time-s 2", "sh", "-c",
               "for i in 1 2 3 4 5; do sleep 9 & done; wait")
    tap.ok("--wall-time-s); the process limit of 8" in r.get("message"),
           "it stands behind another reason [%s]" % user, r.brief())


def caller_has_less(tap, user):
    """A hard limit of the caller cannot be raised: it holds, and the result
    says so."""
    r = lib.go(user, "--nofile 256", "sh", "-c", "ulimit -Hn",
               before=["sh", "-c", 'ulimit -n 100; exec "$@"', "sh"])
    tap.equal(r.json and r.json["stdout"], "100\n",
              "a lower limit of the caller's holds [%s]" % user, r.brief())


def main():
    tap = lib.Tap()
    for user in lib.users():
        table(tap, user)
        each_option(tap, user)
        by_effect(tap, user)
        file_locks(tap, user)
        met(tap, user)
        caller_has_less(tap, user)
    tap.done()


main()
