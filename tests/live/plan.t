#!/usr/bin/env python3
"""plan.t -- `cupel plan` compared with a run that has the same options
(cupel-plan(1)): every mount with its flags, every name of the root, ids,
limits and variables. Nothing is missing, and nothing is there that the plan
does not name."""
import json
import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True
import lib  # noqa: E402

FLAGS = {"ro", "nosuid", "nodev", "noexec"}
COVER = {"ro", "nosuid", "nodev"}  # bound from the root directory, unchanged
MOUNTS = {"bind", "overlay", "device", "proc", "tmpfs", "cover"}

LOOK = r"""
cat /proc/self/mountinfo; echo =
find / -xdev -printf '%y\t%p\t%l\n'; echo =
tr '\0' '\n' </proc/self/environ; echo =
id -u; id -g; uname -n; pwd; echo =
cat /proc/self/limits
"""

LIMITS = {"cpu": "Max cpu time", "as": "Max address space",
          "data": "Max data size", "fsize": "Max file size",
          "core": "Max core file size", "memlock": "Max locked memory",
          "msgqueue": "Max msgqueue size", "sigpending": "Max pending signals",
          "nofile": "Max open files", "nproc": "Max processes"}


def unescape(text):
    """mountinfo writes blanks and some other characters as octal numbers."""
    return re.sub(r"\\([0-7]{3})", lambda m: chr(int(m[1], 8)), text)


def planned_mounts(plan):
    """{target: flags}; a cover is there if the host has what it covers."""
    found = {"/": COVER}
    for m in plan["mounts"]:
        if m["kind"] not in MOUNTS:
            continue
        if m["kind"] == "cover" and not os.path.lexists(m["target"]):
            continue
        found[m["target"]] = set(m.get("flags", COVER))
    return found


def seen_mounts(text):
    found = {}
    for line in text.splitlines():
        words = line.split(" ")
        target = unescape(words[4])
        if target in found:
            found[target] = {"twice"}
        else:
            found[target] = FLAGS & set(words[5].split(","))
    return found


def planned_names(plan):
    """{name: (kind, text of a link)} of the root's own file system."""
    found = {"/": ("d", "")}
    letters = {"dir": "d", "file": "f", "link": "l"}
    mounted = [m["target"] for m in plan["mounts"] if m["kind"] in MOUNTS]
    for m in plan["mounts"]:
        target = m["target"]
        if m["kind"] not in letters or target in mounted:
            continue
        if any(target.startswith(at + "/") for at in mounted):
            continue
        found[target] = (letters[m["kind"]], m.get("to", ""))
    return found


def seen_names(text, mounts):
    """The names that find saw.  With -xdev it names a mount point, but not what is in
    it; binds of our own tmpfs are on the same device, and are left out here."""
    found = {}
    for line in text.splitlines():
        kind, path, to = line.split("\t")
        if path != "/" and any(path == at or path.startswith(at + "/")
                               for at in mounts if at != "/"):
            continue
        found[path] = (kind, to)
    return found


def seen_limits(text):
    found = {}
    for key, title in LIMITS.items():
        for line in text.splitlines():
            if line.startswith(title + "  "):
                found[key] = tuple(line[len(title):].split()[:2])
    return found


def compare(tap, user, options):
    repo = [] if "none" in options else ["--repo", lib.repo(user)]
    words = repo + options
    label = "[%s %s]" % (user, " ".join(os.path.basename(w) for w in options))
    p = lib.run([lib.binary("cupel"), "plan"] + words + ["--", "sh"], user)
    plan = json.loads(p.out.decode()) if p.rc == 0 else None
    r = lib.cupel(words, ["sh", "-c", LOOK], user)
    parts = (r.json["stdout"] if r.json else "").split("=\n")
    if not tap.ok(plan and len(parts) == 5, "planned and run " + label,
                  "%r %s" % (p.err, r.brief())):
        return
    mounts = seen_mounts(parts[0])
    tap.equal(mounts, planned_mounts(plan), "every mount, no other " + label)
    tap.equal(seen_names(parts[1], mounts), planned_names(plan),
              "every name of the root, no other " + label, r.brief())
    tap.equal(set(parts[2].split("\n")) - {""}, set(plan["environment"]),
              "the environment " + label)
    ids = plan["ids"]
    tap.equal(parts[3].split(),
              [str(ids["uid_inside"]), str(ids["gid_inside"]),
               plan["hostname"], plan["cwd"]],
              "ids, host name, directory " + label)
    limits = seen_limits(parts[4])
    for key, want in plan["rlimits"].items():
        tap.equal(limits.get(key), (str(want["soft"]), str(want["hard"])),
                  "limit %s %s" % (key, label))


def main():
    tap = lib.Tap()
    for user in lib.users():
        extra = lib.make_dir(user)
        lib.put(user, extra + "/a file", "x")
        for options in (
                [], ["--repo-mode", "overlay"], ["--profile", "test"],
                ["--profile", "probe"], ["--repo-mode", "none"],
                ["--ro", extra + ":/srv/x", "--ro",
                 extra + "/a file:/opt/b c/d",
                 "--env", "A=b c", "--nofile", "99", "--chdir", "/tmp"]):
            compare(tap, user, options)
    tap.done()


main()
