#!/usr/bin/env python3
"""batch.t -- many runs: each line is answered once, whatever it says, even if a
reader or a run is slow, and whenever the batch is killed."""
import json
import os
import random
import signal
import socket
import subprocess
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True
import lib  # noqa: E402

CLOCK_S = 240


def line(number, command=None, **more):
    doc = {"id": str(number), "command": command or ["/bin/true"]}
    doc.update(more)
    return json.dumps(doc) + "\n"


def shell(text):
    return ["/bin/sh", "-c", text]


class Place:
    """A directory that belongs to the user, with a repository and files of lines."""

    def __init__(self, user):
        self.user, self.dir = user, lib.make_dir(user)
        self.repo = lib.make_dir(user)
        self.results = self.dir + "/results.jsonl"

    def specs(self, text):
        path = self.dir + "/specs.jsonl"
        with open(path, "wb") as f:
            f.write(text if isinstance(text, bytes) else text.encode())
        return path

    def argv(self, *words):
        return lib.become(self.user) + [lib.binary("cupel"), "batch",
                                        "--repo", self.repo] + list(words)

    def run(self, *words, **kw):
        return subprocess.run(self.argv(*words), capture_output=True,
                              timeout=CLOCK_S, cwd=self.dir,
                              env=lib.clean_env(), **kw)

    def start(self, *words, **kw):
        return subprocess.Popen(self.argv(*words), cwd=self.dir,
                                env=lib.clean_env(), **kw)


def answers(text):
    if isinstance(text, str):
        with open(text, "rb") as f:
            text = f.read()
    assert text == b"" or text.endswith(b"\n"), text[-200:]
    return [json.loads(one) for one in text.splitlines()]


def ids(found):
    return sorted(a["id"] for a in found)


def runs(tap, user):
    p = Place(user)
    text = (line("a", shell("echo hello")) + "\n  \n" +
            line("b", shell("echo $V; exit 3"), env={"V": "its own"}) +
            line("c", ["/bin/sleep", "9"], wall_time_s=0.3) +
            line("d", shell("cat"), stdin=lib.put(user, p.dir + "/in",
                                                  "given\n")))
    r = p.run("--keep-going", "--env", "V=of all", p.specs(text))
    got = {a["id"]: a for a in answers(r.stdout)}
    tap.equal(sorted(got), ["a", "b", "c", "d"],
              "each line is answered [%s]" % user, r.stderr.decode())
    if len(got) != 4:
        return
    tap.equal([got[i]["result"]["status"] for i in "abcd"],
              ["OK", "FAILED", "TIMEOUT", "OK"], "as it ended [%s]" % user)
    tap.equal([got[i]["result"]["stdout"] for i in "abd"],
              ["hello\n", "its own\n", "given\n"],
              "a line wins over the options [%s]" % user)
    tap.equal([got[i]["line"] for i in "abcd"], [1, 4, 5, 6],
              "with its number [%s]" % user)
    tap.equal(r.returncode, 1, "one was not OK [%s]" % user)
    tap.ok(b"2 OK, 2 not OK, 0 wrong" in r.stderr, "and told [%s]" % user,
           r.stderr)
    errors = []
    for a in got.values():
        errors += lib.schema_errors(json.dumps(a).encode(),
                                    "batch-answer.schema.json", ["result"])
    tap.equal(errors, [], "the answers are valid [%s]" % user)
    single = lib.cupel(["--repo", p.repo, "--env", "V=of all"],
                       ["/bin/true"], user)
    tap.equal(got["a"]["result"]["enforced"], single.json["enforced"],
              "its walls are those of a single run [%s]" % user)
    r = p.run("--keep-going", p.specs("{\n" + line("a")))
    tap.ok(b" 1 OK, 0 not OK, 1 wrong line\n" in r.stderr,
           "one wrong line is no lines [%s]" % user, r.stderr)
    r = p.run("--jobs=1", p.specs(line("a", shell("exit 1")) + line("b")))
    tap.equal(ids(answers(r.stdout)), ["a"],
              "after one that is not OK none is begun [%s]" % user)
    tap.ok(b"--keep-going" in r.stderr, "which is said [%s]" % user, r.stderr)
    r = p.run(p.specs(line("x", network="none") + line("y")), "-",)
    tap.equal(r.returncode, 0, "all OK is 0 [%s]" % user, r.stderr)
    r = p.run(p.specs(line("x") + line("y")), "-", "--quiet", "--env", "A=b",
              "--jobs", "1")
    tap.equal((r.returncode, r.stderr, os.path.exists(p.dir + "/--quiet")),
              (0, b"", False), "options stand behind the operands, too [%s]"
              % user)


