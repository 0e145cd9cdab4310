#!/usr/bin/env python3
"""repo_at.t -- the repository at another path than /repo: its path on the
host, or one that the caller names, but never one that overlaps with a
directory of the vessel's own."""
import atexit
import json
import os
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True
import lib  # noqa: E402

# Not below /tmp, which is the vessel's own.
TOP = os.path.realpath(tempfile.mkdtemp(prefix="cupel-at.", dir="/var/tmp"))
os.chmod(TOP, 0o755)
atexit.register(shutil.rmtree, TOP, True)


def repo(user):
    path = os.path.join(TOP, user)
    if not os.path.isdir(path):
        os.mkdir(path, 0o755)
        lib.give(user, path)
        lib.put(user, path + "/file", "plain\n")
        lib.put(user, path + "/script", "#!%s/tool\n" % path, 0o755)
        lib.put(user, path + "/tool", "#!/bin/sh\necho tool\n", 0o755)
    return path


def run(user, options, *command):
    return lib.cupel(["--repo", repo(user)] + options, command, user)


def said(r):
    return (r.rc, r.json and r.json["stdout"])


def plan(user, *options):
    r = lib.run([lib.binary("cupel"), "plan", "--repo", repo(user)] +
                list(options) + ["--", "true"], user)
    return json.loads(r.out.decode())


def places(tap, user):
    here = repo(user)
    look = ["sh", "-c", "pwd; cat file /repo/file; ls -d " + here]
    r = run(user, ["--repo-at", "same"], *look)
    tap.equal(said(r), (0, "%s\nplain\nplain\n%s\n" % (here, here)),
              "same shows the host's path, and /repo leads there [%s]" % user,
              r.brief())
    r = run(user, ["--repo-at", "/srv/a/b"], "sh", "-c",
            "pwd; cat file /repo/file; readlink /repo; ls " + here)
    tap.equal((r.json["rc"], r.json["stdout"]),
              (2, "/srv/a/b\nplain\nplain\n/srv/a/b\n"),
              "PATH shows it there, and nowhere else [%s]" % user, r.brief())
    r = run(user, [], *look)
    tap.equal((r.json["rc"], r.json["stdout"]), (2, "/repo\nplain\nplain\n"),
              "without either there is no path of the host's [%s]" % user,
              r.brief())
    r = run(user, ["--repo-at", "same", "--chdir", "/repo"], "./tool")
    tap.equal(said(r), (0, "tool\n"), "a start in /repo is one there [%s]"
              % user, r.brief())
    r = run(user, ["--repo-at", "same"], "./script")
    tap.equal(said(r), (0, "tool\n"), "a script's interpreter in the "
              "repository is found by the host's path [%s]" % user, r.brief())
    r = run(user, [], "./script")
    tap.equal(r.rc, 127, "and is not at /repo [%s]" % user, r.brief())


def told(tap, user):
    here = repo(user)
    tap.ok(here in plan(user, "--repo-at", "same")["visible_host_paths"],
           "plan says that the host's path is seen [%s]" % user)
    for options in ((), ("--repo-at", "/srv/a")):
        tap.ok(here not in plan(user, *options)["visible_host_paths"],
               "and does not say so where it is not %s [%s]"
               % (" ".join(options), user))
    tap.equal(plan(user, "--repo-at", "/srv/a", "--chdir", "/repo/x")["cwd"],
              "/srv/a/x", "the start is the place that it is [%s]" % user)


def walls(tap, user):
    here = repo(user)
    for at in ("same", "/srv/a"):
        r = run(user, ["--repo-at", at], "sh", "-c",
                "echo x >file || echo x >/repo/new || rm -f file || "
                "mkdir ../d || ln -sf / /repo")
        e = r.json["enforced"]
        tap.ok(r.json["rc"] != 0 and e["repo_readonly"]["applied"] is True and
               open(here + "/file").read() == "plain\n",
               "nothing can be written there, at %s [%s]" % (at, user),
               r.brief())
        out = lib.make_dir(user)
        r = run(user, ["--repo-at", at, "--repo-mode", "overlay", "--artifact",
                       "/repo/made:%s/a" % out, "--artifact",
                       "made:%s/b" % out], "sh", "-c", "echo made >made")
        got = [open(out + "/" + n).read() if os.path.exists(out + "/" + n)
               else None for n in "ab"]
        tap.ok(got == ["made\n"] * 2 and not os.path.exists(here + "/made") and
               r.json["enforced"]["repo_overlay"]["applied"] is True,
               "an overlay there is written to, and its files are artifacts, "
               "at %s [%s]" % (at, user), r.brief() + str(got))


