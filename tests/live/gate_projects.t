#!/usr/bin/env python3
"""gate_projects.t -- the three shipped gates over whole projects: npm with a
lockfile, pyflakes under pytest, C with CMake and ctest.

For each: its baseline; a change that breaks a test and that a planner repairs; one
that fails the same way three times; one that connects to a host outside; and what
show says about them."""
import json
import os
import shutil
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True
import gate_place  # noqa: E402
import lib  # noqa: E402

SEMVER = "/usr/lib/node_modules/npm/node_modules/semver"
SEMVERS = (SEMVER, "/usr/share/nodejs/semver")
PYFLAKES = "/usr/lib/python3/dist-packages/pyflakes"
OUTSIDE = ("203.0.113.9", 4443)  # an address for documentation: no host has it

NODE = {
    "package.json": {"name": "app", "version": "1.0.0",
                     "scripts": {"test": "node --test"}},
    "range.js": "const semver = require('semver')\n"
                "exports.newest = (list, range) =>\n"
                "  semver.maxSatisfying(list, range)\n",
    "range.test.js": """const test = require('node:test')
const assert = require('node:assert')
const { newest } = require('./range.js')
test('the newest of a range', () =>
  assert.equal(newest(['1.2.3', '1.3.0', '2.0.0'], '^1.0.0'), '1.3.0'))
test('none of a range', () => assert.equal(newest(['2.0.0'], '^1'), null))
""",
}

C = {
    "CMakeLists.txt": """cmake_minimum_required(VERSION 3.10)
project(words C)
enable_testing()
add_library(words words.c)
foreach(name count longest)
  add_executable(test_${name} test_${name}.c)
  target_link_libraries(test_${name} words)
  add_test(NAME ${name} COMMAND test_${name})
endforeach()
""",
    "words.h": "unsigned words_count(const char *s);\n"
               "unsigned words_longest(const char *s);\n",
    "words.c": """#include "words.h"
#include <string.h>

unsigned words_count(const char *s)
{
	unsigned n = 0;

	for (s += strspn(s, " "); *s != '\\0'; s += strspn(s, " ")) {
		n++;
		s += strcspn(s, " ");
	}
	return n;
}

unsigned words_longest(const char *s)
{
	size_t most = 0;

	for (s += strspn(s, " "); *s != '\\0'; s += strspn(s, " ")) {
		size_t n = strcspn(s, " ");

		most = n > most ? n : most;
		s += n;
	}
	return (unsigned)most;
}
""",
    "test_count.c": "#include \"words.h\"\n"
                    "int main(void) { return words_count(\" a bc  d \") != 3; }\n",
    "test_longest.c": "#include \"words.h\"\n"
                      "int main(void) { return words_longest(\"a bcd\") != 3; }\n",
}

REACH_C = """#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include "words.h"
int main(void)
{
	struct sockaddr_in to = { .sin_family = AF_INET,
				  .sin_port = htons(%d) };
	inet_pton(AF_INET, "%s", &to.sin_addr);
	connect(socket(AF_INET, SOCK_STREAM, 0), (void *)&to, sizeof to);
	return words_count(" a bc  d ") != 3;
}
"""


def node_make(user):
    """A project that pins npm's own semver, from an archive beside it."""
    place = gate_place.Place(user, "node-validate", {
        k: v if isinstance(v, str) else json.dumps(v)
        for k, v in NODE.items()})
    source = [p for p in SEMVERS if os.path.isdir(p)]
    if not shutil.which("npm") or not source:
        return None
    os.mkdir(place.tree + "/vendor", 0o755)
    lib.give(user, place.tree + "/vendor")
    script = ("cd vendor && file=$(npm pack --silent --offline %s) && cd .. && "
              "npm install --offline --package-lock-only ./vendor/$file"
              % source[0])
    r = lib.run(["sh", "-c", script], user, cwd=place.tree,
                env={"HOME": place.top})
    if r.rc != 0:
        raise OSError("npm made no lockfile: %s" % r.brief())
    return place


def python_make(user):
    if not os.path.isdir(PYFLAKES + "/test"):
        return None
    place = gate_place.Place(user, "python-validate", {"README": "\n"})
    # test_api has cases for which the command must be installed
    gate_place.copy_into(user, PYFLAKES, place.tree + "/pyflakes",
                         leave=["test_api.py"])
    return place


def c_make(user):
    if not shutil.which("cmake") or not shutil.which("cc"):
        return None
    return gate_place.Place(user, "c-validate", C)


# How to make it; file, good, bad: a test breaks; file, old, new: it connects to a
# host outside.
PROJECTS = {
    "node": (node_make, ("range.js", "maxSatisfying", "minSatisfying"),
             ("range.js", "const semver",
              "require('net').connect(%d, '%s').on('error', () => {})\n"
              "const semver" % (OUTSIDE[1], OUTSIDE[0]))),
    "python": (python_make, ("pyflakes/messages.py",
                             "'redefinition of unused %r from line %r'",
                             "'redefinition of unused %r'"),
               ("pyflakes/messages.py", "class Message",
                "import socket\n"
                "socket.socket().connect_ex(('%s', %d))\n\n\nclass Message"
                % OUTSIDE)),
    "c": (c_make, ("words.c", "n++", "n += 2"),
          ("test_count.c", C["test_count.c"], REACH_C % OUTSIDE[::-1])),
}

