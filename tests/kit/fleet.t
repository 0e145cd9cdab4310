#!/usr/bin/env python3
"""fleet.t -- the files that are shipped for fleets: the tools that read them accept
them, and they grant what a vessel needs and no more.  What each line of the unit
does is also done here, and doctor says what it finds."""
import json
import os
import platform
import re
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                "../live"))
sys.dont_write_bytecode = True
import lib  # noqa: E402

try:
    import yaml
except ImportError:
    print("1..0 # SKIP python3-yaml is not installed")
    sys.exit(0)

FLEET = os.path.join(lib.SRC, ".packaging/fleet/")
PATH = "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin"
tap = lib.Tap()


def skip(name, why):
    tap.ok(True, "%s # SKIP %s" % (name, why))


def read(name):
    with open(FLEET + name, encoding="utf-8") as f:
        return f.read()


def has_worker():
    """Whether this build has a worker."""
    return os.path.exists(os.path.join(lib.BUILD, "cupel-worker"))


def drain_of(words):
    return int(words[words.index("--drain-for") + 1])


def options_known(words, name):
    """Every option among the words is one that cupel worker has."""
    if not has_worker():
        skip("%s: its options" % name, "this build has no cupel-worker")
        return
    p = subprocess.run([lib.binary("cupel"), "worker", "--help"],
                       capture_output=True, text=True)
    known = set(re.findall(r"^  (--[a-z-]+)", p.stdout, re.M))
    used = {w for w in words if w.startswith("--")}
    tap.ok(used and used <= known, "%s: its options are cupel worker's" % name,
           used - known)


# --- the unit -----------------------------------------------------------------

# What a line does to a process: root makes mounts, or calls fail.
MOUNTS = {
    "ProtectSystem": "for d in /usr /etc; do mount --rbind $d $d && mount -o "
                     "remount,bind,ro $d; done",
    "ProtectHome": "for d in /home /root; do [ ! -d $d ] || mount -t tmpfs -o "
                   "mode=0,ro tmpfs $d; done",
    "PrivateTmp": "mount -t tmpfs -o mode=1777,nosuid,nodev tmpfs /tmp",
    "PrivateDevices": "d=$WORK/dev; mkdir $d && mount -t tmpfs -o "
                      "mode=755,nosuid,noexec tmpfs $d && "
                      "for n in null zero full random urandom tty; do "
                      "cp -a /dev/$n $d; done && mkdir $d/shm $d/pts && "
                      "mount -t tmpfs -o mode=1777 tmpfs $d/shm && "
                      "ln -s /proc/self/fd $d/fd && mount --move $d /dev && "
                      "mount -o remount,bind,ro /dev",
    "ProtectKernelTunables": "mount --bind /proc/sys /proc/sys && "
                             "mount -o remount,bind,ro /proc/sys",
    "ProtectKernelLogs": "mount --bind /dev/null /proc/kmsg",
    "ProcSubset": "mount -t proc -o subset=pid proc /proc",
}
EPERM, ENOSYS = 1, 38
CALLS = {
    "RestrictNamespaces": (ENOSYS, ("clone3", "unshare", "setns")),
    "SystemCallFilter": (EPERM, ("mount", "umount2", "fsopen", "fsmount",
                                 "open_tree", "move_mount", "mount_setattr")),
    "ProtectHostname": (EPERM, ("sethostname", "setdomainname")),
    "RestrictSUIDSGID": (ENOSYS, ("openat2",)),
    "RestrictRealtime": (EPERM, ("sched_setscheduler",)),
    "ProtectClock": (EPERM, ("clock_settime", "clock_adjtime")),
    "ProtectKernelModules": (EPERM, ("init_module", "finit_module")),
}
NUMBERS = {"clone3": 435, "openat2": 437, "unshare": (272, 97), "setns": (308, 268),
           "mount": (165, 40), "umount2": (166, 39), "fsopen": 430,
           "fsmount": 432, "open_tree": 428, "move_mount": 429,
           "mount_setattr": 442, "sethostname": (170, 161),
           "setdomainname": (171, 162), "sched_setscheduler": (144, 119),
           "clock_settime": (227, 112), "clock_adjtime": (305, 266),
           "init_module": (175, 105), "finit_module": (313, 273),
           "socket": (41, 198)}
