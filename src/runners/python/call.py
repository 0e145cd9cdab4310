"""call.py -- runs one witness once: imports the code, calls the function,
reports.

It runs inside the vessel (boot.py loads it), in the same process as code that
nobody has reason to trust; docs/confirm.md says what that does and does not
prove.

Descriptor 5: the source of the flagged file.  It is compiled here, so the
bytes that are hashed are the bytes that run.
Descriptor 6: the request, JSON {path, function, first_line, alarm_s,
cpu_alarm_ms}.  With {explore}, standard input has a list of witnesses, and each
is called in a copy of the process (explore.py).
Standard input: a line with the nonce, then the witness, JSON.  It is read
before any code of the repository runs, and is gone after that.  It may come
late: whatever can be done before it comes is done by then (docs/copies.md).
Descriptor 3: the answer, one JSON object.

The program is executed with its own copy of the builtins.  Before the import
it puts into local variables everything that it needs after the import.
"""
from decode import make_decoder
from explore import make_explorer, make_short
from reach import make_finder, make_places

REPO = "/repo/"
FRAMES_MAX = 60  # at each end of a long traceback
YIELDS_MAX = 10000  # values taken from a generator
BALLAST_BYTES = 8 << 20  # freed when memory has run out


def make_writer():
    """Write JSON by hand, because json's own functions can be replaced."""
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

    return as_json


def make_describer():
    """describe(class, value): describes values of exactly the known classes,
    because asking any other object would run its code."""
    import builtins
    from json.decoder import JSONDecodeError

    known = [(v, "builtins") for v in vars(builtins).values()
             if isinstance(v, type)]
    known.append((JSONDecodeError, "json.decoder"))

    def describe(kind, value):
        name = type.__dict__["__name__"].__get__(kind)
        module, message = "?", ""
        homes = [home for t, home in known if t is kind]
        if homes:
            module = homes[0]
            args = BaseException.args.__get__(value)
            if type(args) is tuple and len(args) == 1 and type(
                    args[0]) is str:
                message = args[0]
        else:
            own = type.__dict__["__dict__"].__get__(kind).get("__module__")
            module = own if type(own) is str else "?"
        return {"module": module[:100], "name": name[:100],
                "builtin": bool(homes), "message": message[:300]}

    return describe


def make_tracer(target, nested, own_name):
    """Make the frames of a report, from a traceback or from a running
    frame."""
    def shown(filename):
        if filename.startswith(REPO):
            return filename[len(REPO):]
        return filename.rsplit("/", 1)[-1]

    def entry(code, line, is_ours):
        where = "other"
        if is_ours and code is target:
            where = "target"
        elif is_ours and any([code is c for c in nested]):
            where = "nested"
        return {"where": where, "file": shown(code.co_filename)[:200],
                "function": code.co_name[:200],
                "line": line if type(line) is int else 0}

    def shorten(frames):
        if len(frames) <= 2 * FRAMES_MAX:
            return frames
        return frames[:FRAMES_MAX] + frames[-FRAMES_MAX:]

    def from_traceback(tb):
        """Mark the frames that do not belong to this call.  When the code
        raises an exception that it kept from another call, the old frames are
        still in its traceback; there the chain of callers is broken."""
        out, is_ours, last = [], True, None
        while tb is not None and len(out) < 100000:
            frame = tb.tb_frame
            back = frame.f_back
            resumed = frame.f_code.co_flags & 0x2A0  # by whoever drives it
            if last is not None and back is not None and \
                    back is not last and not resumed:
                is_ours = False
            last = frame
            if frame.f_code.co_filename != own_name:
                out.append(entry(frame.f_code, tb.tb_lineno, is_ours))
            tb = tb.tb_next
        return shorten(out)

    def all_frames(value, tb):
        """The frames of an exception.  If a generator or a coroutine turned a
        StopIteration into a RuntimeError, add the frames of the StopIteration,
        because the RuntimeError did not pass through them."""
        out = from_traceback(tb)
        cause = BaseException.__cause__.__get__(value)
        if type(value) is RuntimeError and type(cause) is StopIteration:
            out += from_traceback(BaseException.__traceback__.__get__(cause))
        return shorten(out)

    def from_frame(frame, until):
        out = []
        while frame is not None and frame.f_code is not until:
            out.append(entry(frame.f_code, frame.f_lineno, True))
            frame = frame.f_back
        out.reverse()
        return shorten(out)

    return all_frames, from_frame


def make_driver(flags):
    """drive(result): runs a coroutine to its end, takes values from a
    generator."""
    import types

    run = None
    if flags & 0x280:  # CO_COROUTINE, CO_ASYNC_GENERATOR
        import asyncio
        run = asyncio.run
    sync, coroutine, stream = (types.GeneratorType, types.CoroutineType,
                               types.AsyncGeneratorType)

    async def taken(got):
        left = YIELDS_MAX
        async for _ in got:
            left -= 1
            if not left:
                break

    def drive(got):
        if type(got) is coroutine and run is not None:
            run(got)
        elif type(got) is stream and run is not None:
            run(taken(got))
        elif type(got) is sync:
            for _ in zip(range(YIELDS_MAX), got):
                pass

    return drive


