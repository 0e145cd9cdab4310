#!/usr/bin/env python3
"""status.t -- every row of cupel-run(1), "EXIT STATUS", with a run that ends
in that way."""
import atexit
import json
import os
import shutil
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True
import lib  # noqa: E402

A = "/repo/attack"

# name, options, command, status, rc, reason (... = any), started
ROWS = [
    ("exit 0", "", ["true"], "OK", 0, None, True),
    ("exit 3", "", [A, "exit", "3"], "FAILED", 3, None, True),
    ("exit 255", "", [A, "exit", "255"], "FAILED", 255, None, True),
    ("not found in PATH", "", ["no-such-command"], "FAILED", 127,
     "exec_not_found", False),
    ("not found by path", "", ["/repo/none"], "FAILED", 127,
     "exec_not_found", False),
    ("not found by relative path", "", ["./none"], "FAILED", 127,
     "exec_not_found", False),
    ("a name that is no directory", "", ["/repo/file/x"], "FAILED", ...,
     ..., False),
    ("an empty name", "", [""], "FAILED", 127, "exec_not_found", False),
    ("not executable", "", ["/repo/plain"], "FAILED", 126, "exec_failed",
     False),
    ("a directory", "", ["/repo/dir"], "FAILED", 126, "exec_failed", False),
    ("no #! is not handed to a shell", "", ["/repo/bare"], "FAILED", 126,
     "exec_failed", False),
    ("interpreter is missing", "", ["/repo/orphan"], "FAILED", 127,
     "exec_not_found", False),
    ("script with #!", "", ["/repo/script"], "OK", 0, None, True),
    ("relative path", "", ["./script"], "OK", 0, None, True),
    ("wall clock", "--wall-time-s 0.2", [A, "sleep", "3000"], "TIMEOUT", 124,
     "wall_time", True),
    ("SIGXCPU", "--cpu-time-s 1", [A, "burn", "3000"], "CPU_LIMIT", 152,
     ..., True),
    ("SIGKILL at the hard limit", "--cpu-time-s 1",
     [A, "burn-deaf", "4000"], "CPU_LIMIT", 152, ..., True),
    ("SIGXCPU handled, and exit 0", "--cpu-time-s 1", [A, "burn-told"],
     "CPU_LIMIT", 152, "cpu_time", True),
    ("CPU of a function, hard",
     "--profile python-function --cpu-time-s 1 --wall-time-s 300",
     [A, "burn", "4000"], "CPU_LIMIT", 152, ..., True),
    ("CPU of the tree", "--cpu-time-s 1", [A, "burn-forks", "300", "12"],
     "CPU_LIMIT", 152, "cpu_tree", True),
    ("memory of the tree", "--mem-bytes 48M", [A, "heap", "200"],
     "MEM_LIMIT", 137, "memory_tree", True),
    ("stdout over its cap", "--output-bytes 10K --output-mode kill",
     [A, "flood", "1", "1"], "OUTPUT_LIMIT", 137, "output_stdout", True),
    ("stderr over its cap", "--output-bytes 10K --output-mode kill",
     [A, "flood", "2", "1"], "OUTPUT_LIMIT", 137, "output_stderr", True),
    ("SIGXFSZ", "--fsize-bytes 1M", [A, "fill", "/scratch/f", "4"],
     "FILE_SIZE_LIMIT", 153, "file_size", True),
    ("a violation", "", [A, "call", "mount"], "FORBIDDEN_SYSCALL", 159,
     "forbidden_syscall", True),
    ("its own SIGTERM", "", [A, "die", "15"], "KILLED_TERM", 143, ..., True),
    ("its own SIGKILL", "", [A, "die", "9"], "KILLED_KILL", 137, ..., True),
    ("SIGSEGV", "", [A, "die", "11"], "SIGNALED", 139, ..., True),
    ("SIGABRT", "", [A, "die", "6"], "SIGNALED", 134, ..., True),
    ("SIGSYS, which only a filter sends", "", [A, "die", "31"],
     "FORBIDDEN_SYSCALL", 159, ..., True),
    ("realtime signal", "", [A, "die", "40"], "SIGNALED", 168, ..., True),
    ("SIGXCPU without a limit", "--cpu-time-s unlimited", [A, "die", "24"],
     "SIGNALED", 152, ..., True),
    ("SIGXFSZ without a limit", "--fsize-bytes unlimited", [A, "die", "25"],
     "FILE_SIZE_LIMIT", 153, ..., True),
    ("EFBIG is an errno", "--fsize-bytes 1M",
     ["python3", "-c", "open('/scratch/f','wb').write(b'x'*3000000)"],
     "FAILED", 1, None, True),
    ("a working directory that is not there", "--chdir /nowhere", ["true"],
     "INTERNAL_ERROR", 1, ..., False),
    ("nobody's backend", "--backend oci", ["true"], "INTERNAL_ERROR", 1,
     ..., False),
]