def wrong(tap, user):
    p = Place(user)
    bad = [b"{nonsense", b"[]", b'{"command": ["/bin/true"]}',
           b'{"id": 7, "command": ["/bin/true"]}',
           b'{"id": "", "command": ["/bin/true"]}',
           b'{"id": "n\\u0000", "command": ["/bin/true"]}',
           b'{"id": "raw\x00", "command": ["/bin/true"]}',
           b'{"id": "u\xff", "command": ["/bin/true"]}',
           b'{"id": "k", "command": ["/bin/true"], "nope": 1}',
           b'{"id": "j", "command": ["/bin/true"], "json": "x"}',
           b'{"id": "o", "command": ["/bin/true"], "stdout": "x"}',
           b'{"id": "i", "command": ["/bin/true"], "stdin": "-"}',
           b'{"id": "e"}', b'{"id": "r", "command": ["/bin/true"], '
           b'"nofile": -4}',
           b'{"id": "h", "command": ["' + b"x" * (3 << 20) + b'"]}',
           b'{"id": "g", "repo": "/nowhere/at/all", "command": ["/bin/true"]}',
           b'{"id": "x' + b"y" * 300 + b'", "command": ["/bin/true"]}']
    good = line("first").encode(), line("last").encode()
    again = line("first", shell("echo again")).encode()
    text = good[0] + b"\n".join(bad) + b"\n" + again + good[1]
    r = p.run("--ordered", p.specs(text))
    got = answers(r.stdout)
    tap.equal([a["line"] for a in got], list(range(1, len(bad) + 4)),
              "wrong lines have their answers, in order [%s]" % user,
              r.stderr)
    tap.ok(all("error" in a for a in got[1:-1]) and
           all("result" in a for a in (got[0], got[-1])),
           "and end nothing [%s]" % user, got)
    tap.equal([a["id"] for a in got[9:15]], ["k", "j", "o", "i", "e", "r"],
              "with their ids where they have one [%s]" % user)
    tap.ok(got[-2]["id"] is None and "first" in got[-2]["error"]["message"],
           "an id is its first line's [%s]" % user, got[-2])
    tap.equal(r.returncode, 1, "and are no success [%s]" % user)
    errors = []
    for a in got:
        errors += lib.schema_errors(json.dumps(a).encode(),
                                    "batch-answer.schema.json", ["result"])
    tap.equal(errors, [], "such answers are valid [%s]" % user)


