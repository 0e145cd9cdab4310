#!/usr/bin/env python3
"""gate_order.t -- the order of versions, compared with independent programs:
packaging (PEP 440) and npm's own semver, over generated pairs.

The seed is fixed; 4,000 pairs of each in the quick tier, 200,000 in the whole check.
The two versions of a pair are similar, so that their last parts decide as often as
their first; some are not versions, and both programs must refuse the same ones."""
import os
import random
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True
import lib  # noqa: E402

PAIRS = 4000 if os.environ.get("CUPEL_TIER") == "quick" else 200000
SEED = 16
SEMVERS = ("/usr/share/nodejs/semver",
           "/usr/lib/node_modules/npm/node_modules/semver")
tap = lib.Tap()


def number(rng):
    return rng.choice(["0", "1", "2", "9", "10", "11", "00", "01", "010",
                       str(rng.randrange(1000)), "20240229"])


# --- PEP 440 ----------------------------------------------------------------------


def pep440(rng):
    """A version in any of its spellings; one in eight is invalid somewhere."""
    sep = lambda: rng.choice(["", ".", "-", "_"])  # noqa: E731
    out = rng.choice(["", "", "", "v", "V"])
    out += rng.choice(["", "", "", "", "0!", "1!", "01!"])
    out += ".".join(number(rng) for _ in range(rng.randrange(1, 5)))
    if rng.random() < 0.5:
        out += sep() + rng.choice(["a", "b", "rc", "c", "alpha", "beta", "pre",
                                   "preview", "RC", "Alpha"]) + sep() + \
            rng.choice(["", number(rng)])
    if rng.random() < 0.3:
        out += rng.choice(["-" + number(rng), sep() + rng.choice(
            ["post", "rev", "r", "POST"]) + sep() + rng.choice(
                ["", number(rng)])])
    if rng.random() < 0.3:
        out += sep() + rng.choice(["dev", "DEV"]) + sep() + rng.choice(
            ["", number(rng)])
    if rng.random() < 0.3:
        out += "+" + rng.choice([".", "-", "_"]).join(
            rng.choice([number(rng), "abc", "ABC", "a1", "1a", "ubuntu"])
            for _ in range(rng.randrange(1, 4)))
    return broken(rng, out)


# --- semver -----------------------------------------------------------------------


def semver(rng):
    part = lambda: rng.choice(  # noqa: E731
        ["0", "1", "2", "10", "alpha", "beta", "rc", "a-b", "-", "--1", "1a",
         "Alpha", "x", str(rng.randrange(2000))])
    out = rng.choice(["", "", "", "v"])
    out += ".".join(rng.choice(["0", "1", "2", "9", "10", "11", "123"])
                    for _ in range(3))
    if rng.random() < 0.6:
        out += "-" + ".".join(part() for _ in range(rng.randrange(1, 4)))
    if rng.random() < 0.3:
        out += "+" + ".".join(part() for _ in range(rng.randrange(1, 3)))
    return broken(rng, out)


def broken(rng, text):
    if rng.random() > 0.125:
        return text
    at = rng.randrange(len(text) + 1)
    return text[:at] + rng.choice(["..", "!", "+", "x", "-", "*", "é", "1",
                                   "_", ""]) + text[at + rng.randrange(2):]


def near(rng, make, text):
    """A version that is similar to the given one, or another one."""
    if rng.random() < 0.4:
        return make(rng)
    at = rng.randrange(len(text))
    return text[:at] + rng.choice(["0", "1", "9", "a", "b", ".", "-", ""]) + \
        text[at + 1:]


def pairs(make):
    rng = random.Random(SEED)
    out = []
    while len(out) < PAIRS:
        a = make(rng)
        b = near(rng, make, a) if a else a
        if a and b and len(a) < 200 and len(b) < 200:
            out.append((a, b))
    return out


# --- witnesses ----------------------------------------------------------------------


def packaging_says(list_of):
    from packaging.version import InvalidVersion, Version

    def one(a, b):
        try:
            x, y = Version(a), Version(b)
        except InvalidVersion:
            return "?"
        return "<" if x < y else ">" if x > y else "="
    return [one(a, b) for a, b in list_of]


def semver_says(list_of, where):
    script = """const s = require(%r)
for (const l of require('fs').readFileSync(0, 'utf8').split('\\n')) {
  if (l === '') continue
  const [a, b] = l.split('\\t').map(v => s.parse(v))
  if (!a || !b) console.log('?')
  else console.log({'-1': '<', 0: '=', 1: '>'}[s.compare(a, b)])
}""" % where
    return asked(["node", "-e", script], list_of)


def asked(argv, list_of):
    text = "".join("%s\t%s\n" % p for p in list_of)
    p = subprocess.run(argv, input=text.encode(), capture_output=True,
                       timeout=300, check=True)
    return p.stdout.decode().split()


def compare(name, list_of, ours, theirs, is_lenient=lambda a, b: False):
    differ = [(p, o, t) for p, o, t in zip(list_of, ours, theirs) if o != t and
              not (t == "?" and is_lenient(*p))]
    tap.ok(len(ours) == len(theirs) == PAIRS and not differ,
           "%s: %d pairs as the witness has them" % (name, PAIRS),
           "%d differ: %s" % (len(differ), differ[:12]))
    for sign in "<=>?":
        tap.ok(theirs.count(sign) > PAIRS // 50,
               "%s: control: %d of them are '%s'" % (
                   name, theirs.count(sign), sign))


def padded(text):
    """The version with the parts that OSV may leave out (1.2 is 1.2.0), and whether any
    were left out."""
    body = text[1:] if text[:1] == "v" else text
    end = min([body.index(c) for c in "-+" if c in body] + [len(body)])
    numbers = body[:end].split(".")
    return ".".join(numbers + ["0"] * (3 - len(numbers))) + body[end:]


def main():
    order = lib.binary("tests/live/gate_order")
    try:
        import packaging  # noqa: F401
        list_of = pairs(pep440)
        compare("pep440", list_of, asked([order, "pep440"], list_of),
                packaging_says(list_of))
    except ImportError:
        tap.ok(True, "pep440 # SKIP python3-packaging is not here")
    where = [p for p in SEMVERS if os.path.isdir(p)]
    if where:
        list_of = pairs(semver)
        full = [(padded(a), padded(b)) for a, b in list_of]
        compare("semver", list_of, asked([order, "semver"], list_of),
                semver_says(full, where[0]))
    else:
        tap.ok(True, "semver # SKIP npm's semver is not here")
    tap.done()


main()
