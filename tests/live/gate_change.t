#!/usr/bin/env python3
"""gate_change.t -- what changed in packages and lockfiles: rules see it of every
language, and the page of a gate shows it, hostile names as text.

Where a Chromium is, it opens the page at 1280 and 390 pixels, light and dark; a
script in a name would have run there."""
import copy
import json
import os
import shutil
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True
import gate_place  # noqa: E402
import lib  # noqa: E402
from gate_page import Page, page_faults  # noqa: E402

tap = lib.Tap()
SHA = "sha512-" + "A" * 86 + "=="
EVIL = "<img src=x onerror=document.title='ran'>\u202e\"'</td><script>"

GATES = """gates:
  g:
    phases:
      - {name: build, profile: test, command: ["true"]}
    signals:
      build: {}
      policy: {blake3: "@RULES@"}
    required: [build, policy]
"""


def locked(name, version, host="registry.example", **more):
    return dict({"version": version, "integrity": SHA, "resolved":
                 "https://%s/%s/-/%s-%s.tgz" % (host, name, name, version)},
                **more)


PACKAGE = {"name": "app", "version": "1.0.0",
           "scripts": {"test": "node --test"},
           "dependencies": {"a": "^1", "b": "^1", "c": "^1"}}
LOCK = {"name": "app", "version": "1.0.0", "lockfileVersion": 3, "packages": {
    "": {"name": "app", "version": "1.0.0",
         "dependencies": PACKAGE["dependencies"]},
    "node_modules/a": locked("a", "1.0.0"),
    "node_modules/b": locked("b", "1.0.0"),
    "node_modules/c": locked("c", "1.0.0")}}

POETRY = """[[package]]
name = "%s"
version = "%s"
description = ""
optional = false
python-versions = "*"
files = []
%s
[metadata]
lock-version = "2.0"
python-versions = "*"
content-hash = "00"
"""
PYPROJECT = """[project]
name = "app"
version = "1.0"
dependencies = ["requests>=2"]
"""
BASE = {"package.json": json.dumps(PACKAGE),
        "package-lock.json": json.dumps(LOCK),
        "pyproject.toml": PYPROJECT,
        "requirements.txt": "idna==3.6\n",
        "poetry.lock": POETRY % ("requests", "2.31.0", "")}


def lock_changed():
    lock = copy.deepcopy(LOCK)
    of = lock["packages"]
    of["node_modules/a"] = locked("a", "1.2.0")
    del of["node_modules/b"]
    of["node_modules/c"] = locked("c", "1.0.0", "evil.example")
    of["node_modules/d"] = locked("d", "2.0.0")
    del of["node_modules/d"]["integrity"]
    of["node_modules/" + EVIL] = locked("e", "1.0.0")
    return json.dumps(lock)


GIT = '[package.source]\ntype = "git"\nurl = "https://evil.example/r.git"\n' \
      'reference = "main"\nresolved_reference = "%s"\n' % ("0" * 40)
# name, what is changed, the rule that is broken, or None
RULED = [
    ("a requirement from a URL", {"requirements.txt": "idna==3.6\n"
                                  "evil @ https://evil.example/e-1.tar.gz\n"},
     "no-new-origin"),
    ("a declared dependency from git", {"pyproject.toml": PYPROJECT.replace(
        "requests>=2", "requests @ git+https://evil.example/r.git")},
     "no-new-origin"),
    ("a locked package from git",
     {"poetry.lock": POETRY % ("requests", "2.31.0", GIT)}, "no-new-origin"),
    ("a Cargo.lock that takes from git", {"Cargo.lock":
     'version = 3\n[[package]]\nname = "x"\nversion = "1.0.0"\n'
     'source = "git+https://evil.example/x.git#%s"\n' % ("0" * 40)},
     "no-new-origin"),
    ("a lockfile that cannot be read", {"poetry.lock": "[[package\n"},
     "facts-complete"),
    ("another version of the registry's",
     {"poetry.lock": POETRY % ("requests", "2.32.0", "")}, None),
    ("a requirement more of the registry's",
     {"requirements.txt": "idna==3.6\ncertifi==2024.2.2\n"}, None),
]


def make(user):
    with open(os.path.join(lib.SRC, "profiles/gates/shipped.yaml")) as f:
        rules = f.read().split("blake3: ")[1].split()[0]
    place = gate_place.Place(user, "g", BASE, GATES.replace("@RULES@", rules))
    r = place.baseline()
    tap.ok(r.rc == 0, "%s: it has a baseline" % user, r.brief())
    return place


def broken_of(r):
    s = gate_place.signal_of(r, "policy")
    return [b["id"] for b in s.get("details", {}).get("broken", [])]


