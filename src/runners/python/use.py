"""use.py -- how a function uses each of its names, read from its syntax tree.

Part of the program that synthesise.py ends; see there.
"""
import ast

WITNESSES_MAX = 64
VALUES_MAX = 16  # a parameter, in the order in which they are tried
NEST_MAX = 3  # of annotations: List[List[List[int]]]


class Failed(Exception):
    """No witness can be built; the text is the reason's code and words."""


LIST_METHODS = {"append", "extend", "pop", "sort", "insert", "reverse"}
STR_METHODS = {"split", "strip", "lower", "upper", "encode", "startswith",
               "endswith", "splitlines", "rstrip", "lstrip", "replace",
               "isdigit", "partition", "rsplit", "find", "join", "format"}
DICT_METHODS = {"items", "keys", "values", "get", "setdefault", "update"}
SEQ_CALLS = {"len", "sum", "max", "min", "sorted", "list", "tuple", "set",
             "enumerate", "reversed", "any", "all", "zip", "iter", "map"}
NUM_CALLS = {"range", "abs", "int", "float", "round", "divmod", "pow"}
ARITHMETIC = (ast.Div, ast.FloorDiv, ast.Mod, ast.Sub, ast.Mult, ast.Pow)


class Uses(ast.NodeVisitor):
    """What is done with each name of a function: a set of words a name."""

    def __init__(self):
        self.words = {}
        self.keys = {}
        self.numbers = []
        self.texts = []

    def add(self, node, word):
        if isinstance(node, ast.Name):
            self.words.setdefault(node.id, {})[word] = True

    def visit_BinOp(self, node):
        if isinstance(node.op, ARITHMETIC):
            text = isinstance(node.op, ast.Mod) and isinstance(
                node.left, ast.Constant) and isinstance(node.left.value, str)
            if not text:
                self.add(node.left, "number")
                self.add(node.right, "number")
        self.generic_visit(node)

    def visit_AugAssign(self, node):
        if isinstance(node.op, ARITHMETIC):
            self.add(node.target, "number")
            self.add(node.value, "number")
        self.generic_visit(node)

    def visit_Subscript(self, node):
        index = node.slice
        index = getattr(index, "value", index) if isinstance(
            index, getattr(ast, "Index", ())) else index
        if isinstance(index, ast.Constant) and isinstance(index.value, str):
            self.add(node.value, "dict")
            if isinstance(node.value, ast.Name):
                keys = self.keys.setdefault(node.value.id, [])
                if index.value not in keys:
                    keys.append(index.value)
        else:
            self.add(node.value, "list")
        self.add(index, "int")
        if isinstance(index, ast.Slice):
            for part in (index.lower, index.upper, index.step):
                self.add(part, "int")
        self.generic_visit(node)

    def visit_For(self, node):
        self.add(node.iter, "list")
        self.generic_visit(node)

    def visit_comprehension(self, node):
        self.add(node.iter, "list")
        self.generic_visit(node)

    def visit_Call(self, node):
        f = node.func
        if isinstance(f, ast.Attribute):
            for names, word in ((LIST_METHODS, "list"), (STR_METHODS, "str"),
                                (DICT_METHODS, "dict")):
                if f.attr in names:
                    self.add(f.value, word)
        elif isinstance(f, ast.Name):
            self.add(f, "callable")
            for arg in node.args:
                if f.id in SEQ_CALLS:
                    self.add(arg, "list")
                elif f.id in NUM_CALLS:
                    self.add(arg, "int" if f.id == "range" else "number")
        self.generic_visit(node)

    def visit_Compare(self, node):
        for side in [node.left] + node.comparators:
            for other in [node.left] + node.comparators:
                if isinstance(other, ast.Constant):
                    kind = type(other.value).__name__
                    if kind in ("int", "float"):
                        self.add(side, "number")
                    elif kind == "str":
                        self.add(side, "str")
        self.generic_visit(node)

    def visit_Constant(self, node):
        kept = self.numbers
        if isinstance(node.value, str):
            kept = self.texts
        elif isinstance(node.value, bool) or not isinstance(
                node.value, (int, float)):
            return
        if len(kept) < 16 and node.value not in kept:
            kept.append(node.value)