tap = lib.Tap()


def shown(place, number):
    """What a person sees of the gate with that number: (text, page)."""
    page = place.top + "/page.html"
    which = ["--state", place.state, "--number", str(number)]
    text = place.verb("show", *which)
    html = place.verb("show", "--html", page, *which)
    if text.rc or html.rc:
        return text.brief() + html.brief(), ""
    with open(page) as f:
        return text.out.decode(), f.read()


def is_mended(place, name, edit):
    file, good, bad = edit
    place.edit(file, good, bad)
    with open(place.top + "/plan.py", "w") as f:
        f.write("import os, sys\np = os.environ['CUPEL_WORKTREE'] + %r\n"
                "t = open(p).read()\nopen(p, 'w').write(t.replace(%r, %r))\n"
                % ("/" + file, bad, good))
    r = place.run("--replan", "python3 -B %s/plan.py" % place.top)
    attempts = (r.json or {}).get("attempts", [])
    tap.ok(r.rc == 0 and [a["passed"] for a in attempts] == [False, True] and
           attempts[0]["failing_signals"] == ["tests"],
           "%s: a broken test is mended on attempt 2" % name,
           gate_place.told(r))
    kept = [{e["path"] for e in x["evidence"] if e["name"].startswith("run")}
            for x in place.records() if x["kind"] == "attempt.ended"]
    phases = len({x["phase"] for x in place.records()
                  if x["kind"] == "run.ended"})
    tap.ok(len(kept) == 2 and len(kept[0]) == len(kept[1]) == phases and
           not kept[0] & kept[1],
           "%s: each attempt has its own evidence" % name, kept)
    failures = gate_place.signal_of(r, "tests", 0).get("details", {}).get(
        "failures", [])
    text, page = shown(place, 1)
    tap.ok(failures and "attempt 2: passed" in text and
           failures[0].split("::")[-1].split()[0] in text and
           max(len(line) for line in text.splitlines()) <= 80,
           "%s: show names the test that failed" % name, (failures, text))
    tap.ok("Attempt 1: <span class=\"bad\">failed" in page and
           "Attempt 2: <span class=\"good\">passed" in page,
           "%s: so does the page" % name, page[:800])


def is_given_up(place, name, edit):
    file, good, bad = edit
    was = place.edit(file, good, bad)
    r = place.run("--replan", "true")
    lib.put(place.user, os.path.join(place.tree, file), was)
    text, page = shown(place, 2)
    tap.ok(r.rc == 12 and r.json["outcome"] == "failed_unrecoverable" and
           [a["failing_signals"] for a in r.json["attempts"]] ==
           [["tests"]] * 3 and "same_signals" in text and
           "failed_unrecoverable" in page,
           "%s: the same failure three times is unrecoverable" % name,
           gate_place.told(r))


def is_named(place, name, edit):
    was = place.edit(*edit)
    r = place.run("--replan", "touch %s/asked" % place.top)
    lib.put(place.user, os.path.join(place.tree, edit[0]), was)
    text, page = shown(place, 3)
    new = gate_place.signal_of(r, "trace").get("details", {}).get(
        "new_endpoints", [])
    tap.ok(r.rc == 11 and r.json["reason"] == "not_retryable" and
           r.json["attempts"][0]["failing_signals"] == ["trace"] and
           [(e["address"], e["port"]) for e in new] == [OUTSIDE],
           "%s: a connection out escalates" % name, gate_place.told(r))
    tap.ok(OUTSIDE[0] in text and OUTSIDE[0] in
           "".join(page.split("<mark>")[1:]) and
           not os.path.exists(place.top + "/asked"),
           "%s: it is named, and no planner is asked" % name, text)


def project(kind, user, is_whole):
    make, breaks, reaches = PROJECTS[kind]
    name = "%s, %s" % (user, kind)
    place = make(user)
    if place is None:
        tap.ok(True, "%s # SKIP no such tools here" % name)
        return
    base = place.baseline()
    if not tap.ok(base.rc == 0, "%s: it has a baseline" % name, base.brief()):
        return
    is_mended(place, name, breaks)
    if is_whole:
        is_given_up(place, name, breaks)
        is_named(place, name, reaches)
    r = place.verify()
    tap.ok(r.rc == 0, "%s: the ledger is whole" % name, r.brief())


def main():
    launchers = lib.users()
    is_whole = os.environ.get("CUPEL_TIER") != "quick"
    for number, kind in enumerate(PROJECTS):
        for user in launchers:
            if lib.is_due(number, user, launchers):
                project(kind, user, is_whole)
    tap.done()


main()
