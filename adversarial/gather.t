#!/usr/bin/env python3
"""gather.t -- gathers every hostile repository of the tables (gather/*.ini), as root
and as an ordinary user.

usage: gather.t [--only PATTERN] [--user root|user] [--jobs N] [--show]

After each: it ended as its table says, within its memory; nothing of the
host was read or written; the facts about the honest files beside it are complete;
record, report and context are as they should be.  Then come its controls: the same
repository without its hostile part, which must be read, and the same attack on the
tests' build of cupel with one wall taken down, which must succeed.
"""
import argparse
import concurrent.futures
import fnmatch
import os
import sys
import time

SRC = os.environ.get("SRC") or os.path.dirname(
    os.path.dirname(os.path.abspath(__file__)))
sys.path[:0] = [os.path.join(SRC, "tests/live"),
                os.path.join(SRC, "adversarial")]
sys.dont_write_bytecode = True
import lib  # noqa: E402
import gather_hold as hold  # noqa: E402
import gather_make as make  # noqa: E402

ATTACKS = 100
CLOCK_S = 600  # what runs longer hangs
TRIES = 12  # times the number of rounds of a race, which has to be won only once
PROBES = {"ci", "dependencies", "deployment", "language_detection", "node_build_system",
          "node_manifest", "test_inventory"}
BASELINE = {}
LABELS = {"hold": "is held", "twin": "has an honest twin",
          "drop": "gets through without"}


def walls_down(words):
    """The environment that takes down the walls in `drop` of a table."""
    words = (words or "").split()
    vessel = [w[len("vessel:"):] for w in words if w.startswith("vessel:")]
    ours = [w for w in words if not w.startswith("vessel:")]
    env = {}
    if ours:
        env["CUPEL_TEST_GATHER_DROP"] = ",".join(ours)
    if vessel:
        env["CUPEL_TEST_DROP"] = ",".join(vessel)
    return env


def gather(host, opt, drop=None):
    """One cupel gather; with a wall down, one by the tests' build of cupel.  Returns
    (Result, peak RSS in KiB of it and its vessels)."""
    program = "tests/cupel-testing" if drop else "cupel"
    argv = ([lib.binary(program), "gather", "--quiet", "--format", "json",
             "--events", host.dir + "/events"] +
            [host.words_in(w) for w in hold.split(opt or "")] + [host.repo])
    peak = host.dir + "/peak"
    # The kernel keeps the peak of children that were waited for.
    code = ("import os,resource,subprocess,sys\n"
            "r=subprocess.run(sys.argv[2:]).returncode\n"
            "m=resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss\n"
            "open(sys.argv[1],'w').write(str(m))\n"
            "sys.exit(r if r>=0 else 128-r)")
    r = lib.run([sys.executable, "-c", code, peak] + argv, host.user,
                clock_s=CLOCK_S, env={"XDG_CACHE_HOME": host.cache,
                                      "HOME": host.dir,
                                      **walls_down(drop)})
    try:
        with open(peak) as f:
            rss = int(f.read())
    except (OSError, ValueError):
        rss = 0
    return r, rss


def checks(a, o, before, after, terms):
    """Every complaint about one gather, as text."""
    wrong = []
    if o.r.rc != int(a.exit or 0):
        wrong.append("exit status %s" % o.r.rc)
    if o.rss_kib > hold.RSS_KIB:
        wrong.append("%d MiB of memory" % (o.rss_kib >> 10))
    if o.host.secret.encode() in hold.all_text(o.host, o.r):
        wrong.append("a secret of the host was read")
    for path in set(before) | set(after):
        if before.get(path) != after.get(path):
            wrong.append("%r of the host changed" % path)
    if int(a.exit or 0) == 0 and o.context is None:
        return wrong + ["no context: %s" % o.missing]
    for name, facts in (BASELINE if o.context else {}).items():
        gone = facts - hold.honest_facts(o.probe(name))
        if gone and name not in (a.lost or "").split():
            wrong.append("%s lost %s" % (name, sorted(gone)[0][:200]))
    bad = hold.report_is_harmless(o.report)
    if bad:
        wrong.append("the report: " + bad)
    return wrong + unmet(terms, o)


def unmet(terms, o):
    return ["not so: " + line for line in (terms or "").splitlines()
            if line.strip() and not hold.term(hold.split(line), o)]


def valid(host, schema, path, *options):
    """What `cupel validate` finds wrong with a file that the gather wrote."""
    if not os.path.exists(path):
        return []
    r = lib.run([lib.binary("cupel"), "validate", "--schema",
                 os.path.join(SRC, "profiles/schemas/%s.schema.json" % schema),
                 *options, path], "root")
    return [] if r.rc == 0 else ["%s: %s" % (schema, r.brief())]


def newest(host):
    """The newest run record, if any."""
    top = os.path.join(host.out, "runs")
    try:
        names = sorted(n for n in os.listdir(top) if n[0] == "2")
    except OSError:
        return host.out + "/none"
    return os.path.join(top, (names or ["none"])[-1])


def verify(host, want=0):
    r = lib.run([lib.binary("cupel"), "audit", "verify", host.repo],
                host.user)
    return [] if r.rc == want else ["audit verify: %s" % r.brief()]


def begin(a, host, steps):
    """Make the repository as it is before the gather that counts."""
    if a.first is not None:
        host.steps(a.first)
        gather(host, a.opt)
        os.unlink(host.dir + "/events")
    host.steps(steps)


