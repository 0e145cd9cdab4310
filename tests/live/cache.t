#!/usr/bin/env python3
"""cache.t -- a cache that outlives runs (--cache): what the next run finds in it,
what is never kept, and that nothing else on the host is written to."""
import atexit
import fcntl
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True
import lib  # noqa: E402

# Directories that the test makes itself, as the caller would.
TOP = os.path.realpath(tempfile.mkdtemp(prefix="cupel-cache.", dir="/var/tmp"))
os.chmod(TOP, 0o755)
atexit.register(shutil.rmtree, TOP, True)
TESTING = "tests/cupel-testing"


def make(user, mode=0o700):
    path = tempfile.mkdtemp(dir=TOP)
    lib.give(user, path)
    os.chmod(path, mode)
    return path


def uid_of(user):
    """The launcher's uid; this test may itself run as an ordinary user."""
    return os.geteuid() or lib.uid_of(user)


def options(cache, more=()):
    return ["--repo-mode", "none", "--profile", "test", "--cache", cache,
            *more]


def run(user, cache, script, *more, drop=None):
    """One run of a shell script; drop is a wall to take down."""
    env = {"CUPEL_TEST_GATHER_DROP": drop} if drop else None
    return lib.cupel(options(cache, more), ["sh", "-c", script], user,
                     program=TESTING if drop else "cupel", env=env)


def start(user, cache, script, program="cupel", env=None):
    argv = [lib.binary(program), "run", "--json", *options(cache), "--", "sh",
            "-c", script]
    return lib.start(argv, user, env=env), argv


def napping(user, cache, script, seconds):
    """Start a script that takes a nap of so many seconds; return when it does."""
    nap = lib.nap(seconds)
    p, _ = start(user, cache, script % nap)
    lib.wait_until(lambda: lib.with_word(nap), 30)
    return p


def ended(p):
    out, _ = p.communicate(timeout=lib.CLOCK_S)
    return json.loads(out.decode())


def state(r):
    c = r.json["cache"] if r.json else {}
    return (c.get("state"), c.get("why"), c.get("left_out"))


def trees(cache):
    return sorted(n for n in os.listdir(cache) if n.startswith("tree-"))


def tree(cache):
    with open(cache + "/current") as f:
        return cache + "/" + f.read().strip()


def names(cache):
    """Every name that is kept, with its kind."""
    got = {}
    for top, dirs, files in os.walk(tree(cache)):
        for n in dirs + files:
            path = os.path.join(top, n)
            name = os.path.relpath(path, tree(cache))
            got[name] = (os.readlink(path) if os.path.islink(path) else
                         "/" if os.path.isdir(path) else
                         open(path).read())
    return got


def outlives(tap, user):
    cache = make(user)
    r = run(user, cache, "mkdir -p /cache/a/b; echo 1 >/cache/a/b/f; "
            "echo 2 >/cache/a/g; printf '#!/bin/sh\\necho 3\\n' >/cache/x; "
            "chmod 755 /cache/x; ln -s a/b/f /cache/l; ln -s ../g /cache/a/b/u")
    first = {"a": "/", "a/b": "/", "a/b/f": "1\n", "a/g": "2\n", "l": "a/b/f",
             "a/b/u": "../g", "x": "#!/bin/sh\necho 3\n"}
    tap.equal((r.rc, state(r)), (0, ("saved", None, 0)),
              "what a run puts into its cache is kept [%s]" % user, r.brief())
    tap.equal(names(cache), first, "with directories and links [%s]" % user)
    tap.equal(lib.schema_errors(r.out, "result.schema.json"), [],
              "and the result is as its schema says [%s]" % user)
    r = run(user, cache, "cat /cache/l /cache/a/b/u; /cache/x; cat /cache/a/g")
    tap.equal((r.json["stdout"], state(r)),
              ("1\n2\n3\n2\n", ("unchanged", None, 0)),
              "the next run finds it, and reading changes nothing [%s]" % user,
              r.brief())
    before = tree(cache)
    r = run(user, cache, "rm /cache/l; rm -r /cache/a/b; mkdir /cache/a/b; "
            "echo n >/cache/a/b/n; echo 3 >>/cache/a/g; "
            "mv /cache/x /cache/a/y")
    tap.equal((state(r), names(cache)),
              (("saved", None, 0),
               {"a": "/", "a/b": "/", "a/b/n": "n\n", "a/g": "2\n3\n",
                "a/y": first["x"]}),
              "what it removes, replaces, changes and renames is so for the "
              "next [%s]" % user, r.brief())
    tap.ok(not os.path.exists(before) and len(trees(cache)) == 1,
           "and the tree before is gone [%s]" % user, str(trees(cache)))
    r = run(user, cache, "exit 3")
    s = run(user, cache, "echo >/cache/failed; exit 3")
    tap.ok(state(r)[0] == "unchanged" and s.rc == 3 and
           state(s)[0] == "saved", "a command that fails keeps, too [%s]"
           % user, s.brief())


