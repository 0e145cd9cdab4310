#!/usr/bin/env python3
"""sbom.t -- cupel gather --sbom: a repository of several package managers as a
CycloneDX 1.6 document, checked against what its JSON schema requires."""
import json
import os
import re
import sys

SRC = os.environ.get("SRC") or os.path.dirname(
    os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(SRC, "tests/live"))
sys.dont_write_bytecode = True
import lib  # noqa: E402

t = lib.Tap()
CUPEL = lib.binary("cupel")

FILES = {
    "pyproject.toml": '[project]\nname = "snake"\nversion = "1.2"\n'
                      'dependencies = ["Foo_Bar>=1", "loose", '
                      '"far @ git+https://me:word@h.example/far.git"]\n',
    "uv.lock": '[[package]]\nname = "foo-bar"\nversion = "1.5"\n'
               'source = {registry = "r"}\n'
               'dependencies = [{name = "deep"}, {name = "gone"}]\n'
               '[[package]]\nname = "deep"\nversion = "0.1"\n'
               'source = {registry = "r"}\n'
               '[[package]]\nname = "snake"\nversion = "1.2"\n'
               'source = {editable = "."}\n',
    "ui/package.json": '{"name": "ui", "dependencies": {"@s/a": "^1"}}',
    "ui/package-lock.json": json.dumps({
        "lockfileVersion": 3,
        "packages": {"": {}, "node_modules/@s/a": {"version": "1.0.1"}}}),
    "pom.xml": "<project><dependencies><dependency><groupId>g.h</groupId>"
               "<artifactId>i</artifactId><version>3</version></dependency>"
               "</dependencies></project>",
    "tests/fixtures/Cargo.lock": '[[package]]\nname = "notours"\n'
                                 'version = "6"\nsource = "registry+x"\n',
}

# The values that the schema of 1.6 allows in each place that is written here.
KEYS = {
    "": {"bomFormat", "specVersion", "serialNumber", "version",
         "metadata", "components", "dependencies", "compositions"},
    "component": {"type", "bom-ref", "group", "name", "version", "purl",
                  "properties"},
    "dependency": {"ref", "dependsOn"},
}
SERIAL = re.compile("^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-"
                    "[0-9a-f]{4}-[0-9a-f]{12}$")
AGGREGATES = {"complete", "incomplete", "unknown"}


def place(user):
    repo = os.path.join(lib.make_dir(user), "repo")
    for name, text in FILES.items():
        at = os.path.join(repo, name)
        os.makedirs(os.path.dirname(at), exist_ok=True)
        with open(at, "w") as f:
            f.write(text)
    for at, dirs, files in os.walk(repo):
        for name in [at] + [os.path.join(at, n) for n in dirs + files]:
            lib.give(user, name)
    return repo


def gather(user, repo, *options):
    return lib.run([CUPEL, "gather", "--quiet", "--no-cache"] + list(options)
                   + [repo], user)


def faults(bom):
    """What the schema refuses, as texts."""
    bad = []
    if set(bom) - KEYS[""]:
        bad.append("unknown keys")
    if (bom["bomFormat"], bom["specVersion"]) != ("CycloneDX", "1.6"):
        bad.append("format")
    if not SERIAL.match(bom["serialNumber"]) or bom["version"] < 1:
        bad.append("serial")
    refs = [c["bom-ref"] for c in bom["components"]]
    refs.append(bom["metadata"]["component"]["bom-ref"])
    if len(set(refs)) != len(refs) or "" in refs:
        bad.append("bom-ref")
    for c in bom["components"] + [bom["metadata"]["component"]]:
        if set(c) - KEYS["component"] or not c["name"] or \
                c["type"] not in ("application", "library"):
            bad.append("component %r" % c)
    for d in bom["dependencies"]:
        on = d["dependsOn"]
        if set(d) - KEYS["dependency"] or len(set(on)) != len(on) or \
                set(on + [d["ref"]]) - set(refs):
            bad.append("dependency %r" % d)
    if len({d["ref"] for d in bom["dependencies"]}) != \
            len(bom["dependencies"]):
        bad.append("ref twice")
    if any(c["aggregate"] not in AGGREGATES for c in bom["compositions"]):
        bad.append("aggregate")
    return bad


