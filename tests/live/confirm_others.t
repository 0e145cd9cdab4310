#!/usr/bin/env python3
"""confirm_others.t -- how many bugs are found in programs that nobody here wrote, and
what is confirmed on the same programs as they are, which are correct.

./bootstrap check-all fetches the programs (Debian's packages, unpacked in
build/others and not installed).  others_python.py makes the flags: mutants whose
exception an example of the author raises, and lines where an exception is thinkable.
The projects of HELD are looked at by nobody who works on how witnesses are made: the
figures of both groups are compared.  Full tier only.
"""
import json
import os
import subprocess
import sys

SRC = os.environ.get("SRC") or os.path.dirname(
    os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(SRC, "tests/live"))
sys.dont_write_bytecode = True
import lib  # noqa: E402

t = lib.Tap()
PROGRAMS = os.path.join(lib.BUILD, "others")
INSIDE = "usr/lib/python3/dist-packages"
LOOKED_AT = {"boltons": "python3-boltons", "stdnum": "python3-stdnum",
             "more_itertools": "python3-more-itertools",
             "humanize": "python3-humanize", "inflection": "python3-inflection"}
HELD = {"networkx": "python3-networkx", "toolz": "python3-toolz",
        "babel": "python3-babel", "werkzeug": "python3-werkzeug",
        "tabulate": "python3-tabulate", "pyrsistent": "python3-pyrsistent"}
# Nobody promises that a program of these has no other bug, so what is confirmed on one
# of them is arguable, and its share is bounded.  Of these classes nothing is arguable:
# a witness of a wrong type raises them in any program.
TYPED = ("type-mismatch", "attr-missing", "null-deref", "unbound-local")
RECALL = 0.25
TYPED_MAX = 0.05  # of the flags of those classes on correct programs
CLOCK_S = 2400


def made(packages, out):
    """The flags of all packages that are here."""
    flags = []
    for name, deb in packages.items():
        library = os.path.join(PROGRAMS, deb, INSIDE)
        if not os.path.isdir(library):
            print("# %s is not here" % deb)
            continue
        r = subprocess.run(
            [sys.executable, "-B", "-W", "ignore",
             os.path.join(SRC, "tests/live/others_python.py"), library, name, out],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=True,
            cwd=lib.make_dir("root"))
        flags += [json.loads(x) for x in r.stdout.splitlines()]
    return flags


def confirmed(user, out, flags):
    """The record of each flag, in order; each round is a repository."""
    records = [{}] * len(flags)
    for number in sorted({f["round"] for f in flags}):
        mine = [i for i, f in enumerate(flags) if f["round"] == number]
        repo = lib.copy_of(user, os.path.join(out, str(number)))
        given = [{k: flags[i][k] for k in ("file", "function", "flag_class", "line")}
                 for i in mine]
        r, got = lib.confirm(user, repo, given, 2, clock_s=CLOCK_S)
        t.equal(r.rc, 0, "%s: round %d ends" % (user, number), r.brief())
        got = lib.by_number(got)
        for n, i in enumerate(mine, 1):
            records[i] = got.get(n, {})
    return records


def told(f, x):
    return "%s:%d %s %s: %s %s %s" % (
        f["file"], f["line"], f["function"], f["flag_class"], x.get("status"),
        x.get("reason"), json.dumps(x.get("witness"))[:200])


def figures(name, packages, is_shown):
    """Recall, and the share of typed classes that is confirmed on correct programs."""
    user = lib.users()[-1]
    out = lib.make_dir("root", name)
    flags = made(packages, out)
    records = confirmed(user, out, flags)
    rows = list(zip(flags, records))
    hits = [(f, x) for f, x in rows if x.get("status") == "confirmed-bug"]
    true = [r for r in rows if r[0]["true"]]
    found = [r for r in hits if r[0]["true"]]
    false = [r for r in hits if not r[0]["true"]]
    typed = [r for r in false if r[0]["flag_class"] in TYPED]
    correct = [f for f in flags if not f["true"]]
    print("# %s: %d of %d mutants are found (%.3f); on correct programs %d of %d flags "
          "are confirmed, of classes about types %d of %d" % (
              name, len(found), len(true), len(found) / max(len(true), 1),
              len(false), len(correct), len(typed),
              sum(f["flag_class"] in TYPED for f in correct)))
    if is_shown:
        for f, x in rows:
            if f["true"] != (x.get("status") == "confirmed-bug"):
                print("# %s %s" % ("missed" if f["true"] else "confirmed", told(f, x)))
                if f["true"]:
                    print("#    by %s" % json.dumps(f["call"])[:200])
    return len(found) / max(len(true), 1), len(typed) / max(sum(
        f["flag_class"] in TYPED for f in correct), 1), len(true), len(correct)


def main():
    if os.environ.get("CUPEL_TIER") != "full" or not os.path.isdir(PROGRAMS):
        print("1..0 # SKIP only ./bootstrap check-all fetches the programs")
        return
    seen = figures("looked-at", LOOKED_AT, True)
    held = figures("held", HELD, os.environ.get("CUPEL_SHOW_HELD") == "yes")
    t.ok(seen[2] + held[2] >= 300 and seen[3] + held[3] >= 300,
         "there are enough flags", "%d %d" % (seen[2] + held[2], seen[3] + held[3]))
    for name, got in (("looked-at", seen), ("held", held)):
        t.ok(got[0] >= RECALL, "%s: recall is at least %.2f" % (name, RECALL),
             "%.3f" % got[0])
        t.ok(got[1] <= TYPED_MAX, "%s: at most %.2f of the flags about types are "
             "confirmed on correct programs" % (name, TYPED_MAX), "%.3f" % got[1])
    t.done()


if __name__ == "__main__":
    main()
