#!/usr/bin/env python3
"""confirm.t -- cupel confirm over the example and over code that cheats."""
import ast
import atexit
import json
import os
import shutil
import sys
import tempfile
import time

SRC = os.environ.get("SRC") or os.path.dirname(
    os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(SRC, "tests/live"))
sys.dont_write_bytecode = True
import lib  # noqa: E402

t = lib.Tap()
DATA = os.path.join(SRC, "tests/data")
HOSTILE = os.path.join(DATA, "hostile")
CUPEL = lib.binary("cupel")
KEYS = ("ts flag_ref witness status reason exit_code signal error_class "
        "traceback_head duration_ms backend caps file_blake3").split()
CAPS = {"cpu_s": 5, "as_bytes": 512 << 20, "nofile": 16,
        "fsize_bytes": 10 << 20, "nproc": 0, "alarm_s": 10, "backstop_s": 15}


def last_division(path, name):
    """The line of the function's last division, or of its last modulo."""
    with open(path) as f:
        tree = ast.parse(f.read())
    func = [n for n in ast.walk(tree)
            if isinstance(n, ast.FunctionDef) and n.name == name][0]
    lines = [n.lineno for n in ast.walk(func) if isinstance(n, ast.BinOp)
             and isinstance(n.op, (ast.Div, ast.Mod))]
    return max(lines)


def example(user):
    repo = lib.copy_of(user, os.path.join(DATA, "example"))
    r, records = lib.confirm(user, repo, None)
    t.equal(r.rc, 0, user + ": the example is confirmed", r.brief())
    by_number = lib.by_number(records)
    want = lib.rows_of(os.path.join(DATA, "example.expected"))
    t.equal(len(records), len(want), user + ": one record a flag")
    for i, (name, flag_class, status) in enumerate(want, 1):
        x = by_number.get(i, {})
        t.equal(x.get("status"), status,
                "%s: %s %s" % (user, name, flag_class), x)
    counts = json.loads(r.out)
    t.equal(counts["confirmed"], 10, user + ": the summary counts them")
    x = by_number.get(1, {})
    t.equal([k for k in KEYS if k not in x], [], user + ": every key")
    t.equal(x.get("error_class"), "ZeroDivisionError", user + ": the class")
    t.has(x.get("traceback_head") or "", 'line 6, in mean_price',
          user + ": the traceback")
    t.equal({k: x.get("caps", {}).get(k) for k in CAPS}, CAPS,
            user + ": the caps, literal")
    t.equal(os.stat(os.path.join(repo, "log.jsonl")).st_mode & 0o777, 0o600,
            user + ": the log is private")


def hostile(user):
    repo = lib.copy_of(user, HOSTILE)
    # It is not valid Python, so in the tree of the tests it has another name.
    shutil.copy(os.path.join(repo, "syntax.txt"),
                os.path.join(repo, "syntax_error.py"))
    # In the quick tier each flag is tried by one launcher, by turns.
    flags, want = [], [w for i, w in enumerate(lib.rows_of(HOSTILE +
                                                           ".expected"))
                       if lib.is_due(i, user, lib.users())]
    for path, name, line, _, _ in want:
        flag = {"file": path, "function": name, "flag_class": "div-zero"}
        if line == "@":
            flag["line"] = last_division(os.path.join(repo, path), name)
        flags.append(flag)
    r, records = lib.confirm(user, repo, flags)
    t.equal(r.rc, 0, user + ": hostile code ends", r.brief())
    by_number = lib.by_number(records)
    for i, (path, name, line, status, reason) in enumerate(want, 1):
        x = by_number.get(i, {})
        got = (x.get("status"), x.get("reason") or "-")
        t.ok(got in zip(status.split("|"), reason.split("|")),
             "%s: %s %s is %s" % (user, path, name, status), (got, x))


