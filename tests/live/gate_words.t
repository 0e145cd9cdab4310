#!/usr/bin/env python3
"""gate_words.t -- the words of a catalogue and of the command: which gate is
run, how each attempt starts, which failures are tried again, who allowed
more attempts, and to which chain a ledger belongs."""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True
import gate_place  # noqa: E402
import lib  # noqa: E402

tap = lib.Tap()


def gate(phases, signals="build: {phase: one}", required="build", more=""):
    return ("gates:\n  g:\n    phases:\n%s    signals: {%s}\n"
            "    required: [%s]\n%s" %
            ("".join("      - {%s}\n" % p for p in phases), signals, required,
             more))


def phase(name, script, more=""):
    return "name: %s, profile: test, command: [sh, -c, '%s']%s" % (
        name, script, more)


PASSES = phase("one", "true")
FAILS = phase("one", "false")


def place_of(user, catalogue, files=None, name="g"):
    return gate_place.Place(user, name, files or {"file": "as it was\n"},
                            catalogue)


# --- the catalogue ------------------------------------------------------------------


def catalogue(user):
    """A gate of --catalogue is added, or replaces a shipped one of the same
    name."""
    place = place_of(user, gate([PASSES]))
    r = place.run()
    tap.ok(r.rc == 0 and r.json["gate"] == "g",
           "%s: a gate of --catalogue is added" % user, gate_place.told(r))
    place.gate_name = "python-validate-loose"
    shipped = place.run()
    tap.ok(shipped.rc != 0 and shipped.json["catalogue"] == "loose",
           "%s: the shipped ones are there as well" % user,
           gate_place.told(shipped))
    lib.put(user, place.catalogue, gate([PASSES]).replace(
        "  g:", "  python-validate-loose:"))
    r = place.run()
    tap.ok(r.rc == 0 and r.json["catalogue"] == place.catalogue and
           r.json["gate_hash"] != shipped.json["gate_hash"],
           "%s: or takes the place of a shipped one, and says so" % user,
           gate_place.told(r))


# --- attempts -----------------------------------------------------------------------

TRACES = ("test ! -e /repo/made && test ! -e /scratch/made && "
          "test ! -e /tmp/made && grep -q was /repo/file && "
          "echo changed > /repo/file && touch /repo/made /scratch/made "
          "/tmp/made && test -e /repo/mended")


def clean(user):
    """Files that one attempt leaves are gone in the next one."""
    plan = "test -e mended || { touch mended; touch %s/file; }"
    place = place_of(user, gate([phase("one", TRACES)]))
    r = place.run("--replan", "cd %s && " % place.tree + plan % place.tree)
    tap.ok(r.rc == 0 and [a["passed"] for a in r.json["attempts"]] ==
           [False, True],
           "%s: every attempt starts from the work tree, clean" % user,
           gate_place.told(r))
    with open(place.tree + "/file") as f:
        tap.equal((f.read(), os.path.exists(place.tree + "/made")),
                  ("as it was\n", False),
                  "%s: and leaves it as it was" % user)
    # within one attempt the next phase does see it
    place = place_of(user, gate([phase("two", TRACES[:TRACES.rindex(" &&")]),
                                 phase("one", TRACES)]))
    r = place.run()
    tap.ok(r.rc == 11, "%s: control: the next phase of one attempt sees it"
           % user, gate_place.told(r))


def ends(user):
    """The first phase that is not OK ends an attempt, unless it says
    goes_on."""
    signals = "build: {phase: one}, install: {phase: two}"
    for more, ran in (("", ["one"]), (", goes_on: true", ["one", "two"])):
        place = place_of(user, gate([phase("one", "false", more),
                                     phase("two", "true")], signals))
        r = place.run()
        tap.ok(r.rc == 11 and [x["phase"] for x in
                               r.json["attempts"][0]["runs"]] == ran and
               gate_place.signal_of(r, "install")["passed"] == (ran != ["one"]),
               "%s: a phase that fails %s" % (user, "goes on" if more else
                                              "ends the attempt"),
               gate_place.told(r))


# name; phases, signals, required kind, more of the gate; whether it is retried
TIMES = phase("one", "sleep 9", ", wall_time_s: 1")
RETRIED = [
    ("build", [FAILS], "build: {phase: one}", "build", "", True),
    ("install", [FAILS], "install: {phase: one}", "install", "", True),
    ("tests", [phase("one", "false", ", report: \"tap:/scratch/r\"")],
     "tests: {phase: one}", "tests", "", True),
    ("cve_delta", [PASSES + ", artifact: [/scratch/r]"],
     "cve_delta: {phase: one, artifact: /scratch/r, format: grype}",
     "cve_delta", "", True),
    ("policy", [PASSES], "policy: {blake3: \"@RULES@\"}", "policy", "", True),
    ("trace", [PASSES + ", trace: exec"], "trace: {}", "trace", "", False),
    ("build, where the gate has none", [FAILS], "build: {phase: one}", "build",
     "    retryable: []\n", False),
    ("a build that timed out", [TIMES], "build: {phase: one}", "build", "",
     False),
    ("one, where the gate says so", [TIMES],
     "build: {phase: one, retry_timeout: true}", "build", "", True),
]