def rules_see_all(place):
    for name, files, rule in RULED:
        gate_place.write(place.user, place.tree, files)
        r = place.run()
        tap.ok(r.rc == (11 if rule else 0) and
               broken_of(r) == ([rule] if rule else []),
               "%s: %s: %s" % (place.user, name, rule or "no rule is broken"),
               gate_place.told(r))
        for file in files:
            if file in BASE:
                gate_place.write(place.user, place.tree, {file: BASE[file]})
            else:
                os.unlink(os.path.join(place.tree, file))


def page_of(place):
    file = place.top + "/page.html"
    r = place.verb("show", "--state", place.state, "--html", file)
    if r.rc:
        return file, r.brief()
    with open(file) as f:
        return file, f.read()


def the_page_shows_it(place):
    r = place.run()
    file, text = page_of(place)
    tap.ok(r.rc == 0 and "what changed" not in text,
           "%s: of a tree that is as it was, nothing is shown" % place.user,
           gate_place.told(r))
    gate_place.write(place.user, place.tree, {
        "package-lock.json": lock_changed(),
        "poetry.lock": POETRY % ("requests", "2.32.0", "")})
    r = place.run()
    file, text = page_of(place)
    change = json.loads(place.evidence("change.json"))["change"]
    found = {(p["name"], p["what"], p["before"], p["now"], p["source"])
             for p in change["packages"]}
    lock = "package-lock.json"
    want = {("a", "changed", "1.0.0", "1.2.0", lock),
            ("b", "removed", "1.0.0", None, lock),
            ("d", "added", None, "2.0.0", lock),
            ("requests", "changed", "2.31.0", "2.32.0", "poetry.lock")}
    tap.ok(want <= found and len(found) == 5 and r.rc == 11,
           "%s: packages by name, with their versions" % place.user, found)
    tap.equal(sorted(broken_of(r)), ["lockfile-integrity", "no-new-origin"],
              "%s: and a registry and a hash that are not as they were"
              % place.user)
    plain = place.verb("show", "--state", place.state).out.decode()
    tap.ok(all(w in plain for w in (
        "package a changed: 1.0.0 to 1.2.0", "evil.example",
        "package b removed: 1.0.0")) and "\u202e" not in plain and
        max(len(line) for line in plain.splitlines()) <= 80,
        "%s: show says so within 80 columns" % place.user, plain)
    page = Page(text)
    said = page.text.replace("\n", " ")
    tap.ok(all(w in said for w in (
        "what changed: 2 packages added, 1 removed, 2 changed", "2.31.0",
        "evil.example", "without a hash", "poetry.lock")),
        "%s: the page says so" % place.user, said[:1500])
    tap.ok(page_faults(text) == [] and "onerror" in page.text and
           "\u202e" not in text and "img" not in page.tags,
           "%s: a hostile name is text" % place.user, page_faults(text))
    return file


def in_a_browser(user, file):
    """Its title and width as a real browser has them."""
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    if not program:
        tap.ok(True, "%s: in Chromium # SKIP not here" % user)
        return
    with open(file) as f:
        page = f.read()
    # Nothing of the page may run, so what is asked is asked from around it.
    frame = os.path.join(os.path.dirname(file), "frame.html")
    for width, dark in ((1280, False), (1280, True), (390, False), (390, True)):
        lib.put(user, frame, """<!doctype html><title>frame</title><body
style="margin:0"><iframe id=f style="border:0;width:%dpx;height:900px"></iframe>
<script>const f = document.getElementById('f')
f.onload = () => { const d = f.contentDocument.documentElement
document.title = [f.contentDocument.title, d.scrollWidth,
f.contentDocument.querySelectorAll('script,img,iframe').length,
f.contentWindow.getComputedStyle(f.contentDocument.body).backgroundColor].join('|') }
f.srcdoc = %s</script>""" % (width, json.dumps(page).replace("<", "\\u003c")))
        words = [program, "--headless", "--no-sandbox", "--disable-gpu",
                 "--dump-dom", "--virtual-time-budget=4000",
                 "--user-data-dir=%s/chromium" % os.path.dirname(file)]
        if dark:
            words.append("--blink-settings=preferredColorScheme=0")
        r = lib.run(words + ["file://" + frame], user, clock_s=90,
                    env={"HOME": os.path.dirname(file)})
        title = r.out.decode("utf-8", "replace").split(
            "<title>")[-1].split("</title>")[0].split("|")
        tap.ok(len(title) == 4 and title[0] == "g" and
               int(title[1]) <= width and title[2] == "0" and
               title[3] == ("rgb(22, 24, 27)" if dark else
                            "rgb(255, 255, 255)"),
               "%s: in Chromium, %d pixels wide, %s" % (
                   user, width, "dark" if dark else "light"),
               str(title)[:400] + r.brief()[:600])


def main():
    launchers = lib.users()
    for user in launchers:
        place = make(user)
        rules_see_all(place)
        file = the_page_shows_it(place)
        if lib.is_due(1, user, launchers):
            in_a_browser(user, file)
    tap.done()


main()