def found(tap, user):
    cache = make(user)
    argv = [lib.binary("cupel"), "plan", "--repo-mode", "none", "--profile",
            "pip-install", "--cache", cache, "--env", "CCACHE_DIR=/scratch/c",
            "--", "true"]
    text = lib.run(argv, user).out
    plan = json.loads(text.decode())
    env = dict(e.split("=", 1) for e in plan["environment"])
    tap.equal([env.get(n) for n in
               ("XDG_CACHE_HOME", "npm_config_cache", "PIP_CACHE_DIR",
                "CARGO_HOME", "GOCACHE", "GOMODCACHE", "CCACHE_DIR",
                "PIP_NO_CACHE_DIR")],
              ["/cache", "/cache/npm", "/cache/pip", "/cache/cargo",
               "/cache/go-build", "/cache/go-mod", "/scratch/c", None],
              "tools are told where it is, unless the caller says otherwise "
              "[%s]" % user)
    tap.equal((plan["cache"], os.listdir(cache)),
              ({"dir": cache, "tree": None, "bytes": 4 << 30}, []),
              "plan names it and changes nothing [%s]" % user)
    tap.equal(lib.schema_errors(text, "plan.schema.json"), [],
              "and is as its schema says [%s]" % user)
    plan = json.loads(lib.run(argv[:4] + ["--", "true"], user).out.decode())
    tap.ok("cache" not in plan and not any(
        "=/cache" in e for e in plan["environment"]),
        "without the option there is none [%s]" % user)


def left_out(tap, user):
    cache = make(user)
    bad = ("mkdir -p /cache/d/e; ln -s /etc/passwd /cache/abs; "
           "ln -s ../x /cache/up; ln -s ../../../x /cache/d/e/up; "
           "ln -s e/../../../x /cache/d/mid; ln -s e/../x /cache/d/back; "
           "mkfifo /cache/d/fifo; "
           "python3 -c 'import socket; "
           "socket.socket(socket.AF_UNIX).bind(\"/cache/d/sock\")'; "
           "echo >/cache/d/suid; chmod 6777 /cache/d/suid /cache/d/e")
    r = run(user, cache, bad)
    kept = names(cache)
    modes = [oct(os.lstat(tree(cache) + n).st_mode & 0o7777)
             for n in ("/d/suid", "/d/e", "/d")]
    tap.equal((state(r), sorted(kept)),
              (("saved", None, 7), ["d", "d/e", "d/suid"]),
              "links that lead out, fifos and sockets are left out [%s]"
              % user, r.brief() + str(kept))
    tap.equal(modes, ["0o755"] * 3, "no file is set-user-ID or open for "
              "others to write [%s]" % user)
    owner = os.lstat(tree(cache) + "/d/suid").st_uid
    tap.equal(owner, 65525 if uid_of(user) == 0 else uid_of(user),
              "and none is root's [%s]" % user)
    control = make(user)
    run(user, control, bad, drop="keep_links")
    out = tree(control)
    tap.equal([os.readlink(out + n) for n in ("/abs", "/up", "/d/mid")],
              ["/etc/passwd", "../x", "e/../../../x"],
              "control: without that wall the links are there [%s]" % user)
    control = make(user)
    run(user, control, bad, drop="keep_mode")
    tap.equal(oct(os.lstat(tree(control) + "/d/suid").st_mode & 0o7777),
              "0o6777", "control: without that wall the file is set-user-ID "
              "[%s]" % user)


