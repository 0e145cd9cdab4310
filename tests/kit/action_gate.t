#!/usr/bin/env python3
"""action_gate.t -- the GitHub action's gates, offline: an outcome counts only if it
agrees with how the gate ended, and what the change wrote stays plain text."""
import json
import os
import re
import shutil
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                "../live"))
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from action_lib import HOSTILE, Tags, commands, folder, read, step  # noqa: E402
import lib  # noqa: E402

tap = lib.Tap()


def gate_stand_in(path, shown, gate, rc):
    """A stand-in for cupel whose gates end that way; each call adds a line with its
    arguments to argv."""
    lib.put("user", path + "/shown-text", shown)
    lib.put("user", path + "/gate-text",
            gate if isinstance(gate, str) else json.dumps(gate))
    lib.put("user", path + "/cupel", """#!/bin/sh
echo "$*" >>%s/argv
case $2 in
run)	cat %s/gate-text; cat %s/shown-text >&2; exit %d ;;
show)	case $4 in --html=*) : >"${4#--html=}" ;; *) cat %s/shown-text ;; esac ;;
esac
""" % (path, path, path, rc, path), 0o755)
    return path + "/cupel"


def gate_step(path, cupel, **more):
    env = dict({"CUPEL_RUN": "", "CUPEL_GATE": "g"}, **more)
    return step("run.sh", path, CUPEL=cupel, **env)


def hostile_gates():
    """Hostile names and logs in the text of `cupel gate show`, and in the object."""
    for text in ["\n".join(HOSTILE).replace("\ud800", "?"),
                 "x" * 100000 + "\n::error::z"]:
        path = folder()
        gate = {"outcome": "escalate", "reason": text, "gate": text,
                "attempts": [text], "isolation_class": text, "state": text}
        rc, log = gate_step(path, gate_stand_in(path, text, gate, 11))
        name = "gate, %.20r" % text
        tap.equal(rc, 11, "%s: ends as the gate did" % name, log)
        seen = [c for c in commands(log) if c not in
                ("group", "stop-commands", "endgroup", "error")]
        tap.equal(seen, [], "%s: is no command of the runner" % name, log)
        tap.ok(not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u202e]", log),
               "%s: moves no terminal" % name, repr(log))
        tap.ok(re.fullmatch("outcome=escalate\nrc=11\nresult=[^\n]*\n"
                            "state=[^\n]*\npage=[^\n]*\n", read(path, "out")),
               "%s: makes no output" % name, read(path, "out"))
        shown = read(path, "summary")
        outside = re.sub("<pre>.*?</pre>", "", shown, flags=re.S)
        tap.ok(set(Tags(shown).seen) <= {"details", "summary", "pre"} and
               shown.count("<pre>") == shown.count("</pre>") == 1 and
               not re.search("@|\x1b", shown) and len(shown) < 100000 and
               not re.search("script|# head|javascript|add-path", outside),
               "%s: is text in the summary" % name, shown)


def gates_that_are_none():
    good = {"outcome": "passed", "attempts": [], "gate": "g"}
    for gate, rc in (("", 0), ("{}", 0), ("[]", 0), ("x", 2), (good, 11),
                     (good, 3), (dict(good, outcome="escalate"), 0),
                     (dict(good, outcome="fine"), 0),
                     (dict(good, attempts=3), 0)):
        path = folder()
        got, log = gate_step(path, gate_stand_in(path, "all is well\n", gate,
                                                 rc))
        tap.ok(got == (rc or 1) and "no outcome" in log and
               read(path, "out") == "" and read(path, "summary") == "",
               "no outcome is none: %.40s %d" % (gate, rc), log)


def gate_words():
    path = folder()
    cupel = gate_stand_in(path, "", {"outcome": "passed", "attempts": []}, 0)
    rc, log = gate_step(path, cupel, CUPEL_GATE="-g $(id)", CUPEL_BASE="/b c",
                        CUPEL_WORKTREE="/w", CUPEL_CATALOGUE="/c d",
                        CUPEL_ARGS="--max-attempts=2\n\n--replan=a $(b)\n")
    top = re.search(" -- -g \\$\\(id\\) (.*)/base.json\n",
                    read(path, "argv")).group(1)
    tap.equal(read(path, "argv"), """\
gate baseline --quiet --worktree=/b c --catalogue=/c d -- -g $(id) %s/base.json
gate run --json --state=%s/state --worktree=/w --catalogue=/c d \
--baseline=%s/base.json --max-attempts=2 --replan=a $(b) -- -g $(id)
gate show --state=%s/state
gate show --state=%s/state --html=%s/gate.html
""" % ((top,) * 6), "a gate's words stay words", log)
    tap.ok(rc == 0 and "::error" not in log and
           "| outcome | passed |" in read(path, "summary"),
           "a gate that passes", log)
    for more, part in (({"CUPEL_RUN": "true"}, "not both"),
                       ({"CUPEL_BASE": "/b", "CUPEL_BASELINE": "/c"},
                        "not both"),
                       ({"CUPEL_ARGS": "--json"}, "args:"),
                       ({"CUPEL_ARGS": "--state=/x"}, "args:"),
                       ({"CUPEL_ARGS": "--worktree=/x"}, "args:"),
                       ({"CUPEL_ARGS": "--baseline=/x"}, "args:"),
                       ({"CUPEL_ARGS": "other-gate"}, "args:")):
        path = folder()
        rc, log = gate_step(path, "/nonexistent", **more)
        tap.ok(rc == 1 and part in log and read(path, "out") == "",
               "a gate refuses %r" % more, log)


def real_gates():
    """With the real program: a change that fails its test, and then passes."""
    path = folder()
    for tree in ("base", "change"):
        os.makedirs("%s/%s" % (path, tree))
        lib.put("user", "%s/%s/run" % (path, tree), "true\n")
    lib.put("user", path + "/gates.yaml", """gates:
  runs:
    phases:
      - {name: test, command: [sh, run], trace: exec}
    signals:
      build: {phase: test}
      trace: {}
    required: [build, trace]
""")
    for text, outcome, rc, say in (
            ("true\n", "passed", 0, "+ build"),
            ("echo '::set-output name=outcome::passed'; exit 3\n", "escalate",
             11, "- build"),
            ("ls\n", "escalate", 11, "new_executables")):
        lib.put("user", path + "/change/run", text)
        for name in ("out", "summary"):
            open(path + "/" + name, "w").close()
        got, log = gate_step(path, lib.binary("cupel"), CUPEL_GATE="runs",
                             CUPEL_BASE=path + "/base",
                             CUPEL_WORKTREE=path + "/change",
                             CUPEL_CATALOGUE=path + "/gates.yaml")
        out = dict(x.split("=", 1) for x in read(path, "out").split("\n") if x)
        tap.ok(got == rc and out.get("outcome") == outcome and
               set(commands(log)) <= {"group", "stop-commands", "endgroup",
                                      "error"} and say in log and
               say in read(path, "summary") and
               os.path.exists(out["page"]) and
               os.path.exists(out["state"] + "/attempts.jsonl"),
               "a real gate: %s, %s" % (outcome, say), log)
    got, log = gate_step(path, lib.binary("cupel"), CUPEL_GATE="none-such",
                         CUPEL_BASE=path + "/base")
    tap.ok(got == 2 and "none-such" in log and "no outcome" in log,
           "a gate that is none is told by its baseline", log)
    shutil.rmtree(path)


hostile_gates()
gates_that_are_none()
gate_words()
real_gates()
tap.done()
