#!/usr/bin/env python3
"""scope.t -- cupel asks systemd for a scope over D-Bus. The bus is dbus-daemon;
a stand-in of the test plays systemd and moves the process as systemd would.
With a bus that does not answer, answers nonsense or refuses, the run is the
same as without a bus.

No part of this has seen a real systemd."""
import json
import os
import select
import socket
import subprocess
import sys
import threading

SRC = os.environ.get("SRC") or os.path.dirname(
    os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(SRC, "tests/live"))
sys.dont_write_bytecode = True
import lib  # noqa: E402

t = lib.Tap()
TESTING = "tests/cupel-testing"
PYTHON = "/usr/bin/python3"
MOUNT = lib.cgroup_mount()

CONFIG = """<busconfig><type>session</type><listen>unix:path=%s</listen>
<auth>EXTERNAL</auth><policy context="default"><allow send_destination="*"/>
<allow receive_sender="*"/><allow own="*"/><allow user="*"/></policy></busconfig>"""

SYSTEMD = r'''
import json, os, sys
import dbus, dbus.service
from dbus.mainloop.glib import DBusGMainLoop
from gi.repository import GLib

DBusGMainLoop(set_as_default=True)
bus = dbus.bus.BusConnection(sys.argv[1])
top, uid, how = sys.argv[2], int(sys.argv[3]), sys.argv[4]
MANAGER = "org.freedesktop.systemd1.Manager"

class Manager(dbus.service.Object):
    @dbus.service.signal(MANAGER, signature="uoss")
    def JobRemoved(self, number, job, unit, result):
        pass

    @dbus.service.method(MANAGER, in_signature="ssa(sv)a(sa(sv))",
                         out_signature="o", sender_keyword="sender")
    def StartTransientUnit(self, name, mode, properties, others, sender):
        p = {str(k): v for k, v in properties}
        pids = [int(x) or self.pid_of(sender) for x in p["PIDs"]]
        print(json.dumps({"name": name, "mode": mode, "others": len(others),
                          "Delegate": bool(p.get("Delegate")),
                          "CollectMode": p.get("CollectMode"),
                          "PIDs": [int(x) for x in p["PIDs"]], "who": pids,
                          "type": p["PIDs"].signature}), flush=True)
        if how == "refuse":
            raise dbus.DBusException("no", name="org.freedesktop.x.No")
        job = "/org/freedesktop/systemd1/job/7"
        GLib.idle_add(self.start, str(name), pids, job)
        return dbus.ObjectPath(job)

    def pid_of(self, name):
        at = "org.freedesktop.DBus"
        return int(bus.call_blocking(at, "/org/freedesktop/DBus", at,
                                     "GetConnectionUnixProcessID", "s",
                                     (name,)))

    def start(self, name, pids, job):
        self.JobRemoved(6, "/org/freedesktop/systemd1/job/6", "other.scope",
                        "done")
        scope = os.path.join(top, name)
        if how == "do":
            os.mkdir(scope)
            for f in ("", "/cgroup.procs", "/cgroup.subtree_control"):
                os.chown(scope + f, uid, uid)
            os.setxattr(scope, "trusted.delegate", b"1")
            for pid in pids:
                with open(scope + "/cgroup.procs", "w") as f:
                    f.write(str(pid))
        self.JobRemoved(7, job, name, "done" if how == "do" else "failed")

name = dbus.service.BusName("org.freedesktop.systemd1", bus)
manager = Manager(bus, "/org/freedesktop/systemd1")
print("up", flush=True)
GLib.MainLoop().run()
'''


