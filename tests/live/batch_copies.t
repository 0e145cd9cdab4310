#!/usr/bin/env python3
"""batch_copies.t -- lines of a batch in copies of a template (docs/copies.md): a copy
finds the same as in a vessel made from the beginning, cannot reach the template,
and gives the same answer whatever happens to the template."""
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True
import lib  # noqa: E402

CLOCK_S = 240
COPIED = {"root": "template"}
with open(os.path.join(lib.SRC, "tests/live/batch_look.py")) as look_file:
    LOOK = ["/usr/bin/python3", "-I", "-S", "-c", look_file.read()]


def shell(text):
    return ["/bin/sh", "-c", text]


class Batch:
    """A batch that gets its lines one by one.  As root it asks for no cgroup,
    unless it is told to: with a cgroup of version 2 nothing is copied."""

    def __init__(self, user, repo, *words, jobs=1, program="cupel",
                 drop=None, has_cgroup=False):
        limits = [] if user == "user" or has_cgroup else [
            "--mem-bytes", "unlimited", "--pids-max", "unlimited",
            "--cpu-time-s", "unlimited"]
        self.n, self.errors = 0, tempfile.TemporaryFile("w+")
        self.p = subprocess.Popen(
            lib.become(user) + [lib.binary(program), "batch", "--jobs", str(jobs),
                                "--keep-going", "--repo", repo] + limits +
            list(words), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=self.errors, cwd="/",
            env=lib.clean_env({"CUPEL_TEST_DROP": drop} if drop else None))

    def tell(self, command, **more):
        self.n += 1
        doc = {"id": str(self.n), "command": command, **more}
        self.p.stdin.write(json.dumps(doc).encode() + b"\n")
        self.p.stdin.flush()

    def hear(self):
        text = self.p.stdout.readline()
        answer = json.loads(text) if text else {"error": "the batch ended"}
        return answer.get("result") or {"status": str(answer), "stdout": "",
                                        "enforced": {"mountns": {}}}

    def ask(self, command, **more):
        self.tell(command, **more)
        return self.hear()

    def warm(self, **more):
        """Two lines: the second is a copy."""
        self.ask(["/bin/true"], **more)
        return is_copy(self.ask(["/bin/true"], **more))

    def children(self):
        with open("/proc/%d/task/%d/children" % (self.p.pid, self.p.pid)) as f:
            return [int(pid) for pid in f.read().split()]

    def end(self):
        self.p.stdin.close()
        self.p.stdout.close()
        return self.p.wait(timeout=CLOCK_S)

    def said(self):
        """What the batch wrote to stderr, after its end."""
        self.errors.seek(0)
        return self.errors.read()


def is_copy(result):
    return result["enforced"]["mountns"].get("details") == COPIED


def lives(pid):
    with open("/proc/%d/stat" % pid) as f:
        return f.read().rsplit(")", 1)[1].split()[0] not in "ZX"


def shows(pid, source):
    """Whether the process has the directory mounted; only root may ask."""
    try:
        with open("/proc/%d/mountinfo" % pid) as f:
            return os.path.basename(source) in f.read()
    except OSError:
        return False


def processes():
    return [int(name) for name in os.listdir("/proc") if name.isdigit()]


def are_gone(pids):
    return lib.wait_until(lambda: not any(os.path.exists("/proc/%d" % p)
                                          for p in pids), 5)[0]


def same_as_cold(tap, user):
    b = Batch(user, lib.repo(user))
    cold, first, second = (b.ask(LOOK) for _ in range(3))
    b.end()
    if not tap.equal([cold["status"], first["status"], second["status"]],
                     ["OK"] * 3, "%s: each of three lines ends well" % user,
                     cold.get("stderr", "") + first.get("stderr", "")):
        return
    tap.equal([is_copy(r) for r in (cold, first, second)], [False, True, True],
              "%s: the first of a shape is no copy, the others are" % user)
    for name, copy in (("first", first), ("second", second)):
        want, got = (json.loads(r["stdout"])["own"] for r in (cold, copy))
        # A process that writes its own id map has to give up setgroups(2) first.
        want["maps"][1] = got["maps"][1] = "deny\n"
        tap.equal({k: got[k] for k in got if got[k] != want.get(k)}, {},
                  "%s: the %s copy finds what a cold vessel has" % (user, name),
                  json.dumps(want)[:3000])
        walls = {k: v for k, v in copy["enforced"].items() if k != "mountns"}
        tap.equal({k: v for k, v in walls.items() if v != cold["enforced"][k]},
                  {}, "%s: the %s copy's walls are a cold vessel's"
                  % (user, name))


