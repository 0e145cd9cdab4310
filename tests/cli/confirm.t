#!/usr/bin/env python3
"""confirm.t -- cupel confirm as a person and a script see it: what is read,
what is skipped, what is resumed, what is printed, how it stops."""
import json
import os
import pty
import select
import shutil
import signal
import subprocess
import sys
import time

SRC = os.environ.get("SRC") or os.path.dirname(
    os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(SRC, "tests/live"))
sys.dont_write_bytecode = True
import lib  # noqa: E402

t = lib.Tap()
CUPEL = lib.binary("cupel")
CODE = """def mean(xs):
    return sum(xs) / len(xs)


def first(xs):
    return xs[0]


def sleeps():
    import time
    time.sleep(30)
    return 1 / 0
"""


def result(rule, line=2, uri="m.py", **more):
    r = {"ruleId": rule, "message": {"text": "words"}, "locations": [
        {"physicalLocation": {"artifactLocation": {"uri": uri},
                              "region": {"startLine": line}}}]}
    r.update(more)
    return r


def sarif(results, name="mine", **more):
    run = {"tool": {"driver": {"name": name}}, "results": results}
    run.update(more)
    return json.dumps({"version": "2.1.0", "runs": [run]}, indent=1)


def flag(function, flag_class="div-zero", **more):
    return json.dumps(dict({"file": "m.py", "function": function,
                            "flag_class": flag_class}, **more)) + "\n"


class Place:
    """A repository that belongs to the user."""

    def __init__(self, user):
        self.user = user
        self.repo = lib.make_dir(user)
        self.put("m.py", CODE)
        self.log = os.path.join(self.repo, "log.jsonl")
        self.cache = lib.make_dir(user)  # with the keys of a record
        self.rules = self.put("rules.txt", "# own\nmine\tD*\tpython\tdiv-zero"
                              "\nmine\tI1\tpython\tindex-oob\n")

    def put(self, name, text):
        return lib.put(self.user, os.path.join(self.repo, name), text)

    def argv(self, *options, flags="flags.jsonl"):
        return [CUPEL, "confirm", "--repo", self.repo] + list(options) + [
            os.path.join(self.repo, flags), self.log]

    def run(self, *options, flags="flags.jsonl", env=None, **kw):
        env = dict({"XDG_CACHE_HOME": self.cache}, **(env or {}))
        return lib.run(self.argv(*options, flags=flags), self.user,
                       clock_s=120, env=env, **kw)

    def records(self):
        with open(self.log) as f:
            return [json.loads(line) for line in f]


def reads_sarif(user):
    p = Place(user)
    p.put("f.sarif", sarif([
        result("D1"), result("I1", 6), result("X9"),
        result("D1", suppressions=[{"kind": "inSource"}]),
        result("D1", kind="pass"), {},
        result("D1", uri="file://" + p.repo + "/m.py"),
        result("D1", uri="../../etc/passwd"), result("D1", uri="%zz")]))
    r = p.run("--rules", p.rules, flags="f.sarif")
    err = r.err.decode()
    got = [(x["flag_ref"]["number"], x["status"], x["reason"])
           for x in p.records()]
    failed = "input-synthesis-failed"
    t.equal((r.rc, got), (0, [
        (1, "confirmed-bug", None), (2, "confirmed-bug", None),
        (3, failed, "unknown-class"), (7, "confirmed-bug", None),
        (8, failed, "file")]), user + ": results are flags", r.brief())
    x = p.records()[2]
    t.equal((x["detail"], x["flag_ref"]["tool"], x["flag_ref"]["rule"]),
            ("mine:X9", "mine", "X9"), user + ": tool and rule are named")
    t.has(err, "f.sarif: result 6: locations: expected one with a physical",
          user + ": a bad result by its number")
    t.has(err, "f.sarif: result 9: uri: expected two hex", user + ": each")
    t.has(err, "results left out: 2 (suppressed", user + ": what is left out")
    r = p.run("--quiet", flags="f.sarif")
    t.equal((json.loads(r.out)["no_class"], json.loads(r.out)["synth_failed"]),
            (5, 0), user + ": without rules of one's own none is known", r.brief())


