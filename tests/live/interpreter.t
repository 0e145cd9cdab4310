#!/usr/bin/env python3
"""interpreter.t -- the interpreter that runs is the one that the caller's
shell would take: that of a version manager, of a virtualenv, or of a
script's first line. Another one is never taken silently, and one that the
repository chose is never taken."""
import atexit
import os
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True
import lib  # noqa: E402

SYSTEM = os.path.realpath("/usr/bin/python3")
SAY = ["-c", "import sys; print(sys.executable, sys.prefix)"]


def make_top():
    """Make a directory in which a prefix may be: not below /tmp."""
    top = tempfile.mkdtemp(prefix="cupel-interpreter.", dir="/opt")
    atexit.register(shutil.rmtree, top, ignore_errors=True)
    os.chmod(top, 0o755)
    return top


def make_prefix(path):
    """The system's Python at another place: it finds its library in /usr."""
    os.makedirs(path + "/bin")
    os.makedirs(path + "/lib")
    shutil.copy(SYSTEM, path + "/bin/python3")
    return path


def make_manager(top):
    """A pyenv with two versions and its shims."""
    root = top + "/.pyenv"
    for version in ("3.9.1", "3.9.20"):
        make_prefix("%s/versions/%s" % (root, version))
    os.makedirs(root + "/shims")
    lib.put("root", root + "/shims/python3", "#!/bin/sh\nexit 9\n", 0o755)
    lib.put("root", root + "/version", "3.9.1\n")
    return root


def taken(r):
    return [(p["taken"], p["origin"]) for p in (r.json or {}).get("programs", [])]


def look(tap, user, repo, path, command, want, what, more=None,
         which=-1):
    """A run and a plan of it: what is printed, and what was taken."""
    env = {"PATH": path, **(more or {})}
    r = lib.cupel(["--repo", repo], command, user, env=env)
    tap.ok(r.json and r.json["stdout"].split()[:1] == [want[0]] and
           taken(r)[which] == (os.path.realpath(want[0])
                               if want[1] != "repository" else want[0], want[1]),
           "%s [%s]" % (what, user), r.brief() + "\n%s" % taken(r))
    tap.equal(lib.schema_errors(r.out, "result.schema.json"), [],
              "the result is valid: %s [%s]" % (what, user))
    p = lib.run([lib.binary("cupel"), "plan", "--repo", repo, "--"] + command,
                user, env=env)
    tap.has(p.out.decode(), '"origin": "%s"' % want[1],
            "the plan says the same: %s [%s]" % (what, user))
    tap.equal(lib.schema_errors(p.out, "plan.schema.json"), [],
              "the plan is valid: %s [%s]" % (what, user))


def refused(tap, user, repo, path, command, words, what, more=None):
    """Check that nothing was started, and that the message names the option."""
    r = lib.run([lib.binary("cupel"), "run", "--repo", repo, "--"] + command,
                user, env={"PATH": path, **(more or {})})
    said = r.err.decode()
    tap.ok(r.rc == 2 and r.out == b"" and
           all(w in said for w in list(words) + ["--runtime"]),
           "%s [%s]" % (what, user), "%d %r %r" % (r.rc, r.out, said))


def managers(tap, user, top, root):
    repo = lib.make_dir(user)
    shims = root + "/shims:/usr/bin:/bin"
    command = ["python3"] + SAY
    look(tap, user, repo, shims, command,
         (root + "/versions/3.9.1/bin/python3", "shim"),
         "a shim is the version that it stands for")
    lib.put(user, repo + "/.python-version", "3.9\n")
    look(tap, user, repo, shims, command,
         (root + "/versions/3.9.20/bin/python3", "shim"),
         "the repository chooses among the caller's versions")
    lib.put(user, repo + "/.python-version", "system\n")
    look(tap, user, repo, shims, command, ("/usr/bin/python3", "system"),
         "and the system's")
    lib.put(user, repo + "/.python-version", "../../prefix\n")
    refused(tap, user, repo, shims, command, ["pyenv shim"],
            "a version is no path out of the manager")
    os.remove(repo + "/.python-version")
    look(tap, user, repo, top + "/prefix/bin:" + shims, command,
         (top + "/prefix/bin/python3", "path"), "a prefix in PATH is taken")
    look(tap, user, repo, "/usr/bin:" + top + "/prefix/bin", command,
         ("/usr/bin/python3", "system"), "the first in PATH is")
    refused(tap, user, repo, top + "/open/bin:/usr/bin:/bin", command,
            ["others can write to it", top + "/open/bin/python3"],
            "what cannot be shown is no reason to take another")


def make_rustup(top):
    """A rustup with two toolchains; its names are links to it."""
    for name in ("stable", "1.70.0"):
        prefix = "%s/rustup/toolchains/%s" % (top, name)
        make_prefix(prefix)
        lib.put("root", prefix + "/bin/cargo", "#!/bin/sh\necho $0\n", 0o755)
    lib.put("root", top + "/rustup/settings.toml",
            'default_toolchain = "stable"\n')
    os.makedirs(top + "/cargo/bin")
    lib.put("root", top + "/cargo/bin/rustup", "#!/bin/sh\nexit 9\n", 0o755)
    os.symlink("rustup", top + "/cargo/bin/cargo")


