#!/usr/bin/env python3
"""overlay_root.t -- on a host whose root is an overlay, as in a container,
mountinfo inside shows what cupel-run(1) says, and doctor says so
(docs/filter.md).

The overlay is made in a mount namespace of this test's own, over the host's root;
the names of its layers can be recognised in what mountinfo shows.
"""
import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True
import lib  # noqa: E402

LAYER = "layer-of-the-host"
# $1 is the place of the new root, $2 that of the layers, $3 the repository: the
# overlay becomes the root, and the command that follows runs in it.
ENTER = """
set -e
mount -t tmpfs layers "$2"
mkdir "$2/%s" "$2/work"
mount -t overlay root -o "lowerdir=/,upperdir=$2/%s,workdir=$2/work" "$1"
for dir in /proc /sys /dev /tmp; do mount --rbind "$dir" "$1$dir"; done
mount --bind "$3" "$1$3"
cd "$1"
pivot_root . mnt
umount -l mnt
cd /
shift 3
exec "$@"
""" % (LAYER, LAYER)


def enter(user, argv):
    places = [lib.make_dir("root"), lib.make_dir("root"), lib.repo(user)]
    return ["unshare", "--mount", "sh", "-c", ENTER, "sh", *places,
            *lib.become(user), lib.binary("cupel"), *argv]


def output(argv):
    p = subprocess.run(argv, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                       stderr=subprocess.PIPE, timeout=lib.CLOCK_S)
    try:
        return json.loads(p.stdout), p.stderr
    except ValueError:
        return None, p.stderr


def row(report):
    rows = [r for r in (report or {"rows": []})["rows"] if r["id"] == "runtime"]
    return rows[0]["value"] or "" if rows else None


def mounts(tap, user):
    said, err = output(enter(user, ["run", "--json", "--repo", lib.repo(user),
                                    "--", "cat", "/proc/self/mountinfo"]))
    if not tap.ok(said is not None and said["status"] == "OK",
                  user + ": a run starts there", (said, err)):
        return
    shown = {line.split()[4]: line for line in said["stdout"].splitlines()}
    tap.ok(LAYER in shown["/usr"],
           user + ": the options of /usr are shown, as the manual says", shown)
    leaks = [at for at, line in shown.items() if LAYER in line and
             not at.startswith(("/usr", "/etc/"))]
    tap.equal(leaks, [], user + ": and no others are")
    tap.ok(lib.repo(user) not in said["stdout"],
           user + ": the repository's path is not", shown)


def main():
    tap = lib.Tap()
    if os.geteuid() != 0:
        print("1..0 # SKIP the root of a mount namespace is root's to change")
        return
    for user in lib.users():
        # An overlay cannot show root's own files to another id.
        if user != "root":
            mounts(tap, user)
        here, err = output([*lib.become(user), lib.binary("cupel"), "doctor",
                            "--json"])
        there, _ = output(enter(user, ["doctor", "--json"]))
        tap.ok("overlay" in (row(there) or ""),
               user + ": doctor says that it is an overlay", (there, err))
        tap.ok(row(here) is not None, user + ": doctor says what is shown here",
               err)
    tap.done()


main()
