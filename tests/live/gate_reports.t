#!/usr/bin/env python3
"""gate_reports.t -- reports that the tools themselves wrote: how the collectors
read the files of node, ctest, npm audit and npm sbom.

A tool that is not installed is skipped, and the output says so."""
import json
import os
import shutil
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True
import gate_place  # noqa: E402
import lib  # noqa: E402

tap = lib.Tap()

GATE = """gates:
  g:
    phases:
      - name: test
        profile: %s
        report: %s
        command: %s
    signals: {tests: {}}
    required: [tests]
"""

NODE = """const test = require('node:test')
test('plain', () => {})
test('outer', async t => {
  await t.test('inner', () => {})
  await t.test('skipped', { skip: true }, () => {})
})
test('todo', { todo: true }, () => {})
test('odd', () => { %s })
"""

CMAKE = """cmake_minimum_required(VERSION 3.10)
project(p NONE)
enable_testing()
add_test(NAME plain COMMAND true)
add_test(NAME skipped COMMAND sh -c "exit 77")
set_tests_properties(skipped PROPERTIES SKIP_RETURN_CODE 77)
add_test(NAME disabled COMMAND true)
set_tests_properties(disabled PROPERTIES DISABLED TRUE)
add_test(NAME odd COMMAND %s)
"""

CTEST = ("[sh, -c, 'cmake -S /repo -B /scratch/b >/dev/null && cd /scratch/b && "
         "ctest --output-junit /scratch/report.xml']")

# the tool; profile, report, command; file, how it passes, how it fails; the counts
# when it passes (passed, skipped); the name of the test that fails
TOOLS = [
    ("node", "test", "'tap:/scratch/r.tap'",
     "[node, --test, --test-reporter=tap, "
     "--test-reporter-destination=/scratch/r.tap]",
     "it.test.js", NODE, ("", "throw new Error('odd')"), None, "odd"),
    ("node", "test", "'junit:/scratch/r.xml'",
     "[node, --test, --test-reporter=junit, "
     "--test-reporter-destination=/scratch/r.xml]",
     "it.test.js", NODE, ("", "throw new Error('odd')"), None, "odd"),
    ("ctest", "ctest", "'junit:/scratch/report.xml'", CTEST,
     "CMakeLists.txt", CMAKE, ("true", "false"), (2, 2), "odd"),
]


def suites(user):
    for tool, profile, report, command, file, text, ways, counts, odd in TOOLS:
        name = "%s, %s %s" % (user, tool, report.strip("'").split(":")[0])
        if shutil.which(tool) is None:
            tap.ok(True, "%s # SKIP not here" % name)
            continue
        place = gate_place.Place(user, "g", {file: text % ways[0]},
                                 GATE % (profile, report, command))
        base = place.baseline()
        good = place.run()
        d = gate_place.signal_of(good, "tests").get("details", {})
        tap.ok(base.rc == 0 and good.rc == 0 and d["failed"] == 0 and
               d["total"] == d["passed"] + d["skipped"] and d["skipped"] > 0
               and d["delta_test_count"] == 0 and
               counts in (None, (d["passed"], d["skipped"])),
               "%s: a suite that passes does" % name,
               base.brief() + gate_place.told(good))
        gate_place.write(user, place.tree, {file: text % ways[1]})
        bad = place.run()
        d2 = gate_place.signal_of(bad, "tests").get("details", {})
        tap.ok(bad.rc == 11 and d2["failed"] == 1 and
               d2["passed"] == d["passed"] - 1 and d2["problem"] is None and
               any(odd in f for f in d2["failures"]) and not d2["gone"],
               "%s: the one that fails is named" % name, gate_place.told(bad))
        lines = (text % ways[0]).replace("plain", "renamed")
        gate_place.write(user, place.tree, {file: lines})
        gone = place.run()
        d3 = gate_place.signal_of(gone, "tests").get("details", {})
        tap.ok(gone.rc == 11 and len(d3["gone"]) == 1 and
               "plain" in d3["gone"][0] and d3["added"] == 1,
               "%s: the one that is renamed is gone" % name,
               gate_place.told(gone))


# --- reports of vulnerabilities ------------------------------------------------------