def retried(user):
    for name, phases, signals, kind, more, want in RETRIED:
        place = place_of(user, gate(phases, signals.replace("@RULES@", RULES),
                                    kind, more))
        r = place.run("--replan", "touch %s/asked; exit 75" % place.top)
        tap.ok(r.rc == 11 and os.path.exists(place.top + "/asked") == want and
               r.json["reason"] == ("no_plan" if want else "not_retryable") and
               r.json["attempts"][0]["failing_signals"] == [kind],
               "%s: %s is%s retried" % (user, name, "" if want else " not"),
               gate_place.told(r))


def more_attempts(user):
    """Three attempts by default; more needs a name, and the ledger records
    it."""
    # other signals fail each time, so only the number of attempts ends the gate
    signals = "build: {phase: one}, install: {phase: two}"
    phases = [phase("one", "test -e a", ", goes_on: true"),
              phase("two", "test -e b", ", goes_on: true")]
    plan = ("cd %s && if test -e a; then rm a; touch b; else rm -f b; "
            "touch a; fi")
    place = place_of(user, gate(phases, signals, "build, install"),
                     {"a": "\n"})
    words = ("--replan", plan % place.tree)
    r = place.run(*words)
    tap.ok(r.rc == 11 and r.json["reason"] == "attempts" and
           len(r.json["attempts"]) == 3, "%s: three attempts, if nothing is "
           "said" % user, gate_place.told(r))
    r = place.run("--max-attempts", "4", *words)
    tap.ok(r.rc == 2 and b"--operator-ack" in r.err and
           "attempts.override" not in place.kinds(),
           "%s: a fourth needs somebody's name" % user, r.brief())
    r = place.run("--max-attempts", "4", "--operator-ack", "Ada", *words)
    said = [x for x in place.records() if x["kind"] == "attempts.override"]
    tap.ok(r.rc == 11 and len(r.json["attempts"]) == 4 and
           [(x["operator"], x["max_attempts"], x["gate_max_attempts"])
            for x in said] == [("Ada", 4, 3)],
           "%s: with one there is a fourth, and a record" % user,
           gate_place.told(r) + str(said))
    r = place.run("--max-attempts", "1", *words)
    tap.ok(r.rc == 11 and len(r.json["attempts"]) == 1 and
           place.kinds().count("attempts.override") == 1,
           "%s: fewer need none" % user, gate_place.told(r))


# --- names --------------------------------------------------------------------------


def named(user):
    """A baseline is named by its BLAKE3, in the answer and in the ledger."""
    place = place_of(user, gate([PASSES]))
    base = place.baseline()
    r = place.run()
    copy = lib.cupel(["--repo", place.top, "--artifact",
                      "/scratch/b:" + place.top + "/copy"],
                     ["/bin/cp", "/repo/base.json", "/scratch/b"], user)
    want = copy.json["artifacts"][0]["blake3"]
    tap.ok(base.rc == 0 and r.json["baseline"] == want and
           place.records()[0]["baseline"] == want,
           "%s: a baseline is named by its BLAKE3" % user,
           (want, gate_place.told(r)))


def chains(user):
    """A ledger may continue an earlier one, and names its hash."""
    place = place_of(user, gate([PASSES]))
    first = place.run()
    head = place.records()[-1]["hash"]
    place.state = place.top + "/next"
    r = place.run("--chain-head", head)
    tap.ok(first.rc == r.rc == 0 and place.records()[0]["prev"] == head,
           "%s: --chain-head starts a ledger from an earlier chain" % user,
           gate_place.told(r) + r.brief())
    other = "blake3:" + "0" * 64
    for what, words, want in (("its own head", ("--chain-head", head), 0),
                              ("none", (), 0),
                              ("another", ("--chain-head", other), 4)):
        v = place.verb("verify", "--state", place.state, *words)
        tap.ok(v.rc == want and (want == 0 or b"line 1" in v.err),
               "%s: verified with %s it is %s" % (
                   user, what, "refused" if want else "whole"), v.brief())
    was = place.records()
    r = place.run("--chain-head", other)
    tap.ok(r.rc == 4 and place.records() == was,
           "%s: with another nothing is written" % user, r.brief())
    r = place.run("--chain-head", head)
    tap.ok(r.rc == 0 and len(place.records()) == 2 * len(was),
           "%s: with its own it goes on" % user, r.brief())


# --- what a newcomer is told ----------------------------------------------------------

