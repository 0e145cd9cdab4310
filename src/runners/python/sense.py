"""sense.py -- recognises inputs that no caller means: None where nothing
mentions it, rows of unequal length where the code takes the width from one
row, nodes that are documented as a graph's and are not in it, missing
operands.

Everything is read from the code and its documentation, never from a
parameter's name.  The result is that witnesses or lines are left out, because
a corrected function that still fails on such an input has no bug.
"""
import ast
import json
import re

from basics import same_key, tag_of
from shape import root
from syntax import dotted, index_of, last_word, literal, own_nodes, statements

MATRIX_SAID = re.compile(r"\bmatri(?:x|ces)\b|\bgrid\b|rectangular|equally long|"
                         r"(?:same|equal) (?:length|width)|\b2-?d\b|\b[mn] ?x ?[mn]\b")
NODE_SAID = re.compile(r"\b(?:nodes?|vertex|vertices)\b")


# -- None without a word for it --------------------------------------------

def asks_for_none(func):
    """Whether the function compares anything with None.  A function that does
    so for one value and not for another means the difference."""
    return any(isinstance(n, ast.Compare) and any(
        literal(c) == (True, None) for c in [n.left] + n.comparators)
        for n in ast.walk(func))


# Calls that ask what their first argument is, or whether there is anything in it.
ASKING = {"hasattr", "isinstance", "issubclass", "callable", "len"}


def truths(test):
    """What a condition asks for: `a.b` of `not a.b`, of `a.b and c > 0`, of
    `isinstance(a.b, str)` and of `len(a.b) > 2`."""
    if isinstance(test, ast.BoolOp):
        return {name for part in test.values for name in truths(part)}
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return truths(test.operand)
    if isinstance(test, ast.Compare):
        return {name for part in [test.left] + test.comparators
                if isinstance(part, ast.Call) for name in truths(part)}
    if isinstance(test, ast.Call):
        return {dotted(test.args[0])} - {""} if test.args and isinstance(
            test.func, ast.Name) and test.func.id in ASKING else set()
    return {dotted(test)} - {""}


def asked_if_there(func):
    tests = []
    for n in ast.walk(func):
        if isinstance(n, (ast.If, ast.While, ast.IfExp, ast.Assert)):
            tests.append(n.test)
        elif isinstance(n, ast.BoolOp):
            tests += n.values[:-1]  # whether the next is looked at
        elif isinstance(n, ast.comprehension):
            tests += n.ifs
    return {name for test in tests for name in truths(test)}


def is_asked(node, asked):
    """Whether the function asks if `a.b.c` is there, or `a.b`, or `a`: who
    does so means that the rest is there."""
    while isinstance(node, ast.Attribute):
        if dotted(node) in asked:
            return True
        node = node.value
    return dotted(node) in asked


def at_spans(func, spans):
    return [s for s in statements(func)
            if any(a <= s.lineno <= b for a, b in spans)]


def gives_instead(node):
    """`a or b`, `a if b else c`, `d.get(a, b)`, `getattr(a, b, c)`: whether
    the expression provides a replacement value."""
    if isinstance(node, ast.Call):
        return isinstance(node.func, ast.Attribute) and len(
            node.args) == 2 and node.func.attr in ("get", "pop") or \
            last_word(node.func) == "getattr" and len(node.args) == 3
    return isinstance(node, ast.IfExp) or isinstance(
        node, ast.BoolOp) and isinstance(node.op, ast.Or)


def needed_at(func, spans):
    """The names without whose values those statements fail.  Empty if the
    statements or the function handle None somewhere."""
    inside_try = [n for n in ast.walk(func) if isinstance(n, ast.Try) and any(
        n.lineno <= b and a <= n.body[-1].end_lineno for a, b in spans)]
    if asks_for_none(func) or inside_try:
        return set()
    out, asked = set(), asked_if_there(func)
    for stmt in at_spans(func, spans):
        for node in own_nodes(stmt):
            if gives_instead(node):
                return set()
            out |= {last_word(n) for n in operands(node)
                    if isinstance(n, (ast.Name, ast.Attribute))
                    and not is_asked(n, asked)}
    return out


def operands(node):
    """The parts of that expression or statement that must not be None."""
    if isinstance(node, (ast.Attribute, ast.Subscript)):
        return [node.value]
    if isinstance(node, (ast.For, ast.comprehension)):
        return [node.iter]
    if isinstance(node, ast.BinOp):
        return [node.left, node.right]
    if isinstance(node, ast.Compare) and isinstance(node.ops[0], (
            ast.Lt, ast.LtE, ast.Gt, ast.GtE)):
        return [node.left] + node.comparators
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and \
            node.func.id in ("len", "sum", "max", "min", "sorted", "iter"):
        return node.args[:1]
    return []


# -- operands --------------------------------------------------------------

def calls_of(nodes, method):
    """The names whose method of that name is called without using the result
    (append), or, for pop, with its result used."""
    bare = {id(n.value) for n in nodes if isinstance(n, ast.Expr)}
    return {n.func.value.id for n in nodes if isinstance(n, ast.Call)
            and isinstance(n.func, ast.Attribute) and n.func.attr == method
            and isinstance(n.func.value, ast.Name)
            and (method != "pop" or not n.args and id(n) not in bare)}


