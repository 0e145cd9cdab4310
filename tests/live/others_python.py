"""others_python.py -- flags on programs that others wrote, with what is true of them.

usage: others_python.py LIBRARY PACKAGE OUT

LIBRARY is a folder with a Python package of that name, whose functions have examples
in their documentation (doctests).  The examples are run, and the calls whose arguments
are plain values are noted: those inputs are valid, for the author says so.  Then:

- a mutant of a function that raises one of the classes' exceptions for such an input
  is a true flag;
- a line of the function as it stands, where the class is thinkable, is a flag on a
  correct program.

OUT/N has copies of the package for round N, in which at most one function of a module
is a mutant (round 0: none is).  The examples are taken out of all copies, or they
would be witnesses.  Standard output: a JSON object for each flag.
"""
import ast
import doctest
import hashlib
import importlib
import io
import json
import os
import re
import shutil
import signal
import sys
import types

import others_mutants

ROUNDS_MAX = 12
TRUE_MAX = 60  # of one package
FALSE_MAX = 80
DATA_MAX = 1 << 20  # bytes of a file that is copied as it is
CALLS_MAX = 8  # of one function, that are noted
TEXT_MAX = 300  # characters of one noted argument
MODULE_S = 20  # for the examples of one module
CALL_S = 1
ITEMS_MAX = 100  # taken from a generator

CLASSES = {
    ZeroDivisionError: "div-zero", IndexError: "index-oob", KeyError: "key-missing",
    ValueError: "value-invalid", TypeError: "type-mismatch",
    AttributeError: "attr-missing", UnboundLocalError: "unbound-local",
    AssertionError: "assertion", OverflowError: "overflow"}


class Late(BaseException):
    """The time is over."""


def late(*_):
    raise Late()


def class_of(error):
    """The class that stands for an exception, or None."""
    found = CLASSES.get(type(error))
    if found in ("type-mismatch", "attr-missing") and "NoneType" in str(error):
        return "null-deref"
    return found


def plain(value):
    """The value as text, if that is all that it is, or None."""
    try:
        text = repr(value)
        if len(text) < TEXT_MAX and same(ast.literal_eval(text), value):
            return text
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        pass
    return None


def same(a, b):
    if type(a) is not type(b) or a != b:
        return False
    if isinstance(a, (list, tuple)):
        return all(map(same, a, b))
    if isinstance(a, dict):
        return all(map(same, a.values(), b.values()))
    return True


class Noted:
    """The calls of a module's functions while its examples run."""

    def __init__(self, functions):
        self.codes = {f.__code__: name for name, f in functions.items()}
        self.calls = {}

    def __call__(self, frame, event, _arg):
        name = self.codes.get(frame.f_code)
        if event != "call" or name is None:
            return
        code = frame.f_code
        args = code.co_varnames[:code.co_argcount + code.co_kwonlyargcount]
        texts = {a: plain(frame.f_locals[a]) for a in args}
        mine = self.calls.setdefault(name, [])
        if None not in texts.values() and texts not in mine and \
                len(mine) < CALLS_MAX:
            mine.append(texts)


def examples_run(module, noted):
    """Run the examples of the module."""
    signal.alarm(MODULE_S)
    try:
        runner = doctest.DocTestRunner(verbose=False)
        for test in doctest.DocTestFinder().find(module):
            sys.setprofile(noted)
            runner.run(test, out=lambda _: None)
            sys.setprofile(None)
    except (Late, Exception):
        pass
    finally:
        sys.setprofile(None)
        signal.alarm(0)


def called(function, texts):
    """The exception that a call with these arguments raises, or None."""
    signal.alarm(CALL_S)
    try:
        got = function(**{k: ast.literal_eval(v) for k, v in texts.items()})
        if hasattr(got, "__next__"):
            for _ in zip(range(ITEMS_MAX), got):
                pass
    except Late:
        return Late()
    except Exception as error:
        return error
    finally:
        signal.alarm(0)
    return None


def line_in(error, code):
    """The line of the last frame of that code that the exception passed."""
    at, tb = None, error.__traceback__
    while tb is not None:
        if tb.tb_frame.f_code is code:
            at = tb.tb_lineno
        tb = tb.tb_next
    return at


def kills(node, made, calls, module):
    """(line, class, call) of the first call that this mutant fails, or None."""
    space = dict(vars(module))
    exec(compile(ast.Module([made], []), module.__file__, "exec"), space)
    function = space[node.name]
    raises = {n.lineno for n in ast.walk(made) if isinstance(n, ast.Raise)}
    for texts in calls:
        error = called(function, texts)
        if isinstance(error, Late):
            return None
        line = error and line_in(error, function.__code__)
        if line and class_of(error) and line not in raises:
            return line, class_of(error), texts
    return None


def functions_of(tree, module):
    """The plain functions at the top of the module: {name: (node, function)}."""
    out = {}
    for node in tree.body:
        f = getattr(module, getattr(node, "name", ""), None)
        if isinstance(node, ast.FunctionDef) and not node.decorator_list and \
                not node.args.vararg and not node.args.kwarg and \
                not node.args.posonlyargs and isinstance(f, types.FunctionType) \
                and f.__code__.co_firstlineno == node.lineno:
            out[node.name] = (node, f)
    return out


