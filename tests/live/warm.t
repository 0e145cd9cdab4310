#!/usr/bin/env python3
"""warm.t -- witnesses in copies of a warm interpreter (docs/copies.md): each
gets the same result as in a cold run, finds nothing of the witness before
it, and is run cold when no copy can be made."""
import json
import os
import sys

SRC = os.environ.get("SRC") or os.path.dirname(
    os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(SRC, "tests/live"))
sys.dont_write_bytecode = True
import lib  # noqa: E402

t = lib.Tap()
DATA = os.path.join(SRC, "tests/data/warm")
FULL = os.environ.get("CUPEL_TIER") == "full"
# A copy cannot have this: the listener stops the process that asks for it, and no
# other process could take it from a process that does not exec.
UNLIKE = {"violation_report"}


def repo_of(user):
    repo = lib.make_dir(user)
    for name in os.listdir(DATA):
        with open(os.path.join(DATA, name)) as f:
            text = f.read()
        lib.put(user, os.path.join(repo, name), text)
        lib.put(user, os.path.join(repo, "again_" + name), text)
    return repo


def selected(user, repo, name, what):
    """A module whose probe() is that function of the named file."""
    with open(os.path.join(DATA, name)) as f:
        text = f.read()
    first = text.index("SELECTED = ")
    end = text.index("\n", first)
    path = "%s_%s" % (what, name)
    lib.put(user, os.path.join(repo, path),
            text[:first] + "SELECTED = %r" % what + text[end:])
    return path


def policy_of(repo):
    """The shipped policy and one request more, which it refuses: NS_GET_ID, the
    number of a namespace that is never used twice (tests/data/warm/state.py).
    """
    at = os.path.join(lib.BUILD, "profiles/seccomp/python-function.json")
    with open(at) as f:
        policy = json.load(f)
    entry = next(e for e in policy["syscalls"] if e["names"] == ["ioctl"] and
                 e["action"] == "SCMP_ACT_ALLOW")
    policy["syscalls"].append(dict(entry, args=[
        dict(entry["args"][0], valueTwo=0x8008b70d)]))
    path = os.path.join(repo, "policy.json")
    with open(path, "w") as f:
        json.dump(policy, f)
    os.chmod(path, 0o644)
    return path


def run(mode, user, repo, *files, program="warm_run", **env):
    env = {"POLICY": policy_of(repo), **env}
    r = lib.run([lib.binary("tests/live/" + program), mode, repo]
                + list(files), user, env=env)
    out, at, text = [], 0, r.out.decode()
    while text[at:].strip():
        at += len(text[at:]) - len(text[at:].lstrip())
        value, used = json.JSONDecoder().raw_decode(text[at:])
        out.append(value)
        at += used
    return r, out


def said(result):
    try:
        return json.loads(result["stdout"])
    except ValueError:
        return {"unread": result["stdout"][:500], "status": result["status"],
                "payload": result.get("payload")}


def differences(a, b, path=""):
    if isinstance(a, dict) and isinstance(b, dict):
        return [d for k in sorted(set(a) | set(b), key=str) for d in
                differences(a.get(k, "none"), b.get(k, "none"),
                            "%s.%s" % (path, k))]
    return [] if a == b else ["%s: cold %r, warm %r" % (path, a, b)]


# --- the same walls -----------------------------------------------------------


def same_walls(user, repo, mode):
    files = ["state.py", "again_state.py"]
    _, cold = run("cold", user, repo, *files)
    r, warm = run(mode, user, repo, *files + files)
    user = "%s: %s" % (user, mode)
    if not t.ok(len(cold) == 2 and len(warm) == 4 and
                all(x["status"] == "OK" for x in cold + warm),
                "%s: runs, cold and warm" % user,
                "%s %s" % (r.brief(), [x["message"] for x in cold + warm])):
        return
    c, w = said(cold[0]), [said(x) for x in warm]
    t.equal(differences(c.get("same"), w[0].get("same")), [],
            "%s: a copy sees what a cold run sees" % user)
    t.equal(differences(w[0].get("same"), w[2].get("same")), [],
            "%s: and so does a later one" % user)
    t.ok(sum(len(str(v)) for v in c["same"].values()) > 5000,
         "%s: there was something to see" % user)
    for name, number in c["fresh"].items():
        t.ok(os.readlink("/proc/self/ns/" + name) not in
             {x["names"][name] for x in w},
             "%s: not the host's namespace: %s" % (user, name))
        t.equal(len({x["fresh"][name] for x in w}), 4 if number else 1,
                "%s: a fresh namespace each: %s" % (user, name))
    t.ok(all(x["maps"]["uid_map"] == x["maps"]["gid_map"] ==
             ["1000", "1000", "1"] and x["maps"]["setgroups"] == ["deny"]
             for x in w), "%s: one id, that of the template" % user)
    t.equal(len({x["random"] for x in w}), 4,
            "%s: random numbers differ" % user)
    unlike = {k for k in cold[0]["enforced"]
              if cold[0]["enforced"][k] != warm[0]["enforced"][k]}
    # A copy has no cgroup of its own (docs/copies.md).
    by = cold[0]["enforced"]["memory_total"]["details"]
    only_cold = {"memory_total"} if by.get("version") == 1 else set()
    t.equal(unlike, UNLIKE | only_cold,
            "%s: the result says what is enforced" % user)
    t.equal(warm[0]["enforced"]["seccomp"]["applied"], True,
            "%s: the filter is" % user)
    for key in ("backend", "cmd", "cmd_path", "partial", "spec_hash",
                "policy_hash", "isolation_class"):
        t.equal(warm[0].get(key), cold[0].get(key),
                "%s: the result's %s" % (user, key))


