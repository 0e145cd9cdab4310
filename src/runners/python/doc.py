"""doc.py -- what a docstring promises: types, preconditions, examples.

A promise can only exclude values: a value that a documented type or
precondition rules out is not the function's concern.  The calls in examples
are known to be valid.
"""
import ast
import re

import bounds
from annotate import NAMES
from syntax import FUNCTIONS, last_word

WORDS = {
    "int": "int", "ints": "int", "integer": "int", "integers": "int",
    "float": "float", "floats": "float", "number": "Number",
    "numbers": "Number", "str": "str", "string": "str", "strings": "str",
    "text": "str", "bool": "bool", "boolean": "bool", "bytes": "bytes",
    "list": "list", "lists": "list", "array": "list", "sequence": "list",
    "iterable": "list", "tuple": "tuple", "tuples": "tuple", "pairs": "tuple",
    "set": "set", "dict": "dict", "dictionary": "dict", "mapping": "dict",
    "callable": "Callable", "none": "None",
}
ADJECTIVES = {
    "sorted": "sorted", "nonnegative": "nonnegative",
    "non-negative": "nonnegative", "positive": "positive",
    "unique": "unique", "distinct": "unique", "nonempty": "nonempty",
    "non-empty": "nonempty", "natural": "nonnegative", "even": "even",
    "odd": "odd", "nonzero": "nonzero", "non-zero": "nonzero",
    "nondecreasing": "sorted", "ascending": "sorted", "lowercase": "lower",
}
FILLERS = ("a an the of and or starting given input target single two "
           "three optional base-10 initial python").split()
FIELD = re.compile(r"^\s*(?:[-*]\s+)?(?::param\s+(?:\w+\s+)?|:type\s+)?"
                   r"[`*]{0,2}(\w+)[`*]{0,2}\s*(?:\(([^)]*)\))?\s*:\s*(.*)$")
SEVERAL = re.compile(r"^\s*(?:[-*]\s+)?([`*\w]+(?:\s*,\s*[`*\w]+)+)\s*:\s*(.*)$")
SENTENCE = re.compile(r"^\s*[`*]{0,2}(\w+)[`*]{0,2}\s+(?:is|are)\s+"
                      r"((?:an?|the|all)\s.*)$")
SPHINX = re.compile(r":param\s+([\w\[\], ]+?)\s+(\w+)\s*:")
DEMAND = re.compile(r"^\s*(?:Pre-?conditions?|Requires|Assumes|Raises? unless)"
                    r"\s*:?\s*(.*)$", re.I)
INPUT = re.compile(r"^\s*(?:Inputs?|Args|Arguments|Parameters?)\s*:\s*$", re.I)
PROMPT = re.compile(r"^\s*>>>\s(.*)$")


