"""basics.py -- boundary values of plain types, depending on the flag's class.

All values are in the typed encoding that call.py decodes; see
cupel-witness(5).
"""
import json

from shape import BIG, Failed

OMIT = {"$omit": True}  # inside this program only: leave it to its default
INTS = {
    "index-oob": [0, 1, -1, 2, 5, 100, -5, 3],
    "overflow": [10 ** 400, -10 ** 400, 2 ** 63, 2 ** 31, 1025, 0, 1, -1],
    "memory": [10 ** 10, 2 ** 62, 10 ** 13, 1, 0, 10 ** 9],
    "value-invalid": [-1, 0, 1, 2, 3, 10, 1000],
    "unbounded-recursion": [0, 1, -1, 2, 3, -2, 5, 7, 10, 50],
}
PLAIN_INTS = [0, 1, -1, 2, 3, 4, -2, 5, 10, 100]
FLOATS = {
    "overflow": [1e308, float("inf"), -1e308, 1000.0, 0.0, 1.0, -1.0],
    "value-invalid": [-1.0, 0.0, float("nan"), 1.0, 2.0],
}
PLAIN_FLOATS = [0.0, 1.0, -1.0, 0.5, 2.0, 100.0]
STRS = {
    "json-decode": ["", "{", "nan", "a", "[1,", "{'a': 1}", "null"],
    "value-invalid": ["", "abc", "0", "-1", "a b", "1.5", ","],
    "unicode": ["\ud800", "\u00e9", "\u65e5", "\U0001f600", "", "a"],
    "index-oob": ["", "a", " ", "ab", "a b", "0"],
    "key-missing": ["", "a", "0", "ab", " ", "1", "1a", "a b"],
}
PLAIN_STRS = ["", "a", "0", "ab", " ", "1", "a b"]
CHARS = ["a", "0", " ", "A", "-"]
BYTES = {"unicode": [b"\xff", b"\x80a", b"\xc3", b"\xff" * 8, b""],
         "json-decode": [b"", b"{", b"\xff"]}
PLAIN_BYTES = [b"", b"a", b"\x00", b"\xff", b"ab"]
JSON = ["{}", "[]", "null", "0", '""', "[0]", '{"a": 0}', ""]
TEXTS = {
    "$decimal": ["0", "1", "-1", "0.5", "NaN", "1E+400"],
    "$fraction": ["0", "1", "-1", "1/2"],
    "$date": ["2000-01-01", "2024-02-29", "0001-01-01", "9999-12-31"],
    "$datetime": ["2000-01-01T00:00:00", "2024-02-29T23:59:59",
                  "0001-01-01T00:00:00", "9999-12-31T23:59:59"],
    "$time": ["00:00:00", "23:59:59"],
    "$timedelta": [0, 1, 86400, -1, 3600],
    "$path": ["", "a", "/nonexistent", "a.txt"],
    "$uuid": ["00000000-0000-0000-0000-000000000000"],
}
SPECIAL = ("decimal", "fraction", "date", "datetime", "time",
           "timedelta", "path", "uuid")


def encode(value):
    """Encode a constant of the source in the typed encoding."""
    if value is None or isinstance(value, (bool, int)):
        return value
    if isinstance(value, str):
        if any(0xD800 <= ord(c) <= 0xDFFF for c in value):
            return {"$text": [ord(c) for c in value]}
        return value
    if isinstance(value, float):
        plain = value == value and value not in (float("inf"), -float("inf"))
        return value if plain else {"$float": repr(value)}
    if isinstance(value, complex):
        return {"$complex": [repr(value.real), repr(value.imag)]}
    if isinstance(value, bytes):
        return {"$bytes": value.hex()}
    if isinstance(value, list):
        return [encode(v) for v in value]
    if isinstance(value, tuple):
        return {"$tuple": [encode(v) for v in value]}
    if isinstance(value, frozenset):
        return {"$frozenset": [encode(v) for v in sorted(value, key=repr)]}
    if isinstance(value, set):
        return {"$set": [encode(v) for v in sorted(value, key=repr)]}
    if isinstance(value, dict):
        return {"$dict": [[encode(k), encode(v)] for k, v in value.items()]}
    raise Failed("unsupported-type: " + type(value).__name__)