ENDS = ("value raises exits leaves segfault terminated killed socket unshare "
        "memory large_file depth many_files").split()


def end_of(result):
    return {k: result.get(k) for k in (
        "status", "rc", "signal", "payload", "payload_status", "started", "reason")}


def is_alarm(end):
    return (end["payload"] or {}).get("outcome") == "alarm"


def same_ends(user, repo, names):
    files = [selected(user, repo, "ends.py", n) for n in names]
    _, cold = run("cold", user, repo, *files)
    r, warm = run("warm", user, repo, *files)
    t.equal(len(warm), len(files), "%s: the template outlives them" % user,
            r.brief())
    for name, path, *ends in zip(names, files, cold, warm):
        a, b = map(end_of, ends)
        # One of them may take so long that the alarm ends it.  Then both are run
        # again; a difference that stays is a failure.
        for _ in range(3):
            if a == b or not (is_alarm(a) or is_alarm(b)):
                break
            a, b = (end_of(run(mode, user, repo, path)[1][0])
                    for mode in ("cold", "warm"))
        t.equal(b, a, "%s: ends alike: %s" % (user, name))


# --- nothing passes -----------------------------------------------------------

# What each must have reached; otherwise it was not really tried.
HOSTILE = {
    "files": lambda d: d == [["dir", "left"]] * 3,
    "fill": lambda d: d[1] == 28 and d[0] > 32 << 20,
    "interpreter": lambda d: d == [-1, "1"],
    "limits": lambda d: d == [0, 0],
    "signals": lambda d: len(d) == 20,
    "looks": lambda d: not any(x[0] in "<[" for x in d),
    "memory": lambda d: d > 0,
    "leaves": lambda d: d == ["BlockingIOError", "RuntimeError"],
    "lock": lambda d: d is not None,
    "maps": lambda d: d == 1 << 20,
    "output": None,
    "result": None,
}


def nothing_passes(user, repo, mode):
    """In the mode ahead, each vessel is made while the one before it runs."""
    order = []
    for name in HOSTILE:
        order += [selected(user, repo, "hostile.py", name), "state.py"]
    r, got = run(mode, user, repo, "state.py", *order)
    user = "%s: %s" % (user, mode)
    if not t.equal(len(got), len(order) + 1,
                   "%s: every copy ran" % user, r.brief()):
        return
    clean = said(got[0]).get("same")
    for i, (name, check) in enumerate(HOSTILE.items()):
        did, after = got[1 + 2 * i], said(got[2 + 2 * i])
        if check is not None:
            t.ok(check(said(did).get("did")),
                 "%s: %s was tried" % (user, name), said(did))
        t.ok(after.get("same") is not None and clean is not None,
             "%s: after %s the next one runs" % (user, name), after)
        t.equal(differences(clean, after.get("same")), [],
                "%s: and sees nothing of %s" % (user, name))
    t.equal(got[1 + 2 * list(HOSTILE).index("output")]["stdout_bytes"],
            3000000, "%s: all output is counted" % user)


