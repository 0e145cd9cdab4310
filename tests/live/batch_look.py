"""batch_look.py -- what a command finds in its vessel: run inside by
batch_copies.t, for a vessel made from the beginning and for copies."""
import json
import os
import resource
import socket


def text(path):
    try:
        with open(path, "rb") as f:
            return f.read(1 << 16).decode("utf-8", "replace")
    except OSError as e:
        return "errno %d" % e.errno


def mounts():
    """What path lookup can reach, without numbers."""
    out = {}
    for line in text("/proc/self/mountinfo").splitlines():
        left, right = line.split(" - ", 1)
        words = left.split()
        out[words[4]] = [words[5], right.split()[0]]  # the topmost wins
    return out


def tree(top, depth):
    out = []
    for name in sorted(os.listdir(top)):
        path = os.path.join(top, name)
        st = os.lstat(path)
        link = os.readlink(path) if os.path.islink(path) else ""
        out.append([path, oct(st.st_mode), st.st_uid, st.st_gid, link])
        if depth > 0 and os.path.isdir(path) and not link:
            out += tree(path, depth - 1)
    return out


def refused(path):
    """The errno with which a file cannot be made there; 0: it can."""
    try:
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600))
        return 0
    except OSError as e:
        return e.errno


def proc():
    names = sorted(n for n in os.listdir("/proc") if not n.isdigit())
    sizes = {}
    for n in names:
        if os.path.isfile("/proc/" + n) and n in COVERED:
            sizes[n] = text("/proc/" + n)
    return {"names": names, "covered": sizes,
            "pids": sorted(int(n) for n in os.listdir("/proc")
                           if n.isdigit() and int(n) != os.getpid())}


COVERED = ("cmdline config.gz kallsyms keys key-users locks modules partitions "
           "diskstats swaps interrupts sched_debug").split()
KEPT = ("Uid", "Gid", "Groups", "CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb",
        "NoNewPrivs", "Seccomp", "Seccomp_filters", "SigIgn", "SigBlk", "Umask")


def status():
    rows = dict(line.split(":", 1) for line in
                text("/proc/self/status").splitlines() if ":" in line)
    return {k: rows.get(k, "").split() for k in KEPT}


def numbers():
    names = ("user", "mnt", "pid", "net", "ipc", "uts", "cgroup")
    return {n: os.readlink("/proc/self/ns/" + n) for n in names}


def main():
    own = {
        "mounts": mounts(),
        "root": tree("/", 0), "dev": tree("/dev", 1), "etc": tree("/etc", 0),
        "repo": tree("/repo", 1), "scratch": tree("/scratch", 2),
        "tmp": tree("/tmp", 2),
        "etc_text": {n: text("/etc/" + n) for n in
                     ("passwd", "group", "hosts", "hostname", "resolv.conf")},
        "proc": proc(), "status": status(), "env": dict(os.environ),
        "cwd": os.getcwd(), "hostname": socket.gethostname(),
        "limits": {n: resource.getrlimit(getattr(resource, n))
                   for n in dir(resource) if n.startswith("RLIMIT_")},
        "fds": sorted(os.listdir("/proc/self/fd"))[:4],
        "maps": [text("/proc/self/gid_map").split()[0],
                 text("/proc/self/setgroups")],
        "counts": [text("/proc/sys/net/core/somaxconn"),
                   text("/proc/sys/user/max_inotify_instances")],
        "refused": {d: refused(d + "/x") for d in
                    ("", "/dev", "/etc", "/usr", "/repo", "/proc", "/scratch",
                     "/tmp", "/dev/shm")},
        "space": [os.statvfs(d).f_blocks * os.statvfs(d).f_bsize
                  for d in ("/scratch", "/tmp", "/dev/shm")],
    }
    for d in ("/scratch", "/tmp", "/dev/shm"):
        os.unlink(d + "/x")
    print(json.dumps({"own": own, "namespaces": numbers()}))


main()
