#!/usr/bin/env python3
"""report.t -- a test runner's report as the payload: which reports are
taken, which are refused, and that neither changes the status of the command.
Each refusal has a control: its wall taken down, or an honest report of the
same form."""
import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True
import lib  # noqa: E402

PATH = "/scratch/r"
GOOD = "<testsuite tests='1'><testcase name='a'/></testsuite>"
BAD = "<testsuite><testcase name='a'><failure/></testcase></testsuite>"
BOMB = ("<!DOCTYPE t [<!ENTITY a 'aaaa'><!ENTITY b '&a;&a;&a;'>]>"
        "<testsuite name='&b;'/>")
PUT = "printf '%%s' \"%s\" >" + PATH


def put(text):
    return PUT % text.replace('"', '\\"')


RESULTS = []  # the results of all rows

# name, what the command does, payload_status, code (or the counts), exit
ROWS = [
    ("a report", put(GOOD), "valid", (1, 1, 0, 0), 0),
    ("a report of failures, and an exit status of 0", put(BAD), "valid",
     (1, 0, 1, 0), 0),
    ("a report of success, and an exit status of 3", put(GOOD) + "; exit 3",
     "rejected", "counts_disagree_with_exit", 3),
    ("a report of failures, and an exit status of 3", put(BAD) + "; exit 3",
     "valid", (1, 0, 1, 0), 3),
    ("none", "true", "absent", "report_missing", 0),
    ("none, and a failure", "exit 1", "absent", "report_missing", 1),
    ("an empty one", ": >" + PATH, "malformed", "not_xml", 0),
    ("half of one", put(GOOD[:30]) + "; exit 1", "malformed", "not_xml", 1),
    ("an error after a test that passed, counted as pytest does",
     put("<testsuite tests='2' failures='0' errors='1'><testcase name='a'>"
         "<error/></testcase></testsuite>") + "; exit 1", "valid",
     (1, 0, 1, 0), 1),
    ("a lie", put(GOOD.replace("1", "2", 1)), "rejected", "counts_disagree", 0),
    ("a lie, and a failure", put(GOOD.replace("1", "2", 1)) + "; exit 1",
     "rejected", "counts_disagree", 1),
    ("entities", put(BOMB), "malformed", "doctype", 0),
    ("bytes that are no UTF-8", "printf '<testsuite name=\"\\377\"/>' >" + PATH,
     "malformed", "not_xml", 0),
    ("a NUL", "printf '<testsuite name=\"\\000\"/>' >" + PATH, "malformed",
     "not_xml", 0),
    ("deep nesting", "yes '<testsuite>' | head -n 100000 >" + PATH,
     "malformed", "too_deep", 0),
    ("a million attributes", "(printf '<testsuite'; seq -f \" a%.0f=''\" "
     "1000000; printf '/>') >" + PATH, "valid", (0, 0, 0, 0), 0),
    ("a link to a host's file", "ln -s @HOST@/r " + PATH, "rejected",
     "report_refused", 0),
    ("a link to a report", put(GOOD) + "1; ln -s r1 " + PATH, "rejected",
     "report_refused", 0),
    ("a link on the way", "ln -s @HOST@ /scratch/d", "rejected",
     "report_refused", 0, "junit:/scratch/d/r"),
    ("a link on the way, to what is inside", "mkdir /scratch/e; ln -s e "
     "/scratch/d; " + put(GOOD).replace(PATH, "/scratch/e/r"), "rejected",
     "report_refused", 0, "junit:/scratch/d/r"),
    ("a fifo", "mkfifo " + PATH, "rejected", "report_refused", 0),
    ("a directory", "mkdir " + PATH, "rejected", "report_refused", 0),
    ("a sparse file of zeros", "truncate -s 8M " + PATH, "malformed",
     "not_xml", 0),
    ("a sparse file over the cap", "truncate -s 33M " + PATH, "too_large",
     "report_too_large", 0),
    ("one that nobody may read", put(GOOD) + "; chmod 0 " + PATH, None, None,
     0),
    ("one in the overlay", "printf '%s' \"" + GOOD + "\" >/repo/r", "valid",
     (1, 1, 0, 0), 0, "junit:/repo/r"),
    ("standard output", "echo 1..1; echo ok 1 - a", "valid", (1, 1, 0, 0), 0,
     "tap:stdout"),
    ("standard error", "echo 1..1 >&2; echo not ok 1 - a >&2; exit 4",
     "valid", (1, 0, 1, 0), 4, "tap:stderr"),
    ("an output over its cap", "head -c 2000000 /dev/zero", "too_large",
     "report_too_large", 0, "tap:stdout"),
    ("no output", "true", "absent", "report_missing", 0, "tap:stdout"),
    ("a directory of reports, summed", "mkdir /scratch/d; " +
     put(GOOD).replace(PATH, "/scratch/d/1") + "; " +
     put(BAD).replace(PATH, "/scratch/d/2") + "; " +
     put(GOOD).replace(PATH, "/scratch/d/3") + "; exit 1", "valid",
     (3, 2, 1, 0), 1, "junit:/scratch/d/"),
    ("a directory of reports, one of them broken", "mkdir /scratch/d; " +
     put(GOOD).replace(PATH, "/scratch/d/1") + "; echo >/scratch/d/2",
     "malformed", "not_xml", 0, "junit:/scratch/d/"),
    ("a directory of reports, one of them a lie", "mkdir /scratch/d; " +
     put(GOOD).replace(PATH, "/scratch/d/1") + "; " +
     put(GOOD.replace("1", "2", 1)).replace(PATH, "/scratch/d/2"),
     "rejected", "counts_disagree", 0, "junit:/scratch/d/"),
    ("a directory of reports, one of them a link", "mkdir /scratch/d; " +
     put(GOOD).replace(PATH, "/scratch/d/1") +
     "; ln -s @HOST@/r /scratch/d/2", "rejected", "report_refused", 0,
     "junit:/scratch/d/"),
    ("a directory that is a link", "ln -s @HOST@ /scratch/d", "absent",
     "report_missing", 0, "junit:/scratch/d/"),
    ("a directory in a directory", "mkdir -p /scratch/d/e", "rejected",
     "report_refused", 0, "junit:/scratch/d/"),
    ("no directory of reports", "true", "absent", "report_missing", 0,
     "junit:/scratch/d/"),
    ("more reports than are read", "mkdir /scratch/d; cd /scratch/d; i=0; "
     "while [ $i -lt 257 ]; do i=$((i + 1)); : >$i; done", "too_large",
     "too_many_reports", 0, "junit:/scratch/d/"),
    ("reports over the cap together", "mkdir /scratch/d; truncate -s 20M "
     "/scratch/d/1 /scratch/d/2", "too_large", "report_too_large", 0,
     "junit:/scratch/d/"),
    ("descriptor 3, which is not asked", put(GOOD) + "; echo 1 >&3", "valid",
     (1, 1, 0, 0), 0),
    ("descriptor 3 alone", "echo '{}' >&3", "absent", "report_missing", 0),
    ("a credential's name in it", put(BAD.replace("'a'", "'api_key'")),
     "valid", (1, 0, 1, 0), 0),
]