def never_written(tap, user):
    """A file that has another name outside the cache is not written through."""
    cache = make(user)
    run(user, cache, "echo mine >/cache/f")
    other = os.path.join(os.path.dirname(cache), os.path.basename(cache) + ".o")
    os.link(tree(cache) + "/f", other)
    r = run(user, cache, "echo more >>/cache/f; chmod 777 /cache/f")
    tap.equal((open(other).read(), names(cache)["f"],
               oct(os.stat(other).st_mode & 0o777)),
              ("mine\n", "mine\nmore\n", "0o644"),
              "a hard link's other name keeps its bytes and its mode [%s]"
              % user, r.brief())
    inside = lib.cupel(options(cache), ["sh", "-c", "cd /cache/..; ls; "
                       "ls /cache; cat /proc/self/mountinfo"], user)
    tap.ok("tree-" not in inside.json["stdout"] and
           "current" not in inside.json["stdout"],
           "the directory itself is not to be seen inside [%s]" % user,
           inside.brief())


def bounded(tap, user):
    cache = make(user)
    run(user, cache, "echo old >/cache/old")
    fill = "head -c 1000000 /dev/zero >/cache/big"
    rows = [("a file", fill, ["--cache-bytes", "900K"]),
            ("many small ones", "i=0; while [ $i -lt 60 ]; do : >/cache/$i; "
             "i=$((i+1)); done", ["--cache-bytes", "200K"]),
            ("a file with a hole", "truncate -s 200M /cache/hole",
             ["--cache-bytes", "100M"]),
            ("what links share",
             "head -c 600000 /dev/zero >/cache/a; ln /cache/a /cache/b",
             ["--cache-bytes", "900K"]),
            ("a size of 0", "echo >/cache/x", ["--cache-bytes", "0"])]
    for what, script, more in rows:
        r = run(user, cache, script, *more)
        tap.equal((r.rc, state(r), names(cache), len(trees(cache))),
                  (0, ("not_saved", "too_large", 0), {"old": "old\n"}, 1),
                  "%s over the size is not kept, what was there is [%s]"
                  % (what, user), r.brief())
    r = run(user, cache, fill, "--cache-bytes", "900K", drop="keep_size")
    tap.ok(os.path.getsize(tree(cache) + "/big") == 1000000,
           "control: without that wall it is [%s]" % user, r.brief())
    r = run(user, cache, "head -c 9000000 /dev/zero >/cache/more",
            "--scratch-bytes", "4M")
    tap.ok(r.rc != 0 and "No space" in r.json["stderr"],
           "a run writes no more than its scratch holds [%s]" % user,
           r.brief())
    r = run(user, make(user), "d=/cache; i=0; while [ $i -lt 70 ]; do d=$d/d; "
            "i=$((i+1)); done; mkdir -p $d")
    tap.equal(state(r)[:2], ("not_saved", "too_deep"),
              "directories too deep in each other are not kept [%s]" % user,
              r.brief())
    told = lib.run([lib.binary("cupel"), "run", *options(
        cache, ["--cache-bytes", "1K"]), "--", "touch", "/cache/z"], user)
    tap.ok(told.rc == 0 and b"larger than --cache-bytes allows" in told.err,
           "a line says so and names the option [%s]" % user, told.brief())


def not_ended(tap, user):
    cache = make(user)
    rows = [("is killed by the wall time", "echo >/cache/a; sleep 30",
             ["--wall-time-s", "1"]),
            ("kills itself", "echo >/cache/a; kill -9 $$", [])]
    for what, script, more in rows:
        r = run(user, cache, script, *more)
        tap.equal((state(r), os.listdir(cache)),
                  (("not_saved", "not_ended", 0), []),
                  "nothing is kept of a command that %s [%s]" % (what, user),
                  r.brief())
    r = run(user, cache, "echo 1 >/cache/log; (trap '' HUP TERM; while :; do "
            "echo 2 >>/cache/log; done) >/dev/null 2>&1 & sleep 0.3")
    size = os.path.getsize(tree(cache) + "/log")
    time.sleep(0.3)
    tap.ok(state(r)[0] == "saved" and size > 0 and
           os.path.getsize(tree(cache) + "/log") == size,
           "a process that is left behind with an open file writes no more "
           "[%s]" % user, r.brief())


