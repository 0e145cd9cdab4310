"""find.py -- finds the flagged function and the lines at which it may
raise."""
import ast

from annotate import top_level
from sense import operand_stacks, takes_operand
from shape import Failed
from syntax import FUNCTIONS, last_word, own_nodes, statements


class Found:
    """A definition: its qualified name, its node, its class or None.  If it is
    inside another function, also the node of that function."""

    def __init__(self, name, node, owner, inside=None):
        self.name, self.node = name, node
        self.owner, self.inside = owner, inside


def definitions(body, path, owner):
    """Every definition at module and class level, then those inside them."""
    for node in top_level(body):
        if isinstance(node, FUNCTIONS):
            yield Found(path + node.name, node, owner)
        elif isinstance(node, ast.ClassDef):
            yield from definitions(node.body, path + node.name + ".", node)


def inner_definitions(outer):
    for node in ast.walk(outer.node):
        if isinstance(node, FUNCTIONS) and node is not outer.node:
            yield Found(outer.name, outer.node, outer.owner, node)


def first_line(node):
    return min([node.lineno] + [d.lineno for d in node.decorator_list])


def covers(node, line):
    return first_line(node) <= line <= node.end_lineno


def named(every, name, line):
    hits = [d for d in every if d.name == name]
    if not hits and "." not in name:
        # A bare name: the method, when there is only one class with it.
        hits = [d for d in every if d.name.split(".")[-1] == name]
        if len({d.name for d in hits}) > 1 and line is None:
            raise Failed("function-ambiguous: " + name)
    if hits:
        return hits
    last = name.split(".")[-1]
    return [i for d in every for i in inner_definitions(d)
            if i.inside.name == last]


def find(tree, name, line):
    every = list(definitions(tree.body, "", None))
    hits = named(every, name, line) if name else [
        d for d in every if line is not None]
    if line is not None:
        inside = [d for d in hits if covers(d.inside or d.node, line)]
        if not inside and not name:
            raise Failed("function-not-found: nothing at line %d" % line)
        hits = inside or hits
    if not hits:
        raise Failed("function-not-found: %s" % name)
    real = [d for d in hits if "overload" not in marks_of(d.node)]
    best = (real or hits)[-1]
    if best.inside is not None and not is_used_inside(best):
        raise Failed("unsupported-kind: a nested function that only its "
                     "caller's caller can call")
    return best


def is_used_inside(found):
    """Whether the outer function calls its inner one or passes it on."""
    for node in ast.walk(found.node):
        if isinstance(node, ast.Call):
            for part in [node.func] + node.args + [
                    k.value for k in node.keywords]:
                if isinstance(part, ast.Name) and \
                        part.id == found.inside.name:
                    return True
    return False


def marks_of(node):
    """The last words of its decorators: "property", "setter"..."""
    return [last_word(d) for d in node.decorator_list]


# -- where the exception may come from -------------------------------------

# The nodes that can raise the exception of each class; OPAQUE is for nodes
# that may run other code.
RAISING = {
    "div-zero": (ast.Div, ast.FloorDiv, ast.Mod, ast.Pow),
    "index-oob": (ast.Subscript, ast.Delete),
    "key-missing": (ast.Subscript, ast.Delete, ast.Mod),
    "null-deref": (ast.BinOp, ast.UnaryOp, ast.Compare, ast.AugAssign,
                   ast.Starred, ast.Tuple, ast.List, ast.JoinedStr),
    "attr-missing": (ast.Attribute,),
    "type-mismatch": (ast.BinOp, ast.UnaryOp, ast.Compare, ast.AugAssign,
                      ast.Starred, ast.Tuple, ast.List, ast.Dict, ast.Set,
                      ast.JoinedStr),
    "value-invalid": (ast.Tuple, ast.List, ast.BinOp, ast.JoinedStr),
    "unbounded-recursion": (ast.Compare, ast.BinOp),
    "assertion": (ast.Assert,),
    "overflow": (ast.BinOp, ast.AugAssign, ast.JoinedStr),
    "unicode": (ast.JoinedStr,),
    "stop-iteration": (),
    "unbound-local": (ast.Name,),
    "name-undefined": (ast.Name,),
    "json-decode": (),
    "memory": (ast.BinOp, ast.AugAssign, ast.List, ast.Tuple, ast.Dict,
               ast.Set, ast.JoinedStr),
    "infinite-loop": (ast.AST,),
}
# Nodes that may run other code and so raise anything.
OPAQUE = (ast.Call, ast.Attribute, ast.Raise, ast.For, ast.AsyncFor, ast.With,
          ast.AsyncWith, ast.Await, ast.Yield, ast.YieldFrom, ast.Subscript,
          ast.comprehension, ast.Import, ast.ImportFrom)


def is_meant(stmt, line):
    """Whether a statement raises an exception by name.  Such an exception is
    what the function tells its caller, unless the flag means that very
    line."""
    return isinstance(stmt, ast.Raise) and stmt.exc is not None and not (
        line is not None and stmt.lineno <= line <= stmt.end_lineno)


def can_raise(stmt, flag_class):
    return any(isinstance(n, RAISING.get(flag_class, ()) + OPAQUE)
               for n in own_nodes(stmt))


def own_range(stmt):
    """The lines of a statement; of a compound statement only its head."""
    lines = [n for n in own_nodes(stmt) if hasattr(n, "end_lineno")]
    heads = [n for n in lines if n is not stmt] or [stmt]
    if not any(isinstance(c, (ast.stmt, ast.ExceptHandler))
               for c in ast.iter_child_nodes(stmt)):
        heads = [stmt]
    last = max(n.end_lineno for n in heads)
    return [stmt.lineno, max(stmt.lineno, last)]


def ranges(found, flag_class, line, is_told=False):
    """The lines at which the function may raise.  is_told: the documentation
    describes what it takes, and with it the order of operands."""
    func = found.inside or found.node
    able = [s for s in statements(func) if can_raise(s, flag_class)
            and not is_meant(s, line)]
    stacks = operand_stacks(func) if is_told and \
        flag_class == "index-oob" else ()
    if stacks:
        able = [s for s in able if not takes_operand(s, stacks)]
    spans = sorted(own_range(s) for s in able)
    in_body = line is not None and line >= func.body[0].lineno
    if in_body and line <= func.end_lineno:
        spans = [s for s in spans if s[0] <= line <= s[1]]
    elif line is not None and not covers(func, line):
        raise Failed("line-not-in-function: %d" % line)
    if not spans:
        raise Failed("cannot-raise: no code at that place can raise it")
    return spans[:2000]


MODULE = "<module>"  # the name of a module's code object


def at_load(tree, name, flag_class, line):
    """The lines of a statement that runs while the module is loaded, when the
    flag means such a statement; else None."""
    if line is None or name not in (None, MODULE) or any(
            covers(n, line) for n in ast.walk(tree)
            if isinstance(n, FUNCTIONS)):
        return None
    spans = [own_range(s) for s in statements(tree)
             if can_raise(s, flag_class) and not is_meant(s, line)]
    return sorted(s for s in spans if s[0] <= line <= s[1]) or None
