#!/usr/bin/env python3
"""repo.t -- repositories and --ro sources with odd names, odd owners and odd
content: the run shows the source that was named, and the host's tree does
not change."""
import ctypes
import hashlib
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True
import lib  # noqa: E402

NAMES = ["with space", "new\nline", "col:on", "com,ma", "back\\slash",
         "oct\\040al", "quo\"te'", "-dash", "--", "ünïcödé", "x" * 255,
         "#hash", "%s%n", "$HOME", "*", "a=b", "\x01\x7f", "caf\udce9"]


def tree_hash(path):
    """Names, kinds, modes, owners, times and bytes of a tree."""
    h = hashlib.sha256()
    for base, dirs, files in sorted(os.walk(path)):
        for name in sorted(dirs + files) + ["."]:
            full = os.path.join(base, name)
            st = os.lstat(full)
            h.update(repr((full, st.st_mode, st.st_uid, st.st_gid, st.st_ino,
                           st.st_mtime_ns, st.st_ctime_ns,
                           st.st_nlink)).encode("utf-8", "surrogateescape"))
            if os.path.isfile(full) and not os.path.islink(full):
                with open(full, "rb") as f:
                    h.update(f.read())
    return h.hexdigest()


def names(tap, user):
    for name in NAMES:
        path = os.path.join(lib.make_dir(user), name)
        os.mkdir(path)
        lib.give(user, path)
        lib.put(user, path + "/f", "here", 0o600)
        r = lib.cupel(["--repo=" + path], ["cat", "/repo/f"], user)
        shown = name.encode("unicode_escape").decode()[:20]
        tap.equal(r.json and r.json["stdout"], "here", "a repository named %s"
                  " [%s]" % (shown, user), r.brief())
        r = lib.cupel(["--repo-mode", "none", "--ro=" + path.replace(
            "\\", "\\\\").replace(":", "\\:") if ":" in path or "\\" in path
            else "--ro=" + path + ":/in"], ["ls", "/"], user)
        tap.ok(r.rc in (0, 2), "as --ro it works or is refused %s [%s]"
               % (shown, user), r.brief())


def hostile(tap, user):
    """Links where mount points go: nothing may be created where they lead."""
    top = lib.make_dir(user)
    victim = top + "/victim"
    path = top + "/repo"
    for d in (victim, path):
        os.mkdir(d)
        lib.give(user, d)
    for name, to in (("repo", victim), ("scratch", victim), ("tmp", victim),
                     ("proc", victim), ("dev", victim), ("usr", victim),
                     ("build", "../victim"), ("etc", "/oldroot" + victim),
                     ("self", "/proc/self/fd/3")):
        os.symlink(to, path + "/" + name)
    lib.put(user, path + "/f", "here")
    before = tree_hash(top)
    for options in ([], ["--repo-mode", "overlay"],
                    ["--ro", victim + ":/repo/build/out"],
                    ["--ro", victim + ":/scratch/in"],
                    ["--ro", victim + ":/opt/in"],
                    ["--ro", victim + ":/repo/scratch"],
                    ["--ro", victim + ":/usr/in"],
                    ["--ro", victim + ":relative"],
                    ["--ro", victim + ":/../x"], ["--ro", "nosuch:/x"],
                    ["--ro", victim + ":/"], ["--ro", victim + ":/proc/x"],
                    ["--chdir", "/repo/build"], ["--chdir", "/repo/etc"]):
        r = lib.cupel(["--repo", path] + options, ["cat", "/repo/f"], user)
        good = (r.json["stdout"] == "here" if r.rc == 0
                else r.rc in (1, 2) and (r.err or r.json["message"]))
        tap.ok(good, "links in the tree, %s: works or is refused [%s]"
               % (" ".join(options).replace(top, ""), user), r.brief())
        tap.equal(tree_hash(top), before, "and the host's tree is as it was "
                  "[%s]" % user)


def untouched(tap, user):
    path = lib.repo(user)
    before = tree_hash(path)
    for options in ("", "--repo-mode overlay", "--profile test"):
        lib.go(user, options, "sh", "-c", "rm -rf /repo/*; echo x >/repo/new;"
               "chmod 777 /repo/private; mkdir /repo/d2; mv /repo/file /repo/g"
               "; cat /repo/file >/dev/null; touch /repo/private; true")
        tap.equal(tree_hash(path), before, "the repository is untouched %s "
                  "[%s]" % (options, user))