def at_once(tap, user):
    cache = make(user)
    run(user, cache, "echo 1 >/cache/f; echo 1 >/cache/late")
    wait = ("exec 2>&1; sleep %s; cat /cache/late; echo slow >/cache/slow")
    slow = napping(user, cache, wait, 5)
    quick = run(user, cache, "echo 2 >/cache/f; rm /cache/late")
    tap.equal((state(quick)[0], len(trees(cache))), ("saved", 2),
              "while a run looks at a tree, another makes a new one [%s]"
              % user, quick.brief())
    r = ended(slow)
    tap.equal((r["stdout"].split(), r["cache"]["why"], names(cache)),
              (["1"], "changed_meanwhile", {"f": "2\n"}),
              "the slow one sees its own to the end, and keeps nothing [%s]"
              % user, str(r["cache"]))
    run(user, cache, "echo 3 >/cache/f")
    tap.equal(len(trees(cache)), 1, "the tree is gone when nobody looks at it "
              "[%s]" % user)
    run(user, cache, "echo 1 >/cache/late")
    slow = napping(user, cache, wait, 5)
    run(user, cache, "echo 2 >/cache/f; rm /cache/late", drop="keep_lock")
    tap.ok("No such file" in ended(slow)["stdout"],
           "control: without the lock its files go [%s]" % user)
    fd = os.open(cache, os.O_RDONLY)
    fcntl.flock(fd, fcntl.LOCK_EX)
    r = run(user, cache, "echo 9 >/cache/f")
    os.close(fd)
    tap.equal((state(r)[1], names(cache)["f"]), ("busy", "2\n"),
              "of two that keep at once one does [%s]" % user, r.brief())
    os.mkdir(cache + "/tree-0123456789abcdef")
    lib.give(user, cache + "/tree-0123456789abcdef")
    run(user, cache, "echo 9 >/cache/f")
    tap.equal(len(trees(cache)), 1, "what a killed run left half made is "
              "removed [%s]" % user)


def swapped(tap, user):
    """When the run ends, the directory's name leads to another place."""
    cache, victim = make(user), make(user)
    p = napping(user, cache, "sleep %s; echo x >/cache/f", 2)
    os.rename(cache, cache + ".moved")
    os.symlink(victim, cache)
    r = ended(p)
    tap.equal((r["cache"]["state"], os.listdir(victim),
               names(cache + ".moved")), ("saved", [], {"f": "x\n"}),
              "it is the directory of the start that is written to [%s]"
              % user)


def phases(tap, user):
    cache = make(user)
    spec = {"repo_mode": "none", "profile": "test", "cache": cache, "phases": [
        {"name": "one", "command": ["sh", "-c", "echo 1 >/cache/f"]},
        {"name": "two", "command": ["sh", "-c", "cat /cache/f; "
                                    "echo 2 >>/cache/f"]}]}
    path = lib.put(user, lib.make_dir(user) + "/spec.json", json.dumps(spec))
    argv = [lib.binary("cupel"), "run", "--json", "--spec", path]
    for want in ("1\n", "1\n"):
        r = lib.run(argv, user)
        j = json.loads(r.out.decode()) if r.out else {}
        tap.equal([p["cache"]["state"] for p in j.get("phases", [])] +
                  [j.get("stdout"), j.get("cache", {}).get("state")],
                  ["not_saved", "saved", want, "saved"],
                  "phases share it, and the last one keeps it [%s]" % user,
                  r.brief())
    tap.equal(names(cache)["f"], "1\n2\n", "what all of them wrote [%s]"
              % user)
    spec["phases"][0]["cache"] = spec.pop("cache")
    lib.put(user, path, json.dumps(spec))
    r = lib.run(argv, user)
    tap.ok(r.rc != 0 and b"cache" in r.err,
           "a phase has none of its own [%s]" % user, r.brief())


