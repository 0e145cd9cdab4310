#!/usr/bin/env python3
"""gate_outside.t -- kinds of signals that other people write, as root and as a
user: which inputs they get, what they may answer, and that nothing else passes.

The first row is the control of all others: the same gate passes with a program whose
answer fits its schema.
"""
import json
import os
import re
import sys

sys.path.insert(0, os.path.join(os.environ.get("SRC", "."), "tests", "live"))
import lib  # noqa: E402

ZEROS = "blake3:" + "0" * 64
DETAILS = {"type": "object", "required": ["lines"],
           "additionalProperties": False,
           "properties": {"lines": {"type": "integer", "minimum": 0}}}
MANIFEST = {"kind": "lines", "version": "1.0", "program": "lines.sh",
            "program_blake3": ZEROS, "command": ["sh", "{program}"],
            "inputs": [{"phase": "build", "artifact": "/scratch/report"}],
            "details": DETAILS, "caps": {"wall_time_s": 3}}
CATALOGUE = """gates:
  g:
    phases:
      - {name: build, profile: test, artifact: [/scratch/report, /scratch/none],
         command: [sh, -c, "cp report /scratch/report"]}
    signals:
      build: {}
      lines: {manifest: %s, blake3: "%s"}
    required: [build, lines]
"""
GOOD = """n=$(wc -l <&4)
echo '{"passed":true,"details":{"lines":'$n'}}' >&3
"""


def answer(text):
    return "cat >&3 <<'E'\n%s\nE\n" % text


# name, program, the problem that its signal has; None: its own answer says failed
WRONG = [
    ("it says that it failed",
     answer('{"passed":false,"details":{"lines":1}}'), None),
    ("no answer", "exit 0\n", "no_answer"),
    ("an answer and then a failure", GOOD + "exit 1\n", "program_failed"),
    ("an answer and then a signal", GOOD + "kill -9 $$\n", "program_failed"),
    ("an answer, and it never ends", GOOD + "while :; do sleep 1; done\n",
     "wall_time"),
    ("no JSON", answer("passed"), "bad_answer"),
    ("two answers", GOOD + GOOD, "bad_answer"),
    ("a word for passed", answer('{"passed":"true","details":{"lines":1}}'),
     "bad_answer"),
    ("no details", answer('{"passed":true}'), "bad_answer"),
    ("other details", answer('{"passed":true,"details":{"lines":"many"}}'),
     "bad_answer"),
    ("a member more",
     answer('{"passed":true,"details":{"lines":1},"score":1}'), "bad_answer"),
    ("a detail more",
     answer('{"passed":true,"details":{"lines":1,"confidence":1}}'),
     "bad_answer"),
    ("passed twice",
     answer('{"passed":false,"passed":true,"details":{"lines":1}}'),
     "bad_answer"),
    ("an answer of 100 KB", "printf '{\"passed\":true,\"details\":"
     "{\"lines\":1}}%100000s' ' ' >&3\n", "bad_answer"),
]

