"""synthesise.py -- from a function's source to a short list of witnesses.

The last of four files that are one program: use.py, values.py, find.py, this.
It runs inside a vessel of its own and never imports the code: it reads the
syntax tree.  Descriptor 5: the source.  Descriptor 6: the request, JSON
{function, flag_class, line, witness_hints}.  Descriptor 3: the answer, JSON
{failed} or {function, first_line, ranges, witnesses}.

The same source and request give the same answer: nothing here depends on the
order of a set, on time or on an address.
"""
import json
import os


# -- slots: every value that a call needs ----------------------------------

class Slot:
    """One parameter: of the function, or of its receiver's constructor."""

    def __init__(self, group, name, by, values):
        self.group = group  # "arguments" or "receiver"
        self.name = name
        self.by = by  # "position" or "name"
        self.values = values


def parameters(args):
    """(name, annotation, default, by) of each; *args and **kw get nothing."""
    plain = getattr(args, "posonlyargs", []) + args.args
    defaults = [None] * (len(plain) - len(args.defaults)) + args.defaults
    for a, d in zip(plain, defaults):
        yield a.arg, a.annotation, d, "position"
    for a, d in zip(args.kwonlyargs, args.kw_defaults):
        yield a.arg, a.annotation, d, "name"


def slots_of(func, group, flag_class, skip_first):
    uses = Uses()
    for stmt in func.body:
        uses.visit(stmt)
    maker = Maker(uses, flag_class)
    every = list(parameters(func.args))[1 if skip_first else 0:]
    return [Slot(group, n, by, maker.values(n, a, d)) for n, a, d, by in every]


def decorators(node):
    return [d.id if isinstance(d, ast.Name) else
            d.attr if isinstance(d, ast.Attribute) else
            getattr(getattr(d, "func", None), "id",
                    getattr(getattr(d, "func", None), "attr", ""))
            for d in node.decorator_list]


def dataclass_slots(owner, flag_class):
    maker = Maker(Uses(), flag_class)
    return [Slot("receiver", s.target.id, "name",
                 maker.values(s.target.id, s.annotation, s.value))
            for s in owner.body
            if isinstance(s, ast.AnnAssign) and isinstance(s.target, ast.Name)
            and "ClassVar" not in ast.dump(s.annotation)]


def receiver_slots(owner, flag_class):
    if "dataclass" in decorators(owner):
        return dataclass_slots(owner, flag_class)
    for node in owner.body:
        if isinstance(node, FUNCTIONS) and node.name == "__init__":
            return slots_of(node, "receiver", flag_class, True)
    return []


def all_slots(func, owner, flag_class):
    """(needs a receiver, slots)."""
    marks = decorators(func)
    if {"property", "cached_property", "overload",
            "abstractmethod"} & set(marks):
        raise Failed("unsupported-kind: " + ", ".join(marks))
    is_static = "staticmethod" in marks
    is_class = "classmethod" in marks
    own = slots_of(func, "arguments", flag_class,
                   owner is not None and not is_static)
    if owner is None or is_static or is_class or func.name == "__init__":
        return False, own
    return True, receiver_slots(owner, flag_class) + own


# -- combinations ----------------------------------------------------------

def ranked(slots):
    """Choices of one value a slot, by the sum of their ranks, then by slot."""
    if not slots:
        yield ()
        return
    most = sum(len(s.values) - 1 for s in slots)
    for total in range(most + 1):
        yield from splits(slots, 0, total)


def splits(slots, at, total):
    last = len(slots[at].values) - 1
    if at == len(slots) - 1:
        if total <= last:
            yield (total,)
        return
    for rank in range(min(total, last) + 1):
        for rest in splits(slots, at + 1, total - rank):
            yield (rank,) + rest


def witness(slots, values, has_receiver):
    def group(name):
        return [{"name": s.name, "by": s.by, "value": encode(v)}
                for s, v in zip(slots, values) if s.group == name]

    out = {"arguments": group("arguments")}
    if has_receiver:
        out["receiver"] = group("receiver")
    return out


def hinted(slots, hints):
    """What the flag itself proposes: {name: value}, or a list of values."""
    hints = hints if isinstance(hints, list) and hints and all(
        isinstance(h, (list, dict)) for h in hints) else [hints]
    own = [i for i, s in enumerate(slots) if s.group == "arguments"]
    for hint in hints[:16]:
        values = [s.values[0] for s in slots]
        if isinstance(hint, dict) and hint:
            for i in own:
                values[i] = hint.get(slots[i].name, values[i])
        elif isinstance(hint, list) and len(hint) == len(own):
            for i, v in zip(own, hint):
                values[i] = v
        else:
            continue
        yield values


def witnesses(slots, has_receiver, hints):
    tried, out = set(), []
    chosen = ([s.values[r] for s, r in zip(slots, ranks)]
              for ranks in ranked(slots))
    for values in itertools.chain(hinted(slots, hints), chosen):
        one = witness(slots, values, has_receiver)
        key = json.dumps(one)
        if key not in tried:
            tried.add(key)
            out.append(one)
        if len(out) == WITNESSES_MAX:
            break
    return out


def read_all(fd):
    with open(fd, "rb") as f:
        return f.read()


def answer(request, source):
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as e:
        raise Failed("cannot-parse: " + type(e).__name__) from None
    line = request.get("line")
    name, func, owner = find(tree, request.get("function"), line)
    flag_class = request["flag_class"]
    spans = ranges(func, flag_class, line)
    has_receiver, slots = all_slots(func, owner, flag_class)
    return {"function": name, "first_line": first_line(func),
            "ranges": [{"from": a, "to": b} for a, b in spans],
            "witnesses": witnesses(slots, has_receiver,
                                   request.get("witness_hints"))}


def main():
    try:
        out = answer(json.loads(read_all(6)), read_all(5))
    except Failed as e:
        out = {"failed": str(e)[:200]}
    except RecursionError:
        out = {"failed": "cannot-parse: RecursionError"}
    text = json.dumps(out, ensure_ascii=True).encode("ascii")
    while text:
        text = text[os.write(3, text):]


main()