def torn_phases(tap, user):
    """All phases write to the same tree: if one is killed, nothing is kept."""
    quick = {"name": "quick", "command": ["sh", "-c", "echo >/cache/b"]}
    rows = [("is killed", "echo half >/cache/a; kill -9 $$", "not_saved"),
            ("is killed by a limit", "echo half >/cache/a; sleep 30",
             "not_saved"),
            ("fails by itself", "echo >/cache/a; exit 3", "saved")]
    for what, script, want in rows:
        torn = {"name": "torn", "goes_on": True, "wall_time_s": 2,
                "command": ["sh", "-c", script]}
        for drop in (None, "keep_ended") if want != "saved" else (None,):
            cache = make(user)
            spec = {"repo_mode": "none", "profile": "test", "cache": cache,
                    "phases": [torn, quick]}
            path = lib.put(user, lib.make_dir(user) + "/spec.json",
                           json.dumps(spec))
            r = lib.run([lib.binary(TESTING if drop else "cupel"), "run",
                         "--json", "--spec", path], user,
                        env={"CUPEL_TEST_GATHER_DROP": drop} if drop else None)
            j = json.loads(r.out.decode())
            got = [j["status"], j["cache"]["state"], j["cache"]["why"],
                   len(trees(cache))]
            if drop:
                tap.equal(got, ["OK", "saved", None, 1], "control: without "
                          "that wall it is kept when one %s [%s]"
                          % (what, user), r.brief())
            else:
                tap.equal(got, ["OK", want, None if want == "saved" else
                                "not_ended", want == "saved"],
                          "of phases of which one %s and the last is OK: %s "
                          "[%s]" % (what, want, user), r.brief())


MANY = ("python3 -c 'import os\nfor i in range(%d): "
        "os.close(os.open(\"/cache/m%%d\" %% i, os.O_CREAT | os.O_WRONLY))'")


# Ends well when it is told to end; its nap is beside it.
TOLD = ("trap 'exit 0' TERM; echo >/cache/a; sleep %s & "
        "while :; do sleep 0.05; done")


def keeping(cache, before, process):
    """Wait until a new tree is being made, for as long as the process runs."""
    end = time.monotonic() + lib.CLOCK_S
    while time.monotonic() < end and process.poll() is None:
        if set(trees(cache)) - set(before):
            return True
        time.sleep(0.002)
    return False


def cancelled(tap, user):
    for number in (signal.SIGTERM, signal.SIGINT):
        for is_new in (False, True):
            cache = make(user)
            if not is_new:
                run(user, cache, "echo old >/cache/old")
            before = sorted(os.listdir(cache))
            p, _ = start(user, cache, MANY % 20000)
            is_seen = keeping(cache, before, p)
            begin = time.monotonic()
            p.send_signal(number)
            r = ended(p)
            took = time.monotonic() - begin
            tap.equal((is_seen, r["status"], p.returncode, r["cache"]["state"],
                       r["cache"]["why"], sorted(os.listdir(cache))),
                      (True, "OK", 0, "not_saved", "cancelled", before),
                      "%s ends keeping, and %s cache is as it was [%s]"
                      % (number.name, "a new" if is_new else "the", user))
            tap.clock("%s ends keeping [%s]" % (number.name, user), took, 5)
            if not is_new:
                tap.equal(names(cache), {"old": "old\n"}, "with what was in "
                          "it [%s]" % user)
    cache = make(user)
    p, _ = start(user, cache, MANY % 3000, program=TESTING,
                 env={"CUPEL_TEST_GATHER_DROP": "keep_end"})
    is_seen = keeping(cache, [], p)
    p.send_signal(signal.SIGTERM)
    r = ended(p)
    tap.equal((is_seen, r["cache"]["why"], r["cache"]["entries"]),
              (True, None, 3000), "control: without that wall a signal does "
              "not end it [%s]" % user)
    cache = make(user)
    p = napping(user, cache, TOLD, 60)
    p.send_signal(signal.SIGTERM)
    r = ended(p)
    tap.equal((r["status"], r["cache"]["why"], os.listdir(cache)),
              ("OK", "cancelled", []), "a run that was told to end keeps "
              "nothing, whatever its command says [%s]" % user)
    told = lib.start([lib.binary("cupel"), "run", *options(cache), "--", "sh",
                      "-c", TOLD % lib.nap(59)], user)
    lib.wait_until(lambda: lib.with_word(lib.nap(59)), 30)
    told.send_signal(signal.SIGTERM)
    err = told.communicate(timeout=lib.CLOCK_S)[1]
    tap.ok(b"changes are not kept: a signal" in err, "a line says so [%s]"
           % user, str(err))


