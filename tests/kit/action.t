#!/usr/bin/env python3
"""action.t -- the GitHub action's shell and Python parts, offline: what hostile
code prints stays plain text for the runner, the terminal, the summary and later
steps; and only a release with the given checksum is installed."""
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                "../live"))
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from action_lib import HOSTILE, Tags, commands, folder, read, step  # noqa: E402
import lib  # noqa: E402

tap = lib.Tap()


def result_of(text, rc=3, **more):
    r = {"status": "FAILED", "rc": rc, "stdout": text, "stderr": text,
         "reason": text, "backend": "namespaces", "duration_ms": 12,
         "usage": {"processes": text},
         "payload": {"tests": {"total": 3, "failed": text, "passed": True,
                               "skipped": -1,
                               "failures": [text, {"name": text}, 3],
                               "details": [{"name": text, "message": text,
                                            "file": text, "line": text},
                                           {"file": "a/b.py", "line": 3,
                                            "message": text}, text]}},
         "enforced": {text: {"requested": True, "applied": False},
                      "netns": {"requested": True, "applied": True}}}
    r.update(more)
    return r


def stand_in(path, text, rc):
    """A stand-in for cupel: prints the text, exits with the status, and writes its
    arguments to argv."""
    with open(path + "/text", "wb") as f:
        f.write(text if isinstance(text, bytes) else text.encode())
    lib.put("user", path + "/cupel", "#!/bin/sh\nprintf '%%s\\n' \"$@\" >%s/argv\n"
            "cat %s/text\nexit %d\n" % (path, path, rc), 0o755)
    return path + "/cupel"


def hostile_output():
    """Each one alone in the full tier; in both tiers all together."""
    whole = ["\n".join(HOSTILE), "x" * 100000 + "\n::error::z"]
    full = os.environ.get("CUPEL_TIER") != "quick"
    for text in (HOSTILE if full else []) + whole:
        path = folder()
        cupel = stand_in(path, json.dumps(result_of(text)), 3)
        rc, log = step("run.sh", path, CUPEL=cupel)
        name = "%.30r" % text
        tap.equal(rc, 3, "%s: ends as the command did" % name, log)
        seen = [c for c in commands(log) if c not in
                ("group", "stop-commands", "endgroup", "error")]
        tap.equal(seen, [], "%s: is no command of the runner" % name, log)
        tap.ok(not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u202e]", log),
               "%s: moves no terminal" % name, repr(log))
        tap.ok(re.fullmatch("status=FAILED\nrc=3\nresult=[^\n]*\n"
                            "tests_total=3\ntests_passed=\ntests_failed=\n"
                            "tests_skipped=\n", read(path, "out")),
               "%s: makes no output" % name, read(path, "out"))
        shown = read(path, "summary")
        tags = set(Tags(shown).seen)
        told = [x for x in log.splitlines() if x.startswith("::error ")]
        tap.ok(len(told) == 3 and all(re.fullmatch(
            r"::error (file=[^,:]*,)?(line=\d+,)?title=[^,:]*::[^\r\n]*", x)
            for x in told), "%s: is an annotation's text" % name, told)
        cells = re.findall("<code>(.*?)</code>", shown)
        tap.ok(len(cells) >= 3 and all(re.fullmatch(
            "([A-Za-z0-9 ]|&#[0-9]+;)+", c) for c in cells),
            "%s: makes nothing in a cell" % name, cells)
        tap.ok(tags <= {"details", "summary", "pre", "code"} and
               shown.count("<pre>") == shown.count("</pre>") and
               not re.search("@|\x1b", shown) and
               len(shown) < 200000, "%s: is text in the summary" % name, shown)
        outside = re.sub("<(pre|code)>.*?</\\1>", "", shown, flags=re.S)
        rows = [x for x in outside.splitlines() if x.startswith("|")]
        tap.ok(all(x.count("|") in (3, 4, 5) for x in rows),
               "%s: ends no cell" % name, rows)
        tap.ok(not re.search("script|# head|javascript|add-path", outside),
               "%s: stands in the summary's boxes only" % name, outside)


def says_what_happened():
    path = folder()
    cupel = stand_in(path, json.dumps(result_of("two\nlines\n", rc=0,
                                                status="OK", payload=None)), 0)
    rc, log = step("run.sh", path, CUPEL=cupel)
    tap.ok(rc == 0 and "\n| two\n| lines\n::" in log and
           "::error" not in log, "a good run: its text, and no error", log)
    tap.has(read(path, "summary"), "| status | OK |", "a good run: the summary")
    for text, rc in ((b"", 0), (b"{}", 0), (b"\xff", 1), (b"[]", 3),
                     (json.dumps(result_of("x")).encode(), 0),
                     (json.dumps(result_of("x", status="FINE")).encode(), 3),
                     (json.dumps(result_of("x", stdout=3)).encode(), 3)):
        path = folder()
        got, log = step("run.sh", path, CUPEL=stand_in(path, text, rc))
        tap.ok(got == (rc or 1) and "no result" in log and
               not read(path, "out"), "no result is none: %.20r %d"
               % (text, rc), log)