# For each refused row a control, without the wall or with an honest report:
# name: walls to take down, or None; what the command does, or None for the same;
# payload_status, code (or the counts)
SPACES = "head -c %d /dev/zero | tr '\\0' '%s'"
CONTROLS = {
    "entities": (None, put("<testsuite name='aaaa'/>"), "valid",
                 (0, 0, 0, 0)),
    "bytes that are no UTF-8": (
        None, "printf '<testsuite name=\"\\303\\251\"/>' >" + PATH, "valid",
        (0, 0, 0, 0)),
    "a NUL": (None, "printf '<testsuite name=\"\\101\"/>' >" + PATH, "valid",
              (0, 0, 0, 0)),
    "deep nesting": (None, put("<testsuite>" * 60 + "</testsuite>" * 60),
                     "valid", (0, 0, 0, 0)),
    "a link to a host's file": ("artifact_links", None, "valid",
                                (1, 1, 0, 0)),
    "a link to a report": ("artifact_links", None, "valid", (1, 1, 0, 0)),
    "a link on the way": ("artifact_links", None, "valid", (1, 1, 0, 0)),
    "a link on the way, to what is inside": ("artifact_links", None, "valid",
                                             (1, 1, 0, 0)),
    "a directory of reports, one of them a link": (
        "artifact_links", None, "valid", (2, 2, 0, 0)),
    "a directory that is a link": ("artifact_links", None, "valid",
                                   (1, 1, 0, 0)),
    "more reports than are read": (
        None, "mkdir /scratch/d; cd /scratch/d; i=0; while [ $i -lt 256 ]; do "
        "i=$((i + 1)); " + put(GOOD).replace(PATH, "$i") + "; done", "valid",
        (256, 256, 0, 0)),
    "a fifo": ("artifact_kind", None, "rejected", "report_unreadable"),
    "a directory": ("artifact_kind", None, "rejected", "report_unreadable"),
    "a sparse file over the cap": (
        None, "(%s; %s) >%s" % (put(GOOD)[:-len(">" + PATH)],
                                SPACES % ((32 << 20) - 1000, " "), PATH),
        "valid", (1, 1, 0, 0)),
    "an output over its cap": (
        None, "echo 1..1; echo ok 1; " + SPACES % (1000000, "\\n"), "valid",
        (1, 1, 0, 0)),
}
HOST = {}  # for each user, a directory of the host with a report in it


