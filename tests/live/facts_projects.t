#!/usr/bin/env python3
"""facts_projects.t -- what gather says about real projects, compared with what a
person read in them; and their bills of materials, checked against CycloneDX's
own schema.

The projects are source packages of this system's archive, fetched by name; the
schema and a validator are npm packages at fixed versions.  Only check-all fetches
them."""
import json
import os
import shutil
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True
import lib  # noqa: E402
from archive import CLOCK_S, open_archive, quiet  # noqa: E402

CUPEL = lib.binary("cupel")
SCHEMAS = "@cyclonedx/cyclonedx-library@10.3.0"
VALIDATORS = ["ajv@8.17.1", "ajv-formats@3.0.1"]
DRAFT = "https://json-schema.org/draft/2020-12/schema"  # a name, not fetched


def names(items):
    return sorted({i["name"] for i in items})


def commands(probes):
    return sorted({c["command"] for w in probes["ci"]["workflows"]
                   for c in w["test_commands"]})


def own(items):
    return [i for i in items if i.get("role", "own") in
            ("own", "root", "workspace", "standalone")]


# Facts that a person read: what each is called, how it is found, and its value.  They
# were chosen so that other versions of the package have them as well.
PROJECTS = {
    "crowdsec": [
        ("language", lambda p: p["language_detection"]["primary"], "Go"),
        ("ecosystem", lambda p: p["dependencies"]["primary"], "golang"),
        ("no node", lambda p: p["node_build_system"]["package_manager"], None),
        ("ci", lambda p: names(p["ci"]["providers"]),
         ["azure-pipelines", "github-actions"]),
        ("test commands", lambda p: "make bats-test" in commands(p), True),
        ("compose of a test is no style", lambda p: p["deployment"]["styles"],
         ["docker"]),
    ],
    "puma": [
        ("language", lambda p: p["language_detection"]["primary"], "Ruby"),
        ("ecosystem", lambda p: p["dependencies"]["primary"], "gem"),
        ("its program is told", lambda p: [
            f["format"] for f in p["dependencies"]["files"]
            if f["source"] == "puma.gemspec" and f.get("program")],
         ["gemspec"]),
        ("tests", lambda p: p["test_inventory"]["primary"], "minitest"),
        ("test commands", lambda p: "bundle exec rake test:all" in commands(p)
         or "test/runner --verbose" in commands(p), True),
    ],
    "zookeeper": [
        ("language", lambda p: p["language_detection"]["primary"], "Java"),
        ("ecosystem", lambda p: p["dependencies"]["primary"], "maven"),
        ("tests", lambda p: p["test_inventory"]["primary"], "junit"),
        ("ci", lambda p: "jenkins" in names(p["ci"]["providers"]), True),
        ("styles", lambda p: p["deployment"]["styles"], ["docker"]),
    ],
    "node-sqlite3": [
        ("tests", lambda p: p["test_inventory"]["primary"], "mocha"),
        ("own packages", lambda p: [
            k["name"] for k in own(p["node_manifest"]["packages"])],
         ["sqlite3"]),
        ("its own native module, once", lambda p: [
            m["reason"] for m in p["node_manifest"]["native_modules"]
            if m["name"] == "sqlite3"], ["binding.gyp"]),
        ("commands", lambda p: commands(p), ["yarn test"]),
        ("styles", lambda p: p["deployment"]["styles"], ["docker"]),
    ],
    "mitmproxy": [
        ("ecosystem", lambda p: p["dependencies"]["primary"], "pypi"),
        ("setup.py is told", lambda p: [
            f["format"] for f in p["dependencies"]["files"]
            if f["source"] == "setup.py" and f.get("program")],
         ["setup.py"]),
        ("test commands", lambda p: "tox -e py" in commands(p)
         and "npm test" in commands(p), True),
        ("what only checks is no test", lambda p: any(
            "flake8" in c or "mypy" in c for c in commands(p)), False),
        ("tests", lambda p: p["test_inventory"]["primary"], "pytest"),
    ],
    "foot": [
        ("language", lambda p: p["language_detection"]["primary"], "C"),
        ("no ecosystem", lambda p: p["dependencies"]["primary"], None),
        ("ci", lambda p: set(names(p["ci"]["providers"])) >= {
            "sourcehut", "woodpecker"}, True),
        ("test commands", lambda p:
         "meson test -C bld/debug --print-errorlogs" in commands(p)
         and "ninja -v test" in commands(p), True),
    ],
    "roundcube": [
        ("language", lambda p: p["language_detection"]["primary"], "PHP"),
        ("its own manifest", lambda p: any(
            d["source"] == "composer.json-dist" and
            d["name"] == "guzzlehttp/guzzle"
            for d in p["dependencies"]["dependencies"]), True),
        ("tests by directory", lambda p:
         p["test_inventory"]["unit"]["files"] > 200, True),
    ],
    "phpunit": [
        ("language", lambda p: p["language_detection"]["primary"], "PHP"),
        ("ecosystem", lambda p: p["dependencies"]["primary"], "composer"),
        ("tests", lambda p: p["test_inventory"]["primary"], "phpunit"),
        ("no node", lambda p: p["node_build_system"]["package_manager"], None),
    ],
}


