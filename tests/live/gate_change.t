#!/usr/bin/env python3
"""gate_change.t -- what changed in packages and lockfiles: rules see it in
every language, and the page of a gate shows it, with hostile names as text.

If Chromium is installed, it opens the page at 1280 and 390 pixels, light and dark; a
script in a name would run there."""
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
INDEX = "--index-url https://pypi.example/simple\n"
BASE = {"package.json": json.dumps(PACKAGE),
        "package-lock.json": json.dumps(LOCK),
        "pyproject.toml": PYPROJECT,
        "requirements.txt": INDEX + "idna==3.6\n",
        ".npmrc": "registry=https://npm.example/\n",
        "Gemfile": "# a program\n", "lib.gradle": "// a program\n",
        "tests/other/build.gradle": "// a program\n",
        "tests/fixtures/.yarnrc.yml":
            'npmRegistryServer: "https://fixture.example"\n',
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


def lock_of(**members):
    """The lockfile with other members of a, None: without it."""
    lock = copy.deepcopy(LOCK)
    for key, value in members.items():
        lock["packages"]["node_modules/a"][key] = value
        if value is None:
            del lock["packages"]["node_modules/a"][key]
    return {"package-lock.json": json.dumps(lock)}


REQUIRED = INDEX + "idna==3.6\nsix==1.16.0 --hash=%s\n"
HASH = "sha256:" + "0" * 64
GIT = '[package.source]\ntype = "git"\nurl = "https://evil.example/r.git"\n' \
      'reference = "main"\nresolved_reference = "%s"\n' % ("0" * 40)
# name, what is changed, the rules that are broken, or None
RULED = [
    ("an empty hash", lock_of(integrity=""), "lockfile-integrity"),
    ("a hash that is only a word", lock_of(integrity="foo"),
     "lockfile-integrity"),
    ("a hash without a digest", lock_of(integrity="sha512-"),
     "lockfile-integrity"),
    ("a hash of no known kind", lock_of(integrity="sha999-AAAA"),
     "lockfile-integrity"),
    ("a hash that is weaker than it was", lock_of(
        integrity="sha1-" + "A" * 27 + "="), "lockfile-integrity"),
    ("a bundle that nobody bundles", lock_of(
        integrity=None, resolved=None, inBundle=True), "lockfile-integrity"),
    ("one package without a hash for another that had none", {
        "poetry.lock": POETRY % ("other", "1.0", "")}, None),
    ("a version that is not its archive's", lock_of(
        resolved="https://registry.example/a/-/a-0.0.1.tgz"),
     "facts-complete"),
    ("an archive of another name", lock_of(
        resolved="https://registry.example/a/-/evil-1.0.0.tgz"),
     "no-new-origin"),
    ("a package without a version", lock_of(version=None), "facts-complete"),
    ("a requirement with a hash", {"requirements.txt": REQUIRED % HASH}, None),
    ("a new uv.lock without a hash", {"uv.lock":
     'version = 1\n[[package]]\nname = "a"\nversion = "1"\n'
     'source = { registry = "https://pypi.example/simple" }\n'},
     "lockfile-integrity no-new-origin"),
    ("a new Cargo.lock with a hash of another length", {"Cargo.lock":
     'version = 3\n[[package]]\nname = "x"\nversion = "1.0.0"\n'
     'source = "git+https://x.example/i#%s"\nchecksum = "00"\n' % ("0" * 7)},
     "lockfile-integrity no-new-origin"),
    ("a requirement from a URL", {"requirements.txt": INDEX + "idna==3.6\n"
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
    ("an index of uv", {"pyproject.toml": PYPROJECT +
                        '[[tool.uv.index]]\nurl = "https://evil.example/s"\n'},
     "no-new-origin"),
    ("an index in uv.toml", {"uv.toml":
     '[[index]]\nurl = "https:\\u002f\\u002fevil.example/s"\n'},
     "no-new-origin"),
    ("a source of poetry", {"pyproject.toml": PYPROJECT +
     '[[tool.poetry.source]]\nname="x"\nurl="https://evil.example/s"\n'},
     "no-new-origin"),
    ("an index of pip", {"requirements.txt": INDEX +
     "--extra-index-url https://evil.example/s\nidna==3.6\n"},
     "no-new-origin"),
    ("a source of a Pipfile", {"Pipfile":
     '[[source]]\nurl = "https://evil.example/s"\n'}, "no-new-origin"),
    ("another registry of uv.lock", {"uv.lock":
     'version = 1\n[[package]]\nname = "a"\nversion = "1"\n'
     'source = { registry = "https://evil.example/s" }\n'
     'sdist = { url = "https://evil.example/a-1.tar.gz", hash = "sha256:%s" }\n'
     % ("0" * 64)}, "no-new-origin"),
    ("a source that Cargo takes instead", {".cargo/config.toml":
     '[source.crates-io]\nreplace-with = "e"\n[source.e]\n'
     'registry = "sparse+https://evil.example/"\n'}, "no-new-origin"),
    ("a patch of Cargo", {"Cargo.toml": '[package]\nname = "a"\n'
     '[patch.crates-io]\nx = { path = "x" }\n'}, "no-new-origin"),
    ("another registry of Cargo.lock", {"Cargo.lock":
     'version = 3\n[[package]]\nname = "x"\nversion = "1.0.0"\n'
     'source = "registry+https://evil.example/i"\nchecksum = "%s"\n'
     % ("0" * 64)}, "no-new-origin"),
    ("a source of a Gemfile", {"Gemfile":
     'source "https://evil.example"\n', "Gemfile.lock": "GEM\n"},
     "no-new-origin"),
    ("a remote of Gemfile.lock", {"Gemfile.lock":
     "GEM\n  remote: https://evil.example/\n  specs:\n"}, "no-new-origin"),
    ("a repository of Composer", {"composer.json": json.dumps(
     {"repositories": [{"type": "composer",
                        "url": "https://evil.example"}]})}, "no-new-origin"),
    ("another host in composer.lock", {"composer.lock": json.dumps(
     {"packages": [{"name": "a/b", "version": "1", "dist": {
         "type": "zip", "url": "https://evil.example/b.zip"}}]})},
     "no-new-origin"),
    ("a mirror in composer.lock", {"composer.lock": json.dumps(
     {"packages": [{"name": "a/b", "version": "1", "dist": {
         "type": "zip", "url": "", "mirrors": [
             {"url": "https://evil.example/%package%"}]}}]})},
     "no-new-origin"),
    ("a repository of Maven", {"pom.xml":
     "<project><properties><r>//evil.example</r></properties><repositories>"
     "<repository><url>https:${r}</url></repository></repositories>"
     "</project>"}, "no-new-origin"),
    ("a mirror in settings.xml", {"settings.xml":
     "<settings><mirrors><mirror><url>https://evil.example</url></mirror>"
     "</mirrors></settings>"}, "no-new-origin"),
    ("a mirror in .mvn/settings.xml", {".mvn/settings.xml":
     "<settings><mirrors><mirror><url>https://evil.example</url></mirror>"
     "</mirrors></settings>"}, "no-new-origin"),
    ("another program's settings.xml", {"x/settings.xml":
     "<!DOCTYPE x><x><mirror><url>https://x.example</url></mirror></x>"},
     None),
    ("arguments of Maven", {".mvn/maven.config": "-s\nx.xml\n"},
     "no-new-origin"),
    ("a repository of Gradle", {"build.gradle":
     "repositories {\n  maven {\n    url 'https://evil.example'\n  }\n}\n"},
     "no-new-origin"),
    ("a program of Gradle's that was there",
     {"lib.gradle": "// another program\n"}, "no-new-origin"),
    ("a program in a test's data", {"tests/other/build.gradle":
     "// another program\n"}, "no-new-origin"),
    ("a test's program for the project", {"build.gradle":
     "// a program\n"}, "no-new-origin"),
    ("a setup.py", {"setup.py": "import setuptools\nsetuptools.setup()\n"},
     "no-new-origin"),
    ("a script that CI runs", {
        ".gitlab-ci.yml": "t:\n  script: [sh ./ci.sh]\n",
        "ci.sh": "#!/bin/sh\n" + "true\n" * 5000 + "make check\n"},
     "no-ci-change"),
    ("another place of Gradle itself",
     {"gradle/wrapper/gradle-wrapper.properties":
      "distributionUrl=https\\://evil.example/d/gradle-8-bin.zip\n"},
     "no-new-origin"),
    ("a replacement in go.mod", {"go.mod":
     "module a\nrequire b.example/b v1.0.0\n"
     "replace b.example/b => evil.example/b v1.0.0\n"}, "no-new-origin"),
    ("a replacement in go.work", {"go.work":
     "go 1.22\nreplace b.example/b => ../b\n"}, "no-new-origin"),
    ("a registry of npm", {".npmrc": "registry=https://evil.example/\n"},
     "no-new-origin"),
    ("a server of Yarn", {".yarnrc.yml":
     'npmRegistryServer: "https://evil.example"\n'}, "no-new-origin"),
    ("an override of npm", {"package.json": json.dumps(dict(
        PACKAGE, overrides={"x": "https://evil.example/z.tgz"}))},
     "no-new-origin"),
    ("a resolution of Yarn", {"package.json": json.dumps(dict(
        PACKAGE, resolutions={"x": "https://evil.example/z.tgz"}))},
     "no-new-origin"),
    ("a package manager from a URL", {"package.json": json.dumps(dict(
        PACKAGE, packageManager="yarn@https://evil.example/y.js"))},
     "no-new-origin"),
    ("a proxy of Cargo", {".cargo/config.toml":
     '[http]\nproxy = "evil.example:80"\n'}, "no-new-origin"),
    ("a registry beside a password", {".yarnrc.yml":
     "a: {npmRegistryServer: evil.example, npmAuthToken: x}\n"},
     "facts-complete"),
    ("settings that name no place", {
        ".npmrc": "save-exact=true\n//h.example/:_authToken=${T}\n"
                  "registry=https://npm.example/\n",
        ".cargo/config.toml": "[build]\njobs = 2\n",
        "pyproject.toml": PYPROJECT + "[tool.uv]\npackage = false\n"}, None),
    ("a host that looks like a user, in .npmrc", {".npmrc":
     "registry=https://evil.example:443/x@npm.example/\n"},
     "no-new-origin"),
    ("a host with a long port", {".npmrc":
     "registry=https://evil.example:000443/x@npm.example/\n"},
     "no-new-origin"),
    ("a host with an empty port", {".npmrc":
     "registry=https://evil.example:/x@npm.example/\n"},
     "no-new-origin"),
    ("a host that is a number", {".npmrc":
     "registry=https://3232235777:80/x@npm.example/\n"},
     "no-new-origin"),
    ("a host before a query", {".npmrc":
     "registry=https://evil.example?x@npm.example/\n"},
     "no-new-origin"),
    ("a host that looks like a user, for pip", {"requirements.txt": INDEX +
     "--index-url https://evil.example:443/x@pypi.example/simple\n"
     "idna==3.6\n"}, "no-new-origin"),
    ("a host that looks like a user, in a lockfile", {"package-lock.json":
     json.dumps(LOCK).replace("https://registry.example/",
                              "https://evil.example:443/x@registry.example/",
                              1)}, "no-new-origin"),
    ("a registry behind a password's key", {".yarnrc.yml":
     '{npmAuthToken: x, npmRegistryServer: "https://evil.example"}\n'},
     "facts-complete"),
    ("a registry behind a key that ends like a password's",
     {"pnpm-workspace.yaml": '{x_auth: 1, registry: "https://evil.example/"}\n'},
     "facts-complete"),
    ("a registry before a password's key", {"pnpm-workspace.yaml":
     '{"registry":"https://evil.example/", x_auth: 1}\n'},
     "facts-complete"),
    ("a key that is put together in .npmrc", {".npmrc":
     "registry=https://npm.example/\n"
     "reg${X}istry=https:/${X}/evil.example/\n"}, "no-new-origin"),
    ("a key with a variable that may be missing in .npmrc", {".npmrc":
     "registry=https://npm.example/\n"
     "reg${X?}istry=https:/${X?}/evil.example/\n"}, "facts-complete"),
    ("a shell for scripts in .npmrc", {".npmrc":
     "registry=https://npm.example/\nscript-shell=./evil\n"},
     "no-new-origin"),
    ("what node loads in .npmrc", {".npmrc":
     "registry=https://npm.example/\n node-options = --require ./evil.js\n"},
     "no-new-origin"),
    ("a git of its own in .npmrc", {".npmrc":
     "registry=https://npm.example/\ngit=./evil\n"}, "no-new-origin"),
    ("a harmless setting in .npmrc", {".npmrc":
     "registry=https://npm.example/\nsave-exact=true\n"}, None),
    ("a yarn of the tree's", {".yarnrc.yml":
     "yarnPath: .yarn/releases/evil.cjs\n"}, "no-new-origin"),
    ("a plug-in of yarn's", {".yarnrc.yml":
     "plugins:\n  - path: .yarn/plugins/evil.cjs\n"}, "no-new-origin"),
    ("packages that pnpm may build", {"pnpm-workspace.yaml":
     "packages: [a]\nonlyBuiltDependencies: [evil]\n"}, "no-new-origin"),
    ("a proxy in .npmrc", {".npmrc": "registry=https://npm.example/\n"
                           "https-proxy=http:/evil.example:1/\n"},
     "no-new-origin"),
    ("another file of settings in .npmrc", {
        ".npmrc": "registry=https://npm.example/\nuserconfig=./other.npmrc\n",
        "other.npmrc": "registry=https://evil.example/\n"},
     "facts-complete no-new-origin"),
    ("registries of pnpm", {"pnpm-workspace.yaml":
     "registries:\n  default: https:/evil.example/\n"}, "no-new-origin"),
    ("a line of .npmrc that ends with CR", {".npmrc":
     "registry=https://npm.example/\n"
     "# c\rregistry=https://evil.example/\n"}, "no-new-origin"),
    ("a line of a wrapper that ends with CR",
     {"gradle/wrapper/gradle-wrapper.properties":
      "# c\rdistributionUrl=https\\://evil.example/d/g.zip\n"},
     "no-new-origin"),
    ("a line of maven.config that ends with CR",
     {".mvn/maven.config": "# c\r-s\revil.xml\n"}, "no-new-origin"),
    ("a line for pip that ends with CR", {"requirements.txt": INDEX +
     "idna==3.6\n# c\r--index-url https://evil.example/s\n"},
     "no-new-origin"),
    ("a line for pip that ends with FF", {"requirements.txt": INDEX +
     "idna==3.6\n# c\x0c--index-url https://evil.example/s\n"},
     "no-new-origin"),
    ("a line for pip that ends with U+2028", {"requirements.txt": INDEX +
     "idna==3.6\n# c\u2028--index-url https://evil.example/s\n"},
     "no-new-origin"),
    ("an option for pip in two lines", {"requirements.txt": INDEX +
     "idna==3.6\n-\\\ni https:\\\n//evil.example/s\n"},
     "no-new-origin"),
    ("a line for pip behind a comment that ends with a backslash",
     {"requirements.txt": INDEX +
      "idna==3.6\n# c \\\n--index-url https://evil.example/s\n"},
     "no-new-origin"),
    ("requirements in UTF-7", {"requirements.txt": "# coding: utf-7\n" +
     INDEX + "+AC0ALQBpAG4AZABlAHgALQB1AHIAbA- evil.example/s\nidna==3.6\n"},
     "facts-complete"),
    ("requirements in UTF-8 that say so", {"requirements.txt":
     "# -*- coding: utf-8 -*-\n" + INDEX + "idna==3.6\n"}, None),
    ("requirements that include what is not read", {"requirements.txt":
     INDEX + "idna==3.6\n-r deps.lst\n",
     "deps.lst": "--index-url https://evil.example/s\n"}, "facts-complete"),
    ("requirements that include others", {"requirements.txt":
     INDEX + "idna==3.6\n-r ./requirements/dev.txt\n",
     "requirements/dev.txt": "certifi==2024.2.2\n"}, None),
    ("the registry of a test's data for the project", {".yarnrc.yml":
     'npmRegistryServer: "https://fixture.example"\n'}, "no-new-origin"),
    ("the registry of a test's data in another test",
     {"tests/other/.yarnrc.yml":
      'npmRegistryServer: "https://fixture.example"\n'}, None),
    ("the project's registry in a test's data", {"tests/other/.npmrc":
     "registry=https://npm.example/\n"}, None),
    ("a lockfile that cannot be read", {"poetry.lock": "[[package\n"},
     "facts-complete"),
    ("another version of the registry's",
     {"poetry.lock": POETRY % ("requests", "2.32.0", "")}, None),
    ("a requirement more of the registry's",
     {"requirements.txt": INDEX + "idna==3.6\ncertifi==2024.2.2\n"}, None),
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
               sorted(broken_of(r)) == (rule or "").split(),
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
            (EVIL, "added", None, "1.0.0", lock),
            ("requests", "changed", "2.31.0", "2.32.0", "poetry.lock")}
    # its address changed, and neither its name nor its version
    swapped = [p for p in found if p[1] == "replaced"]
    tap.ok(want <= found and len(found) == 6 and r.rc == 11 and
           [p[0] for p in swapped] == ["c"] and swapped[0][2] != swapped[0][3],
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
        "what changed: 2 packages added, 1 removed, 3 changed", "2.31.0",
        "evil.example", "without a hash", "poetry.lock")),
        "%s: the page says so" % place.user, said[:1500])
    tap.ok(page_faults(text) == [] and "onerror" in page.text and
           "\u202e" not in text and "img" not in page.tags,
           "%s: a hostile name is text" % place.user, page_faults(text))
    return file


def in_a_browser(user, file):
    """The title and width of the page in a real browser."""
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    if not program:
        tap.ok(True, "%s: in Chromium # SKIP not here" % user)
        return
    with open(file) as f:
        page = f.read()
    # No script of the page may run, so the questions come from a frame around it.
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