def go(user, script, source, drop=None):
    if user not in HOST:
        HOST[user] = lib.make_dir(user)
        lib.put(user, HOST[user] + "/r", GOOD)
    return lib.go(user, ["--profile", "test", "--repo-mode", "overlay",
                         "--report", source], "sh", "-c",
                  script.replace("@HOST@", HOST[user]),
                  **({"program": "tests/cupel-testing",
                      "env": {"CUPEL_TEST_GATHER_DROP": drop}}
                     if drop else {}))


def judge(tap, user, row, drop=None):
    name, script, status, what, rc = row[:5]
    r = go(user, script, row[5] if len(row) > 5 else "junit:" + PATH, drop)
    d = r.json
    if not tap.ok(d and d["rc"] == rc and r.rc == rc and d["status"] ==
                  ("FAILED" if rc else "OK"),
                  "%s: the command's end is its own [%s]" % (name, user),
                  r.brief()):
        return
    good = status in (None, d["payload_status"])
    if isinstance(what, str):
        good = good and d["payload_error"] and \
            d["payload_error"]["code"] == what and d["payload"] is None
    elif what:
        t = (d["payload"] or {}).get("tests", {})
        good = good and d["payload_error"] is None and what == tuple(
            t.get(k) for k in ("total", "passed", "failed", "skipped"))
    tap.ok(good, "%s: %s [%s]" % (name, status, user), r.brief())
    RESULTS.append(d)


def control(tap, user, row):
    down, script, status, what = CONTROLS[row[0]]
    name = "%s, %s" % (row[0], "without its wall" if down else "its twin")
    judge(tap, user, (name, script or row[1], status, what, 0) + row[5:], down)


def a_person_is_told(tap, user):
    for script, option, line in (
            (put(BAD), [], b"cupel: tests: 0 passed, 1 failed, 0 skipped\n"),
            ("exit 1", [], b"cupel: --report: report_missing: " +
             PATH.encode()),
            (put(GOOD.replace("1", "2", 1)), [],
             b"cupel: --report: counts_disagree: the report says tests: 2, "
             b"and has 1\n"),
            ("exit 4", ["--report", "junit:/scratch/reports/"],
             b"cupel: --report: report_missing: /scratch/reports/: the command "
             b"left no report (see its output); pytest writes one with "
             b"--junitxml=FILE, "),
            (put(BAD), ["--quiet"], None)):
        r = lib.run([lib.binary("cupel"), "run", "--repo-mode", "none",
                     "--profile", "test", "--report", "junit:" + PATH] +
                    option + ["--", "sh", "-c", script], user)
        tap.ok(r.err.startswith(line) if line else r.err == b"",
               "a person is told: %s [%s]" % (line, user), r.brief())


