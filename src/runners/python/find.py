"""find.py -- the flagged function, and the lines at which it may raise.

Part of the program that synthesise.py ends; see there.
"""

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def definitions(body, path, owner):
    """Every (qualified name, node, class node) at module and class level."""
    for node in body:
        if isinstance(node, FUNCTIONS):
            yield path + node.name, node, owner
        elif isinstance(node, ast.ClassDef):
            yield from definitions(node.body, path + node.name + ".", node)
        elif isinstance(node, (ast.If, ast.Try, ast.With)):
            for part in ("body", "orelse", "finalbody"):
                yield from definitions(getattr(node, part, []), path, owner)
            for handler in getattr(node, "handlers", []):
                yield from definitions(handler.body, path, owner)


def first_line(node):
    return min([node.lineno] + [d.lineno for d in node.decorator_list])


def covers(node, line):
    return first_line(node) <= line <= node.end_lineno


def find(tree, name, line):
    every = list(definitions(tree.body, "", None))
    if name:
        hits = [d for d in every if d[0] == name]
        if not hits and "." not in name:
            # A bare name: the method, when there is only one class with it.
            hits = [d for d in every if d[0].split(".")[-1] == name]
            if len({d[0] for d in hits}) > 1 and line is None:
                raise Failed("function-ambiguous: " + name)
    else:
        hits = [d for d in every if line is not None]
    if line is not None:
        inside = [d for d in hits if covers(d[1], line)]
        if not inside and not name:
            raise Failed("function-not-found: nothing at line %d" % line)
        hits = inside or hits
    if not hits:
        raise Failed("function-not-found: %s" % name)
    return hits[-1]


# -- where the exception may come from -------------------------------------

RAISING = {
    "div-zero": (ast.Div, ast.FloorDiv, ast.Mod, ast.Pow),
    "index-oob": (ast.Subscript, ast.Delete),
}
# What may run other code, and so raise anything.
OPAQUE = (ast.Call, ast.Attribute, ast.Raise, ast.For, ast.AsyncFor, ast.With,
          ast.AsyncWith, ast.Await, ast.Yield, ast.YieldFrom, ast.Subscript,
          ast.comprehension, ast.Import, ast.ImportFrom)


def own_nodes(stmt):
    """The statement without the statements in its body."""
    todo = [stmt]
    while todo:
        node = todo.pop()
        yield node
        todo += [c for c in ast.iter_child_nodes(node)
                 if not isinstance(c, (ast.stmt, ast.ExceptHandler))]


def can_raise(stmt, flag_class):
    return any(isinstance(n, RAISING.get(flag_class, ()) + OPAQUE)
               for n in own_nodes(stmt))


def own_range(stmt):
    """The lines of a statement, of a compound one only its head."""
    lines = [n for n in own_nodes(stmt) if hasattr(n, "end_lineno")]
    heads = [n for n in lines if n is not stmt] or [stmt]
    if not any(isinstance(c, (ast.stmt, ast.ExceptHandler))
               for c in ast.iter_child_nodes(stmt)):
        heads = [stmt]
    last = max(n.end_lineno for n in heads)
    return [stmt.lineno, max(stmt.lineno, last)]


def ranges(func, flag_class, line):
    stmts = [n for n in ast.walk(func)
             if isinstance(n, ast.stmt) and n is not func]
    able = [s for s in stmts if can_raise(s, flag_class)]
    spans = sorted(own_range(s) for s in able)
    in_body = line is not None and line >= func.body[0].lineno
    if in_body and line <= func.end_lineno:
        spans = [s for s in spans if s[0] <= line <= s[1]]
    elif line is not None and not covers(func, line):
        raise Failed("line-not-in-function: %d" % line)
    if not spans:
        raise Failed("cannot-raise: nothing there can raise it")
    return spans[:2000]
