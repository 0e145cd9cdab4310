#!/usr/bin/env python3
"""gate_tree.t -- a verdict is bound to the tree that was judged: one that changes
during the attempt fails, the ledger has its digest and git's id, and no statement is
about another tree.  And a gate's isolation is checked before anything starts."""
import json
import os
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True
import gate_place  # noqa: E402
import lib  # noqa: E402

# The phase ends when the test has done its work on the tree, and says so in a file
# that is not part of it.
GATES = """gates:
  held:
    phases:
      - name: test
        profile: test
        command: [sh, -c, "%s"]
    signals: {build: {phase: test}}
    required: [build]
"""
NAP = lib.nap(0)
WAIT = "until grep -q go /repo/.git/said; do sleep %s; done" % NAP
MICROVM = (GATES % "touch /repo/ran").replace(
    "    phases:", "    isolation: microvm\n    phases:")


def put(place, name, text):
    """Write into the file that is there, as an editor may."""
    with open(os.path.join(place.tree, name), "r+b") as f:
        f.truncate()
        f.write(text)


def undo(place):
    """Another text for a moment, and times set back."""
    path = os.path.join(place.tree, "a")
    was = os.stat(path)
    put(place, "a", b"other\n")
    put(place, "a", b"one\n")
    os.utime(path, ns=(was.st_atime_ns, was.st_mtime_ns))


def swap(place):
    new = place.top + "/new"
    shutil.copytree(place.tree, new, symlinks=True)
    subprocess.run(["chown", "-R", "--reference", place.tree, new], check=True)
    os.rename(place.tree, place.top + "/was")
    os.rename(new, place.tree)


# What happens to the tree while it is judged, and where that is seen.
CHANGES = [
    ("nothing but what is git's own", lambda p: None, None),
    ("a file is written", lambda p: put(p, "sub/b", b"three\n"), "sub/b"),
    ("a file is added", lambda p: open(p.tree + "/sub/c", "w").close(), "sub"),
    ("a file is removed", lambda p: os.unlink(p.tree + "/sub/b"), "sub"),
    ("a mode is changed", lambda p: os.chmod(p.tree + "/a", 0o755), "a"),
    ("a change is undone", undo, "a"),
    ("another tree takes its place", swap, "."),
]


def make(user, catalogue=None):
    place = gate_place.Place(user, "held", {
        "a": "one\n", "sub/b": "two\n", ".git/said": "1"},
        catalogue or GATES % WAIT)
    return place


def records(place):
    with open(place.state + "/attempts.jsonl") as f:
        return [json.loads(line) for line in f]


def begun(place):
    try:
        return any(r["kind"] == "attempt.begun" for r in records(place))
    except (OSError, ValueError):
        return False


def changed_meanwhile(tap, user, what, change, where):
    place = make(user)
    said = open(place.tree + "/.git/said", "w")
    p = lib.start([lib.binary("cupel"), "gate", "run"] +
                  place.run_words("--quiet"), user, cwd=place.top)
    # An attempt whose vessel could not be made is lost, and made again with the tree
    # that is there by then; so the phase has to run.
    lib.wait_until(lambda: begun(place) and lib.with_word(NAP) or
                   p.poll() is not None)
    change(place)
    said.write("go\n")
    said.close()
    put(place, ".git/said", b"go\n")  # if it is another file by now
    said = p.communicate(timeout=120)[1]
    if not begun(place):
        tap.ok(False, "%s: the attempt begins [%s]" % (what, user), said)
        return
    end = [r for r in records(place) if r["kind"] == "attempt.ended"][-1]
    begin = [r for r in records(place) if r["kind"] == "attempt.begun"][-1]
    if where is None:
        tap.ok(p.returncode == 0 and end["tree"] == begin["tree"] and
               end["tree_changed"] is None,
               "%s: control: it passes [%s]" % (what, user), end)
        return
    tap.ok(p.returncode == 11 and not end["passed"] and
           end["tree_changed"] == where and not end["retryable"],
           "%s: the attempt fails [%s]" % (what, user), (p.returncode, end))
    shown = place.verb("show", "--state", place.state)
    page = place.top + "/page.html"
    place.verb("show", "--state", place.state, "--html", page)
    with open(page) as f:
        tap.ok(b"changed during the attempt: " + where.encode() in shown.out and
               "changed during the attempt: " + where in f.read(),
               "%s: show and the page say where [%s]" % (what, user),
               shown.brief())
    r = place.verb("attest", "--state", place.state, "--subject", "app")
    tap.ok(r.rc == 2 and not r.out,
           "%s: there is nothing to attest [%s]" % (what, user), r.brief())


