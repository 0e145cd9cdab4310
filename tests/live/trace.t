#!/usr/bin/env python3
"""trace.t -- the trace of a run names what was executed and connected to,
however the program does it and whatever it changes meanwhile
(docs/traces.md); and a program cannot notice that it is traced."""
import os
import shutil
import signal
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True
import lib  # noqa: E402

ACTS = "/repo/trace_acts"
FLIPS = 300
SLOW_EXECS = 600
KILLS = 2000
TOLD_MAX = 4096
BURST = 100000 if os.environ.get("CUPEL_TIER") == "full" else 10000
SUPPLY_S = 20  # for something that has to happen in another process


def act(user, text, options="", **kw):
    """One act in a traced run with the profile test and a loopback network."""
    words = ("--trace exec,connect --profile test --network loopback " +
             options).split()
    return lib.go(user, words, ACTS, *text.split(), **kw)


def told(run, kind, **want):
    """The events of a kind that have all of these values."""
    trace = (run.json or {}).get("trace") or {"events": []}
    return [e for e in trace["events"]
            if e["kind"] == kind and all(e[k] == v for k, v in want.items())]


def execs(result):
    """All execs after the command's own."""
    return told(result, "exec")[1:]


def is_complete(result):
    trace = result.get("trace")
    return (trace["coverage_ok"] and trace["lost"] == 0 and
            trace["events_omitted"] == 0 and trace["coverage"] == [])


# --- execs -----------------------------------------------------------------------

# act: its exit status, the path, argv[0], and whether the file has no name
WAYS = {
    "thread": (7, ACTS, "of-thread", False),
    "vfork": (0, ACTS, "of-vfork", False),
    "spawn": (0, ACTS, "of-spawn", False),
    "deleted": (0, "/scratch/gone", "of-deleted", True),
    "procfd": (0, "/scratch/linked", "of-procfd", False),
    "memfd": (0, "memfd:hidden", "of-memfd", True),
    "hurry": (0, ACTS, "in-a-hurry", False),
}


def way_test(tap, user, name):
    rc, path, word, is_sealed = WAYS[name]
    # the shipped policies do not let commands make memory files
    policy = lib.put("user", os.path.join(lib.TMP, "open-%s.json" % user),
                     '{"defaultAction": "SCMP_ACT_ALLOW"}')
    r = act(user, name, "--seccomp " + policy if name == "memfd" else "")
    found = execs(r)
    is_told = len(found) == 1 and found[0]["path"] == path
    # if it was killed before its first instruction, the exec is only a claim
    # if it was killed a moment later, its words cannot be read any more
    is_cut = name == "hurry" and is_told and (found[0]["result"] == 4 or
                                              found[0]["argv_cut"])
    tap.ok(r.rc == rc and is_told and is_complete(r) and
           (is_cut or (found[0]["argv"][:1] == [word] and
                       found[0]["verified"] and
                       found[0]["sealed"] == is_sealed)),
           "%s: %s is told" % (user, name), "%s %r" % (r.brief(), found))


def killed_test(tap, user):
    """Some 2 to 7% of the kills come while the tracer reads; three tries for one."""
    silent, tries = [], []
    while len(tries) < 3 and not any(tries):
        r = act(user, "killed %d" % KILLS)
        found = [e for e in execs(r) if e["result"] == 0]
        silent += [e for e in found if not e["argv_cut"] and
                   e["argv"] != ["to-be-killed", "leave", "0"]]
        if r.rc != 0 or len(execs(r)) != KILLS or not is_complete(r):
            silent.append(r.brief())
        tries.append(sum(e["argv_cut"] for e in found))
    tap.ok(silent == [], user + ": argv of a process that is killed is whole, or "
           "said to be cut", "%d %r" % (len(silent), silent[:3]))
    tap.ok(tries[-1] > 0, user + ": (control) some could not be read", repr(tries))