def requests(user):
    repo = lib.copy_of(user, HOSTILE)
    good = '{"file":"tricks.py","function":"honest","flag_class":"div-zero"}'
    r, records = lib.confirm(user, repo, "nonsense\n%s\n{}\n" % good)
    t.equal((r.rc, len(records)), (0, 1), user + ": bad lines are skipped",
            r.brief())
    t.has(r.err.decode(), "line 1: syntax", user + ": and named")
    t.has(r.err.decode(), "line 3: file is missing", user + ": each")
    r, records = lib.confirm(user, repo, good + "\n")
    t.equal(len(records), 2, user + ": the log is appended to")
    for why, flag in (
            ("a class it does not know", {"flag_class": "key-missin"}),
            ("a language it does not know", {"file": "syntax.txt"}),
            ("a file that is not there", {"file": "gone.py"}),
            ("a file outside", {"file": "../../../../etc/passwd"}),
            ("a line outside the function", {"line": 2}),
            ("a function that is not there", {"function": "nope"})):
        one = dict(json.loads(good), **flag)
        r, records = lib.confirm(user, repo, [one])
        t.equal((r.rc, records[-1]["status"]), (0, "input-synthesis-failed"),
                "%s: %s" % (user, why), records[-1])
        if "not there" in why and "file" in flag:
            t.equal((records[-1]["reason"], records[-1]["detail"]),
                    ("file-not-found", "gone.py"),
                    user + ": and its reason says so")
    for options, word in ((["--jobs", "0"], "--jobs"), (["--nope"], "--nope"),
                          (["--jobs", "65"], "--jobs")):
        r = lib.run([CUPEL, "confirm"] + options + ["x", "y"], user)
        t.ok(r.rc == 2 and word in r.err.decode(),
             "%s: %s is refused" % (user, " ".join(options)), r.brief())
    r = lib.run([CUPEL, "confirm", "--repo", repo, "/no/such", "log"], user)
    t.ok(r.rc == 2 and "/no/such" in r.err.decode(),
         user + ": flags that are not there", r.brief())


def unstable(user):
    """Code that fails in the first vessel and not in the second: from 8 seconds on, which
    the first has to begin before, and its alarm comes after 10."""
    repo = lib.copy_of(user, HOSTILE)
    flag = {"file": "tricks.py", "function": "once", "flag_class": "div-zero",
            "witness_hints": {"until": time.time() + 8}}
    r, records = lib.confirm(user, repo, [flag])
    t.equal([(x["status"], x["reason"]) for x in records],
            [("no-bug-found", "unstable")],
            user + ": what is not repeated is not confirmed", r.brief())


def own_modules(user):
    """The values of a witness are made of the interpreter's own modules, also if the
    repository has modules of the same names."""
    repo = lib.copy_of(user, HOSTILE)
    lib.put(user, os.path.join(repo, "fractions.py"),
            "class Fraction(int):\n    pass\n")
    lib.put(user, os.path.join(repo, "made.py"),
            "def made(x):\n    return 1 / (type(x) is int or x - x)\n")
    flag = {"file": "made.py", "function": "made", "flag_class": "div-zero",
            "line": 2, "witness_hints": {"x": {"$fraction": "1/2"}}}
    r, records = lib.confirm(user, repo, [flag])
    t.ok(records and records[0]["status"] == "confirmed-bug" and
         "$fraction" in str(records[0]["witness"]),
         user + ": a value is made by the interpreter's own module",
         (r.brief(), records))


def environments(user):
    """Modules of a virtual environment in the repository are found if the folder is
    marked as one; otherwise it is a folder like any other."""
    inside = "lib/python%d.%d/site-packages/nought.py" % sys.version_info[:2]
    flag = {"file": "made.py", "function": "made", "flag_class": "div-zero",
            "line": 5}
    for name, mark, want in (
            (".venv", "pyvenv.cfg", ("confirmed-bug", None)),
            ("venv", "pyvenv.cfg", ("confirmed-bug", None)),
            (".venv", "other.cfg", ("input-synthesis-failed",
                                    "import-failed"))):
        repo = lib.make_dir(user)
        lib.put(user, os.path.join(repo, "made.py"),
                "import nought\n\n\ndef made(x: int):\n"
                "    return x // nought.NOUGHT\n")
        for path, text in ((mark, "home = /usr/bin\n"),
                           (inside, "NOUGHT = 0\n")):
            path = os.path.join(repo, name, path)
            lib.run(["mkdir", "-p", os.path.dirname(path)], user)
            lib.put(user, path, text)
        r, records = lib.confirm(user, repo, [flag])
        got = records and (records[0]["status"], records[0]["reason"])
        t.equal(got, want, "%s: a module in %s, marked by %s" % (
            user, name, mark), (r.brief(), records))