FILTER = r"""
import ctypes, json, os, struct, sys
calls, socket, families = json.loads(sys.argv[1])
code = [(0x20, 0, 0, 0)]
for number, errno in calls:
    code += [(0x15, 0, 1, number), (6, 0, 0, 0x50000 | errno)]
if socket:
    code += [(0x15, 1, 0, socket), (6, 0, 0, 0x7fff0000), (0x20, 0, 0, 16)]
    for f in families:
        code += [(0x15, 0, 1, f), (6, 0, 0, 0x7fff0000)]
    code += [(6, 0, 0, 0x50000 | 97)]
code += [(6, 0, 0, 0x7fff0000)]
text = b"".join(struct.pack("HBBI", *c) for c in code)
keep = ctypes.create_string_buffer(text)
prog = struct.pack("HxxxxxxQ", len(code), ctypes.addressof(keep))
libc = ctypes.CDLL(None, use_errno=True)
assert libc.prctl(38, 1, 0, 0, 0) == 0
assert libc.prctl(22, 2, prog) == 0, os.strerror(ctypes.get_errno())
os.execvp(sys.argv[2], sys.argv[2:])
"""
FAMILIES = {"AF_UNIX": 1, "AF_INET": 2, "AF_INET6": 10, "AF_NETLINK": 16}


def number(call):
    n = NUMBERS[call]
    if isinstance(n, int):
        return n
    return n[0] if platform.machine() == "x86_64" else n[1]


def unit_lines():
    """The [Service] section: a list of (name, value)."""
    text = read("cupel-worker.service").replace("\\\n\t", "")
    section, found = "", []
    for line in text.splitlines():
        if line.startswith("["):
            section = line
        elif section == "[Service]" and "=" in line and line[0] != "#":
            found.append(tuple(line.split("=", 1)))
    return found


def doctor_under(names, families=()):
    """What doctor says when those lines of a unit are in force: (rc, text)."""
    work = lib.make_dir("user")
    calls = [(number(c), CALLS[n][0]) for n in names if n in CALLS
             for c in CALLS[n][1]]
    rules = [calls, number("socket") if families else 0,
             [FAMILIES[f] for f in families]]
    uid = str(lib.uid_of("user"))
    # The program is on a mount that nothing covers; descriptor 9 leads to it.
    script = "\n".join(
        ["set -e", "mount --make-rprivate /", "mkdir $WORK/dev $WORK/bin",
         "cp %s $WORK/bin/cupel" % lib.binary("cupel"), "exec 9<$WORK/bin"] +
        [MOUNTS[n] for n in sorted(names, key=lambda n: n == "PrivateTmp")
         if n in MOUNTS] + ["cd /usr", 'exec "$@"'])
    p = subprocess.run(
        ["unshare", "--mount", "sh", "-c", script, "sh", "setpriv", "--reuid",
         uid, "--regid", uid, "--clear-groups", "--no-new-privs",
         "--bounding-set=-all", "--inh-caps=-all", "/usr/bin/python3", "-c",
         FILTER, json.dumps(rules), "/proc/self/fd/9/cupel", "doctor"],
        capture_output=True, text=True, timeout=120, stdin=subprocess.DEVNULL,
        env={"PATH": PATH, "WORK": work, "TMPDIR": "/tmp"})
    return p.returncode, p.stdout + p.stderr


