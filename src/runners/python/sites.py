"""sites.py -- finds calls of the flagged function in its repository, for their
literal arguments.

The repository is read, never run.  Everything is bounded, and the same tree
gives the same calls, because folders and files are visited in a fixed order.
"""
import ast
import os
import stat

from basics import encode
from shape import Failed
from syntax import FUNCTIONS, all_args, dotted, last_word

ENTRIES_MAX = 4000  # in the folders that are read
READ_MAX = 8 << 20  # bytes of other files
FILE_MAX = 256 << 10  # of one file
PARSED_MAX = 512 << 10  # of the files that contain the name
FILES_MAX = 16  # that contain the name
SITES_MAX = 8
SKIPPED = {"node_modules", "__pycache__", "site-packages"}
RAISES = ("raises", "assertRaises", "assertRaisesRegex")


def others(root, own, suffix):
    """The files of a tree except one, level by level, without following
    links."""
    folders, left = [root], ENTRIES_MAX
    while folders and left > 0:
        folder = folders.pop(0)
        try:
            with os.scandir(folder) as found:
                names = sorted(e.name for _, e in zip(range(left), found))
        except OSError:
            continue
        left -= len(names)
        for name in names:
            path = os.path.join(folder, name)
            try:
                mode = os.lstat(path).st_mode
            except OSError:
                continue
            if stat.S_ISDIR(mode):
                if name not in SKIPPED and not name.startswith("."):
                    folders.append(path)
            elif stat.S_ISREG(mode) and name.endswith(suffix) and \
                    os.path.relpath(path, root) != own:
                yield path


def texts(root, own, suffix, word):
    """The bytes of the files that contain that word."""
    read = parsed = files = 0
    for path in others(root, own, suffix):
        try:
            fd = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
            with open(fd, "rb") as f:
                text = f.read(FILE_MAX + 1)
        except OSError:
            continue
        read += len(text)
        if len(text) <= FILE_MAX and word in text and \
                parsed + len(text) <= PARSED_MAX:
            parsed += len(text)
            files += 1
            yield text
        if read > READ_MAX or files >= FILES_MAX:
            return


def meant(tree, func, skip=None):
    """The calls that `func` accepts, without those in `skip` and those that a
    test expects to fail."""
    todo = [tree]
    while todo:
        node = todo.pop()
        if node is skip or isinstance(node, ast.With) and any(
                last_word(i.context_expr) in RAISES for i in node.items):
            continue
        if isinstance(node, ast.Call):
            if last_word(node) in RAISES:
                continue
            if func(node.func):
                yield node
        todo += list(ast.iter_child_nodes(node))[::-1]


def is_call_here(found):
    """The test for a call in the function's own file: its name, or a method of
    that name."""
    word = found.node.name
    if found.owner is None:
        return lambda f: isinstance(f, ast.Name) and f.id == word
    return lambda f: isinstance(f, ast.Attribute) and f.attr == word


def is_call_there(found, tree, stem):
    """The test for a call in another file: by a name that is imported from a
    module with the name of the flagged file, or as a member of that module."""
    word, names, modules = found.node.name, set(), set()
    top = found.owner.name if found.owner is not None else word
    for n in ast.walk(tree):
        if isinstance(n, ast.ImportFrom):
            of = (n.module or "").split(".")[-1]
            names |= {a.asname or a.name for a in n.names
                      if a.name == top and of in (stem, "")}
            modules |= {a.asname or a.name for a in n.names if a.name == stem}
        elif isinstance(n, ast.Import):
            modules |= {a.asname or a.name for a in n.names
                        if a.name.split(".")[-1] == stem}
    if found.owner is not None:
        known = names or modules
        return lambda f: bool(known) and isinstance(
            f, ast.Attribute) and f.attr == word
    return lambda f: isinstance(f, ast.Name) and f.id in names or \
        isinstance(f, ast.Attribute) and f.attr == word and \
        dotted(f.value) in modules


