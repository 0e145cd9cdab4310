#!/usr/bin/env python3
"""container.t -- what a container must be given so that cupel runs in it: the
things cupel-ci(7) names are enough, and each of them is needed.

Under crun, with Docker's own policy and covers.  It starts some sixty containers,
so it is part of check-all.
"""
import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True
import oci  # noqa: E402
from oci import lib  # noqa: E402

DOCTOR = ["/opt/cupel", "doctor"]
# Doctor's row for a whole vessel, which fails when any other row does: left out.
VESSEL = "every wall checked"


def granted(path):
    """The policy that cupel makes from an engine's."""
    p = subprocess.run([lib.binary("cupel"), "doctor", "--seccomp", path],
                       capture_output=True)
    return json.loads(p.stdout.decode())


def refusals(r):
    """The lines of doctor that say NO, and the causes under them."""
    text = r.out.decode()
    return [x for x in text.splitlines() if x.startswith("NO ")
            and VESSEL not in x], text


def without(policy, call):
    """The policy without any mention of one call."""
    rest = []
    for e in policy["syscalls"]:
        names = [n for n in e["names"] if n != call]
        if names:
            rest.append(dict(e, names=names))
    return dict(policy, syscalls=rest)


def calls_added(engine, ours):
    """The names of calls that ours allows and the engine's does not."""
    def allowed(policy):
        return {n for e in policy["syscalls"] for n in e["names"]
                if e["action"] == "SCMP_ACT_ALLOW"}
    return sorted(allowed(ours) - allowed(engine))


def nothing_given(tap, repo, docker):
    r = oci.run(DOCTOR, repo, seccomp=oci.engine_policy(docker))
    no, text = refusals(r)
    tap.equal(r.rc, 3, "Docker's default: doctor says no", r.brief())
    tap.ok("clone3 with a pidfd" in text and any("clone3" in x for x in no)
           and "OPENAT2_FILTERED" in text, "and names a filter", text)


def all_given(tap, repo, policy):
    for name in subprocess.run(
            [lib.binary("cupel"), "profile", "list"],
            capture_output=True).stdout.decode().splitlines():
        name = name.split()[0]
        r = oci.run(DOCTOR + ["--profile", name], repo, covered=False,
                    seccomp=policy)
        tap.equal(r.rc, 0, "%s can be enforced in full" % name, r.out.decode())
    r = oci.run(["sh", "-c", "grep -E '^(Cap|NoNewPrivs|Seccomp:)' "
                 "/proc/self/status; id -u"], repo, covered=False,
                seccomp=policy)
    lines = r.out.decode().split()
    tap.equal([int(x, 16) for x in lines[1::2][:5]], [0] * 5,
              "in there nobody has a capability", r.brief())
    tap.ok(lines[10:] == ["NoNewPrivs:", "1", "Seccomp:", "2", "1000"],
           "no_new_privs, a filter, an ordinary user", r.brief())


def other_bases(tap, repo, docker):
    r = oci.run(DOCTOR, repo, covered=False,
                seccomp=granted(oci.sample("podman")))
    tap.equal(r.rc, 0, "Podman's policy will do as well", r.out.decode())
    # Docker's with ioctl for seccomp's listeners alone: the request that brings an
    # interface up is added.
    with open(docker, encoding="utf-8") as f:
        policy = without(json.load(f), "ioctl")
    policy["syscalls"] += [
        {"names": ["ioctl"], "action": "SCMP_ACT_ALLOW",
         "args": [{"index": 1, "value": request, "op": "SCMP_CMP_EQ"}]}
        for request in (0xc0502100, 0xc0182101, 0x40082102, 0x40182103,
                        0x40082104)]
    path = os.path.join(lib.TMP, "few-ioctls.json")
    with open(path, "w", encoding="utf-8") as f:
        json.dump(policy, f)
    policy = granted(path)
    r = oci.run(DOCTOR, repo, covered=False, seccomp=policy)
    tap.equal(r.rc, 0, "so will one that allows few requests of ioctl", r.out.decode())
    r = oci.run(["python3", "-c", "import ctypes as c, socket; l = c.CDLL(None, "
                 "use_errno=True); s = socket.socket()\n"
                 "for request in 0x8914, 0x8922, 0x5412:\n"
                 " l.ioctl(s.fileno(), c.c_ulong(request), None); "
                 "print(c.get_errno())"], repo, covered=False,
                seccomp=policy)
    tap.equal(r.out.split()[1:], [b"1", b"1"], "ioctl is open for the one "
              "request that is needed", r.brief())
    tap.ok(r.out.split()[0] == b"14", "and for that it is", r.brief())


