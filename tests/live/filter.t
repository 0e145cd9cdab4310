#!/usr/bin/env python3
"""filter.t -- the shipped filters alone in the kernel, without any other wall.

Each call is made with arguments for which the kernel itself gives another errno, and
once without a filter to show that: an errno that comes anyway would show nothing.
Then programs that people use must run.
"""
import errno
import os
import platform
import sys

SRC = os.environ.get("SRC") or os.path.dirname(
    os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(SRC, "tests/live"))
sys.dont_write_bytecode = True
import lib  # noqa: E402

FILTER_EXEC = "tests/live/filter_exec"
SIGSYS = -31
SIGSEGV = -11
BAD = 0xdead000  # no address
NEWUSER = 0x10000000

# call, arguments, errno under default; the kernel alone gives another errno
ERRNOS = [
    ("clone3", (0, 0), "ENOSYS"),
    ("io_uring_register", (-1, 0, 0, 0), "ENOSYS"),
    ("io_setup", (0, BAD), "ENOSYS"),
    ("shmget", (0, 0, 0), "ENOSYS"),
    ("semget", (0, 0, 0), "ENOSYS"),
    ("msgget", (0x7fffffff, 0), "ENOSYS"),
    ("mq_unlink", (BAD,), "ENOSYS"),
    ("memfd_create", (BAD, 0), "EPERM"),
    ("name_to_handle_at", (-1, BAD, BAD, BAD, 0), "EPERM"),
    ("inotify_init1", (0x7fffffff,), "EPERM"),
    ("inotify_add_watch", (-1, BAD, 1), "EPERM"),
    ("unshare", (NEWUSER | 0x100,), "EPERM"),
    ("clone", (NEWUSER | 0x200, 0), "EPERM"),
    ("personality", (8,), "EPERM"),
    ("sched_setscheduler", (0, 1, 0), "EPERM"),
    ("sched_setattr", (0, BAD, 0), "EPERM"),
    ("ioprio_set", (1, 0, 0xe000), "EPERM"),
    ("vmsplice", (-1, BAD, 1, 0), "EPERM"),
    ("process_madvise", (-1, BAD, 1, 0, 0), "EPERM"),
    ("kcmp", (0x7fffffff, 1, 0, 0, 0), "EPERM"),
    ("fcntl", (0, 1026, 1), "EPERM"),
    ("fcntl", (0, 1024, 9), "EPERM"),
    ("ioctl", (0, 0x5412, BAD), "EPERM"),
    ("ioctl", (0, 0x100005412, BAD), "EPERM"),
    ("ioctl", (0, 0x541c, BAD), "EPERM"),
    ("socket", (16, 3, 9), "EAFNOSUPPORT"),
    ("socket", (2, 1, 132), "EAFNOSUPPORT"),
    ("socketpair", (2, 1, 0, BAD), "EAFNOSUPPORT"),
    ("seccomp", (99, 0, 0), "ENOSYS"),
    ("landlock_create_ruleset", (0, 0, 1), "ENOSYS"),
    ("prctl", (78, 1, 1 << 16), "EINVAL"), ("prctl", (67, 1), "EINVAL"),
    ("madvise", (0, 4096, 12), "EINVAL"),
    ("ioctl", (0, 0x80111500, BAD), "ENOTTY"),
    ("setsockopt", (0, 1, 26, BAD, 16), "ENOPROTOOPT"),
]
# the same, for calls that this kernel may not have yet
YOUNG = [
    ("statmount", (BAD, BAD, 0, 1)), ("file_getattr", (-1, BAD, BAD, 0, 0)),
    ("lsm_list_modules", (BAD, BAD, 1)),
]
# for these calls the answer comes from the kernel and not from the filter
PASSES = [
    ("read", (-1, 0, 0)), ("personality", (0xffffffff,)),
    ("socket", (1, 1, 0)), ("socket", (2, 2, 17)), ("socket", (16, 3, 0)),
    ("ioctl", (0, 0x5401, BAD)), ("fcntl", (0, 1)), ("fcntl", (0, 1034)),
    ("prctl", (3,)), ("openat2", (-1, BAD, BAD, 24)),
    ("mseal", (0, 0, 0)), ("unshare", (0x400,)), ("close_range", (9, 8, 0)),
]
VIOLATIONS = """mount umount2 mount_setattr move_mount open_tree open_tree_attr
fsopen fsconfig fsmount fspick pivot_root swapon swapoff setns bpf kexec_load
kexec_file_load init_module finit_module delete_module reboot clock_settime
settimeofday acct quotactl quotactl_fd keyctl add_key request_key
open_by_handle_at""".split()
TRACING = """ptrace process_vm_readv process_vm_writev pidfd_getfd
perf_event_open userfaultfd""".split()
# for root, reboot and the like would succeed; with these arguments they cannot
HARMLESS = ("-1", "-1", "-1", "-1", "-1")

C_HELLO = "#include <stdio.h>\nint main(void) { return puts(\"hello\") < 0; }\n"
C_INT80 = ("int main(void) { int r; __asm__ volatile(\"int $0x80\" : "
           "\"=a\"(r) : \"a\"(20)); return r <= 0; }\n")
PYTHON = """
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
s = socket.create_server(("127.0.0.1", 0))
c = socket.create_connection(s.getsockname()); c.close()
tempfile.TemporaryFile().write(b"x")
import unittest
class T(unittest.TestCase):
    def test(self): self.assertTrue(True)
unittest.main(argv=["t"])
"""
NODE = """
const cp = require("child_process"), fs = require("fs");
if (cp.execFileSync("echo", ["hi"]).toString() !== "hi\\n") process.exit(3);
new (require("worker_threads").Worker)("1 + 1", { eval: true });
const net = require("net"), s = net.createServer(c => c.end());
s.listen(0, "127.0.0.1", () => net.connect(s.address().port, "127.0.0.1")
  .on("close", () => s.close()).resume());
fs.promises.readFile("/etc/hostname").then(() => console.log("hello"));
"""
GIT = """set -e
cd "$HOME"; rm -rf r; git init -q r; cd r
git config user.email a@b; git config user.name n
echo 1 >f; git add f; git commit -qm 1; git gc -q; git status --short
git log --oneline | grep -c .
"""


