"""oci.py -- a container, started by crun as an engine would start it.

Must:     be what Docker gives an ordinary user without capabilities: its
          namespaces, its mounts, its covers of /proc, no_new_privs
Must not: need an image: the programs are the host's /usr, read-only
"""
import copy
import json
import os
import platform
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                "../live"))
sys.dont_write_bytecode = True
import lib  # noqa: E402

SAMPLES = os.path.join(lib.SRC, "build/samples")
PLACES = {
    "docker": "golang-github-docker-docker-dev/usr/share/gocode/src/github.com/"
              "docker/docker/profiles/seccomp/default.json",
    "podman": "golang-github-containers-common/usr/share/containers/"
              "seccomp.json",
}
GO_ARCH = {"x86_64": "amd64", "aarch64": "arm64"}[platform.machine()]
SCMP_ARCH = "SCMP_ARCH_" + platform.machine().upper()

# What Docker covers and write-protects in a container's /proc and /sys.
COVERED = """/proc/asound /proc/acpi /proc/kcore /proc/keys /proc/latency_stats
/proc/timer_list /proc/timer_stats /proc/sched_debug /proc/scsi
/sys/firmware""".split()
READ_ONLY = """/proc/bus /proc/fs /proc/irq /proc/sys
/proc/sysrq-trigger""".split()


def mount(to, kind, options="", source=None):
    return {"destination": to, "type": kind, "source": source or kind,
            "options": options.split(",") if options else []}


MOUNTS = [
    mount("/proc", "proc"),
    mount("/dev", "tmpfs", "nosuid,strictatime,mode=755,size=65536k"),
    mount("/dev/pts", "devpts", "nosuid,noexec,newinstance,ptmxmode=0666"),
    mount("/dev/shm", "tmpfs", "nosuid,noexec,nodev,mode=1777,size=65536k"),
    mount("/dev/mqueue", "mqueue", "nosuid,noexec,nodev"),
    mount("/sys", "sysfs", "nosuid,noexec,nodev,ro"),
    mount("/tmp", "tmpfs", "nosuid,nodev,mode=1777"),
    mount("/usr", "bind", "rbind,ro", "/usr"),
    mount("/etc/alternatives", "bind", "rbind,ro", "/etc/alternatives"),
]


def sample(engine):
    """The policy of an engine, as its maintainers write it, or None."""
    path = os.path.join(SAMPLES, PLACES[engine])
    return path if os.path.exists(path) else None


def engine_policy(path):
    """The file as the engine itself reduces it for a container without
    capabilities: entries that need a capability are left out."""
    with open(path) as f:
        top = json.load(f)
    out = {"defaultAction": top["defaultAction"], "syscalls": [],
           "architectures": [SCMP_ARCH]}
    for entry in top["syscalls"]:
        want, but = entry.get("includes") or {}, entry.get("excludes") or {}
        arches = want.get("arches") or [GO_ARCH]
        if want.get("caps") or GO_ARCH not in arches:
            continue
        if GO_ARCH in (but.get("arches") or []):
            continue
        keep = {k: entry[k] for k in ("action", "errnoRet") if k in entry}
        keep["names"] = entry.get("names") or [entry["name"]]
        if entry.get("args"):
            keep["args"] = entry["args"]
        out["syscalls"].append(keep)
    return out


def config(args, seccomp=None, covered=True, uid=1000, hostusers=True):
    """config.json of one container."""
    out = {
        "ociVersion": "1.0.2",
        "process": {
            "terminal": False, "user": {"uid": uid, "gid": uid}, "args": args,
            "env": ["PATH=/usr/local/bin:/usr/bin:/bin", "HOME=/tmp"],
            "cwd": "/repo", "noNewPrivileges": True, "capabilities": {}},
        "root": {"path": "rootfs", "readonly": True}, "hostname": "container",
        "mounts": copy.deepcopy(MOUNTS),
        "linux": {
            "namespaces": [{"type": t} for t in ("pid", "network", "ipc",
                                                 "uts", "mount")],
            "maskedPaths": COVERED if covered else [],
            "readonlyPaths": READ_ONLY if covered else []}}
    if seccomp:
        out["linux"]["seccomp"] = seccomp
    if not hostusers:
        ids = [{"containerID": 0, "hostID": 100000, "size": 65536}]
        out["linux"]["namespaces"].append({"type": "user"})
        out["linux"]["uidMappings"] = out["linux"]["gidMappings"] = ids
    return out


_STARTED = 0


def bundle(conf, repo):
    """A bundle for crun: a folder with config.json and an empty root."""
    global _STARTED
    _STARTED += 1
    path = lib.make_dir("root", "bundle-%d" % _STARTED)
    root = os.path.join(path, "rootfs")
    for d in "proc dev sys tmp usr opt repo etc etc/alternatives".split():
        os.makedirs(os.path.join(root, d))
    for d in ("bin", "lib", "lib64", "sbin"):
        os.symlink("usr/" + d, os.path.join(root, d))
    with open(root + "/etc/passwd", "w") as f:
        f.write("root:x:0:0::/:/bin/sh\nuser:x:1000:1000::/tmp:/bin/sh\n")
    conf["mounts"].append(mount("/opt", "bind", "rbind,ro",
                                os.path.dirname(lib.binary("cupel"))))
    conf["mounts"].append(mount("/repo", "bind", "rbind,rw", repo))
    with open(path + "/config.json", "w") as f:
        json.dump(conf, f)
    return path


# crun refuses a host with both versions of cgroups, even when told not to use them:
# on such a host it is shown version 2 only.
ALONE = ["unshare", "--mount", "--propagation", "private", "sh", "-c",
         '[ -e /sys/fs/cgroup/cgroup.controllers ] || '
         'mount -t cgroup2 none /sys/fs/cgroup && exec "$@"', "sh"]


def run(args, repo, clock_s=120, **kw):
    """One container, from start to end."""
    path = bundle(config(args, **kw), repo)
    argv = ALONE + ["crun", "--cgroup-manager=disabled", "run", "-b", path,
                    "%s-%d" % (os.path.basename(lib.TMP), _STARTED)]
    return lib.run(argv, "root", clock_s=clock_s,
                   env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin"})


def why_not():
    """Why no container can be started here, or None."""
    if os.geteuid() != 0:
        return "not root: crun is given a root's container"
    if subprocess.run(["sh", "-c", "command -v crun"],
                      stdout=subprocess.DEVNULL).returncode:
        return "crun is not installed"
    if not sample("docker"):
        return "Docker's policy is not there (./bootstrap deps check)"
    return None