HOSTILE = r"""
import sys
w = sys.stderr.buffer.write
w(b"first line\n\n")
w(b"\x1b[2J\x1b[31m    + tests\r    attempt 1: passed\n")
for i in range(50): w(b"line %d\n" % i)
w(b"x" * 60 + b"        passed: 2\n")
w(b"\xff\xe2\x80\xae" + "\u00e9".encode() * 100 + b"\n")
w(b"last line")
sys.exit(3)
"""


def told_output(user):
    """When a phase failed, show prints the first and last lines, as plain text; a
    long one is broken, and nothing of it is lost."""
    place = place_of(user, gate(["name: one, profile: test, command: "
                                 "[python3, t.py]"]), {"t.py": HOSTILE})
    place.run()
    text = place.verb("show", "--state", place.state).out.decode()
    said = [line for line in text.split("\n") if line.startswith("      | ")]
    tap.ok(said[:1] == ["      | first line"] and
           said[-1:] == ["      | last line"] and len(said) == 13 and
           "".join(said).count("\u00e9") == 100 and
           "      ...\n" in text and "line 25" not in text,
           "%s: show has the first and the last lines of one that failed" %
           user, text)
    bare = [c for c in text if c != "\n" and (ord(c) < 32 or ord(c) == 0x202e)]
    tap.ok(bare == [] and all(len(x) <= 80 for x in text.split("\n")) and
           not any(x.startswith(("    + ", "  attempt 1: passed",
                                 "        passed: 2"))
                   for x in text.split("\n")),
           "%s: and nothing in them is anything but text" % user, text)
    gate_place.write(user, place.tree, {"t.py": "print('only here')\n"
                                                "raise SystemExit(1)\n"})
    place.run()
    text = place.verb("show", "--state", place.state).out.decode()
    tap.ok("      | only here\n" in text,
           "%s: of stdout, where stderr is empty" % user, text)
    gate_place.write(user, place.tree, {"t.py": "print('quiet')\n"})
    place.run()
    text = place.verb("show", "--state", place.state).out.decode()
    tap.ok("quiet" not in text, "%s: and of no phase that is OK" % user, text)


def told_failure(user):
    """When a base tree fails, the operator sees why."""
    place = place_of(user, gate(["name: one, profile: test, command: "
                                 "[python3, t.py]"]), {"t.py": HOSTILE})
    r = place.baseline()
    lines = r.err.decode().split("\n")
    tap.ok(r.rc == 2 and "has to be OK" in lines[0] and
           lines[1] == "      | first line" and "      ..." in lines and
           lines[-3] == "      | last line" and b"\x1b" not in r.err and
           lines[-2].endswith("/base.json.failed.json"),
           "%s: why a base tree is no baseline is told" % user, r.brief())


def told_baseline(user):
    place = place_of(user, gate([PASSES + ", trace: exec"],
                                "build: {phase: one}, trace: {}", "build"))
    r = place.verb("run", *place.run_words())
    tap.ok(r.rc == 0 and b"--baseline" not in r.err,
           "%s: who needs no baseline is not told of one" % user, r.brief())
    lib.put(user, place.catalogue, gate(
        [PASSES + ", trace: exec"], "build: {phase: one}, trace: {}",
        "build, trace"))
    r = place.verb("run", *place.run_words())
    tap.ok(r.rc == 11 and b"no --baseline was given, and the gate needs one "
           b"for trace (" in r.err, "%s: who needs one is" % user, r.brief())
    for what, path in (("beside it", place.base),
                       ("in it", place.tree + "/base.json"),
                       ("below it", place.tree + "/d/base.json")):
        if what == "below it":
            os.mkdir(place.tree + "/d")
            lib.give(user, place.tree + "/d")
        r = place.verb("baseline", *place.words(place.gate_name, path))
        tap.ok(r.rc == (0 if what == "beside it" else 2) and
               os.path.exists(path) == (r.rc == 0) and
               (r.rc == 0 or b"work tree" in r.err),
               "%s: a baseline of the tree, %s, is %s" % (
                   user, what, "written" if r.rc == 0 else "refused"),
               r.brief())
    r = lib.run([lib.binary("cupel"), "gate", "baseline"] +
                place.words(place.gate_name, "base.json"), user,
                cwd=place.tree)
    tap.ok(r.rc == 2 and b"work tree" in r.err,
           "%s: so is one by its name alone" % user, r.brief())


def main():
    global RULES
    with open(os.path.join(lib.SRC, "profiles/gates/shipped.yaml")) as f:
        RULES = f.read().split("blake3: ")[1].split()[0]
    for user in lib.users():
        for part in (catalogue, clean, ends, retried, more_attempts, named,
                     chains, told_output, told_failure,
                     told_baseline):
            part(user)
    tap.done()


RULES = ""
main()