def program_test(tap, user):
    """Scripts, the dynamic linker, and the tree of which process started which."""
    r = lib.go(user, ["--trace", "exec"], "sh", "-c",
               "/repo/script; /lib64/ld-linux-x86-64.so.2 /bin/true; "
               "(sh -c 'exec true'); true")
    found = execs(r)
    script = [e for e in found if e["path"] == "/repo/script"]
    tap.ok(r.rc == 0 and len(script) == 1 and script[0]["verified"] and
           script[0]["interpreter"].endswith("sh") and
           script[0]["argv"] == ["/bin/sh", "/repo/script"] and
           script[0]["path_verified"] is False and
           all(e["path_verified"] for e in found if e not in script),
           user + ": a script is told with its interpreter, by the name it "
           "was given", repr(found))
    linked = [e for e in found if "ld-linux" in e["path"]]
    tap.ok(os.uname().machine != "x86_64" or
           (len(linked) == 1 and linked[0]["argv"][1] == "/bin/true"),
           user + ": a program that the linker starts is in its argv",
           repr(found))
    first = told(r, "exec")[0]
    tap.ok(first["pid"] == 2 and first["ppid"] == 1 and
           script[0]["ppid"] == 2,
           user + ": pids are those inside", repr(found))


def failed_test(tap, user):
    r = act(user, "fails")
    found = execs(r)
    tap.ok(len(found) == 2 and found[0]["path"] == "/usr/bin/tool" and
           found[0]["repeats"] == 2 and found[0]["result"] == 2 and
           not found[0]["verified"] and found[1]["path"] == "/etc/passwd" and
           found[1]["result"] in (2, 13),
           user + ": tries along PATH are folded, failed ones are claims",
           "%s %r" % (r.brief(), found))


def flip_test(tap, user):
    r = act(user, "flip %d" % FLIPS)
    a = len(told(r, "exec", path="/scratch/side-a"))
    b = len(told(r, "exec", path="/scratch/side-b"))
    tap.ok(r.get("stdout") == "counts %d %d\n" % (a, b) and a + b == FLIPS,
           user + ": a path that another thread changes is told as it was "
           "executed", "%s told %d %d" % (r.brief(), a, b))
    tap.ok(a > 0 and b > 0, user + ": (control) both were", r.brief())
    r = act(user, "flip-argv %d" % FLIPS)
    words = [e["argv"][2] for e in execs(r)]
    a, b = words.count("11"), words.count("22")
    tap.ok(r.get("stdout") == "counts %d %d\n" % (a, b) and a > 0 and b > 0,
           user + ": so are arguments", "%s told %d %d" % (r.brief(), a, b))


def forged(user, **more):
    """How many shells ended with 11 and 22, how many the trace has of each, and
    how often their words could be written."""
    r = act(user, "forge %d" % FLIPS, **more)
    said = [e["argv"][2:] for e in execs(r)]
    words = (r.get("stdout") or "").split()
    return (words[1:3], ["%d" % said.count(["exit %d" % n]) for n in (11, 22)],
            words[-1:], r)


def forge_test(tap, user):
    ran, known, wrote, r = forged(user)
    tap.ok(ran == known == ["0", "%d" % FLIPS] and wrote == ["0"],
           user + ": nobody writes over the words of a program before they "
           "are read", "%s told %r" % (r.brief(), known))
    for _ in range(5):  # each try succeeds in some of a hundred
        ran, known, wrote, r = forged(
            user, program="tests/cupel-testing",
            env={"CUPEL_TEST_GATHER_DROP": "trace_memory"})
        if ran != known:
            break
    tap.ok(ran != known and wrote != ["0"],
           user + ": (control) without that wall a shell is told with words "
           "that it did not have", "%s told %r" % (r.brief(), known))


def long_test(tap, user):
    """What is behind the part of a word that is recorded."""
    text = "exit 0; " + "#" * 300
    found = []
    for tail in ("a", "b", "a"):
        r = lib.go(user, "--trace exec", "sh", "-c", text + tail)
        first = told(r, "exec")[0]
        found.append((first["argv"], first["argv_cut"],
                      first.get("argv_digest")))
    tap.ok(found[0] == found[2] and found[0][:2] == found[1][:2] and
           found[0][1] and found[0][2] and found[0][2] != found[1][2],
           user + ": of words that are cut there is a digest of all",
           repr(found))


def work_test(tap, user):
    """The tracer's CPU time is the command's: it decides how much there is."""
    r = act(user, "work 20000", "--cpu-time-s 600 --wall-time-s 600")
    usage = r.get("usage")
    own = usage["cpu_user_ms"] + usage["cpu_system_ms"]
    tap.ok(r.rc == 0 and usage["cpu_tree_ms"] > own + 50,
           user + ": what the tracer works for a command counts as the tree's",
           repr(usage))
    r = act(user, "work 100000000", "--cpu-time-s 2 --wall-time-s 600")
    usage = r.get("usage")
    tap.ok(r.status == "CPU_LIMIT" and usage["cpu_tree_ms"] >= 2000 and
           usage["cpu_user_ms"] + usage["cpu_system_ms"] < 1900,
           user + ": and is limited with it", "%s %r" % (r.brief(), usage))