def toolchains(tap, user, top):
    repo = lib.make_dir(user)
    path = top + "/cargo/bin:/usr/bin:/bin"
    home = {"RUSTUP_HOME": top + "/rustup"}
    look(tap, user, repo, path, ["cargo"],
         (top + "/rustup/toolchains/stable/bin/cargo", "shim"),
         "cargo of rustup's is the default toolchain's", home, 0)
    lib.put(user, repo + "/rust-toolchain.toml",
            '[toolchain]\nchannel = "1.70.0"\n')
    look(tap, user, repo, path, ["cargo"],
         (top + "/rustup/toolchains/1.70.0/bin/cargo", "shim"),
         "the repository chooses among the caller's toolchains", home, 0)
    for text in ("path = \"%s/prefix\"" % top, "channel = \"../../prefix\""):
        lib.put(user, repo + "/rust-toolchain.toml",
                "[toolchain]\n" + text + "\n")
        refused(tap, user, repo, path, ["cargo"],
                ["rust-toolchain.toml chooses the toolchain in a form"],
                "a toolchain is no path: " + text.split()[0], home)


def scripts(tap, user, top):
    repo = lib.make_dir(user)
    lib.put(user, repo + "/tell", "#!/usr/bin/env python3\nimport sys\n"
            "print(sys.executable)\n", 0o755)
    path = top + "/tools/bin:" + top + "/prefix/bin:/usr/bin:/bin"
    look(tap, user, repo, path, ["./tell"],
         (top + "/prefix/bin/python3", "path"),
         "a script of the repository runs under the caller's interpreter")
    look(tap, user, repo, path, ["tool"],
         (top + "/prefix/bin/python3", "path"),
         "a program's first line is followed")
    look(tap, user, repo, path, ["sh", "-c", "cd .; exec python3 tell"],
         (top + "/prefix/bin/python3", "path"),
         "so does what a shell is told")
    lib.put(user, repo + "/tell", "#!/usr/bin/env secret\n", 0o755)
    r = lib.cupel(["--repo", repo], ["./tell"], user, env={"PATH": path})
    tap.ok(r.json and r.rc == 127 and top not in str(taken(r)),
           "which a script of the repository is not for any name [%s]" % user,
           r.brief())


def escapes(tap, user, top):
    """A repository makes no directory of the host visible, with any spelling
    or link."""
    repo = lib.make_dir(user)
    lib.put(user, repo + "/tell", "#!/usr/..%s/prefix/bin/python3\n"
            "print(open('%s/prefix/lib/mine').read())\n" % (top, top), 0o755)
    env = {"PATH": "/usr/bin:/bin"}
    r = lib.cupel(["--repo", repo], ["./tell"], user, env=env)
    tap.ok(r.json and r.rc != 0 and r.json["stdout"] == "" and
           top not in str(taken(r)),
           "a first line that climbs out of /usr shows nothing [%s]" % user,
           r.brief())
    r = lib.cupel(["--repo", repo, "--runtime", top + "/prefix"], ["./tell"],
                  user, env=env)
    tap.ok(r.json and r.json["stdout"] == "words\n\n",
           "which --runtime does, too [%s]" % user, r.brief())
    command = ["python3", "-c", "print(open('%s/prefix/lib/mine').read())" % top]
    os.symlink(os.path.relpath(top + "/prefix/bin", repo), repo + "/bin")
    path = repo + "/bin:/usr/bin:/bin"
    refused(tap, user, repo, path, command, ["leads out of the repository"],
            "nor does a place of PATH that is a link of the repository")
    r = lib.cupel(["--repo", repo, "--runtime", top + "/prefix"], command, user,
                  env={"PATH": path})
    tap.ok(r.json and r.json["stdout"] == "words\n\n",
           "and that, too, --runtime does [%s]" % user, r.brief())


def environments(tap, user, top):
    repo = lib.make_dir(user)
    made = subprocess.run(
        lib.become(user) + [top + "/prefix/bin/python3", "-m", "venv",
                            "--without-pip", repo + "/.venv"],
        capture_output=True, timeout=60)
    tap.ok(made.returncode == 0, "a virtualenv can be made [%s]" % user,
           made.stderr.decode())
    path = repo + "/.venv/bin:" + top + "/prefix/bin:/usr/bin:/bin"
    r = lib.cupel(["--repo", repo], ["python3"] + SAY, user,
                  env={"PATH": path})
    tap.ok(r.json and r.json["stdout"].split() ==
           ["/repo/.venv/bin/python3", "/repo/.venv"] and
           taken(r) == [(top + "/prefix/bin/python3", "repository")],
           "an active virtualenv of the repository is active inside [%s]"
           % user, r.brief() + "\n%s" % taken(r))
    # the attack: only the repository names the place that its link leads to
    command = ["python3", "-c", "print(open('%s/prefix/lib/mine').read())" % top]
    alone = repo + "/.venv/bin:/usr/bin:/bin"
    refused(tap, user, repo, alone, command, ["leads out of the repository"],
            "a link of the repository shows nothing of the host")
    os.symlink(repo + "/.venv/bin", top + "/sly-" + user)
    refused(tap, user, repo, top + "/sly-" + user + ":/usr/bin:/bin", command,
            ["leads out of the repository"],
            "nor by a place of PATH that leads into it")
    # and its control: the caller has named it
    r = lib.cupel(["--repo", repo, "--runtime", top + "/prefix"], command, user,
                  env={"PATH": alone})
    tap.ok(r.json and r.json["stdout"] == "words\n\n",
           "which --runtime does [%s]" % user, r.brief())


