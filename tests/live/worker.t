#!/usr/bin/env python3
"""worker.t -- requests on a real server: each is answered once, whoever wrote it,
whichever process dies, and whatever message is lost."""
import json
import os
import re
import signal
import subprocess
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True
import lib  # noqa: E402
import worker_world as world  # noqa: E402
from worker_world import run_of, shell  # noqa: E402

REFS = [name for name in lib.schema_files() if name != "worker-answer"]
SAME = ("status", "rc", "stdout", "stderr", "enforced", "spec_hash", "cmd",
        "reason", "backend", "payload", "partial")


def napping(seconds):
    return lib.with_word(lib.nap(seconds))


def repository(user):
    path = lib.make_dir(user)
    lib.put(user, path + "/a.py", "def first(x):\n    return x[0]\n")
    lib.put(user, path + "/package.json", '{"name": "p", "version": "1.0.0"}')
    return path


def kinds(tap, user, server):
    repo = repository(user)
    w = world.Worker(server, user, "--root", os.path.dirname(repo)).ready()
    requests = [
        run_of("r", shell("echo out; exit 3")),
        dict(run_of("s", ["/bin/ls", "/repo"]), source={"path": repo}),
        {"id": "g", "kind": "gather", "source": {"path": repo},
         "gather": {"only": ["language_detection"]}},
        {"id": "c", "kind": "confirm", "source": {"path": repo}, "confirm": {
            "flags": [{"file": "a.py", "function": "first",
                       "flag_class": "index_error"}]}},
        {"id": "x", "kind": "gate", "source": {"path": repo},
         "gate": {"name": "no-such"}},
        run_of("p", None) | {"spec": {"phases": [
            {"name": "one", "command": shell("echo 1 >/scratch/f")},
            {"name": "two", "command": shell("cat /scratch/f")}]}},
    ]
    r, got = world.submit(server, requests, user)
    by = {a["id"]: a for a in got}
    tap.equal(sorted(by), sorted("rsgcxp"), "each kind is answered [%s]" % user,
              r.stderr)
    errors = [lib.schema_errors(json.dumps(a).encode(),
                                "worker-answer.schema.json", REFS)
              for a in got]
    tap.equal([e for e in errors if e], [], "answers are valid [%s]" % user)
    tap.equal((by["r"]["result"]["rc"], by["r"]["result"]["stdout"]),
              (3, "out\n"), "a run that fails has a result [%s]" % user)
    tap.has(by["s"]["result"]["stdout"], "a.py", "a source is shown [%s]"
            % user)
    tap.ok(by["g"]["result"].get("language_detection") is not None or
           "language_detection" in json.dumps(by["g"]["result"]),
           "a gather has its context [%s]" % user, by["g"])
    tap.equal(len(by["c"]["result"]["records"]), 1,
              "a confirm has its record [%s]" % user)
    tap.equal((by["x"]["outcome"], by["x"]["error"]["code"]),
              ("refused", "refused_by_cupel"),
              "a gate that is not there is refused [%s]" % user)
    tap.equal(by["p"]["outcome"], "done", "phases are run [%s]" % user,
              by["p"])
    again, more = world.submit(server, requests, user)
    tap.equal((sorted(a["id"] for a in more), b"0 stored" in again.stderr),
              (sorted("rsgcxp"), True),
              "what is submitted again is answered, and not done again [%s]"
              % user, again.stderr)
    tap.equal({a["id"]: a["duration_ms"] for a in more},
              {a["id"]: a["duration_ms"] for a in got},
              "by the same answers [%s]" % user)
    r, got = world.submit(server, [run_of("r", shell("echo other"))], user)
    tap.ok(r.returncode == 1 and not got and b"something else" in r.stderr,
           "an id that was another's is told [%s]" % user, r.stderr)
    r, got = world.submit(server, [run_of("later")], user, ["--no-wait"])
    tap.equal((r.returncode, got), (0, []), "--no-wait prints nothing [%s]"
              % user, r.stderr)
    r, got = world.submit(server, "nonsense\n" + json.dumps(run_of("y")), user)
    tap.ok(r.returncode == 1 and [a["id"] for a in got] == ["y"] and
           b"line 1: line 1, column 1" in r.stderr,
           "a wrong line costs only itself [%s]" % user, r.stderr)
    r, got = world.submit(server, [run_of("big", shell(
        "head -c 900000 /dev/zero"), output_bytes=1 << 20)], user)
    tap.equal([(a["outcome"], a["error"]["code"]) for a in got],
              [("refused", "answer_too_large")],
              "an answer that no message can carry is told [%s]" % user,
              r.stderr)
    tap.equal(w.end(), 0, "SIGTERM ends it with 0 [%s]" % user, w.said())
    tap.equal(os.listdir(w.dir), ["metrics", "log"] if os.listdir(
        w.dir)[0] == "metrics" else ["log", "metrics"],
        "and nothing is left [%s]" % user)