# name, what is changed in the manifest, what the line says
REFUSED = [
    ("details that are open", {"details": {"type": "object"}}, "is open"),
    ("an open object within them", {"details": dict(DETAILS, properties={
        "lines": {"type": "object"}})}, "is open"),
    ("an array of anything", {"details": dict(DETAILS, properties={
        "lines": {"type": "array"}})}, "is open"),
    ("anything at all", {"details": dict(DETAILS, properties={
        "lines": {}})}, "allows any value"),
    ("names by a pattern", {"details": dict(DETAILS, patternProperties={
        "x": {"type": "integer"}})}, "keyword"),
    ("a schema of another document", {"details": dict(DETAILS, properties={
        "lines": {"$ref": "urn:cupel:schema:spec-1.0"}})}, "$ref"),
    ("a way to what a keyword holds", {"details": dict(DETAILS, properties={
        "lines": {"$ref": "#/$defs/x/not"}}, **{"$defs": {"x": {
            "type": "integer", "not": {"type": "object"}}}})}, "$ref"),
    ("the same way, written otherwise", {"details": dict(DETAILS, properties={
        "lines": {"$ref": "#/$defs/x%2Fnot"}}, **{"$defs": {"x": {
            "type": "integer", "not": {"type": "object"}}}})}, "$ref"),
    ("a schema with a member for a keyword's name", {"details": dict(
        DETAILS, properties={"lines": {"$ref": "#/properties/lines"}})},
     "$ref"),
    ("a word for how sure it is", {"details": dict(DETAILS, properties={
        "lines": {"type": "integer"}, "Model_Score": {"type": "integer"}})},
     "how sure"),
    ("a word behind a NUL", {"details": dict(DETAILS, properties={
        "lines": {"type": "integer"}, "x\0score": {"type": "integer"}})},
     "how sure"),
    ("a definition that is a value", {"details": dict(
        DETAILS, properties={"lines": {"$ref": "#/$defs/a/const"}},
        **{"$defs": {"a": {"const": {"type": "object"}}}})}, "$ref"),
    ("a definition that is an example", {"details": dict(
        DETAILS, properties={"lines": {"$ref": "#/$defs/a/examples/0"}},
        **{"$defs": {"a": {"type": "integer", "examples": [True]}}})}, "$ref"),
    ("a definition within a property", {"details": dict(
        DETAILS, properties={"lines": {
            "type": "integer", "$defs": {"a": {"type": "integer"}}}})},
     "keyword"),
    ("what fits if something does not", {"details": dict(DETAILS, properties={
        "lines": {"type": "string", "not": {"type": "object"}}})}, "keyword"),
    ("what fits under a condition", {"details": dict(DETAILS, properties={
        "lines": {"type": "string", "if": {}, "then": {"type": "object"}}})},
     "keyword"),
    ("a keyword that nobody knows", {"details": dict(DETAILS, properties={
        "lines": {"type": "integer", "propertySchema": {}}})}, "keyword"),
    ("a dialect that asserts nothing", {"details": dict(DETAILS, **{
        "$schema": "https://json-schema.org/draft/2020-12/meta/core"})},
     "keyword"),
    ("another kind's name", {"kind": "other"}, "/kind"),
    ("a phase that is not there", {"inputs": [
        {"phase": "x", "artifact": "/scratch/report"}]}, "/inputs"),
    ("an artifact that is none", {"inputs": [
        {"phase": "build", "artifact": "/scratch/x"}]}, "/inputs"),
    ("a member that it has not", {"network": "host"}, "network"),
    ("more time than a kind may have", {"caps": {"wall_time_s": 31}},
     "/caps/wall_time_s"),
]

SEES = """test -z "$(ls -A /repo 2>/dev/null)" && test ! -e %s/report &&
test -z "$SECRET_OF_HOST" && ! (exec 5<>/dev/tcp/127.0.0.1/1) 2>/dev/null &&
cat /proc/net/dev | grep -q lo: && test $(grep -c : /proc/net/dev) = 1 &&
grep -q '"artifacts":\\[{"phase":"build","artifact":"/scratch/report","descrip' &&
%s"""


class Place:
    def __init__(self, user):
        self.user, self.top = user, lib.make_dir(user)
        self.tree = os.path.join(self.top, "tree")
        os.mkdir(self.tree, 0o755)
        lib.give(user, self.tree)
        lib.put(user, self.tree + "/report", "one\ntwo\n")
        self.catalogue = self.top + "/gates.yaml"
        self.rounds = 0

    def gate(self, **kw):
        self.rounds += 1
        r = lib.run([lib.binary("cupel"), "gate", "run", "--worktree",
                     self.tree, "--catalogue", self.catalogue, "--quiet",
                     "--state", "%s/state%d" % (self.top, self.rounds),
                     "--json", "g"], self.user,
                    env={"SECRET_OF_HOST": "s3cr3t"}, **kw)
        try:
            r.json = json.loads(r.out)
        except ValueError:
            r.json = None
        return r

    def found(self, r):
        return re.search(rb"(blake3:[0-9a-f]{64})", r.err).group(1).decode()

    def write(self, manifest, where="lines.json", program=GOOD, name=ZEROS):
        lib.put(self.user, self.top + "/lines.sh", program)
        lib.put(self.user, os.path.join(self.top, where), json.dumps(manifest))
        lib.put(self.user, self.catalogue, CATALOGUE % (where, name))

    def named(self, change=None, program=GOOD):
        """Put in the digests of the program and of the manifest, which are taken from
        what the refusals say."""
        manifest = dict(MANIFEST)
        self.write(manifest, program=program)
        first = self.found(self.gate())
        self.write(manifest, program=program, name=first)
        manifest["program_blake3"] = self.found(self.gate())
        manifest.update(change or {})
        self.write(manifest, program=program)
        name = self.found(self.gate())
        self.write(manifest, program=program, name=name)
        return name


def signal_of(r):
    for s in (r.json or {}).get("attempts", [{}])[-1].get("signals", []):
        if s["kind"] == "lines":
            return s
    return {}