def wait_test(tap, user):
    """No call of the tracer's waits for what a second thread does meanwhile."""
    r = act(user, "unblock 200", "--wall-time-s 300 --nproc 400 "
            "--pids-max 400 --nofile 1024", clock_s=600)
    tap.ok(r.get("stdout") == "ended 200\n",
           user + ": O_NONBLOCK that another thread takes off holds up nobody",
           r.brief())
    r = act(user, "linger 100", "--wall-time-s 300", clock_s=600)
    tap.ok(r.get("stdout") == "tries 100\n",
           user + ": nor does a socket that lingers when the tracer closes it",
           r.brief())


def burst_test(tap, user, n):
    r = act(user, "burst %d" % n, "--wall-time-s 600 --cpu-time-s 600",
            clock_s=700)
    trace = r.get("trace")
    tap.ok(r.status == "OK" and len(trace["events"]) == TOLD_MAX and
           trace["events_omitted"] == n + 1 - TOLD_MAX and
           not trace["coverage_ok"] and
           [c["cause"] for c in trace["coverage"]] == ["limit"],
           "%s: of %d execs %d are told and the others counted"
           % (user, n, TOLD_MAX),
           "%s %r" % (r.brief(), {k: v for k, v in trace.items()
                                  if k != "events"}))


# --- connects ----------------------------------------------------------------------

ANSWERS = ("plain 0 again 106 flags 1 refused 111 badf 9 notsock 88 fault 14 "
           "long 22 short 22 begun 115 then 0\n")


def answers_test(tap, user):
    plain = lib.go(user, "--profile test --network loopback", ACTS, "answers")
    r = act(user, "answers")
    tap.ok(r.get("stdout") == plain.get("stdout") == ANSWERS,
           user + ": connect answers as without a tracer",
           "%r %r" % (r.get("stdout"), plain.get("stdout")))
    tap.ok([e["result"] for e in told(r, "connect")] ==
           [0, 106, 111, 22, 115, 0] and
           all(e["verified"] for e in told(r, "connect")),
           user + ": each is told with its result", repr(told(r, "connect")))
    none = [lib.go(user, "--profile test --network=none" + more, ACTS,
                   "nowhere").get("stdout")
            for more in ("", " --trace connect")]
    tap.ok(none[0] == none[1] and none[0].startswith("stream "),
           user + ": without a network, too", repr(none))


def kinds_test(tap, user):
    r = act(user, "unspec")
    tap.ok([(e["family"], e["type"]) for e in told(r, "connect")] ==
           [("inet", "dgram"), ("unspec", "dgram")],
           user + ": datagrams and AF_UNSPEC are told apart",
           r.brief() + repr(told(r, "connect")))
    plain = lib.go(user, "--profile test --network loopback", ACTS, "fast")
    r = act(user, "fast")
    tap.ok(plain.get("stdout") ==
           "sendto 0 sendmsg 0 sendmmsg 0 accepted 3\n" and
           r.get("stdout") ==
           "sendto 95 sendmsg 95 sendmmsg 95 accepted 0\n" and
           told(r, "connect") == [] and is_complete(r),
           user + ": a send that connects is refused, as where there is no "
           "fast open", r.brief() + repr(plain.get("stdout")))
    policy = lib.put("user", os.path.join(lib.TMP, "kinds-%s.json" % user),
                     '{"defaultAction": "SCMP_ACT_ALLOW"}')
    r = act(user, "kinds", "--seccomp " + policy)
    tap.ok(r.get("stdout") == "deferred 95 sctp 93 seqpacket 94 dccp 94 "
           "smc 97 vsock 97\n",
           user + ": nothing connects in a way of its own, under any policy",
           r.brief())
    r = act(user, "unix")
    tap.ok(r.rc == 0 and [(e["path"], e["verified"]) for e in
                          told(r, "connect")] == [("/scratch/s", False)],
           user + ": a local socket is told, as a claim, and sees its peer",
           r.brief() + repr(told(r, "connect")))


def gaps(result):
    return {c["cause"]: c["count"] for c in result.get("trace.coverage")}


