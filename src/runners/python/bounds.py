"""bounds.py -- what prose says about the size of a parameter: "greater than
zero", "at least one", "between 0 and 100", "must not be empty", "a positive
integer".

A bound can only exclude values.  It is taken from a clause about the
parameter: from the parameter's own field, or from a clause that names it.
"""
import re

NUMBERS = {"zero": 0, "one": 1, "two": 2, "three": 3, "four": 4}
NUMBER = r"(-?\d+(?:\.\d+)?|zero|one|two|three|four)"
NO_MORE = r"(?!\s*(?:%|percent)|[\w.]*\d)"
OF_ITS_OWN = r"(?:^|[,;:(]\s*|\b(?:must be|should be|has to be|is|are|be|an?|" \
             r"any|only|strictly|always)\s+)"
# A phrase and the name of its bound; the numbers follow the phrase.
PHRASES = [(re.compile(text), name) for text, name in (
    (r"\bbetween\s+%s\s+and\s+%s%s" % (NUMBER, NUMBER, NO_MORE), "between"),
    (r"\b(?:from|in)\s+%s\s*(?:to|\.\.\.?|-)\s*%s\b" % (NUMBER, NUMBER),
     "between"),
    (r"\bin the range\s+%s\s*(?:to|\.\.\.?|-|,)\s*%s\b" % (NUMBER, NUMBER),
     "between"),
    (r"\b(?:greater|more|larger|bigger) than\s+%s\b(?! or equal)" % NUMBER,
     "above"),
    (r"(?<![-=<>])>\s*%s" % NUMBER, "above"),
    (r"\b(?:at least|no fewer than|not less than)\s+%s\b" % NUMBER, "least"),
    (r"\b(?:greater|more|larger) than or equal to\s+%s\b" % NUMBER, "least"),
    (r">=\s*%s" % NUMBER, "least"),
    (r"\b(?:less|smaller|fewer) than\s+%s\b(?! or equal)" % NUMBER, "below"),
    (r"\b(?:at most|no more than)\s+%s\b" % NUMBER, "most"),
    (r"<=\s*%s" % NUMBER, "most"),
    (OF_ITS_OWN + r"positive\b", "positive"),
    (OF_ITS_OWN + r"non-?negative\b|\bnot (?:be )?negative\b", "nonnegative"),
    (OF_ITS_OWN + r"non-?zero\b|!=\s*0\b|"
     r"\b(?:not|never|cannot|can't|nor)\s+(?:be\s+)?(?:0|zero)\b", "nonzero"),
    (OF_ITS_OWN + r"non-?empty\b|"
     r"\b(?:not|never|cannot|can't|nor)\s+(?:be\s+)?empty\b", "nonempty"),
    (r"\b(?:this|last|next|current|2[01](?:th|st))\s+"
     r"(?:century|decade|year|quarter|month|week)\b|"
     r"\b(?:in the (?:past|future)|not (?:yet )?(?:past|future))\b", "near"),
)]
# "a positive integer n": the adjective comes before the name.
BEFORE = re.compile(r"\b(positive|non-?negative|non-?zero|non-?empty)\s+"
                    r"(?:(?:whole|integer|int|float|real|number|list|string|"
                    r"sequence|array|dict|dictionary|tuple|count)s?\s+){0,2}"
                    r"[`*]{0,2}(\w+)")


def phrases(text):
    """(position, name, numbers) of each bound in a clause."""
    out = []
    for pattern, name in PHRASES:
        for m in pattern.finditer(text):
            out.append((m.start(), name, [number(g) for g in m.groups()
                                          if g is not None]))
    return out


def number(text):
    return NUMBERS[text] if text in NUMBERS else \
        float(text) if "." in text else int(text)


def of_field(text):
    """The bounds in the text of a parameter's own field."""
    return [(name, ns) for _, name, ns in phrases(text.lower())]


def of_prose(text, names):
    """(parameter, bound, numbers) of the clauses that name a parameter.  If a
    clause names several, the one nearest before the bound is meant."""
    out = []
    for clause in re.split(r"[.;]\s|[.;]$|\n\s*\n", text):
        clause = " ".join(clause.split())
        where = [(m.start(), m.group()) for m in re.finditer(r"\w+", clause)
                 if m.group() in names and is_name(clause, m, names)]
        low = clause.lower()
        for m in BEFORE.finditer(clause):
            if m.group(2) in names:
                out.append((m.group(2), m.group(1).lower().replace("-", ""),
                            []))
        for at, name, ns in phrases(low):
            nearest = [n for start, n in where if start < at]
            if nearest and not re.search(r"\b(?:returns?|otherwise|raises?|if|"
                                         r"when|unless)\b", low[:at]):
                out.append((nearest[-1], name, ns))
    return out


def is_name(clause, m, names):
    """Whether a word is meant as a parameter's name.  "a" and "to" are also
    ordinary words, so a short name must be marked or be the only name."""
    marked = clause[:m.start()].endswith(("`", "*"))
    return marked or len(m.group()) > 2 or m.group() not in (
        "a", "A", "I", "to", "of", "in", "is", "as", "at", "or", "no", "on")


def size_of(value):
    """What a bound is compared with: a number itself, otherwise a length."""
    if isinstance(value, bool):
        return None
    if isinstance(value, (int, float)):
        return value
    if isinstance(value, dict) and len(value) == 1:
        value = next(iter(value.values()))
    return len(value) if isinstance(value, (list, str)) else None


def admits(bounds, value):
    """Whether an encoded value satisfies all of the bounds."""
    size = size_of(value)
    if size is None:
        return True
    is_number = isinstance(value, (int, float))
    for name, ns in bounds:
        ask = HOLDS.get(name)
        if name == "near" and is_far(value):
            return False
        if name in ("positive", "nonnegative", "nonzero", "between",
                    "above", "below") and not is_number:
            continue
        if name == "nonempty" and is_number:
            continue
        if ask is not None and not ask(size, *ns):
            return False
    return True


def is_far(value):
    """Whether it is a date of which nobody says "this century" or "in the
    past"."""
    text = next((value[tag] for tag in ("$date", "$datetime")
                 if isinstance(value, dict) and tag in value), None)
    return text is not None and not "1900" <= text[:4] <= "2199"


HOLDS = {
    "positive": lambda v: v > 0, "nonnegative": lambda v: v >= 0,
    "nonzero": lambda v: v != 0, "nonempty": lambda v: v > 0,
    "least": lambda v, n: v >= n, "most": lambda v, n: v <= n,
    "above": lambda v, n: v > n, "below": lambda v, n: v < n,
    "between": lambda v, a, b: a <= v <= b,
}


def edges(bounds):
    """The numbers that the bounds name, as constants to try."""
    return [n for name, ns in bounds for n in ns]