def left_over(tap, user):
    """What is left of a cupel that was killed while it kept the cache."""
    cache = make(user)
    p, _ = start(user, cache, MANY % 20000)
    is_seen = keeping(cache, [], p)
    p.kill()
    p.communicate(timeout=lib.CLOCK_S)
    left = trees(cache)
    tap.ok(is_seen and len(left) == 1 and "current" not in os.listdir(cache),
           "the first keep was killed half way [%s]" % user,
           str(os.listdir(cache)))
    r = run(user, cache, "ls /cache; echo >/cache/f")
    tap.equal((state(r), r.json["stdout"], names(cache), len(trees(cache)),
               left[0] in trees(cache)),
              (("saved", None, 0), "", {"f": "\n"}, 1, False),
              "the next run sees none of it, and keeps [%s]" % user, r.brief())
    with open(cache + "/CACHEDIR.TAG") as f:
        mark = f.read()
    temp = "/.cupel-0123456789abcdef"
    for n in (0, 20, len(mark)):
        cache = make(user)
        lib.put(user, cache + temp, mark[:n], 0o600)
        lib.put(user, cache + temp[:-1] + "0", mark[:n // 2], 0o600)
        r = run(user, cache, "true")
        tap.equal((state(r)[0], len(os.listdir(cache))), ("unchanged", 2),
                  "a mark of which %d bytes were written is no obstacle, and "
                  "who only reads removes nothing [%s]" % (n, user), r.brief())
        r = run(user, cache, "echo >/cache/f")
        tap.equal((state(r)[0], len(os.listdir(cache))), ("saved", 3),
                  "who keeps removes it [%s]" % user, r.brief() +
                  str(os.listdir(cache)))
    lib.put(user, cache + temp, "tree-00", 0o600)
    lib.put(user, cache + "/.cupel-mine", "tree-00", 0o600)
    r = run(user, cache, "echo 2 >/cache/f")
    tap.equal((state(r)[0], sorted(os.listdir(cache))[0],
               len(os.listdir(cache))), ("saved", ".cupel-mine", 4),
              "and a half-written `current`, but nothing else [%s]" % user,
              r.brief())
    rows = [("other bytes", lambda at: lib.put(user, at, "mine", 0o600)),
            ("the mark and more", lambda at: lib.put(user, at, mark + "mine")),
            ("a link", lambda at: os.symlink("/etc/hostname", at)),
            ("a fifo", os.mkfifo),
            ("a directory", os.mkdir),
            ("a file of two names", lambda at: os.link(
                lib.put(user, TOP + "/other-" + user, ""), at))]
    for what, put in rows:
        cache = make(user)
        put(cache + temp)
        r = run(user, cache, "echo >/cache/f")
        tap.ok(r.json is None and b"neither empty nor a cache" in r.err and
               os.listdir(cache) == [temp[1:]],
               "%s under such a name is somebody's [%s]" % (what, user),
               r.brief())


def unopenable(tap, user):
    """A file that cannot be opened does not count as missing."""
    cache = make(user)
    deep = "d/" * 20
    run(user, cache, "mkdir -p /cache/%s; echo old >/cache/%sf" % (deep, deep))
    before = sorted(os.listdir(cache))
    argv = ["sh", "-c", "ulimit -n 40; exec \"$@\"", "sh",
            lib.binary("cupel"), "run", "--json", *options(cache), "--", "sh",
            "-c", "echo new >/cache/%sg" % deep]
    r = lib.run(argv, user)
    got = json.loads(r.out.decode())["cache"]
    tap.ok(got["why"] in ("unreadable", "write_failed") and
           sorted(os.listdir(cache)) == before and
           names(cache)[deep + "f"] == "old\n",
           "out of descriptors the old one stays [%s]" % user, r.brief())
    r = run(user, cache, "echo new >/cache/x; chmod 0 /cache/d")
    if uid_of(user) == 0:
        tap.equal((state(r)[0], names(cache)[deep + "f"]), ("saved", "old\n"),
                  "root opens a directory that the command closed [%s]"
                  % user, r.brief())
    else:
        tap.equal((state(r), sorted(os.listdir(cache)),
                   names(cache)[deep + "f"]),
                  (("not_saved", "unreadable", 0), before, "old\n"),
                  "a directory that the command closed keeps the old one "
                  "[%s]" % user, r.brief())
    r = run(user, cache, "rm -rf /cache/d /cache/x; echo new >/cache/f; "
            "echo >/cache/g; chmod 0 /cache/f")
    if uid_of(user) != 0:
        tap.equal((state(r), names(cache)),
                  (("saved", None, 1), {"g": "\n"}),
                  "a file that it closed is left out [%s]" % user, r.brief())


def of_another(user):
    path = make(user)
    if os.geteuid() == 0:
        os.chown(path, 12345, 12345)
    else:
        path = "/usr"
    return path


def odd(user, how):
    """A directory with something in it that no run put there."""
    path = make(user)
    run(user, path, "echo >/cache/f")
    os.unlink(path + "/" + how[0])
    how[1](path + "/" + how[0])
    return path


def refused(tap, user):
    home = make(user)
    lib.put(user, home + "/notes", "mine")
    link = make(user)
    os.symlink("/etc/passwd", link + "/CACHEDIR.TAG")
    here = make(user)
    os.mkdir(here + "/below", 0o700)
    lib.give(user, here + "/below")
    a, b = make(user), make(user)
    none = ["--repo-mode", "none"]
    rows = [
        ("/", none + ["--cache", "/"]),
        ("a home directory", none + ["--cache", home]),
        ("a link for its mark", none + ["--cache", link]),
        ("what is not there", none + ["--cache", TOP + "/nosuch"]),
        ("a file", none + ["--cache", home + "/notes"]),
        ("another user's", none + ["--cache", of_another(user)]),
        ("what others can read", none + ["--cache", make(user, 0o755)]),
        ("what others can write", none + ["--cache", make(user, 0o770)]),
        ("the repository", ["--repo", a, "--cache", a]),
        ("below the repository", ["--repo", here, "--cache",
                                  here + "/below"]),
        ("above the repository", ["--repo", here + "/below", "--cache",
                                  here]),
        ("a name that leads out", none + ["--cache", odd(user, (
            "current", lambda p: lib.put(user, p, "../x\n")))]),
        ("a name of no tree", none + ["--cache", odd(user, (
            "current", lambda p: lib.put(user, p, "x\n")))]),
        ("a link for the name", none + ["--cache", odd(user, (
            "current", lambda p: os.symlink("/etc/hostname", p)))]),
        ("a function's profile", none + ["--cache", b, "--profile",
                                         "python-function"]),
        ("no scratch", none + ["--cache", b, "--scratch-bytes", "0"]),
        ("another thing there", none + ["--cache", b, "--ro",
                                        "/usr/share:/cache/share"]),
        ("the repository there", ["--repo", a, "--repo-at", "/cache/r",
                                  "--cache", b]),
        ("no namespaces", none + ["--cache", b, "--backend", "rlimits",
                                  "--allow-partial"]),
    ]
    for what, words in rows:
        r = lib.cupel(words, ["true"], user)
        tap.ok(r.rc in (2, 125) and r.json is None and b"--cache: " in r.err
               and r.err.count(b"\n") == 1,
               "%s is refused in one line [%s]" % (what, user), r.brief())
    swap = make(user)
    run(user, swap, "echo >/cache/f")
    path = tree(swap)
    os.rename(path, path + ".old")
    os.symlink("/usr", path)
    r = lib.cupel(none + ["--cache", swap], ["ls", "/cache"], user)
    tap.ok(r.rc != 0 and "bin" not in str(r.json),
           "a link in the place of the tree is not followed [%s]" % user,
           r.brief())
    tap.equal(sorted(os.listdir(home)), ["notes"],
              "and nothing was written there [%s]" % user)
    r = lib.cupel(none + ["--profile", "test", "--cache", home],
                  ["touch", "/cache/f"], user, program=TESTING,
                  env={"CUPEL_TEST_GATHER_DROP": "cache_tag"})
    tap.ok(r.rc == 0 and len(os.listdir(home)) > 1,
           "control: without the mark it would be [%s]" % user, r.brief())


def main():
    """usage: cache.t [PART...]"""
    tap = lib.Tap()
    parts = [p for p in (outlives, found, left_out, never_written, bounded,
                         not_ended, at_once, swapped, phases, torn_phases,
                         cancelled, left_over, unopenable, refused)
             if p.__name__ in (sys.argv[1:] or [p.__name__])]
    for user in lib.users():
        for part in parts:
            try:
                part(tap, user)
            except (KeyError, TypeError, ValueError, OSError,
                    subprocess.SubprocessError) as e:
                tap.ok(False, "%s ran to its end [%s]" % (part.__name__, user),
                       repr(e))
    tap.done()


main()
