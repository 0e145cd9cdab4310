#!/usr/bin/env python3
"""workspace.t -- a run that was started in a package's folder and lacks
files from above it: one line says how to show the whole workspace.  If it lacks
what nobody installed, or what is fetched elsewhere, one line says what to do; and if
the overlay has files of others that it could not change.
"""
import atexit
import json
import os
import shutil
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True
import lib  # noqa: E402

MISSES = ["sh", "-c", "echo 'Cannot find module' >&2; exit 1"]
MARKS = {
    "pnpm-workspace.yaml": "packages: [packages/*]\n",
    "lerna.json": "{}",
    "package.json": '{"workspaces": ["packages/*"]}',
    "Cargo.toml": '[workspace]\nmembers = ["packages/*"]\n',
    "go.work": "go 1.22\n",
    ".git": None,
}


def tree(user, marks, at="packages/a"):
    """A workspace of the user's with these files at its top; (top, folder)."""
    top = lib.make_dir(user)
    for name in marks:
        if MARKS[name] is None:
            os.mkdir(top + "/" + name)
            lib.give(user, top + "/" + name)
        else:
            lib.put(user, top + "/" + name, MARKS[name])
    where = top
    for part in at.split("/"):
        where += "/" + part
        os.mkdir(where, 0o755)
        lib.give(user, where)
    return top, where


def run(user, cwd, command=None, options=(), **kw):
    return lib.run([lib.binary("cupel"), "run", "--profile", "test", *options,
                    "--"] + list(command or MISSES), user, cwd=cwd, **kw)


def advice(r):
    return [x for x in r.err.decode().splitlines() if "--chdir" in x]


def told(tap, user):
    for name in MARKS:
        top, where = tree(user, [name])
        r = run(user, where)
        said = advice(r)
        tap.ok(len(said) == 1 and said[0].endswith(
            "(%s/%s): try --repo %s --chdir /repo/packages/a"
            % (top, name, top)), "below %s [%s]" % (name, user), r.brief())
    top, where = tree(user, ["package.json"])
    lib.put(user, top + "/hoisted.sh", "echo found\n")
    words = advice(run(user, where))[0].split("try ")[1].split()
    r = run(user, where, ["sh", "../../hoisted.sh"], words)
    tap.equal((r.rc, r.out), (0, b"found\n"),
              "what it says works [%s]" % user, r.brief())
    r = run(user, "/", ["npx-of-no-one"], ["--repo", where])
    tap.ok(len(advice(r)) == 1, "also of a command that was not found, and with "
           "--repo [%s]" % user, r.brief())
    out = lib.make_dir(user) + "/r.json"
    r = run(user, where, options=["--json=" + out])
    tap.ok(len(advice(r)) == 1 and "--chdir" not in open(out).read(),
           "with --json FILE it is on stderr [%s]" % user, r.brief())