def paths_out(tap, user):
    for at in ("same", "/srv/a"):
        r = run(user, ["--repo-at", at, "--result-from", "stdout"], "sh", "-c",
                "printf '{\"file\": \"%s/f.py\"}' \"$PWD\"")
        tap.equal(r.json["payload"], {"file": "f.py"},
                  "paths in what comes out are the repository's, at %s [%s]"
                  % (at, user), r.brief())


def phases(tap, user):
    spec = {"repo": repo(user), "repo_at": "same", "phases": [
        {"name": "one", "command": ["sh", "-c", "echo 1 >made"]},
        {"name": "two", "command": ["cat", repo(user) + "/made"]}]}
    path = lib.make_dir(user) + "/spec.json"
    lib.put(user, path, json.dumps(spec))
    r = lib.run([lib.binary("cupel"), "run", "--json", "--spec", path], user)
    try:
        two = json.loads(r.out.decode())["phases"][1]
    except (ValueError, KeyError, IndexError):
        two = {}
    tap.ok(two.get("stdout") == "1\n" and two.get("partial") is False,
           "phases share it there [%s]" % user, r.brief())


def refused(tap, user):
    here = repo(user)
    low = lib.make_dir(user)  # below /tmp
    link = os.path.join(TOP, "link-" + user)
    os.symlink(here, link)
    rows = [(["--repo-at", at], "--repo-at") for at in
            ("/", "/usr", "/usr/x", "/proc/x", "/dev", "/tmp/x", "/etc/x",
             "/scratch", "/lib64/x", "/repo/x", "/sys/x", "/bin", "/.cupel",
             "rel", "Same", "", "/srv/../usr/x", "/srv/./x", "/srv//x",
             "/srv/")]
    rows += [(["--repo", low, "--repo-at", "same"], "/tmp"),
             (["--repo-mode", "none", "--repo-at", "same"], "--repo-at"),
             (["--repo-at", "/srv/a", "--ro", low + ":/srv"], "overlap"),
             (["--repo-at", "/srv/a", "--ro", low + ":/srv/a/b"],
              "overlap"),
             (["--repo-at", "same", "--ro", low + ":" + here + "/in"],
              "overlap"),
             (["--repo-at", "same", "--ro", low + ":" + TOP],
              "overlap"),
             (["--repo-at", "same", "--artifact", here + "/x"],
              "--artifact")]
    for options, word in rows:
        before = [] if {"--repo", "none"} & set(options) else ["--repo", here]
        r = lib.cupel(before + options, ["true"], user)
        tap.ok(r.rc == 2 and word in r.err.decode(), "refused: %s [%s]"
               % (" ".join(options).replace(TOP, "").replace(low, "LOW"),
                  user), r.brief())
    r = lib.cupel(["--repo", link, "--repo-at", "same"], ["pwd"], user)
    tap.equal(said(r), (0, here + "\n"), "a link to it is followed first "
              "[%s]" % user, r.brief())
    # on the host /var/run leads to /run, where no directory may be created
    r = run(user, ["--repo-at", "/var/run/cupel-at"], "pwd")
    tap.ok(said(r) == (0, "/var/run/cupel-at\n") and
           not os.path.exists("/run/cupel-at"),
           "no link of the host is followed [%s]" % user, r.brief())


def dummies(tap, user):
    name = "AWS_SECRET_ACCESS_KEY"
    r = lib.go(user, ["--env-dummy", name], "printenv", name,
               env={name: "the-real-one"})
    tap.equal(said(r), (0, "dummy\n"), "a name of a secret has our word "
              "[%s]" % user, r.brief())
    r = lib.go(user, ["--pass-env", name], "true", env={name: "the-real-one"})
    tap.ok(r.rc == 2 and b"--env-dummy" in r.err and
           b"the-real-one" not in r.err, "its value is refused, and the "
           "message names the way [%s]" % user, r.brief())


