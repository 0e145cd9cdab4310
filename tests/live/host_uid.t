#!/usr/bin/env python3
"""host_uid.t -- which ids the kernel sees when root starts a run
(cupel-run(1), "WHO IT IS OUTSIDE"): those of no other user, so that no
service of the host can signal or trace the command. The attacker is a
process outside with uid 65534."""
import ctypes
import json
import os
import subprocess
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True
import lib  # noqa: E402

OWN = 65525  # SPEC_OWN_ID

# What an attacker does to the process in argv[1]; a word for each success.
ATTACKER = r"""
import ctypes, os, resource, signal, sys
pid, done = int(sys.argv[1]), []
try:
    with open("/proc/%d/maps" % pid) as f:
        at = int(f.readline().split("-")[0], 16)
    with open("/proc/%d/mem" % pid, "r+b", 0) as f:
        f.seek(at)
        if len(f.read(4)) == 4:
            done.append("mem")
except OSError:
    pass
libc = ctypes.CDLL(None, use_errno=True)
if libc.ptrace(16, pid, None, None) == 0:
    done.append("ptrace")
    os.waitpid(pid, 0)
    libc.ptrace(17, pid, None, None)
for name, act in (
        ("limits", lambda: resource.prlimit(pid, resource.RLIMIT_CORE, (0, 0))),
        ("processors", lambda: os.sched_setaffinity(
            pid, os.sched_getaffinity(0))),
        ("kill", lambda: os.kill(pid, signal.SIGKILL))):
    try:
        act()
        done.append(name)
    except OSError:
        pass
print(" ".join(done) or "nothing")
"""


def attack(pid, uid):
    r = subprocess.run(
        ["setpriv", "--reuid=%d" % uid, "--regid=%d" % uid, "--clear-groups",
         "--", "/usr/bin/python3", "-c", ATTACKER, str(pid)],
        capture_output=True, timeout=lib.CLOCK_S, cwd="/")
    return r.stdout.decode().strip() or r.stderr.decode()[-300:]


def children(pid):
    found = []
    for task in os.listdir("/proc/%d/task" % pid):
        with open("/proc/%d/task/%s/children" % (pid, task)) as f:
            found += map(int, f.read().split())
    return found


def command_of(pid):
    """The process of the vessel besides init, once it has become the
    command."""
    try:
        for init in children(pid):
            for child in children(init):
                with open("/proc/%d/comm" % child) as f:
                    if f.read() == "cat\n":
                        return init, child
    except OSError:
        pass
    return None


def vessel(options, drop=None):
    """A run of `cat`, until its stdin ends; (popen, pid of init, of cat)."""
    program = "tests/cupel-testing" if drop else "cupel"
    p = lib.start([lib.binary(program), "run", "--json", "--stdin", "-"]
                  + options + ["--", "cat"], "root",
                  env={"CUPEL_TEST_DROP": drop} if drop else None,
                  stdin=subprocess.PIPE)
    found = []
    lib.wait_until(lambda: found.append(command_of(p.pid)) or found[-1], 20)
    return (p,) + (found[-1] or (0, 0))


def end(p):
    began = time.monotonic()
    p.stdin.close()
    p.stdin = None
    r = lib.finish(p, began, [])
    try:
        r.json = lib.json.loads(r.out.decode())
    except ValueError:
        pass
    return r


def ids_of(pid):
    with open("/proc/%d/status" % pid) as f:
        rows = dict(line.split(":\t", 1) for line in f if ":\t" in line)
    return [set(rows[k].split()) for k in ("Uid", "Gid")]


def attacked(tap):
    repo = lib.repo("root")
    for options in (["--repo", repo], ["--repo-mode", "none"]):
        p, init, cat = vessel(options)
        ids = ids_of(cat)
        got = [attack(pid, 65534) for pid in (init, cat)]
        r = end(p)
        tap.equal(got, ["nothing"] * 2, "uid 65534 outside can do nothing to "
                  "the vessel, %s" % options[0], r.brief())
        tap.equal(ids, [{str(OWN)}] * 2, "its ids are its own", r.brief())
        tap.equal((r.json and r.status, r.json and
                   r.get("enforced.host_uid.details.outside")), ("OK", OWN),
                  "and the result says so", r.brief())
        p, init, cat = vessel(options, "own_uid")
        got = attack(cat, 65534)
        r = end(p)
        tap.equal((got, r.json and r.status),
                  ("limits processors kill", "KILLED_KILL"),
                  "control: the command of a vessel that has 65534 is killed "
                  "from outside", r.brief())