def answers_yes_or_no(func):
    return last_word(func.returns) == "bool" if func.returns is not None else \
        any(isinstance(n, ast.Return) and literal(n.value)[1] in (True, False)
            and type(literal(n.value)[1]) is bool
            for n in ast.walk(func) if getattr(n, "value", None) is not None)


def operand_stacks(func):
    """Lists of the function's own that are filled for one kind of token and
    emptied for another.  Whether there is enough in them depends on the order
    of the tokens."""
    if answers_yes_or_no(func):
        return set()
    own = {t.id for n in ast.walk(func) if isinstance(n, ast.Assign)
           for t in n.targets if isinstance(t, ast.Name) and isinstance(
               n.value, (ast.List, ast.Call))}
    out = set()
    for loop in ast.walk(func):
        if not isinstance(loop, ast.For):
            continue
        for fork in ast.walk(loop):
            if isinstance(fork, ast.If):
                one, other = [[n for s in part for n in ast.walk(s)]
                              for part in (fork.body, fork.orelse)]
                out |= calls_of(one, "append") & calls_of(other, "pop")
                out |= calls_of(other, "append") & calls_of(one, "pop")
    return out & own


def takes_operand(stmt, stacks):
    nodes = list(own_nodes(stmt))
    bases = {getattr(n.value, "id", "") for n in nodes
             if isinstance(n, ast.Subscript)}
    return bool(calls_of(nodes, "pop") & stacks or bases & stacks) and \
        bases <= stacks


# -- rows ------------------------------------------------------------------

def is_ragged(v):
    v = v.get("$tuple", v) if isinstance(v, dict) else v
    if not isinstance(v, list) or not all(isinstance(x, list) for x in v):
        return False
    return len({len(x) for x in v}) > 1


def atoms(v):
    """The plain values inside a value that can be nodes: keys and elements,
    but not weights."""
    if tag_of(v) == "$dict":
        v = [k for k, _ in v["$dict"]] + [
            x for _, x in v["$dict"] if isinstance(x, (list, dict))]
    elif isinstance(v, dict):
        v = list(v.values())
    if isinstance(v, list):
        return set().union(*[atoms(x) for x in v]) if v else set()
    return {same_key(v)}


def looks_up(func, name):
    return any(isinstance(n, ast.Subscript) and isinstance(n.ctx, ast.Load)
               and getattr(index_of(n), "id", "") == name
               for n in ast.walk(func))


def asked_for_width(func):
    """The names for which one row, chosen by number, tells the length of all
    rows: `len(rows[0])`."""
    return {index.value.id for n in ast.walk(func) if isinstance(n, ast.Call)
            and last_word(n.func) == "len" and len(n.args) == 1
            for index in n.args if isinstance(index, ast.Subscript)
            and isinstance(index.value, ast.Name)
            and type(literal(index_of(index))[1]) is int}


def told(doc, name):
    """What the documentation says about the parameter, without its name."""
    return re.sub(r"\b%s\b" % re.escape(name.lower()), " ",
                  doc.notes.get(name, ""))


class Sense:
    """Whether a caller could mean a row of values."""

    def __init__(self, func, doc, slots, flag_class):
        own = [s.name for s in slots if s.group == "arguments"]
        widths = asked_for_width(func)
        self.matrices = {n for n in own if n in widths
                         or MATRIX_SAID.search(told(doc, n))}
        self.nodes = {s.name for s in slots if s.name in own
                      and NODE_SAID.search(told(doc, s.name))
                      and not any(isinstance(v, (list, dict))
                                  for v in s.values[:2])
                      and not looks_up(func, s.name)} \
            if flag_class == "key-missing" else set()
        for s in slots:  # a smaller value might not be one any more
            if s.name in self.matrices or self.nodes:
                s.fixed = True

    def lend(self, slots):
        """For nodes that are not keys of any graph, add values that are."""
        known = set().union(*[atoms(v) for s in slots for v in s.values
                              if s.group == "arguments"
                              and tag_of(v) == "$dict"])
        for s in slots:
            if s.name in self.nodes and known and not any(
                    same_key(v) in known for v in s.values):
                s.values = [json.loads(k) for k in sorted(known)[:2]] + \
                    s.values

    def admits(self, slots, row):
        pairs = [(s.name, v) for s, v in zip(slots, row)
                 if s.group == "arguments"]
        if any(n in self.matrices and is_ragged(v) for n, v in pairs):
            return False
        graphs = [v for _, v in pairs if tag_of(v) == "$dict"]
        if not graphs:
            return True
        known = set().union(*map(atoms, graphs))
        return not any(n in self.nodes and not isinstance(v, (list, dict))
                       and same_key(v) not in known for n, v in pairs)


def has_object_keys(shape):
    """Whether it is a dict with objects as keys.  No witness can contain the
    same object twice."""
    if "key" not in root(shape).parts:
        return False
    key = root(shape).part("key")
    return bool(key.attrs) or any(root(k).attrs for k in key.keys.values())