def check_row(tap, user, row):
    name, options, command, status, rc, reason, started = row
    r = lib.go(user, options, *command)
    if r.json is None and status == "INTERNAL_ERROR" and r.rc == 2:
        return tap.ok(True, "%s is refused as usage [%s]" % (name, user))
    if r.json is None:
        return tap.ok(False, "%s [%s]" % (name, user), r.brief())
    j = r.json
    good = (j["status"] == status and j["started"] == started
            and rc in (..., j["rc"]) and reason in (..., j["reason"])
            and j["rc"] == r.rc)
    return tap.ok(good, "%s: %s [%s]" % (name, status, user),
                  "wanted rc %s reason %s\n%s" % (rc, reason, r.brief()))


def check_details(tap, user):
    r = lib.attack(user, "", "call mount")
    v = r.json["violation"]
    tap.equal((v["syscall"], v["arch"], len(v["args"]), v["args"][0],
               v["comm"]), ("mount", "x86_64", 6, "0x8", "attack"),
              "a violation names the call [%s]" % user, r.brief())
    tap.ok(isinstance(v["pid"], int) and v["pid"] > 1,
           "and the pid inside [%s]" % user, v)
    tap.equal(lib.go(user, "", "true").json["violation"], None,
              "no violation is null [%s]" % user)
    r = lib.attack(user, "", "die 11")
    tap.equal(r.json["signal"], 11, "the signal is told [%s]" % user)
    tap.equal(lib.attack(user, "", "exit 1").json["signal"], None,
              "no signal is null [%s]" % user)
    for options in ("--error-rc 77 --chdir /nowhere",
                    "--error-rc 77 --wall-time-s never"):
        r = lib.go(user, options, "true")
        tap.equal(r.rc, 77, "--error-rc [%s]" % user, r.brief())
    r = lib.go(user, "--error-rc 77", "/repo/attack", "exit", "1")
    tap.equal(r.rc, 1, "--error-rc is not for the command's own [%s]" % user)


def make_at(user, top):
    """A directory that is not below /tmp, which a vessel has itself."""
    path = os.path.realpath(tempfile.mkdtemp(prefix="cupel-st.", dir=top))
    atexit.register(shutil.rmtree, path, ignore_errors=True)
    lib.give(user, path)
    os.chmod(path, 0o755)
    return path


