#!/usr/bin/env python3
"""gather_probes.t -- probes that anyone can add: which inputs they get, and
that a probe which lies, fails or hangs spoils only its own slice."""
import json
import os
import shutil
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True
import lib  # noqa: E402

t = lib.Tap()
CUPEL = lib.binary("cupel")

ANY = "true"
HEAD = ("import json, os, sys, time\n"
        "def say(v):\n"
        "    with open(3, 'w') as f:\n"
        "        f.write(v if isinstance(v, str) else json.dumps(v))\n")
SEES = HEAD + """
repo = sorted(os.path.relpath(os.path.join(a, n), '/repo')
              for a, d, f in os.walk('/repo') for n in f)
fds = sorted(int(n) for n in os.listdir('/proc/self/fd'))
words = sys.stdin.buffer.read().split(b'\\0')
try:
    open('/repo/new', 'w')
    writes = 'yes'
except OSError as e:
    writes = e.strerror
say({'repo': repo, 'fds': [n for n in fds if n < 20][:-1],
     'list': [w.decode() for w in words[:-1]], 'writes': writes,
     'text': open('/repo/sub/b.txt').read(), 'cwd': os.getcwd(),
     'env': sorted(os.environ)})
"""
AFTER = HEAD + """
say([json.load(open(fd, closefd=False)).get('probe') for fd in (4, 5)])
"""
WEAK = HEAD + """
say({'slice_of_fails': json.load(open(4))['slice']})
"""


class Folder:
    """A repository of the user, and a folder of probes."""

    def __init__(self, user):
        self.user = user
        self.repo = lib.make_dir(user)
        self.dir = lib.make_dir(user)
        self.tmp = lib.make_dir(user)
        lib.put(user, self.repo + "/package.json", '{"name": "app"}')
        lib.put(user, self.repo + "/a.txt", "A")
        os.mkdir(self.repo + "/sub")
        lib.give(user, self.repo + "/sub")
        lib.put(user, self.repo + "/sub/b.txt", "B")
        lib.put(user, self.repo + "/hidden", "not declared")
        os.symlink("a.txt", self.repo + "/link.txt")

    def add(self, name, program, schema=ANY, command=None, inputs=None, **more):
        m = {"name": name, "version": "1", "schema_version": "1.0",
             "inputs": inputs or [{"glob": "**/*.txt", "max_bytes": 100}],
             "command": command or ["python3", "-I", "{program}"],
             "program": name + ".py", "schema": name + ".schema.json"}
        m.update(more)
        lib.put(self.user, "%s/%s.json" % (self.dir, name), json.dumps(m))
        lib.put(self.user, "%s/%s.py" % (self.dir, name), program)
        lib.put(self.user, "%s/%s.schema.json" % (self.dir, name), schema)

    def gather(self, *options):
        shutil.rmtree(self.repo + "/.cupel", ignore_errors=True)
        r = lib.run([CUPEL, "gather", "--format", "json", "--no-cache",
                     "--probe-dir", self.dir] + list(options) + [self.repo],
                    self.user, env={"XDG_RUNTIME_DIR": self.tmp})
        try:
            with open(self.repo + "/.cupel/repo-context.json") as f:
                r.json = json.load(f)["probes"]
        except OSError:
            r.json = None
        return r


def is_given_its_inputs(user):
    f = Folder(user)
    f.add("sees", SEES, inputs=[{"glob": "**/b.txt", "max_bytes": 100},
                                {"glob": "**/*.txt", "max_bytes": 0}])
    r = f.gather("--only", "sees")
    t.equal((r.rc, r.get("sees.errors")), (0, []), user + ": it runs",
            r.brief())
    s = r.get("sees.slice")
    t.equal(s["repo"], ["sub/b.txt"], user + ": /repo holds what is declared")
    t.equal(s["text"], "B", user + ": as it is")
    t.equal(s["writes"], "Read-only file system", user + ": to be read only")
    t.equal(s["list"], ["a.txt", "-", "sub/b.txt", "1"],
            user + ": names alone come on descriptor 0")
    t.equal(s["fds"], [0, 1, 2, 3, 4],
            user + ": and no other descriptor than its program")
    t.equal(s["cwd"], "/scratch", user + ": in the scratch")
    t.equal(sorted(r.json), ["sees"], user + ": --only leaves the rest out")
    t.equal(os.listdir(f.tmp), [], user + ": nothing is left behind")
    r = lib.run([CUPEL, "probe", "--probe-dir", f.dir, "sees", f.repo], user)
    t.equal((r.rc, json.loads(r.out.decode())["slice"]["text"]), (0, "B"),
            user + ": cupel probe runs it too", r.brief())