def poison_rows(secret, repo):
    """(what, message, code)"""
    def of(i, **spec):
        return run_of("bad-%s" % i, ["/bin/cat", "/etc/hostname"], **spec)
    path = {"id": "bad-path", "kind": "gather", "source": {"path": secret}}
    return [
        ("nothing", b"", "not_json"),
        ("not JSON", b"{nonsense", "not_json"),
        ("two values", b"{}{}", "not_json"),
        ("a NUL", b'{"id":"\x00"}', "not_json"),
        ("twice a name", b'{"id":"a","id":"b"}', "not_json"),
        ("deep", b"[" * 5000, "not_json"),
        ("a list", b"[]", "wrong_schema"),
        ("no kind", {"id": "bad-kind"}, "wrong_schema"),
        ("an unknown kind", {"id": "bad-k2", "kind": "shell"}, "wrong_schema"),
        ("a key of ours", dict(of("own"), rw=["/"]), "wrong_schema"),
        ("too large", json.dumps(of("large", env={"A": "x" * 1030000})).encode(),
         "too_large"),
        ("ro", of("ro", ro=[secret + ":/x"]), "key"),
        ("runtime", of("rt", runtime=[secret]), "key"),
        ("repo", of("repo", repo=secret), "key"),
        ("repo_at", of("repoat", repo_at="same"), "key"),
        ("pass_env", of("pe", pass_env=["PATH"]), "key"),
        ("stdin", of("in", stdin=secret + "/s"), "key"),
        ("stdout", of("out", stdout=secret + "/o"), "key"),
        ("artifact", of("art", artifact=["/etc/hostname:/tmp/x"]), "key"),
        ("result_schema", of("rs", result_schema=secret + "/s"), "key"),
        ("ref", of("ref", ref=["a:b=" + secret + "/s"]), "key"),
        ("egress", of("eg", egress=["example.com:443"]), "key"),
        ("seccomp", of("sec", seccomp=secret + "/s"), "key"),
        ("allow_partial", of("ap", allow_partial=True), "key"),
        ("backend", of("be", backend="rlimits"), "key"),
        ("host_uid", of("hu", host_uid="0"), "key"),
        ("error_rc", of("erc", error_rc=3), "key"),
        ("a phase's egress", {"id": "bad-ph", "kind": "run", "spec": {
            "phases": [{"name": "a", "command": ["/bin/true"],
                        "egress": ["example.com:443"]}]}}, "key"),
        ("a network", of("net", network="scoped"), "wrong_schema"),
        ("a profile's path", of("prof", profile=secret + "/s"),
         "wrong_schema"),
        ("a profile with a network", of("prof2", profile="npm-install"),
         "wrong_schema"),
        ("all memory", of("mem", mem_bytes=1 << 50), "wrong_schema"),
        ("all time", of("time", wall_time_s="unlimited"), "wrong_schema"),
        ("a path outside", path, "path"),
        ("a path that climbs", dict(path, id="bad-climb", source={
            "path": repo + "/../../../../etc"}), "path"),
        ("a path by a link", dict(path, id="bad-link", source={
            "path": repo + "/link"}), "path"),
        ("a host", dict(path, id="bad-git", source={
            "git": "https://127.0.0.1/r", "commit": "0" * 40}), "git"),
        ("a git option", dict(path, id="bad-git2", source={
            "git": "ext::sh -c id", "commit": "0" * 40}), "wrong_schema"),
        ("half a hash", dict(path, id="bad-git3", source={
            "git": "https://127.0.0.1/r", "commit": "0" * 39}),
         "wrong_schema"),
        ("a path as a baseline", dict(path, id="bad-base", kind="gate", gate={
            "name": "c-validate", "baseline": secret + "/s"}), "wrong_schema"),
        ("an option as a gate", dict(path, id="bad-gate", kind="gate", gate={
            "name": "--catalogue"}), "wrong_schema"),
    ]


