#!/usr/bin/env python3
"""gate_said.t -- what a gate says when it cannot show everything: results
that are nested deep, facts over a limit, evidence that was cut, loose gates,
a ledger that was changed, a catalogue in the tree itself, another tree."""
import json
import os
import shutil
import signal
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True
import gate_place  # noqa: E402
import lib  # noqa: E402

tap = lib.Tap()
TESTING = "tests/cupel-testing"

GATES = """gates:
  plain:
    phases:
      - {name: build, profile: test, command: [python3, run.py]}
    signals: {build: {}}
    required: [build]
  traced:
    phases:
      - name: build
        profile: test
        command: [python3, run.py]
        trace: exec,connect
        output_bytes: 32M
        wall_time_s: 120
        cpu_time_s: 120
    signals: {build: {}, trace: {}}
    required: [build, trace]
  two:
    phases:
      - {name: one, profile: test, command: [test, -e, one], goes_on: true}
      - {name: two, profile: test, command: [test, -e, two], goes_on: true}
    signals: {build: {phase: one}, install: {phase: two}}
    required: [build, install]
  any:
    phases:
      - {name: one, profile: test, command: [test, -e, one], goes_on: true}
      - {name: two, profile: test, command: [test, -e, two], goes_on: true}
    signals: {build: {phase: one}, install: {phase: two}}
    required: [build]
  slow:
    phases:
      - {name: build, profile: test, command: [sleep, "60"]}
    signals: {build: {}}
    required: [build]
  relaxed:
    loose: true
    phases:
      - {name: build, profile: test, command: ["true"]}
    signals: {build: {}}
    required: [build]
  facts:
    phases:
      - {name: build, profile: test, command: ["true"]}
    signals: {build: {}, policy: {blake3: "@RULES@"}}
    required: [build, policy]
"""


def place_of(user, gate, files):
    return gate_place.Place(user, gate, files, GATES)


# --- depth ------------------------------------------------------------------------

DEEP = "import os\nos.write(3, b'[' * %d + b']' * %d)\n"


def results_nest_deep(user):
    """A result that holds a payload of the deepest nesting allowed is still
    read."""
    place = place_of(user, "plain", {"run.py": "\n"})
    for depth, want in ((128, "valid"), (129, "malformed")):
        gate_place.write(user, place.tree, {"run.py": DEEP % (depth, depth)})
        r = place.run()
        kept = place.evidence("runs/0-build.json") or b""
        tap.ok(r.rc == 0 and b'"payload_status":"%s"' % want.encode() in
               kept.replace(b": ", b":"),
               "%s: a payload %d deep is %s, and the gate goes on"
               % (user, depth, want), gate_place.told(r) + str(kept[-300:]))
    place = place_of(user, "traced", {"run.py": DEEP % (128, 128)})
    base = place.baseline()
    r = place.run()
    page = place.top + "/page.html"
    place.verb("show", "--state", place.state, "--html", page)
    with open(page) as f:
        text = f.read()
    tap.ok(base.rc == 0 and r.rc == 0 and "executed and reached</summary>"
           in text, "%s: so do a baseline, and the page of a traced one" % user,
           base.brief() + gate_place.told(r) + text[-300:])


# --- facts over a cap ---------------------------------------------------------------

SHA = "sha512-" + "A" * 86 + "=="


def lock_of(hosts):
    packages = {"": {"name": "app", "version": "1.0.0"}}
    for n in range(hosts):
        packages["node_modules/p%d" % n] = {
            "version": "1.0.0", "integrity": SHA,
            "resolved": "https://r%d.example/p%d/-/p%d-1.0.0.tgz" % (n, n, n)}
    return json.dumps({"name": "app", "lockfileVersion": 3,
                       "packages": packages})


MANY_EVENTS = """import socket
for i in range(%d):
    with socket.socket() as s:
        s.connect_ex(('127.0.0.1', 9))
"""