def overlay(tap, user):
    # Since Linux 6.6 tmpfs can have a removed directory in an overlay; doctor says so.
    release = tuple(map(int, re.findall(r"\d+", os.uname().release)[:2]))
    again = "rm -r /repo/dir; mkdir /repo/dir; " if release >= (6, 6) else ""
    r = lib.go(user, "--repo-mode overlay", "sh", "-c",
               "set -e; echo new >/repo/n; rm /repo/file; " + again +
               "echo more >>/repo/private; chmod 755 "
               "/repo/private; mv /repo/script /repo/s2; ./s2; cat n private")
    tap.equal((r.rc, r.json and r.json["stdout"]),
              (0, "ran\nnew\nmine\nmore\n"), "overlay mode is writable [%s]"
              % user, r.brief())
    path = lib.make_dir(user)
    r = lib.go(user, ["--repo-mode", "overlay", "--artifact",
                      "/repo/made:" + path + "/made"], "sh", "-c",
               "echo made >/repo/made")
    text = open(path + "/made").read() if os.path.exists(path + "/made") else 0
    tap.equal(text, "made\n", "an artifact out of the overlay [%s]" % user,
              r.brief())


def not_mine(tap):
    """A user cannot change a file of root's, not even in a copy."""
    path = lib.make_dir("root")
    lib.put("root", path + "/file", "theirs\n")
    asked = ["--repo", path, "--repo-mode", "overlay"]
    write = ["sh", "-c", "echo mine >>/repo/file || exit 3"]
    r = lib.cupel(asked, write, "user")
    tap.ok(r.rc == 2 and r.json is None and
           b"belongs to another user" in r.err,
           "a view of another user's files that is to be writable is the "
           "caller's mistake", r.brief())
    r = lib.cupel(asked + ["--allow-partial"], write, "user")
    tap.ok(r.json and (r.json["status"], r.json["partial"]) ==
           ("FAILED", True) and
           not r.json["enforced"]["repo_overlay"]["applied"],
           "and a partial run says that it is not", r.brief())


def owners(tap, user):
    r = lib.go(user, "", "cat", "/repo/private")
    tap.equal(r.json and r.json["stdout"], "mine\n", "private files of the "
              "owner are readable [%s]" % user, r.brief())
    if user != "root":
        return
    for uid, gid in ((0, 0), (1234, 1234), (1234, 0), (65534, 65534)):
        path = lib.make_dir("root")
        lib.put("root", path + "/f", "own", 0o600)
        for p in (path, path + "/f"):
            os.chown(p, uid, gid)
        r = lib.cupel(["--repo", path], ["sh", "-c", "cat f; stat -c %u f"],
                      user)
        tap.equal(r.json and r.json["stdout"], "own1000\n",
                  "a repository of %d:%d, launched by root" % (uid, gid),
                  r.brief())


def unmapped(tap):
    """A run by root on a file system that refuses idmapped mounts (ramfs)."""
    at = lib.make_dir("root")
    script = ("mount -t ramfs none %s && chmod 755 %s && mkdir %s/r && "
              "echo own >%s/r/f && chmod 600 %s/r/f && exec \"$@\""
              % ((at,) * 5))
    before = ["unshare", "--mount", "--", "sh", "-ec", script, "sh"]
    ran = ["sh", "-c", "cat f 2>/dev/null; stat -c %u f"]
    r = lib.cupel(["--repo", at + "/r"], ran, "root", before=before)
    tap.ok(r.json and (r.status, r.json["started"], r.json["reason"],
                       r.json["cause"])
           == ("INTERNAL_ERROR", False, "idmap_refused", "host") and
           at + "/r: " in r.json["message"],
           "a refused idmapped mount ends the run and names the path",
           r.brief())
    for mode in ("ro", "overlay"):
        r = lib.cupel(["--allow-partial", "--repo", at + "/r", "--repo-mode",
                       mode], ran, "root", before=before)
        e = r.json and r.json["enforced"]
        tap.ok(r.json and (r.status, r.json["stdout"]) == ("OK", "65534\n") and
               (r.json["partial"], r.json["reason"]) ==
               (True, "PARTIAL_ENFORCEMENT") and
               at + "/r: " in r.json["message"] and
               e["repo_objects"] == {"requested": True, "applied": False,
                                     "details": {"by": "overlay",
                                                 "idmap": "refused"}} and
               e["repo_overlay"]["applied"] is not True,
               "a partial run goes on without it and says so, %s" % mode,
               r.brief() + str(e))
    r = lib.cupel(["--allow-partial", "--repo", lib.repo("root")],
                  ["true"], "root")
    tap.equal((r.json["partial"], r.json["reason"],
               r.json["enforced"]["repo_objects"]["details"]),
              (False, None, {"by": "overlay"}),
              "where it is granted nothing is partial")