def chosen(tap):
    repo = lib.repo("root")
    for text, uid, gid in (("70000", 70000, 70000), ("70000:80000", 70000,
                                                      80000)):
        p, _, cat = vessel(["--repo", repo, "--host-uid", text])
        ids = ids_of(cat)
        r = end(p)
        tap.equal((ids, r.json and r.status),
                  ([{str(uid)}, {str(gid)}], "OK"), "--host-uid %s" % text,
                  r.brief())
    mine = lib.repo("user")
    for options, says in (([], lib.ORDINARY), (["--host-uid", "70000"], 70000)):
        r = lib.cupel(["--repo", mine] + options,
                      ["sh", "-c", "cat private; stat -c %u private"], "root")
        tap.equal((r.json and r.json["stdout"], r.json and
                   r.get("enforced.host_uid.details.outside")),
                  ("mine\n1000\n", says), "a user's repository, seen by uid %d"
                  % says, r.brief())
    r = lib.run([lib.binary("cupel"), "plan", "--json", "--host-uid", "7:8",
                 "--repo", repo, "--", "true"], "root")
    ids = json.loads(r.out)["ids"]
    tap.equal((ids["uid_outside"], ids["gid_outside"]), (7, 8),
              "plan prints them")


def refused(tap, user):
    rows = [("0", "0 is root"), ("5:0", "0 is root"), ("65534", "is nobody"),
            ("5:65534", "is nobody"), ("4294967295", "the highest id"),
            ("99999999999999999999", "expected UID"), ("", "is empty"),
            ("-1", "expected UID"), ("1:", "expected UID"),
            ("1:2:3", "expected UID"),
            ("1" * 40, "expected UID")]
    if user != "root":
        rows = rows[:1] + [("70000", "only root may choose")]
    for text, says in rows:
        r = lib.cupel(["--host-uid=" + text], ["true"], user)
        tap.ok(r.rc == 2 and b"--host-uid" in r.err and says.encode() in r.err,
               "--host-uid '%.20s' is refused [%s]" % (text, user), r.brief())


def in_namespace(uid_map, gid_map, argv):
    """Run argv as root of a user namespace with those id maps, and in a
    mount namespace."""
    go, gone = os.pipe(), os.pipe()
    libc = ctypes.CDLL(None, use_errno=True)

    def before():
        if libc.unshare(0x10020000) != 0:
            os._exit(98)
        os.write(gone[1], b"x")
        os.read(go[0], 1)
        os.setresgid(0, 0, 0)
        os.setresuid(0, 0, 0)
    pid = os.fork()
    if pid == 0:
        try:
            before()
            r = subprocess.run(argv, env=lib.clean_env(), cwd="/",
                               capture_output=True, timeout=lib.CLOCK_S)
            os.write(go[1], b"%d %s" % (r.returncode, r.stdout + r.stderr))
        finally:
            os._exit(0)
    os.read(gone[0], 1)
    for name, text in (("uid_map", uid_map), ("gid_map", gid_map)):
        with open("/proc/%d/%s" % (pid, name), "w") as f:
            f.write(text)
    os.write(go[1], b"x")
    os.waitpid(pid, 0)
    os.set_blocking(go[0], False)
    said = os.read(go[0], 65536).decode()
    for fd in go + gone:
        os.close(fd)
    return said


def result_in(said):
    """The result in the output, between the exit status and the messages; or {}."""
    at = said.find("{")
    return json.JSONDecoder().raw_decode(said, at)[0] if at >= 0 else {}


def contained(tap):
    whole, small = "0 100000 65536", "0 100000 1000"
    parts = "0 100000 65536\n70000 300000 10"
    run = [lib.binary("cupel"), "run", "--json", "--repo-mode", "none"]
    for ids, options, says in (
            (whole, [], OWN),
            (whole, ["--host-uid", "9"], 9),
            (whole, ["--host-uid", "70000"], "does not exist in this user"),
            (parts, ["--host-uid", "70009"], 70009),
            (parts, ["--host-uid", "70010"], "does not exist in this user"),
            (small, [], 0),
            (small, ["--host-uid", "9"], "only root may choose")):
        said = in_namespace(ids, ids, run + options + ["--", "true"])
        what = ("root of a user namespace with %r, %s"
                % (ids, " ".join(options) or "no option"))
        if isinstance(says, str):
            tap.has(said, says, what)
        else:
            walls = result_in(said).get("enforced", {}).get("host_uid", {})
            tap.equal((walls.get("details") or {}).get("outside"), says, what,
                      said)
    said = in_namespace(whole, small, run + ["--", "true"])
    tap.equal(result_in(said).get("status"), "OK",
              "with groups that end sooner", said)


def main():
    tap = lib.Tap()
    for user in lib.users():
        refused(tap, user)
    if "root" in lib.users():
        attacked(tap)
        chosen(tap)
        contained(tap)
    tap.done()


main()
