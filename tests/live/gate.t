#!/usr/bin/env python3
"""gate.t -- a gate from its baseline to its page: which changes pass, which
a planner repairs, which fail, and what is said about each."""
import fcntl
import json
import os
import re
import shutil
import signal
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True
import lib  # noqa: E402
from gate_page import Page, page_faults  # noqa: E402

CATALOGUE = """gates:
  node:
    phases:
      - name: test
        profile: node-test
        command: [node, --test]
        trace: exec,connect
        network: loopback
    signals:
      build: {phase: test}
      trace: {}
    required: [build, trace]
  python:
    phases:
      - name: test
        profile: unittest
        command: [python3, -m, unittest, discover, -v]
        trace: exec,connect
        network: loopback
    signals:
      build: {phase: test}
      trace: {}
    required: [build, trace]
"""

PROJECTS = {
    "node": {
        "package.json": '{"name": "sums", "version": "1.0.0"}\n',
        "sum.js": "exports.sum = (a, b) => a + b\n",
        "sum.test.js": """const test = require('node:test')
const { sum } = require('./sum.js')
test('sum adds', () => { if (sum(1, 2) !== 3) throw new Error('no sum') })
""",
    },
    "python": {
        "sum.py": "def add(a, b):\n    return a + b\n",
        "test_sum.py": """import unittest
import sum as s


class Sum(unittest.TestCase):
    def test_adds(self):
        self.assertEqual(s.add(1, 2), 3)
""",
    },
}

# file: the change that breaks a test, and the text that repairs it
BREAKS = {"node": ("sum.js", "a + b", "a - b"),
          "python": ("sum.py", "a + b", "a - b")}
REACHES = {
    "node": ("sum.js", "const s = require('net').connect(7, '127.0.0.1')\n"
                       "s.on('error', () => {})\n"),
    "python": ("sum.py", "import socket\n"
                         "socket.socket().connect_ex(('127.0.0.1', 7))\n"),
}


class Place:
    """A project that belongs to the user, with its catalogue and its baseline."""

    def __init__(self, user, kind):
        self.user, self.kind = user, kind
        self.top = lib.make_dir(user)
        self.tree = os.path.join(self.top, "tree")
        os.mkdir(self.tree, 0o755)
        lib.give(user, self.tree)
        for name, text in PROJECTS[kind].items():
            lib.put(user, os.path.join(self.tree, name), text)
        self.catalogue = lib.put(user, self.top + "/gates.yaml", CATALOGUE)
        self.base = self.top + "/base.json"
        self.state = self.top + "/state"
        self.answers = {}  # the newest gate of each outcome

    def gate(self, verb, *words, program="cupel", **kw):
        argv = [lib.binary(program), "gate", verb] + list(words)
        return lib.run(argv, self.user, **kw)

    def baseline(self):
        return self.gate("baseline", "--worktree", self.tree, "--catalogue",
                         self.catalogue, self.kind, self.base)

    def words(self, *words):
        return ("--worktree", self.tree, "--catalogue", self.catalogue,
                "--baseline", self.base, "--state", self.state,
                *words, self.kind)

    def run(self, *words, **kw):
        r = self.gate("run", *self.words("--json", "--quiet", *words), **kw)
        try:
            r.json = json.loads(r.out)
            self.answers[r.json["outcome"]] = r.json
        except ValueError:
            pass
        return r

    def edit(self, name, old, new):
        path = os.path.join(self.tree, name)
        with open(path) as f:
            text = f.read()
        lib.put(self.user, path, text.replace(old, new))

    def records(self):
        with open(self.state + "/attempts.jsonl") as f:
            return [json.loads(line) for line in f]

    def kinds(self):
        return [r["kind"] for r in self.records()]


def shown(place, number=None):
    """What show and --html say about a gate: (text, page)."""
    which = ["--number", str(number)] if number else []
    r = place.gate("show", "--state", place.state, *which)
    file = place.top + "/page.html"
    w = place.gate("show", "--state", place.state, "--html", file, *which)
    if r.rc or w.rc:
        return r.err.decode() + w.err.decode(), None
    with open(file) as f:
        return r.out.decode(), f.read()


def evidence_of(place):
    """The names of evidence by attempt."""
    return [{e["path"] for e in r["evidence"] if e["name"].startswith("run")}
            for r in place.records() if r["kind"] == "attempt.ended"]