def poison(tap, user, server):
    root, secret = lib.make_dir(user), lib.make_dir(user)
    repo = root + "/repo"
    os.mkdir(repo)
    os.symlink(secret, repo + "/link")
    lib.put(user, secret + "/s", "secret\n")
    lib.give(user, repo)
    rows = poison_rows(secret, repo)
    c = world.Client(server.port)
    w = world.Worker(server, user, "--root", root, "--jobs", "4").ready()
    before = {a["id"] for a in c.answers()}
    at = c.state("cupel-failed")["last_seq"]
    for _, message, _ in rows:
        c.put("run", message)
    c.put("run", run_of("good"))
    lib.wait_until(lambda: c.state("cupel-requests")["messages"] == 0, 30)
    found = c.failed()[-(c.state("cupel-failed")["last_seq"] - at):]
    answers = {a["id"]: a for a in c.answers() if a["id"] not in before}
    for what, message, code in rows:
        text = message if isinstance(message, bytes) else json.dumps(
            message).encode()
        asked = None
        if code not in ("not_json", "too_large") and text != b"[]":
            asked = json.loads(text)["id"]
            tap.equal((answers.get(asked) or {}).get("error", {}).get("code"),
                      code, "%s is refused [%s]" % (what, user),
                      answers.get(asked))
        shown = text.decode("utf-8", "replace")
        tap.equal([f["code"] for f in found if f["request"] == shown or
                   (asked and f["id"] == asked) or
                   (code == f["code"] == "too_large")], [code],
                  "%s has its reason among the failed [%s]" % (what, user))
    tap.equal(answers["good"]["outcome"], "done", "and others are done [%s]"
              % user)
    key = {r[0]: r[1] for r in rows}["ro"]["spec"]
    doc = {"id": "1", "command": ["/bin/cat", "/x/s"], "ro": key["ro"]}
    r = lib.run([lib.binary("cupel"), "batch", "--repo-mode", "none",
                 lib.put(user, secret + "/line", json.dumps(doc))], user)
    tap.ok(b"secret" in r.out, "control: a batch's line may ask for it [%s]"
           % user, r.err)
    w.end()
    tap.equal(w.ends("refused"), len(rows), "each is counted [%s]" % user)
    c.close()