def words():
    path = folder()
    cupel = stand_in(path, json.dumps(result_of("x")), 3)
    step("run.sh", path, CUPEL=cupel, CUPEL_RUN="echo $(id); `x`\n'",
         CUPEL_ARGS="--env=A=b c\n\n--wall-time-s=5 $(id)\n")
    tap.equal(read(path, "argv"), "run\n--json\n--profile\ntest\n--repo\n%s\n"
              "--env=A=b c\n--wall-time-s=5 $(id)\n--\nsh\n-euc\n"
              "echo $(id); `x`\n'\n" % path, "words stay words")
    for args, part in (("--json=/x", "args:"), ("true", "args:"),
                       ("--env=A\n; id", "args:")):
        rc, log = step("run.sh", folder(), CUPEL="/nonexistent",
                       CUPEL_ARGS=args)
        tap.ok(rc == 1 and part in log, "refuses %r" % args, log)
    os.makedirs(path + "/.git")
    lib.put("user", path + "/.git/config", "[http]\n\textraHeader = x\n")
    rc, log = step("run.sh", path, CUPEL=cupel)
    tap.has(log, "::warning::cupel: the checkout left its token",
            "a token in the checkout is told")


def release(path, script="echo cupel 9.9"):
    os.makedirs(path + "/t/cupel-9.9/bin")
    lib.put("user", path + "/t/cupel-9.9/bin/cupel", "#!/bin/sh\n"
            "case $1 in --version) echo cupel 9.9 ;; doctor) shift; %s ;; esac\n"
            % script, 0o755)
    with tarfile.open(path + "/r.tar.gz", "w:gz") as t:
        t.add(path + "/t/cupel-9.9", "cupel-9.9")
    p = subprocess.run(["sha256sum", path + "/r.tar.gz"], capture_output=True)
    return p.stdout.split()[0].decode()


def tools(path):
    """Stand-ins for sudo, apparmor_parser and sysctl that record their arguments."""
    os.makedirs(path + "/bin")
    for name in ("sysctl", "apparmor_parser", "tee"):
        lib.put("user", "%s/bin/%s" % (path, name), "#!/bin/sh\necho %s \"$@\" "
                ">>%s/did\n[ %s != tee ] || cat >>%s/did\n"
                % (name, path, name, path), 0o755)
    lib.put("user", path + "/bin/sudo", '#!/bin/sh\nexec "$@"\n', 0o755)
    os.makedirs(path + "/proc/sys/kernel")
    lib.put("user", path + "/proc/sys/kernel/"
            "apparmor_restrict_unprivileged_userns", "1\n")
    return {"PATH": path + "/bin:/usr/bin:/bin", "CUPEL_PROC": path + "/proc"}


def install(path, **more):
    env = dict(tools(path), CUPEL_TARBALL=path + "/r.tar.gz",
               CUPEL_VERSION="", CUPEL_APPARMOR="true")
    env.update(more)
    return step("install.sh", path, **env)


def installs():
    path = folder()
    sha = release(path, "echo doctor $*")
    rc, log = install(path, CUPEL_SHA256=sha, CUPEL_VERSION="9.9")
    tap.ok(rc == 0 and read(path, "env") == "CUPEL=%s/cupel/bin/cupel\n" % path,
           "a release of that checksum is installed", log)
    tap.equal(read(path, "did"), "tee /etc/apparmor.d/cupel\n"
              "doctor --apparmor\napparmor_parser -r /etc/apparmor.d/cupel\n",
              "the profile is loaded, and no sysctl touched")
    for name, want, more in (
            ("another checksum", "not the one", {"CUPEL_SHA256": "0" * 64}),
            ("no checksum", "64 digits", {"CUPEL_SHA256": ""}),
            ("half a checksum", "64 digits", {"CUPEL_SHA256": sha[:32]}),
            ("a checksum with more in it", "64 digits",
             {"CUPEL_SHA256": sha + "\n" + sha}),
            ("plain http", "https",
             {"CUPEL_TARBALL": "http://example.com/r.tar.gz"}),
            ("another version", "this is 9.9", {"CUPEL_VERSION": "1.0"})):
        path = folder()
        sha = release(path)
        rc, log = install(path, **dict({"CUPEL_SHA256": sha}, **more))
        tap.ok(rc == 1 and want in log and read(path, "env") == "",
               "refuses %s" % name, log)
        tap.ok(name == "another version" or
               not os.path.exists(path + "/cupel"), "and unpacks nothing")
    path = folder()
    sha = release(path, "echo NO userns; exit 3")
    rc, log = install(path, CUPEL_SHA256=sha, CUPEL_APPARMOR="false")
    tap.ok(rc == 1 and "NO userns" in log and
           not os.path.exists(path + "/did") and read(path, "env") == "",
           "a runner that cannot: told, and not mended unasked", log)