class Doc:
    """What the text near a function says about its parameters."""

    def __init__(self, names):
        self.names = set(names)
        self.types = {}  # name: the text of its annotation
        self.adjectives = {}  # name: {word}; the elements' words as "*word"
        self.demands = []  # expressions over the parameters
        self.examples = []  # calls, as trees
        self.notes = {}  # name: everything said about it, in lower case
        self.bounds = {}  # name: [(kind of bound, its numbers)]
        self.quoted = []  # texts in quotes
        self.field_of = None  # whose field the previous line belongs to

    def may_be_none(self, name):
        """True, False, or None when nothing is said about that parameter."""
        if name not in self.notes:
            return None
        return re.search(r"\b(none|null|optional|absent|missing)\b",
                         self.notes[name]) is not None

    def note(self, name, text):
        self.notes[name] = self.notes.get(name, "") + " " + text.lower()

    def read(self, text, func_name):
        lines = text.splitlines()[:400]
        demanding, is_input = False, False
        for name, what, numbers in bounds.of_prose(text, self.names):
            self.bound(name, what, numbers)
        for line in lines:
            if is_input and len(self.names) == 1 and not FIELD.match(line):
                line = "%s: %s" % (list(self.names)[0], line.strip())
            is_input = INPUT.match(line) is not None
            m = PROMPT.match(line)
            if m:
                self.example(m.group(1), func_name)
                continue
            m = DEMAND.match(line)
            if m:
                demanding = True
                self.demand(m.group(1))
                continue
            if demanding and line.startswith((" ", "\t")) and \
                    self.demand(line):
                continue
            demanding = demanding and not line.strip()
            self.field(line)

    def example(self, text, func_name):
        try:
            tree = ast.parse(text.strip(), mode="eval")
        except (SyntaxError, ValueError):
            return
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and last_word(
                    node.func) == func_name and len(self.examples) < 8:
                self.examples.append(node)

    def demand(self, text):
        """A condition as an expression over the parameters, if it can be
        one."""
        text = text.strip().rstrip(".;,")
        if not text:
            return False
        try:
            tree = ast.parse(text, mode="eval").body
        except (SyntaxError, ValueError, MemoryError, RecursionError):
            return self.said(text)
        used = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name)}
        if not used & self.names or isinstance(tree, ast.Name):
            return self.said(text)
        parts = tree.elts if isinstance(tree, ast.Tuple) else [tree]
        self.demands += parts
        return True

    def said(self, text):
        """"n is positive", "n must be non-negative", "arr is sorted"."""
        m = re.match(r"^`?(\w+)`?\s+(?:is|are|must be|should be|has to be)\s+"
                     r"(.*)$", text)
        if not m or m.group(1) not in self.names:
            return False
        for word in re.findall(r"[\w-]+", m.group(2).lower()):
            if word in ADJECTIVES:
                self.adjectives.setdefault(m.group(1), set()).add(
                    ADJECTIVES[word])
        return True

    def bound(self, name, what, numbers):
        mine = self.bounds.setdefault(name, [])
        if (what, numbers) not in mine and len(mine) < 8:
            mine.append((what, numbers))

    def in_field(self, names, line, text):
        """Read a line in the field of those parameters."""
        indent = len(line) - len(line.lstrip())
        self.field_of = (names, indent)
        for name in names:
            for what, numbers in bounds.of_field(text):
                self.bound(name, what, numbers)

    def goes_on(self, line):
        """Whether a line continues the field before it: it is indented
        further."""
        if self.field_of is None:
            return False
        names, indent = self.field_of
        if not line.strip() or len(line) - len(line.lstrip()) <= indent:
            self.field_of = None
            return False
        for name in names:
            self.note(name, line)
        self.in_field(names, " " * indent + line.strip(), line.strip())
        return True

    def field(self, line):
        if self.goes_on(line):
            return
        m = SEVERAL.match(line)
        names = [n for n in re.findall(r"\w+", m.group(1))] if m else []
        if len(names) > 1 and set(names) <= self.names:
            self.in_field(names, line, m.group(2))
            for name in names:
                self.note(name, line)
                self.type_of(name, m.group(2), False)
            return
        m = SPHINX.search(line)
        if m and m.group(2) in self.names:
            self.note(m.group(2), line)
            self.type_of(m.group(2), m.group(1), True)
        m = SENTENCE.match(line)
        if m and m.group(1) in self.names:
            self.note(m.group(1), line)
            self.type_of(m.group(1), m.group(2), False)
        m = FIELD.match(line)
        if not m or m.group(1) not in self.names:
            return
        self.note(m.group(1), line)
        self.in_field([m.group(1)], line, m.group(3) or "")
        if m.group(2):
            self.type_of(m.group(1), m.group(2).split(", optional")[0], True)
        if m.group(3):
            self.type_of(m.group(1), m.group(3), ":type" in line)

    def type_of(self, name, text, exact):
        if name in self.types:
            exact = False
        notes = self.adjectives.setdefault(name, set())
        if exact and re.match(r"^[\w\[\], .|]+$", text):
            try:
                ast.parse(text.strip(), mode="eval")
                head = re.match(r"\w+", text.strip())
                if head and (head.group().lower() in WORDS
                             or head.group() in NAMES):
                    self.types[name] = WORDS.get(text.strip().lower(),
                                                 text.strip())
            except (SyntaxError, ValueError):
                pass
        plain = re.sub(r"\([^()]*\)", " ", text.lower())
        for clause in re.split(r"[,;.]\s", plain):
            kinds = self.kinds_of(re.findall(r"[\w-]+", clause)[:14], notes)
            if kinds and name not in self.types:
                self.types[name] = phrase(kinds, re.search(
                    r"\bor none\b|\boptional\b", text.lower()) is not None)

    def kinds_of(self, words, notes):
        """["a", "sorted", "list", "of", "ints"]: ["list", "int"]."""
        kinds = []
        for i, word in enumerate(words):
            if word == "number" and words[i + 1:i + 2] == ["of"]:
                return kinds + ["int"]
            if word in ADJECTIVES:
                notes.add(("*" if kinds else "") + ADJECTIVES[word])
            elif word in WORDS:
                kinds.append(WORDS[word])
            elif word not in FILLERS:
                break
        return kinds

    def admits(self, name, value):
        """Whether an encoded value matches the adjectives and the bounds."""
        if not bounds.admits(self.bounds.get(name, ()), value):
            return False
        for word in self.adjectives.get(name, ()):
            try:
                if word.startswith("*"):
                    if not all(map(ADMITS[word[1:]], parts(value))):
                        return False
                elif not ADMITS[word](value):
                    return False
            except TypeError:
                return False
        return True


