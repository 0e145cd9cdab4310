#!/usr/bin/env python3
"""gate_catalogue.t -- a wrong catalogue is refused in one line that names
the place, and the settings of phases reach their runs."""
import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.environ.get("SRC", "."), "tests", "live"))
import lib  # noqa: E402

PHASE = "{name: build, profile: test, command: [\"true\"]}"
GATE = "gates: {g: {phases: [%s], signals: {build: {}}, required: [build]%s}}"
ZEROS = "blake3:" + "0" * 64

# what is wrong, and what the line must say
WRONG = [
    ("", "expected one document"),
    ("gates: [", "line 2, column 1"),
    ("gates: {}\n---\ngates: {}", "expected one document"),
    ("a: &a [*a]", "cat.yaml"),
    ("[]", "/"),
    ("other: 1", "gates"),
    ("gates: {}", "/gates"),
    ("gates: {G: 1}", "/gates"),
    ("gates: {g: 1}", "/gates/g"),
    ("gates: {g: {phases: [], signals: {build: {}}, required: [build]}}",
     "/gates/g/phases"),
    (GATE % ("{name: build}", ""), "/gates/g/phases/0"),
    (GATE % (PHASE + "," + PHASE, ""), "/gates/g/phases/1/name"),
    (GATE % (PHASE.replace("true", "true").replace(
        "profile: test", "profile: 7"), ""), "/gates/g/phases/0/profile"),
    (GATE % (PHASE.replace("profile: test", "repo: /etc"), ""),
     "/gates/g/phases/0"),
    # with it, an attempt could change later ones
    (GATE % (PHASE.replace("profile: test", "cache: /var/tmp"), ""),
     "/gates/g/phases/0"),
    (GATE % (PHASE.replace("profile: test", "stdout: /etc/x"), ""),
     "/gates/g/phases/0"),
    (GATE % (PHASE.replace("profile: test", "allow_partial: true"), ""),
     "/gates/g/phases/0"),
    (GATE % (PHASE.replace("profile: test", "artifact: ['/a:/etc/x']"), ""),
     "/gates/g/phases/0/artifact/0"),
    (GATE % (PHASE.replace("profile: test", "attempts: {9: {}}"), ""),
     "/gates/g/phases/0/attempts/9"),
    (GATE % (PHASE.replace("profile: test", "attempts: {0: {}}"), ""),
     "/gates/g/phases/0/attempts"),
    (GATE % (PHASE, ", max_attempts: 0"), "/gates/g/max_attempts"),
    (GATE % (PHASE, ", max_attempts: 33"), "/gates/g/max_attempts"),
    (GATE % (PHASE, ", isolation: none"), "/gates/g/isolation"),
    (GATE % (PHASE, ", retryable: [tests]"), "/gates/g/retryable/0"),
    (GATE % (PHASE, ", nothing: 1"), "/gates/g"),
    (GATE.replace("required: [build]", "required: []") % (PHASE, ""),
     "/gates/g/required"),
    (GATE.replace("required: [build]", "required: [tests]") % (PHASE, ""),
     "/gates/g/required/0"),
    (GATE.replace("build: {}", "install: {}") % (PHASE, ""),
     "/gates/g/signals/install/phase"),
    (GATE.replace("build: {}", "build: {phase: x}") % (PHASE, ""),
     "/gates/g/signals/build/phase"),
    (GATE.replace("build: {}", "build: {}, trace: {phases: [x]}")
     % (PHASE, ""), "/gates/g/signals/trace/phases/0"),
    (GATE.replace("build: {}", "build: {}, trace: {}")
     % (PHASE, ", retryable: [trace]"), "/gates/g/retryable/0"),
    (GATE.replace("build: {}", "build: {}, cve_delta: {other: 1}")
     % (PHASE, ""), "/gates/g/signals/cve_delta"),
    (GATE.replace("build: {}", "build: {}, cve_delta: {phase: build}")
     % (PHASE, ""), "/gates/g/signals/cve_delta"),
    (GATE.replace("build: {}", "build: {}, cve_delta: {phase: build, "
                  "artifact: /scratch/a, format: other}")
     % (PHASE, ""), "/gates/g/signals/cve_delta/format"),
    (GATE.replace("build: {}", "build: {}, cve_delta: {phase: x, "
                  "artifact: /scratch/a, format: grype}")
     % (PHASE, ""), "/gates/g/signals/cve_delta/phase"),
    (GATE.replace("build: {}", "build: {}, cve_delta: {phase: build, "
                  "artifact: /scratch/a, format: grype}")
     % (PHASE, ""), "/gates/g/signals/cve_delta/artifact"),
    (GATE.replace("build: {}", "build: {}, policy: {}") % (PHASE, ""),
     "/gates/g/signals/policy"),
    (GATE.replace("build: {}", "build: {}, policy: {blake3: '%s'}" % ZEROS)
     .replace("%", "%%").replace("[%%s]", "[%s]").replace("]%%s}", "]%s}")
     % (PHASE, ""), "the catalogue gives another hash"),
    (GATE.replace("build: {}", "build: {}, policy: {blake3: '" + ZEROS +
                  "', file: r.json}") % (PHASE, ""), "r.json"),
    ("x" * (300 << 10), "too long"),
]

