#!/usr/bin/env python3
"""policies.t -- the policies under which container engines run everything, given
unchanged to --seccomp FILE (cupel-seccomp(5)).

What each call should answer is worked out here from the file in the slow and plain
way, and compared with what it answers inside.  The files are Docker's default and
that of Podman's containers-common, found where they are installed or where
bootstrap unpacks Debian's packages of them.
"""
import errno
import glob
import json
import os
import platform
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True
import lib  # noqa: E402

SAMPLES = os.path.join(lib.SRC, "build/samples")
PLACES = {
    "docker": "usr/share/gocode/src/github.com/docker/docker/profiles/seccomp/"
              "default.json",
    "podman": "usr/share/containers/seccomp.json",
}
ARCH = {"x86_64": "amd64", "aarch64": "arm64"}[platform.machine()]
KERNEL = tuple(int(n) for n in platform.release().split(".")[:2])
BAD = 0xdead000  # no address
NEWUSER = 0x10000000
NONE = (-1, -1, -1, -1, -1)  # with these arguments no call can do harm

# call, arguments, what the floor answers if the file allows the call
CALLS = [
    ("mount", NONE, "EPERM"), ("umount2", NONE, "EPERM"),
    ("pivot_root", NONE, "EPERM"), ("setns", NONE, "EPERM"),
    ("open_tree", NONE, "EPERM"), ("fsopen", NONE, "EPERM"),
    ("bpf", NONE, "EPERM"), ("keyctl", NONE, "EPERM"),
    ("add_key", NONE, "EPERM"), ("request_key", NONE, "EPERM"),
    ("init_module", NONE, "EPERM"), ("kexec_load", NONE, "EPERM"),
    ("open_by_handle_at", NONE, "EPERM"), ("clone3", (0, 0), "ENOSYS"),
    ("io_uring_register", (-1, 0, 0, 0), "ENOSYS"),
    ("unshare", (NEWUSER,), "EPERM"), ("unshare", (0x400,), None),
    ("clone", (NEWUSER | 0x200, 0), "EPERM"),
    ("socket", (40, 1, 0), "EAFNOSUPPORT"),
    ("socket", (17, 3, 0), "EAFNOSUPPORT"),
    ("socket", (16, 3, 9), "EAFNOSUPPORT"), ("socket", (16, 3, 0), None),
    ("socket", (1, 1, 0), None), ("socket", (2, 2, 17), None),
    ("socketpair", (2, 1, 0, BAD), None),
    ("ioctl", (0, 0x5412, BAD), "EPERM"), ("ioctl", (0, 0x5401, BAD), None),
    ("prlimit64", (1, 7, 0, 0), "EPERM"), ("prlimit64", (0, 7, 0, 0), None),
    ("setpriority", (0, 1, 5), "EPERM"), ("setpriority", (0, 0, 0), None),
    ("personality", (0,), None), ("personality", (8,), None),
    ("personality", (0x20008,), None), ("personality", (1,), None),
    ("personality", (0xffffffff,), None), ("ptrace", NONE, None),
    ("process_vm_readv", NONE, None), ("pidfd_getfd", NONE, None),
    ("perf_event_open", NONE, None), ("userfaultfd", (-1,), None),
    ("kcmp", (0x7fffffff, 1, 0, 0, 0), None), ("syslog", NONE, None),
    ("sethostname", (BAD, 3), None), ("acct", (BAD,), None),
    ("quotactl", NONE, None), ("swapon", (BAD, 0), None),
    ("settimeofday", (BAD, BAD), None), ("chroot", (BAD,), None),
    ("memfd_create", (BAD, 0), None), ("inotify_init1", (-1,), None),
    ("semget", (0, 0, 0), None), ("shmget", (0, 0, 0), None),
    ("mq_unlink", (BAD,), None), ("statx", (-1, BAD, 0, 0, BAD), None),
    ("openat2", (-1, BAD, BAD, 24), None), ("close_range", (9, 8, 0), None),
    ("landlock_create_ruleset", (0, 0, 1), None),
    ("name_to_handle_at", (-1, BAD, BAD, BAD, 0), None),
    ("process_madvise", (-1, BAD, 1, 0, 0), None),
    ("mbind", (BAD, 1, -1, 0, 0, 0), None), ("futex_waitv", NONE, None),
    ("faccessat2", (-1, BAD, 0, 0), None), ("mseal", (0, 0, 0), None),
    ("vmsplice", (-1, BAD, 1, 0), None), ("read", (-1, 0, 0), None),
]