def racing(a, host):
    """Start what somebody does meanwhile; None if that is nothing."""
    lines = [hold.split(x) for x in (a.while_ or "").splitlines() if x.strip()]
    return make.Race(host, lines) if lines else None


def fall(a, user):
    """One attack with its wall down: (whether it succeeded, note).  A race has to be
    won once."""
    host = hold.Host(user)
    race = None
    try:
        begin(a, host, a.make)
        race = racing(a, host)
        for _ in range(int(a.rounds or 1) * (TRIES if race else 1)):
            o = hold.Outcome(host, *gather(host, a.opt, a.drop))
            wrong = unmet(a.fell, o)
            if o.r.rc != 0 or o.context is None:
                wrong.append("the gather itself failed")
            if not wrong:
                break
        died = race.end() if race is not None else None
        if died:
            wrong.append("the race itself failed: %s" % died)
        return not wrong, "\n".join(wrong + [o.brief()])
    finally:
        if race is not None:
            race.end()
        host.close()
        lib.run(["rm", "-rf", host.dir], "root")


def with_controls():
    return os.environ.get("CUPEL_CONTROLS") != "no"


def attempt(a, user, twin=False):
    """One attack, or its twin: (whether it went as it must, note)."""
    host = hold.Host(user)
    race = None
    try:
        begin(a, host, a.twin if twin else a.make)
        skip = {os.fsencode(x) for x in (host.out, host.cache,
                                         host.dir + "/events",
                                         host.dir + "/peak")}
        top = host.dir + ("/host" if a.while_ else "")
        before = host.state(top, skip)
        race = None if twin else racing(a, host)
        wrong = []
        for _ in range(int(a.rounds or 1)):
            r, rss = gather(host, a.opt)
            o = hold.Outcome(host, r, rss)
            wrong += checks(a, o, before, host.state(top, skip),
                            a.won if twin else a.hold)
            if a.drop and not twin and not unmet(a.fell, o):
                wrong.append("`fell` is so with every wall in its place")
        died = race.end() if race is not None else None
        if died:
            wrong.append("the race itself failed: %s" % died)
        if not twin:
            sys.stdout.write("# clock: %s [%s]: %.3f of %d s\n" % (
                a.full, user, r.seconds, int(a.seconds or 20)))
        if int(a.exit or 0) == 0:
            wrong += valid(host, "run-record", newest(host))
            wrong += valid(host, "events", host.dir + "/events", "--lines")
            wrong += verify(host, 0 if twin else int(a.verify or 0))
        return not wrong, "\n".join(wrong + [o.brief()])
    finally:
        if race is not None:
            race.end()
        host.close()
        lib.run(["rm", "-rf", host.dir], "root")


def run_attack(a, user):
    done = []
    kinds = ["hold"] + (["twin"] if a.twin is not None else [])
    if a.drop and with_controls():
        kinds.append("drop")
    for kind in kinds:
        began = time.monotonic()
        try:
            good, note = (fall(a, user) if kind == "drop" else
                          attempt(a, user, kind == "twin"))
            note += "; %.1f s in all" % (time.monotonic() - began)
        except Exception as e:  # a broken fixture fails only its own attack
            good, note = False, "%s: %s" % (type(e).__name__, e)
        done.append(("%s %s [%s]" % (a.full, LABELS[kind], user), good, note))
    return done


def baseline(tap, user):
    host = hold.Host(user)
    r, rss = gather(host, "")
    o = hold.Outcome(host, r, rss)
    probes = (o.context or {}).get("probes") or {}
    BASELINE.clear()
    BASELINE.update({n: hold.honest_facts(p) for n, p in probes.items()})
    tap.ok(r.rc == 0 and set(probes) == PROBES and all(BASELINE.values()) and
           not any(p["errors"] for p in probes.values()),
           "the honest files are read [%s]" % user,
           o.brief() + " %s" % {n: len(f) for n, f in BASELINE.items()})
    host.close()
    lib.run(["rm", "-rf", host.dir], "root")


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--only", default="*")
    p.add_argument("--user")
    p.add_argument("--jobs", type=int, default=3)
    p.add_argument("--show", action="store_true",
                   help="say what came of each, too")
    args = p.parse_args()
    attacks = hold.read_tables(os.path.join(SRC, "adversarial/gather"))
    tap = lib.Tap()
    tap.ok(len(attacks) >= ATTACKS,
           "there are at least %d hostile repositories" % ATTACKS,
           len(attacks))
    users = [args.user] if args.user else lib.users()
    if not with_controls():
        users = users[-1:]
    for name in ["cupel"] + (["tests/cupel-testing"] if with_controls()
                             else []):
        lib.binary(name)
    for user in users:
        baseline(tap, user)
        with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
            # The parsers do not depend on the launcher: in the quick tier
            # each hostile repository is gathered by one launcher, by turns.
            runs = [pool.submit(run_attack, a, user)
                    for i, a in enumerate(attacks)
                    if fnmatch.fnmatch(a.full, args.only) and
                    (a.only == user or a.only is None and
                     lib.is_due(i, user, users))]
            for run in runs:
                for label, good, note in run.result():
                    tap.ok(good, label, note)
                    if args.show and good and note:
                        print("#     " + note[:600])
    tap.done()


main()
