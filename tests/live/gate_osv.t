#!/usr/bin/env python3
"""gate_osv.t -- a change that brings a known vulnerability fails, whether
OSV records or a scanner's report name it."""
import json
import os
import shutil
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True
import lib  # noqa: E402

GATES = """gates:
  held:
    phases: [{name: build, profile: test, command: ["true"]}]
    signals: {build: {}, cve_delta: {}}
    required: [build, cve_delta]
  told:
    phases: [{name: build, profile: test, command: ["true"]}]
    signals: {build: {}, cve_delta: {}}
    required: [build]
  none:
    phases: [{name: build, profile: test, command: ["true"]}]
    signals: {build: {}}
    required: [build]
"""

# In place of a scanner, a command prints what a scanner would.
SCANNED = """  scanned:
    phases:
      - name: scan
        profile: test
        command: [sh, -c, "%s"]
        artifact: [/scratch/report.json]
        goes_on: true
    signals:
      cve_delta:
        {phase: scan, artifact: /scratch/report.json, format: npm-audit}
    required: [cve_delta]
"""
SCAN = ("cp /repo/audit.json /scratch/report.json; "
        "exit $(cat /repo/status)")
AUDIT = {"auditReportVersion": 2, "vulnerabilities": {}}
FOUND = {"auditReportVersion": 2, "vulnerabilities": {"pad": {"via": [
    {"source": 7, "severity": "high",
     "url": "https://advisories.example/GHSA-held"}]}}}

RECORDS = {
    "npm/GHSA-held.json": {
        "id": "GHSA-held", "database_specific": {"severity": "HIGH"},
        "affected": [{"package": {"ecosystem": "npm", "name": "pad"},
                      "ranges": [{"type": "SEMVER", "events": [
                          {"introduced": "1.3.0"}, {"fixed": "1.3.2"}]}]}]},
    "npm/GHSA-old.json": {
        "id": "GHSA-old",
        "affected": [{"package": {"ecosystem": "npm", "name": "pad"},
                      "ranges": [{"type": "SEMVER", "events": [
                          {"introduced": "0"}]}]}]},
    "PyPI/PYSEC-1.json": {
        "id": "PYSEC-1",
        "affected": [{"package": {"ecosystem": "PyPI", "name": "Left_Pad"},
                      "ranges": [{"type": "ECOSYSTEM", "events": [
                          {"introduced": "0"}, {"fixed": "2.0"}]}]}]},
}


def lockfile(version):
    return json.dumps({
        "name": "p", "version": "1.0.0", "lockfileVersion": 3, "packages": {
            "": {"name": "p", "version": "1.0.0",
                 "dependencies": {"pad": "^1.0.0"}},
            "node_modules/pad": {
                "version": version,
                "resolved": "https://registry.example/pad/-/pad-%s.tgz"
                            % version,
                "integrity": "sha512-" + "A" * 86 + "=="}}}, indent=1)


def poetry(version):
    return ('[[package]]\nname = "left-pad"\nversion = "%s"\n'
            'description = ""\noptional = false\npython-versions = "*"\n'
            'files = []\n\n[metadata]\nlock-version = "2.0"\n'
            'python-versions = "*"\ncontent-hash = "%s"\n'
            % (version, "0" * 64))


class Place:
    def __init__(self, user):
        self.user = user
        self.top = lib.make_dir(user)
        self.tree = self.dir("tree")
        self.osv = self.dir("osv")
        for d in ("npm", "PyPI"):
            self.dir("osv/" + d)
        for name, record in RECORDS.items():
            self.put("osv/" + name, json.dumps(record))
        self.catalogue = self.put("gates.yaml", GATES + SCANNED % SCAN)
        self.n = 0
        self.reset()

    def reset(self):
        self.put("tree/package.json", '{"name": "p", "version": "1.0.0", '
                 '"dependencies": {"pad": "^1.0.0"}}')
        self.put("tree/package-lock.json", lockfile("1.2.0"))
        self.put("tree/pyproject.toml", "[tool.poetry]\nname = \"p\"\n"
                 "version = \"1.0.0\"\n[tool.poetry.dependencies]\n"
                 "left-pad = \"*\"\n")
        self.put("tree/poetry.lock", poetry("2.0"))
        self.put("tree/audit.json", json.dumps(AUDIT))
        self.put("tree/status", "0")

    def dir(self, name):
        path = os.path.join(self.top, name)
        os.mkdir(path, 0o755)
        lib.give(self.user, path)
        return path

    def put(self, name, text):
        return lib.put(self.user, os.path.join(self.top, name), text)

    def gate(self, verb, gate, *words, osv=None, program="cupel",
             env=None):
        more = ("--osv", osv) if osv else ()
        argv = [lib.binary(program), "gate", verb, "--quiet", "--worktree",
                self.tree, "--catalogue", self.catalogue, *more, gate, *words]
        return lib.run(argv, self.user, env=env)

    def baseline(self, gate, **kw):
        return self.gate("baseline", gate, self.base(gate), **kw)

    def base(self, gate):
        return "%s/%s.json" % (self.top, gate)

    def run(self, gate, **kw):
        self.n += 1
        r = self.gate("run", gate, "--json", "--state", "%s/state-%d"
                      % (self.top, self.n), "--baseline", self.base(gate),
                      **kw)
        try:
            r.json = json.loads(r.out)
        except ValueError:
            r.json = None
        return r


