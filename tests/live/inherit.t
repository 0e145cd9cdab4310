#!/usr/bin/env python3
"""inherit.t -- what a command starts with (cupel-run(1), "INSIDE"): its
environment, directory, ids, descriptors and signal dispositions; and nothing
that belongs to the caller."""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True
import lib  # noqa: E402

ENV = {"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": "/scratch",
       "TMPDIR": "/scratch", "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8",
       "TZ": "UTC", "PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "1",
       "CUPEL_RESULT_FD": "3"}


def out(r):
    return r.json["stdout"] if r.json else r.brief()


def environment(tap, user):
    r = lib.go(user, "", "env", env={"HARMLESS": "1", "LC_TIME": "de_DE"})
    got = dict(line.split("=", 1) for line in out(r).splitlines())
    extra = {k: v for k, v in got.items()
             if k not in ENV and not k.startswith(("GIT_", "CUPEL_"))}
    tap.equal({k: got.get(k) for k in ENV}, ENV,
              "the environment is built [%s]" % user)
    tap.equal(extra, {}, "and has nothing else [%s]" % user)
    r = lib.go(user, "--env A=b=c --pass-env HARMLESS --env E=", "env",
               env={"HARMLESS": "x y"})
    tap.ok({"A=b=c", "HARMLESS=x y", "E="} <= set(out(r).splitlines()),
           "--env and --pass-env [%s]" % user, out(r))
    for name in ("MY_KEY", "GITHUB_TOKEN", "Secret_x", "DB_PASSWORD",
                 "PASSWD", "AWS_CREDENTIALS", "http_proxy", "HTTPS_PROXY",
                 "ALL_PROXY", "no_proxy"):
        r = lib.go(user, ["--env", name + "=v"], "true")
        tap.ok(r.rc == 2 and name.encode() in r.err,
               "--env %s is refused by name [%s]" % (name, user), r.brief())


def places(tap, user):
    for options, want in (("", "/repo"), ("--chdir /tmp", "/tmp"),
                          ("--chdir /repo/dir", "/repo/dir"),
                          ("--repo-mode none", "/scratch"),
                          ("--profile python-function", "/scratch")):
        r = lib.go(user, options, "/bin/pwd")
        tap.equal(out(r), want + "\n", "cwd %s [%s]" % (options, user),
                  r.brief())
    r = lib.go(user, "", "sh", "-c", "id -u; id -g; id -un; id -gn; umask;"
               " hostname; cat /proc/self/oom_score_adj; ulimit -c;"
               " date +%Z; cat /etc/hostname; cat /etc/resolv.conf")
    tap.equal(out(r).split(), ["1000", "1000", "cupel", "cupel", "0022",
                               "cupel", "1000", "0", "UTC", "cupel"],
              "who and where [%s]" % user, r.brief())
    r = lib.go(user, "", "sh", "-c", "cut -d: -f1 /etc/passwd | sort; "
               "cut -d: -f1 /etc/group | sort; grep -c . /etc/nsswitch.conf;"
               "ls -A /etc/machine-id /etc/shadow /sys 2>/dev/null")
    tap.equal(out(r).split()[:6], ["cupel", "nobody", "root"] * 2,
              "three accounts, three groups [%s]" % user, r.brief())
    r = lib.go(user, "", "ls", "-A", "/dev")
    tap.equal(out(r).split(), sorted("fd full null random shm stderr stdin "
                                     "stdout urandom zero".split()),
              "the devices and no other [%s]" % user)
    r = lib.go(user, "", "ls", "-A", "/")
    known = set("bin dev etc lib lib32 lib64 libx32 proc repo sbin scratch "
                "tmp usr".split())
    tap.ok(set(out(r).split()) <= known, "the root has our entries only [%s]"
           % user, out(r))