def behind_a_cap_nothing_passes(user):
    package = json.dumps({"name": "app", "version": "1.0.0"})
    for hosts, want in ((64, []), (65, ["policy"])):
        # the tree is the same before and after, but what is over the cap may be new
        place = place_of(user, "facts", {
            "package.json": package, "package-lock.json": lock_of(hosts)})
        checked = place.baseline()
        base = place.baseline("--no-check")
        r = place.run()
        broken = gate_place.signal_of(r, "policy").get("details", {}).get(
            "broken", [])
        tap.ok(base.rc == 0 and r.json["attempts"][0]["failing_signals"] ==
               want and [b["id"] for b in broken] ==
               (["facts-complete"] if want else []),
               "%s: %d origins %s" % (user, hosts, "are not told, and fail"
                                      if want else "are told, and pass"),
               base.brief() + gate_place.told(r))
        tap.ok(checked.rc == (2 if want else 0) and
               (b"facts-complete" in checked.err) == bool(want),
               "%s: %d origins: a baseline is %s" % (
                   user, hosts, "refused" if want else "made"),
               checked.brief())
    for count, want in ((200, []), (4200, ["trace"])):
        place = place_of(user, "traced", {"run.py": MANY_EVENTS % 10})
        base = place.baseline()
        gate_place.write(user, place.tree, {"run.py": MANY_EVENTS % count})
        r = place.run()
        problem = json.dumps(gate_place.signal_of(r, "trace").get("details"))
        tap.ok(base.rc == 0 and r.json["attempts"][0]["failing_signals"] ==
               want and ("could be recorded" in problem) == bool(want),
               "%s: %d events %s" % (user, count, "have no room, and fail"
                                     if want else "pass"),
               base.brief() + gate_place.told(r))


# --- evidence that was cut ----------------------------------------------------------

CUT = "the evidence was cut"


def cut_evidence_is_said(user):
    place = place_of(user, "traced", {"run.py": "print('x' * %d)\n" % 100})
    base = place.baseline()
    for size, is_cut in ((100, False), (9 << 20, True)):
        gate_place.write(user, place.tree,
                         {"run.py": "print('x' * %d)\n" % size})
        r = place.run()
        page = place.top + "/page.html"
        place.verb("show", "--state", place.state, "--html", page)
        with open(page) as f:
            text = f.read()
        tap.ok(base.rc == 0 and r.rc == 0 and (CUT in text) == is_cut and
               ("executed and reached</summary>" in text) != is_cut,
               "%s: a page says %s" % (user, "that evidence was cut" if is_cut
                                       else "what was executed"),
               gate_place.told(r)[-500:] + text[-300:])
    tap.ok(place.verify().rc == 0, "%s: what was cut is verified" % user)


# --- strict AND -----------------------------------------------------------------------


def all_that_is_required(user):
    for gate, passes in (("two", {("one", "two")}),
                         ("any", {("one", "two"), ("one",)})):
        for have in ((), ("one",), ("two",), ("one", "two")):
            place = place_of(user, gate, {"file": "\n", **{n: "\n"
                                                          for n in have}})
            r = place.run()
            tap.ok((r.rc == 0) == (have in passes),
                   "%s: %s with %s: %s" % (
                       user, gate, "+".join(have) or "nothing",
                       "passes" if have in passes else "does not"),
                   gate_place.told(r))


# --- loose ------------------------------------------------------------------------------


def loose_gates_say_so(user):
    place = place_of(user, "relaxed", {"file": "\n"})
    r = place.run()
    tap.ok(r.rc == 0 and r.json["catalogue"] == "loose",
           "%s: a loose gate's verdict says so" % user, gate_place.told(r))
    page = place.top + "/page.html"
    at = ["--state", place.state]
    subject = ["--subject", "app"]
    rows = [("list", [], b"(loose)"), ("list", ["--json"], b"loose"),
            ("show", [], b"loose"), ("show", ["--json"], b"loose"),
            ("attest", ["--predicate", "test-result"] + subject, b"loose"),
            ("attest", ["--predicate", "verification-summary"] + subject,
             b"CUPEL_GATE_PASSED_LOOSE"),
            ("show", ["--html", page], b"")]
    strict = place_of(user, "any", {"one": "\n"})
    strict.run()
    for verb, words, said in rows:
        r = place.verb(verb, *at, *words)
        other = strict.verb(verb, "--state", strict.state, *[
            w.replace(page, strict.top + "/page.html") for w in words])
        tap.ok(r.rc == 0 and said in r.out and other.rc == 0 and
               (not said or b"loose" not in other.out.lower()),
               "%s: %s says so, and of no other" % (user, " ".join(
                   [verb] + words[:2]).replace(page, "FILE")),
               r.brief() + other.brief())
    with open(page) as f:
        tap.ok("<dd>loose</dd>" in f.read(), "%s: the page has it" % user)


# --- files of the operator ----------------------------------------------------------------


def nothing_of_the_trees_own(user):
    place = place_of(user, "plain", {"run.py": "\n", "g.yaml": GATES})
    inside = place.tree + "/g.yaml"
    link, second = place.top + "/link.yaml", place.top + "/second.yaml"
    os.symlink(inside, link)
    os.link(inside, second)
    for name, path in (("itself", inside), ("a link", link),
                       ("a second name", second)):
        place.catalogue = path
        r = place.run()
        tap.ok(r.rc == 2 and b"work tree" in r.err and
               not os.path.exists(place.state),
               "%s: a catalogue in the work tree, by %s, is refused"
               % (user, name), r.brief())
        r = place.run(program=TESTING,
                      env={"CUPEL_TEST_GATHER_DROP": "gate_worktree"})
        tap.ok(r.rc == 0, "%s: control: with that wall down it is taken"
               % user, r.brief())
        shutil.rmtree(place.state, ignore_errors=True)


