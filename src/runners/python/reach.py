"""reach.py -- finds the flagged module and its function."""


def make_places(repo):
    """where(path, source): (dotted name of the module, is a package,
    sys.path)."""
    import os
    import sys

    is_file, is_dir = os.path.isfile, os.path.isdir
    roots = ("src", "lib", "python")

    def site_packages():
        """The site-packages of a virtual environment in the repository, for
        this Python."""
        version = "python%d.%d" % sys.version_info[:2]
        for name in (".venv", "venv", "env", ".env"):
            if not is_file(repo + name + "/pyvenv.cfg"):
                continue
            for library in ("lib", "lib64"):
                path = "%s%s/%s/%s/site-packages" % (repo, name, library,
                                                     version)
                if is_dir(path):
                    yield path

    def where(path, source):
        parts = path.split("/")
        stem = parts[-1][:-3] if parts[-1].endswith(".py") else parts[-1]
        folder, package = parts[:-1], []
        while folder and is_file(repo + "/".join(folder + ["__init__.py"])):
            package.insert(0, folder.pop())
        if not package and b"\nfrom ." in b"\n" + source:
            # A namespace package: its root is the repository's or the
            # source's.
            while folder and folder[-1] not in roots:
                package.insert(0, folder.pop())
        is_package = stem == "__init__" and bool(package)
        dotted = ".".join(package + ([] if is_package else
                                     [stem.replace(".", "_")]))
        if "." not in dotted and not is_package and dotted in sys.modules:
            dotted = "flagged_" + dotted
        search = [repo + "/".join(folder), repo[:-1]]
        search += [repo + r for r in roots if is_dir(repo + r)]
        search += [p for p in sys.path if p]
        return dotted, is_package, search + list(site_packages())

    return where


def make_finder(target):
    """find(owner, name, instance): the callable that runs the target's
    code."""
    import functools
    import types

    bind = types.MethodType
    partial = functools.partial
    function_type = types.FunctionType
    missing = object()

    def look(thing, name, other):
        """The attribute as it is stored, without asking a descriptor."""
        if isinstance(thing, type):
            homes = type.__dict__["__mro__"].__get__(thing)
        else:
            own = getattr(thing, "__dict__", None)
            if type(own) is dict and name in own:
                return own[name]
            homes = type.__dict__["__mro__"].__get__(type(thing))
        for home in homes:
            own = type.__dict__["__dict__"].__get__(home)
            if name in own:
                return own[name]
        return other

    def code_of(thing):
        thing = getattr(thing, "__func__", thing)
        return thing.__code__ if type(thing) is function_type else None

    def inside(thing, depth=0):
        """The function with the target's code that this callable wraps."""
        if code_of(thing) is target:
            return getattr(thing, "__func__", thing)
        if depth > 6:
            return None
        for name in ("__wrapped__", "__func__", "fget", "fset", "fdel", "func",
                     "callback", "fn", "function", "py_func", "f"):
            inner = look(thing, name, missing)
            if type(inner) is types.MemberDescriptorType or \
                    type(inner) is types.GetSetDescriptorType:
                inner = getattr(thing, name, missing)
            if inner is not missing and inner is not thing:
                found = inside(inner, depth + 1)
                if found is not None:
                    return found
        return None

    def find(owner, name, instance, repo):
        if name.startswith("__") and not name.endswith("__") and \
                isinstance(owner, type):
            name = "_" + owner.__name__.lstrip("_") + name
        raw = look(owner, name, missing)
        if raw is missing:
            return None
        receiver = owner if instance is None else instance
        if isinstance(raw, property) or not callable(raw) and not isinstance(
                raw, (staticmethod, classmethod)):
            function = inside(raw)
            return function and partial(function, receiver)
        thing = getattr(receiver, name)
        code = code_of(thing)
        if code is target or code is not None and \
                code.co_filename.startswith(repo):
            return thing  # the repository's decorator is part of it
        function = inside(thing)
        if function is None:
            return thing
        if instance is not None or isinstance(raw, classmethod):
            return bind(function, receiver)
        return function

    return find