def ahead(user, repo):
    """A vessel waits as long as it must, and the wait does not count as its run's
    time."""
    files = ["state.py", selected(user, repo, "ends.py", "sleeps"), "state.py",
             "again_state.py"]
    r, got = run("ahead", user, repo, *files)
    t.ok([x["status"] for x in got] == ["OK"] * 4 and
         got[1]["duration_ms"] >= 900 > got[2]["duration_ms"] and
         said(got[2]).get("same") == said(got[0]).get("same"),
         "%s: the time that a vessel waits is not the next one's" % user,
         "%s %s" % (r.brief(), [x["duration_ms"] for x in got]))
    r, got = run("ahead", user, repo, *files, VAIN="1")
    t.equal([x["status"] for x in got], ["OK"] * 4,
            "%s: a vessel in vain costs nothing but itself" % user, r.brief())
    t.equal(len({x["fresh"]["pid"] for x in map(said, got)
                 if "fresh" in x}), 3, "%s: and each is a fresh one" % user)
    r, got = run("ahead", user, repo, *files, KILL="1")
    t.ok([x["status"] for x in got[:3]] == ["OK"] * 3 and
         got[3]["status"] in NO_RESULT,
         "%s: who waits dies with its template, and says nothing" % user,
         "%s %s" % (r.brief(), [x["status"] for x in got]))
    gone(user, repo)


def gone(user, repo):
    """The repository is an argument of all of them, and of nobody else's."""
    lib.wait_until(lambda: not lib.with_word(repo), 10)  # the kernel's work
    t.equal(lib.with_word(repo), [], "%s: and nothing is left" % user)


def init_is_closed(user, repo):
    """Init's memory is that of the template.  Landlock also hides it, so it is taken
    down."""
    file = selected(user, repo, "hostile.py", "looks")
    for drop, closed in (("landlock", True), ("landlock,dumpable", False)):
        r, got = run("warm", user, repo, file, program="warm_run-testing",
                     CUPEL_TEST_DROP=drop)
        did = said(got[0]).get("did") if got else None
        t.equal(did is not None and not any(x[0] in "<[" for x in did),
                closed, "%s: init is closed: %s, without %s"
                % (user, closed, drop), "%s %s" % (did, r.brief()))


# --- it fails closed ------------------------------------------------------------

FAULTS_MAX = 400
NO_RESULT = ("INTERNAL_ERROR", "KILLED_KILL")  # warm.c: run it cold


def every_fault(user, repo, side, step):
    """Each call fails in turn: a copy that is not complete never runs."""
    open_, n, refused = [], 1, 0
    lib.put(user, os.path.join(repo, "mark.py"),
            "import os\n\n\ndef probe():\n    os.write(1, b'ran')\n")
    while n < FAULTS_MAX:
        r, got = run("warm", user, repo, "mark.py",
                     program="warm_run-testing",
                     FAULT="%s:%d:%d" % (side, n, 28))
        if len(got) != 1:
            open_.append("%d: %s" % (n, r.brief()))
            break
        x = got[0]
        wanted = all(e["applied"] for k, e in x["enforced"].items()
                     if e["requested"] and k not in
                     ("violation_report", "cpu_tree", "memory_total"))
        # With the watchdog's estimate it is null; false only if nothing is watched.
        wanted = wanted and (x["enforced"]["memory_total"]["applied"]
                             is not False)
        if x["status"] in NO_RESULT and (x["started"] or not x["stdout"]):
            refused += 1
        elif not (x["status"] == "OK" and x["stdout"] == "ran" and wanted):
            open_.append("%d: %s %r" % (n, x["status"], x["stdout"]))
        elif refused and past(side, n):
            break
        n += step
    t.equal(open_, [], "%s: no fault of %s's lets a copy run with less"
            % (user, side))
    t.ok(refused >= 20 / step, "%s: they were faults (%d of %d)"
         % (user, refused, n), "too few")


LAST = {"init": 110, "child": 80}


def past(side, n):
    return n > LAST[side]


def dies(user, repo):
    files = ["state.py", selected(user, repo, "ends.py", "spin")]
    r, got = run("warm", user, repo, *files, KILL="1")
    t.ok(len(got) == 2 and got[0]["status"] == "OK" and
         got[1]["status"] in NO_RESULT,
         "%s: a copy dies with its template" % user,
         "%s %s" % (r.brief(), [x["status"] for x in got]))
    gone(user, repo)


def spins(user, repo):
    """Which limit is reached first depends on the machine; that one ends the run is
    ours."""
    _, got = run("warm", user, repo,
                 selected(user, repo, "ends.py", "spin"), "state.py")
    t.ok([x["status"] for x in got] in (["CPU_LIMIT", "OK"],
                                        ["TIMEOUT", "OK"]),
         "%s: a limit ends a copy, and the next one runs" % user, got)


# --- cupel confirm ----------------------------------------------------------------