PROGRAMS = {
    "bash": "seq 9 | sort -r | head -n 1 | grep -qx 9 && [ $(echo 1) = 1 ]",
    "python": """/usr/bin/python3 -c '
import asyncio, multiprocessing, socket, subprocess, tempfile, threading
assert subprocess.check_output(["echo", "hi"]) == b"hi\\n"
async def main():
    p = await asyncio.create_subprocess_exec("true")
    assert await p.wait() == 0
asyncio.run(main())
t = threading.Thread(target=print); t.start(); t.join()
with multiprocessing.Pool(2) as p:
    assert p.map(abs, [1, -2]) == [1, 2]
a, b = socket.socketpair(); a.send(b"x"); assert b.recv(1) == b"x"
tempfile.TemporaryFile().write(b"x")'""",
    "git": "cd && git init -q r && cd r && echo 1 >f && git add f && "
           "git -c user.email=a@b -c user.name=n commit -qm 1 && "
           "[ -z \"$(git status --short)\" ]",
    "tar": "cd && tar czf a.tgz -C /usr/include linux && tar xzf a.tgz && "
           "[ -d linux ]",
    "gcc": "cd && echo 'int main(void) { return 0; }' >a.c && gcc a.c && "
           "./a.out",
    "node": "node -e 'new (require(\"worker_threads\").Worker)(\"1\", "
            "{ eval: true }); require(\"child_process\").execFileSync(\"true"
            "\")'",
}


def find():
    """[(name, path)] of the policies that are installed here."""
    found = []
    for name, place in PLACES.items():
        paths = glob.glob(os.path.join(SAMPLES, "*", place)) + ["/" + place]
        found += [(name, p) for p in paths if os.path.exists(p)][:1]
    return found


def kernel_is(text):
    return KERNEL >= tuple(int(n) for n in text.split("."))


def counts(entry):
    """Whether an entry applies here: without capabilities, on this machine."""
    yes, no = entry.get("includes") or {}, entry.get("excludes") or {}
    if yes.get("caps") or (yes.get("arches") and ARCH not in yes["arches"]):
        return False
    if ARCH in (no.get("arches") or ()):
        return False
    if yes.get("minKernel") and not kernel_is(yes["minKernel"]):
        return False
    return not (no.get("minKernel") and kernel_is(no["minKernel"]))


def fits(arg, args):
    wide = [a % 2**64 for a in args] + [0] * 6
    got, value = wide[arg["index"]], arg["value"]
    if arg["op"] == "SCMP_CMP_MASKED_EQ":
        return got & value == arg.get("valueTwo", 0)
    return {"SCMP_CMP_EQ": got == value, "SCMP_CMP_NE": got != value,
            "SCMP_CMP_GT": got > value, "SCMP_CMP_GE": got >= value,
            "SCMP_CMP_LT": got < value, "SCMP_CMP_LE": got <= value,
            }[arg["op"]]


def verdict(policy, name, args):
    """The expected answer: None when allowed, else the name of an errno."""
    entries = [e for e in policy["syscalls"]
               if name in (e.get("names") or [e.get("name")]) and counts(e)
               and all(fits(a, args) for a in e.get("args") or ())]
    if any(e["action"] == "SCMP_ACT_ALLOW" for e in entries):
        return None
    number = (entries[0].get("errnoRet", errno.EPERM) if entries
              else policy.get("defaultErrnoRet", errno.EPERM))
    return errno.errorcode[number]


def answers(user, options, **kw):
    """What each call answers inside, by name; [] when the run failed."""
    script = "".join("/repo/filter_exec --call none %s %s\n"
                     % (name, " ".join(str(a) for a in args))
                     for name, args, _ in CALLS)
    r = lib.go(user, options, "sh", "-c", script, **kw)
    lines = r.json["stdout"].split() if r.json else []
    if len(lines) != len(CALLS):
        return [], r.brief()
    return [errno.errorcode.get(int(n), "ok") for n in lines], ""


def calls(tap, user, name, path, policy, alone):
    said, note = answers(user, ["--seccomp", path])
    tap.ok(said, "%s: every call is made [%s]" % (name, user), note)
    for (call, args, floor), got, bare in zip(CALLS, said, alone):
        want = verdict(policy, call, args) or floor or bare
        tap.equal(got, want, "%s: %s%s: %s [%s]" % (
            name, call, args, want, user), "without a filter " + bare)


def programs(tap, user, name, path):
    for what, script in PROGRAMS.items():
        r = lib.go(user, ["--seccomp", path, "--profile", "test"], "bash",
                   "-c", script)
        tap.equal(r.json and r.status, "OK", "%s: %s runs under it [%s]" % (
            name, what, user), r.brief())


def main():
    tap = lib.Tap()
    found = find()
    if not found:
        print("1..0 # SKIP no policy of a container engine is here; "
              "bootstrap unpacks Debian's")
        return
    for user in lib.users():
        lib.put(user, lib.repo(user) + "/filter_exec",
                open(lib.binary("tests/live/filter_exec"), "rb").read(), 0o755)
        alone, note = answers(user, [], program="tests/cupel-testing",
                              drop="seccomp")
        tap.ok(alone, "every call is made without a filter [%s]" % user, note)
        for name, path in found:
            with open(path) as f:
                policy = json.load(f)
            here = lib.put(user, os.path.join(lib.TMP, "%s-%s.json"
                                              % (name, user)),
                           json.dumps(policy, indent=1))
            calls(tap, user, name, here, policy, alone)
            programs(tap, user, name, here)
    tap.done()


main()