def is_a_document(user):
    repo = place(user)
    out = os.path.join(os.path.dirname(repo), "bom.json")
    r = gather(user, repo, "--sbom", out)
    t.equal(r.rc, 0, user + ": it is written", r.brief())
    with open(out) as f:
        text = f.read()
    bom = json.loads(text)
    t.equal(faults(bom), [], user + ": as the schema has it")
    t.equal([c["purl"] for c in bom["components"]],
            ["pkg:maven/g.h/i", "pkg:npm/%40s/a@1.0.1",
             "pkg:pypi/deep@0.1",
             "pkg:pypi/far?vcs_url=git%2Bhttps://h.example/far.git",
             "pkg:pypi/foo-bar@1.5", "pkg:pypi/loose"],
            user + ": the project's own packages, each once")
    t.equal((bom["metadata"]["component"]["name"],
             bom["metadata"]["component"]["version"]), ("snake", "1.2"),
            user + ": what it is of")
    on = {d["ref"]: d["dependsOn"] for d in bom["dependencies"]}
    t.equal(on.get("pkg:pypi/foo-bar@1.5"), ["pkg:pypi/deep@0.1"],
            user + ": what a package depends on, as far as it is there")
    t.ok("word@" not in text and repo not in text,
         user + ": no password of a URL, no path of the host")
    os.utime(repo + "/uv.lock", (1, 1))
    r = gather(user, repo, "--sbom", out, "--only", "dependencies")
    with open(out) as f:
        again = json.loads(f.read())
    bom.pop("serialNumber")
    again.pop("serialNumber")
    t.equal(again, bom, user + ": it is a function of the bytes")


def refuses(user):
    repo = place(user)
    top = os.path.dirname(repo)
    r = gather(user, repo, "--sbom", top + "/x", "--only", "ci")
    t.ok(r.rc == 2 and b"--only" in r.err, user + ": without the probe",
         r.brief())
    os.symlink(top + "/target", repo + "/link")
    r = gather(user, repo, "--sbom", repo + "/link")
    t.ok(r.rc == 2 and not os.path.exists(top + "/target"),
         user + ": a link of the repository is not written through",
         r.brief())
    r = gather(user, repo, "--sbom", top + "/no/such/file")
    t.ok(r.rc == 2 and b"/no" in r.err, user + ": what cannot be written is said", r.brief())


def says_what_is_missing(user):
    repo = place(user)
    out = os.path.join(os.path.dirname(repo), "bom.json")
    lib.put(user, repo + "/Cargo.toml", "[dependencies\n")
    gather(user, repo, "--sbom", out)
    with open(out) as f:
        bom = json.loads(f.read())
    t.equal(bom["compositions"], [{"aggregate": "incomplete"}],
            user + ": a file that cannot be read is not passed over in silence")
    os.rename(repo + "/Cargo.toml", repo + "/else.txt")
    lib.put(user, repo + "/else.txt", "[dependencies]\n")
    gather(user, repo, "--sbom", out)
    with open(out) as f:
        bom = json.loads(f.read())
    t.equal(bom["compositions"], [{"aggregate": "unknown"}],
            user + ": control: without that file nothing is missing")
    os.symlink("else.txt", repo + "/Cargo.toml")
    gather(user, repo, "--sbom", out)
    with open(out) as f:
        bom = json.loads(f.read())
    t.equal(bom["compositions"], [{"aggregate": "incomplete"}],
            user + ": nor is a link, which is not followed")


def says_what_is_left_out(user):
    repo = place(user)
    out = os.path.join(os.path.dirname(repo), "bom.json")
    told = {"name": "cupel:left-out", "value": "node_modules"}
    lib.put(user, repo + "/node_modules", "a file of that name is none")
    for names, want in (((), None), (("ui", "node_modules"), [told])):
        at = repo
        for n in names:
            at = os.path.join(at, n)
            if not os.path.isdir(at):
                os.mkdir(at)
                lib.give(user, at)
        for more in ((), ("--with-node-modules",)):
            gather(user, repo, "--sbom", out, *more)
            with open(out) as f:
                bom = json.loads(f.read())
            t.equal((bom["metadata"].get("properties"), faults(bom)),
                    (want, []),
                    "%s: what lies in node_modules is %s %s" % (
                        user, "left out" if want else "not there", more))


for who in lib.users():
    is_a_document(who)
    refuses(who)
    says_what_is_missing(who)
    says_what_is_left_out(who)
t.done()