def others(tap, user):
    r = lib.go(user, ["--profile", "test", "--report", "junit:" + PATH],
               "/no/such")
    tap.ok(r.rc == 127 and r.json["payload_status"] == "absent" and
           r.json["payload_error"] is None,
           "a command that never ran has no report [%s]" % user, r.brief())
    r = lib.go(user, ["--profile", "pytest", "--report", "none",
                      "--repo", lib.repo(user)], "sh", "-c",
               "echo 1 >&3")
    tap.ok(r.json and r.json["payload"] == 1,
           "without a report it is descriptor 3 [%s]" % user, r.brief())
    grows = ("(while :; do echo '<testsuite>'; done) >>" + PATH +
             " & while [ ! -s " + PATH + " ]; do :; done")
    r = go(user, grows, "junit:" + PATH)
    tap.ok(r.json and r.json["status"] == "OK" and
           r.json["payload_status"] in ("malformed", "too_large"),
           "a report that grows is read when it cannot any more [%s]" % user,
           r.brief())
    for option, part in (("junit:r", b"expected FORMAT:FROM"),
                         ("html:/scratch/r", b"expected FORMAT:FROM"),
                         ("junit:/scratch/../r", b"expected FORMAT:FROM"),
                         ("junit:", b"expected FORMAT:FROM"),
                         ("junit:/etc/r", b"the command cannot write at"),
                         ("junit:/repo/r", b"the command cannot write at")):
        r = lib.go(user, ["--profile", "test", "--report", option], "true")
        tap.ok(r.rc == 2 and part in r.err,
               "--report %s is refused [%s]" % (option, user), r.brief())
    r = lib.go(user, ["--profile", "pytest", "--result-schema", "/dev/null"],
               "true")
    tap.ok(r.rc == 2 and b"give --report none" in r.err,
           "a schema of one's own is for another payload [%s]" % user,
           r.brief())


def ctest_is_told(tap, user):
    """A command that is named ctest gets the option for its report, and the result
    has it (docs/packaging.md)."""
    repo = lib.make_dir(user)
    lib.put(user, repo + "/ctest", "#!/bin/sh\n[ \"$1\" = --output-junit ] && "
            "printf '%%s' \"%s\" >\"$2\"\necho \"$@\"\n" % GOOD, 0o755)
    added = ["--output-junit", "/scratch/report.xml", "-V"]
    r = lib.cupel(["--profile", "ctest", "--repo", repo], ["/repo/ctest", "-V"], user)
    d = r.json or {}
    tap.equal((d.get("cmd"), d.get("stdout"), d.get("payload_status")),
              (["/repo/ctest"] + added, " ".join(added) + "\n", "valid"),
              "ctest is told where to write, and the result says so [%s]" % user,
              r.brief())
    RESULTS.append(d)
    r = lib.run([lib.binary("cupel"), "plan", "--profile", "ctest", "--repo", repo,
                 "--", "/repo/ctest", "-V"], user)
    tap.equal(json.loads(r.out)["command"], ["/repo/ctest"] + added,
              "and so does the plan [%s]" % user, r.brief())


def published(tap):
    for name, values in (
            ("result", RESULTS),
            ("tests", [d["payload"] for d in RESULTS if d["payload"]])):
        path = lib.schema_files()[name]
        text = "\n".join(json.dumps(v) for v in values)
        r = subprocess.run([lib.binary("cupel"), "validate", "--lines",
                            "--schema", path, "-"], input=text.encode(),
                           capture_output=True, timeout=lib.CLOCK_S)
        tap.ok(r.returncode == 0 and len(values) > 3,
               "every one is valid against the schema " + name,
               [x for x in r.stdout.decode().splitlines() if "false" in x][:1])


def main():
    tap = lib.Tap()
    users = lib.users()
    for user in users:
        ctest_is_told(tap, user)
        for i, row in enumerate(ROWS):
            if lib.is_due(i, user, users):
                judge(tap, user, row)
                if row[0] in CONTROLS and \
                        os.environ.get("CUPEL_CONTROLS") != "no":
                    control(tap, user, row)
        if lib.is_due(0, user, users):
            others(tap, user)
            a_person_is_told(tap, user)
    published(tap)
    tap.done()


main()