def parts(value):
    """The values in a list, and the values inside them."""
    if isinstance(value, dict) and len(value) == 1:
        value = value.get("$tuple", value.get("$set", value))
    for v in value if isinstance(value, (list, tuple, set)) else ():
        yield v
        yield from parts(v)


ADMITS = {
    "sorted": lambda v: not isinstance(v, (list, tuple)) or all(
        a <= b for a, b in zip(v, v[1:])),
    "unique": lambda v: not isinstance(v, (list, tuple)) or all(
        a != b for i, a in enumerate(v) for b in v[:i]),
    "nonempty": lambda v: not isinstance(v, (list, tuple, set, str, dict))
    or len(v) > 0,
    "nonnegative": lambda v: not isinstance(v, (int, float)) or v >= 0,
    "positive": lambda v: not isinstance(v, (int, float)) or v > 0,
    "nonzero": lambda v: not isinstance(v, (int, float)) or v != 0,
    "even": lambda v: not isinstance(v, int) or v % 2 == 0,
    "odd": lambda v: not isinstance(v, int) or v % 2 == 1,
    "lower": lambda v: not isinstance(v, str) or v == v.lower(),
}


def phrase(kinds, optional):
    """["list", "list", "int"] -> "list[list[int]]"."""
    out = ""
    for kind in reversed(kinds[:4]):
        if kind in ("list", "set") and out:
            out = kind + "[" + out + "]"
        elif kind == "tuple" and out:
            out = "tuple[" + out + ", " + out + "]"
        elif not out:
            out = kind
        elif kind not in ("list", "set", "tuple", "dict"):
            out = "Union[" + kind + ", " + out + "]"
        else:
            out = kind
    return "Optional[" + out + "]" if optional else out


def texts_near(tree, func):
    """The function's docstring, and a text next to it in the module."""
    out = [ast.get_docstring(func, clean=True) or ""]
    body = getattr(tree, "body", [])
    if func in body:
        alone = sum(isinstance(n, FUNCTIONS + (ast.ClassDef,))
                    for n in body) == 1
        for node in body[body.index(func) + 1:][:2 if alone else 1]:
            if isinstance(node, ast.Expr) and isinstance(
                    node.value, ast.Constant) and isinstance(
                    node.value.value, str):
                out.append(node.value.value)
        if alone:
            out.append(ast.get_docstring(tree) or "")
    return [t for t in out if t]