class Bus:
    """dbus-daemon, and the stand-in for systemd on it."""

    def __init__(self, how, user="user"):
        self.how, self.user = how, user
        self.dir = lib.make_dir("user")
        self.path = os.path.join(self.dir, "bus")
        self.top = os.path.join(MOUNT, "cupel-scopes-%d" % os.getpid())
        os.mkdir(self.top)
        os.chown(self.top, 12345, 12345)  # only the scope is given to that user
        config = lib.put("user", os.path.join(self.dir, "config"),
                         CONFIG % self.path)
        self.daemon = subprocess.Popen(
            ["dbus-daemon", "--nofork", "--config-file", config],
            stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        there, _ = lib.wait_until(lambda: os.path.exists(self.path), 10)
        if not there:
            raise RuntimeError("dbus-daemon did not start")
        self.systemd = subprocess.Popen(
            [PYTHON, "-c", SYSTEMD, "unix:path=" + self.path, self.top,
             str(lib.uid_of(user)), how], stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE)
        self.up = self.systemd.stdout.readline()

    def asked(self):
        ready, _, _ = select.select([self.systemd.stdout], [], [], 20)
        line = self.systemd.stdout.readline() if ready else b""
        return json.loads(line) if line else None

    def done(self):
        for p in (self.systemd, self.daemon):
            p.kill()
            p.wait()
        self.systemd.stdout.close()
        lib.cgroup_remove(self.top)


def run(path, *command, user="user",
        options=("--cpu-max", "1", "--allow-partial")):
    which = "SYSTEM" if user == "root" else "SESSION"
    env = {"CUPEL_TEST_CGROUP": MOUNT,
           "DBUS_%s_BUS_ADDRESS" % which: "unix:path=%s,guid=00" % path}
    return lib.cupel(["--repo-mode", "none", *options], command, user,
                     program=TESTING, env=env)


def by(r):
    return r.get("enforced.cpu_tree.details.method")


def asks(bus):
    who = bus.user + ": "
    t.equal(bus.up, b"up\n", who + "a stand-in for systemd is on the bus")
    r = run(bus.path, "cat", "/proc/self/cgroup", user=bus.user)
    asked = bus.asked() or {}
    pid = (asked.get("who") or [0])[0]
    t.equal({k: asked.get(k) for k in ("mode", "others", "Delegate",
                                       "CollectMode", "type", "PIDs")},
            {"mode": "fail", "others": 0, "Delegate": True,
             "CollectMode": "inactive-or-failed", "type": "u", "PIDs": [0]},
            who + "what is asked for, and that for whoever asks", asked)
    t.ok(asked.get("name", "").startswith("cupel-%d-" % pid) and
         asked["name"].endswith(".scope"), who + "its name is the caller's",
         asked)
    t.equal(r.status, "OK", who + "the run is in it", r.brief())
    t.ok("0::/\n" in r.get("stdout"), who + "and does not see it", r.brief())
    left = os.listdir(os.path.join(bus.top, asked.get("name", "")))
    t.equal([n for n in left if n.startswith("cupel-run")], [],
            who + "nothing of the run is left")
    t.equal(len([n for n in left if n.startswith("cupel-caller")]), 1,
            who + "the caller had its leaf there")
    r = run(bus.path, "true", options=(), user=bus.user)
    t.equal((r.status, by(r), [n for n in os.listdir(bus.top)
                               if n.endswith(".scope")]),
            ("OK", "cgroup" if bus.user == "root" else "sampling",
             [asked.get("name")]),
            who + "without --cpu-max no run asks", r.brief())


def refuses(bus):
    r = run(bus.path, "true")
    t.equal((r.status, by(r), r.get("partial")), ("OK", "sampling", True),
            "a systemd that says '%s': without" % bus.how, r.brief())


# --- not a bus ---------------------------------------------------------------------

def never(c):
    c.recv(4096)
    c.recv(4096)


def answer(*parts):
    def serve(c):
        for part in parts:
            c.recv(65536)
            c.sendall(part)
        c.recv(65536)
    return serve


OK = b"OK 0123\r\n"
HOSTILE = {
    "closes at once": lambda c: None,
    "never answers": never,
    "rejects us": answer(b"REJECTED EXTERNAL\r\n"),
    "sends a line without an end": answer(b"O" * 100000),
    "sends nothing after OK": answer(OK),
    "sends garbage": answer(OK, b"\xff" * 70000),
    "sends a huge length": answer(OK, b"l\2\0\1" + b"\xff" * 60),
    "sends the wrong byte order": answer(OK, b"B\2\0\1" + b"\0" * 60),
    "sends messages without end": answer(
        OK, (b"l\4\0\1" + b"\0" * 12) * 1000),
}


def hostile(name, serve):
    path = os.path.join(lib.make_dir("user"), "bus")
    s = socket.socket(socket.AF_UNIX)
    s.bind(path)
    os.chmod(path, 0o777)
    s.listen()
    met = []

    def loop():
        c, _ = s.accept()
        met.append(1)
        try:
            serve(c)
        except OSError:
            pass
        c.close()

    thread = threading.Thread(target=loop, daemon=True)
    thread.start()
    r = run(path, "true")
    t.equal((r.status, by(r), met), ("OK", "sampling", [1]),
            "a bus that %s: without" % name, r.brief())
    s.close()


def impostor():
    """A bus that another ordinary user runs does not learn who we are."""
    path = os.path.join(lib.make_dir("user"), "bus")
    out, into = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.chmod(os.path.dirname(path), 0o777)
        os.setresuid(12345, 12345, 12345)
        with socket.socket(socket.AF_UNIX) as s:
            s.bind(path)
            os.chmod(path, 0o777)
            s.listen()
            os.write(into, b"up\n")
            c, _ = s.accept()
            os.write(into, b"said %d\n" % len(c.recv(4096)))
        os._exit(0)
    os.close(into)
    with os.fdopen(out) as heard:
        heard.readline()
        r = run(path, "true")
        t.equal((r.status, by(r), heard.readline()),
                ("OK", "sampling", "said 0\n"),
                "a bus of somebody else's: without a word", r.brief())
    os.waitpid(pid, 0)


def main():
    if os.geteuid() != 0:
        print("1..0 # SKIP needs root, to stand in for systemd")
        return
    if MOUNT is None or not os.access(MOUNT + "/cgroup.procs", os.W_OK):
        print("1..0 # SKIP no cgroup v2 that we may write to")
        return
    if "user" not in lib.users():
        print("1..0 # SKIP root asks no bus")
        return
    for name, serve in HOSTILE.items():
        hostile(name, serve)
    impostor()
    r = run("/no/such/bus", "true")
    t.equal((r.status, by(r)), ("OK", "sampling"), "no bus: without",
            r.brief())
    if subprocess.run([PYTHON, "-c", "import dbus.service, gi"],
                      stderr=subprocess.DEVNULL).returncode or \
            subprocess.run(["sh", "-c", "command -v dbus-daemon"],
                           stdout=subprocess.DEVNULL).returncode:
        print("# dbus-daemon, python3-dbus or python3-gi is not installed: "
              "no real bus")
    else:
        for how, user in (("do", "user"), ("do", "root"), ("fail", "user"),
                          ("refuse", "user")):
            bus = Bus(how, user)
            try:
                (asks if how == "do" else refuses)(bus)
            finally:
                bus.done()
    t.done()


main()
