"""others_mutants.py -- small changes of a function, and lines of it where an exception
is thinkable.

An edit is [line, column, end line, end column, text]; columns are bytes.  It keeps the
number of lines, so that a flag's line is right in both.
"""
import ast
import builtins

TWINS = {ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt}
CASTS = {"int", "str", "float", "list", "tuple", "set", "dict", "bool", "max", "min",
         "abs", "sorted", "iter", "bytes"}
MUTANTS_MAX = 40  # of one function


def replaced(node, text):
    """The edit that puts text in place of a node."""
    lines = node.end_lineno - node.lineno
    return [node.lineno, node.col_offset, node.end_lineno, node.end_col_offset,
            "(" + text + "\n" * lines + ")" if lines else text]


def edits_of_expression(n):
    if isinstance(n, ast.Compare) and len(n.ops) == 1 and type(n.ops[0]) in TWINS:
        twin = ast.Compare(n.left, [TWINS[type(n.ops[0])]()], n.comparators)
        yield replaced(n, ast.unparse(twin))
    if isinstance(n, ast.Subscript) and not isinstance(
            n.slice, (ast.Slice, ast.Tuple)) and isinstance(n.ctx, ast.Load):
        yield replaced(n, "%s[%s + 1]" % (ast.unparse(n.value), ast.unparse(n.slice)))
    if isinstance(n, ast.BoolOp):
        yield from (replaced(n, "(%s)" % ast.unparse(v)) for v in n.values)
    if isinstance(n, ast.IfExp):
        yield replaced(n, "(%s)" % ast.unparse(n.body))
        yield replaced(n, "(%s)" % ast.unparse(n.orelse))
    if isinstance(n, ast.UnaryOp) and isinstance(n.op, (ast.Not, ast.USub)):
        yield replaced(n, "(%s)" % ast.unparse(n.operand))
    if isinstance(n, ast.Call):
        yield from edits_of_call(n)


def edits_of_call(n):
    name = getattr(n.func, "id", "")
    if name == "range" and n.args:
        last = ast.unparse(n.args[-1] if len(n.args) < 3 else n.args[1])
        at = n.args[min(len(n.args) - 1, 1)]
        yield replaced(at, "%s + 1" % last)
    elif name in CASTS and n.args and not isinstance(n.args[0], ast.GeneratorExp):
        yield replaced(n, "(%s)" % ast.unparse(n.args[0]))
    elif name == "len" and n.args:
        yield replaced(n, "(%s + 1)" % ast.unparse(n))
        yield replaced(n, "(%s - 1)" % ast.unparse(n))
    elif isinstance(n.func, ast.Attribute) and n.func.attr == "get" and n.args:
        yield replaced(n, "%s[%s]" % (ast.unparse(n.func.value),
                                      ast.unparse(n.args[0])))
    elif isinstance(n.func, ast.Attribute) and n.func.attr in (
            "strip", "lower", "upper", "split", "copy", "replace", "items", "keys"):
        yield replaced(n, ast.unparse(n.func.value))


def edits_of(function):
    for n in ast.walk(function):
        if isinstance(n, (ast.If, ast.While)):
            yield replaced(n.test, "False")
            yield replaced(n.test, "True")
        elif isinstance(n, (ast.Assign, ast.AugAssign)):
            if n.lineno == n.end_lineno:
                yield replaced(n, "pass")
        elif isinstance(n, ast.expr):
            yield from edits_of_expression(n)


def edited(text, edit):
    line, column, end_line, end_column, new = edit
    lines = text.split("\n")
    head = lines[line - 1].encode()[:column].decode()
    tail = lines[end_line - 1].encode()[end_column:].decode()
    lines[line - 1:end_line] = (head + new + tail).split("\n")
    return "\n".join(lines)


def spread(edits):
    """At most so many of them, from all parts of the function."""
    step = max(1, -(-len(edits) // MUTANTS_MAX))
    return edits[::step]


def mutants(text, function):
    """(edit, the changed function) for each change that is still Python."""
    lines = text.split("\n")
    for edit in spread(list(edits_of(function))):
        try:
            new = edited(text, edit).split("\n")
            own = new[function.lineno - 1:function.end_lineno]
            made = ast.parse("\n" * (function.lineno - 1) + "\n".join(own))
        except SyntaxError:
            continue
        if len(new) == len(lines) and len(made.body) == 1:
            yield edit, made.body[0]


# -- lines of a correct function where an exception is thinkable --------------------

def bound_in_branches(function):
    """Names that are only bound within an if, a loop, a try or a with."""
    params = {a.arg for a in ast.walk(function.args) if isinstance(a, ast.arg)}
    sure = set(params)
    for s in function.body:
        if isinstance(s, (ast.Assign, ast.AnnAssign, ast.Import, ast.ImportFrom,
                          ast.FunctionDef, ast.ClassDef, ast.With)):
            sure |= names_bound(s)
    return names_bound(function) - sure


def names_bound(node):
    return {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(
        n.ctx, ast.Store)} | {n.name for n in ast.walk(node) if isinstance(
            n, (ast.FunctionDef, ast.ClassDef))}


def thinkable(function):
    """{class: line}: the first line of the function for each class, as a list."""
    out, loose = {}, bound_in_branches(function)
    inner = {id(x) for n in ast.walk(function) if isinstance(
        n, (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.Lambda))
        for x in ast.walk(n)}
    body = [n for s in function.body for n in ast.walk(s) if hasattr(n, "lineno")]
    for n in sorted(body, key=lambda n: (n.lineno, n.col_offset)):
        for c in classes_at(n, loose if id(n) not in inner else set()):
            out.setdefault(c, n.lineno)
    return sorted(out.items())


def classes_at(n, loose):
    if isinstance(n, ast.BinOp):
        if isinstance(n.op, (ast.Div, ast.FloorDiv, ast.Mod)) and not isinstance(
                n.right, ast.Constant) and not is_text(n.left):
            yield "div-zero"
        if not (isinstance(n.left, ast.Constant) and isinstance(
                n.right, ast.Constant)):
            yield "type-mismatch"
    elif isinstance(n, ast.Subscript) and isinstance(n.ctx, ast.Load) and \
            not isinstance(n.slice, (ast.Slice, ast.Tuple)):
        is_key = isinstance(n.slice, ast.Constant) and isinstance(n.slice.value, str)
        yield "key-missing" if is_key else "index-oob"
        yield "null-deref"
    elif isinstance(n, ast.Attribute) and isinstance(n.ctx, ast.Load):
        yield "attr-missing"
    elif isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load) and n.id in loose:
        yield "unbound-local"
    elif isinstance(n, ast.Call):
        if getattr(n.func, "id", "") in vars(builtins):
            yield "type-mismatch"
        if getattr(n.func, "id", "") in ("int", "float", "max", "min"):
            yield "value-invalid"
    elif isinstance(n, ast.Assert):
        yield "assertion"


def is_text(n):
    return isinstance(n, ast.JoinedStr) or isinstance(n, ast.Constant) and isinstance(
        n.value, str)