def schema_faults(place, answer):
    """What the schemas of a gate's result find wrong with an answer, or ""."""
    files = {}
    for name in ("gate-result", "gate-signals"):
        files[name] = "%s/%s.schema.json" % (place.top, name)
        r = lib.run([lib.binary("cupel"), "schema", name], place.user)
        lib.put(place.user, files[name], r.out.decode())
    text = lib.put(place.user, place.top + "/answer.json",
                   answer if isinstance(answer, str) else json.dumps(answer))
    r = lib.run([lib.binary("cupel"), "validate", "--schema",
                 files["gate-result"], "--ref",
                 "urn:cupel:schema:gate-signals-1.0=" + files["gate-signals"],
                 text], place.user)
    return "" if r.rc == 0 else r.brief()


# --- the cases ----------------------------------------------------------------------


def passes_as_it_is(place):
    base = place.baseline()
    r = place.run()
    return [("a baseline is written", base.rc == 0 and
             os.path.exists(place.base), base.brief()),
            ("what is unchanged passes", r.rc == 0 and r.json["outcome"] ==
             "passed" and r.json["isolation_class"] == "shared_kernel" and
             len(r.json["attempts"]) == 1, r.brief_of())]


def is_mended_on_attempt_two(place):
    name, good, bad = BREAKS[place.kind]
    place.edit(name, good, bad)
    plan = "cat >%s/asked; sed -i 's/%s/%s/' $CUPEL_WORKTREE/%s" % (
        place.top, bad, good, name)
    r = place.run("--replan", plan)
    text, page = shown(place)
    kept = evidence_of(place)[-2:]
    with open(place.top + "/asked") as f:
        asked = json.load(f)
    return [
        ("a planner mends it on attempt 2", r.rc == 0 and
         [a["passed"] for a in r.json["attempts"]] == [False, True] and
         r.json["attempts"][0]["failing_signals"] == ["build"],
         r.brief_of()),
        ("each attempt has its own evidence", len(kept) == 2 and kept[0] and
         kept[1] and not kept[0] & kept[1], str(kept)),
        ("the planner was told what failed", asked["attempt"] == 1 and
         asked["failing_signals"] == ["build"] and
         "| " in asked["summary"] and
         os.path.exists(asked["evidence"]["build"]), str(asked)),
        ("show says so within 80 columns", "attempt 2: passed" in text and
         max(len(line) for line in text.splitlines()) <= 80, text),
        ("the page stands alone and says so", page is not None and
         page_faults(page) == [] and "Attempt 2: passed" in Page(page).text,
         str(page and page_faults(page))),
    ]


def fails_the_same_way_three_times(place):
    name, good, bad = BREAKS[place.kind]
    place.edit(name, good, bad)
    r = place.run("--replan", "true")
    text, page = shown(place)
    place.edit(name, bad, good)
    return [("three times the same is unrecoverable", r.rc == 12 and
             r.json["outcome"] == "failed_unrecoverable" and
             len(r.json["attempts"]) == 3, r.brief_of()),
            ("show and the page name it", "failed_unrecoverable" in text and
             page is not None and "Attempt 3: failed" in Page(page).text,
             text)]


def a_new_connection_is_named(place):
    name, more = REACHES[place.kind]
    path = os.path.join(place.tree, name)
    with open(path) as f:
        was = f.read()
    lib.put(place.user, path, more + was)
    r = place.run("--replan", "touch %s/was-asked" % place.top)
    text, page = shown(place)
    lib.put(place.user, path, was)
    found = [e for a in (r.json or {"attempts": []})["attempts"]
             for s in a["signals"] if s["kind"] == "trace"
             for e in s["details"]["new_endpoints"]]
    return [("a new connection escalates", r.rc == 11 and
             r.json["reason"] == "not_retryable" and
             any(e["port"] == 7 for e in found), r.brief_of()),
            ("no planner is asked", not os.path.exists(
                place.top + "/was-asked"), ""),
            ("show names it", "new_endpoints" in text and "port=7" in text,
             text),
            ("the page marks it in the tree", page is not None and
             "127.0.0.1" in Page(page).marked, str(page)[:2000])]