def refuses(tap, user):
    p = Place(user)
    specs = p.specs(line("a"))
    lib.put(user, p.dir + "/full", "theirs\n")
    lib.put(user, p.dir + "/torn", "not ours, and no end")
    others = {"/a": '{"id":"a","command":["/bin/true"]}', "/b": "{",
              "/c": '{"id": "a", "line":1', "/d": '{"id":"a","line":1,"hash"',
              "/e": '{"id":"a","line":1,"hash":"blake3:00","payload":{}'}
    for name, text in others.items():
        lib.put(user, p.dir + name, text)
    os.symlink(p.dir + "/target", p.dir + "/link")
    os.mkfifo(p.dir + "/fifo")
    socket.socket(socket.AF_UNIX).bind(p.dir + "/socket")
    for name in ("/fifo", "/socket"):
        lib.give(user, p.dir + name)
    rows = [(["--jobs", "0", specs], b"--jobs"), (["--jobs", "257", specs],
            b"--jobs"), (["--shard", "3/2", specs], b"--shard"),
            (["--shard", "0/2", specs], b"--shard"),
            (["--shard", "1/2x", specs], b"--shard"),
            (["--resume", specs], b"--resume"), (["--json", specs],
            b"--json"), (["--stdout", "x", specs], b"--stdout"),
            (["--nope", specs], b"--nope"), (["--stdin", "-", specs],
            b"--stdin"), ([p.dir + "/none"], b"none"),
            (["a", "b", "c"], b"after them"),
            ([specs, p.dir + "/full"], b"not empty"),
            (["--resume", specs, p.dir + "/full"], b"is not an answer"),
            (["--resume", specs, p.dir + "/torn"], b"no newline at its end"),
            ([specs, p.dir + "/link"], b"link"),
            ([specs, "/dev/full"], b"regular file, so lines"),
            (["--resume", specs, "/dev/null"], b"regular file, so lines"),
            ([specs, p.dir + "/fifo"], b"regular file, so lines"),
            ([specs, p.dir + "/socket"], b"regular file, so lines"),
            (["--env", "A", specs], b"--env"),
            (["--pass-env", "A_TOKEN", specs], b"--pass-env")]
    rows += [(["--resume", specs, p.dir + name], b"no newline at its end")
             for name in others]
    for words, part in rows:
        r = p.run(*words, stdin=subprocess.DEVNULL)
        tap.ok(r.returncode == 2 and part in r.stderr and not r.stdout and
               r.stderr.count(b"\n") == 1,
               "%s is refused [%s]" % (" ".join(words)[:40].split("/")[0],
                                       user), (r.returncode, r.stderr))
    kept = [open(p.dir + name).read() for name in ("/full", "/torn", *others)]
    tap.equal(kept, ["theirs\n", "not ours, and no end", *others.values()],
              "what is not ours is left [%s]" % user)
    tap.ok(not os.path.exists(p.dir + "/target"), "no link is followed [%s]"
           % user)


def shards(tap, user):
    p = Place(user)
    specs = p.specs("".join(line(i) for i in range(7)))
    parts = [ids(answers(p.run("--shard", "%d/3" % (i + 1), specs).stdout))
             for i in range(3)]
    tap.equal(parts, [["0", "3", "6"], ["1", "4"], ["2", "5"]],
              "a shard is each third line [%s]" % user)
    r = p.run("--ordered", "--jobs", "4", p.specs("".join(
        line(i, ["/bin/sleep", "0.6" if i % 4 == 0 else "0"])
        for i in range(9))))
    tap.equal([a["id"] for a in answers(r.stdout)], list("012345678"),
              "in order though others end before [%s]" % user)


# Leaves something in every place that a run can write to, and keeps it there for a
# while; places that the vessel refuses are skipped, and a call that would end the run,
# as add_key(2) does, is not made.
WRITER = """
import ctypes, os, socket, sys, threading, time
libc = ctypes.CDLL(None, use_errno=True)
for d in ("/scratch", "/tmp", "/dev/shm", "/repo", "/var/tmp", "/run"):
    try:
        open(d + "/left", "w").write("left")
    except OSError:
        pass
for call in (lambda: libc.shmget(0x4c454654, 4096, 0o1666),
             lambda: libc.msgget(0x4c454654, 0o1666),
             lambda: libc.semget(0x4c454654, 1, 0o1666),
             lambda: libc.mq_open(b"/left", os.O_CREAT | os.O_RDWR, 0o666, None),
             lambda: libc.sethostname(b"left", 4)):
    if os.fork() == 0:
        call()
        os._exit(0)
    os.wait()
kept = []
for family, name in ((socket.AF_UNIX, "\\0left"),
                     (socket.AF_INET, ("127.0.0.1", 7654))):
    try:
        one = socket.socket(family)
        one.bind(name)
        one.listen()
        kept.append(one)
    except OSError:
        pass
os.umask(0)
if os.fork() == 0:
    os.setsid()
    time.sleep(float(sys.argv[1]))
    os._exit(0)
open("/scratch/done", "w").close()
time.sleep(float(sys.argv[1]))
"""
# Everything that can be seen of it.
LOOKER = """
import ctypes, json, os, socket
seen = {}
for d in ("/scratch", "/tmp", "/dev/shm", "/repo", "/var/tmp", "/run",
          "/dev/mqueue"):
    try:
        seen[d] = sorted(os.listdir(d))
    except OSError as e:
        seen[d] = e.errno
for name in ("sysvipc/shm", "sysvipc/msg", "sysvipc/sem", "keys",
             "sys/kernel/hostname", "net/unix", "net/tcp"):
    try:
        seen[name] = "left" in (t := open("/proc/" + name).read()) or \\
            "1279608404" in t or ":1DE6" in t
    except OSError as e:
        seen[name] = e.errno
libc = ctypes.CDLL(None, use_errno=True)
ipc = []
for call in (libc.shmget, libc.msgget, libc.semget):
    child = os.fork()
    if child == 0:
        os._exit(call(0x4c454654, 0, 0) != -1)
    ipc.append(os.waitpid(child, 0)[1])
seen["ipc"] = ipc
for family, name in ((socket.AF_UNIX, "\\0left"),
                     (socket.AF_INET, ("127.0.0.1", 7654))):
    try:
        seen[str(name)] = socket.socket(family).connect_ex(name)
    except OSError as e:
        seen[str(name)] = e.errno
seen["processes"] = sorted(open("/proc/%s/cmdline" % n).read().split(chr(0))[0]
                           for n in os.listdir("/proc")
                           if n.isdigit() and int(n) > 1)
print(json.dumps(seen, sort_keys=True))
"""
# What it sees at least when both are in one vessel.
TRACES = {"/scratch", "/tmp", "/dev/shm", "ipc", "\0left", "processes"}