def unit():
    lines = unit_lines()
    keys = [k for k, _ in lines]
    once = [k for k in keys if k != "Environment"]
    tap.equal(len(once), len(set(once)), "no line of the unit comes twice")
    values = dict(lines)
    words = values["ExecStart"].split()
    tap.ok(words[:2] == ["/usr/bin/cupel", "worker"] and
           int(values["TimeoutStopSec"]) > drain_of(words) and
           values["KillMode"] == "mixed",
           "its drain ends before it is killed", words)
    options_known(words[2:], "the unit")
    tap.ok(values["NoNewPrivileges"] == "yes" and
           values["CapabilityBoundingSet"] == values["AmbientCapabilities"]
           == "" and values["User"] not in ("", "root") and
           values["ProtectSystem"] == "strict",
           "no privilege, an ordinary user, files read-only", values)
    named = [v for k, v in lines if k == "Environment"]
    tap.ok(named and values["EnvironmentFile"] == "-/etc/cupel/worker.conf" and
           re.findall(r"^#([A-Z_]+=.*)$", read("worker.conf"), re.M) == named
           and not re.search(r"^[^#\n]", read("worker.conf"), re.M),
           "its settings are those of worker.conf, which changes none", named)
    named = set(re.findall(r"([A-Z]\w+)=", read(
        "cupel-worker.service").split("Settings that must not be here")[1].split(
            "[Install]")[0]))
    tap.ok(len(named) == 10 and not named & set(keys) and
           "DynamicUser" not in keys, "what may not be there is not", named)
    if not shutil.which("systemd-analyze"):
        skip("systemd reads the unit", "systemd-analyze is not installed")
        return
    where = lib.make_dir("user") + "/cupel-worker.service"
    for text, good in ((read("cupel-worker.service"), True),
                       (read("cupel-worker.service").replace(
                           "PrivateTmp=yes", "PrivatTmp=yes"), False)):
        with open(where, "w", encoding="utf-8") as f:
            f.write(text.replace("/usr/bin/cupel", "/bin/true"))
        p = subprocess.run(["systemd-analyze", "verify", "--man=no", where],
                           capture_output=True, text=True)
        ours = [x for x in p.stderr.splitlines() if "cupel-worker" in x]
        tap.equal((p.returncode == 0 and not ours), good,
                  "systemd reads the unit" if good else
                  "and would complain of a wrong line", p.stderr)


def unit_in_force():
    """Doctor runs under what the unit's lines do: each line alone, and all together."""
    if os.geteuid() != 0:
        skip("the unit's lines in force", "only root can mount")
        return
    values = dict(unit_lines())
    granted = [n for n in list(MOUNTS) + list(CALLS) if n in values]
    families = values["RestrictAddressFamilies"].split()
    tap.ok(len(granted) >= 7 and set(families) == set(FAMILIES),
           "lines of the unit that can be tried", granted)
    rc, text = doctor_under(granted, families)
    tap.equal(rc, 0, "under all of them a run has every wall", text)
    rc, text = doctor_under(["RestrictSUIDSGID"])
    tap.ok(rc == 0 and "OPENAT2_FILTERED" in text and
           "RestrictSUIDSGID" not in values,
           "without openat2 a run has them too, and doctor says what is missing",
           text)
    refused = [n for n in list(MOUNTS) + list(CALLS)
               if n not in values and n != "RestrictSUIDSGID"]
    tap.equal(len(refused), 6, "lines that the unit says cannot be had", refused)
    for n in refused:
        rc, text = doctor_under([n])
        tap.ok(rc != 0 and "NO " in text, "under %s= it has not" % n, text)


# --- containers ---------------------------------------------------------------

def pod():
    with open(os.path.join(lib.SRC, ".packaging/kubernetes/worker.yaml"),
              encoding="utf-8") as f:
        found = list(yaml.safe_load_all(f))
    kinds = {d["kind"]: d for d in found}
    tap.equal({k: d["apiVersion"] for k, d in kinds.items()},
              {"Deployment": "apps/v1", "NetworkPolicy":
               "networking.k8s.io/v1"}, "a deployment, and what it may reach")
    top = kinds["Deployment"]["spec"]
    spec = top["template"]["spec"]
    labels = top["template"]["metadata"]["labels"]
    tap.ok(top["selector"]["matchLabels"] == labels == kinds["NetworkPolicy"]
           ["spec"]["podSelector"]["matchLabels"],
           "both are about the same pods", labels)
    box = spec["containers"][0]
    tap.ok(spec["terminationGracePeriodSeconds"] > drain_of(box["args"]),
           "a pod's drain ends before it is killed")
    options_known(box["args"], "the deployment")
    tap.equal({m["name"] for m in box["volumeMounts"]},
              {v["name"] for v in spec["volumes"]}, "each volume is mounted")
    tap.ok(int(box["args"][box["args"].index("--jobs") + 1]) ==
           int(box["resources"]["limits"]["cpu"]) and
           "memory" in box["resources"]["limits"],
           "as many processors as requests at once, and a limit of memory")
    ports = [p["port"] for e in kinds["NetworkPolicy"]["spec"]["egress"]
             for p in e["ports"]]
    tap.ok(sorted(set(ports)) == [53, 4222] and
           kinds["NetworkPolicy"]["spec"]["ingress"] == [],
           "the server and names, and nothing comes in", ports)