def long_run(tap, user, server):
    """A run is kept alive past the ack wait, and SIGTERM lets it end; a second worker
    that is told to hurry gives its request back."""
    c = world.Client(server.port)
    # If the ack wait ended, the second slot would take the request again.
    w = world.Worker(server, user, "--jobs", "2").ready()
    c.put("run", run_of("long", ["/bin/sleep", lib.nap(8)]))
    lib.wait_until(lambda: napping(8), 10)
    time.sleep(world.ACK_WAIT_S + 1.5)
    began = time.monotonic()
    tap.equal(w.end(), 0, "a drain ends with 0 [%s]" % user, w.said())
    tap.ok(time.monotonic() - began > 0.5, "what ran was finished [%s]" % user)
    tap.equal((w.count("delivered_total"), w.ends("done")), (1, 1),
              "a request longer than the ack wait is delivered once [%s]"
              % user)
    c.put("run", run_of("longer", ["/bin/sleep", lib.nap(7)]))
    w = world.Worker(server, user, "--jobs", "1", "--drain-for", "0").ready()
    lib.wait_until(lambda: napping(7), 10)
    began = time.monotonic()
    tap.equal(w.end(), 0, "--drain-for 0 ends with 0, too [%s]" % user)
    tap.clock("--drain-for 0 [%s]" % user, time.monotonic() - began, 5)
    tap.equal(w.ends("stopped"), 1, "its request is given back [%s]" % user)
    began = time.monotonic()
    w = world.Worker(server, user, "--jobs", "1").ready()
    lib.wait_until(lambda: "longer" in [a["id"] for a in c.answers()], 20)
    a = [x for x in c.answers() if x["id"] == "longer"]
    tap.equal([x["outcome"] for x in a], ["done"],
              "and done by another [%s]" % user)
    w.end()
    c.close()


def killed(tap, user, server):
    """SIGKILL of a worker ends its vessel, and another worker takes the request."""
    c = world.Client(server.port)
    w = world.Worker(server, user, "--jobs", "1").ready()
    c.put("run", run_of("killed", shell("sleep %s; echo done" % lib.nap(6))))
    begun, _ = lib.wait_until(lambda: napping(6), 10)
    w.end(signal.SIGKILL)
    lib.wait_until(lambda: not napping(6))
    tap.equal((begun, napping(6)), (True, []),
              "nothing of a killed worker runs on [%s]" % user)
    w2 = world.Worker(server, user, "--jobs", "1").ready()
    lib.wait_until(lambda: "killed" in [a["id"] for a in c.answers()], 20)
    tap.equal([a["result"]["stdout"] for a in c.answers()
               if a["id"] == "killed"], ["done\n"],
              "another has done its request [%s]" % user)
    w2.end()
    tap.equal(w2.count("redelivered_total"), 1, "that came again [%s]" % user)
    left = [f for f in os.listdir(w.dir) if f.startswith("cupel-worker.")]
    tap.equal(len(left), 1, "its directory is left [%s]" % user)
    os.utime(w.dir + "/" + left[0], (1, 1))
    cupel = lib.binary("cupel")
    p = world.start([cupel, "worker", "--nats", server.url, "--ack-wait",
                     str(world.ACK_WAIT_S), "--work", w.dir], user,
                    stderr=w.log if not w.log.closed else None)
    lib.wait_until(lambda: left[0] not in os.listdir(w.dir), 10)
    tap.ok(left[0] not in os.listdir(w.dir),
           "until the next begins there [%s]" % user)
    p.terminate()
    p.wait(120)
    c.close()


def stopped(tap, user, server):
    """A worker that is stopped for longer than the ack wait, and goes on."""
    c = world.Client(server.port)
    a = world.Worker(server, user, "--jobs", "1").ready()
    c.put("run", run_of("still", shell("sleep %s; echo once" % lib.nap(3))))
    lib.wait_until(lambda: napping(3), 10)
    a.process.send_signal(signal.SIGSTOP)
    b = world.Worker(server, user, "--jobs", "1").ready()
    lib.wait_until(lambda: "still" in [x["id"] for x in c.answers()], 20)
    first = [x for x in c.answers() if x["id"] == "still"]
    a.process.send_signal(signal.SIGCONT)
    time.sleep(0.5)
    tap.equal(a.end(), 0, "the stopped one goes on and ends [%s]" % user)
    b.end()
    tap.equal([x for x in c.answers() if x["id"] == "still"], first,
              "its answer is not doubled, nor replaced [%s]" % user)
    tap.equal((a.count("repeated_answers_total"), a.ends("done"),
               b.ends("done")), (1, 1, 1),
              "though both had one [%s]" % user)
    c.close()