def template_apart(tap, user):
    b = Batch(user, lib.repo(user))
    b.warm()
    seen = json.loads(b.ask(LOOK)["stdout"])["namespaces"]
    found = {}
    for pid in b.children():
        for name in seen:
            try:
                found.setdefault(name, set()).add(
                    os.readlink("/proc/%d/ns/%s" % (pid, name)))
            except OSError:
                pass  # not dumpable, and we are not root
    own = {n: os.readlink("/proc/self/ns/" + n) for n in seen}
    shared = [n for n in seen if seen[n] == own[n] or
              (n != "net" and seen[n] in found.get(n, ()))]
    tap.equal(shared, [], "%s: a copy has all namespaces for itself" % user)
    pids = b.children()
    tap.ok(len(pids) > 0, "%s: a template waits" % user)
    owners = {os.stat("/proc/%d/fd" % pid).st_uid for pid in pids}
    tap.equal(owners, {0}, "%s: the template's memory is closed" % user)
    if os.geteuid() == 0:
        # What it had for the last copy is closed when it has answered.
        lib.wait_until(lambda: {len(os.listdir("/proc/%d/fd" % pid))
                                for pid in pids} == {2})
        counts = {len(os.listdir("/proc/%d/fd" % pid)) for pid in pids}
        kept = {open("/proc/%d/fdinfo/%s" % (pid, fd)).read().split("flags:")[1]
                .split()[0] for pid in pids
                for fd in os.listdir("/proc/%d/fd" % pid)}
        tap.ok(all(int(flags, 8) & os.O_CLOEXEC for flags in kept),
               "%s: which no program could inherit" % user, str(kept))
        tap.equal(counts, {2}, "%s: it holds its socket of orders and the "
                  "directory of counts, and nothing else" % user)
    pids = b.children()
    b.end()
    tap.ok(are_gone(pids), "%s: it ends with the batch" % user)


def template_lost(tap, user):
    b = Batch(user, lib.repo(user))
    tap.ok(b.warm(), "%s: there is a template" % user)
    for pid in b.children():
        os.kill(pid, signal.SIGKILL)
    r = b.ask(shell("echo here"))
    tap.equal([r["status"], r["stdout"]], ["OK", "here\n"],
              "%s: one that was killed while it waited costs nothing" % user,
              r.get("message"))
    b.warm()
    nap = lib.nap(8)
    b.tell(shell("cat; sleep %s; echo there" % nap), stdin="/etc/hostname")
    lib.wait_until(lambda: lib.with_word(nap), 20)
    for pid in b.children():
        os.kill(pid, signal.SIGKILL)
    r = b.hear()
    with open("/etc/hostname") as f:
        want = f.read() + "there\n"
    tap.equal([r["status"], r["stdout"]], ["OK", want],
              "%s: one that is killed during a run costs a cold start" % user,
              r.get("message"))
    tap.ok(not is_copy(r), "%s: which says that it was one" % user)
    for _ in range(3):
        b.warm()
        time.sleep(1.5)  # until the vessel has gone, and before the template is ended
        for pid in b.children():
            os.kill(pid, signal.SIGSTOP)
        began = time.monotonic()
        r = b.ask(shell("echo late"))
        took = time.monotonic() - began
        if not is_copy(r):
            break
    tap.equal([r["status"], r["stdout"], is_copy(r)], ["OK", "late\n", False],
              "%s: one that does not answer costs a cold start" % user,
              r.get("message"))
    tap.ok(took > 1.5, "%s: and some seconds" % user, took)
    tap.clock("%s: a template that does not answer" % user, took, 8)
    b.end()
    # a template that was stopped in an earlier try may have been asked once more
    tap.ok(re.match("cupel: [2-5] lines had to be run from the beginning because a copy "
                    "of a template failed; the last time: the template ended, or did "
                    "not answer", b.said()),
           "%s: and the end of the batch tells of these" % user, b.said())