def another_tree_is_not_gone_on_with(user):
    place = place_of(user, "slow", {"file": "\n"})
    other = place_of(user, "slow", {"file": "\n"})
    p = lib.start([lib.binary("cupel"), "gate", "run", "--quiet"] +
                  place.run_words(), user, cwd=place.top)
    path = place.state + "/attempts.jsonl"
    lib.wait_until(lambda: os.path.exists(path) and
                   "attempt.begun" in open(path).read(), 30)
    p.send_signal(signal.SIGKILL)
    p.communicate()
    with open(path, "rb") as f:
        was = f.read()
    mine, place.tree = place.tree, other.tree
    r = place.run("--resume")
    with open(path, "rb") as f:
        same = f.read() == was
    tap.ok(r.rc == 2 and b"work tree" in r.err and r.err.count(b"\n") == 1 and
           same, "%s: --resume with another work tree is refused" % user,
           r.brief())
    place.tree = mine
    p = lib.start([lib.binary("cupel"), "gate", "run", "--quiet", "--resume"] +
                  place.run_words(), user, cwd=place.top)
    went_on, _ = lib.wait_until(
        lambda: open(path).read().count("attempt.begun") == 2, 30)
    p.send_signal(signal.SIGTERM)
    p.communicate()
    tap.ok(went_on, "%s: control: with its own it goes on" % user)


# --- a ledger that was changed --------------------------------------------------------------


def a_touched_ledger_names_its_line(user):
    place = place_of(user, "plain", {"run.py": "\n"})
    place.run()
    path = place.state + "/attempts.jsonl"
    with open(path, "rb") as f:
        was = f.read()
    with open(place.state + "/HEAD", "rb") as f:
        head = f.read()
    lines = was.splitlines(keepends=True)
    swapped = lines[:1] + [lines[2], lines[1]] + lines[3:]
    rows = [("a line is dropped", lines[:2] + lines[3:], 3),
            ("a line is repeated", lines[:3] + lines[2:], 4),
            ("two are swapped", swapped, 2),
            ("one is edited", lines[:2] + [lines[2].replace(
                b'"attempt":1', b'"attempt":7', 1)] + lines[3:], 3),
            ("the last is cut short", lines[:-1] + [lines[-1][:-9]],
             len(lines)),
            ("the last is taken off", lines[:-1], len(lines)),
            ("one is put in", lines[:1] + [
                b'{"seq":2,"kind":"signal","prev":null}\n'] + lines[1:], 2)]
    for name, new, line in rows:
        lib.put(user, path, b"".join(new), 0o600)
        outs = [place.verify(), place.run(),
                place.verb("show", "--state", place.state)]
        with open(path, "rb") as f:
            same = f.read() == b"".join(new)
        tap.ok(all(r.rc == 4 and b"line %d" % line in r.err for r in outs) and
               same, "%s: %s: line %d is named, and nothing is written"
               % (user, name, line), [r.brief() for r in outs])
        lib.put(user, path, was, 0o600)
        lib.put(user, place.state + "/HEAD", head, 0o600)
    tap.ok(place.verify().rc == 0, "%s: control: untouched, it is whole" % user)
    kept = place.state + "/evidence/" + sorted(
        os.listdir(place.state + "/evidence"))[0]
    with open(kept, "rb") as f:
        text = f.read()
    lib.put(user, kept, text[:-1] + b"!", 0o600)
    outs = [place.verify(), place.run()]
    tap.ok(all(r.rc == 4 and b"line " in r.err for r in outs),
           "%s: evidence that is edited is named by its line" % user,
           [r.brief() for r in outs])


CASES = [results_nest_deep, behind_a_cap_nothing_passes, cut_evidence_is_said,
         all_that_is_required, loose_gates_say_so, nothing_of_the_trees_own,
         another_tree_is_not_gone_on_with, a_touched_ledger_names_its_line]


def main():
    global GATES
    with open(os.path.join(lib.SRC, "profiles/gates/shipped.yaml")) as f:
        rules = f.read().split("blake3: ")[1].split()[0]
    GATES = GATES.replace("@RULES@", rules)
    launchers = lib.users()
    for number, case in enumerate(CASES):
        for user in launchers:
            if lib.is_due(number, user, launchers):
                case(user)
    tap.done()


main()