def hostile_names_stay_text(place):
    name, good, bad = BREAKS[place.kind]
    evil = "<script>alert(1)</script>\x1b]0;x\x07\u202e\"'><img src=x onerror=y>"
    lines = {"node": "console.error(%s)\n" % json.dumps(evil),
             "python": "import sys\nprint(%s, file=sys.stderr)\n"
                       % ascii(evil)}
    path = os.path.join(place.tree, name)
    with open(path) as f:
        was = f.read()
    lib.put(place.user, path, lines[place.kind] + was.replace(good, bad))
    r = place.run("--replan", "cat >%s/asked; exit 75" % place.top)
    text, page = shown(place)
    lib.put(place.user, path, was)
    with open(place.top + "/asked") as f:
        asked = json.load(f)["summary"]
    bare = [c for c in text + asked if ord(c) < 32 and c != "\n"
            or c in "\x7f\u202e"]
    return [("without a plan it escalates", r.rc == 11 and
             r.json["reason"] == "no_plan", r.brief_of()),
            ("nothing of it reaches a terminal or a planner", bare == [],
             repr(bare)),
            ("a page has it as text", page is not None and
             page_faults(page) == [], str(page and page_faults(page)))]


NAPS = {"node": "Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, "
                "5000)\n",
        "python": "import time\ntime.sleep(5)\n"}


def a_killed_runner_is_resumed(place):
    """Its attempt takes some seconds: it is still there to be killed."""
    before = len(place.kinds())
    name = BREAKS[place.kind][0]
    path = os.path.join(place.tree, name)
    with open(path) as f:
        was = f.read()
    lib.put(place.user, path, NAPS[place.kind] + was)
    slow = place.start("--replan", "sleep 60")
    until = time.monotonic() + 120
    while place.kinds()[before:before + 2] != ["gate.begun", "attempt.begun"]:
        if time.monotonic() > until:
            break
        time.sleep(0.01)
    slow.send_signal(signal.SIGKILL)
    slow.communicate()
    asked = place.run()
    r = place.run("--resume")
    lib.put(place.user, path, was)
    kinds = place.kinds()[before:]
    return [("a gate that was killed says so", asked.rc == 2 and
             b"--resume continues" in asked.err, asked.brief()),
            ("and goes on, its attempt lost", r.rc == 0 and
             [a["lost"] for a in r.json["attempts"]] == [True, False],
             r.brief_of()),
            ("each record is there once", kinds.count("gate.begun") == 1 and
             kinds.count("attempt.begun") == 2 and
             kinds.count("attempt.ended") == 2 and
             kinds.count("gate.ended") == 1, str(kinds))]


def answers_are_as_their_schema_has_them(place):
    want = {"passed", "escalate", "failed_unrecoverable"}
    out = [("there is an answer of each outcome", set(place.answers) == want,
            str(set(place.answers)))]
    for outcome, answer in sorted(place.answers.items()):
        out.append(("%s is as its schema has it" % outcome,
                    schema_faults(place, answer) == "",
                    schema_faults(place, answer) + json.dumps(answer)[:1500]))
    shown = place.gate("show", "--json", "--state", place.state)
    out.append(("so is what show prints", schema_faults(
        place, shown.out.decode()) == "", shown.brief()))
    good = place.answers["passed"]
    attempt = good["attempts"][-1]
    signal = attempt["signals"][0]
    for name, bad in (
            ("another outcome", dict(good, outcome="fine")),
            ("no ledger", {k: v for k, v in good.items() if k != "state"}),
            ("passed for a reason", dict(good, reason="no_plan")),
            ("passed without an attempt", dict(good, attempts=[])),
            ("passed where none did", dict(good, attempts=[
                dict(attempt, passed=False)])),
            ("ended with an attempt that did not", dict(good, attempts=[
                dict(attempt, passed=None)])),
            ("a score in a signal's details", dict(good, attempts=[
                dict(attempt, signals=[dict(signal, details=dict(
                    signal["details"], score=1))])])),
            ("a signal that is none", dict(good, attempts=[
                dict(attempt, signals=[dict(signal, details=None,
                                            kind=3)])]))):
        out.append(("%s is refused" % name,
                    schema_faults(place, bad) != "", ""))
    return out


PHASES = """gates:
  two:
    phases:
      - name: quick
        command: ["true"]
      - name: slow
        command: [sleep, "60"]
    signals:
      build: {phase: slow}
    required: [build]
"""