def views(user, top):
    """--ro and --runtime: what the caller shows is there in every run, cold and
    warm, and is not there without these options."""
    repo = lib.make_dir(user)
    lib.put(user, os.path.join(repo, "made.py"),
            "import sys\n\n\ndef seen(x: int):\n"
            "    if x < 3:\n        return 0\n"
            "    return x // int(open('/shown/n').read())\n\n\n"
            "def taken(x: int):\n"
            "    return x // (sys.executable != '%s/bin/python3')\n" % top)
    shown = lib.make_dir(user)
    lib.put(user, os.path.join(shown, "n"), "0")
    flags = [{"file": "made.py", "function": name, "flag_class": "div-zero"}
             for name in ("seen", "taken")]
    for options, want in (
            ([], ["no-bug-found"] * 2),
            (["--ro", shown + ":/shown"], ["confirmed-bug", "no-bug-found"]),
            (["--runtime", top], ["no-bug-found", "confirmed-bug"]),
            (["--runtime", top, "--ro", shown + ":/shown", "--cold"],
             ["confirmed-bug"] * 2)):
        r, records = lib.confirm(user, repo, flags, 1, options)
        t.equal([x["status"] for x in records[-2:]], want, "%s: confirm %s" % (
            user, " ".join(o for o in options if o[0] == "-")),
            (r.brief(), records[-2:]))
    for option, value, word in (
            ("--ro", "/no/such", "--ro"), ("--runtime", "/no/such",
                                           "--runtime"),
            ("--ro", shown + ":/usr/x", "--ro"), ("--ro", "", "--ro")):
        before = len(records)
        r, records = lib.confirm(user, repo, flags, 1, (option, value))
        t.ok(r.rc == 2 and word in r.err.decode() and
             len(records) == before and r.err.count(b"\n") == 1,
             "%s: %s %s is refused once, before a run" % (user, option, value),
             r.brief())


def prefix_make():
    """A copy of the system's Python in a place that is not below /tmp; or None."""
    try:
        top = tempfile.mkdtemp(prefix="cupel-confirm.", dir="/opt")
    except OSError:
        return None
    atexit.register(shutil.rmtree, top, ignore_errors=True)
    os.chmod(top, 0o755)
    os.makedirs(top + "/bin")
    os.makedirs(top + "/lib")
    shutil.copy("/usr/bin/python3", top + "/bin/python3")
    return top


def smaller(user):
    """The record has the smallest witness that still fails."""
    repo = lib.copy_of(user, HOSTILE)
    lib.put(user, os.path.join(repo, "big.py"),
            "def big(n, names):\n"
            "    if n >= 5 and len(names) > 1:\n"
            "        return 1 / 0\n"
            "    return 0\n")
    flag = {"file": "big.py", "function": "big", "flag_class": "div-zero",
            "line": 3, "witness_hints": {"n": 40, "names": ["ab", "c", "d"]}}
    r, records = lib.confirm(user, repo, [flag])
    x = records[0]
    t.equal((x["status"], x["witness_shrunk"]), ("confirmed-bug", True),
            user + ": a large witness is made smaller", r.brief())
    t.equal([a["value"] for a in x["witness"]["arguments"]], [5, ["", ""]],
            user + ": to the smallest that confirms", x)
    t.ok(x["witnesses_tried"] == 1 and 0 < x["shrink_runs"] <= 32,
         user + ": within its bound", x)


def hosts(user):
    """Without an interpreter nothing can be run here."""
    repo = lib.copy_of(user, HOSTILE)
    good = '{"file":"tricks.py","function":"honest","flag_class":"div-zero"}'
    lib.put(user, os.path.join(repo, "f"), good)
    log = os.path.join(repo, "log.jsonl")
    r = lib.run(["prlimit", "--nofile=256", CUPEL, "confirm", "--repo", repo,
                 os.path.join(repo, "f"), log], user,
                before=["unshare", "-r", "sh", "-c",
                        "echo 0 >/proc/sys/user/max_user_namespaces; "
                        "exec \"$@\"", "sh"] if user == "user" and
                os.geteuid() else [])
    if user == "user" and os.geteuid():
        with open(log) as f:
            record = json.loads(f.readline())
        t.equal((r.rc, record["status"]), (3, "platform-unsupported"),
                user + ": a host that cannot says so", record)


PREFIX = prefix_make()
for who in lib.users():
    if PREFIX is not None:
        views(who, PREFIX)
    else:
        t.ok(True, who + ": --runtime # SKIP no prefix can be made in /opt")
    example(who)
    hostile(who)
    requests(who)
    unstable(who)
    own_modules(who)
    environments(who)
    smaller(who)
    hosts(who)
t.done()