def call(t, user, profile, name, args):
    r = lib.run([lib.binary(FILTER_EXEC), "--call", profile, name]
                + [str(a) for a in args], user)
    return r.rc if r.rc else errno.errorcode.get(int(r.out), "ok")


def errnos(t, user):
    for name, args, want in ERRNOS:
        case = "%s: %s%s: %s" % (user, name, args, want)
        got = call(t, user, "default", name, args)
        alone = call(t, user, "none", name, args)
        t.ok(got == want and alone != want, case,
             "filtered %s, without a filter %s" % (got, alone))
    for name, args in YOUNG:
        t.equal(call(t, user, "default", name, args), "ENOSYS",
                "%s: %s is younger than what programs need (alone: %s)"
                % (user, name, call(t, user, "none", name, args)))
    for name, args in PASSES:
        got = call(t, user, "default", name, args)
        t.equal(got, call(t, user, "none", name, args),
                "%s: %s%s is the kernel's to answer" % (user, name, args))


def violations(t, user):
    for name in VIOLATIONS + TRACING:
        got = call(t, user, "default", name, HARMLESS)
        alone = call(t, user, "none", name, HARMLESS)
        t.ok(got == SIGSYS and alone != SIGSYS, "%s: %s is a violation"
             % (user, name), "%s, without a filter %s" % (got, alone))
    for name in TRACING[:3]:
        t.equal(call(t, user, "test", name, HARMLESS),
                call(t, user, "none", name, HARMLESS),
                "%s: test lets %s through" % (user, name))
    for name in TRACING[3:]:
        t.equal(call(t, user, "test", name, HARMLESS), "EPERM",
                "%s: test refuses %s with an errno" % (user, name))


def build(user, text, *flags):
    where = lib.make_dir(user)
    lib.put(user, where + "/a.c", text)
    r = lib.run(["gcc", *flags, "-o", where + "/a", where + "/a.c"], user)
    assert r.rc == 0, r.err
    return where + "/a"


def other_abis(t, user):
    if platform.machine() != "x86_64":
        return
    int80 = build(user, C_INT80)
    alone = lib.run([int80], user).rc
    t.ok(alone in (0, SIGSEGV), user + ": int $0x80 works alone, or the machine "
         "has no such entry", alone)
    r = lib.run([lib.binary(FILTER_EXEC), "default", int80], user)
    t.equal(r.rc, SIGSYS if alone == 0 else SIGSEGV,
            user + ": int $0x80 ends the process", r.brief())
    t.equal(call(t, user, "default", "0x40000027", ()), "ENOSYS",
            user + ": x32's getpid is no call")


def works(t, user, profile, what, argv):
    home = lib.make_dir(user)
    r = lib.run([lib.binary(FILTER_EXEC), profile] + argv, user, cwd=home,
                env={"HOME": home, "TMPDIR": home})
    t.ok(r.rc == 0, "%s: %s runs under %s" % (user, what, profile), r.brief())


def programs(t, user):
    src = lib.put(user, lib.make_dir(user) + "/hello.c", C_HELLO)
    compile_it = "gcc -O2 -o hello %s && ./hello" % src
    for profile in ("default", "test"):
        works(t, user, profile, "bash", [
            "bash", "-c", "set -o pipefail; seq 9 | sort -r | head -n 1 | "
            "grep 9; wait; x=$(echo 1) && mkfifo f && (echo 1 >f &) && "
            "cat f && [ $x = 1 ]"])
        works(t, user, profile, "python", ["/usr/bin/python3", "-c", PYTHON])
        works(t, user, profile, "node", ["node", "-e", NODE])
        works(t, user, profile, "gcc", ["sh", "-c", compile_it])
        works(t, user, profile, "git", ["sh", "-c", GIT])
        works(t, user, profile, "tar", [
            "sh", "-c", "tar czf a.tgz -C /usr/include linux && "
            "tar xzf a.tgz && rm -r linux"])
        works(t, user, profile, "find", [
            "find", "/usr/include/linux", "-size", "+100k"])
    works(t, user, "python-function", "python", [
        "/usr/bin/python3", "-c", "import json, asyncio, re, random, sys\n"
        "asyncio.run(asyncio.sleep(0))\nsys.setrecursionlimit(99999)"])
    works(t, user, "node-function", "node", [
        "node", "-e", "setTimeout(() => console.log(1), 5)"])
    works(t, user, "probe", "python", [
        "/usr/bin/python3", "-c", "import subprocess, os\n"
        "assert os.listdir('/usr')\nsubprocess.check_call(['true'])"])


def parser(t, user):
    hello = build(user, C_HELLO, "-static-pie")
    r = lib.run([lib.binary(FILTER_EXEC), "parser", hello], user)
    t.equal((r.rc, r.out), (0, b"hello\n"),
            user + ": a static program runs under parser", r.brief())
    r = lib.run([lib.binary(FILTER_EXEC), "parser", "/usr/bin/true"], user)
    t.ok(r.rc != 0, user + ": a dynamic one does not", r.brief())


def main():
    t = lib.Tap()
    for user in lib.users():
        for group in (errnos, violations, other_abis, programs, parser):
            group(t, user)
    t.done()


main()