def a_phase_is_written_down_before_the_next_ends(place):
    catalogue = lib.put(place.user, place.top + "/phases.yaml", PHASES)
    state = place.top + "/phases-state"
    slow = lib.start([lib.binary("cupel"), "gate", "run", "--quiet", "--state",
                      state, "--worktree", place.tree, "--catalogue",
                      catalogue, "two"], place.user)
    until = time.monotonic() + 120
    ended = []
    while not ended and slow.poll() is None and time.monotonic() < until:
        time.sleep(0.02)
        try:
            with open(state + "/attempts.jsonl") as records:
                lines = records.read().split("\n")[:-1]
        except OSError:
            continue
        ended = [r["phase"] for r in map(json.loads, lines)
                 if r["kind"] == "run.ended"]
    is_alive = slow.poll() is None
    slow.send_signal(signal.SIGTERM)
    out = slow.communicate()
    return [("a phase that has ended is in the ledger while the next one runs",
             ended == ["quick"] and is_alive, "%r %r" % (ended, out)),
            ("a gate that is told to stop does",
             slow.returncode not in (0, 11, 12), slow.returncode)]


CLIENT = """import sys
import cupel
tree, catalogue, base, state, gate, replan = sys.argv[1:]
try:
    r = cupel.run_gate(gate, tree, catalogues=[catalogue], baseline=base,
                       state=state, replan=replan or None)
    print(r.outcome, r.passed, r.attempts[-1].failing_signals,
          [s.kind for s in r.attempts[-1].signals])
except cupel.SandboxError as e:
    print(e.cause, e)
"""


def the_python_client_says_the_same(place):
    package = lib.copy_of(place.user, os.path.join(
        lib.SRC, "src/clients/python/cupel"))

    def ask(gate):
        r = lib.run([sys.executable, "-B", "-c", CLIENT, place.tree,
                     place.catalogue, place.base, place.state, gate, ""],
                    place.user, env={"PYTHONPATH": os.path.dirname(package),
                                     "CUPEL": lib.binary("cupel")})
        return r.out.decode().strip() or r.brief()

    name, good, bad = BREAKS[place.kind]
    well = ask(place.kind)
    place.edit(name, good, bad)
    ill = ask(place.kind)
    place.edit(name, bad, good)
    none = ask("no-such-gate")
    return [("the Python client passes", well ==
             "passed True () ['build', 'trace']", well),
            ("and fails", ill == "escalate False ('build',) "
             "['build', 'trace']", ill),
            ("and says what is wrong", none.startswith("caller ") and
             "no-such-gate" in none, none)]


def two_runners_take_turns(place):
    import fcntl
    fd = os.open(place.state, os.O_RDONLY)
    fcntl.flock(fd, fcntl.LOCK_EX)
    refused = place.run("--no-wait")
    waits = place.start()
    time.sleep(0.5)
    still = waits.poll() is None
    os.close(fd)
    waits.communicate(timeout=60)
    return [("a second runner is refused", refused.rc == 3 and
             b"another runner is using it" in refused.err, refused.brief()),
            ("or waits", still and waits.returncode == 0,
             str(waits.returncode))]


def a_broken_ledger_is_refused(place):
    path = place.state + "/attempts.jsonl"
    with open(path, "rb") as f:
        was = f.read()
    out = []
    for word, verb in (("run", None), ("verify", "verify"), ("show", "show"),
                       ("attest", "attest"), ("list", "list"), ("gc", "gc")):
        lib.put(place.user, path, was.replace(b'"seq":2', b'"seq":9', 1),
                0o600)
        r = place.gate(verb, "--state", place.state) if verb \
            else place.run()
        with open(path, "rb") as f:
            same = f.read() == was.replace(b'"seq":2', b'"seq":9', 1)
        out.append(("%s refuses a broken ledger" % word, r.rc == 4 and
                    b"line 2:" in r.err and same, r.brief()))
    lib.put(place.user, path, was, 0o600)
    r = place.gate("verify", "--state", place.state)
    out.append(("whole, it is verified", r.rc == 0 and
                b"one whole chain" in r.out, r.brief()))
    return out


URI = "[a-z][a-z0-9+.-]*:[A-Za-z0-9._~:/?#@!$&'()*+,;=%-]+"