def answers(p):
    name = p.named()
    r = p.gate()
    s = signal_of(r)
    out = [("a program's answer is a signal", r.rc == 0 and s.get("passed") and
            s["details"] == {"version": "1.0", "manifest": name, "problem": None,
                             "why": None, "found": {"lines": 2}} and
            len(s["provenance"]["files"]) == 2, r.brief())]
    for what, program, problem in WRONG:
        p.named(program=program)
        r = p.gate()
        s = signal_of(r)
        out.append(("does not pass: " + what, r.rc == 11 and
                    s.get("passed") is False and
                    s["details"]["problem"] == problem and
                    (problem is None) == (s["details"]["found"] is not None),
                    r.brief() + str(s)))
    return out


def declared_inputs_only(p):
    p.named(program=SEES % (p.tree, GOOD))
    r = p.gate()
    control = SEES.replace("test ! -e %s/report", "test -e %s/report")
    p.named(program=control % (p.tree, GOOD))
    c = p.gate()
    return [("it sees its inputs, and no tree, network or secret", r.rc == 0,
             r.brief()), ("a program that asks for the tree has none",
                          c.rc == 11, c.brief())]


def missing_artifacts(p):
    p.named({"inputs": [{"phase": "build", "artifact": "/scratch/none"}]})
    r = p.gate()
    return [("an artifact that is not left behind fails it", r.rc == 11 and
             signal_of(r)["details"]["problem"] == "artifact_missing",
             r.brief())]


def refusals(p):
    out = []
    for what, change, line in REFUSED:
        p.named(change)
        r = p.gate()
        out.append(("refused: " + what, r.rc == 2 and
                    line.encode() in r.err and r.err.count(b"\n") == 1,
                    r.brief()))
    p.named()
    lib.put(p.user, p.top + "/lines.sh", GOOD + "# more\n")
    r = p.gate()
    out.append(("refused: a program that was changed", r.rc == 2 and
                b"is the hash of the program, but" in r.err, r.brief()))
    p.named()
    lib.put(p.user, p.top + "/lines.json", json.dumps(MANIFEST))
    r = p.gate()
    out.append(("refused: a manifest that was changed", r.rc == 2 and
                b"is the hash of the file, but the catalogue" in r.err, r.brief()))
    return out + places(p)


def places(p):
    """The same manifest and program in the work tree, also behind links, are
    refused."""
    out = []
    name = p.named()
    for n in ("lines.json", "lines.sh"):
        with open(os.path.join(p.top, n)) as f:
            lib.put(p.user, os.path.join(p.tree, n), f.read())
    lib.put(p.user, p.catalogue, CATALOGUE % ("tree/lines.json", name))
    r = p.gate()
    out.append(("refused: a manifest in the work tree", r.rc == 2 and
                b"is in the work tree" in r.err, r.brief()))
    os.rename(p.top + "/lines.json", p.top + "/kept.json")
    os.symlink("tree/lines.json", p.top + "/lines.json")
    lib.put(p.user, p.catalogue, CATALOGUE % ("lines.json", name))
    r = p.gate()
    out.append(("refused: a link that leads there", r.rc == 2 and
                b"is in the work tree" in r.err, r.brief()))
    os.unlink(p.top + "/lines.json")
    os.rename(p.top + "/kept.json", p.top + "/lines.json")
    os.unlink(p.top + "/lines.sh")
    os.symlink("tree/lines.sh", p.top + "/lines.sh")
    r = p.gate()
    out.append(("refused: a program in the work tree", r.rc == 2 and
                b"is in the work tree" in r.err, r.brief()))
    os.unlink(p.top + "/lines.sh")
    os.link(p.tree + "/lines.sh", p.top + "/lines.sh")
    r = p.gate()
    out.append(("refused: a second name of a file there", r.rc == 2 and
                b"has a second name" in r.err, r.brief()))
    return out


def main():
    n = bad = 0
    for user in lib.users():
        for case in (answers, declared_inputs_only, missing_artifacts, refusals):
            try:
                rows = case(Place(user))
            except (OSError, ValueError, KeyError, AttributeError) as e:
                rows = [(case.__name__, False, repr(e))]
            for name, is_ok, why in rows:
                n += 1
                bad += not is_ok
                print("%sok %d - %s: %s" % ("" if is_ok else "not ", n, user,
                                            name))
                if not is_ok:
                    print("# " + str(why)[:1500].replace("\n", "\n# "))
                sys.stdout.flush()
    print("1..%d" % n)
    return bad != 0


sys.exit(main())