def virtualenv(tap, user):
    """A virtualenv as pip writes it: its scripts name the interpreter by the
    host's path."""
    here = os.path.join(TOP, "venv-" + user)
    os.mkdir(here, 0o755)
    lib.give(user, here)
    made = subprocess.run(
        lib.become(user) + ["/usr/bin/python3", "-m", "venv", "--without-pip",
                            "--system-site-packages", here + "/.venv"],
        cwd="/", env=lib.clean_env(), capture_output=True)
    has = subprocess.run(["/usr/bin/python3", "-c", "import pytest"],
                         capture_output=True).returncode == 0
    if made.returncode != 0 or not has:
        tap.ok(True, "no venv or no pytest here [%s] # SKIP" % user)
        return
    lib.put(user, here + "/.venv/bin/pytest",
            "#!%s/.venv/bin/python\nimport sys\nfrom pytest import "
            "console_main\nsys.exit(console_main())\n" % here, 0o755)
    lib.put(user, here + "/test_a.py", "import sys\n\n\ndef test_a():\n"
            "    assert sys.prefix == %r\n" % (here + "/.venv"))
    run_it = ["--profile", "pytest", "--repo", here]
    r = lib.cupel(run_it + ["--repo-at", "same"], [".venv/bin/pytest"], user)
    tap.ok(r.rc == 0 and r.json["payload"]["tests"]["passed"] == 1,
           ".venv/bin/pytest is run by the virtualenv's python [%s]" % user,
           r.brief())
    r = lib.cupel(run_it, [".venv/bin/pytest"], user)
    tap.equal(r.rc, 127, "which is not found at /repo [%s]" % user, r.brief())


def cmake(tap, user):
    here = os.path.join(TOP, "cmake-" + user)
    os.mkdir(here, 0o755)
    lib.give(user, here)
    lib.put(user, here + "/CMakeLists.txt",
            "cmake_minimum_required(VERSION 3.10)\nproject(a NONE)\n"
            "enable_testing()\nadd_test(NAME t COMMAND "
            "${CMAKE_CURRENT_SOURCE_DIR}/t.sh)\n")
    lib.put(user, here + "/t.sh", "#!/bin/sh\nexit 0\n", 0o755)
    if shutil.which("cmake") is None or shutil.which("ctest") is None:
        tap.ok(True, "no cmake here [%s] # SKIP" % user)
        return
    subprocess.run(lib.become(user) + ["cmake", "-S", here, "-B",
                                       here + "/build"], cwd="/",
                   env=lib.clean_env(), check=True, capture_output=True)
    options = ["--profile", "ctest", "--repo", here]
    command = ["ctest", "--test-dir", "build", "--output-junit",
               "/scratch/report.xml"]
    r = lib.cupel(options + ["--repo-at", "same"], command, user)
    tap.ok(r.rc == 0 and r.json["payload"]["tests"]["passed"] == 1,
           "a tree that was configured outside is tested [%s]" % user,
           r.brief())
    r = lib.cupel(options, command, user)
    tap.ok(r.rc != 0, "which it is not at /repo [%s]" % user, r.brief())


def lesser(tap, user):
    here = repo(user)
    options = ["--backend", "rlimits", "--allow-partial"]
    r = run(user, options + ["--repo-at", "same"], "pwd")
    tap.equal(said(r), (0, here + "\n"), "without namespaces it is there "
              "anyway [%s]" % user, r.brief())
    r = run(user, options + ["--repo-at", "/srv/a"], "pwd")
    tap.ok(r.rc == 2 and b"--repo-at" in r.err,
           "and cannot be anywhere else [%s]" % user, r.brief())


def main():
    tap = lib.Tap()
    for user in lib.users():
        for part in (places, told, walls, paths_out, phases, refused, dummies,
                     virtualenv, cmake, lesser):
            part(tap, user)
    tap.done()


main()
