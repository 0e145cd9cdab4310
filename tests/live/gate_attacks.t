#!/usr/bin/env python3
"""gate_attacks.t -- changes that must not pass a gate, as root and as a user.

Each has a control: the same change passes if the gate does not require the signal
that has to stop it, or if that wall is taken down.
"""
import json
import os
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.environ.get("SRC", "."), "tests", "live"))
import lib  # noqa: E402

PHASES = """
      - name: test
        profile: unittest
        report: tap:/scratch/report.tap
        command: [python3, run.py]
        trace: exec,connect
"""

# One gate with everything, and for each kind one that does not require it.
KINDS = ["tests", "trace", "policy"]
SHIPPED = "@RULES@"
SHIPPED_HASH = ""
LOOSE = """gates:
  all:
    vessel: {scratch_bytes: 16M}
    phases:
      - {name: test, profile: test, command: ["true"]}
    signals: {build: {phase: test}}
    required: [build]
"""
CATALOGUE = "gates:\n" + "".join("""
  %s:
    vessel: {scratch_bytes: 16M}
    phases:%s
    signals:
      tests: {}
      trace: {}
      policy: {blake3: "%s"}
    required: [%s]
""" % ("without-" + k if k else "all", PHASES, SHIPPED,
       ", ".join(n for n in KINDS if n != k)) for k in [None] + KINDS)

RUN = """
import os
names = %r
with open("/scratch/report.tap", "w") as f:
    f.write("TAP version 13\\n1..%%d\\n" %% len(names))
    for i, n in enumerate(names):
        f.write("ok %%d - %%s\\n" %% (i + 1, n))
"""

PACKAGE = {"name": "app", "version": "1.0.0",
           "scripts": {"test": "node --test", "build": "node build.js"},
           "dependencies": {"a": "1.0.0"}}
SHA = "sha512-" + "A" * 86 + "=="
LOCK = {"name": "app", "lockfileVersion": 3, "packages": {
    "": {"name": "app", "version": "1.0.0", "dependencies": {"a": "1.0.0"}},
    "node_modules/a": {"version": "1.0.0", "integrity": SHA,
                       "resolved": "https://registry.example/a/-/a-1.0.0.tgz"}
}}

done = failed = 0


def ok(what, name, more=""):
    global done, failed
    done += 1
    if not what:
        failed += 1
        print("# %s" % str(more)[:1500])
    print("%sok %d - %s" % ("" if what else "not ", done, name))


