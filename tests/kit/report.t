#!/usr/bin/env python3
"""report.t -- cupel report junit and cupel profile find: hostile names of tests and
files cannot end an attribute, and no file in a checkout is opened."""
import json
import os
import sys
import xml.etree.ElementTree

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                "../live"))
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from action_lib import HOSTILE  # noqa: E402
import lib  # noqa: E402

tap = lib.Tap()
ELEMENTS = {"testsuites", "testsuite", "properties", "property", "testcase",
            "failure", "skipped"}
MORE = ["\"/><system-out>x</system-out>", "' x='1", "]]>", "<!-- -->", "&amp;",
        "&x;", "<?xml version='1.0'?>", "<!DOCTYPE a [<!ENTITY x 'y'>]>",
        "\x00\x01\x08\x0b\x0c\x1f\x7f", "\x80\x9f", "\ufffe\uffff", "\t\n\r",
        "\u202e\u2066", "\U0001f600 \u00e9", ""]


def tests_of(name, **more):
    t = {"format": "tap", "total": 3, "passed": 1, "failed": 1, "skipped": 1,
         "failures": [name], "failures_omitted": 0, "inventory_hash": None,
         "details": [{"name": name, "message": name, "file": name, "line": 4,
                      "duration_ms": 1250}],
         "reports": 1, "warnings": [],
         "names": {"passed": [name + "p"], "failed": [name],
                   "skipped": [name + "s"], "omitted": 0}}
    t.update(more)
    return {"status": "FAILED", "rc": 1, "payload": {"tests": t}}


def report(result):
    path = lib.make_dir("user") + "/r.json"
    text = result if isinstance(result, bytes) else json.dumps(result).encode()
    return lib.run([lib.binary("cupel"), "report", "junit",
                    lib.put("user", path, text)], "user")


def shown(text):
    """The text as XML may have it: characters that XML forbids, or that change the
    direction of text, become U+FFFD."""
    return "".join("\ufffd" if ord(c) < 32 or 127 <= ord(c) < 160 or c in
                   "\ufffe\uffff\u061c\u200e\u200f" or "\u202a" <= c <= "\u202e"
                   or "\u2066" <= c <= "\u2069" else c for c in text)


def hostile():
    for name in [x for x in HOSTILE if x != "\ud800"] + MORE:
        r = report(tests_of(name))
        if not tap.equal(r.rc, 0, "%.20r: is written" % name, r.err):
            continue
        tap.ok(b"<!" not in r.out and b"\x1b" not in r.out,
               "%.20r: no document type, no control" % name, r.out)
        top = xml.etree.ElementTree.fromstring(r.out)
        cases = list(top.iter("testcase"))
        got = [c.get("name") for c in cases]
        tap.equal(got, [shown(name), shown(name) + "p", shown(name) + "s"],
                  "%.20r: is a name and nothing else" % name)
        bad = cases[0]
        tap.ok({e.tag for e in top.iter()} <= ELEMENTS and
               set(bad.attrib) == {"classname", "name", "file", "line", "time"}
               and bad.get("file") == shown(name) and bad.get("time") == "1.250"
               and bad[0].get("message") == shown(name) and
               set(bad[0].attrib) == {"message"},
               "%.20r: adds no element and no attribute" % name, r.out)
        tap.equal([top.get(k) for k in ("tests", "failures", "skipped")],
                  ["3", "1", "1"], "%.20r: the counts" % name)


def unnamed():
    t = tests_of("a", total=70, passed=60, failed=9, details=[])
    del t["payload"]["tests"]["names"]
    top = xml.etree.ElementTree.fromstring(report(t).out)
    more = {p.get("name"): p.get("value") for p in top.iter("property")}
    tap.ok(top.get("tests") == "1" and more == {
        "passed_unnamed": "60", "failed_unnamed": "8", "skipped_unnamed": "1"},
        "what is not named is a property", more)


def refused():
    for what, result, rc in (
            ("no payload", {"status": "OK", "payload": None,
                            "payload_error": None}, 1),
            ("no payload, and why", {"payload": None, "payload_error":
                                     {"code": "\x1bx", "message": "y"}}, 1),
            ("another payload", {"payload": {"a": 1}}, 2),
            ("a number for a name", tests_of("a", failures=[3]), 2),
            ("no JSON", b"<xml/>", 2), ("nothing", b"", 2),
            ("a name twice", b'{"payload": null, "payload": null}', 2)):
        r = report(result) if isinstance(result, (dict, bytes)) else None
        tap.ok(r.rc == rc and r.out == b"" and b"\x1b" not in r.err and
               r.err.startswith(b"cupel: report: "),
               "%s: is told, and nothing is written" % what, r.brief())
    r = lib.run([lib.binary("cupel"), "report", "junit", "/nonexistent"], "user")
    tap.equal(r.rc, 2, "a file that is not there")