def refused(tap, user):
    repo = lib.repo(user)
    rows = [("a writable view", {"repo_mode": "overlay"}),
            ("a trace", {"trace": "exec"}),
            ("scoped egress", {"network": "scoped",
                               "egress": ["example.org:443"]}),
            ("artifacts", {"artifact": ["/scratch/none"]})]
    for why, more in rows:
        b = Batch(user, repo)
        results = [b.ask(["/bin/true"], **more) for _ in range(3)]
        tap.ok(not any(is_copy(r) for r in results),
               "%s: %s is never copied" % (user, why))
        b.end()


def host_changes(tap, user):
    repo = lib.repo(user)
    lib.put(user, repo + "/text", "old\n")
    b = Batch(user, repo)
    b.ask(["/bin/cat", "text"])
    first = b.ask(["/bin/cat", "text"])
    lib.put(user, repo + "/text.new", "new\n")
    os.rename(repo + "/text.new", repo + "/text")
    second = b.ask(["/bin/cat", "text"])
    tap.equal([first["stdout"], second["stdout"], is_copy(second)],
              ["old\n", "new\n", True],
              "%s: a copy sees a file that was replaced" % user)
    os.mkdir(repo + "/made")
    third = b.ask(["/bin/ls", "-d", "made"])
    tap.equal([third["stdout"], is_copy(third)], ["made\n", True],
              "%s: and a directory that was made" % user)
    os.rename(repo, repo + ".old")
    os.mkdir(repo)
    lib.give(user, repo)
    lib.put(user, repo + "/text", "another\n")
    fourth = b.ask(["/bin/cat", "text"])
    tap.equal(fourth["stdout"], "another\n",
              "%s: a repository that was exchanged is another shape" % user)
    b.end()


def own_policy(tap, user):
    b = Batch(user, lib.repo(user))
    b.warm()
    rows = [({"nofile": 40}, "ulimit -n", "40\n"),
            ({"env": ["A=b"]}, "echo $A", "b\n"),
            ({"chdir": "/tmp"}, "pwd", "/tmp\n"),
            ({"scratch_bytes": "1M"},
             "head -c 2000000 /dev/zero >/scratch/x 2>/dev/null || echo full",
             "full\n"),
            ({"wall_time_s": 0.5}, "sleep 9", "")]
    for more, text, want in rows:
        r = b.ask(shell(text), **more)
        tap.equal([r["stdout"], is_copy(r)], [want, True],
                  "%s: %s is a copy's own" % (user, list(more)[0]),
                  r.get("message"))
    tap.equal(r["status"], "TIMEOUT", "%s: and so is its end" % user)
    r = b.ask(["/usr/bin/python3", "-c",
               "import ctypes; ctypes.CDLL(None).mount(0, 0, 0, 0, 0)"])
    tap.equal([r["status"], is_copy(r)], ["FORBIDDEN_SYSCALL", True],
              "%s: a forbidden call ends a copy" % user)
    tap.ok("\"mount\"" in json.dumps(r["violation"]), "%s: and is named" % user)
    b.end()


def several_at_once(tap, user):
    b = Batch(user, lib.repo(user), jobs=4)
    for _ in range(40):
        b.tell(shell("echo $$; sleep 0.05"))
    results = [b.hear() for _ in range(40)]
    b.end()
    tap.equal([r["status"] for r in results], ["OK"] * 40,
              "%s: four at once end well" % user)
    copies = sum(map(is_copy, results))
    tap.ok(copies >= 39, "%s: and all but the first are copies, %d"
           % (user, copies))


