#!/usr/bin/env python3
"""result.t -- the result object (cupel-result(5)): its schema, keys,
streams, payloads and artifacts."""
import base64
import json
import os
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True
import lib  # noqa: E402

KEYS = """version status rc reason message partial started stdout stdout_bytes
stdout_truncated stdout_replaced stderr stderr_bytes stderr_truncated
stderr_replaced duration_ms cmd traceId backend isolation_class signal enforced
usage violation spec_hash policy_hash payload payload_status payload_error
artifacts""".split()
USAGE = """cpu_user_ms cpu_system_ms max_rss_kib peak_memory_bytes processes
processes_killed tasks""".split()
SAMPLES = [("OK", "", "exit 0"), ("FAILED", "", "exit 5"),
           ("TIMEOUT", "--wall-time-s 0.2", "sleep 3000"),
           ("FORBIDDEN_SYSCALL", "", "call mount"),
           ("SIGNALED", "", "die 11"),
           ("OUTPUT_LIMIT", "--output-bytes 1K --output-mode kill",
            "flood 1 1"),
           ("INTERNAL_ERROR", "--chdir /nowhere", "exit 0"),
           ("payload", "", "send {\"a\":1}"), ("malformed", "", "send {"),
           ("landlock", "--backend landlock --allow-partial", "exit 0"),
           ("rlimits", "--backend rlimits --allow-partial", "exit 0")]


def shape(tap, user):
    for name, options, text in SAMPLES:
        r = lib.attack(user, options, text)
        if r.json is None:
            tap.ok(False, "%s has a result [%s]" % (name, user), r.brief())
            continue
        errors = lib.schema_errors(r.out, "result.schema.json")
        tap.ok(not errors, "%s is valid against the schema [%s]"
               % (name, user), errors)
        tap.ok(set(KEYS) <= set(r.json), "%s has every key [%s]"
               % (name, user), set(KEYS) - set(r.json))
        tap.equal(sorted(r.json["enforced"]), sorted(lib.ENFORCED),
                  "%s: enforced has exactly its keys [%s]" % (name, user))
        tap.equal([r.json.get(k) is not None for k in ("stage", "cause")],
                  [name == "INTERNAL_ERROR"] * 2,
                  "%s: stage and cause [%s]" % (name, user), r.brief())