SHIPPED = ["node-validate", "python-validate", "c-validate"]
done = failed = 0


def ok(what, name, more=""):
    global done, failed
    done += 1
    if not what:
        failed += 1
        print("# %s" % str(more)[:1500])
    print("%sok %d - %s" % ("" if what else "not ", done, name))


def run(user, home, args):
    env = {"PATH": "/usr/bin:/bin", "HOME": home, "XDG_CACHE_HOME": home,
           "TMPDIR": home}
    p = subprocess.run(lib.become(user) +
                       [lib.binary("tests/live/gate_attempt")] + args,
                       env=env, capture_output=True, timeout=120)
    return (p.returncode, json.loads(p.stdout) if p.stdout.strip() else {},
            p.stderr.decode(errors="replace"))


def wrong(user, home, tree):
    path = os.path.join(home, "cat.yaml")
    for text, told in WRONG:
        lib.put(user, path, text)
        rc, _, err = run(user, home, ["-c", path, tree, "g"])
        ok(rc == 2 and told in err and err.count("\n") == 1,
           "%s: %s: %s" % (user, told, text[:60].replace("\n", " ")),
           (rc, err))


def what_a_phase_says(user, home, tree):
    path = lib.put(user, os.path.join(home, "cat.yaml"), """
gates:
  g:
    phases:
      - name: build
        profile: test
        command: ["false"]
        attempts: {2: {command: ["true"]}}
    signals: {build: {}}
    required: [build]
  goes-on:
    phases:
      - {name: build, profile: test, command: ["false"], goes_on: true}
      - {name: test, profile: test, command: ["true"]}
    signals: {build: {phase: test}}
    required: [build]
  files:
    phases:
      - name: build
        profile: test
        command: [sh, -c, "echo hi >/scratch/a; ln -s /etc/passwd /scratch/b"]
        artifact: [/scratch/a, /scratch/b, /scratch/none]
    signals: {build: {}}
    required: [build]
  writes:
    phases:
      - {name: one, profile: test, command: [sh, -c, "echo x >/repo/made"]}
      - {name: build, profile: test, command: [cat, /repo/made]}
    signals: {build: {}}
    required: [build]
""")
    rows = [("g", "1", 1, ["FAILED"]), ("g", "2", 0, ["OK"]),
            ("g", "3", 1, ["FAILED"]), ("goes-on", "1", 0, ["FAILED", "OK"]),
            ("files", "1", 0, ["OK"]), ("writes", "1", 0, ["OK", "OK"])]
    for gate, attempt, want, ends in rows:
        rc, out, err = run(user, home,
                           ["-c", path, "-n", attempt, tree, gate])
        ok(rc == want and out.get("ends") == ends,
           "%s: %s, attempt %s: %s" % (user, gate, attempt, ends),
           (rc, out or err))
        if gate == "files":
            ok(sorted(f for f in out["files"] if f.startswith("art")) ==
               ["artifacts/0-0"], "%s: a link is no artifact" % user, out)
    ok(not os.path.exists(os.path.join(tree, "made")),
       "%s: the work tree is as it was" % user)
    ok([f for f in os.listdir(home) if f.startswith("cupel-probe.")] == [],
       "%s: nothing is left behind" % user, os.listdir(home))


def shipped(user, home, tree):
    for name in SHIPPED:
        for gate in (name, name + "-loose"):
            rc, out, err = run(user, home, [tree, gate])
            ok(rc == 1 and out.get("failing"),
               "%s: %s is there, and an empty tree fails" % (user, gate),
               (rc, err))


def main():
    for user in lib.users():
        home, tree = lib.make_dir(user), lib.make_dir(user)
        wrong(user, home, tree)
        what_a_phase_says(user, home, tree)
        shipped(user, home, tree)
    print("1..%d" % done)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