def descriptors(tap, user):
    """Templates, and vessels that are ending, use few of the descriptors that runs
    need."""
    text = "".join(json.dumps({"id": str(i), "command": ["/bin/sleep", "0.2"]})
                   + "\n" for i in range(150))
    r = subprocess.run(["sh", "-c", "ulimit -n 1024; exec \"$@\"", "-"] +
                       lib.become(user) +
                       [lib.binary("cupel"), "batch", "--jobs", "64",
                        "--keep-going", "--repo", lib.repo(user)],
                       input=text.encode(), capture_output=True,
                       timeout=CLOCK_S, env=lib.clean_env(), cwd="/")
    tap.has(r.stderr.decode(), "150 OK, 0 not",
            "%s: 64 at once, with 1024 descriptors" % user)


def of_version_1(user):
    """Whether a run has a cgroup of version 1 here."""
    r = lib.run([lib.binary("cupel"), "run", "--json", "--repo", lib.repo(user),
                 "/bin/true"], user)
    how = json.loads(r.out.decode())["enforced"]["memory_total"]["details"]
    return how.get("by") == "cgroup" and how.get("version") == 1


def in_a_cgroup(tap, user):
    """A copy is in a cgroup of its own before it makes anything."""
    if not of_version_1(user):
        print("# %s: no cgroup of version 1" % user)
        return
    b = Batch(user, lib.repo(user), has_cgroup=True)
    cold, first, second = (b.ask(LOOK) for _ in range(3))
    tap.equal([(r["status"], is_copy(r)) for r in (cold, first, second)],
              [("OK", False), ("OK", True), ("OK", True)],
              "%s: with a cgroup, too, the later ones are copies" % user,
              first.get("message"))
    for copy in (first, second):
        walls = {k: v for k, v in copy["enforced"].items() if k != "mountns"}
        tap.equal({k: v for k, v in walls.items() if v != cold["enforced"][k]},
                  {}, "%s: whose walls are a cold vessel's" % user)
    read = ["/bin/cat", "/proc/self/cgroup"]
    tap.equal(b.ask(read)["stdout"], lib.run(
        [lib.binary("cupel"), "run", "--repo", lib.repo(user)] + read,
        user).out.decode(), "%s: it sees of its cgroup what any vessel does" % user)
    hog = b.ask(shell("head -c 200000000 /dev/zero | tail -c 190000000 | wc -c"),
                mem_bytes="32M")
    tap.equal([hog["status"], is_copy(hog)], ["MEM_LIMIT", True],
              "%s: and its limit holds" % user, hog.get("message"))
    kept = b.ask(shell("head -c 9000000 /dev/zero >/scratch/x; sleep 0.1"))
    tap.ok(kept["usage"].get("peak_memory_bytes", 0) > 8000000,
           "%s: what it writes counts there" % user, str(kept["usage"]))
    b.end()


def unattested(tap, user):
    """A copy that finds a wall of its template missing does not run.  In each row
    the template leaves out one wall and claims to have it."""
    for drop, what in (("attest", "a root that can be written to"),
                       ("attest_bind", "a source that can be written to"),
                       ("attest_device", "another device")):
        b = Batch(user, lib.repo(user), program="tests/cupel-testing",
                  drop=drop)
        results = [b.ask(shell("echo here")) for _ in range(5)]
        tap.equal([(r["status"], r["stdout"], is_copy(r)) for r in results],
                  [("OK", "here\n", False)] * 5,
                  "%s: %s is found, and makes no copy" % (user, what))
        tap.ok(lib.wait_until(lambda: not any(map(lives, b.children())), 5)[0],
               "%s: and no template is kept" % user)
        b.end()
        tap.ok(re.match("cupel: 3 lines had to be run from the beginning because a copy "
                        "of a template failed; the last time: .*\ncupel: 5 OK", b.said()),
               "%s: and the end of the batch tells of it" % user, b.said())
    b = Batch(user, lib.repo(user), program="tests/cupel-testing",
              drop="ipv6")
    tap.ok(b.warm(), "%s: what is no such wall leaves copies" % user)
    b.end()