def untold(tap, user):
    top, where = tree(user, ["package.json"])
    rows = [("a command that is OK", ["sh", "-c", "echo 'not found'"], []),
            ("one that fails for another reason", ["sh", "-c", "exit 1"], []),
            ("--quiet", None, ["--quiet"]),
            ("--repo-mode none", None, ["--repo-mode", "none"])]
    for what, command, options in rows:
        r = run(user, where, command, options)
        tap.equal(advice(r), [], "nothing is said of %s [%s]" % (what, user),
                  r.brief())
    r = run(user, where, options=["--json"])
    tap.ok(advice(r) == [] and json.loads(r.out.decode())["status"] ==
           "FAILED", "nor beside --json [%s]" % user, r.brief())
    tap.equal(advice(run(user, top)), [], "nor at the top itself [%s]" % user)
    lib.put(user, top + "/package.json", '{"name": "no workspace"}')
    tap.equal(advice(run(user, where)), [],
              "nor below a package.json without workspaces [%s]" % user)
    lib.put(user, top + "/package.json", " " * (1 << 20) + '"workspaces"')
    tap.equal(advice(run(user, where)), [], "of a file one MiB is read [%s]"
              % user)
    os.unlink(top + "/package.json")
    os.symlink("/dev/zero", top + "/package.json")
    tap.equal(advice(run(user, where)), [], "no link is followed [%s]" % user)
    os.unlink(top + "/package.json")
    os.mkfifo(top + "/package.json")
    tap.equal(advice(run(user, where)), [], "a fifo keeps nobody [%s]" % user)
    top, where = tree(user, ["lerna.json"])
    os.mkdir(where + "/.git")
    lib.give(user, where + "/.git")
    tap.equal(advice(run(user, where)), [],
              "a folder with .git is no package of it [%s]" % user)
    top, where = tree(user, ["lerna.json"], "/".join("d" * 33))
    tap.equal(advice(run(user, where)), [], "nor is what lies 33 below [%s]"
              % user)
    top, where = tree(user, ["lerna.json"], "/".join("d" * 32))
    tap.equal(len(advice(run(user, where))), 1, "32 are looked at [%s]" % user)


def owners(tap):
    """Nothing is read above a directory that belongs to another user."""
    if os.geteuid() != 0:
        return
    top, where = tree("user", ["lerna.json"], "packages/a/b")
    tap.equal(len(advice(run("user", where))), 1, "all of one owner: told")
    os.chown(top + "/packages", 12345, 12345)
    tap.equal(advice(run("user", where)), [],
              "one between is another's: nothing above it is looked at")


# What the run prints, a file that the repository has, and a word of the advice.
LACKS = [
    ("go: x@v1: module lookup disabled by GOPROXY=off", None, "GOMODCACHE"),
    ("attempting to make an HTTP request, but --offline was specified", None,
     "crates"),
    ("As a reminder, you're using offline mode (--offline)", None, "crates"),
    ("npm error code ENOTCACHED", None, "npm-install"),
    ("sh: 1: jest: not found", "package.json", "no node_modules"),
    ("Error: Cannot find module 'x'", "package.json", "no node_modules"),
    ("sh: 1: jest: not found", None, None),
    ("nothing of the kind", "package.json", None),
]


def lacked(tap, user):
    for text, name, word in LACKS:
        top = lib.make_dir(user)
        if name:
            lib.put(user, top + "/" + name, "{}")
        for to in ("1", "2"):
            r = run(user, top, ["sh", "-c", "echo \"$0\" >&%s; exit 1" % to,
                                text])
            said = [x for x in r.err.decode().splitlines()
                    if "cupel-profile(1)" in x or "GOMODCACHE" in x]
            tap.ok(len(said) == (1 if word else 0) and
                   all(word in x for x in said), "%s, with %s, on %s [%s]"
                   % (text, name, to, user), r.brief())
        os.mkdir(top + "/node_modules")
        if word and name:
            r = run(user, top, ["sh", "-c", "echo \"$0\"; exit 1", text])
            tap.ok(b"node_modules" not in r.err,
                   "not beside node_modules [%s]" % user, r.brief())
    top, where = tree(user, ["package.json"])
    lib.put(user, where + "/package.json", "{}")
    r = run(user, where)
    tap.ok(len(advice(r)) == 1 and b"npm-install" not in r.err,
           "in a workspace that alone is said [%s]" % user, r.brief())
    r = run(user, where, ["sh", "-c", "echo ENOTCACHED"])
    tap.equal(r.err, b"", "nothing of a command that is OK [%s]" % user)


# What prints an error about a file that lies in directory d of another group: the
# kernel's own, and Node's when it makes directories that are missing.
OF_OTHERS = [["sh", "-c", "echo x >d/f"], ["sh", "-c", "mkdir d/x"],
             ["sh", "-c", "echo x >>f"],
             ["sh", "-c", "echo \"ENOENT: no such file or directory, mkdir 'd/x'\";"
              "exit 1"]]


