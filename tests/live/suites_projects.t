#!/usr/bin/env python3
"""suites_projects.t -- the suites of real projects, with eight workers if the runner
has workers: they pass under the shipped profiles without a change, reach no limit,
and fail after a change that breaks the project.

The projects are source packages of this system's archive, fetched by name, and for
jest the packages of a lockfile.  Only check-all fetches them."""
import os
import shutil
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True
import lib  # noqa: E402
from archive import open_archive, quiet  # noqa: E402

CTEST = ("cmake -B /scratch/b . >/dev/null && "
         "cmake --build /scratch/b >/dev/null && "
         "ctest -j 8 --test-dir /scratch/b --output-junit /scratch/report.xml")

# package: the profile, what its command needs, how it is prepared, the commands, the
# least number of tests, and a change: the file, the old text, the new text.
PROJECTS = {
    "toolz": ("pytest", "pytest", None,
              [["pytest", "-q"], ["pytest", "-q", "-n", "8"]], 150,
              ("toolz/itertoolz.py", "return next(iter(seq))", "return None")),
    "node-commander": ("jest", "npm", ["npm", "ci", "--ignore-scripts"],
                       [["npx", "jest", "--maxWorkers", "8"]], 800,
                       ("lib/command.js", "return helper.formatHelp(",
                        "return '' && helper.formatHelp(")),
    "golang-github-google-go-cmp": (
        "go-test", "go", None,
        [["go", "test", "./..."], ["go", "test", "-v", "./..."],
         ["go", "test", "-json", "./..."]], 400,
        ("cmp/compare.go", "return s.result.Equal()", "return true")),
    "cjson": ("ctest", "ctest", None, [["sh", "-c", CTEST]], 15,
              ("cJSON.c", "number = strtod(", "number = 1 + strtod(")),
}


def has_xdist():
    return lib.run(["/usr/bin/python3", "-c", "import xdist"], "root").rc == 0


def repo_of(place, user, prepare):
    """The prepared sources, which belong to the user; or None."""
    repo = place + "/repo"
    if prepare and quiet(prepare, cwd=repo).returncode != 0:
        return None
    if os.geteuid() == 0:
        quiet(["chown", "-R", str(lib.uid_of(user)), place])
    quiet(["chmod", "-R", "a+rX", place])
    return repo


def change(repo, name, old, new):
    """Break the project; return whether the old text was there."""
    with open(os.path.join(repo, name)) as f:
        text = f.read()
    with open(os.path.join(repo, name), "w") as f:
        f.write(text.replace(old, new))
    return old in text


def suite(tap, user, repo, name):
    profile, _, _, commands, least, broken = PROJECTS[name]
    for command in commands:
        if "-n" in command and not has_xdist():
            tap.ok(True, "%s -n 8 # SKIP there is no xdist" % name)
            continue
        r = lib.cupel(["--profile", profile, "--repo", repo], command, user,
                      clock_s=330)
        tests = ((r.json or {}).get("payload") or {}).get("tests", {})
        tap.ok(r.json and r.json["status"] == "OK" and
               tests.get("passed", 0) >= least and tests["failed"] == 0 and
               r.json["limits_met"] == [],
               "%s: %s [%s]" % (name, " ".join(command)[-40:], user),
               r.brief())
    if not tap.ok(change(repo, *broken), name + ": it is there to be broken"):
        return
    r = lib.cupel(["--profile", profile, "--repo", repo], commands[-1], user,
                  clock_s=330)
    tests = ((r.json or {}).get("payload") or {}).get("tests", {})
    tap.ok(r.json and r.json["status"] == "FAILED" and
           tests.get("failed", 0) > 0,
           "%s: broken, its tests fail [%s]" % (name, user), r.brief())


def main():
    tap = lib.Tap()
    archive = open_archive(os.environ.get("CUPEL_TIER") == "full")
    if archive is None:
        return
    top = lib.make_dir("root")
    os.chmod(top, 0o755)
    users = lib.users()
    for i, name in enumerate(PROJECTS):
        needed, prepare = PROJECTS[name][1:3]
        user = users[i % len(users)]
        if not shutil.which(needed):
            tap.ok(True, "%s # SKIP this machine has no %s" % (name, needed))
            continue
        place = archive.fetch(top, name)
        repo = place and repo_of(place, user, prepare)
        if not repo:
            tap.ok(True, "%s # SKIP it is not available" % name)
            continue
        suite(tap, user, repo, name)
        shutil.rmtree(place)
    tap.done()


main()