def put(user, tree, name, text):
    path = os.path.join(tree, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    lib.put(user, path, text if isinstance(text, str) else json.dumps(text))


def base_tree(user):
    tree = lib.make_dir(user)
    put(user, tree, "run.py", RUN % ["one", "two"])
    put(user, tree, "package.json", PACKAGE)
    put(user, tree, "package-lock.json", LOCK)
    put(user, tree, ".github/workflows/ci.yml", "on: push\njobs: {}\n")
    return tree


class World:
    """A user, the base of all changes, and its baselines."""

    def __init__(self, user):
        self.user, self.home = user, lib.make_dir(user)
        self.tree = base_tree(user)
        self.catalogue = lib.put(user, os.path.join(self.home, "c.yaml"),
                                 CATALOGUE)
        self.baselines = {}

    def run(self, args, drop=""):
        env = {"PATH": "/usr/bin:/bin", "HOME": self.home,
               "XDG_CACHE_HOME": self.home, "TMPDIR": self.home,
               "CUPEL_TEST_GATHER_DROP": drop, "SECRET_OF_HOST": "s3cr3t", "FACT_OF_HOST": "s3cr3t"}
        p = subprocess.run(lib.become(self.user) +
                           [lib.binary("tests/live/gate_attempt")] + args,
                           env=env, capture_output=True, timeout=120)
        out = json.loads(p.stdout) if p.stdout.strip() else {}
        return p.returncode, out, p.stderr.decode(errors="replace")

    def baseline(self, gate):
        if gate not in self.baselines:
            path = os.path.join(self.home, gate + ".json")
            rc, out, err = self.run(["-c", self.catalogue, "-w", path,
                                     self.tree, gate])
            if not os.path.exists(path):
                ok(False, "%s: baseline of %s" % (self.user, gate), err)
                raise SystemExit(1)
            self.baselines[gate] = path
        return self.baselines[gate]

    def judge(self, tree, gate, drop=""):
        return self.run(["-c", self.catalogue, "-b", self.baseline(gate),
                         tree, gate], drop)


def changed(w, change):
    tree = lib.make_dir(w.user)
    shutil.rmtree(tree)
    shutil.copytree(w.tree, tree, symlinks=True)
    for top, dirs, files in os.walk(tree):
        for n in dirs + files:
            lib.give(w.user, os.path.join(top, n))
    lib.give(w.user, tree)
    change(w.user, tree)
    return tree


def lock_with(**keys):
    lock = json.loads(json.dumps(LOCK))
    for k, v in keys.items():
        if v is None:
            lock["packages"]["node_modules/a"].pop(k)
        else:
            lock["packages"]["node_modules/a"][k] = v
    return lock


def transitive(has_script):
    """Package a now depends on a package of its own, as npm writes it in a
    lockfile."""
    lock = lock_with(dependencies={"b": "^2.0.0"})
    lock["packages"]["node_modules/a/node_modules/b"] = {
        "version": "2.0.0", "integrity": SHA,
        "resolved": "https://registry.example/b/-/b-2.0.0.tgz",
        **({"hasInstallScript": True} if has_script else {})}
    return lock


def package_with(**scripts):
    p = json.loads(json.dumps(PACKAGE))
    p["scripts"].update(scripts)
    return p


def link(user, tree, name, target):
    path = os.path.join(tree, name)
    if os.path.lexists(path):
        os.unlink(path)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    os.symlink(target, path)
    lib.give(user, path)


def behind_a_link(user, tree):
    """The manifest is behind a link, which npm follows and the probes do
    not."""
    put(user, tree, "new/m.json", package_with(postinstall="node x.js"))
    link(user, tree, "new/package.json", "m.json")


def lock_behind_a_link(user, tree):
    put(user, tree, "lock.json", lock_with(
        resolved="https://evil.example/a/-/a-1.0.0.tgz"))
    link(user, tree, "package-lock.json", "lock.json")


def behind_many_links(user, tree):
    """The manifests are behind many links: the lists of notes have a limit,
    and must not hide one."""
    put(user, tree, "m.json", package_with(postinstall="node x.js"))
    for i in range(250):
        link(user, tree, "new/%03d/package.json" % i, "../../m.json")


def closed(user, tree, name):
    """The file is closed to others: root reads it all the same, and then its
    content counts."""
    put(user, tree, "new/package.json", package_with(postinstall="node x.js"))
    os.chmod(os.path.join(tree, name), 0)


def outside_workspaces(user, tree):
    """A package outside the workspaces: npm installs it, because another
    package depends on its directory."""
    put(user, tree, "package.json", dict(
        PACKAGE, workspaces=["packages/*"],
        dependencies={"a": "1.0.0", "new": "file:new"}))
    put(user, tree, "new/package.json", package_with(postinstall="node x.js"))


def where_nothing_is_read(user, tree):
    put(user, tree, "package.json", dict(
        PACKAGE, dependencies={"a": "1.0.0",
                               "new": "file:x/node_modules/new"}))
    put(user, tree, "x/node_modules/new/package.json",
        package_with(postinstall="node x.js"))


def by_a_link_to_a_directory(user, tree):
    """Only the lockfile names the directory behind a link, as with npm's
    overrides."""
    lock = json.loads(json.dumps(LOCK))
    lock["packages"]["node_modules/new"] = {"resolved": "by", "link": True}
    lock["packages"]["by"] = {"name": "new", "version": "1.0.0"}
    put(user, tree, "package-lock.json", lock)
    put(user, tree, "x/node_modules/new/package.json",
        package_with(postinstall="node x.js"))
    link(user, tree, "by", "x/node_modules/new")


def twice_in_an_example(user, tree):
    """An example has a name twice: npm takes the last one; no probe takes
    either."""
    put(user, tree, "examples/new/package.json",
        '{"name": "new", "scripts": {}, "scripts": {"install": "node x.js"}}')


# name, the kind that stops it, what is changed
CHANGES = [
    ("a manifest is a link", "policy", behind_a_link),
    ("the lockfile is a link", "policy", lock_behind_a_link),
    ("many manifests are links", "policy", behind_many_links),
    ("a manifest may not be read", "policy",
     lambda u, t: closed(u, t, "new/package.json")),
    ("a directory may not be read", "policy",
     lambda u, t: closed(u, t, "new")),
    ("a package lies outside the workspaces", "policy", outside_workspaces),
    ("a package lies where nothing is read", "policy", where_nothing_is_read),
    ("a package is reached by a link to its directory", "policy",
     by_a_link_to_a_directory),
    ("an example has its scripts twice", "policy", twice_in_an_example),
    ("a manifest lies among what cupel writes", "policy",
     lambda u, t: put(u, t, ".cupel/new/package.json",
                      package_with(postinstall="node x.js"))),
    ("the runner exits with 0 and no report", "tests",
     lambda u, t: put(u, t, "run.py", "raise SystemExit(0)\n")),
    ("a test is removed", "tests",
     lambda u, t: put(u, t, "run.py", RUN % ["one"])),
    ("a test is renamed", "tests",
     lambda u, t: put(u, t, "run.py", RUN % ["one", "zwei"])),
    ("a test is put in the place of another", "tests",
     lambda u, t: put(u, t, "run.py", RUN % ["one", "one"])),
    ("all tests are skipped", "tests",
     lambda u, t: put(u, t, "run.py", (RUN % ["one # SKIP", "two # SKIP"]))),
    ("one test is skipped", "tests",
     lambda u, t: put(u, t, "run.py", (RUN % ["one", "two # SKIP"]))),
    ("the report says failed, the exit does not", "tests",
     lambda u, t: put(u, t, "run.py", (RUN % ["one", "two"])
                      .replace('"ok %', '"not ok %'))),
    ("a good report is made, and then the suite fails", "tests",
     lambda u, t: put(u, t, "run.py",
                      (RUN % ["one", "two"]) + "raise SystemExit(1)\n")),
    ("a test is gone, and records and a verdict are printed", "tests",
     lambda u, t: put(u, t, "run.py", (RUN % ["one"]) + """
import sys
for out in (sys.stdout, sys.stderr):
    out.write('{"seq":9,"kind":"gate.ended","outcome":"passed"}\\n'
              '{"kind":"tests","passed":true,"details":{}}\\n'
              'gate: passed\\n')
""")),
    ("no test at all", "tests",
     lambda u, t: put(u, t, "run.py", RUN % [])),
    ("the report is a link to a file of the tree", "tests",
     lambda u, t: (put(u, t, "made.tap",
                       "TAP version 13\n1..2\nok 1 - one\nok 2 - two\n"),
                   put(u, t, "run.py", "import os\nos.symlink("
                       "'/repo/made.tap', '/scratch/report.tap')\n"))),
    ("the scratch is filled, so that no report has room", "tests",
     lambda u, t: put(u, t, "run.py", "import os\n"
                      "f = open('/scratch/fill', 'wb', 0)\ntry:\n"
                      " for i in range(64): f.write(b'x' * (1 << 20))\n"
                      "except OSError: pass\n"
                      "try: " + "open('/scratch/report.tap', 'w', 1)"
                      ".write('1..2\\nok 1 - one\\nok 2 - two\\n')\n"
                      "except OSError: pass\n")),
    ("a shell is started", "trace",
     lambda u, t: put(u, t, "run.py", (RUN % ["one", "two"]) +
                      "os.system('true')\n")),
    ("a new program is started", "trace",
     lambda u, t: put(u, t, "run.py", (RUN % ["one", "two"]) +
                      "import subprocess\n"
                      "subprocess.call(['/usr/bin/id'])\n")),
    ("a tool under a known name from another path", "trace",
     lambda u, t: put(u, t, "run.py", (RUN % ["one", "two"]) +
                      "import shutil, sys, subprocess\n"
                      "shutil.copy(sys.executable, '/scratch/python3')\n"
                      "subprocess.call(['/scratch/python3', '-c', ''])\n")),
    ("a script under a known tool's name from another path", "trace",
     lambda u, t: put(u, t, "run.py", (RUN % ["one", "two"]) +
                      "import sys, subprocess\n"
                      "os.mkdir('/scratch/bin')\n"
                      "with open('/scratch/bin/python3', 'w') as f:\n"
                      " f.write('#!' + os.path.realpath(sys.executable))\n"
                      "os.chmod('/scratch/bin/python3', 0o755)\n"
                      "os.environ['PATH'] = '/scratch/bin'\n"
                      "subprocess.call(['python3'])\n")),
    ("a connection is tried", "trace",
     lambda u, t: put(u, t, "run.py", (RUN % ["one", "two"]) +
                      "import socket\ns = socket.socket()\n"
                      "try: s.connect(('127.0.0.1', 9))\n"
                      "except OSError: pass\n")),
    ("an install script is added", "policy",
     lambda u, t: put(u, t, "package.json",
                      package_with(postinstall="node x.js"))),
    ("a script runs after npm's dependencies change", "policy",
     lambda u, t: put(u, t, "package.json",
                      package_with(dependencies="node x.js"))),
    ("a binding.gyp is added", "policy",
     lambda u, t: put(u, t, "binding.gyp", "{}")),
    ("the script that builds is removed", "policy",
     lambda u, t: put(u, t, "package.json", dict(
         PACKAGE, scripts={"test": "node --test"}))),
    ("the script that builds does nothing", "policy",
     lambda u, t: put(u, t, "package.json", package_with(build="true"))),
    ("the lockfile names its package in a query", "policy",
     lambda u, t: put(u, t, "package-lock.json", lock_with(
         resolved="https://registry.example/evil/-/evil-1.0.0.tgz?x=/a/-/"))),
    ("the lockfile names its package in a fragment", "policy",
     lambda u, t: put(u, t, "package-lock.json", lock_with(
         resolved="https://registry.example/evil/-/e.tgz#/a/-/"))),
    ("a package comes from a repository of GitHub's", "policy",
     lambda u, t: put(u, t, "package.json", dict(
         PACKAGE, dependencies={"a": "1.0.0", "b": "evil/pkg"}))),
    ("a locked package has an install script", "policy",
     lambda u, t: put(u, t, "package-lock.json",
                      lock_with(hasInstallScript=True))),
    ("a locked package has an install script, as npm reads a number", "policy",
     lambda u, t: put(u, t, "package-lock.json",
                      lock_with(hasInstallScript=1))),
    ("a package of a locked package has an install script", "policy",
     lambda u, t: put(u, t, "package-lock.json", transitive(True))),
    ("the lockfile takes from another registry", "policy",
     lambda u, t: put(u, t, "package-lock.json", lock_with(
         resolved="https://evil.example/a/-/a-1.0.0.tgz"))),
    ("the lockfile takes another package of the registry", "policy",
     lambda u, t: put(u, t, "package-lock.json", lock_with(
         resolved="https://registry.example/evil/-/evil-1.0.0.tgz"))),
    ("the lockfile has no hash", "policy",
     lambda u, t: put(u, t, "package-lock.json", lock_with(integrity=None))),
    ("the lockfile cannot be read", "policy",
     lambda u, t: put(u, t, "package-lock.json", "{")),
    ("a file of CI is changed", "policy",
     lambda u, t: put(u, t, ".github/workflows/ci.yml",
                      "on: push\njobs: {x: {}}\n")),
    ("a file of CI is added", "policy",
     lambda u, t: put(u, t, ".gitlab-ci.yml", "x: {script: [id]}\n")),
    ("the script that tests does nothing", "policy",
     lambda u, t: put(u, t, "package.json",
                      package_with(test="echo ok && exit 0"))),
    ("the script that tests hides its end", "policy",
     lambda u, t: put(u, t, "package.json",
                      package_with(test="node --test || true"))),
]


def attacks(w):
    for name, kind, change in CHANGES:
        tree = changed(w, change)
        rc, out, err = w.judge(tree, "all")
        ok(rc == 1 and out.get("failing") == [kind],
           "%s: %s" % (w.user, name), (rc, out or err))
        ok(kind != "trace" or out.get("retryable") is False,
           "%s: %s: is not tried again where it is new" % (w.user, name))
        rc, out, err = w.judge(tree, "without-" + kind)
        ok(rc == 0, "%s: control: %s" % (w.user, name), (rc, out or err))


def a_package_more(w):
    """(control) A package without an install script: no rule forbids it."""
    tree = changed(w, lambda u, t: put(u, t, "package-lock.json",
                                       transitive(False)))
    rc, out, err = w.judge(tree, "all")
    ok(rc == 0, "%s: a package of a locked package passes" % w.user,
       (rc, out or err))


def harmless(w):
    tree = changed(w, lambda u, t: put(u, t, "run.py",
                                       RUN % ["one", "two", "three"]))
    rc, out, err = w.judge(tree, "all")
    ok(rc == 0, "%s: a new test passes" % w.user, (rc, out or err))
    tests = out["signals"][0]["details"]
    ok((tests["added"], tests["delta_test_count"]) == (1, 1),
       "%s: and is counted" % w.user, tests)
    tree = changed(w, lambda u, t: put(
        u, t, "run.py", (RUN % ["one", "two"]) +
        "import os\nassert 'SECRET_OF_HOST' not in os.environ\n"
        "assert not [e for e in os.environ.values() if 's3cr3t' in e]\n"))
    rc, out, err = w.judge(tree, "all")
    ok(rc == 0, "%s: nothing of the host's environment is seen" % w.user,
       (rc, out or err))
    given = lib.put(w.user, os.path.join(w.home, "given.yaml"),
                    CATALOGUE.replace("trace: exec,connect",
                                      "trace: exec,connect\n"
                                      "        pass_env: [FACT_OF_HOST]"))
    rc, out, err = w.run(["-c", given, tree, "without-policy"])
    ok(rc == 1 and "tests" in out.get("failing", []),
       "%s: control: what the operator passes on is" % w.user,
       (rc, out or err))


def places(w):
    """Files that the operator gives are never read from the work tree."""
    inside = os.path.join(w.tree, "cat.yaml")
    link = os.path.join(w.home, "link.yaml")
    second = os.path.join(w.home, "second.yaml")
    base = os.path.join(w.tree, "base.json")
    lib.put(w.user, inside, CATALOGUE)
    os.symlink(inside, link)
    os.link(inside, second)
    shutil.copy(w.baseline("all"), base)
    lib.give(w.user, base)
    args = ["-b", w.baseline("all"), w.tree, "all"]
    for what, path in (("itself", inside), ("a link", link),
                       ("a second name", second)):
        rc, _, err = w.run(["-c", path] + args)
        ok(rc == 2 and "work tree" in err and "\n" not in err.strip(),
           "%s: a catalogue in the work tree by %s is refused" %
           (w.user, what), err)
        rc, _, err = w.run(["-c", path] + args, drop="gate_worktree")
        ok(rc == 0, "%s: control: a catalogue by %s" % (w.user, what), err)
    rc, _, err = w.run(["-c", w.catalogue, "-b", base, w.tree, "all"])
    ok(rc == 2 and "work tree" in err,
       "%s: a baseline in the work tree is refused" % w.user, err)
    rc, _, err = w.run(["-c", w.catalogue, "-b", base, w.tree, "all"],
                       drop="gate_worktree")
    ok(rc == 0, "%s: control: a baseline in the work tree" % w.user, err)
    for path in (inside, link, second, base):
        os.unlink(path)
    rc, _, err = w.run(["-c", w.catalogue, "-b", w.baseline("without-tests"),
                        w.tree, "all"])
    ok(rc == 2 and "is a baseline of the gate" in err,
       "%s: another gate's baseline is refused" % w.user, err)
    other = lib.put(w.user, os.path.join(w.home, "other.yaml"),
                    CATALOGUE.replace("python3, run.py",
                                      "python3, -B, run.py"))
    rc, _, err = w.run(["-c", other] + args)
    ok(rc == 2 and "has changed since" in err,
       "%s: a baseline of the gate as it was is refused" % w.user, err)
    for text in ("", "{}", "null", "{\"version\":\"1.0\"}", "\xff"):
        path = lib.put(w.user, os.path.join(w.home, "bad.json"), text)
        rc, _, err = w.run(["-c", w.catalogue, "-b", path, w.tree, "all"])
        ok(rc == 2 and "bad.json" in err,
           "%s: %r is no baseline" % (w.user, text), err)


RULES = {"version": "1.0", "rules": [
    {"id": "any", "message": "anything goes", "schema": {}}]}


def rules_of_the_tree(w):
    """Rules that a change brings along are not read, and have no effect."""
    tree = changed(w, lambda u, t: (
        put(u, t, "rules.json", RULES),
        put(u, t, ".github/workflows/ci.yml", "on: push\njobs: {x: {}}\n")))
    path = os.path.join(w.home, "rules.yaml")
    link = os.path.join(w.home, "rules.json")
    os.symlink(os.path.join(tree, "rules.json"), link)
    for what, file in (("itself", os.path.join(tree, "rules.json")),
                       ("by a link", link)):
        def catalogue(name):
            return lib.put(w.user, path, CATALOGUE.replace(
                'policy: {blake3: "%s"}' % SHIPPED_HASH,
                'policy: {file: %s, blake3: "%s"}' % (file, name)))
        args = ["-c", path, tree, "without-trace"]
        catalogue("blake3:" + "0" * 64)
        rc, _, err = w.run(args)
        ok(rc == 2 and "work tree" in err,
           "%s: rules in the work tree, %s, are refused" % (w.user, what), err)
        rc, _, err = w.run(args, drop="gate_worktree")
        found = err.strip().split(" ")[-1]
        catalogue(found)
        rc, out, err = w.run(args, drop="gate_worktree")
        ok(rc in (0, 1) and "signals" in out,
           "%s: control: rules in the work tree, %s, are read" %
           (w.user, what), (rc, out or err))


def own_directory(w):
    """A .cupel directory in the tree has no effect on a gate."""
    def plant(u, t):
        put(u, t, "run.py", RUN % ["one"])
        for name in ("catalogue.yaml", "gates.yaml", "gate.yaml"):
            put(u, t, ".cupel/" + name, LOOSE)
            put(u, t, name, LOOSE)
        with open(w.baseline("all")) as f:
            put(u, t, ".cupel/baseline.json", f.read())
        put(u, t, ".cupel/rules.json", RULES)
        put(u, t, ".cupel/context.json", "{}")
        put(u, t, ".cupel/gates/all/attempts.jsonl", "{}\n")
    tree = changed(w, plant)
    rc, out, err = w.judge(tree, "all")
    ok(rc == 1 and out.get("failing") == ["tests"],
       "%s: a .cupel directory changes nothing" % w.user, (rc, out or err))
    rc, out, err = w.run(["-c", os.path.join(tree, ".cupel/gates.yaml"), tree,
                          "all"], drop="gate_worktree")
    ok(rc == 0, "%s: control: its catalogue, given, passes" % w.user,
       (rc, out or err))


JUNIT = ("<testsuite name='s'><testcase classname='c' name='one'/>"
         "<testcase classname='c' name='two'/></testsuite>")


def own_report(w):
    """A report that the change brings along does not count as the suite's
    report."""
    path = lib.put(w.user, os.path.join(w.home, "junit.yaml"), """
gates:
  g:
    vessel: {scratch_bytes: 16M}
    phases:
      - name: test
        profile: unittest
        report: "junit:/repo/report.xml"
        command: [python3, run.py]
    signals: {tests: {}}
    required: [tests]
""")
    write = "open('/repo/report.xml', 'w').write(%r)\n" % JUNIT
    base = os.path.join(w.home, "junit.json")
    rc, out, err = w.run(["-c", path, "-w", base, changed(
        w, lambda u, t: put(u, t, "run.py", write)), "g"])
    ok(rc == 0, "%s: control: a report that the suite writes is one" % w.user,
       (rc, out or err))
    for what, run in (("", "\n"), (", and it is only read",
                                   "open('report.xml').read()\n")):
        tree = changed(w, lambda u, t: (put(u, t, "run.py", run),
                                        put(u, t, "report.xml", JUNIT)))
        rc, out, err = w.run(["-c", path, "-b", base, tree, "g"])
        ok(rc == 1 and out["signals"][0]["details"]["problem"] == "no_report",
           "%s: a report that the change brings along is none%s" %
           (w.user, what), (rc, out or err))


def without_baseline(w):
    rc, out, err = w.run(["-c", w.catalogue, w.tree, "all"])
    ok(rc == 1 and out["failing"] == ["trace", "policy"],
       "%s: without a baseline nothing is said to be no news" % w.user,
       (rc, out or err))


SAID = ('{"tests":{"format":"tap","total":1,"passed":1,"failed":0,'
        '"skipped":0,"failures":%s,"failures_omitted":0,'
        '"inventory_hash":null,"reports":1,"warnings":[]}}')


def no_report(w):
    """What the change writes to descriptor 3 does not count as a report of
    tests."""
    path = os.path.join(w.home, "said.yaml")
    for failures in ("[]", '"AAAA"'):
        tree = changed(w, lambda u, t: put(
            u, t, "run.py",
            "import os\nos.write(3, %r)\n" %
            (SAID % failures).encode()))
        for lines in ("", "report: none,", "report: 'tap:/scratch/r.tap',"):
            lib.put(w.user, path, """
gates:
  g:
    vessel: {scratch_bytes: 16M}
    phases:
      - {name: test, profile: test, %s command: [python3, run.py]}
    signals: {tests: {}}
    required: [tests]
""" % lines)
            rc, out, err = w.run(["-c", path, tree, "g"])
            if "tap" in lines:
                ok(rc == 1 and out.get("failing") == ["tests"],
                   "%s: what is said beside a report is none" % w.user,
                   (rc, out or err))
            else:
                ok(rc == 2 and "needs a report" in err,
                   "%s: tests without a report are refused: %s" %
                   (w.user, lines), (rc, out or err))


def limits(w):
    """Failures that are never tried again, and what ends an attempt."""
    tree = changed(w, lambda u, t: put(u, t, "run.py",
                                       "x = b'x' * (3 << 30)\n"))
    rc, out, err = w.judge(tree, "all")
    ok(rc == 1 and "tests" in out["failing"] and
       (out["ends"] != ["MEM_LIMIT"] or out["retryable"] is False),
       "%s: a memory limit is not tried again" % w.user, (rc, out or err))


def main():
    rules = subprocess.run(
        ["grep", "-m1", "-o", "blake3:[0-9a-f]\\{64\\}",
         os.path.join(lib.SRC, "profiles/gates/shipped.yaml")],
        capture_output=True, text=True, check=True).stdout.strip()
    global CATALOGUE, SHIPPED_HASH
    SHIPPED_HASH = rules
    CATALOGUE = CATALOGUE.replace(SHIPPED, rules)
    for user in lib.users():
        w = World(user)
        harmless(w)
        a_package_more(w)
        attacks(w)
        places(w)
        rules_of_the_tree(w)
        own_directory(w)
        own_report(w)
        without_baseline(w)
        no_report(w)
        limits(w)
    print("1..%d" % done)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