def of_2020(v):
    """A schema of draft 7 as one of 2020-12, which cupel validate reads."""
    if isinstance(v, list):
        return [of_2020(i) for i in v]
    if not isinstance(v, dict):
        return v
    v = {k: of_2020(i) for k, i in v.items()}
    if isinstance(v.get("items"), list):
        v["prefixItems"] = v.pop("items")
        v["items"] = v.pop("additionalItems", True)
    if isinstance(v.get("$schema"), str):
        v["$schema"] = DRAFT
    return v


AJV = """
const fs = require('fs'), Ajv = require('ajv').default
const ajv = new Ajv({ strict: false })
require('ajv-formats').default(ajv)
for (const f of ['idn-email', 'iri-reference']) ajv.addFormat(f, true)
const [top, bom] = process.argv.slice(2)
const read = (f) => JSON.parse(fs.readFileSync(f, 'utf8'))
for (const n of ['spdx', 'jsf-0.82'])
  ajv.addSchema({ ...read(`${top}/${n}.SNAPSHOT.schema.json`),
    $id: read(`${top}/${n}.SNAPSHOT.schema.json`).$id.replace(
      `${n}.schema`, `${n}.SNAPSHOT.schema`) })
const valid = ajv.compile(read(`${top}/bom-1.6.SNAPSHOT.schema.json`))
if (!valid(read(bom))) {
  console.log(JSON.stringify(valid.errors.slice(0, 3)))
  process.exit(1)
}
"""


class Official:
    """CycloneDX's schema, with two programs that know what it means."""

    def __init__(self, top):
        self.top = top
        self.why = None
        self.ids = {}
        os.makedirs(top)
        got = quiet(["npm", "pack", "--silent", SCHEMAS], cwd=top)
        tars = [n for n in os.listdir(top) if n.endswith(".tgz")]
        if not tars:
            self.why = "npm gave no schema: %s" % got.stderr[-80:].decode()
            return
        quiet(["tar", "-xf", tars[0]], cwd=top)
        self.schemas = top + "/package/res/schema"
        with open(top + "/ajv.js", "w") as f:
            f.write(AJV)
        quiet(["npm", "install", "--silent", "--ignore-scripts", "--prefix",
               top] + VALIDATORS, cwd=top)
        if not os.path.isdir(top + "/node_modules/ajv-formats"):
            self.why = "npm gave no validator"
            return
        for n in ("bom-1.6", "spdx", "jsf-0.82"):
            with open("%s/%s.SNAPSHOT.schema.json" % (self.schemas, n)) as f:
                schema = of_2020(json.load(f))
            schema["$id"] = self.ids[n] = schema["$id"].replace(
                n + ".schema", n + ".SNAPSHOT.schema")
            with open("%s/%s.json" % (top, n), "w") as f:
                json.dump(schema, f)

    def faults(self, bom):
        ajv = quiet(["node", self.top + "/ajv.js", self.schemas, bom],
                    cwd=self.top)
        refs = [w for n in ("spdx", "jsf-0.82") for w in (
            "--ref", "%s=%s/%s.json" % (self.ids[n], self.top, n))]
        ours = quiet([CUPEL, "validate", "--schema", self.top + "/bom-1.6.json"]
                     + refs + [bom])
        return [(r.returncode, (r.stdout + r.stderr)[-300:])
                for r in (ajv, ours) if r.returncode != 0]


def project(tap, archive, official, top, name):
    place = archive.fetch(top, name)
    if place is None:
        tap.ok(True, "%s # SKIP its sources are not available" % name)
        return
    r = lib.run([CUPEL, "gather", "--quiet", "--no-cache", "--format", "json",
                 "--out", place, "--sbom", place + "/bom.json",
                 place + "/repo"], "root", clock_s=CLOCK_S)
    if not tap.equal(r.rc, 0, name + ": it is gathered", r.brief()):
        return
    with open(place + "/repo-context.json") as f:
        probes = json.load(f)["probes"]
    slices = {n: p["slice"] for n, p in probes.items()}
    for what, find, want in PROJECTS[name]:
        try:
            got = find(slices)
        except (KeyError, TypeError) as e:
            got = repr(e)
        tap.equal(got, want, "%s: %s" % (name, what))
    if official.why is None:
        tap.equal(official.faults(place + "/bom.json"), [],
                  name + ": its bill of materials is CycloneDX 1.6")
    shutil.rmtree(place)


def refuses(tap, official):
    """(control) The two programs can also answer no."""
    bad = official.top + "/bad.json"
    with open(bad, "w") as f:
        json.dump({"bomFormat": "CycloneDX", "specVersion": "1.6",
                   "components": [{"type": "thing", "name": "x"}]}, f)
    told = official.faults(bad)
    tap.ok([rc for rc, text in told] == [1, 1] and b"enum" in told[0][1],
           "both refuse what is none, for that reason", told)


def main():
    tap = lib.Tap()
    archive = open_archive(os.environ.get("CUPEL_TIER") != "quick")
    if archive is None:
        return
    official = Official(os.path.join(lib.make_dir("root"), "npm"))
    if official.why is None:
        refuses(tap, official)
    else:
        tap.ok(True, "the official schema # SKIP " + official.why)
    top = lib.make_dir("root")
    for name in PROJECTS:
        project(tap, archive, official, top, name)
    tap.done()


main()