def reads_marks(user):
    p = Place(user)
    p.put("flags.jsonl", b"\xef\xbb\xbf" + flag("mean").encode())
    r = p.run("--quiet")
    t.equal((r.rc, json.loads(r.out)["confirmed"]), (0, 1),
            user + ": a byte order mark is passed over", r.brief())
    p.put("flags.jsonl", flag("mean").encode("utf-16"))
    r = p.run()
    t.ok(r.rc == 2 and b"UTF-16, expected UTF-8" in r.err,
         user + ": UTF-16 is refused", r.brief())


PYLINT = [
    {"type": "convention", "path": "m.py", "line": n, "message-id": rule,
     "symbol": "s", "message": "words"}
    for rule, times in (("C0114", 1), ("C0301", 5), ("W0611", 3))
    for n in range(1, times + 1)] + [
    {"type": "error", "path": "m.py", "line": 2, "message-id": "E1101",
     "symbol": "no-member", "message": "words"}]


def reads_reports(user):
    """What an analyser writes, unchanged; rules without a class share one line."""
    p = Place(user)
    p.put("pylint.json", json.dumps(PYLINT, indent=4))
    r = p.run(flags="pylint.json")
    lines = r.err.decode().splitlines()
    t.equal((r.rc, len(lines)), (0, 2), user + ": pylint's JSON is read",
            r.brief())
    t.has(lines[0], "pylint.json: 9 flags skipped, of 3 rules without a class: "
          "C0301 (5), W0611 (3), C0114 (1)",
          user + ": what stands for no class is summed in one line")
    t.has(lines[-1], "10/10 m.py:2 attr-missing: no-bug-found",
          user + ": the others are run")
    t.equal([x["reason"] for x in p.records()].count("unknown-class"), 9,
            user + ": and each has its record")
    p.put("flake8.txt", "./m.py:2:5: F821 undefined name\nnoise\n")
    r = p.run("--quiet", flags="flake8.txt")
    t.ok(r.rc == 0 and b"flake8.txt: line 2: expected PATH:LINE" in r.err and
         p.records()[-1]["flag_ref"]["rule"] == "F821",
         user + ": flake8's text is read", r.brief())
    p.put("mypy.json", json.dumps(
        {"file": p.repo + "/m.py", "line": 2, "column": 4, "hint": None,
         "message": "Unsupported operand types", "code": "operator",
         "severity": "error"}) + "\n")
    p.run("--quiet", flags="mypy.json")
    t.equal(p.records()[-1]["flag_ref"]["flag_class"], "type-mismatch",
            user + ": mypy's lines are read")
    p.put("mypy.txt", "m.py:2: error: Unsupported operand types for /\n"
          "(\"int\" and \"str\")  [operator]\n"
          "        return sum(xs) / len(xs)\n               ^~~~~~~\n"
          "m.py:6: error: a message that nothing\nends\n")
    r = p.run("--quiet", flags="mypy.txt")
    t.equal([(x["flag_ref"]["number"], x["flag_ref"]["flag_class"])
             for x in p.records()[-2:]],
            [(1, "type-mismatch"), (5, "mypy:no-code")],
            user + ": a wrapped message of mypy's is one", r.brief())
    t.ok(b"mypy.txt: line 6: expected PATH:LINE: error" in r.err,
         user + ": and what nothing ends is told", r.brief())
    p.put("eslint.json", "[]")
    r = p.run(flags="eslint.json")
    t.equal((r.rc, r.err), (0, b""), user + ": a report of nothing is one",
            r.brief())


FAILED = ("confirmed", "timeout", "sandbox-error", "synth-failed",
          "unsupported")