def is_given_what_it_requires(user):
    f = Folder(user)
    f.add("aaa", AFTER, requires=["sees", "node_manifest"])
    f.add("sees", SEES)
    f.add("fails", HEAD + "sys.exit(7)\n")
    f.add("dependent", WEAK, requires=["fails"])
    r = f.gather("--jobs", "3")
    t.equal(r.rc, 0, user + ": probes with requires", r.brief())
    t.equal(r.get("aaa.slice"), ["sees", "node_manifest"],
            user + ": outputs come in the order of requires")
    t.equal((r.get("fails.slice"), r.get("fails.confidence"),
             [e["code"] for e in r.get("fails.errors")]),
            (None, "low", ["parser_failed"]), user + ": one that fails says so")
    t.equal((r.get("dependent.slice"), r.get("dependent.confidence"),
             [w["code"] for w in r.get("dependent.warnings")]),
            ({"slice_of_fails": None}, "low", ["symlink", "required_failed"]),
            user + ": who requires it is run, and is less sure")
    r = f.gather("--only", "dependent")
    t.equal(sorted(r.json), ["dependent", "fails"],
            user + ": --only brings along what is required")


LIARS = {
    # name: program, code of its error, manifest
    "silence": ("", "schema_failed", {}),
    "garbage": (HEAD + "say('not json')", "schema_failed", {}),
    "trailing": (HEAD + "say('{\"a\": 1} {}')", "schema_failed", {}),
    "duplicates": (HEAD + "say('{\"a\": 1, \"a\": 2}')", "schema_failed", {}),
    "wrong_type": (HEAD + "say({'n': 'one'})", "schema_failed", {}),
    "forged": (HEAD + "say({'probe': 'node_manifest', 'confidence': 'high',"
               "'slice': {}})", "schema_failed", {}),
    "much": (HEAD + "say({'n': 1, 'x': ['y' * 60000] * 40})",
             "schema_failed", {}),
    "deep": (HEAD + "say('[' * 40 + ']' * 40)", "schema_failed", {}),
    "long_string": (HEAD + "say(['y' * 70000])", "schema_failed", {}),
    "field_of_keys": (HEAD + "say({'api_key': 1})", "schema_failed", {}),
    "flood": (HEAD + "os.system('yes >&1')", "output", {}),
    "hangs": (HEAD + "time.sleep(25)", "wall_time",
              {"caps": {"wall_time_s": 1}}),
    "spins": (HEAD + "\nwhile True: pass", "cpu_time",
              {"caps": {"cpu_time_s": 1}}),
    "eats": (HEAD + "x = b'x' * (1 << 28)\ntime.sleep(9)\nsay(1)", "memory",
             {"caps": {"mem_bytes": 1 << 27}}),
    "dies": (HEAD + "os.kill(os.getpid(), 9)", "parser_failed", {}),
    "mounts": (HEAD + "import ctypes\nctypes.CDLL(None).mount(0, 0, 0, 0, 0)",
               "forbidden_syscall", {}),
    "missing": (HEAD, "parser_failed", {"command": ["/no/such/program"]}),
}
STRICT = json.dumps({"type": "object", "properties": {
    "n": {"type": "integer"}, "x": True}, "additionalProperties": False})


def liars_spoil_nothing_else(user):
    f = Folder(user)
    f.add("sees", SEES)
    alone = f.gather().json
    for name, (program, code, more) in LIARS.items():
        schema = STRICT if name in ("wrong_type", "forged") else ANY
        f.add(name, program, schema, **more)
    r = f.gather()
    t.equal(r.rc, 0, user + ": seventeen liars", r.brief())
    for name, (program, code, more) in LIARS.items():
        o = r.get(name)
        codes = [e["code"] for e in o["errors"]]
        t.equal((o["slice"], o["confidence"], codes), (None, "low", [code]),
                "%s: %s is found out" % (user, name), o["errors"])
    t.equal({n: r.json[n] for n in alone}, alone,
            user + ": the others say what they said")
    t.equal(os.listdir(f.tmp), [], user + ": nothing is left behind")
    text = json.dumps(r.json)
    t.ok(f.tmp not in text and "/tmp" not in text,
         user + ": no failure carries a path of the host")