def main(ways_out):
    import importlib.util
    import json
    import os
    import signal
    import sys
    from importlib.machinery import SourceFileLoader

    read, write, exc_info = os.read, os.write, sys.exc_info
    limit, set_limit = sys.getrecursionlimit(), sys.setrecursionlimit
    no_trace, no_profile = sys.settrace, sys.setprofile
    own_code = sys._getframe(0).f_code
    code_type = type(own_code)
    no_alarm, no_timer, cpu_timer = (signal.alarm, signal.setitimer,
                                     signal.ITIMER_PROF)
    as_json, describe = make_writer(), make_describer()

    choose, passed = make_decoder()
    where = make_places(REPO)
    short = make_short()
    given, copies = [], []  # the nonce, the witness; whether this is a copy
    stage, function = ["import"], None

    def read_all(fd):
        text, got = b"", read(fd, 65536)
        while got:
            text += got
            got = read(fd, 65536)
        return text

    def report(answer):
        if not given:
            given[:] = read_all(0).split(b"\n", 1)
        if copies:
            answer = short(answer)
        else:
            answer["nonce"] = given[0].decode("ascii")
        text = as_json(answer).encode("ascii")
        while text:
            text = text[write(result_fd, text):]
        leave(0)

    def below(code):
        out, todo = [], [code]
        while todo:
            for c in todo.pop().co_consts:
                if type(c) is code_type:
                    out.append(c)
                    todo.append(c)
        return out

    # The flagged module is made from the code object that was compiled here.
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

    def failed(outcome):
        set_limit(limit)
        kind, value, tb = exc_info()
        report({"outcome": outcome, "stage": stage[0],
                "type": describe(kind, value),
                "frames": all_frames(value, tb)})

    def on_alarm(_signal, frame):
        report({"outcome": "alarm", "stage": stage[0],
                "frames": from_frame(frame, own_code)})

    def on_cpu_alarm(_signal, frame):
        """Report code that computes without end, before the cap ends it
        without a word."""
        report({"outcome": "cpu-alarm", "stage": stage[0],
                "frames": from_frame(frame, own_code)})

    signal.signal(signal.SIGALRM, on_alarm)
    signal.signal(signal.SIGPROF, on_cpu_alarm)

    yield  # up to here all runs are alike: template.py

    # -- the request ---------------------------------------------------

    leave = ways_out.pop()
    source, request = read_all(5), json.loads(read_all(6))
    result_fd = os.dup(3)
    for fd in 3, 5, 6:
        os.close(fd)

    # -- the flagged function's own code object ------------------------

    path = REPO + request["path"]
    try:
        module_code = compile(source, path, "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        report({"outcome": "import-failed", "stage": "compile"})
    *owners, name = request["function"].split(".")
    targets = [c for c in below(module_code) if c.co_name == name and
               c.co_firstlineno == request["first_line"]]
    if name == "<module>" and not owners:
        targets = [module_code]
    if len(targets) != 1:
        report({"outcome": "not-found"})
    target = targets[0]
    is_load = target is module_code
    all_frames, from_frame = make_tracer(target, below(target),
                                         own_code.co_filename)
    find, drive = make_finder(target), make_driver(target.co_flags)
    dotted, is_package, search = where(request["path"], source)
    hold = explore = None
    if "explore" in request:
        hold, explore = make_explorer(request["explore"], result_fd)
    ballast = [bytes(BALLAST_BYTES)]  # calloc(3): its pages are never touched

    # -- the witness: from here on foreign code runs ------------------

    given[:] = read_all(0).split(b"\n", 1)
    witness, instance = json.loads(given[1]), None
    choose(given[1])  # imports modules of the interpreter only
    sys.path[:] = search
    sys.meta_path.insert(0, Finder)
    # Write whitespace before the answer: from here on the flagged code may end
    # the process, and the supervisor can tell that from a failure of our own.
    write(result_fd, b"\n")
    signal.alarm(request["alarm_s"])
    signal.setitimer(signal.ITIMER_PROF, request["cpu_alarm_ms"] / 1000)

    try:
        if explore is not None:
            hold()
        module = importlib.import_module(dotted)
        if explore is not None:
            no_alarm(0)
            no_timer(cpu_timer, 0)
            witness, result_fd = explore(given[0], witness)
            copies.append(True)
        if is_load:
            report({"outcome": "returned"})
        owner = module
        for part in owners:
            owner = getattr(owner, part)
        stage[0] = "receiver"
        if "receiver" in witness:
            args, named = passed(witness["receiver"], module)
            instance = owner(*args, **named)
        makes = name in ("__init__", "__new__", "__post_init__")
        function = owner if makes else find(owner, name, instance, REPO)
        args, named = passed(witness["arguments"], module)
    except BaseException:
        no_trace(None)  # before a frame of ours is entered
        no_profile(None)
        ballast.clear()
        failed("import-failed")
    if function is None:
        report({"outcome": "not-found"})

    # -- the call ------------------------------------------------------

    stage[0] = "call"
    try:
        drive(function(*args, **named))
        no_trace(None)
        no_profile(None)
        report({"outcome": "returned"})
    except BaseException:
        no_trace(None)  # before a frame of ours is entered
        no_profile(None)
        ballast.clear()
        failed("raised")


def run(become=None):
    """Answer one request.  With become (template.py), each copy answers
    one."""
    import os

    leave = os._exit
    try:
        ends = [leave]
        steps = main(ends)
        next(steps)
        if become is not None:
            become(steps, ends)
        become = None
        next(steps)
    finally:
        # Only a failure of this file leads here, because report() does not
        # return.
        leave(70)


if __name__ == "__main__":
    run()