ACK = re.compile(rb"PUB \$JS\.ACK\.\S+ \S+ 4\r\n\+ACK\r\n")


def unacknowledged(tap, user, server):
    c = world.Client(server.port)
    proxy = world.Proxy(server.port, ACK)
    w = world.Worker(server, user, "--jobs", "1", url=proxy.url).ready()
    c.put("run", run_of("acked"))
    lib.wait_until(lambda: proxy.lost == 1, 30)
    lib.wait_until(lambda: c.state("cupel-requests")["messages"] == 0, 30)
    w.end()
    tap.equal(proxy.lost, 1, "an ack was lost [%s]" % user)
    tap.equal(len([a for a in c.answers() if a["id"] == "acked"]), 1,
              "the answer is there once [%s]" % user)
    tap.equal((w.count("redelivered_total"),
               w.count("repeated_answers_total"),
               w.count("unconfirmed_acks_total")), (1, 1, 1),
              "the request came again, and found it [%s]" % user)
    c.close()


def remembered(tap, user, server):
    """An answer counts for longer than the server remembers message ids: here it was
    stored without an id, and the request comes again."""
    c = world.Client(server.port)
    w = world.Worker(server, user, "--stream", "other").ready()
    c.request("other.requests.run", json.dumps(run_of("old")).encode())
    lib.wait_until(lambda: c.state("other-answers")["messages"], 20)
    w.end()
    subject = c.all_of("other-answers")[0][0].replace("other", "cupel")
    w = world.Worker(server, user, "--jobs", "1").ready()
    c.request(subject, b'{"id": "old", "mark": "kept"}')
    c.put("run", run_of("old"))
    lib.wait_until(lambda: c.state("cupel-requests")["messages"] == 0, 20)
    w.end()
    tap.equal([a.get("mark") for s, a in c.all_of("cupel-answers")
               if s == subject], ["kept"],
              "a later answer to the same id is not stored [%s]" % user)
    tap.equal((w.ends("done"), w.count("repeated_answers_total")), (1, 1),
              "though there was one [%s]" % user)
    c.close()


def forgotten(tap, user, server):
    """A server that comes back without a message that it had confirmed: the one who
    waits for the answer stores the request again."""
    c = world.Client(server.port)
    path = lib.put(user, lib.make_dir(user) + "/requests",
                   json.dumps(run_of("forgotten")) + "\n")
    p = world.start([lib.binary("cupel"), "submit", "--nats", server.url,
                     "--timeout", "40", path], user, stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE)
    lib.wait_until(lambda: c.has("cupel-requests") and
                   c.state("cupel-requests")["messages"] == 1, 20)
    c.request("$JS.API.STREAM.PURGE.cupel-requests")
    tap.equal(c.state("cupel-requests")["messages"], 0, "it is forgotten [%s]"
              % user)
    c.close()
    server.restart(signal.SIGKILL)
    w = world.Worker(server, user, "--jobs", "1").ready()
    out, said = p.communicate(timeout=60)
    tap.equal((p.returncode, out.count(b"\n")), (0, 1),
              "and has its answer all the same [%s]" % user, said)
    w.end()


STUB = """#!/bin/sh
echo x >>%s/count
ls -l /proc/$$/fd >%s/fds
env >%s/env
exit %d
"""