def apart(tap, user):
    """What one run leaves does not reach the next run, or one at the same time."""
    p = Place(user)
    lib.put(user, p.repo + "/writer.py", WRITER)
    lib.put(user, p.repo + "/looker.py", LOOKER)
    write = ["python3", "-I", "/repo/writer.py"]
    look = ["python3", "-I", "/repo/looker.py"]
    for how in ({"profile": "test"}, {"profile": "test",
                                      "network": "loopback"}):
        got = {a["id"]: a["result"]["stdout"] for a in answers(p.run(
            "--jobs", "1", "--keep-going", p.specs(
                line("alone", look, **how) + line("w", write + ["0"], **how) +
                line("after", look, **how) +
                line("both", shell(
                    "python3 -I /repo/writer.py 9 & until test -e /scratch/done;"
                    " do sleep 0.1; done; python3 -I /repo/looker.py"), **how))
            ).stdout)}
        alone, both = (json.loads(got[n] or "{}") for n in ("alone", "both"))
        tap.ok(TRACES <= {k for k in both if both[k] != alone.get(k)},
               "within one run it is seen [%s]" % user, got)
        tap.equal(got["after"], got["alone"],
                  "what a run leaves is not seen by the next [%s]" % user)
        got = {a["id"]: a["result"]["stdout"] for a in answers(p.run(
            "--jobs", "2", "--keep-going", p.specs(
                line("w", write + ["3"], **how) +
                line("beside", shell("sleep 1; exec python3 -I "
                                     "/repo/looker.py"), **how) +
                line("alone", look, **how))).stdout)}
        tap.ok(got["beside"] and got["beside"] == got["alone"],
               "nor by one beside it [%s]" % user, got)


def high_water_kib(pid):
    """The peak memory of the program that runs now.  rusage would also count the
    test's own memory, which the process had before it executed the program."""
    try:
        with open("/proc/%d/status" % pid) as f:
            lines = [one for one in f if one.startswith("VmHWM")]
        with open("/proc/%d/comm" % pid) as f:
            return int(lines[0].split()[1]) if f.read() == "cupel\n" else 0
    except (OSError, IndexError):
        return 0


