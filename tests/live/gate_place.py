"""gate_place.py -- a work tree of the user, and the gates that are run over it.

Must:     keep tree, state and the operator's files apart, as a caller does
Must not: read what a gate wrote in a way that its users do not have
"""
import json
import os
import shutil

import lib


def write(user, top, files):
    """Write files of the user below a directory: {name: text}."""
    for name, text in files.items():
        at = top
        for part in name.split("/")[:-1]:
            at = os.path.join(at, part)
            if not os.path.isdir(at):
                os.mkdir(at, 0o755)
                lib.give(user, at)
        lib.put(user, os.path.join(top, name), text)


def copy_into(user, source, to, leave=()):
    """Copy a folder of this machine for the user, without some names."""
    shutil.copytree(source, to, ignore=shutil.ignore_patterns(
        "__pycache__", *leave))
    for at, _, names in os.walk(to):
        for n in [""] + names:
            lib.give(user, os.path.join(at, n))


class Place:
    """One gate over one tree: how it is run, and its results."""

    def __init__(self, user, gate, files, catalogue=None):
        self.user, self.gate_name = user, gate
        self.top = lib.make_dir(user)
        self.tree = os.path.join(self.top, "tree")
        os.mkdir(self.tree, 0o755)
        lib.give(user, self.tree)
        write(user, self.tree, files)
        self.state = self.top + "/state"
        self.base = self.top + "/base.json"
        self.catalogue = catalogue and lib.put(
            user, self.top + "/gates.yaml", catalogue)
        self.has_base = False

    def verb(self, verb, *words, program="cupel", clock_s=240, env=None):
        return lib.run([lib.binary(program), "gate", verb] + list(words),
                       self.user, clock_s=clock_s, cwd=self.top, env=env)

    def words(self, *words):
        out = ["--worktree", self.tree]
        if self.catalogue:
            out += ["--catalogue", self.catalogue]
        return out + list(words)

    def baseline(self, *words):
        r = self.verb("baseline", *self.words(*words, self.gate_name,
                                              self.base))
        self.has_base = r.rc == 0
        return r

    def run_words(self, *words):
        base = ["--baseline", self.base] if self.has_base else []
        return self.words("--state", self.state, *base, *words, self.gate_name)

    def run(self, *words, **kw):
        r = self.verb("run", *self.run_words("--json", "--quiet", *words),
                      **kw)
        try:
            r.json = json.loads(r.out)
        except ValueError:
            pass
        return r

    def edit(self, name, old, new):
        """Change a file of the tree, and return its text before."""
        path = os.path.join(self.tree, name)
        with open(path) as f:
            was = f.read()
        if old not in was:
            raise KeyError("%s has no %r" % (name, old))
        lib.put(self.user, path, was.replace(old, new))
        return was

    def records(self):
        with open(self.state + "/attempts.jsonl") as f:
            return [json.loads(line) for line in f]

    def kinds(self):
        return [r["kind"] for r in self.records()]

    def verify(self):
        return self.verb("verify", "--state", self.state)

    def evidence(self, name, attempt=-1):
        """The bytes of an attempt's evidence, or None."""
        ended = [r for r in self.records() if r["kind"] == "attempt.ended"]
        for e in ended[attempt]["evidence"]:
            if e["name"] == name:
                with open(os.path.join(self.state, e["path"]), "rb") as f:
                    return f.read()
        return None


def signal_of(r, kind, attempt=-1):
    """A kind's signal of one attempt, or {}."""
    attempts = (r.json or {}).get("attempts") or [{}]
    for s in attempts[attempt].get("signals", []):
        if s["kind"] == kind:
            return s
    return {}


def told(r):
    """What a failed check prints about a run of a gate."""
    if r.json is None:
        return r.brief()
    return json.dumps(r.json)[:1400] + r.err.decode("utf-8", "replace")[-400:]