def signal_of(r):
    """The details of cve_delta in the only attempt."""
    for s in r.json["attempts"][0]["signals"] if r.json else []:
        if s["kind"] == "cve_delta":
            return s
    return {"passed": None, "details": {}}


def note(r):
    return "%s %s %s" % (r.rc, r.err.decode(errors="replace"),
                         json.dumps(r.json)[:1200])


def failing(r):
    return r.json["attempts"][0]["failing_signals"] if r.json else None


def ids(list_of):
    return [(v["id"], v["package"], v["version"]) for v in list_of or []]


def records_hold(t, p):
    for gate in ("held", "told"):
        r = p.baseline(gate, osv=p.osv)
        t.ok(r.rc == 0, "a baseline of %s is written" % gate, r.err)
    r = p.run("held", osv=p.osv)
    d = signal_of(r)["details"]
    t.ok(r.rc == 0 and d["before"] == d["after"] == 1 and
         d["source"] == "osv" and d["database"] == d["database_before"],
         "what is unchanged passes, with what was known before", note(r))
    p.put("tree/package-lock.json", lockfile("1.3.1"))
    r = p.run("held", osv=p.osv)
    d = signal_of(r)["details"]
    t.ok(r.rc == 11 and failing(r) == ["cve_delta"] and
         ids(d["new"]) == [("GHSA-held", "pkg:npm/pad", "1.3.1")] and
         d["new"][0]["severity"] == "high" and
         d["new"][0]["fixed"] == ["1.3.2"],
         "a lockfile that brings a known vulnerability is held", note(r))
    r = p.run("told", osv=p.osv)
    t.ok(r.rc == 0 and signal_of(r)["passed"] is False,
         "where it is not required, the change passes", note(r))
    p.put("tree/package-lock.json", lockfile("1.3.2"))
    r = p.run("held", osv=p.osv)
    t.ok(r.rc == 0, "the version that is mended passes", note(r))
    p.put("tree/package-lock.json", lockfile("1.3.1").replace(
        '"version": "1.3.1"', '"version": "1.3.2"'))
    r = p.run("held", osv=p.osv)
    t.ok(r.rc == 11 and failing(r) == ["cve_delta"] and
         signal_of(r)["details"]["problem"] == "facts_incomplete",
         "a version that is not its archive's is held", note(r))
    p.reset()
    p.put("tree/poetry.lock", poetry("2.0rc1"))
    r = p.run("held", osv=p.osv)
    t.ok(r.rc == 11 and ids(signal_of(r)["details"]["new"]) ==
         [("PYSEC-1", "pkg:pypi/left-pad", "2.0rc1")],
         "so is one of PyPI, by its own order", note(r))
    p.reset()


def lockfiles_cannot_be_lost(t, p):
    p.put("tree/package-lock.json", "{")
    r = p.run("held", osv=p.osv)
    t.ok(r.rc == 11 and signal_of(r)["details"]["problem"] in
         ("facts_incomplete", "packages_gone"),
         "a lockfile that cannot be read is held", note(r))
    p.reset()
    os.mkdir(p.tree + "/more", 0o755)
    lib.give(p.user, p.tree + "/more")
    p.put("tree/more/locked", lockfile("1.3.1"))
    r = p.run("held", osv=p.osv)
    t.ok(r.rc == 0, "control: what has no lockfile's name is none", note(r))
    os.symlink("locked", p.tree + "/more/package-lock.json")
    r = p.run("held", osv=p.osv)
    t.ok(r.rc == 11 and
         signal_of(r)["details"]["problem"] == "facts_incomplete",
         "a lockfile that is a link is held, since links are not followed",
         note(r))
    shutil.rmtree(p.tree + "/more")
    os.unlink(p.tree + "/package-lock.json")
    r = p.run("held", osv=p.osv)
    t.ok(r.rc == 11 and
         signal_of(r)["details"]["problem"] == "packages_gone",
         "one that is gone is held", note(r))
    p.reset()