def values(tap, user):
    r = lib.go(user, "--trace-id 0123456789abcdef0123456789abcdef", "sh", "-c",
               "echo out; echo err >&2")
    j = r.json
    tap.equal((j["version"], j["stdout"], j["stderr"], j["stdout_bytes"],
               j["stderr_bytes"], j["cmd"][0], j["backend"],
               j["isolation_class"], j["partial"], j["traceId"]),
              ("1.0", "out\n", "err\n", 4, 4, "sh", "namespaces",
               "shared_kernel", False, "0123456789abcdef0123456789abcdef"),
              "plain values [%s]" % user)
    tap.ok(set(USAGE) <= set(j["usage"]), "usage has its keys [%s]" % user,
           j["usage"])
    tap.ok(j["spec_hash"].startswith("blake3:") and
           j["policy_hash"].startswith("blake3:"), "hashes [%s]" % user)
    env = {"TRACEPARENT": "00-" + "ab" * 16 + "-" + "cd" * 8 + "-01"}
    tap.equal(lib.go(user, "", "true", env=env).json["traceId"], "ab" * 16,
              "traceId from TRACEPARENT [%s]" % user)
    one, two = (lib.go(user, "", "true").json for _ in range(2))
    tap.ok(one["traceId"] != two["traceId"], "else random [%s]" % user)
    tap.equal(one["spec_hash"], two["spec_hash"], "spec_hash is of the spec "
              "alone [%s]" % user)
    three = lib.go(user, "--nofile 99", "true").json
    tap.ok(one["spec_hash"] != three["spec_hash"], "and of all of it [%s]"
           % user)
    r = lib.attack(user, "", "burn 300")
    tap.ok(250 <= r.json["usage"]["cpu_user_ms"] +
           r.json["usage"]["cpu_system_ms"] <= 600, "cpu is measured [%s]"
           % user, r.json["usage"])
    r = lib.attack(user, "", "forks 5")
    tap.ok(r.json["usage"]["processes"] >= 6 and
           r.json["usage"]["processes_killed"] == 5,
           "processes are counted [%s]" % user, r.json["usage"])
    threads = ("import threading, time; t = [threading.Thread(target=time.sleep"
               ", args=(.1,)) for _ in range(5)]; [x.start() for x in t]")
    rows = [("the command alone", [], ["true"], 1),
            ("what its parent waits for", [],
             ["sh", "-c", "/bin/true; /bin/true; (/bin/true; :)"], 5),
            ("threads", ["--profile", "test"],
             ["/usr/bin/python3", "-c", threads], 6),
            ("with a trace", ["--profile", "test", "--trace", "exec"],
             ["sh", "-c", "/bin/true; :"], 2),
            ("a profile of functions", ["--profile", "python-function"],
             ["true"], None)]
    for what, options, command, want in rows:
        r = lib.go(user, options, *command)
        tap.equal(r.json["usage"]["tasks"], want, "tasks: %s [%s]"
                  % (what, user), r.brief())
    r = lib.attack(user, "", "forks 5")
    tap.equal(r.json["usage"]["tasks"], 6, "tasks: what is left behind [%s]"
              % user, r.json["usage"])
    r = lib.attack(user, "", "heap 60 1000")
    tap.ok((r.json["usage"]["peak_memory_bytes"] or 0) >= 50 << 20,
           "peak memory is seen [%s]" % user, r.json["usage"])
    hidden = lib.TMP.encode()
    tap.ok(hidden not in json.dumps(r.json["enforced"]).encode(),
           "enforced has no host path [%s]" % user)


def streams(tap, user):
    r = lib.go(user, "--output-bytes 10", "printf", "%s", "ääääääää")
    tap.equal((r.json["stdout"], r.json["stdout_truncated"],
               r.json["stdout_bytes"], r.json["stdout_replaced"]),
              ("äääää\n[TRUNCATED]\n", True, 16, False),
              "cut on a boundary [%s]" % user, r.brief())
    r = lib.go(user, "--output-bytes 11", "printf", "%s", "ääääääää")
    tap.equal(r.json["stdout"], "äääää\n[TRUNCATED]\n",
              "cut below the cap where it falls into a character [%s]" % user)
    r = lib.go(user, "--output-bytes 4", "printf", "%s", "abcd")
    tap.equal((r.json["stdout"], r.json["stdout_truncated"]),
              ("abcd", False), "exactly the cap is whole [%s]" % user)
    r = lib.go(user, "", "printf", r"a\377b\300\200\355\240\200\0c")
    tap.equal(r.json["stdout_replaced"], True, "invalid UTF-8 is told [%s]"
              % user)
    tap.ok("�" in r.json["stdout"] and r.json["stdout"][0] == "a" and
           r.json["stdout"].endswith("\0c"), "and replaced, NUL kept [%s]"
           % user, repr(r.json["stdout"]))
    r = lib.go(user, "", "printf", r"\360\237\230\200")
    tap.equal((r.json["stdout"], r.json["stdout_replaced"]), ("😀", False),
              "what is valid stays [%s]" % user)
    path = lib.make_dir(user)
    blob = bytes(range(256)) * 40
    lib.put(user, path + "/blob", base64.b64encode(blob))
    r = lib.go(user, ["--repo", path, "--stdout", path + "/o", "--stderr",
                      path + "/e"], "sh", "-c",
               "base64 -d /repo/blob; echo e >&2")
    got = [open(path + n, "rb").read() if os.path.exists(path + n) else None
           for n in ("/o", "/e")]
    tap.equal(got, [blob, b"e\n"], "--stdout and --stderr get raw bytes [%s]"
              % user, r.brief())
    r = lib.run([lib.binary("cupel"), "run", "--repo", lib.repo(user), "--",
                 "sh", "-c", "echo out; echo err >&2; exit 4"], user)
    tap.equal((r.rc, r.out, r.err), (4, b"out\n", b"err\n"),
              "without --json the streams pass through [%s]" % user)
    r = lib.run([lib.binary("cupel"), "run", "--json=" + path + "/j",
                 "--repo", lib.repo(user), "--", "echo", "both"], user)
    tap.equal((r.out, json.load(open(path + "/j"))["status"]),
              (b"both\n", "OK"), "--json=FILE and the streams [%s]" % user)
    r = lib.run([lib.binary("cupel"), "run", "--repo", lib.repo(user), "--",
                 "/repo/attack", "die", "11"], user)
    tap.ok(r.rc == 139 and r.err.count(b"\n") == 1, "one line says why [%s]"
           % user, r.brief())