def flags_of(name, path, text):
    """(true flags with their mutant's edit, flags on the program as it is)."""
    module = importlib.import_module(name)
    found = functions_of(ast.parse(text), module)
    noted = Noted({n: f for n, (_, f) in found.items()})
    examples_run(module, noted)
    true, false = [], []
    for fn, calls in sorted(noted.calls.items()):
        node, function = found[fn]
        calls = [c for c in calls if called(function, c) is None]
        if not calls:
            continue
        seen = set()
        for edit, made in others_mutants.mutants(text, node):
            hit = kills(node, made, calls, module)
            if hit and hit[1] not in seen:
                seen.add(hit[1])
                true.append({"file": path, "function": fn, "line": hit[0],
                             "flag_class": hit[1], "true": True, "edit": edit,
                             "call": hit[2]})
        for flag_class, line in others_mutants.thinkable(node):
            false.append({"file": path, "function": fn, "line": line,
                          "flag_class": flag_class, "true": False, "round": 0})
    return true, false


def without_examples(text):
    """The text with the examples in its documentation as empty lines."""
    lines = text.split("\n")
    for n in ast.walk(ast.parse(text)):
        if not (isinstance(n, ast.Constant) and isinstance(n.value, str)
                and ">>>" in n.value and n.end_lineno > n.lineno):
            continue
        inside = False
        for i in range(n.lineno - 1, n.end_lineno):
            line, is_last = lines[i], i == n.end_lineno - 1
            inside = bool(line.strip()) and (inside or ">>>" in line)
            if inside and is_last:
                lines[i] = " " * 4 + line[max(line.rfind('"""'),
                                              line.rfind("'''")):]
            elif inside and i > n.lineno - 1:
                lines[i] = ""
    try:
        ast.parse("\n".join(lines))
    except SyntaxError:  # a documentation that is laid out in another way
        return text
    return "\n".join(lines)


def modules_of(library, package):
    """(dotted name, path below the library) of each module but tests."""
    top = os.path.join(library, package)
    if not os.path.isdir(top):
        yield package, package + ".py"
        return
    for at, folders, files in os.walk(top):
        folders[:] = sorted(f for f in folders if not re.match("_*tests?$", f))
        for f in sorted(files):
            if f.endswith(".py") and f != "__main__.py" and "test" not in f:
                path = os.path.relpath(os.path.join(at, f), library)
                yield path[:-3].replace("/", ".").replace(".__init__", ""), path


def chosen(flags, most):
    """So many of the flags, by a fixed chance, with as much of each class as of
    others."""
    def chance(f):
        key = "%(file)s %(function)s %(flag_class)s" % f
        return hashlib.sha256(key.encode()).hexdigest()

    ranks, ordered = {}, []
    for f in sorted(flags, key=chance):
        ranks[f["flag_class"]] = ranks.get(f["flag_class"], 0) + 1
        ordered.append((ranks[f["flag_class"]], chance(f), f))
    return [f for _, _, f in sorted(ordered, key=lambda x: x[:2])[:most]]


def rounds_give(flags):
    """Give each true flag a round; those for which there is none are left out."""
    taken = {}
    for f in flags:
        f["round"] = taken[f["file"]] = taken.get(f["file"], 0) + 1
    return [f for f in flags if f["round"] <= ROUNDS_MAX]


def data_of(library, package):
    """Paths of what the package reads beside its modules, and what says which version
    it is."""
    for at, folders, files in os.walk(library):
        folders[:] = [f for f in folders if at != library or f == package
                      or f.lower().startswith((package + "-", package + "."))]
        for f in files:
            path = os.path.join(at, f)
            if at != library and not f.endswith((".py", ".pyc")) and \
                    os.path.getsize(path) < DATA_MAX:
                yield os.path.relpath(path, library)


def copies_write(library, package, out, texts, flags):
    for number in {f["round"] for f in flags}:
        for path in data_of(library, package):
            to = os.path.join(out, str(number), path)
            os.makedirs(os.path.dirname(to), exist_ok=True)
            shutil.copyfile(os.path.join(library, path), to)
        edits = {f["file"]: f["edit"] for f in flags
                 if f["round"] == number and "edit" in f}
        for path, text in texts.items():
            to = os.path.join(out, str(number), path)
            os.makedirs(os.path.dirname(to), exist_ok=True)
            with open(to, "w", encoding="utf-8") as f:
                f.write(others_mutants.edited(text, edits[path])
                        if path in edits else text)


def main(library, package, out):
    sys.path.insert(0, library)
    said, sys.stdout = sys.stdout, io.StringIO()  # what the programs print
    signal.signal(signal.SIGALRM, late)
    true, false, texts = [], [], {}
    for name, path in modules_of(library, package):
        try:
            with open(os.path.join(library, path), encoding="utf-8") as f:
                text = f.read()
            texts[path] = without_examples(text)
            if ">>>" in text and ">>>" not in texts[path]:
                mine = flags_of(name, path, text)
                true += mine[0]
                false += mine[1]
        except (Exception, SystemExit, Late) as error:
            print("%s: %s: %s" % (name, type(error).__name__, error),
                  file=sys.stderr)
    true = rounds_give(chosen(true, TRUE_MAX))
    flags = true + chosen(false, FALSE_MAX)
    copies_write(library, package, out, texts, flags)
    for f in flags:
        print(json.dumps(dict(f, package=package)), file=said)


if __name__ == "__main__":
    main(*sys.argv[1:])