def descriptors(tap, user):
    r = lib.go(user, "", "sh", "-c", "readlink /proc/self/fd/* | sort -u; "
               "ls /proc/self/fd | wc -l; ps -o pid=,sid=,pgid= $$ 2>&1")
    lines = out(r).split("\n")
    kinds = {line.split(":")[0] for line in lines if ":[" in line}
    tap.equal(kinds, {"pipe"}, "all descriptors are pipes [%s]" % user, lines)
    for options in ("", "--profile test", "--profile probe"):
        r = lib.attack(user, options, "list-fds")
        tap.equal(r.says, "unseen", "none above 3 %s [%s]" % (options, user),
                  r.brief())
    r = lib.go(user, "", "wc", "-c")
    tap.equal(out(r), "0\n", "stdin is empty [%s]" % user)
    src = lib.put(user, lib.TMP + "/stdin-" + user, "x" * 300000, 0o600)
    r = lib.go(user, ["--stdin", src], "wc", "-c")
    tap.equal(out(r), "300000\n", "--stdin FILE [%s]" % user)
    with open(src, "rb") as f:
        r = lib.go(user, "--stdin -", "wc", "-c", stdin=f)
    tap.equal(out(r), "300000\n", "--stdin - [%s]" % user)
    for fd in (0, 1, 2):
        r = lib.go(user, "", "echo", "hello",
                   before=["sh", "-c", 'exec "$@" %d<&-' % fd, "sh"])
        good = (r.rc == 1 and b"stdout" in r.err) if fd == 1 else out(r) == "hello\n"
        tap.ok(good, "started without descriptor %d [%s]" % (fd, user),
               r.brief())


def caller(tap, user):
    """What the command inherits from the caller: ignored signals, a blocked mask,
    umask, niceness."""
    setup = ("trap '' HUP INT QUIT PIPE TERM USR1 USR2 CHLD XFSZ XCPU ALRM; "
             "umask 077; ulimit -n 300; exec \"$@\"")
    r = lib.attack(user, "", "inherited", before=["sh", "-c", setup, "sh"])
    tap.equal(r.says, "clean", "dispositions and umask are default [%s]"
              % user, r.brief())
    mask = ("import os,signal,sys; signal.pthread_sigmask(signal.SIG_BLOCK,"
            "range(1,65)); os.execv(sys.argv[1], sys.argv[1:])")
    r = lib.attack(user, "", "inherited",
                   before=["/usr/bin/python3", "-c", mask, "/usr/bin/env"])
    tap.equal(r.says, "clean", "the mask is empty [%s]" % user, r.brief())
    r = lib.go(user, "", "nice", before=["nice", "-n", "7"])
    tap.equal(out(r), "%d\n" % min(os.nice(0) + 7, 19),
              "niceness is the caller's [%s]" % user, r.brief())


def children(pid):
    with open("/proc/%d/task/%d/children" % (pid, pid)) as f:
        return [int(word) for word in f.read().split()]


def affinities(pid):
    """The processors that a process, and each below it, may run on."""
    found, out = [pid], []
    for one in found:
        try:
            out.append(sorted(os.sched_getaffinity(one)))
            found += children(one)
        except OSError:  # gone meanwhile
            pass
    return out


def processors(tap, user):
    """The command runs on the caller's processors, wherever it was started; so does
    init, once it only waits."""
    own = sorted(os.sched_getaffinity(0))
    for cpus in [own] + [[cpu] for cpu in own[:2]]:
        p = lib.start([lib.binary("cupel"), "run", "--repo-mode", "none", "--",
                       "sh", "-c", "echo ready; exec sleep 20"], user, bufsize=0,
                      before=["taskset", "-c", ",".join(map(str, cpus))])
        tap.equal(p.stdout.read(6), b"ready\n", "a run on %s [%s]" % (cpus, user))
        # init reports before it waits
        lib.wait_until(lambda: affinities(p.pid) == [cpus] * 4, 10)
        tap.equal(affinities(p.pid), [cpus] * 4, "%s for supervisor, init, its keeper and the "
                  "command [%s]" %
                  (cpus, user))
        p.kill()
        p.communicate()


def main():
    tap = lib.Tap()
    for user in lib.users():
        environment(tap, user)
        places(tap, user)
        descriptors(tap, user)
        caller(tap, user)
        processors(tap, user)
    tap.done()


main()