def memory(tap, user):
    """100,000 lines, 60 MB in all: the memory in use does not grow with them."""
    p = Place(user)
    number = 100000 if user == "user" else 20000
    filler = "z" * 600
    with open(p.dir + "/specs.jsonl", "w") as f:
        for i in range(number):
            f.write('{"id": "%d", "nope": "%s"}\n' % (i, filler))
            if i % (number // 4) == 0:
                f.write(line("run%d" % i))
    peak = 0
    with open(p.dir + "/specs.jsonl") as f, open(p.results, "w") as out:
        began = p.start(stdin=f, stdout=out, stderr=subprocess.PIPE)
        while began.poll() is None:
            peak = max(peak, high_water_kib(began.pid))
            time.sleep(0.02)
        err = began.stderr.read()
    count = sum(1 for _ in open(p.results))
    tap.equal((began.returncode, count), (1, number + 4),
              "every one of many lines is answered [%s]" % user, err)
    tap.ok(0 < peak < 48 << 10, "in bounded memory [%s]" % user,
           "%d KiB" % peak)


def slow(tap, user):
    """Nobody reads the answers while runs reach their deadlines: no more runs start."""
    p = Place(user)
    many = "".join(line(i, shell("head -c 900000 /dev/zero | tr '\\0' x"))
                   for i in range(24))
    specs = p.specs(line("t", ["/bin/sleep", "3600"], wall_time_s=1) + many)
    began = p.start("--jobs", "2", "--keep-going", specs,
                    stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    time.sleep(8)
    out, err = began.communicate(timeout=CLOCK_S)
    got = {a["id"]: a["result"] for a in answers(out)}
    tap.equal(len(got), 25, "a slow reader gets all [%s]" % user, err)
    tap.equal(got["t"]["status"], "TIMEOUT", "and stops nobody's clock [%s]" % user,
              got["t"].get("usage"))
    tap.clock("a wall time of 1 s beside a slow reader [%s]" % user,
              got["t"]["duration_ms"] / 1000, 7)
    began = p.start("--keep-going", specs, stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE)
    began.stdout.close()
    began.stderr.read()
    tap.equal(began.wait(CLOCK_S), 141,
              "a reader that is gone ends it [%s]" % user)
    # What runs has nothing to say for an hour.
    began = p.start(p.specs(line("s", ["/bin/sleep", "3600"], wall_time_s=3600)),
                    stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    time.sleep(1)
    began.stdout.close()
    began.stderr.read()
    tap.equal(began.wait(CLOCK_S), 141, "at once, not when a run ends [%s]" % user)


def descriptors(tap, user):
    """Descriptors of the batch do not count as files: they belong to other runs."""
    p = Place(user)
    os.symlink("/proc/self/fd/0", p.dir + "/link")
    ways = ["/dev/fd/%d", "/proc/self/fd/%d", "/proc/thread-self/fd/%d"]
    names = [way % n for n in range(40) for way in ways]
    names += ["/dev/stdin", "/dev/tty", "/dev/zero", "/proc/self/environ",
              p.dir + "/link"]
    text = line("told", shell("for i in 1 2 3 4 5 6 7 8; do echo SECRET; "
                              "sleep 0.2; done"))
    text += "".join(line("s" + n, ["/bin/cat"], stdin=n) for n in names)
    text += "".join(line("p" + n, ["/bin/true"], profile=n) for n in names)
    text += "".join(line("j" + n, ["/bin/true"], result_schema=n)
                    for n in names)
    r = p.run("--keep-going", "--jobs", "40", "-", input=text.encode())
    found = {a["id"]: a for a in answers(r.stdout)}
    told = found.pop("told")["result"]
    tap.equal((len(found), told["status"], told["stdout"]),
              (3 * len(names), "OK", "SECRET\n" * 8),
              "each line is answered, and nobody reads what another says [%s]"
              % user, r.stderr)
    # a file that is read whole may also fail in a result, as the host's failure
    tap.equal([i for i, a in found.items() if
               a.get("result", {}).get("status") == "OK"], [],
              "no descriptor is opened as a file [%s]" % user)
    good = p.specs(line("a", ["/bin/cat"], stdin=p.dir + "/plain"))
    lib.put(user, p.dir + "/plain", "plain\n")
    r = p.run(good)
    tap.equal([a["result"]["stdout"] for a in answers(r.stdout)], ["plain\n"],
              "a file is [%s]" % user, r.stderr)


def again(tap, user):
    """What --resume accepts as an answer, and what it says about the rest."""
    p = Place(user)
    specs = p.specs(line("ok") + line("bad", ["/bin/false"]) +
                    line("host", ["/bin/true"], chdir="/nowhere"))
    first = p.run("--keep-going", specs, p.results)
    more = p.run("--keep-going", "--resume", specs, p.results)
    tap.equal((first.returncode, more.returncode, ids(answers(p.results))),
              (1, 1, ["bad", "host", "host", "ok"]),
              "a run that was not OK stays so, one that the host failed is run "
              "again [%s]" % user, more.stderr)
    tap.ok(b"2 of 3 lines" in more.stderr and b"1 of them not OK" in
           more.stderr, "and it is told [%s]" % user, more.stderr)
    specs = p.specs(line("ok") + line("bad", ["/bin/false"]))
    known = os.path.join(p.dir, "known")
    first = p.run("--keep-going", specs, known)
    more = p.run("--keep-going", "--resume", specs, known)
    tap.equal((first.returncode, more.returncode, ids(answers(known))),
              (1, 1, ["bad", "ok"]),
              "nothing is run again, and the exit status is the same [%s]"
              % user, more.stderr)
    specs = p.specs("".join(line(i, shell("sleep 0.3")) for i in range(20)))
    gone = os.path.join(p.dir, "gone")
    began = p.start("--jobs", "1", specs, gone, stderr=subprocess.PIPE)
    lib.wait_until(lambda: answered(gone) > 0, 30)
    os.unlink(gone)
    err = began.communicate(timeout=60)[1]
    tap.ok(began.returncode != 0 and b"gone" in err,
           "answers into a file that is removed end it [%s]" % user,
           (began.returncode, err))


def busy(tap, user):
    """A line for which the host had no room does not count as a wrong line."""
    p = Place(user)
    specs = p.specs(line("a", stdin=lib.put(user, p.dir + "/in", "x")))
    seen = 0
    for room in range(4, 16):
        r = subprocess.run(["prlimit", "--nofile=%d" % room] +
                           p.argv("--keep-going", specs), cwd=p.dir,
                           env=lib.clean_env(), capture_output=True,
                           timeout=CLOCK_S)
        got = answers(r.stdout)
        if not got or "error" not in got[0]:
            continue
        seen += 1
        tap.ok(got[0]["error"]["cause"] == "busy" and r.returncode == 1 and
               b"0 OK, 1 not OK, 0 wrong" in r.stderr,
               "no room for a descriptor is the host's fault [%s]" % user,
               (got, r.stderr))
        path = lib.put(user, os.path.join(p.dir, "busy"), r.stdout)
        r = p.run("--resume", specs, path)
        tap.equal((r.returncode, [a["result"]["status"] for a in
                                  answers(path)[1:]]), (0, ["OK"]),
                  "and the line is run again [%s]" % user, r.stderr)
    tap.ok(seen > 0, "a batch had no room for a line's stdin [%s]" % user)
    specs, path = p.specs(line("a", nope=1)), os.path.join(p.dir, "wrong")
    for cause, count in (("caller", 1), ("host", 2), ("bug", 2)):
        p.run(specs, path)
        with open(path) as f:
            text = f.read().replace('"cause":"caller"', '"cause":"%s"' % cause)
        lib.put(user, path, text)
        r = p.run("--resume", specs, path)
        tap.equal(len(answers(path)), count, "an answer with cause %s is %s "
                  "[%s]" % (cause, "one" if count == 1 else "asked for again",
                            user), r.stderr)
        os.unlink(path)


def defaults(tap, user):
    """An option that phases cannot have is a default only for the other lines."""
    p = Place(user)
    phases = [{"name": "one", "command": shell("cat; echo 1 >/scratch/b"),
               "artifact": ["/scratch/b:" + p.dir + "/b"]}]
    text = (line("plain", shell("cat; echo 1 >/scratch/a")) +
            json.dumps({"id": "phases", "phases": phases}) + "\n")
    r = p.run("--keep-going", "--ordered", "--stdin",
              lib.put(user, p.dir + "/in", "given"), "--artifact",
              "/scratch/a:" + p.dir + "/a", p.specs(text))
    got = answers(r.stdout)
    tap.equal([a.get("result", a.get("error"))["stdout" if "result" in a else
                                               "message"] for a in got],
              ["given", ""], "stdin is read by a line without phases [%s]"
              % user, r.stderr)
    tap.equal(sorted(n for n in os.listdir(p.dir) if len(n) == 1), ["a", "b"],
              "and each has its own artifacts [%s]" % user)
    for more, part in (({"stdin": p.dir + "/in"}, "--stdin"),
                       ({"artifact": ["/scratch/a"]}, "--artifact")):
        r = p.run(p.specs(json.dumps(dict(more, id="x", phases=phases)) +
                          "\n"))
        tap.ok(part in answers(r.stdout)[0].get("error", {}).get("message", ""),
               "a line that says it with phases is wrong: %s [%s]" %
               (part, user), r.stdout[:300])


def stops(tap, user):
    for number, to_file in ((signal.SIGINT, True), (signal.SIGTERM, False)):
        p = Place(user)
        specs = p.specs("".join(line(i, shell("echo on; sleep %s" % (
            "3600" if i > 1 else "0")), wall_time_s=3600) for i in range(9)))
        words = [specs, p.results] if to_file else [specs]
        out = subprocess.DEVNULL if to_file else open(p.results, "wb")
        began = p.start("--jobs", "3", *words, stdout=out,
                        stderr=subprocess.PIPE)
        lib.wait_until(lambda: os.path.exists(p.results) and
                       open(p.results, "rb").read().count(b"\n") == 2, 30)
        time.sleep(0.3)
        began.send_signal(number)
        err = began.communicate(timeout=CLOCK_S)[1]
        tap.equal(began.returncode, 128 + number, "signal %d ends what runs [%s]"
                  % (number, user), err)
        tap.equal(ids(answers(p.results)), ["0", "1"],
                  "and what is answered is whole [%s]" % user, err)


def answered(path):
    """The number of whole lines so far."""
    if not os.path.exists(path):
        return 0
    with open(path, "rb") as f:
        return f.read().count(b"\n")


def killed(tap, user):
    """SIGKILL at random moments, --resume each time: each id is answered once."""
    p = Place(user)
    seed = 17
    chance = random.Random(seed)
    command = shell("sleep 0.1; head -c 200000 /dev/zero | tr '\\0' x")
    text = ("".join(line(i, command) for i in range(20)) + "{wrong\n" +
            line("3"))
    specs = p.specs(text)
    words = ["--keep-going", "--jobs", "3", "--resume", specs, p.results]
    kills = 0
    for _ in range(6):
        goal = answered(p.results) + chance.randint(0, 3)
        began = p.start(*words, stderr=subprocess.DEVNULL)
        lib.wait_until(lambda: answered(p.results) >= goal or
                       began.poll() is not None, 60)
        time.sleep(chance.uniform(0, 0.05))
        began.kill()
        kills += began.wait() == -signal.SIGKILL
    r = p.run(*words)
    found = answers(p.results)
    tap.ok(kills > 2 and r.returncode in (0, 1), "killed %d times [%s]"
           % (kills, user), r.stderr)
    tap.equal(sorted((a["id"] or "", a["line"]) for a in found),
              sorted([(str(i), i + 1) for i in range(20)] +
                     [("", 21), ("", 22)]),
              "each is answered once (seed %d) [%s]" % (seed, user), r.stderr)
    size = os.path.getsize(p.results)
    r = p.run(*words)
    tap.ok(os.path.getsize(p.results) == size and
           b"22 of 22 lines" in r.stderr, "all are known then [%s]" % user,
           r.stderr)
    with open(p.results, "rb") as f:
        whole = f.read()
    for cut in (1, 3, 5000):
        with open(p.results, "wb") as f:
            f.write(whole[:-cut] if cut != 3 else whole + b'{"i')
        r = p.run(*words)
        tap.equal(sorted((a["id"] or "", a["line"])
                         for a in answers(p.results)),
                  sorted((a["id"] or "", a["line"]) for a in found),
                  "a torn end is mended, by %d [%s]" % (cut, user), r.stderr)
    p.specs(text.replace(line("7", command), line("7")))
    p.run(*words)
    tap.equal([a["id"] for a in answers(p.results)].count("7"), 2,
              "a line that was changed is run again [%s]" % user)


def main():
    tap = lib.Tap()
    parts = [runs, wrong, refuses, shards, apart, memory, slow, descriptors,
             again, busy, defaults, stops, killed]
    wanted = sys.argv[1:]
    for user in lib.users():
        for part in parts:
            if not wanted or part.__name__ in wanted:
                part(tap, user)
    tap.done()


main()