def plain_call(call):
    """Whether every argument of the call has a known place."""
    return not any(isinstance(a, ast.Starred) for a in call.args) and all(
        k.arg is not None for k in call.keywords)


def calls_here(tree, found):
    """The calls in the function's own file."""
    if not isinstance(found.node, FUNCTIONS + (ast.ClassDef,)):
        return []
    return [c for _, c in zip(range(SITES_MAX), meant(
        tree, is_call_here(found), found.node)) if plain_call(c)]


def calls_elsewhere(root, own, found):
    """In the other files of the repository."""
    out = []
    stem = os.path.basename(own).rpartition(".")[0]
    for text in texts(root, own, ".py", found.node.name.encode("utf-8")):
        try:
            tree = ast.parse(text)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue
        for call in meant(tree, is_call_there(found, tree, stem)):
            if plain_call(call):
                out.append(call)
            if len(out) >= SITES_MAX:
                return out
    return out


def handed_on(tree, found):
    """(function, {its parameter: our place or name}) for the functions of the
    file that pass their own parameters on to the flagged function."""
    for func in tree.body:
        if not isinstance(func, FUNCTIONS) or func is found.node:
            continue
        own = {a.arg for a in all_args(func.args)}
        for call in meant(func, is_call_here(found), found.node):
            given = [(i, a) for i, a in enumerate(call.args)]
            given += [(k.arg, k.value) for k in call.keywords]
            passed = {a.id: at for at, a in given
                      if isinstance(a, ast.Name) and a.id in own}
            if passed and plain_call(call):
                yield func, passed


def as_called(func, passed, call):
    """Translate a call of a function that passes its parameters on into the
    call that it makes.  Arguments that it makes itself are unknown."""
    names = [a.arg for a in all_args(func.args)]
    given = dict(zip(names, call.args))
    given.update({k.arg: k.value for k in call.keywords})
    places = {passed[n]: v for n, v in given.items() if n in passed}
    last = max([i for i in places if isinstance(i, int)], default=-1)
    unknown = ast.Name(id="unknown", ctx=ast.Load())
    return ast.Call(
        func=unknown, args=[places.get(i, unknown) for i in range(last + 1)],
        keywords=[ast.keyword(arg=k, value=v) for k, v in places.items()
                  if isinstance(k, str)])


class Callee:
    """The target of a search for calls: a function, or a class to
    construct."""

    def __init__(self, node, owner=None):
        self.node, self.owner = node, owner


def calls_through(tree, found, request):
    """The calls of the functions in the file that pass on what they get."""
    out = []
    for func, passed in handed_on(tree, found):
        other = Callee(func)
        calls = calls_here(tree, other)
        if request.get("repo"):
            calls += calls_elsewhere(request["repo"], request["file"], other)
        out += [as_called(func, passed, c) for c in calls]
        if len(out) >= SITES_MAX:
            break
    return out[:SITES_MAX]


def calls_of(tree, found, request):
    """The calls in its own file first, then the others."""
    calls = calls_here(tree, found)
    if request.get("repo"):
        calls += calls_elsewhere(request["repo"], request["file"], found)
    if not any(isinstance(a, CONTENT) for c in calls for a in c.args):
        calls += calls_through(tree, found, request)
    return calls


CONTENT = (ast.Constant, ast.List, ast.Tuple, ast.Dict, ast.Set)


def literals(call, slots, group="arguments"):
    """{name: value} of the literal arguments of a call."""
    own = [s for s in slots if s.group == group
           and s.by in ("position", "name")]
    places = [s.name for s in own if s.by == "position" or
              group == "receiver"]
    given = list(zip(places, call.args))
    names = {s.name for s in own}
    given += [(k.arg, k.value) for k in call.keywords if k.arg in names]
    out = {}
    for name, node in given:
        try:
            out[name] = encode(ast.literal_eval(node))
        except (ValueError, TypeError, SyntaxError, MemoryError,
                RecursionError, Failed):
            continue  # not a literal, or one that we cannot encode
    return out