def make_home(user, top):
    """A home with a tool in its .local and one beside its own lib."""
    home = "%s/home-%s" % (top, user)
    for path in (home, home + "/.local"):
        os.makedirs(path + "/bin")
        os.makedirs(path + "/lib")
    lib.put(user, home + "/bin/own", "#!/bin/sh\ncat %s/letters\n" % home, 0o755)
    lib.put(user, home + "/letters", "secret\n")
    lib.put(user, home + "/.local/bin/local",
            "#!/bin/sh\ncat %s/.local/letters\n" % home, 0o755)
    lib.put(user, home + "/.local/letters", "secret\n")
    for path in (home, home + "/bin", home + "/lib", home + "/.local",
                 home + "/.local/bin", home + "/.local/lib"):
        lib.give(user, path)
    return home


def homes(tap, user, top):
    """A home is shown by no way, whatever HOME says of it."""
    home = make_home(user, top)
    repo = lib.make_dir(user)
    for said in ({}, {"HOME": "/tmp"}, {"HOME": ""}, {"HOME": "."},
                 {"HOME": home}):
        refused(tap, user, repo, home + "/.local/bin:/usr/bin:/bin", ["local"],
                ["--ro"], "no ~/.local with %s" % said, said)
        refused(tap, user, repo, home + "/bin:/usr/bin:/bin", ["own"],
                ["--ro"], "no home with %s" % said, said)
    for prefix in (home, home + "/.local"):
        r = lib.run([lib.binary("cupel"), "run", "--repo", repo, "--runtime",
                     prefix, "--", "true"], user, env={"PATH": "/usr/bin:/bin"})
        tap.ok(r.rc == 2 and "more than programs" in r.err.decode(),
               "nor if it is named [%s]" % user, r.err.decode())
    # what the caller wants to show, --ro shows
    r = lib.cupel(["--repo", repo, "--ro", home + "/.local", "--env",
                   "PATH=%s/.local/bin:/usr/bin:/bin" % home], ["local"], user)
    tap.ok(r.json and r.json["stdout"] == "secret\n",
           "--ro shows it [%s]" % user, r.brief())
    shutil.rmtree(home + "/.local")
    if os.geteuid() == 0:
        accounts(tap, user, repo, home)


def accounts(tap, user, repo, home):
    """A home in which nothing shows that it is one: the account says it."""
    passwd = lib.put("root", home + "-passwd",
                     "cup:x:4321:4321::%s:/bin/sh\n" % home)
    run = [lib.binary("cupel"), "run", "--repo", repo, "--", "own"]
    env = {"PATH": home + "/bin:/usr/bin:/bin"}
    r = lib.run(run, user, env=env)
    tap.ok(r.out == b"secret\n", "a directory that is nobody's home [%s]" % user,
           r.err.decode())
    r = lib.run(["unshare", "-m", "sh", "-c", 'mount --bind "$0" /etc/passwd && '
                 'exec "$@"', passwd] + lib.become(user) + run, "root", env=env)
    tap.ok(r.rc == 2 and b"home directory of an account" in r.err,
           "and one that is [%s]" % user, "%r %r" % (r.out, r.err))


def main():
    tap = lib.Tap()
    try:
        top = make_top()
    except OSError as e:
        print("1..0 # SKIP no prefix can be made in /opt: %s" % e)
        return
    make_prefix(top + "/prefix")
    lib.put("root", top + "/prefix/lib/mine", "words\n")
    os.chmod(make_prefix(top + "/open"), 0o777)
    os.makedirs(top + "/tools/bin")
    os.makedirs(top + "/tools/lib")
    lib.put("root", top + "/tools/bin/tool", "#!%s/prefix/bin/python3\n"
            "import sys\nprint(sys.executable)\n" % top, 0o755)
    shutil.copy("/bin/true", top + "/prefix/bin/secret")
    root = make_manager(top)
    make_rustup(top)
    for user in lib.users():
        managers(tap, user, top, root)
        toolchains(tap, user, top)
        scripts(tap, user, top)
        escapes(tap, user, top)
        environments(tap, user, top)
        homes(tap, user, top)
    tap.done()


main()