def fails_on(user):
    p = Place(user)
    p.put("flags.jsonl", flag("mean") + flag("first"))  # a bug, and code without one
    p.put("gone.jsonl", flag("mean", file="gone.py"))
    p.put("wrong.jsonl", "{}\n")
    p.put("style.json", json.dumps(PYLINT[:3]))
    for options, flags, rc in (
            ([], "flags.jsonl", 0),
            (["confirmed"], "flags.jsonl", 4),
            (["timeout,confirmed"], "flags.jsonl", 4),
            (["timeout", "confirmed"], "flags.jsonl", 4),
            (["any"], "flags.jsonl", 4),
            ([w for w in FAILED if w != "confirmed"], "flags.jsonl", 0),
            (["confirmed"], "gone.jsonl", 0),
            (["synth-failed"], "gone.jsonl", 4),
            (["any"], "gone.jsonl", 4),
            (list(FAILED), "wrong.jsonl", 0),
            (["any"], "wrong.jsonl", 4),
            (["any"], "style.json", 0),
            (["synth-failed"], "style.json", 0)):
        more = [x for w in options for x in ("--fail-on", w)]
        r = p.run("--quiet", *more, flags=flags)
        t.ok(r.rc == rc and b"confirmed" in r.out, "%s: %s, --fail-on %s: %d"
             % (user, flags, " ".join(options), rc), r.brief())
    r = p.run("--quiet", "--resume", "--fail-on", "confirmed")
    t.ok(r.rc == 4 and json.loads(r.out)["confirmed"] == 0,
         user + ": what the log has already counts, too", r.brief())
    r = p.run("--quiet", "--resume", "--fail-on", "any", flags="style.json")
    t.ok(r.rc == 0 and b"have a record already: 3 of 3" in r.err,
         user + ": nor do recorded flags of no class", r.brief())
    for bad in ("", "no-bug", "confirmed,", "confirmed;timeout", "Any"):
        r = p.run("--fail-on", bad)
        t.ok(r.rc == 2 and b"--fail-on" in r.err and b"synth-failed" in r.err,
             "%s: --fail-on '%s' is refused" % (user, bad), r.brief())