def failing(tap, user, server):
    """A command that fails by itself, and one that cannot work on this host."""
    c = world.Client(server.port)
    place = lib.make_dir(user)
    stub = lib.put(user, place + "/cupel", STUB % (place, place, place, 5),
                   0o755)
    w = world.Worker(server, user, "--jobs", "1", program=stub).ready()
    c.put("run", run_of("fails"))
    lib.wait_until(lambda: "fails" in [a["id"] for a in c.answers()], 30)
    w.end()
    a = [x for x in c.answers() if x["id"] == "fails"][0]
    with open(place + "/count") as f:
        tap.equal(len(f.readlines()), 5, "it is tried five times [%s]" % user)
    tap.equal((a["outcome"], a["error"]["code"], a["failures"]),
              ("failed", "crash", 4), "and then given up [%s]" % user)
    tap.equal([(f["code"], f["failures"]) for f in c.failed()
               if f["id"] == "fails"], [("crash", 4)],
              "with its reason among the failed [%s]" % user)
    with open(place + "/fds") as f:
        tap.ok("socket:" not in f.read(),
               "a child has none of the worker's sockets [%s]" % user)
    with open(place + "/env") as f:
        tap.equal(sorted(x.split("=")[0] for x in f if x[0] != "_"
                         and not x.startswith(("PWD", "OLDPWD", "SHLVL"))),
                  ["HOME", "LANG", "PATH"],
                  "and nothing of its environment [%s]" % user)
    stub = lib.put(user, place + "/cupel", STUB % (place, place, place, 3),
                   0o755)
    w = world.Worker(server, user, "--jobs", "1", program=stub).ready()
    c.put("run", run_of("elsewhere"))
    lib.wait_until(lambda: "given back" in w.said(), 20)
    good = world.Worker(server, user, "--jobs", "1").ready()
    lib.wait_until(lambda: "elsewhere" in [a["id"] for a in c.answers()], 60)
    tap.equal([x["outcome"] for x in c.answers() if x["id"] == "elsewhere"],
              ["done"],
              "what fails for the worker's sake is done elsewhere [%s]" % user)
    w.end()
    good.end()
    tap.equal(w.ends("failed"), 0, "and is no failure of its own [%s]" % user)
    c.close()


def differing(tap, user):
    server = world.Server(user)
    c = world.Client(server.port)
    made = c.request("$JS.API.STREAM.CREATE.cupel-answers", json.dumps(
        {"name": "cupel-answers", "subjects": ["cupel.answers.*"],
         "retention": "limits", "storage": "file", "discard": "new",
         "max_age": 3600 * 10 ** 9, "duplicate_window": 600 * 10 ** 9,
         "num_replicas": 1, "max_consumers": -1, "max_msgs": -1,
         "max_bytes": -1}).encode())
    w = world.Worker(server, user)
    tap.equal(w.process.wait(120), 2, "a stream that differs is refused [%s]"
              % user, w.said())
    tap.has(w.said(), "stream cupel-answers: max_age is 3600000000000, "
            "expected 604800000000000", "the setting is named [%s]" % user)
    now = c.request("$JS.API.STREAM.INFO.cupel-answers")
    tap.equal(now["config"], made["config"], "it is left as it is [%s]" % user)
    c.request("$JS.API.STREAM.DELETE.cupel-answers")
    w = world.Worker(server, user).ready()
    w.end()
    before = c.request("$JS.API.CONSUMER.INFO.cupel-requests.workers")
    w = world.Worker(server, user, "--ack-wait", "7")
    tap.equal(w.process.wait(120), 2, "another ack wait is refused [%s]" % user)
    tap.has(w.said(), "ack_wait", "and named [%s]" % user)
    tap.equal(c.request("$JS.API.CONSUMER.INFO.cupel-requests.workers")
              ["config"], before["config"],
              "the consumer is left as it is [%s]" % user)
    c.close()
    server.end()