def claim_test(tap, user):
    """Descriptors that are changed during a connect that goes on by itself."""
    for more in ("", " 1"):
        r = act(user, "swap %d%s" % (FLIPS, more))
        words = r.get("stdout").split()
        reached = int(words[3])
        known = len(told(r, "connect", port=int(words[1]), result=0))
        tap.ok(reached > 0 and
               known + gaps(r).get("tracer_refused", 0) >= reached and
               (known >= reached or r.get("trace.coverage_ok") is False),
               "%s: what was reached by another socket in its place is told "
               "or counted%s" % (user, more and ", however it is covered up"),
               "%s known %d %r" % (r.brief(), known, gaps(r)))
    r = act(user, "local-threads")
    tap.ok(r.get("stdout") == "met 40\n" and is_complete(r),
           user + ": threads that connect to local sockets leave no doubt",
           "%s %r" % (r.brief(), gaps(r)))
    r = act(user, "local-stale")
    tap.ok(r.rc == 0 and is_complete(r),
           user + ": nor does a process by itself that is refused",
           "%s %r" % (r.brief(), gaps(r)))
    r = act(user, "local-shared")
    tap.ok(r.rc == 0 and gaps(r) == {"tracer_refused": 1},
           user + ": one that shares its descriptors does",
           "%s %r" % (r.brief(), gaps(r)))


def held_test(tap, user):
    r = act(user, "interrupted")
    results = [e["result"] for e in told(r, "connect")]
    tap.ok(r.get("stdout") == "signal 4 time 115\n" and
           results[-2:] == [4, 115],
           user + ": a connect that waits ends by a signal and in its time",
           "%s %r" % (r.brief(), results))
    r = act(user, "held")
    tap.ok(r.get("stdout") == "held 0 blocking 1\n" and
           told(r, "connect")[-1]["result"] == 0,
           user + ": and goes on when there is room", r.brief())


def race_test(tap, user):
    r = act(user, "flip-connect %d" % FLIPS)
    words = r.get("stdout").split()
    counts = [len(told(r, "connect", port=int(p))) for p in words[1:3]]
    tap.ok(words[4:6] == ["%d" % n for n in counts] and
           sum(counts) == FLIPS,
           user + ": an address that another thread changes is told as it "
           "was connected to", "%s told %r" % (r.brief(), counts))
    tap.ok(min(counts) > 0, user + ": (control) both were", r.brief())
    r = act(user, "shutdown 200")
    words = r.get("stdout").split()
    reached = len(told(r, "connect", port=int(words[2]), result=0))
    tap.ok(reached == int(words[4]),
           user + ": shutdown(2) of a held connect hides no other one",
           "%s told %d" % (r.brief(), reached))


def witness_test(tap, user):
    """The packets that were seen in the vessel's network, without looking at any
    process, are those of the connections in the trace."""
    r = lib.go(user, "--trace connect --profile test --network scoped "
               "--egress nothing.example:443 --nproc 64", ACTS, "scatter")
    seen = sorted((e["address"], e["port"]) for e in r.get("egress"))
    known = sorted((e["address"], e["port"]) for e in told(r, "connect"))
    tap.ok(len(seen) == 64 and known == seen and is_complete(r) and
           all(e["verdict"] == "refused" and e["verified"]
               for e in told(r, "connect")),
           user + ": what was told is what a witness in the network saw",
           "%s told %d seen %d" % (r.brief(), len(known), len(seen)))


def crowd_test(tap, user):
    r = act(user, "crowd 300", "--nproc 400 --pids-max 400 --nofile 1024")
    tap.ok(r.status == "OK" and r.get("stdout") == "met 300\n",
           user + ": 300 threads that wait hold up nobody", r.brief())


# --- nothing is different ------------------------------------------------------------

SAME = {
    "stops": "stopped 1 continued 1 ended 1\n",
    "sleeps": "slept 0 waited 0\n",
}
OTHER = {  # here the man page says what is different
    "debug": "traceme 1 seize 1\n",
    "untraced": "errno 38\n",
    "adopted": "seize 1 errno 38\n",
}