def others_files(tap, user):
    """Only root can make such a repository here."""
    if os.geteuid() != 0:
        return
    top = lib.make_dir(user)
    os.mkdir(top + "/d")
    for path in ("/f", "/d/f"):
        lib.put(user, top + path, "text")
    lib.give(user, top + "/d")
    word = "REPO" if user == "root" else "$(id -u):$(id -g)"

    def said(command, mode="overlay", rc=None):
        r = run(user, top, command, ["--repo-mode", mode])
        if rc is not None and r.rc != rc:
            return r.brief()
        return [x for x in r.err.decode().splitlines()
                if "even in the overlay" in x]

    for command in OF_OTHERS:
        tap.equal(said(command), [], "all of one group: nothing [%s] %s"
                  % (user, command[2][:12]))
    for path in ("/f", "/d/f", "/d"):
        os.chown(top + path, -1, 12345)
    for command in OF_OTHERS:
        lines = said(command)
        tap.ok(len(lines) == 1 and word in lines[0], "another group: %s [%s]"
               % (command[2][:12], user), "%r" % lines)
        tap.equal(said(command, "ro"), [], "not without an overlay [%s] %s"
                  % (user, command[2][:12]))
    tap.equal(said(["sh", "-c", "mkdir d/x; exit 0"], rc=0), [],
              "nor of a command that is OK [%s]" % user)
    tap.equal(said(["sh", "-c", "mkdir a/b; exit 1"], rc=1), [],
              "nor of another error [%s]" % user)
    os.chown(top, -1, 12345)
    for path in ("/f", "/d/f", "/d"):
        lib.give(user, top + path)
    tap.equal(len(said(OF_OTHERS[3])), 1, "the top directory counts [%s]" % user)


# What ctest and cmake say of a build directory that was made on the host.
BUILT = ["Could not find executable %s/b/t\n1/1 Test #1: t ...***Not Run  0.00 sec",
         "directory /repo/b is different than the directory %s/b where "
         "CMakeCache.txt was created."]


def built(tap, user, top):
    """Below top, because a repository below /tmp is not shown at its own path."""
    where = os.path.join(top, user, "a")
    os.makedirs(where)
    lib.give(user, os.path.join(top, user))
    lib.give(user, where)
    lib.put(user, os.path.join(top, user, "lerna.json"), "{}")
    for text in BUILT:
        for to in ("1", "2"):
            say = ["sh", "-c", "echo \"$0\" >&%s; exit 1" % to, text % where]
            r = run(user, where, say)
            tap.ok(r.err.count(b"--repo-at same") == 1 and advice(r) == [],
                   "%s, on %s: only --repo-at is named [%s]" % (text[:9], to, user),
                   r.brief())
        rows = [("that names another path", say[:-1] + [text % "/elsewhere"], []),
                ("of a command that is OK", ["echo", text % where], []),
                ("without words of ctest or cmake",
                 say[:-1] + [where + "/b/t: not run"], []),
                ("where the path is the host's", say, ["--repo-at", where]),
                ("with --repo-at same", say, ["--repo-at", "same"])]
        for what, command, options in rows:
            r = run(user, where, command, options)
            tap.ok(b"name it by its path" not in r.err and
                   r.rc == (0 if "OK" in what else 1),
                   "nothing is said of one %s [%s]" % (what, user), r.brief())


def main():
    tap = lib.Tap()
    outside = os.path.realpath(tempfile.mkdtemp(prefix="cupel-built.",
                                                dir="/var/tmp"))
    os.chmod(outside, 0o755)
    atexit.register(shutil.rmtree, outside, True)
    for user in lib.users():
        told(tap, user)
        untold(tap, user)
        lacked(tap, user)
        others_files(tap, user)
        built(tap, user, outside)
    owners(tap)
    tap.done()


main()