def published():
    """The schema that OASIS published, from an npm package."""
    at = lib.make_dir("root" if os.geteuid() == 0 else "user")
    r = subprocess.run(["npm", "pack", "--silent",
                        "@microsoft/jest-sarif@1.0.0-beta.0"], cwd=at,
                       stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    if r.returncode != 0:
        return None
    subprocess.run(["tar", "xzf", r.stdout.decode().strip()], cwd=at,
                   check=True)
    with open(at + "/package/lib/schemas/sarif-2.1.0-rtm.5.json") as f:
        return json.load(f)


def schema_faults(logs):
    """What the published schema refuses; in the full tier, if the schema is here."""
    if os.environ.get("CUPEL_TIER") != "full":
        return t.ok(True, "the published schema # SKIP in the full run only")
    try:
        import jsonschema
    except ImportError:
        jsonschema = None
    schema = published() if jsonschema and shutil.which("npm") else None
    if schema is None:
        return t.ok(True, "the published schema # SKIP no npm registry, or "
                    "python3-jsonschema is not installed")
    check = jsonschema.Draft4Validator(schema)
    bad = [(e.json_path, e.message[:200]) for log in logs
           for e in check.iter_errors(log)]
    bad += [] if list(check.iter_errors({"version": "2.1.0"})) else ["blind"]
    return t.equal(bad, [], "every log is as the published schema has it")


def writes_sarif(user, logs):
    p = Place(user)
    p.put("c.js", "function g(x) {\n  return x.name;\n}\n"
          "module.exports = { g };\n")
    p.put("flags.jsonl", flag("mean", line=2) + flag("first") +
          flag("mean", file="gone.py") + "{}\n" +
          flag("g", "null-deref", file="c.js", line=2))
    out = p.repo + "/out.sarif"

    def read():
        with open(out) as f:
            logs.append(json.load(f))
        return logs[-1]["runs"][0]

    r = p.run("--quiet", "--jobs", "2", "--sarif", out)
    run = read()
    by = {x["properties"]["number"]: x for x in run["results"]}
    t.equal((r.rc, sorted(by)), (0, [1, 2, 3, 5]),
            user + ": each record is a result", r.brief())
    x = by[1]
    t.equal((x["ruleId"], x["kind"], x["level"],
             x["locations"][0]["physicalLocation"]),
            ("div-zero", "fail", "error",
             {"artifactLocation": {"uri": "m.py", "uriBaseId": "SRCROOT"},
              "region": {"startLine": 2}}), user + ": a bug is a failure")
    steps = x["codeFlows"][0]["threadFlows"][0]["locations"]
    t.equal((steps[0]["state"], [s["location"]["physicalLocation"]["region"]
                                 ["startLine"] for s in steps]),
            ({"xs": {"text": "[]"}}, [2, 2]),
            user + ": its witness is a step of the code flow")
    t.equal([(by[n]["kind"], by[n]["level"]) for n in (2, 3)],
            [("pass", "none"), ("open", "none")],
            user + ": what is none is no finding")
    done = run["invocations"][0]
    t.ok(done["executionSuccessful"] is True and
         [n["message"]["text"] for n in done["toolExecutionNotifications"]] ==
         ["line 4 was skipped: file is missing"],
         user + ": what was skipped is said", done)
    with open(out) as f:
        t.ok(p.repo not in f.read(), user + ": no path of the host is in it")
    p.put("m.py", "# a line more\n" + CODE)
    p.put("flags.jsonl", flag("mean", line=3) + flag("first"))
    p.run("--quiet", "--sarif", out)
    t.equal(read()["results"][0]["partialFingerprints"],
            x["partialFingerprints"], user + ": its fingerprint moves with it")
    first = logs[-1]["runs"][0]["results"]
    p.put("flags.jsonl", flag("mean", line=3) + flag("first") +
          flag("first", "index-oob"))
    r = p.run("--quiet", "--resume", "--sarif", out)
    again = read()["results"]
    t.ok([x for x in first if x in again] == first and len(again) == 3 and
         json.loads(r.out)["confirmed"] == 1,
         user + ": with --resume the log's are in it, too", again)
    sarif_is_read_back(p, out)
    os.unlink(out)
    os.symlink("target", out)
    r = p.run("--sarif", out)
    t.ok(r.rc == 2 and not os.path.exists(p.repo + "/target"),
         user + ": no link is followed", r.brief())
    r = p.run("--sarif", p.repo + "/no/such")
    t.ok(r.rc == 2 and len(r.err.splitlines()) <= 2,
         user + ": what cannot be written is said before a run", r.brief())


def sarif_is_read_back(p, out):
    """What cupel wrote is read again: its bugs are the flags."""
    shutil.copy(out, p.repo + "/again.sarif")
    lib.give(p.user, p.repo + "/again.sarif")
    p.rules = p.put("back.txt", "cupel*\t*\tpython\tdiv-zero\n")
    before = len(p.records())
    r = p.run("--quiet", "--rules", p.rules, flags="again.sarif")
    t.ok(r.rc == 0 and b"results left out: 1 (suppressed" in r.err and
         len(p.records()) == before + 2,
         p.user + ": what it wrote it can read", r.brief())


def stops_with_sarif(user, logs):
    p = Place(user)
    p.put("flags.jsonl", flag("mean") + flag("sleeps") * 2)
    out = p.repo + "/out.sarif"
    child = subprocess.Popen(
        lib.become(user) + p.argv("--quiet", "--fail-on", "any", "--sarif",
                                  out),
        env=lib.clean_env(), stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL)
    end = time.monotonic() + lib.WAIT_S
    while time.monotonic() < end and not (
            os.path.exists(p.log) and os.path.getsize(p.log)):
        time.sleep(0.05)
    child.send_signal(signal.SIGTERM)
    rc = child.wait(120)
    with open(out) as f:
        logs.append(json.load(f))
    run = logs[-1]["runs"][0]
    t.equal((rc, len(run["results"]),
             run["invocations"][0]["executionSuccessful"]), (143, 1, False),
            user + ": a run that was stopped leaves a whole log that says so")


def refuses(user):
    p = Place(user)
    p.put("flags.jsonl", flag("mean"))
    p.put("bad.txt", "mine\tD1\tpython\n")
    p.put("half.sarif", sarif([result("D1")])[:200])
    p.put("other.sarif", flag("mean"))
    for why, options, flags, words in (
            ("rules without a class", ["--rules", p.repo + "/bad.txt"],
             "flags.jsonl", "bad.txt: line 1: expected tool, rule, language"),
            ("rules that are not there", ["--rules", "/no/such"],
             "flags.jsonl", "/no/such: cannot be read"),
            ("half a log", [], "half.sarif", "half.sarif: line"),
            ("a name that lies", [], "other.sarif", "expected SARIF"),
            ("no flags", [], "none.jsonl", "none.jsonl: cannot be read"),
            ("a directory", [], ".", "cannot be read")):
        r = p.run(*options, flags=flags)
        t.ok(r.rc == 2 and words in r.err.decode() and
             r.err.count(b"\n") == 1 and not r.out,
             "%s: %s: refused in one line" % (user, why), r.brief())
    t.ok(not os.path.exists(p.log), user + ": and nothing is logged")


def resumes(user):
    p = Place(user)
    p.put("flags.jsonl", flag("mean") + flag("first", "index-oob"))
    t.equal(json.loads(p.run("--quiet").out)["confirmed"], 2,
            user + ": two flags")
    r = p.run("--resume")
    t.ok(r.rc == 0 and len(p.records()) == 2 and
         "flags that have a record already: 2 of 2" in r.err.decode(),
         user + ": are not run again", r.brief())
    p.put("flags.jsonl", flag("mean") + flag("mean", line=2) +
          flag("mean", witness_hints={"xs": []}))
    p.run("--resume", "--quiet")
    t.equal([x["flag_ref"]["line"] for x in p.records()[2:]], [2, None],
            user + ": another line, other hints are another flag")
    p.put("m.py", CODE + "# more\n")
    p.run("--resume", "--quiet")
    t.equal(len(p.records()), 7, user + ": another file, all over again")
    with open(p.log, "ab") as f:
        f.write(b'nonsense\n[[[\n{"a": 1}\n{"ts":"2026')
    r = p.run("--resume")
    t.ok(r.rc == 0 and "lines that are not records, and do not count: 3" in r.err.decode() and
         "have a record already: 3 of 3" in r.err.decode(),
         user + ": what is no record is counted", r.brief())
    with open(p.log, "rb") as f:
        t.ok(f.read().endswith(b'{"a": 1}\n'),
             user + ": what somebody died in is gone")
    r = p.run("--quiet")
    t.equal((r.err, json.loads(r.out)["confirmed"]), (b"", 3),
            user + ": without --resume all are run")


SLOW = """import time


def slow(x: int):
    time.sleep(0.9)
    return x


def hangs(x: int):
    if x == 0:
        time.sleep(60)
    return x


def slow_bug(x: int):
    time.sleep(0.5)
    return 1 / (x * 0)
"""


def budgets(user):
    """Each flag has its own time limit, however long its witnesses take."""
    p = Place(user)
    p.put("m.py", SLOW)
    p.put("flags.jsonl", flag("slow") + flag("hangs") +
          flag("slow_bug", witness_hints={"x": 10 ** 30}))
    r = p.run("--flag-time-s", "3", "--jobs", "3", "--quiet")
    slow, hangs, bug = sorted(p.records(),
                              key=lambda x: x["flag_ref"]["number"])
    for x in (slow, hangs):
        t.ok((x["status"], x["reason"]) ==
             ("timeout-without-confirmation", "flag-budget") and
             x["witnesses_tried"] < x["witnesses_built"],
             user + ": a flag's time ends it", x)
    t.ok(r.rc == 0, user + ": in that time", r.brief())
    t.clock(user + ": --flag-time-s 3", r.seconds, 20)
    t.ok(bug["status"] == "confirmed-bug" and bug["shrink_runs"] < 32,
         user + ": what was confirmed by then stays confirmed", bug)
    p.put("flags.jsonl", flag("slow_bug", witness_hints={"x": 10 ** 30}))
    p.run("--flag-time-s", "1", "--quiet")
    x = p.records()[-1]
    t.ok(x["status"] == "timeout-without-confirmation",
         user + ": what was not yet repeated does not", x)
    p.put("flags.jsonl", flag("slow"))
    p.run("--quiet")
    x = p.records()[-1]
    t.ok(x["status"] == "no-bug-found" and
         x["witnesses_tried"] == x["witnesses_built"],
         user + ": enough time: all its witnesses are tried", x)
    for bad in ("0", "x", "1.5", "-1", "86401", "99999999999"):
        r = p.run("--flag-time-s", bad)
        t.ok(r.rc == 2 and r.err.count(b"\n") == 1 and
             b"--flag-time-s" in r.err,
             "%s: --flag-time-s %s is refused" % (user, bad), r.brief())


def tells(user):
    p = Place(user)
    p.put("flags.jsonl", flag("mean") * 5)
    r = p.run("--jobs", "3")
    lines = r.err.decode().splitlines()
    t.ok([x.split()[1] for x in lines] == ["%d/5" % i for i in range(1, 6)]
         and "m.py mean div-zero: confirmed-bug" in lines[0],
         user + ": a line for each flag when piped", lines)
    t.equal(p.run("--quiet").err, b"", user + ": none when quiet")
    mine, theirs = pty.openpty()
    r = p.run(stderr=theirs, env={"TERM": "xterm"})
    os.close(theirs)
    text = b""
    while select.select([mine], [], [], 1)[0]:
        try:
            text += os.read(mine, 65536)
        except OSError:  # the other end is closed
            break
    os.close(mine)
    t.ok(r.rc == 0 and text.count(b"\r\x1b[K") == 6 and b"\n" not in text and
         text.endswith(b"\r\x1b[K"),
         user + ": one line, drawn again, on a terminal", text)


def caps(user):
    p = Place(user)
    p.put("flags.jsonl", flag("mean"))
    p.put("tight.json", '{"cpu_time_s": 3, "wall_time_s": 4, '
          '"scratch_bytes": "1M"}')
    p.put("loose.json", '{"nofile": 32}')
    p.put("seen.json", '{"nofile": 32, "security_review": "SEC-7"}')
    r = p.run("--spec", p.repo + "/loose.json")
    t.ok(r.rc == 2 and b"nofile: is looser than the python runner's 16" in
         r.err and not os.path.exists(p.log),
         user + ": a looser cap is refused", r.brief())
    for name in ("tight", "seen"):
        p.run("--quiet", "--spec", p.repo + "/%s.json" % name)
    tight, seen = p.records()
    want = {"cpu_s": 3, "alarm_s": 4, "backstop_s": 9, "nofile": 16,
            "scratch_bytes": 1 << 20}
    t.equal((tight["status"], {k: tight["caps"][k] for k in want},
             "security_review" in tight), ("confirmed-bug", want, False),
            user + ": a tighter one is in the record")
    t.equal((seen["status"], seen["caps"]["nofile"], seen["security_review"]),
            ("confirmed-bug", 32, "SEC-7"),
            user + ": a looser one with its review")
    p.put("flags.jsonl", '{"file": "gone.js", "function": "f", '
          '"flag_class": "null-deref"}\n')
    r = p.run("--quiet", "--spec", p.repo + "/loose.json")
    t.equal((r.rc, p.records()[-1]["flag_ref"]["file"]), (0, "gone.js"),
            user + ": a cap is held against the runners of the list only",
            r.brief())
    p.put("flags.jsonl", flag("sleeps"))
    p.put("short.json", '{"wall_time_s": 1}')
    r = p.run("--quiet", "--spec", p.repo + "/short.json")
    x = p.records()[-1]
    t.ok(x["status"] == "timeout-without-confirmation" and
         x["duration_ms"] < 5000, user + ": and it holds", x)


MORE = {
    "pkg/__init__.py": "",
    "pkg/sub.py": """from . import other
import functools


class Box:
    def __init__(self, items: list, size=1):
        self.items, self.size = items, size

    @property
    def mean(self):
        return len(self.items) / self.size

    @functools.lru_cache()
    def part(self, n: int):
        return self.items[n]

    @classmethod
    def of(cls, n):
        return 10 // n


async def later(xs):
    return xs[0]


def lines(xs):
    for x in xs:
        yield 1 / x


def keyed(*, table):
    return table["\U0001f600'\\n"]
""",
    "pkg/other.py": "",
    "src/app/__init__.py": "",
    "src/app/core.py": "from app.util import half\n\n\n"
                       "def run(xs: list):\n    return half(xs)[0]\n",
    "src/app/util.py": "def half(xs):\n    return xs[:len(xs) // 2]\n",
    "c.js": """function hidden(x) { return x.length; }
class Box {
\tconstructor(v) { this.v = v; }
\tget(k) { return this.v[k].name; }
}
module.exports = { Box, seen(x) { return hidden(x).size.y; } };
""",
    "e.mjs": """function inner(x) { return x.name; }
export async function later(x) { return x.name; }
export const twice = (n) => new Array(n).fill(0);
""",
}
FLAGS = (("pkg/sub.py", "Box.mean", "div-zero"),
         ("pkg/sub.py", "Box.part", "index-oob"),
         ("pkg/sub.py", "Box.of", "div-zero"),
         ("pkg/sub.py", "later", "index-oob"),
         ("pkg/sub.py", "lines", "div-zero"),
         ("pkg/sub.py", "keyed", "key-missing"),
         ("src/app/core.py", "run", "index-oob"),
         ("c.js", "hidden", "null-deref", 1),
         ("c.js", "Box.get", "null-deref"),
         ("e.mjs", "inner", "null-deref", 1),
         ("e.mjs", "later", "null-deref", 2),
         ("e.mjs", "twice", "bad-array-length"))


def reproduces(user):
    p = Place(user)
    for name, text in MORE.items():
        path = os.path.join(p.repo, os.path.dirname(name))
        while path.startswith(p.repo) and not os.path.isdir(path):
            os.makedirs(path)
        for at, dirs, _ in os.walk(p.repo):
            lib.give(user, at)
        p.put(name, text)
    p.put("flags.jsonl", "".join(
        json.dumps(dict(zip(("file", "function", "flag_class", "line"), row)))
        + "\n" for row in FLAGS))
    out = os.path.join(p.repo, "scripts")
    r = p.run("--quiet", "--jobs", "2", "--reproducer", out)
    t.equal((r.rc, r.err), (0, b""), user + ": scripts are written")
    moved = p.repo + "-moved"
    shutil.copytree(p.repo, moved)
    for x in sorted(p.records(), key=lambda x: x["flag_ref"]["number"]):
        ref = x["flag_ref"]
        if "no-parser" in (x["detail"] or ""):
            t.ok(True, "%s: %s # SKIP this build has no parser for JavaScript"
                 % (user, ref["function"]))
            continue
        names = [n for n in os.listdir(out) if n.startswith(
            "%s-%s-" % (ref["flag_class"], ref["function"].replace(".", "_")))
            and n.endswith("py" if ref["file"].endswith("py") else "mjs")]
        if not t.ok(x["status"] == "confirmed-bug" and names, "%s: %s has one"
                    % (user, ref["function"]), x):
            continue
        want = x["error_class"].split(".")[-1].encode()
        good = []
        for argv in ([], [moved]):
            for name in names:
                tool = "python3" if name.endswith(".py") else "node"
                s = lib.run([tool, os.path.join(out, name)] + argv, user,
                            cwd="/")
                if s.rc != 0 and want + b":" in s.err and (
                        ref["file"].split("/")[-1].encode() in s.err):
                    good.append(argv)
                    break
        t.equal(good, [[], [moved]], "%s: %s fails the same way by itself"
                % (user, ref["function"]), (s.brief(), want))
    before = {n: os.stat(os.path.join(out, n)).st_ino for n in os.listdir(out)}
    p.run("--quiet", "--reproducer", out)
    t.equal({n: os.stat(os.path.join(out, n)).st_ino
             for n in os.listdir(out)}, before, user + ": the same stay")
    os.symlink("m.py", os.path.join(p.repo, "link"))
    r = p.run("--reproducer", os.path.join(p.repo, "m.py"))
    t.ok(r.rc == 2 and b"--reproducer" in r.err, user + ": not a directory")
    r = p.run("--reproducer", os.path.join(p.repo, "link"))
    t.ok(r.rc == 2 and b"--reproducer" in r.err, user + ": never a link")


def below(pid):
    """Every process that pid started, as (pid, start time)."""
    parents, found, todo = {}, set(), [pid]
    for name in os.listdir("/proc"):
        try:
            with open("/proc/%d/stat" % int(name)) as f:
                stat = f.read().rsplit(")", 1)[1].split()
            parents.setdefault(int(stat[1]), []).append((int(name), stat[19]))
        except (ValueError, OSError):
            pass
    while todo:
        for child in parents.get(todo.pop(), []):
            found.add(child)
            todo.append(child[0])
    return found


def alive(processes):
    def start_of(pid):
        try:
            with open("/proc/%d/stat" % pid) as f:
                return f.read().rsplit(")", 1)[1].split()[19]
        except OSError:
            return None
    return [p for p in processes if start_of(p[0]) == p[1]]


def stops(user):
    for sig, name in ((signal.SIGINT, "INT"), (signal.SIGTERM, "TERM")):
        p = Place(user)
        p.put("flags.jsonl", flag("mean") + flag("sleeps") * 3)
        child = subprocess.Popen(
            lib.become(user) + p.argv("--jobs", "2"), env=lib.clean_env(),
            stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        end = time.monotonic() + lib.WAIT_S
        while time.monotonic() < end and not (
                os.path.exists(p.log) and os.path.getsize(p.log) and
                len(below(child.pid)) >= 2):
            time.sleep(0.05)
        time.sleep(0.3)
        started = below(child.pid)
        start = time.monotonic()
        child.send_signal(sig)
        out, err = child.communicate(timeout=lib.CLOCK_S)
        t.clock("%s: SIG%s" % (user, name), time.monotonic() - start, 5)
        t.ok(child.returncode == 128 + sig and out == b"" and
             b"stopped by SIG" + name.encode() in err and
             b"flags that have a record: 1 of 4" in err,
             "%s: SIG%s ends it and it says so" % (user, name),
             (child.returncode, out, err))
        t.equal([x["status"] for x in p.records()], ["confirmed-bug"],
                user + ": whole records only")
        t.ok(len(started) >= 2 and not alive(started),
             user + ": no vessel is left", (started, alive(started)))
    stops_with_no_class(user)


def stops_with_no_class(user):
    """A flag whose rule stands for no class has its record, too."""
    p = Place(user)
    p.put("f.sarif", sarif([result("X9"), result("X8"), result("D1"),
                            result("D1", 12), result("D1", 12)]))
    child = subprocess.Popen(
        lib.become(user) + p.argv("--quiet", "--rules", p.rules,
                                  flags="f.sarif"), env=lib.clean_env(),
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    end = time.monotonic() + lib.WAIT_S
    while time.monotonic() < end and not (
            os.path.exists(p.log) and len(p.records()) == 3):
        time.sleep(0.05)
    child.send_signal(signal.SIGTERM)
    err = child.communicate(timeout=lib.CLOCK_S)[1]
    t.ok(child.returncode == 143 and
         b"flags that have a record: 3 of 5;" in err and
         [x["reason"] for x in p.records()] ==
         ["unknown-class", "unknown-class", None],
         user + ": stopped, records of no class count", (child.returncode, err))


NO_NAMESPACES = ["unshare", "-r", "sh", "-c", "echo 0 >/proc/sys/user/"
                 "max_user_namespaces && exec \"$@\"", "sh"]


def hosts(user):
    """Where no vessel can be made, the exit status says so; flags of no class, which
    are not run anyway, make no difference."""
    for what, results, rc, counts in (
            ("all", [result("D1")], 3, (1, 0)),
            ("all but those of no class", [result("X9"), result("D1")], 3, (1, 1)),
            ("none, for none is of a class", [result("X9")], 0, (0, 1)),
            ("not all: one was not found",
             [result("X9"), result("D1"), result("D1", uri="gone.py")], 0, (1, 1))):
        p = Place(user)
        p.put("f.sarif", sarif(results))
        r = lib.run(NO_NAMESPACES + p.argv("--quiet", "--rules", p.rules,
                                           flags="f.sarif"), user, clock_s=60)
        got = json.loads(r.out or b"{}")
        t.equal((r.rc, (got.get("unsupported"), got.get("no_class"))),
                (rc, counts), "%s: unsupported: %s" % (user, what), r.brief())


def runs_at_once(user):
    p = Place(user)
    p.put("flags.jsonl", "".join(
        json.dumps({"file": "x" * 3000 + ".py", "flag_class": "div-zero",
                    "line": n + 1}) + "\n" for n in range(4000)))
    argv = lib.become(user) + p.argv("--quiet")
    both = [subprocess.Popen(argv, env=lib.clean_env(),
                             stdout=subprocess.DEVNULL) for _ in range(2)]
    t.equal([b.wait(120) for b in both], [0, 0], user + ": two runs at once")
    t.equal(sorted(x["flag_ref"]["line"] for x in p.records()),
            sorted(2 * list(range(1, 4001))),
            user + ": every record of both is whole")


written = []
for who in lib.users():
    reads_sarif(who)
    reads_reports(who)
    fails_on(who)
    writes_sarif(who, written)
    stops_with_sarif(who, written)
    reads_marks(who)
    refuses(who)
    resumes(who)
    budgets(who)
    tells(who)
    caps(who)
    stops(who)
    hosts(who)
    runs_at_once(who)
schema_faults(written)
reproduces(lib.users()[-1])
t.done()
