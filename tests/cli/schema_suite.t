#!/usr/bin/env python3
"""schema_suite.t -- the official JSON Schema test suite, draft 2020-12.

One case is one file of the suite: every schema in it against every instance,
through `cupel validate`, with remotes/ given by --ref and nothing fetched.
The suite comes with Debian's libtest-json-schema-acceptance-perl, which
bootstrap installs for the tests; CUPEL_SCHEMA_SUITE names another copy (a
directory with tests/ and remotes/ in it).
"""
import json
import os
import subprocess
import sys
import tempfile

DIST = ("/usr/share/perl5/auto/share/dist/Test-JSON-Schema-Acceptance",
        "/usr/share/perl5/vendor_perl/auto/share/dist/"
        "Test-JSON-Schema-Acceptance")
DRAFT = "draft2020-12"
CUPEL = os.path.join(os.environ["BUILD"], "cupel")
FEWEST = 40  # files of required cases; with fewer this is not the whole suite
CLOCK_S = 240

# Optional files that we do not want to pass, and why.
NOT_OURS = {
    "optional/cross-draft.json": "one draft is known",
    "optional/dependencies-compatibility.json": "a keyword of older drafts",
    "optional/format-assertion.json": "format is an annotation here",
}
# Optional tests that hold only where format asserts.
BY_FORMAT = {r"\a is not an ECMA 262 control escape"}


def find_suite():
    for root in [os.environ.get("CUPEL_SCHEMA_SUITE"), *DIST]:
        if root and os.path.isdir(os.path.join(root, "tests", DRAFT)):
            return root
    return None


def suite_files(root):
    """Names below tests/DRAFT: the required files, then the optional ones."""
    top = os.path.join(root, "tests", DRAFT)
    required = sorted(n for n in os.listdir(top) if n.endswith(".json"))
    extra = [os.path.join(d, n) for d in ("optional", "should")
             for n in sorted(os.listdir(os.path.join(top, d))
                             if os.path.isdir(os.path.join(top, d)) else [])
             if n.endswith(".json")]
    return required, [n for n in extra if n not in NOT_OURS]


def remotes(root):
    """--ref options for every document that a test may refer to."""
    top = os.path.join(root, "remotes")
    options = []
    for where, _, names in sorted(os.walk(top)):
        below = os.path.relpath(where, top)
        if below.split(os.sep)[0].startswith("draft") and not (
                below.split(os.sep)[0] == DRAFT):
            continue
        for name in sorted(n for n in names if n.endswith(".json")):
            path = os.path.join(where, name)
            options += ["--ref", "http://localhost:1234/%s=%s" % (
                os.path.relpath(path, top), path)]
    return options


def judge(group, refs, work):
    """What cupel says about each test of a group: True, False, or a word."""
    schema = os.path.join(work, "schema.json")
    with open(schema, "w") as f:
        json.dump(group["schema"], f)
    lines = "".join(json.dumps(t["data"]) + "\n" for t in group["tests"])
    p = subprocess.run([CUPEL, "validate", "--lines", "--schema", schema]
                       + refs, input=lines, text=True, capture_output=True,
                       timeout=CLOCK_S)
    answers = [json.loads(line) for line in p.stdout.splitlines()]
    if len(answers) != len(group["tests"]) or p.returncode not in (0, 1):
        return ["exit %d, %s" % (p.returncode, p.stderr.strip()[:200])
                ] * len(group["tests"])
    return [a["valid"] for a in answers]


def run_file(path, refs, work):
    """(tests, failures) of one file."""
    with open(path, encoding="utf-8") as f:
        groups = json.load(f)
    count, wrong = 0, []
    for group in groups:
        if group["description"] in BY_FORMAT:
            continue
        said = judge(group, refs, work)
        for test, got in zip(group["tests"], said):
            count += 1
            if got is not test["valid"]:
                wrong.append("%s / %s: wanted %s, got %s" % (
                    group["description"], test["description"],
                    test["valid"], got))
    return count, wrong


def main():
    root = find_suite()
    if root is None:
        print("1..0 # SKIP libtest-json-schema-acceptance-perl "
              "is not installed")
        return 0
    required, optional = suite_files(root)
    refs = remotes(root)
    n = bad = total = 0
    with tempfile.TemporaryDirectory() as work:
        for name in required + optional:
            count, wrong = run_file(os.path.join(root, "tests", DRAFT, name),
                                    refs, work)
            if count == 0:
                continue  # some releases have an empty file
            n, bad, total = n + 1, bad + bool(wrong), total + count
            for line in wrong:
                print("# " + line)
            print("%s %d - %s: %d of %d" % ("not ok" if wrong else "ok", n,
                                            name, count - len(wrong), count))
    whole = len(required) >= FEWEST and total > 1000 and len(refs) > 20
    print("%s %d - the suite is whole: %d files, %d cases" % (
        "ok" if whole else "not ok", n + 1, n, total))
    print("1..%d" % (n + 1))
    return 0 if whole and not bad else 1


sys.exit(main())
