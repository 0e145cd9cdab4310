#!/usr/bin/env python3
"""gather.t -- every hostile repository of the tables (gather/*.ini) gathered,
as root and as an ordinary user.

usage: gather.t [--only PATTERN] [--user root|user] [--jobs N] [--show]

After each: it ended as its table says, in its time and memory; nothing of the
host was read or written; the facts about the honest files beside it are whole;
record, report and context are what they should be.  Then, where a wall is what
holds, the same without what makes it hostile, which must be read.
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
BASELINE = {}


def gather(host, opt, seconds):
    """One cupel gather; (Result, peak RSS in KiB of it and its vessels)."""
    argv = ([lib.binary("cupel"), "gather", "--quiet", "--format", "json",
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
                clock_s=seconds, env={"XDG_CACHE_HOME": host.cache,
                                      "HOME": host.dir})
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
    for line in (terms or "").splitlines():
        if line.strip() and not hold.term(hold.split(line), o):
            wrong.append("not so: " + line)
    return wrong


def valid(host, schema, path, *options):
    """What `cupel validate` has against a file of the gather's."""
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


def attempt(a, user, twin=False):
    """One attack, or its twin: (went as it must, note)."""
    host = hold.Host(user)
    race = None
    try:
        if a.first is not None:
            host.steps(a.first)
            gather(host, a.opt, 60)
            os.unlink(host.dir + "/events")
        host.steps(a.twin if twin else a.make)
        lines = [hold.split(x) for x in (a.while_ or "").splitlines()
                 if x.strip()]
        skip = {os.fsencode(x) for x in (host.out, host.cache,
                                         host.dir + "/events",
                                         host.dir + "/peak")}
        before = host.state(host.dir if not lines else host.dir + "/host",
                            skip)
        if lines and not twin:
            race = make.Race(host, lines)
        wrong = []
        for _ in range(int(a.rounds or 1)):
            r, rss = gather(host, a.opt, int(a.seconds or 20))
            o = hold.Outcome(host, r, rss)
            after = host.state(host.dir if not lines else host.dir + "/host",
                               skip)
            wrong += checks(a, o, before, after, a.won if twin else a.hold)
        if race is not None and race.end() is not None:
            wrong.append("the race itself failed: %r" % race.error)
        race = None
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


def missing(a):
    """Probes that its terms speak of and this program does not have."""
    words = [hold.split(x) for x in
             ((a.hold or "") + "\n" + (a.won or "")).splitlines()]
    return {w[1] for w in words if len(w) > 1 and w[0].replace("no-", "") in
            ("note", "noted", "fact", "slice", "confidence", "markers",
             "says", "record")} - set(BASELINE) - {"liar", "twin"}


def run_attack(a, user):
    done = []
    if missing(a):
        return [("%s [%s] # SKIP there is no probe %s" % (
            a.full, user, ", ".join(missing(a))), True, "")]
    for twin in [False] + ([True] if a.twin is not None else []):
        label = "has an honest twin" if twin else "is held"
        began = time.monotonic()
        try:
            good, note = attempt(a, user, twin)
            note += "; %.1f s in all" % (time.monotonic() - began)
        except Exception as e:  # a broken fixture fails its attack only
            good, note = False, "%s: %s" % (type(e).__name__, e)
        done.append(("%s %s [%s]" % (a.full, label, user), good, note))
    return done


def baseline(tap, user):
    host = hold.Host(user)
    r, rss = gather(host, "", 60)
    o = hold.Outcome(host, r, rss)
    probes = (o.context or {}).get("probes") or {}
    BASELINE.clear()
    BASELINE.update({n: hold.honest_facts(p) for n, p in probes.items()})
    tap.ok(r.rc == 0 and probes and all(BASELINE.values()) and
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
    lib.binary("cupel")
    users = [args.user] if args.user else lib.users()
    if os.environ.get("CUPEL_CONTROLS") == "no":
        users = users[-1:]
    for user in users:
        baseline(tap, user)
        with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
            runs = [pool.submit(run_attack, a, user) for a in attacks
                    if fnmatch.fnmatch(a.full, args.only) and
                    a.only in (None, user)]
            for run in runs:
                for label, good, note in run.result():
                    tap.ok(good, label, note)
                    if args.show and good and note:
                        print("#     " + note[:600])
    tap.done()


main()
