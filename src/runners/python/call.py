"""call.py -- one witness, once: import the code, call the function, report.

Runs inside the vessel, in the same process as code that nobody has reason to
trust; 0011-witness.md says what that does and does not prove.  Standard input:
the nonce, gone once it is read.  Descriptor 5: the source of the flagged file,
which is compiled here, so that the bytes hashed are the bytes run.  Descriptor
6: the request, JSON {path, function, first_line, alarm_s, witness}.
Descriptor 3: the answer, one JSON object.

This file is executed with a private copy of the builtins, and what it needs
after the import it holds in local variables before it.
"""


def main():
    import importlib.util
    import inspect
    import json
    import os
    import signal
    import sys
    from importlib.machinery import SourceFileLoader

    builtin_types = {v for v in vars(__import__("builtins")).values()
                     if isinstance(v, type)}
    write, leave, exc_info = os.write, os._exit, sys.exc_info
    get_frame = sys._getframe
    REPO = "/repo/"
    FRAMES_MAX = 60  # of each end of a long traceback

    def read_all(fd):
        with open(fd, "rb") as f:
            return f.read()

    # -- JSON out, by hand: json's own functions can be replaced -----------

    def quote(s):
        out = '"'
        for c in s:
            n = ord(c)
            if c == '"' or c == "\\":
                out += "\\" + c
            elif 0xD800 <= n <= 0xDFFF:
                out += "\\ufffd"
            elif 32 <= n < 127:
                out += c
            elif n < 0x10000:
                out += "\\u%04x" % n
            else:
                n -= 0x10000
                out += "\\u%04x\\u%04x" % (0xD800 + (n >> 10),
                                           0xDC00 + (n & 0x3FF))
        return out + '"'

    def as_json(v):
        if type(v) is dict:
            return "{" + ",".join([quote(k) + ":" + as_json(v[k])
                                   for k in v]) + "}"
        if type(v) is list:
            return "[" + ",".join([as_json(x) for x in v]) + "]"
        if v is None or v is True or v is False:
            return {None: "null", True: "true", False: "false"}[v]
        return str(v) if type(v) is int else quote(v)

    # -- the request --------------------------------------------------------

    nonce = os.read(0, 4096).decode("ascii")
    while os.read(0, 4096):
        pass
    source = read_all(5)
    request = json.loads(read_all(6))
    result_fd = os.dup(3)
    os.close(3)

    def report(answer):
        answer["nonce"] = nonce
        text = as_json(answer).encode("ascii")
        while text:
            text = text[write(result_fd, text):]
        leave(0)

    def decode(v):
        if type(v) is list:
            return [decode(x) for x in v]
        if type(v) is not dict:
            return v
        (tag, x), = v.items()
        if tag == "$tuple":
            return tuple([decode(i) for i in x])
        if tag == "$set":
            return {decode(i) for i in x}
        if tag == "$bytes":
            return bytes.fromhex(x)
        if tag == "$float":
            return float(x)
        return {decode(k): decode(i) for k, i in x}

    # -- the flagged function's own code object -----------------------------

    path = REPO + request["path"]
    try:
        module_code = compile(source, path, "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        report({"outcome": "import-failed", "stage": "compile"})
    code_type = type(module_code)

    def below(code):
        out = []
        for c in code.co_consts:
            if type(c) is code_type:
                out.append(c)
                out += below(c)
        return out

    name = request["function"].split(".")[-1]
    targets = [c for c in below(module_code) if c.co_name == name and
               c.co_firstlineno == request["first_line"]]
    if len(targets) != 1:
        report({"outcome": "not-found"})
    target = targets[0]
    nested = below(target)

    # -- what happened, for the report --------------------------------------

    def shown(filename):
        if filename.startswith(REPO):
            return filename[len(REPO):]
        return filename.rsplit("/", 1)[-1]

    def entry(code, line):
        where = "other"
        if code is target:
            where = "target"
        elif any([code is c for c in nested]):
            where = "nested"
        return {"where": where, "file": shown(code.co_filename)[:200],
                "function": code.co_name[:200],
                "line": line if type(line) is int else 0}

    def shorten(frames):
        if len(frames) <= 2 * FRAMES_MAX:
            return frames
        return frames[:FRAMES_MAX] + frames[-FRAMES_MAX:]

    def from_traceback(tb):
        out = []
        while tb is not None and len(out) < 100000:
            if tb.tb_frame.f_code is not own_code:
                out.append(entry(tb.tb_frame.f_code, tb.tb_lineno))
            tb = tb.tb_next
        return shorten(out)

    def from_frame(frame):
        out = []
        while frame is not None and frame.f_code is not own_code:
            out.append(entry(frame.f_code, frame.f_lineno))
            frame = frame.f_back
        out.reverse()
        return shorten(out)

    def describe(kind, value):
        """Of the exact class only: asking an object would run its code."""
        is_builtin = any([kind is t for t in builtin_types])
        name = type.__dict__["__name__"].__get__(kind)
        module, message = "builtins", ""
        if is_builtin:
            args = BaseException.args.__get__(value)
            if type(args) is tuple and len(args) == 1 and type(
                    args[0]) is str:
                message = args[0]
        else:
            module = type.__dict__["__dict__"].__get__(kind).get("__module__")
            module = module if type(module) is str else "?"
        return {"module": module[:100], "name": name[:100],
                "builtin": is_builtin, "message": message[:300]}

    # -- the alarm ----------------------------------------------------------

    # Whitespace before the answer: from here on the flagged code may end the
    # process, and then the supervisor can tell that from our own failure.
    write(result_fd, b"\n")
    stage = ["import"]

    def on_alarm(_signal, frame):
        report({"outcome": "alarm", "stage": stage[0],
                "frames": from_frame(frame)})

    own_code = get_frame(0).f_code
    signal.signal(signal.SIGALRM, on_alarm)
    signal.alarm(request["alarm_s"])

    # -- importing: the flagged module from the code object above -----------

    parts = request["path"].split("/")
    stem = parts[-1][:-3] if parts[-1].endswith(".py") else parts[-1]
    folder = parts[:-1]
    package = []
    while folder and os.path.isfile(
            REPO + "/".join(folder + ["__init__.py"])):
        package.insert(0, folder.pop())
    is_package = stem == "__init__" and bool(package)
    dotted = ".".join(package + ([] if is_package else
                                 [stem.replace(".", "_")]))

    class Loader(SourceFileLoader):
        def get_code(self, _fullname):
            return module_code

    class Finder:
        @staticmethod
        def find_spec(fullname, _path=None, _target=None):
            if fullname != dotted:
                return None
            return importlib.util.spec_from_file_location(
                dotted, path, loader=Loader(dotted, path),
                submodule_search_locations=[path.rsplit("/", 1)[0]]
                if is_package else None)

    sys.path[:] = [REPO + "/".join(folder), REPO[:-1]] + [
        p for p in sys.path if p]
    sys.meta_path.insert(0, Finder)
    try:
        thing = importlib.import_module(dotted)
        *owners, last = request["function"].split(".")
        owner = thing
        for part in owners:
            owner = getattr(owner, part)
        witness = request["witness"]

        def values(group):
            every = [(a["name"], a["by"], decode(a["value"]))
                     for a in witness[group]]
            return ([v for _, by, v in every if by == "position"],
                    {n: v for n, by, v in every if by == "name"})

        if "receiver" in witness:
            stage[0] = "receiver"
            args, named = values("receiver")
            owner = owner(*args, **named)
        function = owner if last == "__init__" else getattr(owner, last)
        args, named = values("arguments")
        is_coroutine = inspect.iscoroutinefunction(function)
        if is_coroutine:
            import asyncio
    except BaseException:
        kind, value, tb = exc_info()
        report({"outcome": "import-failed", "stage": stage[0],
                "type": describe(kind, value), "frames": from_traceback(tb)})

    # -- the call ------------------------------------------------------------

    stage[0] = "call"
    try:
        got = function(*args, **named)
        if is_coroutine:
            asyncio.run(got)
        elif inspect.isgenerator(got):
            for _ in zip(range(10000), got):
                pass
        report({"outcome": "returned"})
    except BaseException:
        kind, value, tb = exc_info()
        report({"outcome": "raised", "stage": stage[0],
                "type": describe(kind, value), "frames": from_traceback(tb)})


try:
    main()
finally:
    # Only a failure of this file gets here: report() does not return.
    __import__("os")._exit(70)
