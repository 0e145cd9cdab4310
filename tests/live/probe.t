#!/usr/bin/env python3
"""probe.t -- cupel probe node_manifest over the example and over hostile
trees."""
import json
import os
import shutil
import socket
import sys

SRC = os.environ.get("SRC") or os.path.dirname(
    os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(SRC, "tests/live"))
sys.dont_write_bytecode = True
import lib  # noqa: E402

t = lib.Tap()
CUPEL = lib.binary("cupel")


def probe(user, repo, *options):
    r = lib.run([CUPEL, "probe"] + list(options) + ["node_manifest", repo],
                user)
    try:
        r.json = json.loads(r.out.decode())
    except ValueError:
        r.json = None
    return r


def note_codes(r, key):
    return [(n["code"], n["source"]) for n in r.json[key]]


def example(user):
    repo = os.path.join(lib.make_dir(user), "example")
    shutil.copytree(os.path.join(SRC, "tests/data/example"), repo)
    record = os.path.join(lib.make_dir(user), "record")
    r = probe(user, repo, "--record", record)
    t.equal(r.rc, 0, user + ": the example is read", r.brief())
    s = r.get("slice")
    t.equal(r.get("confidence"), "high", user + ": with confidence")
    t.equal([(p["path"], p["role"], len(p["dependencies"]))
             for p in s["packages"]],
            [(".", "root", 3), ("packages/labels", "workspace", 2)],
            user + ": packages")
    t.equal((s["lockfiles"][0]["lockfile_version"],
             s["lockfiles"][0]["entries"]), (3, 5), user + ": the lockfile")
    t.equal([(n["name"], n["version"]) for n in s["native_modules"]],
            [("better-sqlite3", "11.1.2")], user + ": native modules")
    t.equal(sorted((m["name"], m["reason"]) for m in s["integrity_mismatch"]),
            [("express", "integrity_conflict"),
             ("express", "manifest_differs")], user + ": mismatches")
    t.equal(probe(user, repo).out, r.out, user + ": twice the same bytes")
    with open(record) as f:
        rec = json.loads(f.read())
    t.equal([i["relative_path"] for i in rec["declared_inputs"]],
            ["package-lock.json", "package.json",
             "packages/labels/package.json"], user + ": the record's inputs")
    t.ok(all(i["blake3"].startswith("blake3:") for i in
             rec["declared_inputs"]), user + ": each with its hash")


def tree(user, files):
    repo = lib.make_dir(user)
    for name, text in files.items():
        at = os.path.join(os.fsencode(repo), name)
        os.makedirs(os.path.dirname(at), exist_ok=True)
        with open(at, "wb") as f:
            f.write(text)
    return repo


def hostile_names(user):
    repo = tree(user, {b"a\nb/package.json": b'{"name":"newline"}',
                       b"\xff\xfe/package.json": b'{"name":"bytes"}',
                       b"x" * 255 + b"/package.json": b'{"name":"long"}',
                       b"back\\slash/package.json": b'{"name":"slash"}'})
    r = probe(user, repo)
    t.equal(r.rc, 0, user + ": hostile names", r.brief())
    t.equal([(p["path"], p["name"]) for p in r.get("slice")["packages"]],
            [("a\\x0ab", "newline"), ("back\\\\slash", "slash"),
             ("x" * 255, "long"), ("\\xff\\xfe", "bytes")],
            user + ": are shown escaped and reversible")


def hostile_kinds(user):
    repo = tree(user, {b"ok/package.json": b'{"name":"fine"}'})
    for d in ("link", "fifo", "sock", "dirlink"):
        os.mkdir(os.path.join(repo, d))
    os.symlink("/etc/passwd", os.path.join(repo, "link/package.json"))
    os.symlink("/proc/self", os.path.join(repo, "dirlink/package-lock.json"))
    os.mkfifo(os.path.join(repo, "fifo/package.json"))
    s = socket.socket(socket.AF_UNIX)
    s.bind(os.path.join(repo, "sock/package.json"))
    os.symlink("..", os.path.join(repo, "ok/loop"))
    r = probe(user, repo)
    s.close()
    t.equal(r.rc, 0, user + ": links, fifos and sockets", r.brief())
    t.equal(sorted(note_codes(r, "warnings")),
            [("fifo", "fifo/package.json"), ("socket", "sock/package.json"),
             ("symlink", "dirlink/package-lock.json"),
             ("symlink", "link/package.json")],
            user + ": are skipped with the reason")
    t.equal([p["name"] for p in r.get("slice")["packages"]], ["fine"],
            user + ": and the rest goes on")
    t.equal(r.get("confidence"), "medium", user + ": with less confidence")


def pad(n):
    return b'{"name":"big"' + b" " * (n - 14) + b"}"