def mounts_inside(tap, user):
    """A volume in the repository or below --ro is shown, or refused by name; it
    is never an empty directory."""
    at = lib.make_dir(user)
    os.makedirs(at + "/r/vol")
    os.makedirs(at + "/empty")
    for path in (at + "/r", at + "/r/vol", at + "/empty"):
        lib.give(user, path)
    script = ("mount -t tmpfs none %s/r/vol && chmod 755 %s/r/vol && "
              "echo deep >%s/r/vol/f && exec \"$@\"" % ((at,) * 3))
    before = ["unshare", "--mount", "--", "sh", "-ec", script, "sh"]
    for options, path, shows in (
            (["--repo", at + "/r", "--repo-mode", "ro"], "/repo",
             user != "root"),
            (["--repo", at + "/r", "--repo-mode", "overlay"], "/repo", False),
            (["--repo", at + "/empty", "--ro", at + "/r:/opt/r"], "/opt/r",
             user != "root"),
            (["--repo", at + "/empty", "--repo-mode", "overlay"], None, True)):
        r = lib.cupel(options, ["cat", path + "/vol/f" if path else "/dev/null"],
                      user, before=before)
        if shows:
            good = r.json and r.json["stdout"] == ("deep\n" if path else "")
        else:
            good = r.rc == 2 and at + "/r/vol'" in r.err.decode()
        tap.ok(good, "a mount inside: %s [%s]" % (options[1:], user), r.brief())


IN_ACCESS, IN_ATTRIB, IN_OPEN = 1, 4, 0x20


def walk(tap, user):
    """A start looks only at the top of the tree, and not below, whoever owns
    the files. (The control: looking below would be noticed.)"""
    path = lib.make_dir(user)
    os.makedirs(path + "/top/deep")
    lib.put(user, path + "/top/file", "x")
    for at in ("/top", "/top/deep"):
        lib.give(user, path + at)
    libc = ctypes.CDLL(None, use_errno=True)
    fd = libc.inotify_init1(os.O_NONBLOCK)
    for at in ("/top", "/top/deep", "/top/file"):
        if libc.inotify_add_watch(fd, os.fsencode(path + at),
                                  IN_ACCESS | IN_ATTRIB | IN_OPEN) < 0:
            raise OSError(ctypes.get_errno(), "inotify_add_watch")
    for mode in ("ro", "overlay"):
        r = lib.cupel(["--repo", path, "--repo-mode", mode], ["true"], user)
        tap.ok(r.rc == 0 and not looked(fd),
               "no run walks the tree, %s [%s]" % (mode, user), r.brief())
    os.listdir(path + "/top/deep")
    tap.ok(looked(fd), "a look would have been seen [%s]" % user)
    os.close(fd)


def looked(fd):
    try:
        return len(os.read(fd, 4096)) > 0
    except BlockingIOError:
        return False


def git(tap, user):
    path = lib.make_dir(user)
    env = dict(lib.clean_env(), HOME=path, GIT_AUTHOR_NAME="a",
               GIT_AUTHOR_EMAIL="a@b", GIT_COMMITTER_NAME="a",
               GIT_COMMITTER_EMAIL="a@b")
    script = ("cd %s && git init -q . && echo 1 >f && git add f && "
              "git commit -qm one" % path)
    subprocess.run(lib.become(user) + ["sh", "-c", script], env=env,
                   check=True, cwd="/")
    r = lib.cupel(["--repo", path], ["sh", "-c", "git log --format=%s && git "
                                     "status --short && git diff"], user)
    tap.equal((r.rc, r.json and r.json["stdout"], r.json and
               r.json["stderr"]), (0, "one\n", ""),
              "git has nothing to complain of [%s]" % user, r.brief())


def main():
    tap = lib.Tap()
    for user in lib.users():
        for part in (names, hostile, untouched, overlay, owners, walk, git):
            part(tap, user)
    if "root" in lib.users():
        for user in lib.users():
            mounts_inside(tap, user)
        not_mine(tap)
        unmapped(tap)
    tap.done()


main()