def payloads(tap, user):
    r = lib.attack(user, "", 'send {"n":10000000000000000000001,"b":1.50}')
    tap.equal(r.json and r.json["payload"]["n"], 10000000000000000000001,
              "numbers are exact [%s]" % user, r.out[-600:])
    r = lib.go(user, "--result-from stdout", "echo", '{"x": [1]}')
    tap.equal((r.json["payload"], r.json["payload_status"]),
              ({"x": [1]}, "valid"), "--result-from stdout [%s]" % user,
              r.brief())
    r = lib.attack(user, "", 'send [1,}')
    tap.equal((r.json["payload"], r.json["payload_error"]["offset"]),
              (None, 3), "the offset of a fault [%s]" % user, r.brief())
    r = lib.attack(user, "", "exit 0")
    tap.equal((r.json["payload"], r.json["payload_status"],
               r.json["payload_error"]), (None, "absent", None),
              "absent [%s]" % user)
    held_to_a_schema(tap, user)


def held_to_a_schema(tap, user):
    """A payload that the caller's schema excludes does not count, whichever
    way it came."""
    with tempfile.TemporaryDirectory(dir=lib.TMP) as place:
        os.chmod(place, 0o755)
        schema = os.path.join(place, "schema.json")
        with open(schema, "w") as f:
            f.write('{"properties": {"n": {"type": "integer"}}}')
        for value, want in (('"1"', (None, "schema_violation", "/n")),
                            ("1", ({"n": 1}, "valid", None))):
            text = '{"n":%s}' % value
            for r in (lib.go(user, "--result-from stdout --result-schema "
                             + schema, "echo", text),
                      lib.attack(user, "--result-schema " + schema,
                                 "send " + text)):
                error = r.json["payload_error"] or {}
                tap.equal((r.json["payload"], r.json["payload_status"],
                           error.get("instance")), want,
                          "a schema of the caller's: %s [%s]" % (text, user),
                          r.brief())


def artifacts(tap, user):
    path = lib.make_dir(user)
    os.symlink(lib.TMP, path + "/link")
    r = lib.go(user, ["--artifact", "/scratch/a:" + path + "/a",
                      "--artifact", "/scratch/none:" + path + "/none",
                      "--artifact", "/scratch/l:" + path + "/l"],
               "sh", "-c", "echo data >/scratch/a; ln -s /etc/passwd "
               "/scratch/l")
    got = {a["path"]: a for a in r.json["artifacts"]}
    text = open(path + "/a").read() if os.path.exists(path + "/a") else None
    tap.equal(text, "data\n", "an artifact is copied out [%s]" % user,
              r.brief())
    a = got.get("/scratch/a", {})
    tap.ok(a.get("bytes") == 5 and len(str(a.get("blake3"))) >= 64,
           "and listed [%s]" % user, got)
    tap.ok(not os.path.exists(path + "/l"), "no link is followed [%s]" % user)


def main():
    tap = lib.Tap()
    for user in lib.users():
        for part in (shape, values, streams, payloads, artifacts):
            try:
                part(tap, user)
            except (KeyError, TypeError, ValueError, OSError) as e:
                tap.ok(False, "%s [%s]" % (part.__name__, user), repr(e))
    tap.done()


main()