def life_test(tap, user):
    for name, want in SAME.items():
        plain = lib.go(user, "--profile test", ACTS, name)
        r = act(user, name)
        tap.ok(r.get("stdout") == plain.get("stdout") == want,
               "%s: %s as without a tracer" % (user, name),
               "%r %r" % (r.get("stdout"), plain.get("stdout")))
    for name, want in OTHER.items():
        r = act(user, name)
        tap.ok(r.get("stdout") == want and execs(r) == [],
               "%s: %s: no" % (user, name), r.brief())
    r = act(user, "foreign")
    # on a machine without a 32-bit entry the call faults, also outside
    alone = lib.run([lib.repo(user) + "/trace_acts", "foreign"], user).out
    tap.ok(os.uname().machine != "x86_64" or
           (alone == b"signal 11\n" and r.get("stdout") == "signal 11\n" and
            r.get("trace.coverage_ok") is True) or
           (r.get("stdout") == "signal 31\n" and
            r.get("trace.coverage") == [{"cause": "foreign_abi",
                                         "count": 1}] and
            r.get("trace.coverage_ok") is False),
           user + ": a call of 32 bits is killed and counted", r.brief())


def forbidden_test(tap, user):
    """No forbidden call goes unseen in a traced run either."""
    for way in ("vanish-exit", "vanish-exec", "vanish-child",
                "vanish-signal"):
        seen = {lib.attack(user, "--trace exec,connect", way).status
                for _ in range(20)}
        tap.ok(seen == {"FORBIDDEN_SYSCALL"},
               "%s: %s is forbidden in a traced run, too" % (user, way),
               repr(seen))
    seen = {lib.attack(user, "--trace exec,connect", text).status
            for text in ("exit 0", "orphans 5", "threads 4",
                         "daemon-herd 8") for _ in range(3)}
    tap.ok("FORBIDDEN_SYSCALL" not in seen,
           user + ": what is honest is not", repr(seen))


# --- the tracer ends -------------------------------------------------------------------

def children_of(pid):
    try:
        with open("/proc/%d/task/%d/children" % (pid, pid)) as f:
            return [int(word) for word in f.read().split()]
    except OSError:
        return []


def name_of(pid):
    """Its first argument, which is the only name of a program in a memory file."""
    try:
        with open("/proc/%d/cmdline" % pid) as f:
            return f.read().split("\0")[0]
    except OSError:
        return ""


def find_tracer(pid):
    """The tracer among the children of cupel, once the command runs."""
    until = time.monotonic() + SUPPLY_S
    while time.monotonic() < until:
        for child in children_of(pid):
            if name_of(child) == "cupel-tracer":
                return child
        time.sleep(0.01)
    return None


def find_below(pid, name):
    """The process of that name below pid, or None."""
    for child in children_of(pid):
        found = child if name_of(child) == name else find_below(child, name)
        if found is not None:
            return found
    return None


def has_left(pid, name):
    left, _ = lib.wait_until(lambda: name_of(pid) != name, SUPPLY_S)
    return left


def killed_tracer_test(tap, user, argv):
    p = lib.start(argv, user)
    tracer = find_tracer(p.pid)
    begun, _ = lib.wait_until(lambda: find_below(p.pid, ACTS), SUPPLY_S)
    time.sleep(1)  # by now the supervisor has its record
    if tracer is not None:
        os.kill(tracer, signal.SIGKILL)
    out, _ = p.communicate(timeout=lib.CLOCK_S)
    tap.ok(tracer is not None and b'"status":"INTERNAL_ERROR"' in out and
           b"tracer" in out and b'"coverage_ok":true' not in out,
           user + ": a tracer that is killed ends the run, whose trace is not "
           "whole", repr(out[:300]))
    tap.ok(begun and b'"kind":"exec"' in out,
           user + ": and what it saw before is told", repr(out[-600:]))


def killed_supervisor_test(tap, user, argv):
    p = lib.start(argv, user)
    tracer = find_tracer(p.pid)
    p.kill()
    p.communicate()
    tap.ok(tracer is not None and has_left(tracer, "cupel-tracer"),
           user + ": the tracer ends with its supervisor")
    p = lib.start(argv, user)
    tracer = find_tracer(p.pid)
    begun, _ = lib.wait_until(lambda: find_below(p.pid, ACTS), SUPPLY_S)
    command = find_below(p.pid, ACTS)
    init = find_below(p.pid, "cupel-init")
    if tracer and command and init:
        os.kill(init, signal.SIGSTOP)  # so that it kills nothing
    p.kill()
    p.communicate()
    tap.ok(tracer and command and init and begun and
           has_left(tracer, "cupel-tracer") and has_left(command, ACTS),
           user + ": and what it traces with it, whatever init does",
           (tracer, command, init))
    if init:
        os.kill(init, signal.SIGKILL)