SCAN = """gates:
  g:
    phases:
      - name: scan
        profile: test
        command: [sh, -c, "%s >/scratch/report.json"]
        artifact: [/scratch/report.json]
        goes_on: true
    signals:
      cve_delta:
        {phase: scan, artifact: /scratch/report.json, format: %s}
    required: [cve_delta]
"""

LOCK = json.dumps({"name": "app", "version": "1.0.0", "lockfileVersion": 3,
                   "requires": True, "packages": {
                       "": {"name": "app", "version": "1.0.0"}}})
PACKAGE = json.dumps({"name": "app", "version": "1.0.0"})


def scans(user):
    """npm's own reports: a bill of materials is not a report of
    vulnerabilities, an audit is one."""
    if not shutil.which("npm"):
        tap.ok(True, "%s, npm # SKIP not here" % user)
        return
    files = {"package.json": PACKAGE, "package-lock.json": LOCK}
    sbom = "HOME=/scratch npm sbom --package-lock-only " \
           "--sbom-format cyclonedx"
    place = gate_place.Place(user, "g", files, SCAN % (sbom, "cyclonedx"))
    base = place.baseline()
    tap.ok(base.rc == 2 and not os.path.exists(place.base),
           "%s, npm sbom: nobody looked for vulnerabilities in it, and it is no "
           "baseline" % user, base.brief())
    r = place.run()
    tap.ok(r.rc == 11 and
           gate_place.signal_of(r, "cve_delta")["details"]["problem"],
           "%s, npm sbom: nor does it pass" % user, gate_place.told(r))
    # the same document with a list of vulnerabilities, as scanners add one
    for found, want in (([], 0), ([{
            "id": "CVE-2026-0001", "ratings": [{"severity": "high"}],
            "affects": [{"ref": "app@1.0.0"}]}], 11)):
        gate_place.write(user, place.tree, {"add.js": """
const d = JSON.parse(require('fs').readFileSync(0))
d.vulnerabilities = %s
console.log(JSON.stringify(d))
""" % json.dumps(found)})
        place.catalogue = lib.put(user, place.top + "/gates.yaml", SCAN % (
            sbom + " | node add.js", "cyclonedx"))
        if not found:
            tap.ok(place.baseline().rc == 0,
                   "%s, npm sbom with a list: it is a baseline" % user)
        r = place.run()
        new = gate_place.signal_of(r, "cve_delta").get("details", {}).get("new")
        tap.ok(r.rc == want and [n["id"] for n in new or []] ==
               [f["id"] for f in found],
               "%s, npm sbom with %d of them: %d" % (user, len(found), want),
               gate_place.told(r))
    audit = "HOME=/scratch npm audit --json"
    place = gate_place.Place(user, "g", files, SCAN % (
        audit + " --offline", "npm-audit"))
    base = place.baseline()
    r = place.run()
    tap.ok(base.rc == 0 and r.rc == 0,
           "%s, npm audit: its report is read; offline it finds nothing" % user,
           base.brief() + gate_place.told(r))
    # no answer from the registry: with a dependency, npm has to ask it
    lock = json.loads(LOCK)
    lock["packages"][""]["dependencies"] = {"a": "1.0.0"}
    lock["packages"]["node_modules/a"] = {
        "version": "1.0.0", "integrity": "sha512-" + "A" * 86 + "==",
        "resolved": "https://registry.example/a/-/a-1.0.0.tgz"}
    place.catalogue = lib.put(user, place.top + "/gates.yaml", SCAN % (
        audit + " --registry http://127.0.0.1:9 --fetch-retries 0",
        "npm-audit"))
    place.has_base = False
    gate_place.write(user, place.tree, {
        "package.json": json.dumps({"name": "app", "version": "1.0.0",
                                    "dependencies": {"a": "1.0.0"}}),
        "package-lock.json": json.dumps(lock)})
    base = place.baseline()
    tap.ok(base.rc == 2, "%s, npm audit: without the registry's answer it is no "
           "baseline" % user, base.brief())


def main():
    launchers = lib.users()
    for number, part in enumerate((suites, scans)):
        for user in launchers:
            if lib.is_due(number, user, launchers):
                part(user)
    tap.done()


main()