def late_answer(tap, user):
    """A copy may have ended before its template says that it was made.  Its end is not
    taken for the template's."""
    b = Batch(user, lib.repo(user), program="tests/cupel-testing", drop="answer")
    results = [b.ask(shell("echo here")) for _ in range(3)]
    kept = b.children()
    results += [b.ask(shell("echo here"))]
    tap.equal([(r["status"], r["stdout"], is_copy(r)) for r in results[1:]],
              [("OK", "here\n", True)] * 3,
              "%s: a copy that ends before its template answers is one" % user)
    time.sleep(0.3)
    tap.ok(kept and set(kept) <= set(b.children()), "%s: and ends no template" % user,
           "%r %r" % (kept, b.children()))
    b.end()
    tap.equal(b.said(), "cupel: 4 OK, 0 not OK, 0 wrong lines\n",
              "%s: and is not run again" % user)


def killed_by_itself(tap, user):
    """It is known who sent a SIGKILL: a template that ends closes its connection
    first."""
    b = Batch(user, lib.repo(user))
    b.warm()
    r = b.ask(shell("echo once; kill -9 $$"))
    tap.equal([r["status"], r["stdout"], is_copy(r)],
              ["KILLED_KILL", "once\n", True],
              "%s: a command that kills itself is run once" % user,
              r.get("message"))
    results = [b.ask(shell("kill -9 $$")) for _ in range(4)]
    tap.equal([(r["status"], is_copy(r)) for r in results],
              [("KILLED_KILL", True)] * 4,
              "%s: and is no failure of the template" % user)
    b.end()


def unused(tap, user):
    """A template keeps the directories that it shows mounted, so a template that
    nobody uses is ended while the batch goes on."""
    seen = lib.make_dir(user)
    b = Batch(user, lib.repo(user), "--ro", seen + ":/seen")
    b.warm()
    kept = b.children()
    tap.ok(len(kept) > 0, "%s: a template waits for the next line" % user)
    copied = []
    for _ in range(5):
        time.sleep(1)
        copied.append(is_copy(b.ask(["/bin/true"])))
    tap.equal([copied, len(set(kept) & set(b.children())) > 0],
              [[True] * 5, True], "%s: one that is used now and then is kept"
              % user)
    began = time.monotonic()
    gone = lib.wait_until(lambda: not b.children(), 20)[0]
    took = time.monotonic() - began
    tap.ok(gone and took > 1.5, "%s: one that is not used is ended, but not at once"
           % user, took)
    tap.clock("%s: a template that is not used is ended" % user, took, 9)
    tap.ok(not any(shows(pid, seen) for pid in processes()),
           "%s: and nobody has its source mounted any more" % user)
    tap.ok(is_copy(b.ask(["/bin/true"])),
           "%s: the next line has a new one" % user)
    if os.geteuid() == 0:
        tap.ok(any(shows(pid, seen) for pid in b.children()),
               "%s: which has it mounted" % user)
    b.end()


def shapes(tap, user):
    repo = lib.repo(user)
    dirs = [lib.make_dir(user) for _ in range(30)]
    b = Batch(user, repo)
    most, bad, copies = 0, [], 0
    for _ in range(3):
        for d in dirs:
            r = b.ask(["/bin/ls", "/seen"], ro=[d + ":/seen"])
            copies += is_copy(r)
            bad += [r["message"]] if r["status"] != "OK" else []
            most = max(most, len(b.children()))
    tap.equal(bad, [], "%s: many shapes in turn end well" % user)
    tap.ok(copies >= 60, "%s: and are copied, %d of 90" % (user, copies))
    tap.ok(most <= 10, "%s: at most 10 processes of ours wait, %d"
           % (user, most))
    pids = b.children()
    b.p.kill()
    b.p.wait()
    tap.ok(are_gone(pids), "%s: a killed batch leaves none" % user)


def main():
    tap = lib.Tap()
    for user in lib.users():
        for part in (same_as_cold, template_apart, template_lost, refused,
                     host_changes, own_policy, several_at_once, descriptors,
                     unattested, shapes, late_answer, killed_by_itself, unused,
                     in_a_cgroup):
            part(tap, user)
    tap.done()


main()