def records_are_the_callers(t, p):
    def refused(what, name, osv, gate="held", **kw):
        r = p.run(gate, osv=osv, **kw)
        t.ok(r.rc == 2 and what in r.err.decode() and
             r.err.decode().count("\n") == 1, name, note(r))

    refused("needs --osv", "without records nothing is run", None)
    p.baseline("none")
    refused("has no cve_delta signal", "records that nobody asked for", p.osv, "none")
    mine = p.dir("tree/mine")
    lib.put(p.user, mine + "/a.json", json.dumps(RECORDS["npm/GHSA-old.json"]))
    refused("is in the work tree", "records of the work tree", mine)
    r = p.run("held", osv=mine, program="tests/cupel-testing",
              env={"CUPEL_TEST_GATHER_DROP": "gate_worktree"})
    t.ok(r.json is not None and signal_of(r)["details"]["source"] == "osv",
         "with that wall down they are used", note(r))
    link = p.top + "/link"
    os.symlink(mine, link)
    refused("is in the work tree", "also by way of a link", link)
    above, tree = p.dir("above"), p.tree
    p.tree = above + "/tree"
    os.rename(tree, p.tree)
    refused("is in the work tree", "a directory that the tree lies in",
            above)
    os.rename(p.tree, tree)
    p.tree = tree
    other = p.dir("other")
    os.link(mine + "/a.json", other + "/a.json")
    refused("has a second name", "a record with a second name", other)
    os.unlink(other + "/a.json")
    refused("no records were found", "no records at all", other)
    os.symlink(mine + "/a.json", other + "/a.json")
    refused("symlink", "a record that is a link", other)
    os.unlink(other + "/a.json")
    for text in ("", "{", "{}", '{"id": "a", "id": "b"}',
                 '{"id": "a", "affected": 7}'):
        p.put("other/a.json", text)
        refused("a.json: is not an OSV record", "no record: %r" % text, other)
    refused("No such file", "no directory", p.top + "/absent")
    os.unlink(mine + "/a.json")
    os.rmdir(mine)


def reports_hold(t, p):
    r = p.baseline("scanned")
    t.ok(r.rc == 0, "a baseline of a report is written", r.err)
    r = p.run("scanned")
    t.ok(r.rc == 0 and signal_of(r)["details"]["database"] is None and
         signal_of(r)["provenance"]["run_ids"], "an empty report passes",
         note(r))
    p.put("tree/audit.json", json.dumps(FOUND))
    p.put("tree/status", "1")
    r = p.run("scanned")
    t.ok(r.rc == 11 and ids(signal_of(r)["details"]["new"]) ==
         [("GHSA-held", "pkg:npm/pad", None)],
         "a report that has more than before is held", note(r))
    for what, text, status in (
            ("scan_failed", json.dumps(AUDIT), "2"),
            ("report_unreadable", "{}", "0"),
            ("report_unreadable", json.dumps(AUDIT)[:-1], "0"),
            ("report_unreadable", json.dumps(AUDIT) + "x", "1")):
        p.put("tree/audit.json", text)
        p.put("tree/status", status)
        r = p.run("scanned")
        t.ok(r.rc == 11 and signal_of(r)["details"]["problem"] == what,
             "%s: %s %s" % (what, text[:30], status), note(r))
    os.unlink(p.tree + "/audit.json")
    p.put("tree/status", "0")
    r = p.run("scanned")
    t.ok(r.rc == 11 and signal_of(r)["details"]["problem"] == "no_report",
         "no report is held", note(r))
    r = p.baseline("scanned")
    t.ok(r.rc == 2 and b"no_report" in r.err, "and is no base", r.err)
    p.reset()


def main():
    t = lib.Tap()
    for user in lib.users():
        p = Place(user)
        for case in (records_hold, lockfiles_cannot_be_lost,
                     records_are_the_callers, reports_hold):
            case(t, p)
    t.done()


main()