def descriptor_faults(d, *needed):
    """What in-toto's ResourceDescriptor and DigestSet forbid in it, as a list."""
    faults = [k for k in d if k not in ("name", "uri", "digest", "annotations")]
    faults += [k + " is missing" for k in needed if k not in d]
    if not {"uri", "digest"} & set(d):
        faults.append("neither uri nor digest")
    if not re.fullmatch(URI, d.get("uri", "a:b")):
        faults.append("uri " + d["uri"])
    for name, text in d.get("digest", {"sha256": "0" * 64}).items():
        if not re.fullmatch("[0-9a-f]{%s}" % (
                "40" if name == "gitCommit" else "64"), text):
            faults.append("%s %s" % (name, text))
    return faults


def test_result_faults(p, passed):
    """The fields of test-result v0.1."""
    faults = [k for k in p if k not in ("result", "configuration", "url",
                                        "passedTests", "warnedTests",
                                        "failedTests")]
    if p["result"] != ("PASSED" if passed else "FAILED"):
        faults.append("result")
    for d in p["configuration"]:
        faults += descriptor_faults(d, "name", "digest")
    for k in ("passedTests", "warnedTests", "failedTests"):
        if not all(isinstance(t, str) for t in p[k]):
            faults.append(k)
    if bool(p["failedTests"]) == passed:
        faults.append("failedTests of another outcome")
    return faults


def verification_faults(p, passed):
    """The fields of SLSA's verification_summary v1."""
    faults = [k for k in p if k not in (
        "verifier", "timeVerified", "resourceUri", "policy",
        "inputAttestations", "verificationResult", "verifiedLevels")]
    if set(p["verifier"]) != {"id", "version"} or not all(
            isinstance(v, str) for v in p["verifier"]["version"].values()):
        faults.append("verifier")
    for text in (p["verifier"]["id"], p["resourceUri"]):
        if not re.fullmatch(URI, text):
            faults.append("not a URI: " + text)
    if not re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z",
                        p["timeVerified"]):
        faults.append("timeVerified " + p["timeVerified"])
    faults += descriptor_faults(p["policy"], "uri")
    for d in p["inputAttestations"]:
        faults += descriptor_faults(d, "digest")
    want = ("PASSED", ["CUPEL_GATE_PASSED"]) if passed else ("FAILED",
                                                             ["FAILED"])
    if (p["verificationResult"], p["verifiedLevels"]) != want:
        faults.append("levels %s" % p["verifiedLevels"])
    return faults


# What --subject says was judged, and the URI for it in a summary.
SUBJECTS = [("app", "cupel:subject/app"),
            ("pkg:npm/app@1.0.0?a=b", "pkg:npm/app@1.0.0?a=b"),
            ("a \"b\":%\n", "cupel:subject/a%20%22b%22%3A%25%0A"),
            ("HTTPS://X/", "cupel:subject/HTTPS%3A//X/")]


def judged(place, number):
    """The digest of the tree that the gate of that number judged last."""
    gates = []
    for r in place.records():
        if r["kind"] == "gate.begun":
            gates.append(None)
        elif r["kind"] == "attempt.ended":
            gates[-1] = r["tree"] and r["tree"]["blake3"]
    return gates[number - 1]


def statement_faults(place, number, passed, predicate, subject):
    name, type_, judge = {
        "test-result": ("test-result",
                        "https://in-toto.io/attestation/test-result/v0.1",
                        test_result_faults),
        "verification-summary": ("verification-summary",
                                 "https://slsa.dev/verification_summary/v1",
                                 verification_faults)}[predicate]
    r = place.gate("attest", "--state", place.state, "--predicate", name,
                   "--number", str(number), "--subject", subject[0] +
                   ("=" + judged(place, number) if "=" in subject[0] else ""))
    try:
        s = json.loads(r.out)
    except ValueError:
        return [r.brief()]
    faults = [k for k in s if k not in ("_type", "subject", "predicateType",
                                        "predicate")]
    if (s["_type"], s["predicateType"]) != ("https://in-toto.io/Statement/v1",
                                            type_):
        faults.append("types")
    if s["subject"] != [{"name": subject[0], "digest": {
            "blake3": judged(place, number)[7:]}}]:
        faults.append("subject %s" % s["subject"])
    if s["predicate"].get("resourceUri", subject[1]) != subject[1]:
        faults.append("resourceUri " + s["predicate"]["resourceUri"])
    return faults + judge(s["predicate"], passed)