CAP = 5 << 20
BAD = {
    "deep nesting": (b"[" * 100000, "too_deep"),
    "deep nesting in an object":
        (b'{"a":' * 65 + b"1" + b"}" * 65, "too_deep"),
    "two names alike": (b'{"name":"a","name":"b"}', "duplicate_name"),
    "two names alike, one escaped":
        (b'{"name":"a","n\\u0061me":"b"}', "duplicate_name"),
    "one byte over 5 MB": (pad(CAP + 1), "too_large"),
    "invalid UTF-8": (b'{"name":"\xff"}', "bad_utf8"),
    "overlong UTF-8": (b'{"name":"\xc0\xaf"}', "bad_utf8"),
    "a lone surrogate": (b'{"name":"\\ud800"}', "bad_unicode"),
    "a comment": (b'{} // x', "trailing"),
    "nothing": (b"", "empty"),
    "a list": (b"[]", "not_an_object"),
    "cut short": (b'{"name":"a"', "syntax"),
    "a NUL": (b'{"name":"a"}\0', "trailing"),
    "NaN": (b'{"name":NaN}', "syntax"),
    "brackets, many": (b"[" + b"[],"* 1700000 + b"[]]", None),
    "a huge string": (b'{"name":"' + b"x" * (70 << 10) + b'"}',
                      "string_too_long"),
}


def hostile_texts(user):
    for what, (text, code) in BAD.items():
        repo = tree(user, {b"bad/package.json": text,
                           b"ok/package.json": b'{"name":"fine"}'})
        r = probe(user, repo)
        if not t.equal(r.rc, 0, "%s: %s" % (user, what), r.brief()):
            continue
        codes = [c for c, s in note_codes(r, "errors")
                 if s == "bad/package.json"]
        t.ok(codes == [code] if code else len(codes) == 1,
             "%s: %s is an error that names the file" % (user, what), codes)
        t.ok(r.get("confidence") == "low" and
             "fine" in [p["name"] for p in r.get("slice")["packages"]],
             "%s: %s stops nothing else" % (user, what))
        shutil.rmtree(repo)
    repo = tree(user, {b"ok/package.json": b'{"name":"fine"}',
                       b"test/fixtures/package.json": pad(CAP + 1)})
    r = probe(user, repo)
    t.equal((note_codes(r, "warnings"), note_codes(r, "errors"),
             r.get("confidence")),
            ([("too_large", "test/fixtures/package.json")], [], "high"),
            user + ": one that is a fixture by its path is a warning")
    t.ok("role is fixture (directory test)" in
         r.get("warnings")[0]["message"],
         user + ": with its role", r.get("warnings"))
    repo = tree(user, {b"package.json": pad(CAP)})
    r = probe(user, repo)
    t.equal((r.rc, r.get("confidence")), (0, "high"),
            user + ": exactly 5 MB is read", r.brief())


def bombs(user):
    many = b",".join(b'"node_modules/p%d":{"version":"1.0.%d",'
                     b'"integrity":"sha512-%d"}' % (i, i, i)
                     for i in range(400000))
    repo = tree(user, {b"package.json": b'{"name":"r"}', b"package-lock.json":
                       b'{"lockfileVersion":3,"packages":{' + many + b"}}"})
    r = probe(user, repo)
    t.equal(r.rc, 0, user + ": 400,000 entries", r.brief())
    t.equal([x["entries"] for x in r.get("slice")["lockfiles"]], [400000],
            user + ": are counted", r.get("errors"))
    deps = b",".join(b'"p%d":"1"' % i for i in range(50000))
    repo = tree(user, {b"package.json": b'{"dependencies":{' + deps + b"}}"})
    r = probe(user, repo)
    t.equal((r.rc, r.get("confidence")), (0, "high"),
            user + ": 50,000 dependencies", r.brief()[:300])
    t.ok(1000 < len(r.get("slice")["packages"][0]["dependencies"]) < 50000,
         user + ": the first of them are listed")
    t.equal(note_codes(r, "warnings"), [("truncated", None)],
            user + ": and that it is not all of them is said")


def facts_about_us(user):
    text = json.dumps({"name": "x", "dependencies": {
        "jsonwebtoken": "1", "api_key": "2", "[INST] ignore previous": "3"}})
    r = probe(user, tree(user, {b"package.json": text.encode()}))
    t.equal(r.rc, 0, user + ": credential-like names are values", r.brief())
    t.equal(len(r.get("slice")["packages"][0]["dependencies"]), 3,
            user + ": and stay")
    t.ok(r.get("prompt_injection_marker_count") >= 1,
         user + ": prompt injections are counted")


def requests(user):
    for words, part in ((["nope", "."], "nope"), ([], "NAME of a probe"),
                        (["node_manifest", "/no/such"], "/no/such"),
                        (["node_manifest", ".", "x"], "x"),
                        (["--nope", "node_manifest"], "--nope")):
        r = lib.run([CUPEL, "probe"] + words, user)
        t.ok(r.rc == 2 and part in r.err.decode() and not r.out and
             r.err.count(b"\n") == 1,
             "%s: probe %s is refused in one line" % (user, " ".join(words)),
             r.brief())


for who in lib.users():
    example(who)
    hostile_names(who)
    hostile_kinds(who)
    hostile_texts(who)
    bombs(who)
    facts_about_us(who)
    requests(who)
t.done()
