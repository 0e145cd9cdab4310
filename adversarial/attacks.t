#!/usr/bin/env python3
"""attacks.t -- every attack of the tables, with the walls and without them.

usage: attacks.t [--only PATTERN] [--user root|user] [--held] [--jobs N]
CUPEL_CONTROLS=no is the same as --held: only with the walls.

Each attack runs against build/cupel and must fail as its table says.  Then it runs
with its wall taken down (build/tests/cupel-testing), without any vessel (bare), or
as an honest twin, and must have the other outcome: an attack that would fail
anywhere shows nothing.
"""
import argparse
import concurrent.futures
import fnmatch
import os
import sys

SRC = os.environ.get("SRC") or os.path.dirname(
    os.path.dirname(os.path.abspath(__file__)))
sys.path[:0] = [os.path.join(SRC, "tests/live"),
                os.path.join(SRC, "adversarial")]
sys.dont_write_bytecode = True
import lib  # noqa: E402
import fixture  # noqa: E402
import table  # noqa: E402

TESTING = "tests/cupel-testing"
CLOCK_S = 600  # what runs longer hangs


def run_bare(attack, f):
    """Run it without a vessel, with the kuid that a vessel would have."""
    user = "user" if os.geteuid() == 0 else f.user
    argv = table.words(attack.run, f)
    argv = argv[1:] if argv[0] == "!" else ["/repo/attack"] + argv
    argv = [f.repo + w[5:] if w.startswith("/repo/") else w for w in argv]
    return lib.run(["timeout", "-s", "KILL", "20"] + argv, user, CLOCK_S,
                   cwd=f.repo, env=f.env, before=f.before, **f.kwargs)


def walls_down(drop):
    """The environment that takes those walls down.  "around:" marks walls around the
    files that a vessel leaves; all others are the vessel's own."""
    walls = drop.split(",") if drop else []
    around = [w[len("around:"):] for w in walls if w.startswith("around:")]
    own = [w for w in walls if not w.startswith("around:")]
    return {**({"CUPEL_TEST_GATHER_DROP": ",".join(around)} if around else {}),
            **({"CUPEL_TEST_DROP": ",".join(own)} if own else {})}


def run_vessel(attack, f, program, drop, words, options):
    command = table.words(words, f)
    if command[0] == "!":
        command = command[1:]
    else:
        command = ["/repo/attack"] + command
    options = table.words(options, f)
    if "--wall-time-s" not in " ".join(options):  # none of these is about its default
        options = ["--wall-time-s", "500"] + options
    if "--repo" not in options and "--repo-mode=none" not in options:
        options = ["--repo", f.words_in(attack.repo or f.repo)] + options
    return lib.cupel(options, command, f.user, program,
                     env={**f.env, **walls_down(drop)}, clock_s=CLOCK_S, before=f.before, **f.kwargs)


def run_one(attack, user, kind):
    """One run of one kind: (went as expected, note)."""
    expected = {"held": attack.held,
                "behind": attack.alone or attack.held}.get(kind, attack.won)
    f = fixture.Fixture("user" if kind == "bare" and os.geteuid() == 0
                        else user, (attack.setup or "").split())
    try:
        if kind == "bare":
            r = run_bare(attack, f)
        elif kind == "held":
            r = run_vessel(attack, f, "cupel", None, attack.run, attack.opt)
        elif kind == "behind":
            r = run_vessel(attack, f, TESTING, attack.behind, attack.run,
                           attack.opt)
        elif kind == "drop":
            down = ",".join(filter(None, (attack.behind, attack.drop)))
            r = run_vessel(attack, f, TESTING, down, attack.run, attack.opt)
        else:
            r = run_vessel(attack, f, "cupel", None, attack.twin,
                           attack.twin_opt or attack.opt)
        f.close()
        good = table.holds(expected, r, f)
        return good, "%s wanted: %s\nseen on the host: %s\n%s" % (
            kind, expected, sorted(f.seen), r.brief())
    finally:
        f.close()
        f.remove()


def run_attack(attack, user, held_only):
    """All runs of one attack as one launcher: [(label, good, note)]."""
    kinds = ["held"]
    if not held_only:
        kinds += ["behind"] if attack.behind else []
        kinds += [attack.control()]
    done = []
    for kind in kinds:
        try:
            good, note = run_one(attack, user, kind)
        except Exception as e:  # a broken fixture fails only its own attack
            good, note = False, "%s: %s" % (type(e).__name__, e)
        label = {"held": "is held", "behind": "is held by this wall alone",
                 "drop": "gets through without",
                 "bare": "gets through outside",
                 "twin": "has an honest twin"}[kind]
        done.append(("%s/%s %s [%s]" % (attack.group, attack.name, label,
                                        user), good, note))
    return done


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--only", default="*")
    p.add_argument("--user")
    p.add_argument("--held", action="store_true")
    p.add_argument("--jobs", type=int, default=3)
    a = p.parse_args()
    a.held = a.held or os.environ.get("CUPEL_CONTROLS") == "no"
    attacks = table.read_tables(os.path.join(SRC, "adversarial/attacks"))
    users = [a.user] if a.user else lib.users()
    tap = lib.Tap()
    tap.ok(len(attacks) >= 80, "there are at least 80 attacks", len(attacks))
    for name in ["cupel", TESTING, "adversarial/attack"]:
        if not (a.held and name == TESTING):
            lib.binary(name)
    with concurrent.futures.ThreadPoolExecutor(a.jobs) as pool:
        runs = [pool.submit(run_attack, x, u, a.held or
                            not lib.is_due(i, u, x.users(users)))
                for i, x in enumerate(attacks)
                if fnmatch.fnmatch("%s/%s" % (x.group, x.name), a.only)
                for u in x.users(users)]
        for run in runs:
            for label, good, note in run.result():
                tap.ok(good, label, note)
    tap.done()


main()
