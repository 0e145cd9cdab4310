"""moves.py -- variants of a value that callers pass, with one place in it
moved to a boundary: a number becomes 0, a text is empty or cut, a list is
short, a key is missing, a sign in a text becomes another one that the source
knows."""
import ast
import re

from basics import distinct, tag_of

EACH_MAX = 24  # of one value
DEEP_MAX = 5
SIGNS_MAX = 8
TEXT_MAX = 200  # longer texts are not taken apart


def signs_of(tree):
    """The signs that the source compares with or looks for: constants of one
    or two characters, none of them a letter or a space."""
    out = []
    for n in ast.walk(tree):
        text = getattr(n, "value", None) if isinstance(n, ast.Constant) else None
        if isinstance(text, str) and 1 <= len(text) <= 4 and \
                not re.search(r"[\w\s]", text):
            out += list(text)
    return list(dict.fromkeys(out))[:SIGNS_MAX]


def inside(v, signs=(), depth=0):
    """Variants of an encoded value, each with one place moved."""
    if depth > DEEP_MAX or v is None or isinstance(v, bool):
        return []
    if isinstance(v, (int, float)):
        return [x for x in (type(v)(0), type(v)(-1)) if x != v]
    if isinstance(v, str):
        return distinct(of_text(v, signs))[:EACH_MAX]
    if isinstance(v, list):
        return of_list(v, signs, depth)
    if tag_of(v) == "$tuple":  # its length is its purpose
        return [{"$tuple": x} for x in each(v["$tuple"], signs, depth)]
    if tag_of(v) == "$dict":
        return of_dict(v["$dict"], signs, depth)
    return []


def each(items, signs, depth):
    """The lists of the same length with one element moved.  Every element gets
    its first variant before any gets its second."""
    variants = [inside(x, signs, depth + 1) for x in items[:8]]
    out = []
    for rank in range(max(map(len, variants), default=0)):
        for i, moved in enumerate(variants):
            if rank < len(moved):
                out.append(items[:i] + [moved[rank]] + items[i + 1:])
    return out[:EACH_MAX]


def of_list(v, signs, depth):
    short = [[], v[:-1], v[:1]] if v else []
    return distinct([x for x in short if x != v] +
                    each(v, signs, depth))[:EACH_MAX]


def of_dict(pairs, signs, depth):
    lacking = [[]] + [pairs[:i] + pairs[i + 1:] for i in range(len(pairs))] \
        if pairs else []
    moved = each([x for _, x in pairs], signs, depth)
    out = lacking[:6] + [[[k, x] for (k, _), x in zip(pairs, row)]
                         for row in moved]
    return [{"$dict": x} for x in out[:EACH_MAX]]


def of_text(text, signs):
    """The text empty, with its numbers 0, cut at either end, with one sign
    changed to another, doubled, or with words for its numbers."""
    yield ""
    if len(text) > TEXT_MAX:
        return
    zeros = re.sub(r"\d+", "0", text)
    yield zeros
    yield text[:-1]
    yield text[1:]
    yield re.sub(r"\d+", "a", text)
    yield re.sub(r"\d+(?=\D*$)", "a", text)
    swapped = []
    for old in dict.fromkeys(re.findall(r"[^\w\s]", text)):
        for new in signs:
            if new != old:
                swapped.append(text.replace(old, new, 1))
        yield text.replace(old, "", 1)
    for other in swapped[:8]:
        yield other
        yield re.sub(r"\d+", "0", other)
    yield re.sub(r"\d+", "-1", text)
    yield re.sub(r"[A-Za-z]+", "0", text)
    yield text + text


def spots(text):
    """The texts in quotes in a documentation: examples of a text."""
    found = re.findall(r"'([^'\n]{1,60})'(?!\w)|\"([^\"\n]{1,60})\"|"
                       r"`+([^`\n]{1,60})`+", text)
    return [a or b or c for a, b, c in found][:6]
