"""syntax.py -- names for the parts of a syntax tree, for every Python
version."""
import ast

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def dotted(node):
    """`a.b.c` as text, or ""."""
    names = []
    while isinstance(node, ast.Attribute):
        names.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        return ""
    return ".".join([node.id] + names[::-1])


def last_word(node):
    """The last name of `a.b.c` or of a call of it."""
    if isinstance(node, ast.Call):
        node = node.func
    if isinstance(node, ast.Subscript):
        node = node.value
    return getattr(node, "id", getattr(node, "attr", ""))


def index_of(node):
    """The index in the brackets of a subscript, in any Python version."""
    index = node.slice
    if isinstance(index, getattr(ast, "Index", ())):
        return getattr(index, "value", index)
    return index


def literal(node):
    """(True, value) of a constant expression, else (False, None)."""
    if isinstance(node, ast.Constant):
        return True, node.value
    if isinstance(node, ast.UnaryOp) and isinstance(
            node.op, ast.USub) and isinstance(
            node.operand, ast.Constant) and type(
            node.operand.value) in (int, float):
        return True, -node.operand.value
    return False, None


def all_args(args):
    out = getattr(args, "posonlyargs", []) + args.args + args.kwonlyargs
    return out + [a for a in (args.vararg, args.kwarg) if a]


def own_nodes(stmt):
    """The nodes of the statement, without the statements in its body."""
    todo = [stmt]
    while todo:
        node = todo.pop()
        yield node
        todo += [c for c in ast.iter_child_nodes(node)
                 if not isinstance(c, (ast.stmt, ast.ExceptHandler))
                 and type(c).__name__ != "match_case"]


def statements(func):
    return [n for n in ast.walk(func)
            if isinstance(n, ast.stmt) and n is not func]


GENERATORS = {}  # node: whether its body yields


def is_generator(func):
    if func not in GENERATORS:
        GENERATORS[func] = has_yield(func)
    return GENERATORS[func]


def has_yield(func):
    todo = list(func.body)
    while todo:
        node = todo.pop()
        if isinstance(node, (ast.Yield, ast.YieldFrom)):
            return True
        if not isinstance(node, FUNCTIONS + (ast.Lambda, ast.ClassDef)):
            todo += ast.iter_child_nodes(node)
    return False
