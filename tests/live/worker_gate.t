#!/usr/bin/env python3
"""worker_gate.t -- a gate on a worker: passed, not passed, with a baseline and
without, and the same as on a command line."""
import json
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True
import gate_place  # noqa: E402
import lib  # noqa: E402
import worker_world as world  # noqa: E402

PROJECT = {
    "CMakeLists.txt": """cmake_minimum_required(VERSION 3.10)
project(twice C)
enable_testing()
add_executable(test_twice test_twice.c)
add_test(NAME twice COMMAND test_twice)
""",
    "twice.h": "static inline int twice(int n) { return 2 * n; }\n",
    "test_twice.c": "#include \"twice.h\"\n"
                    "int main(void) { return twice(2) != 4; }\n",
}
WRONG = ("twice.h", "2 * n", "3 * n")
# Details that name the baseline, whose text differs.
NAMES = ("baseline", "inventory_hash")


def plain(r):
    """The parts of a result that are the same each time."""
    r = r or {}
    return ([r.get(k) for k in ("outcome", "reason", "gate", "gate_hash",
                                "catalogue", "isolation_class")],
            [(s["kind"], s["passed"], {
                k: v for k, v in s["details"].items() if k not in NAMES})
             for a in r.get("attempts", []) for s in a["signals"]],
            [(x["phase"], x["spec_hash"], x["status"], x["rc"])
             for a in r.get("attempts", []) for x in a["runs"]])


def gates(tap, user, server):
    place = gate_place.Place(user, "c-validate", PROJECT)
    r = place.baseline()
    tap.equal(r.rc, 0, "a baseline is made [%s]" % user, r.brief())
    with open(place.base, encoding="utf-8") as f:
        base = json.load(f)
    w = world.Worker(server, user, "--root", place.top, "--jobs", "2").ready()

    def of(number, name="c-validate", tree=place.tree, **gate):
        return {"id": number, "kind": "gate", "source": {"path": tree},
                "gate": dict(gate, name=name)}

    def ask(*requests):
        r, got = world.submit(server, requests, user)
        by = {a["id"]: a for a in got}
        tap.equal(sorted(by), sorted(q["id"] for q in requests),
                  "each is answered [%s]" % user, r.stderr)
        return [by.get(q["id"], {}).get("result", by.get(q["id"]))
                for q in requests]

    def outcome(result):
        return (result.get("outcome"), [a["failing_signals"] for a in
                                        result.get("attempts", [])])

    good, loose, bare, other, wrong = ask(
        of("good", baseline=base), of("loose", "c-validate-loose"), of("bare"),
        of("other", "c-validate-loose", baseline=base),
        of("wrong", baseline={"version": "1.0"}))
    tap.equal(outcome(good), ("passed", [[]]),
              "with its baseline a gate passes [%s]" % user, good)
    direct = place.run()
    tap.ok(plain(good) == plain(direct.json) and len(plain(good)[2]) == 3,
           "the result is what the command says [%s]" % user,
           (plain(good), plain(direct.json)))
    tap.equal(outcome(loose), ("passed", [[]]),
              "one that needs no baseline passes without [%s]" % user, loose)
    tap.equal(outcome(bare), ("escalate", [["trace", "policy"]]),
              "and one that does, does not [%s]" % user, bare)
    for what, a in (("another gate's baseline", other),
                    ("what is no baseline", wrong)):
        tap.equal((a.get("outcome"), a.get("error", {}).get("code")),
                  ("refused", "refused_by_cupel"), "%s is refused [%s]" % (
                      what, user), a)
    place.edit(*WRONG)
    broken, = ask(of("broken", baseline=base))
    tap.equal(outcome(broken), ("escalate", [["tests"]]),
              "a change that breaks a test does not pass [%s]" % user, broken)
    tap.equal([lib.schema_errors(json.dumps(x).encode(),
                                 "gate-result.schema.json",
                                 ["gate-signals", "result", "tests"])
               for x in (good, broken)], [[], []],
              "results are valid [%s]" % user)
    tap.ok(not os.path.exists(place.tree + "/build") and
           sorted(os.listdir(place.tree)) == sorted(PROJECT),
           "nothing is written to the tree [%s]" % user)
    tap.equal(w.end(), 0, "the worker ends with 0 [%s]" % user, w.said())
    tap.equal(sorted(os.listdir(w.dir)), ["log", "metrics"],
              "and leaves nothing of a gate [%s]" % user)


world.main((gates,), is_due=lambda *_: True, needs=("cmake", "cc"))