def scrubs_and_counts(user):
    f = Folder(user)
    f.add("paths", HEAD + "say(['/repo/a.txt', 'file:///repo/sub',"
          "'ignore previous instructions', '[INST]', '%s/x'])" % f.repo)
    f.add("values", HEAD + "say([{'name': 'api_key', 'v': 'token'}])")
    r = f.gather()
    t.equal(r.get("paths.slice"),
            ["a.txt", "sub", "ignore previous instructions", "[INST]", "x"],
            user + ": host paths become relative, the rest stays",
            r.brief())
    t.equal(r.get("paths.prompt_injection_marker_count"), 2,
            user + ": marks of an injection are counted")
    t.equal(r.get("values.slice"), [{"name": "api_key", "v": "token"}],
            user + ": a credential's name as a value is a value")


def bad_folders_are_refused(user):
    f = Folder(user)
    f.add("a", HEAD, requires=["b"])
    f.add("b", HEAD, requires=["a"])

    def refused(part, what):
        r = f.gather()
        t.ok(r.rc == 2 and part in r.err.decode() and r.json is None and
             r.err.count(b"\n") == 1, "%s: %s" % (user, what), r.brief())

    refused("in a circle: a, b", "a circle is refused by name")
    os.unlink(f.dir + "/a.json")
    refused("b requires a", "so is a probe that is not there")
    os.unlink(f.dir + "/b.json")
    f.add("node_manifest", HEAD)
    refused("a built-in probe", "and a built-in's name")
    os.unlink(f.dir + "/node_manifest.json")
    f.add("c", HEAD, schema='{"type": "nonsense"}')
    refused("c", "and a schema that is none")
    lib.put(user, f.dir + "/c.json", "{}")
    refused("c.json", "and a manifest that is none")
    os.unlink(f.dir + "/c.json")
    f.add("d", HEAD)
    os.chmod(f.dir + "/d.py", 0o666)
    refused("d.py", "and a program that others can change")


def the_example_works(user):
    f = Folder(user)
    f.dir = os.path.join(lib.SRC, "profiles/probes")
    copy = lib.make_dir(user)
    for name in os.listdir(f.dir):
        with open(os.path.join(f.dir, name), "rb") as src:
            lib.put(user, os.path.join(copy, name), src.read())
    f.dir = copy
    with open(os.path.join(lib.SRC, "COPYING")) as src:
        lib.put(user, f.repo + "/COPYING", src.read())
    lib.put(user, f.repo + "/LICENSE-MIT.txt", "The MIT License (MIT)\n")
    lib.put(user, f.repo + "/a.c", "/* SPDX-License-Identifier: GPL-2.0-only "
            "WITH Linux-syscall-note */\n")
    lib.put(user, f.repo + "/b.py", "#!/bin/x\n# SPDX-License-Identifier: MIT")
    lib.put(user, f.repo + "/c.rs", b"// SPDX-License-Identifier: \xff\n")
    lib.put(user, f.repo + "/sub/d\n\xff.py".encode("latin-1").decode(
        "utf-8", "surrogateescape"), "# SPDX-License-Identifier: MIT\n")
    r = f.gather("--only", "license_files")
    t.equal((r.rc, r.get("license_files.errors")), (0, []),
            user + ": license_files runs", r.brief())
    s = r.get("license_files.slice")
    t.equal([(x["source"], x["title"]) for x in s["license_files"]][1:],
            [("LICENSE-MIT.txt", "MIT")] if len(s["license_files"]) == 2
            else None, user + ": licence files", s)
    t.equal(s["tags"],
            [{"expression": "GPL-2.0-only WITH Linux-syscall-note",
              "files": 1, "source": "a.c"},
             {"expression": "MIT", "files": 2, "source": "b.py"}],
            user + ": tags")
    t.equal(s["untagged_files"], 1, user + ": what carries none is counted")


for who in lib.users():
    is_given_its_inputs(who)
    is_given_what_it_requires(who)
    liars_spoil_nothing_else(who)
    scrubs_and_counts(who)
    bad_folders_are_refused(who)
    the_example_works(who)
t.done()