def compose():
    c = yaml.safe_load(read("compose.yaml"))
    worker, server = c["services"]["worker"], c["services"]["nats"]
    with open(os.path.join(lib.SRC, ".packaging/container/run.sh"),
              encoding="utf-8") as f:
        script = f.read()
    wanted = set(re.findall(r"--security-opt ((?:systempaths|apparmor)=\w+)",
                            script))
    tap.equal(set(worker["security_opt"]), wanted | {
        "no-new-privileges:true", "seccomp=./cupel.json"},
        "a worker is granted what run.sh grants")
    for name, s in (("the worker", worker), ("the server", server)):
        tap.ok(s["cap_drop"] == ["ALL"] and s["user"] == "1000:1000" and
               s["read_only"] is True and not
               {"privileged", "cap_add", "ports", "network_mode", "pid"} &
               set(s), "%s: an ordinary user without capabilities" % name, s)
    tap.ok(c["networks"]["fleet"]["internal"] is True and
           int(worker["stop_grace_period"].rstrip("s")) >
           drain_of(worker["command"]),
           "no way out; the drain ends before the kill", c["networks"])
    options_known(worker["command"], "the compose file")
    mine = [v.split(":")[0] for v in server["volumes"] if v.startswith("./")]
    tap.equal([f for f in mine if not os.path.exists(FLEET + f) and
               not os.path.exists(FLEET + f + ".example")], [],
              "the server's files are there")


# --- the server's settings ------------------------------------------------------