def git(place, *words):
    env = dict(os.environ, GIT_CONFIG_GLOBAL="/dev/null", HOME=place.top,
               GIT_AUTHOR_DATE="@1 +0000", GIT_COMMITTER_DATE="@1 +0000")
    return subprocess.run(
        ["git", "-c", "user.name=a", "-c", "user.email=b", "-c",
         "safe.directory=*", "-C", place.tree] + list(words), env=env,
        stdout=subprocess.PIPE, check=True).stdout.decode().strip()


def the_id_of_git(tap, user):
    """The id is git's own, and git is not asked for it: its settings run code."""
    if not shutil.which("git"):
        tap.ok(True, "git's id # SKIP this machine has no git")
        return
    place = gate_place.Place(user, "held", {
        "a": "one\n", "a.b/c": "", "a-b": "x\n", "sub/deep/b": "two\n",
        "\u00fc \\n": "name\n"}, GATES % "true")
    os.chmod(place.tree + "/a", 0o755)
    os.symlink("sub/deep", place.tree + "/link")
    git(place, "init", "-q")
    git(place, "add", "-A")
    git(place, "commit", "-qm", "x")
    wanted = git(place, "rev-parse", "HEAD^{tree}")
    mark = place.top + "/ran"
    with open(place.tree + "/.git/config", "a") as f:
        f.write("[core]\n\tfsmonitor = touch %s\n\tsshCommand = touch %s\n"
                "[filter \"x\"]\n\tclean = touch %s\n" % (mark, mark, mark))
    subprocess.run(["chown", "-R", "--reference", place.tree + "/a",
                    place.tree], check=True)
    r = place.run()
    trees = r.json["attempts"][0]["tree"] if r.rc == 0 else {}
    tap.ok(trees and trees["begin"]["git_tree"] == wanted and
           trees["end"] == trees["begin"] and not os.path.exists(mark),
           "git's id of the tree, and nothing of its settings ran [%s]" % user,
           (r.brief(), wanted))
    for digest, rc in (("gitTree:" + wanted, 0),
                       (trees["end"]["blake3"], 0), ("gitTree:" + "0" * 40, 2),
                       ("sha256:" + "0" * 64, 2), ("blake3:" + "0" * 64, 2),
                       ("gitCommit:" + "0" * 40, 2)):
        r = place.verb("attest", "--state", place.state, "--subject",
                       "app=" + digest)
        told = json.loads(r.out)["subject"] if r.rc == 0 else None
        tap.ok(r.rc == rc and (rc != 0 or told == [{
            "name": "app", "digest": {"blake3": trees["end"]["blake3"][7:],
                                      "gitTree": wanted}}]),
               "a statement about %s... is %s [%s]" % (
                   digest[:12], "made" if rc == 0 else "refused", user),
               r.brief())


def isolation(tap, user):
    """Nothing of the change runs in a weaker class than the gate asks for."""
    place = make(user, MICROVM)
    for verb, words in (("run", place.run_words()),
                        ("baseline", place.words("held", place.base))):
        r = place.verb(verb, *words)
        tap.ok(r.rc == 3 and b"microvm" in r.err and
               r.err.count(b"\n") == 1 and not os.path.exists(place.state),
               "%s with a class that is not to be had starts nothing [%s]" %
               (verb, user), r.brief())
    lib.put(user, place.catalogue, MICROVM.replace("microvm", "shared_kernel"))
    r = place.run()
    tap.ok(r.rc == 0, "control: with one that is, it runs [%s]" % user,
           r.brief())


def main():
    tap = lib.Tap()
    for user in lib.users():
        for row in CHANGES:
            changed_meanwhile(tap, user, *row)
        the_id_of_git(tap, user)
        isolation(tap, user)
    tap.done()


main()