def refused(tap, user):
    """Bad input has one line and its exit status."""
    plain = world.Server(user, jetstream=False)
    here = lib.make_dir(user)
    rows = [
        (["worker", "--nats", "http://x"], 2, "expected nats://"),
        (["worker", "--nats", "nats://a:secret@127.0.0.1:1"], 3,
         "nats://127.0.0.1:1: no connection"),
        (["submit", "--nats", "nats://a:secret@127.0.0.1:1"], 3,
         "no connection"),
        (["worker", "--nats", plain.url], 3, "has no JetStream"),
        (["submit", "--nats", plain.url], 3, "has no JetStream"),
        (["worker", "--creds", here + "/none"], 2, "--creds: cannot be read"),
        (["worker", "--tls-ca", here + "/none"], 2, "--tls-ca: cannot be"),
        (["worker", "--tls-ca", lib.put(user, here + "/ca", "no\n")], 2,
         "no certificates"),
        (["worker", "--stream", "a.b"], 2, "--stream: expected 1 to 32"),
        (["worker", "--jobs", "0"], 2, "--jobs: '0' is outside 1..256"),
        (["worker", "--ack-wait", "1h"], 2, "--ack-wait"),
        (["worker", "--root", "relative"], 2, "not an absolute path"),
        (["worker", "--root", here + "/none"], 2, "--root"),
        (["worker", "--git-host", "https://x"], 2, "--git-host"),
        (["worker", "--work", here + "/none"], 2, "--work"),
        (["worker", "--metrics", here + "/none/m"], 2, "--metrics"),
        (["worker", "what"], 2, "found 'what'"),
        (["submit", "--wait", "--no-wait"], 2, "cannot be used together"),
        (["submit", here + "/none"], 2, "cannot be read"),
        (["submit", "a", "b"], 2, "expected one FILE, found 'b'"),
        (["submit", "--timeout", "x"], 2, "--timeout"),
    ]
    lib.binary("cupel-worker")
    for words, code, text in rows:
        r = lib.run([lib.binary("cupel")] + words, user)
        said = r.err.decode()
        tap.ok(r.rc == code and text in said and said.count("\n") == 1 and
               "secret" not in said, "%s [%s]" % (" ".join(words)[:60], user),
               "%d %s" % (r.rc, said))
    server = world.Server(user)
    r = lib.run([lib.binary("cupel"), "doctor", "--worker", server.url], user)
    tap.ok(r.rc == 0 and b"absent: 4 of the streams and consumers" in r.out and
           b"a vessel: can be made" in r.out,
           "doctor --worker finds that one could work [%s]" % user,
           r.brief())
    c = world.Client(server.port)
    tap.equal(c.request("$JS.API.STREAM.NAMES")["total"], 0,
              "and makes nothing [%s]" % user)
    c.close()
    world.Worker(server, user).ready().end()
    r = lib.run([lib.binary("cupel"), "worker", "--check", "--nats",
                 server.url, "--ack-wait", "2"], user)
    tap.ok(r.rc == 0 and b"as they should be" in r.out,
           "--check finds them [%s]" % user, r.brief())
    server.end()
    r = lib.run([lib.binary("cupel"), "doctor", "--worker", plain.url], user)
    tap.ok(r.rc == 3 and b"no JetStream" in r.err,
           "doctor --worker finds what is wrong [%s]" % user, r.brief())
    alone = lib.make_dir(user)
    with open(lib.binary("cupel"), "rb") as f:
        lone = lib.put(user, alone + "/cupel", f.read(), 0o755)
    r = lib.run([lone, "worker"], user)
    tap.ok(r.rc == 3 and b"libnats-dev" in r.err,
           "without cupel-worker it says what to install [%s]" % user, r.err)
    r = lib.run([lib.binary("cupel-worker")], user)
    tap.equal(r.rc, 2, "cupel-worker by itself is told how [%s]" % user)
    r = lib.run([lib.binary("cupel-worker")], user,
                env=lib.clean_env({"LD_DEBUG": "bindings", "LD_BIND_NOW": "1"}))
    found = set(re.findall(r"file \S*libnats\S* \[0\] to (\S+) \[0\]: normal "
                           r"symbol `(clock_gettime|gettimeofday|time|"
                           r"pthread_cond_timedwait|pthread_cond_clockwait)'",
                           r.err.decode()))
    tap.equal({(os.path.basename(f), s) for f, s in found},
              {("cupel-worker", "clock_gettime"),
               ("cupel-worker", "pthread_cond_timedwait")},
              "libnats has no clock but the program's [%s]" % user)
    plain.end()


world.main((kinds, poison, long_run, killed, stopped, unacknowledged, remembered,
            forgotten, failing), (refused, differing))