def statements_have_their_fields(place):
    out, ends = [], [r["outcome"] for r in place.records()
                     if r["kind"] == "gate.ended"]
    for passed in (True, False):
        number = [i + 1 for i, o in enumerate(ends)
                  if (o == "passed") == passed and judged(place, i + 1)][-1]
        for predicate in ("test-result", "verification-summary"):
            for subject in SUBJECTS[:None if passed else 1]:
                faults = statement_faults(place, number, passed, predicate,
                                          subject)
                out.append(("a %s statement of one that %s, about %s" % (
                    predicate, "passed" if passed else "did not",
                    subject[1]), faults == [], str(faults)))
    r = place.gate("attest", "--state", place.state)
    out.append(("without a subject it is the work tree's name", r.rc == 0 and
                json.loads(r.out)["subject"][0]["name"] == "tree", r.brief()))
    for bad in ("", "=" + judged(place, len(ends)), "app=sha256:" + "0" * 64,
                "app=blake3:" + "0" * 64, "app=gitTree:", "app=:",
                "app=gitCommit:" + "0" * 40, "app=gitTree:" + "0" * 40,
                "app=" + judged(place, len(ends)).upper()):
        r = place.gate("attest", "--state", place.state, "--subject", bad)
        out.append(("%s is no subject" % bad[:20], r.rc == 2, r.brief()))
    return out


def old_evidence_goes(place):
    def files():
        return set(os.listdir(place.state + "/evidence"))
    before = files()
    none = place.gate("gc", "--state", place.state)
    same = files() == before
    failed = place.gate("gc", "--state", place.state, "--older-than", "0s",
                        "--keep-failed")
    fewer = files()
    every = place.gate("gc", "--state", place.state, "--older-than", "0s")
    whole = place.gate("verify", "--state", place.state)
    return [("what is young stays", none.rc == 0 and same, none.brief()),
            ("--keep-failed keeps some", failed.rc == 0 and fewer < before and
             fewer, failed.brief()),
            ("then none is left, and the chain is whole", every.rc == 0 and
             files() == set() and whole.rc == 0, whole.brief())]


def looking_waits_for_what_removes(place):
    """Only removing evidence takes its lock exclusively, and it never delays a
    runner."""
    look = [("show",), ("list",), ("verify",), ("attest",)]
    out = []
    place.run()
    begun = time.monotonic()
    evidence = os.open(place.state + "/evidence", os.O_RDONLY)
    fcntl.flock(evidence, fcntl.LOCK_EX)
    waiting = [lib.start([lib.binary("cupel"), "gate", verb[0], "--state",
                          place.state, *verb[1:]], place.user)
               for verb in look]
    time.sleep(0.7)
    early = [p.poll() for p in waiting]
    fcntl.flock(evidence, fcntl.LOCK_SH)
    ends = [p.wait(timeout=60) for p in waiting]
    out.append(("list, show, verify and attest wait for a gc",
                early == [None] * 4 and ends == [0] * 4,
                (early, ends, time.monotonic() - begun)))
    r = place.gate("gc", "--state", place.state, "--no-wait", "--older-than",
                   "0s")
    out.append(("a gc does not remove what is being read", r.rc == 3 and
                b"being read" in r.err, r.brief()))
    fcntl.flock(evidence, fcntl.LOCK_UN)
    fcntl.flock(evidence, fcntl.LOCK_EX)
    fcntl.flock(evidence, fcntl.LOCK_UN)
    os.close(evidence)
    state = os.open(place.state, os.O_RDONLY)
    fcntl.flock(state, fcntl.LOCK_EX)  # held as a runner holds it
    r = place.gate("show", "--state", place.state)
    os.close(state)
    out.append(("a gate is looked at while it runs", r.rc == 0, r.brief()))
    return out


def a_state_inside_the_work_tree_is_refused(place):
    inside = place.tree + "/.cupel/state"
    r = place.gate("run", *[inside if w == place.state else w
                            for w in place.words()])
    control = place.gate("run", *[inside if w == place.state else w
                                  for w in place.words()],
                         program="tests/cupel-testing",
                         env={"CUPEL_TEST_GATHER_DROP": "gate_state"})
    made = os.path.exists(inside)
    shutil.rmtree(place.tree + "/.cupel", ignore_errors=True)
    return [("a state inside the work tree is refused", r.rc == 2 and
             b"in the work tree" in r.err, r.brief()),
            ("with that wall down it is used", made, control.brief())]