def real_run():
    path = folder()
    rc, log = step("run.sh", path, CUPEL=lib.binary("cupel"), CUPEL_RUN=
                   "printf '\\033[1m::set-output name=rc::0\\r::x::y\\n'; exit 7")
    tap.ok(rc == 7 and commands(log) == ["group", "stop-commands", "endgroup",
                                         "error"] and
           "| \\x1b[1m::set-output name=rc::0\\x0d::x::y" in log and
           "rc=7\n" in read(path, "out"), "with the program itself", log)
    shutil.rmtree(path)


def tests_are_told():
    """How the program itself reads a runner's report."""
    path = folder()
    rc, log = step("run.sh", path, CUPEL=lib.binary("cupel"),
                   CUPEL_ARGS="--report=tap:/scratch/report", CUPEL_RUN=
                   "printf '1..3\\nok 1 - a\\nnot ok 2 - b<i>\\nok 3 # SKIP\\n' "
                   ">/scratch/report; exit 1")
    shown = read(path, "summary")
    tap.ok(rc == 1 and "\n| 3 | 1 | 1 | 1 |\n" in shown and
           "\n| <code>b&#60;i&#62;</code> | - | - |\n" in shown,
           "tests: their numbers, and the names of those that failed",
           log + shown)
    tap.ok("tests_total=3\ntests_passed=1\ntests_failed=1\ntests_skipped=1\n"
           in read(path, "out") and
           "::error title=b<i>::failed\n" in log, "and as outputs", log)
    shutil.rmtree(path)


def places():
    """An annotation may point into the workspace, and nowhere else."""
    for file, repo, want in (
            ("a/b.py", "", "file=a/b.py,line=3,"),
            ("b.py", "/sub", "file=sub/b.py,line=3,"),
            ("../b.py", "/sub", ""), ("/etc/passwd", "", ""),
            ("a/../../b.py", "", ""), (3, "", ""), ("", "", "")):
        path = folder()
        os.makedirs(path + repo, exist_ok=True)
        tests = {"total": 1, "failures": ["t"], "details": [
            {"file": file, "line": 3, "message": "50% of it"}]}
        cupel = stand_in(path, json.dumps(result_of(
            "x", payload={"tests": tests})), 3)
        log = step("run.sh", path, CUPEL=cupel, CUPEL_REPO=path + repo)[1]
        tap.has(log, "::error %stitle=t::50%%25 of it\n" % want,
                "an annotation of %r in the repository %r" % (file, repo))
    path = folder()
    tests = {"total": 99, "failures": ["t%d" % i for i in range(120)]}
    cupel = stand_in(path, json.dumps(result_of(
        "x", payload={"tests": tests})), 3)
    log = step("run.sh", path, CUPEL=cupel)[1]
    tap.ok(log.count("::error title=") == 10 and
           "\n20 more failed.\n" in read(path, "summary"),
           "ten annotations, a hundred rows, and how many more", log)


def profile_is_found():
    """By default the profile fits the script, or the files in the checkout."""
    for files, script, want in (
            ((), "echo", "test"), (("package.json",), "make test", "npm-test"),
            (("package.json",), "python3 -m pytest -q", "pytest"),
            (("link:go.mod",), "make", "test")):
        path = folder()
        repo = path + "/repo"
        os.makedirs(repo)
        for name in files:
            if name.startswith("link:"):
                os.symlink("/etc/passwd", repo + "/" + name[5:])
            else:
                lib.put("user", repo + "/" + name, "{")
        log = step("run.sh", path, CUPEL=lib.binary("cupel"), CUPEL_RUN=script,
                   CUPEL_PROFILE="auto", CUPEL_REPO=repo)[1]
        tap.ok(log.startswith("cupel: profile %s\n" % want) and
               "| profile | %s |" % want in read(path, "summary"),
               "auto: %s, of %r and %r" % (want, files, script), log)
    path = folder()
    cupel = stand_in(path, "", 2)
    rc, log = step("run.sh", path, CUPEL=cupel, CUPEL_PROFILE="auto")
    tap.ok(rc == 1 and "::error::cupel: profile: none can be found" in log,
           "auto: a program that does not know it is told", log)


hostile_output()
says_what_happened()
words()
installs()
real_run()
tests_are_told()
places()
profile_is_found()
tap.done()