def a_refusal_stays(tap, repo, docker):
    """A policy that refuses unshare, and allows what it does not name."""
    with open(docker, encoding="utf-8") as f:
        policy = json.load(f)
    policy["defaultAction"] = "SCMP_ACT_ALLOW"
    policy["syscalls"].append({"names": ["unshare"], "errnoRet": 38,
                               "action": "SCMP_ACT_ERRNO"})
    path = os.path.join(lib.TMP, "refuses.json")
    with open(path, "w", encoding="utf-8") as f:
        json.dump(policy, f)
    r = oci.run(["python3", "-c", "import ctypes as c; l = c.CDLL(None, "
                 "use_errno=True)\n"
                 "for flag in 0x10000000, 0x40000000:\n"
                 " l.unshare(flag); print(c.get_errno())"], repo,
                covered=False, seccomp=granted(path))
    tap.equal(r.out.split(), [b"38", b"1"], "what refuses unshare refuses all "
              "but the one value", r.brief())


def each_is_needed(tap, repo, engine, policy):
    added = calls_added(engine, policy)
    tap.equal(len(added), 14, "Docker's policy lacks fourteen calls", added)
    for call in added:
        r = oci.run(DOCTOR, repo, covered=False, seccomp=without(policy, call))
        no, text = refusals(r)
        tap.ok(r.rc == 3 and any(call in x for x in no),
               "without %s: doctor says no, and names it" % call, text)
        tap.ok("FILTERED" in text and "doctor --seccomp" in text,
               "without %s: and says what to do" % call, text)
    r = oci.run(["python3", "-c", "import ctypes as c, os; l = c.CDLL(None, "
                 "use_errno=True); l.syscall(250, 0, -3, 1); "
                 "print(c.get_errno()); l.unshare(0x10000000); "
                 "print(c.get_errno())"], repo, covered=False, seccomp=policy)
    tap.equal(r.out.split(), [b"1", b"1"], "keyctl and unshare are open for "
              "one argument only", r.brief())


def the_rest_is_needed(tap, repo, policy):
    r = oci.run(DOCTOR, repo, seccomp=policy)
    no, text = refusals(r)
    tap.ok(r.rc == 3 and len(no) == 1 and " /proc " in no[0] and
           "PROC_MASKED" in text, "a covered /proc: no, and why", text)
    for name in ("probe", "parser"):
        r = oci.run(DOCTOR + ["--profile", name], repo, seccomp=policy)
        tap.equal(r.rc, 3, "%s needs it too" % name, r.out.decode())
    r = oci.run(DOCTOR, repo, covered=False, seccomp=policy, uid=0)
    tap.ok(r.rc == 3 and b"ROOT_WITHOUT_CAPABILITIES" in r.out,
           "root without capabilities: no, and why", r.out.decode())
    r = oci.run(DOCTOR, repo, covered=False, seccomp=policy, hostusers=False)
    tap.equal(r.rc, 0, "users of the container's own (hostUsers: false) will do",
              r.out.decode())


def jobs_run(tap, repo, policy):
    """What is tried in it: every way to make a vessel."""
    def go(*args):
        return oci.run(["/opt/cupel"] + list(args), repo, covered=False,
                       seccomp=policy, clock_s=300)
    r = go("run", "--json", "--", "sh", "-c", "mount -t tmpfs x /tmp")
    got = json.loads(r.out.decode())
    tap.ok(got["status"] in ("FAILED", "FORBIDDEN_SYSCALL") and
           not got["partial"] and got["started"], "run: the command may not "
           "what cupel may", r.brief())
    r = go("run", "--repo-mode", "overlay", "--network", "loopback",
           "--artifact", "made:/tmp/made", "--", "sh", "-c",
           "echo x >/repo/new && echo y >/scratch/made")
    tap.equal(r.rc, 0, "run: a writable view, loopback, artifacts", r.brief())
    r = go("confirm", "--repo", "/repo", "--jobs", "2",
           "/repo/review-flags.jsonl", "/tmp/log")
    said = [x for x in r.err.decode().splitlines() if x.startswith("cupel: ")]
    tap.ok(r.rc == 0 and len(said) > 10 and
           not any("sandbox-error" in x for x in said) and
           b'"confirmed": 0' not in r.out,
           "confirm, warm starts and all", r.brief())
    r = go("gather", "--out", "/tmp/out", "/repo")
    tap.equal(r.rc, 0, "gather", r.brief())


def main():
    why = oci.why_not()
    if why:
        print("1..0 # SKIP " + why)
        return
    tap = lib.Tap()
    docker = oci.sample("docker")
    repo = lib.copy_of("root", os.path.join(lib.SRC, "tests/data/example"))
    os.chown(repo, 1000, 1000)
    engine, policy = oci.engine_policy(docker), granted(docker)
    nothing_given(tap, repo, docker)
    all_given(tap, repo, policy)
    other_bases(tap, repo, docker)
    a_refusal_stays(tap, repo, docker)
    each_is_needed(tap, repo, engine, policy)
    the_rest_is_needed(tap, repo, policy)
    jobs_run(tap, repo, policy)
    tap.done()


main()