def slow_supervisor_test(tap, user):
    """More records wait for the supervisor than the socket holds."""
    p = lib.start([lib.binary("cupel"), "run", "--repo", lib.repo(user),
                   "--trace", "exec", "--json", "--wall-time-s", "60", "--",
                   "/bin/sh", "-c", "sleep 3; i=0; while [ $i -lt %d ]; do "
                   "/bin/true; i=$((i + 1)); done" % SLOW_EXECS], user)
    begun, _ = lib.wait_until(lambda: find_below(p.pid, "sleep"), SUPPLY_S)
    command = find_below(p.pid, "/bin/sh")
    os.kill(p.pid, signal.SIGSTOP)
    ended = command is not None and has_left(command, "/bin/sh")
    os.kill(p.pid, signal.SIGCONT)
    out, _ = p.communicate(timeout=lib.CLOCK_S)
    tap.ok(begun and ended and b'"status":"OK"' in out and
           b'"coverage_ok":true' in out and
           out.count(b'"path":"/usr/bin/true"') == SLOW_EXECS,
           user + ": a supervisor that is stopped for a while misses nothing",
           (begun, command, ended, repr(out[:300])))


def ended_test(tap, user):
    argv = [lib.binary("cupel"), "run", "--repo", lib.repo(user), "--trace",
            "exec", "--json", "--wall-time-s", "20", "--", ACTS, "wait"]
    killed_tracer_test(tap, user, argv)
    killed_supervisor_test(tap, user, argv)
    slow_supervisor_test(tap, user)


def had_test(tap, user):
    r = act(user, "leave 0")
    tap.ok(r.get("enforced.trace.applied") is True and is_complete(r),
           user + ": enforced says so", r.brief())
    r = lib.go(user, "--profile test", ACTS, "leave", "0")
    tap.ok(r.get("enforced.trace.requested") is False and
           r.get("enforced.trace.applied") in (None, False),
           user + ": (control) nothing is told of a run that is not traced",
           r.brief())
    r = lib.go(user, "--allow-partial --backend landlock --trace exec",
               "true")
    tap.ok(r.get("enforced.trace.requested") is True and
           r.get("enforced.trace.applied") is False and
           r.get("enforced.trace.details") ==
           {"exec": True, "connect": False} and
           r.get("trace.coverage_ok") is False,
           user + ": a lesser backend keeps what was asked for", r.brief())
    r = act(user, "leave 0", program="tests/cupel-testing", drop="trace")
    tap.ok(told(r, "exec") == [] and
           r.get("enforced.trace.applied") is not True,
           user + ": (control) without the tracer nothing is", r.brief())


def start_untraced(user):
    """A run without the wall, which lasts longer than a tracer may take to be ready."""
    return lib.start([lib.binary("tests/cupel-testing"), "run", "--repo",
                      lib.repo(user), "--trace", "exec", "--json", "--",
                      "/bin/sleep", "11"], user, {"CUPEL_TEST_DROP": "trace"})


def end_untraced(tap, user, p):
    out, err = p.communicate(timeout=lib.CLOCK_S)
    tap.ok(b'"status":"OK"' in out and b'"coverage_ok":true' not in out,
           user + ": (control) a run without the tracer does not wait for it",
           (out[:400], err[:400]))


def user_test(tap, user, is_burst_due):
    shutil.copy(lib.binary("tests/live/trace_acts"), lib.repo(user))
    lib.binary("cupel")
    untraced = start_untraced(user)
    had_test(tap, user)
    for name in WAYS:
        way_test(tap, user, name)
    killed_test(tap, user)
    program_test(tap, user)
    failed_test(tap, user)
    flip_test(tap, user)
    forge_test(tap, user)
    long_test(tap, user)
    work_test(tap, user)
    wait_test(tap, user)
    answers_test(tap, user)
    kinds_test(tap, user)
    claim_test(tap, user)
    held_test(tap, user)
    race_test(tap, user)
    witness_test(tap, user)
    crowd_test(tap, user)
    life_test(tap, user)
    forbidden_test(tap, user)
    ended_test(tap, user)
    if is_burst_due:
        burst_test(tap, user, BURST)
    end_untraced(tap, user, untraced)


def main():
    tap = lib.Tap()
    users = lib.users()
    for number, user in enumerate(users):
        user_test(tap, user, lib.is_due(number, user, users))
    tap.done()


main()