def same_key(v):
    return json.dumps(v)


def distinct(values):
    """The values without repeats.  0, 0.0 and false are different values."""
    seen, out = set(), []
    for v in values:
        key = same_key(v)
        if key not in seen:
            seen.add(key)
            out.append(v)
    return out


def tag_of(v):
    return next(iter(v)) if isinstance(v, dict) else ""


def is_hashable(v):
    if isinstance(v, list):
        return False
    tag = tag_of(v)
    if tag == "$tuple":
        return all(is_hashable(x) for x in v[tag])
    return tag not in ("$dict", "$set", "$deque")


def plain_ints(shape, flag_class):
    base = INTS.get(flag_class, PLAIN_INTS)
    if "count" not in shape.marks and flag_class == "memory":
        base = base[:4] + PLAIN_INTS
    near = []
    for c in shape.consts:
        if type(c) in (int, float) and abs(c) < BIG:
            near += [n for n in (int(c), int(c) + 1, int(c) - 1)
                     if n not in near]
    if flag_class == "unbounded-recursion":
        near = [n for n in near if abs(n) < 200]
    if flag_class != "memory":  # a count of thousands only takes time
        near.sort(key=lambda n: abs(n) > 10 ** 5)
    return base[:3] + near[:12] + base[3:]


def plain_floats(shape, flag_class):
    base = FLOATS.get(flag_class, PLAIN_FLOATS)
    near = [float(c) for c in shape.consts if type(c) in (int, float)
            and abs(c) < BIG]
    near += [c + step for c in near[:4] for step in (1.0, -1.0)]
    return [encode(v) for v in base[:3] + near[:8] + base[3:]]


def plain_strs(shape, flag_class):
    texts = [c for c in shape.consts if isinstance(c, str) and len(c) < 4096]
    if "codec" in shape.marks:
        return distinct(texts + ["utf-8", "ascii"])
    if "char" in shape.marks:
        return distinct([c for c in texts if len(c) == 1] + CHARS + (
            [encode("\u00e9")] if flag_class != "unicode" else [
                encode("\ud800"), encode("\u00e9")]))
    base = STRS.get(flag_class, PLAIN_STRS)
    if "path" in shape.marks and flag_class == "unicode":
        base = PLAIN_STRS  # an invalid path says nothing of the contents
    if "intlike" in shape.marks and flag_class != "value-invalid":
        base = ["0", "1", "", "-1", "a", "2"]
    if "json" in shape.marks and flag_class != "json-decode":
        base = JSON
    if "date" in shape.marks and flag_class != "value-invalid":
        base = ["2000-01-01", "", "2000-01-01T00:00:00"]
    lens = ["a" * n for n in shape.lens] + [
        c + "a" * (n - len(c)) for c in texts[:4] for n in shape.lens[:4]
        if n > len(c)]
    out = base[:2] + texts[:8] + lens[:12] + base[2:]
    return [encode(v) for v in out]


def plain_bytes(shape, flag_class):
    base = BYTES.get(flag_class, PLAIN_BYTES)
    consts = [c for c in shape.consts if isinstance(c, bytes)]
    return [encode(v) for v in base[:2] + consts[:4] + [
        b"a" * n for n in shape.lens[:4]] + base[2:]]


def arranged(items, lens, most):
    """Lists of the items: with none, one, two or three, and of these
    lengths."""
    out = [[]]
    if not items:
        return out
    a = items[0]
    b = items[1] if len(items) > 1 else a
    c = items[2] if len(items) > 2 else b
    out += [[a], [b], [a, b], [b, a], [c], [a, a], [a, b, c], [c, b, a],
            [a, a, b]]
    for n in lens:
        if n > 1:
            out.append([items[i % len(items)] for i in range(n)])
            out.append([a] * n)
    out += [[v] for v in items[3:]]
    return distinct(out)[:most]