FLAGGED = """def divide(a: int, b: int):
    return a // b


def careful(a: int, b: int):
    return a // b if b else 0


def both(a: int, b: int):
    if b == 0:
        b = 1
    return a // b


def at(items: list, n: int):
    return items[n]
"""
FLAGS = [("divide", "div-zero", 2), ("careful", "div-zero", 6),
         ("both", "div-zero", 12), ("at", "index-oob", 16)]


def confirm(user, repo, before=(), options=()):
    flags = [{"file": "flagged.py", "function": f, "flag_class": c, "line": n}
             for f, c, n in FLAGS * 2]
    lib.put(user, repo + "/flagged.py", FLAGGED)
    lib.put(user, repo + "/flags", "".join(json.dumps(f) + "\n"
                                           for f in flags))
    if os.path.exists(repo + "/log"):
        os.unlink(repo + "/log")
    r = lib.run(list(before) + [lib.binary("cupel"), "confirm", "--quiet",
                                "--repo", repo] + list(options)
                + [repo + "/flags", repo + "/log"], user,
                clock_s=240)
    try:
        with open(repo + "/log") as f:
            got = [json.loads(line) for line in f]
    except OSError:
        got = []
    t.equal(len(got), len(flags), "%s: %s a record each"
            % (user, " ".join(options) or "warm"), r.brief())
    keys = ("status", "reason", "witness", "error_class", "traceback_head",
            "exit_code", "signal")
    return [{k: x[k] for k in keys} for x in got], {x["warm"] for x in got}


def confirms(user, repo):
    cold, was = confirm(user, repo, options=["--cold"])
    t.equal(was, {False}, "%s: --cold is cold" % user)
    t.equal([x["status"][:7] for x in cold],
            ["confirm", "no-bug-", "no-bug-", "confirm"] * 2,
            "%s: what is a bug and what is none" % user)
    warm, was = confirm(user, repo)
    t.ok(True in was, "%s: the second is warm" % user, was)
    t.equal(warm, cold, "%s: the same records" % user)
    if user == lib.users()[-1]:
        none_within(user, repo, cold)


# A new interpreter has had some 2,200 page faults when it loads the module, and a copy
# some 600.  Their processor times differ as much, but depend on the machine.
COPIES = """import resource

IS_COPY = resource.getrusage(resource.RUSAGE_SELF).ru_minflt < 1200


def told(n: int):
    if n == 0 and IS_COPY:
        raise ZeroDivisionError("only in a copy")
    return 1
"""


def proofs_are_no_copies(user, repo):
    """A failure that happens only in a copy is found there, and is not a bug."""
    lib.put(user, repo + "/copies.py", COPIES)
    lib.put(user, repo + "/flags", (json.dumps(
        {"file": "copies.py", "function": "told", "flag_class": "div-zero",
         "line": 8}) + "\n") * 3)
    os.path.exists(repo + "/log") and os.unlink(repo + "/log")
    r = lib.run([lib.binary("cupel"), "confirm", "--quiet", "--repo", repo,
                 repo + "/flags", repo + "/log"], user, clock_s=240)
    with open(repo + "/log") as f:
        got = [json.loads(line) for line in f]
    warm = [x["reason"] for x in got if x["warm"]]
    t.ok(len(got) == 3 and "unstable" in warm
         and {x["status"] for x in got} == {"no-bug-found"},
         "%s: what only a copy does is no proof" % user,
         "%s %s" % (r.brief(), [(x["status"], x["reason"]) for x in got]))


def none_within(user, repo, cold):
    # User namespaces as deep as a vessel can be, so that it cannot make one more.
    deep = lib.put(user, repo + "/deep", """n=$1
shift
[ $n = 0 ] && exec "$@"
exec unshare -U --map-current-user sh %s/deep $((n - 1)) "$@"
""" % repo)
    refused, was = confirm(user, repo, ["sh", deep, "32"])
    t.equal(was, {False}, "%s: no namespace within a vessel: cold" % user)
    t.equal(refused, cold, "%s: and the same records again" % user)


def main():
    users = lib.users()
    for user in users:
        repo = repo_of(user)
        for i, mode in enumerate(("warm", "ahead")):
            if lib.is_due(i, user, users):
                same_walls(user, repo, mode)
                nothing_passes(user, repo, mode)
        same_ends(user, repo, ENDS)
        ahead(user, repo)
        init_is_closed(user, repo)
        dies(user, repo)
        confirms(user, repo)
        proofs_are_no_copies(user, repo)
        if FULL:
            spins(user, repo)
    user = lib.users()[-1]
    every_fault(user, repo_of(user), "init", 1 if FULL else 3)
    every_fault(user, repo_of(user), "child", 1 if FULL else 3)
    t.done()


main()
