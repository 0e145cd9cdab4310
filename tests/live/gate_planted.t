#!/usr/bin/env python3
"""gate_planted.t -- an install script plants a file where the scanner of the
next phase leaves its report: it must not count as the scanner's report, as root
and as a user.

Each attack has its control: with that wall taken down the gate passes."""
import json
import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True
import gate_place  # noqa: E402
import lib  # noqa: E402

tap = lib.Tap()

# The first phase is the change's own code.  The scanner is the operator's; when it
# finds no database it writes nothing and exits with 0, like npm audit offline.
CATALOGUE = """gates:
  g:
    phases:
      - {name: install, profile: test, command: [sh, ./install.sh]}
      - name: scan
        profile: test
        command: [sh, -c, "%s"]
        artifact: [/scratch/out/audit.json]
    signals:
      cve_delta:
        {phase: scan, artifact: /scratch/out/audit.json, format: npm-audit}
      looks: {manifest: looks.json, blake3: "%s"}
    required: [cve_delta, looks]
"""
SCAN = ("echo >> /scratch/scan.log; "
        "test ! -e /repo/db || cp /repo/db /scratch/out/audit.json")
LOOKS = """read -r line <&4
case $line in *'"vulnerabilities": {}'*) passed=true;; *) passed=false;; esac
echo '{"passed":'$passed',"details":{}}' >&3
"""
ZEROS = "blake3:" + "0" * 64
MANIFEST = {"kind": "looks", "version": "1.0", "program": "looks.sh",
            "program_blake3": ZEROS, "command": ["sh", "{program}"],
            "inputs": [{"phase": "scan", "artifact": "/scratch/out/audit.json"}],
            "details": {"type": "object", "additionalProperties": False,
                        "properties": {}}}
CLEAN = '{"auditReportVersion": 2, "vulnerabilities": {}}'
FOUND = json.dumps({"auditReportVersion": 2, "vulnerabilities": {"pad": {
    "name": "pad", "severity": "high", "isDirect": True, "via": [
        {"source": 7, "name": "pad", "severity": "high",
         "url": "https://advisories.example/GHSA-held"}],
    "effects": [], "range": "*", "nodes": []}}})
PLANT = ("mkdir -p /scratch/out\ncat > /scratch/out/audit.json <<'E'\n%s\nE\n"
         % CLEAN)
ATTACKS = [
    ("a file", PLANT),
    ("a file of tomorrow",
     PLANT + "touch -d '+1 day' /scratch/out/audit.json\n"),
    ("a file with a second name, which the scanner's log has",
     PLANT + "ln /scratch/out/audit.json /scratch/scan.log\n"),
    ("a file that a daemon writes until it is killed",
     PLANT + "(while :; do printf ' ' >> /scratch/out/audit.json; done) "
             ">/dev/null 2>&1 &\nsleep 0.2\n"),
]
LINKS = [
    ("a link", "mkdir /scratch/out; echo '%s' > /scratch/a\n"
     "ln -s /scratch/a /scratch/out/audit.json\n" % CLEAN),
    ("a link for its directory", "mkdir /scratch/o; "
     "echo '%s' > /scratch/o/audit.json\nln -s o /scratch/out\n" % CLEAN),
]


def hashes(place):
    """Put in the digests of the manifest and its program, as the refusals say them."""
    def put(name):
        lib.put(place.user, place.top + "/looks.json", json.dumps(manifest))
        lib.put(place.user, place.catalogue, CATALOGUE % (SCAN, name))

    def found():
        return re.search(rb"(blake3:[0-9a-f]{64})",
                         place.run().err).group(1).decode()
    manifest = dict(MANIFEST)
    lib.put(place.user, place.top + "/looks.sh", LOOKS)
    put(ZEROS)
    put(found())
    manifest["program_blake3"] = found()
    put(ZEROS)
    put(found())


def problems(r):
    return [gate_place.signal_of(r, k).get("details", {}).get("problem")
            for k in ("cve_delta", "looks")]


def result_name(place):
    """The name of the second phase's result in the evidence of the last attempt."""
    ended = [r for r in place.records() if r["kind"] == "attempt.ended"]
    return [e["name"] for e in ended[-1]["evidence"] if "scan" in e["name"]][0]


def held(user):
    place = gate_place.Place(user, "g", {"install.sh": "mkdir /scratch/out\n",
                                         "db": CLEAN}, "gates: {}\n")
    hashes(place)
    base = place.baseline()
    tap.ok(base.rc == 0, "%s: a baseline" % user, base.brief())
    r = place.run()
    tap.ok(r.rc == 0, "%s: a tree in which nothing is known passes" % user,
           gate_place.told(r))
    lib.put(user, place.tree + "/db", FOUND)
    r = place.run()
    tap.ok(r.rc == 11 and problems(r) == [None, None],
           "%s: one with a known vulnerability does not" % user,
           gate_place.told(r))
    for what, script in ATTACKS:
        lib.put(user, place.tree + "/install.sh", script)
        lib.put(user, place.tree + "/db", FOUND)
        r = place.run()
        tap.ok(r.rc == 11 and problems(r)[0] in (None, "no_report"),
               "%s: %s does not outlast the scanner's" % (user, what),
               gate_place.told(r))
        os.unlink(place.tree + "/db")
        r = place.run()
        tap.ok(r.rc == 11 and problems(r) == ["no_report", "artifact_missing"],
               "%s: %s is not the report of a scanner that left none" %
               (user, what), gate_place.told(r))
        result = json.loads(place.evidence(result_name(place)))
        tap.equal([a["skipped"] for a in result["artifacts"]],
                  ["earlier_phase"], "%s: %s: so its result says" %
                  (user, what))
        r = place.run(program="tests/cupel-testing",
                      env={"CUPEL_TEST_GATHER_DROP": "old_files"})
        tap.ok(r.rc == 0, "%s: control: %s passes" % (user, what),
               gate_place.told(r))
    for what, script in LINKS:
        lib.put(user, place.tree + "/install.sh", script)
        r = place.run()
        tap.ok(r.rc == 11 and problems(r) == ["no_report", "artifact_missing"],
               "%s: nor is %s" % (user, what), gate_place.told(r))
        r = place.run(program="tests/cupel-testing",
                      env={"CUPEL_TEST_GATHER_DROP":
                           "old_files,artifact_links"})
        # a link to /scratch leads nowhere on the host, but a relative link leads out
        tap.ok(r.rc == (0 if "directory" in what else 11),
               "%s: control: %s" % (user, what), gate_place.told(r))


for one in lib.users():
    held(one)
tap.done()
