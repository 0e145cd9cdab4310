"""decode.py -- decodes a witness's values from the typed encoding.

It makes closures.  They hold what they need in cells, which are filled before
the import.
"""


def make_decoder():
    """Make choose(witness), then passed(arguments, module), which gives the
    values as cupel-witness(5) says.  Only the modules that the witness's tags
    name are imported."""
    import collections
    import io

    lazy = {}

    def choose(witness):
        for tag, home, name in (
                ("$decimal", "decimal", "Decimal"),
                ("$fraction", "fractions", "Fraction"),
                ("$path", "pathlib", "Path"), ("$uuid", "uuid", "UUID"),
                ("$date", "datetime", "date"), ("$time", "datetime", "time"),
                ("$datetime", "datetime", "datetime"),
                ("$timedelta", "datetime", "timedelta")):
            if b'"%s"' % tag.encode() in witness:
                made = getattr(__import__(home), name)
                if tag in ("$date", "$time", "$datetime"):
                    made = made.fromisoformat
                elif tag == "$timedelta":
                    made = (lambda delta: lambda v: delta(seconds=v))(made)
                lazy[tag] = made

    types = {c.__name__: c for c in (
        int, float, bool, str, bytes, list, dict, set, tuple, complex, object)}

    class Stub:
        """An object with attributes and nothing else."""

    def reached(module, dotted):
        for part in dotted.split("."):
            module = getattr(module, part)
        return module

    def one_shot(values):
        async def give():
            for v in values:
                yield v
        return give()

    def awaitable(value):
        async def give():
            return value
        return give()

    def text_file(value):
        return io.BytesIO(value) if type(value) is bytes else \
            io.StringIO(value)

    # The tags whose content is decoded first, and those that take it as it is.
    over = {
        "$tuple": tuple, "$set": set, "$frozenset": frozenset,
        "$deque": collections.deque, "$iter": iter, "$aiter": one_shot,
        "$await": awaitable, "$file": text_file,
        "$range": lambda v: range(*v),
        "$call": lambda v: lambda *_a, **_k: v,
    }
    plain = {
        "$bytes": bytes.fromhex, "$float": float,
        "$text": lambda v: "".join([chr(c) for c in v]),
        "$complex": lambda v: complex(float(v[0]), float(v[1])),
        "$type": lambda v: types[v],
    }

    def decode(v, module, stubs=()):
        if type(v) is list:
            return [decode(x, module, stubs) for x in v]
        if type(v) is not dict:
            return v
        (tag, x), = v.items()
        if tag == "$dict":
            return {decode(k, module, stubs): decode(i, module, stubs)
                    for k, i in x}
        if tag in over:
            return over[tag](decode(x, module, stubs))
        if tag in plain:
            return plain[tag](x)
        if tag in lazy:
            return lazy[tag](x)
        if tag == "$stub":
            out = Stub()
            for name, i in x:
                vars(out)[name] = decode(i, module, stubs + (out,))
            return out
        if tag == "$up":
            return stubs[-1 - x]
        if tag == "$member":
            return reached(module, x)
        if tag == "$new":
            args, named = passed(x["arguments"], module)
            return reached(module, x["type"])(*args, **named)
        raise ValueError("no such tag: " + tag)

    def passed(group, module):
        """(positional arguments, arguments by name) of a list of arguments."""
        args, named = [], {}
        for a in group:
            value, by = decode(a["value"], module), a["by"]
            if by == "position":
                args.append(value)
            elif by == "name":
                named[a["name"]] = value
            elif by == "rest":
                args += value
            else:
                named.update(value)
        return args, named

    return choose, passed
