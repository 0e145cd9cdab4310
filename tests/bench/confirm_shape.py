"""confirm_shape.py -- a repository with the flags of real use, made anew each time.

usage: confirm_shape.py DIR [FLAGS]

164 flags (or FLAGS), 78 of which name a bug and 86 do not, in files of six
functions.  A flag without a bug costs every witness that its function has; one with
a bug ends at the first that raises.  Both halves are made of the same shapes, in an
order that mixes them, with names and constants that differ, so that nothing can be
known from the flag before.
"""
import json
import os
import sys

FLAGS, BUGS = 164, 78
A_FILE = 6

# class, what a bug is, what is none: bodies of a function f(a, b) with a constant.
SHAPES = (
    ("div-zero", "xs: list, n: int", "    return sum(xs) // (len(xs) * %d)",
     "    return sum(xs) // (len(xs) * %d) if xs else 0"),
    ("div-zero", "a: int, b: int", "    return a // (b - %d)",
     "    return a // (b - %d) if b > %d else 0"),
    ("index-oob", "xs: list, i: int", "    return xs[0]",
     "    return xs[0] if len(xs) > %d else None"),
    ("index-oob", "text: str", "    return text.split(',')[%d]",
     "    parts = text.split(',')\n    return parts[-1] * %d"),
    ("key-missing", "d: dict, k: str", "    return d[k]",
     "    return d.get(k, %d)"),
    ("value-invalid", "text: str", "    return int(text) + %d",
     "    return int(text) + %d if text.isdecimal() else 0"),
    ("null-deref", "text: str",
     "    import re\n    return re.match('[a-z]{%d}', text).group()",
     "    import re\n    m = re.match('[a-z]{%d}', text)\n"
     "    return m.group() if m else ''"),
    ("stop-iteration", "xs: list", "    return next(iter(xs))",
     "    return next(iter(xs), %d)"),
)


def function_of(number, has_bug):
    """One function, and the class of its flag."""
    flag_class, params, bug, fine = SHAPES[number % len(SHAPES)]
    body = bug if has_bug else fine
    constant = number // len(SHAPES) + 1
    body = body % ((constant,) * body.count("%d"))
    return flag_class, "def f%d(%s):\n%s\n" % (number, params, body)


def is_bug(number, flags):
    """BUGS of every FLAGS, evenly mixed."""
    bugs = BUGS * flags // FLAGS
    return (number + 1) * bugs // flags > number * bugs // flags


def main():
    top = sys.argv[1]
    flags = int(sys.argv[2]) if len(sys.argv) > 2 else FLAGS
    texts, rows = {}, []
    for number in range(flags):
        name = "m%d.py" % (number // A_FILE)
        flag_class, text = function_of(number, is_bug(number, flags))
        texts.setdefault(name, []).append(text)
        rows.append({"file": name, "function": "f%d" % number,
                     "flag_class": flag_class})
    for name, parts in texts.items():
        with open(os.path.join(top, name), "w") as f:
            f.write("\n\n".join(parts))
    with open(os.path.join(top, "flags"), "w") as f:
        f.write("".join(json.dumps(row) + "\n" for row in rows))


main()