class Server:
    """nats-server with the settings that are shipped, on loopback."""

    def __init__(self, text):
        self.dir = lib.make_dir("user")
        shutil.copy(FLEET + "users.conf.example", self.dir + "/users.conf")
        with open(self.dir + "/conf", "w", encoding="utf-8") as f:
            f.write(text.replace("0.0.0.0:4222", "127.0.0.1:-1").replace(
                '"/data"', '"%s/js"' % self.dir) +
                '\nports_file_dir: "%s"\n' % self.dir)
        self.argv = [shutil.which("nats-server", path=PATH), "-c",
                     self.dir + "/conf"]
        self.env = {"PATH": PATH, "WORKER_PASSWORD": "one",
                    "SUBMIT_PASSWORD": "two"}

    def start(self):
        self.process = subprocess.Popen(
            self.argv, env=self.env, stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        lib.wait_until(lambda: self.address(), 20)
        self.port = self.address().rsplit(":", 1)[1]

    def address(self):
        """Where it listens, or None until it has written all of that."""
        for name in os.listdir(self.dir):
            if name.endswith(".ports"):
                with open(os.path.join(self.dir, name), encoding="utf-8") as f:
                    text = f.read()
                return json.loads(text)["nats"][0] if text.endswith("}") else None
        return None

    def url(self, user, password):
        return "nats://%s:%s@127.0.0.1:%s" % (user, password, self.port)

    def end(self):
        self.process.terminate()
        self.process.wait(20)


def server():
    text = read("nats-server.conf")
    size = re.search(r"^max_payload: (\d+)MB$", text, re.M)
    tap.ok(size and int(size.group(1)) >= 2, "answers of megabytes are taken")
    if not shutil.which("nats-server", path=PATH):
        skip("the server reads its settings", "nats-server is not installed")
        return
    s = Server(text)
    p = subprocess.run(s.argv + ["-t"], env=s.env, capture_output=True,
                       text=True)
    tap.equal(p.returncode, 0, "the server reads its settings", p.stderr)
    if not has_worker():
        skip("a worker works there", "this build has no cupel-worker")
        return
    s.start()
    work = lib.make_dir("user")
    lib.binary("cupel-worker")
    env = lib.clean_env({"PATH": PATH})
    worker = subprocess.Popen(
        lib.become("user") + [
            lib.binary("cupel"), "worker", "--quiet", "--jobs", "1", "--work",
            work, "--nats", s.url("worker", "one")], env=env,
        stdin=subprocess.DEVNULL, stderr=subprocess.PIPE)
    request = {"id": "a", "kind": "run", "spec": {"command": ["/bin/true"]}}
    try:
        for user, password, good in (("submit", "two", True),
                                     ("submit", "one", False)):
            p = subprocess.run(
                lib.become("user") + [
                    lib.binary("cupel"), "submit", "--quiet", "--timeout", "30",
                    "--nats", s.url(user, password)],
                input=json.dumps(request).encode(), capture_output=True,
                env=env, timeout=60)
            tap.equal(b'"outcome":"done"' in p.stdout, good,
                      "a worker works with what it is permitted" if good else
                      "nobody submits with another's password", p.stderr)
    finally:
        worker.terminate()
        worker.wait(60)
        worker.stderr.close()
        s.end()


# --- Slurm ----------------------------------------------------------------------

def sbatch(words, task=1, count=3, low=1, high=None):
    work = lib.make_dir("user")
    os.makedirs(work + "/bin")
    os.symlink(lib.binary("cupel"), work + "/bin/cupel")
    return subprocess.run(
        lib.become("user") + ["bash", FLEET + "batch.sbatch", *words],
        capture_output=True, text=True, timeout=120, stdin=subprocess.DEVNULL,
        env=lib.clean_env({
            "PATH": work + "/bin:" + PATH, "SLURM_CPUS_PER_TASK": "2",
            "SLURM_ARRAY_TASK_ID": str(task), "SLURM_ARRAY_TASK_MIN": str(low),
            "SLURM_ARRAY_TASK_COUNT": str(count),
            "SLURM_ARRAY_TASK_MAX": str(count if high is None else high)}))


def slurm():
    p = subprocess.run(["bash", "-n", FLEET + "batch.sbatch"],
                       capture_output=True, text=True)
    tap.equal((p.returncode, p.stderr), (0, ""), "bash reads the array's script")
    head = re.findall(r"^#SBATCH --([a-z-]+)=?(.*)$", read("batch.sbatch"), re.M)
    tap.ok(dict(head)["array"].startswith("1-") and
           dict(head)["signal"].startswith("B:TERM@") and
           "requeue" in dict(head), "and Slurm what is for it", head)
    work = lib.make_dir("user")
    lib.put("user", work + "/specs", "".join(
        json.dumps({"id": str(i), "repo_mode": "none",
                    "command": ["/bin/echo", str(i)]}) + "\n"
        for i in range(12)))
    ends = [sbatch([work + "/specs", work + "/out"], i) for i in (1, 2, 3, 2)]
    tap.equal([p.returncode for p in ends], [0] * 4,
              "each task ends well, also one that is done already",
              [p.stderr for p in ends])
    found = []
    for name in os.listdir(work + "/out"):
        with open(os.path.join(work, "out", name), encoding="utf-8") as f:
            found += [json.loads(x)["id"] for x in f]
    tap.equal(sorted(found, key=int), [str(i) for i in range(12)],
              "three tasks answer each line once", found)
    for words, more, why in (
            ([work + "/specs", work + "/out"], {"low": 0, "high": 2}, "1-N"),
            ([work + "/specs", work + "/out"],
             {"count": 2, "low": 0, "high": 2}, "1-N"),
            ([work + "/specs", work + "/out"], {"high": 5}, "1-N"),
            ([work + "/specs"], {}, "usage")):
        p = sbatch(words, **more)
        tap.ok(p.returncode == 2 and why in p.stderr,
               "an array that would leave lines out is refused: %s" % (
                   more or "no results"), p.stderr)


unit()
unit_in_force()
pod()
compose()
server()
slurm()
tap.done()