def without_room_no_attempt_begins(place):
    """With a disk too small for the records of an attempt, no attempt
    begins."""
    script = ("mount -t tmpfs -o size=1000k,mode=700 tmpfs %s && shift && "
              "\"$@\"; echo $? && cat %s/s/attempts.jsonl && "
              "\"$CUPEL\" gate verify --state %s/s" % ((place.full,) * 3))
    r = lib.run(["unshare", "-rm", "sh", "-c", script, "sh", "x",
                 lib.binary("cupel"), "gate", "run"] +
                [place.full + "/s" if w == place.state else w
                 for w in place.words("--quiet")], place.user, clock_s=60,
                env={"CUPEL": lib.binary("cupel")})
    return [("without room for its records no attempt begins", r.rc == 0 and
             r.out.startswith(b"5\n") and b"attempt.begun" not in r.out and
             b"no room for another attempt" in r.err and
             b"0 records, one whole chain" in r.out, r.brief())]


def without_room_nothing_is_lost(place):
    """With a disk that has just enough room for the records, nothing is
    lost. The disk is in a namespace of the test's own."""
    script = ("mount -t tmpfs -o size=1600k,mode=700 tmpfs %s && shift && "
              "i=0; while [ $i -lt 40 ] && \"$@\" >/dev/null 2>%s/said; do "
              "i=$((i+1)); done; cat %s/said >&2; "
              "\"$CUPEL\" gate verify --state %s/s && exit 7" % (
                  place.full, place.top, place.top, place.full))
    r = lib.run(["unshare", "-rm", "sh", "-c", script, "sh", "x",
                 lib.binary("cupel"), "gate", "run"] +
                [place.full + "/s" if w == place.state else w
                 for w in place.words("--quiet")], place.user, clock_s=240,
                env={"CUPEL": lib.binary("cupel")})
    return [("on a full disk the ledger stays whole", r.rc == 7 and
             b"No space left" in r.err and b"one whole chain" in r.out,
             r.brief())]


CASES = [passes_as_it_is, is_mended_on_attempt_two,
         fails_the_same_way_three_times, a_new_connection_is_named,
         hostile_names_stay_text, a_killed_runner_is_resumed,
         answers_are_as_their_schema_has_them,
         a_phase_is_written_down_before_the_next_ends,
         the_python_client_says_the_same,
         two_runners_take_turns, a_broken_ledger_is_refused,
         statements_have_their_fields, old_evidence_goes,
         a_state_inside_the_work_tree_is_refused,
         looking_waits_for_what_removes,
         without_room_no_attempt_begins, without_room_nothing_is_lost]


def brief_of(r):
    if r.json is None:
        return r.brief()
    return json.dumps(r.json)[:1500] + r.err.decode("utf-8", "replace")[-500:]


def start_gate(place, *words):
    return lib.start([lib.binary("cupel"), "gate", "run"] +
                     list(place.words("--quiet", *words)), place.user)


lib.Result.brief_of = brief_of
Place.start = start_gate


def chosen():
    """All tests, or those that are named; the first one makes the baseline."""
    return [c for c in CASES if c is CASES[0] or not sys.argv[1:] or
            c.__name__ in sys.argv[1:]]


def main():
    n = bad = 0
    for user in lib.users():
        for kind in ("python", "node"):
            if shutil.which(kind if kind == "node" else "python3") is None:
                continue
            place = Place(user, kind)
            place.full = lib.make_dir(user)
            for case in chosen():
                try:
                    rows = case(place)
                except (OSError, ValueError, KeyError, TypeError) as e:
                    rows = [(case.__name__, False, repr(e))]
                for name, is_ok, why in rows:
                    n += 1
                    print("%sok %d - %s, %s: %s" % (
                        "" if is_ok else "not ", n, user, kind, name))
                    if not is_ok:
                        bad += 1
                        print("# " + str(why).replace("\n", "\n# "))
                    sys.stdout.flush()
    print("1..%d" % n)
    return bad != 0


sys.exit(main())
