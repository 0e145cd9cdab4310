#!/bin/sh
# demo.sh -- the main job on a small example, told for a person.
# usage: SRC= BUILD= sh tests/demo.sh
set -eu
cupel=$BUILD/cupel
dir=$(mktemp -d "${TMPDIR:-/tmp}/cupel-demo.XXXXXX")
trap 'rm -rf "$dir"' EXIT
trap 'exit 1' HUP INT TERM
cp -R "$SRC/tests/data/example" "$dir/shop"
cd "$dir"

say() { printf '%s\n' "$*"; }

say 'The example is a small shop: a Python package, a package.json with its lockfile,'
say 'and a list of functions that a static analyser suspects. None of it is trusted:'
say 'each step runs in a vessel of its own.'
say
say '1. Which of the suspicions are real?'
say
say '   $ cupel confirm --repo shop shop/review-flags.jsonl log.jsonl'
say
"$cupel" confirm --quiet --jobs 2 --repo shop shop/review-flags.jsonl \
	log.jsonl >summary
python3 - log.jsonl <<'END'
import json
import sys

with open(sys.argv[1]) as f:
    records = sorted((json.loads(line) for line in f),
                     key=lambda r: r["flag_ref"]["number"])
for r in records:
    flag = r["flag_ref"]
    say = "   %-28s %-12s %-11s %s" % (
        r["status"], flag["function"], flag["flag_class"],
        flag["file"] + (":%d" % flag["line"] if flag["line"] else ""))
    print(say)
    if r["status"] == "confirmed-bug":
        w = r["witness"]
        call = ", ".join("%s=%s" % (a["name"], json.dumps(a["value"]))
                         for a in w.get("receiver", []) + w["arguments"])
        last = r["traceback_head"].splitlines()[-1]
        print("   %28s with %s: %s" % ("", call, last))
    elif r["reason"] not in (None, "returned"):
        print("   %28s %s %s" % ("", r["reason"], r["detail"] or
                                 r["error_class"] or ""))
END
say
say "   $(cat summary)"
say
say '2. What does it depend on, and does its lockfile agree?'
say
say '   $ cupel probe node_manifest shop'
say
"$cupel" probe --record record node_manifest shop >facts
python3 - facts record <<'END'
import json
import sys

with open(sys.argv[1]) as f:
    facts = json.load(f)
with open(sys.argv[2]) as f:
    record = json.load(f)
s = facts["slice"]
for p in s["packages"]:
    print("   package   %s %s: %s" % (p["name"], p["version"], ", ".join(
        "%s %s (%s)" % (d["name"], d["constraint"], d["kind"])
        for d in p["dependencies"])))
for k in s["lockfiles"]:
    print("   lockfile  %s: %s version %s, %d packages" % (
        k["source"], k["kind"], k["lockfile_version"], k["entries"]))
for n in s["native_modules"]:
    print("   native    %s %s (%s)" % (n["name"], n["version"], n["reason"]))
for m in s["integrity_mismatch"]:
    print("   mismatch  %s: %s, expected %.24s, found %.24s" % (
        m["name"], m["reason"], m["expected"], m["found"]))
print("   confidence %s, from %d files of %d bytes, in %d ms" % (
    facts["confidence"], len(record["declared_inputs"]),
    sum(i["size_bytes"] for i in record["declared_inputs"]),
    record["wall_ms"]))
END