def check_exec_words(tap, user):
    """What the kernel says in one word, the result says so that it can be
    mended: the file is there, and something about it is wrong."""
    repo, out = (make_at(user, "/var/tmp") for _ in range(2))
    os.makedirs(repo + "/venv.d/bin")
    os.symlink("/usr/bin/env", repo + "/venv.d/bin/python3")
    program = open("/bin/true", "rb").read()
    loader = b"/lib64/ld-linux-x86-64.so.2"
    for name, head, rc, words in (
            ("venv", "#!%s/venv.d/bin/python3\n" % repo, 127,
             [repo + "/venv.d/bin/python3", "--repo-at same"]),
            ("gone", "#! /no/such/program -x\n", 127,
             ["interpreter /no/such/program,", "not on this host"]),
            ("below", "#!/repo/gone/x\n", 127, ["interpreter /repo/gone/x,"]),
            ("outside", "#!%s\n" % lib.binary("cupel"), 127,
             ["interpreter " + lib.binary("cupel"), "--ro"]),
            ("chain", "#!/repo/gone\n", 127, ["interpreter /no/such/program"]),
            ("crlf", "#!/bin/sh\r\necho\r\n", 127, ["'/bin/sh' and a CR"]),
            ("controls", b"#!/x\x1b[31m\n", 127, ["/x?[31m", "not inside"]),
            ("text", "echo ran\n", 126, ["first line does not begin with #!"]),
            ("empty", "", 126, ["is empty"]),
            ("short", b"\x7fELF", 126, ["neither a program nor"]),
            ("foreign", program[:18] + b"\xf3\0" + program[20:], 126,
             ["a program for RISC-V"]),
            ("loader", program.replace(
                loader, b"/lib/ld-musl-x86_64.so.1".ljust(len(loader), b"\0")),
             127, ["interpreter /lib/ld-musl-x86_64.so.1"]),
            ("offsets", program[:32] + b"\xff" * 8 + program[40:], 126, [""])):
        lib.put(user, repo + "/" + name, head, 0o755)
        for path in ("./" + name, "/repo/" + name):
            r = lib.cupel(["--repo", repo], [path], user)
            said = (r.json or {}).get("message") or ""
            tap.ok(r.rc == rc and all(w in said for w in words)
                   and "\x1b" not in said,
                   "why %s is not executed [%s]" % (path, user), r.brief())
    same = ["--repo", repo, "--repo-at", "same"]
    r = lib.cupel(same, ["./venv"], user)
    tap.ok(r.json and r.json["started"], "what is proposed does [%s]" % user, r.brief())
    os.remove(repo + "/venv.d/bin/python3")
    for options in (same, same[:2], same[:2] + ["--backend", "landlock"]):
        r = lib.cupel(options, ["./venv"], user)
        tap.ok(r.json and r.rc == 127 and "not on this host" in r.json["message"],
               "what would not do is not proposed: %s [%s]"
               % (options[2:], user), r.brief())
    for path in (lib.put(user, out + "/x.sh", "#!/bin/sh\n", 0o755), out, "/etc"):
        r = lib.cupel(["--repo", repo], [path], user)
        said = r.err.decode()
        tap.ok(r.rc == 2 and "is not inside" in said and "--ro DIR" in said
               and "shim" not in said,
               "a path of the host is not inside: %s [%s]" % (path, user), said)


def check_cpu_told(tap, user):
    """The command caught SIGXCPU and ended well at once: its limit was
    reached all the same, and its own word about its limit is not enough."""
    for backend in ("namespaces", "landlock", "rlimits"):
        r = lib.go(user, "--allow-partial --cpu-time-s 1 --backend " + backend,
                   "./attack", "burn-told")
        tap.equal((r.json["status"], r.rc), ("CPU_LIMIT", 152),
                  "SIGXCPU is seen at the end: %s [%s]" % (backend, user),
                  r.brief())
    say = ("import resource; n = resource.RLIMIT_CPU;"
           "resource.setrlimit(n, (resource.getrlimit(n)[1],) * 2)")
    r = lib.go(user, "--cpu-time-s 9", "python3", "-c", say)
    tap.equal((r.json["status"], r.rc), ("OK", 0),
              "a command that raises its limit has not used it [%s]" % user,
              r.brief())
    repo = lib.repo(user)
    lib.put(user, repo + "/phases.json", json.dumps({
        "repo": repo, "phases": [{"name": "burn", "cpu_time_s": 1,
                                 "command": [A, "burn-told"]}]}))
    r = lib.run([lib.binary("cupel"), "run", "--json", "--spec",
                 repo + "/phases.json"], user, cwd=repo)
    tap.ok(b'"CPU_LIMIT"' in r.out and r.rc == 152,
           "and that of a phase [%s]" % user, "%d %r %r" % (r.rc, r.out, r.err))


def check_deterministic(tap, user):
    for text in ("exit 0", "exit 9", "die 11", "call mount", "flood 1 3"):
        runs = [lib.attack(user, "", text) for _ in range(3)]
        facts = [(r.json["status"], r.json["rc"], r.json["enforced"],
                  r.json["spec_hash"], r.json["policy_hash"],
                  r.json["stdout"]) for r in runs]
        tap.ok(facts[0] == facts[1] == facts[2],
               "three runs are the same: %s [%s]" % (text, user), facts)


def main():
    tap = lib.Tap()
    for user in lib.users():
        for row in ROWS:
            check_row(tap, user, row)
        check_details(tap, user)
        check_cpu_told(tap, user)
        check_exec_words(tap, user)
        check_deterministic(tap, user)
    tap.done()


main()