# what is in the repository ("/" a directory, "@" a link to a real file, "|" a
# fifo), the command, the profile
FITS = [
    ([], None, "test"), (["pyproject.toml"], None, "pytest"),
    (["package.json"], None, "npm-test"), (["go.mod"], None, "go-test"),
    (["Cargo.toml"], None, "cargo-test"), (["CMakeLists.txt"], None, "ctest"),
    (["Makefile.am"], None, "automake"), (["Makefile.PL"], None, "prove"),
    (["package.json/"], None, "test"), (["@package.json"], None, "test"),
    (["|package.json"], None, "test"), (["@go.mod", "Cargo.toml"], None,
                                        "cargo-test"),
    (["package.json"], "cd x && /usr/bin/python3 -m pytest -q", "pytest"),
    (["pyproject.toml"], "npm ci\nnpm test", "npm-test"),
    (["pyproject.toml"], "make test", "pytest"),
    ([], "python3 -m unittest", "unittest"), ([], "prove -r t", "prove"),
    ([], "ctest --test-dir build", "ctest"), ([], "./go.sh; cargo-x", "test"),
    ([], "echo mypytest pytest2 go_", "test"), ([], "", "test"),
]


def fits():
    for names, command, want in FITS:
        repo = lib.make_dir("user")
        for n in names:
            path = os.path.join(repo, n.strip("/@|"))
            if n[0] == "@":
                os.symlink("/etc/passwd", path)
            elif n[0] == "|":
                os.mkfifo(path)
            elif n[-1] == "/":
                os.mkdir(path)
            else:
                # unreadable: opening it would fail
                lib.put("user", path, "\x00{", 0)
        words = [repo] + ([] if command is None else [command])
        r = lib.run([lib.binary("cupel"), "profile", "find"] + words, "user")
        tap.equal((r.rc, r.out), (0, want.encode() + b"\n"),
                  "profile find %s %r: %s" % (names, command, want))


# The words after "--", the profile, and what is said about it.
PERSONS = [
    ([], "make check", "test", "no known runner"),
    (["Makefile.am"], "make check", "automake", "has Makefile.am"),
    (["package.json"], "npm test", "npm-test", "has 'npm'"),
    ([], "pytest -q", "pytest", "has 'pytest'"),
    (["go.mod"], "go test ./...", "go-test", "has 'go'"),
    (["Cargo.toml"], "cargo test", "cargo-test", "has 'cargo'"),
    (["CMakeLists.txt"], "ctest --test-dir b", "ctest", "has 'ctest'"),
    (["tox.ini"], "tox", "pytest", "has tox.ini"),
    (["pom.xml"], "mvn test", "test", "--repo-mode overlay"),
]


def persons():
    find = [lib.binary("cupel"), "profile", "find"]
    for names, command, want, why in PERSONS:
        repo = lib.make_dir("user")
        for n in names:
            lib.put("user", os.path.join(repo, n), "")
        r = lib.run(find + [repo, "--"] + command.split(), "user")
        here = lib.run(find + ["--"] + command.split(), "user", cwd=repo)
        run = "try: cupel run --profile %s -- %s\n" % (want, command)
        there = run.replace(" -- ", " --repo %s -- " % repo, 1)
        tap.ok(r.rc == 0 and r.out == want.encode() + b"\n" and
               why.encode() in r.err and there.encode() in r.err and
               (here.rc, here.out, here.err.decode()) ==
               (0, r.out, r.err.decode().replace(there, run)),
               "profile find -- %s: %s" % (command, want), r.brief())
    r = lib.run(find + [repo, "--", "sh", "-c", "echo 'it'; prove t"], "user")
    tap.ok((r.rc, r.out) == (0, b"prove\n") and
           b"-- sh -c 'echo '\\''it'\\''; prove t'\n" in r.err,
           "profile find: words as a shell reads them", r.brief())
    odd = os.path.join(lib.make_dir("user"), "it's one")
    os.mkdir(odd)
    r = lib.run(find + [odd, "--", "npm", "test"], "user")
    tap.ok(r.rc == 0 and b"--repo '" + odd.replace("'", "'\\''").encode() +
           b"' -- npm test\n" in r.err,
           "profile find: and the repository, too", r.brief())
    for words, told in ((["make", "check", "x"], b"find -- make check"),
                        ([".", "make", "--", "check"], b"find -- make check"),
                        (["--"], b"needs a command"),
                        (["nosuch", "--", "make"], b"No such file")):
        r = lib.run(find + words, "user")
        tap.ok(r.rc == 2 and told in r.err and r.out == b"",
               "profile find %s: is told" % " ".join(words), r.brief())


hostile()
unnamed()
refused()
fits()
persons()
tap.done()
