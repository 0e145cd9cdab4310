"""synthesise.py -- makes a short list of witnesses from a function's source.

It runs inside a vessel of its own (boot.py loads it) and never imports the
code: it reads the syntax tree.  Descriptor 5: the source.  Descriptor 6: the
request, JSON {function, flag_class, line, witness_hints}.  Descriptor 3: the
answer, JSON {failed} or {function, first_line, ranges, witnesses,
preconditions, spoken}.  /repo: the repository, for the calls of the function
in it (sites.py).

The same source and request give the same answer: nothing here depends on the
order of a set, on time or on an address.
"""
import ast
import json
import os
import sys

from annotate import Module
from basics import OMIT
from bounds import edges
from choose import Slot, about, arguments, pool, spread, with_controls
from doc import Doc, texts_near
from find import MODULE, at_load, find, first_line, marks_of, ranges
from moves import signs_of, spots
from objects import Builder
from sense import Sense, has_object_keys, needed_at
from shape import Failed, Shape, WITNESSES_MAX, root
from sites import Callee, calls_of, literals
from spoken import Spoken
from syntax import all_args, last_word
from trial import HIT, Judge, MISS, SLOW_ONE, UNSURE

REFUSED = {"overload", "abstractmethod", "fixture"}


def no_receiver(found, marks):
    return found.owner is None or "staticmethod" in marks or \
        "classmethod" in marks or found.node.name in ("__init__", "__new__")


def skips_first(found, marks):
    return found.owner is not None and "staticmethod" not in marks


SAYS_KIND = dict({n: n for n in (
    "int", "float", "str", "bytes", "bool", "dict", "list")}, Dict="dict",
    List="list", Mapping="dict")


def declared(func):
    """What plain annotations say about the values of the parameters."""
    return [(a.arg, Shape(SAYS_KIND[last_word(a.annotation)]))
            for a in all_args(func.args) if a.annotation is not None
            and last_word(a.annotation) in SAYS_KIND
            and a not in (func.args.vararg, func.args.kwarg)]


def all_slots(module, found, flag_class, doc, needed):
    """(whether a receiver is needed, slots)."""
    marks = marks_of(found.node)
    if REFUSED & set(marks):
        raise Failed("unsupported-kind: " + ", ".join(marks))
    builder = Builder(module, flag_class)
    builder.needed = needed
    owner, own = found.owner, Shape()
    if owner is not None and not no_receiver(found, marks) and \
            builder.is_abstract(owner):
        raise Failed("unsupported-kind: the class %s is abstract" % owner.name)
    walker = builder.walker
    walker.self_shape, walker.owner = own, owner
    first = all_args(found.node.args)[:1]
    is_method = skips_first(found, marks) and "classmethod" not in marks
    shapes, _ = walker.function(found.node, [
        (a.arg, own) for a in first if is_method] + declared(found.node))
    walker.env = dict(shapes)
    for demand in doc.demands:  # it also tells the kinds of the parameters
        walker.ev(demand)
    for name, known in doc.bounds.items():
        for edge in edges(known):
            root(shapes[name]).const(edge)
    for name, shape in shapes.items():
        if flag_class == "key-missing" and has_object_keys(shape):
            raise Failed("unsupported-use: of parameter " + name)
    slots = builder.slots(found.node, shapes, "arguments",
                          skips_first(found, marks), 0, doc)
    if no_receiver(found, marks):
        return False, slots
    members = module.of_class(owner, owner.name, 0)
    if members.kind == "member" and not members.extra:
        raise Failed("unsupported-kind: an Enum without members")
    if members.kind == "member":  # Color(Color.RED) is Color.RED
        return True, [Slot("receiver", "value", "position", [
            {"$member": m} for m in members.extra], True)] + slots
    return True, builder.constructor(owner, own, 0) + slots


def witness(slots, row, receiver):
    def group(name):
        mine = [(s, v) for s, v in zip(slots, row) if s.group == name]
        return arguments([s for s, _ in mine], [v for _, v in mine])

    out = {"arguments": group("arguments")}
    if receiver:
        out["receiver"] = group("receiver")
    return out


def documented(tree, found):
    func = found.node
    doc = Doc([a.arg for a in all_args(func.args)])
    for text in texts_near(tree, func):
        doc.read(text[:65536], func.name)
    doc.quoted = spots(ast.get_docstring(func) or "")
    return doc


def admitted(doc, slots, row):
    """Whether these values satisfy the documentation's adjectives."""
    for s, v in zip(slots, row):
        if s.group == "arguments" and v != OMIT and not doc.admits(
                s.name, v.get("$tuple", v) if isinstance(v, dict) else v):
            return False
    return True


def sites_of(module, found, request, slots, doc):
    """What callers pass, {(group, name): value} for each call: to the
    function, and to the constructor of its class."""
    calls = [literals(c, slots) for c in calls_of(module.tree, found, request)]
    own = [s for s in slots if s.group == "arguments"]
    if len(own) == 1 and any(isinstance(v, str) for v in own[0].values):
        calls += [{own[0].name: text} for text in doc.quoted]
    given = [{("arguments", k): v for k, v in c.items()} for c in calls if c]
    made = []
    if any(s.group == "receiver" for s in slots):
        made = [literals(c, slots, "receiver") for c in calls_of(
            module.tree, Callee(found.owner), request)]
    made = [{("receiver", k): v for k, v in c.items()} for c in made if c]
    return [{**(made[0] if made else {}), **g} for g in given] + made


def with_facts(out, facts):
    """The witnesses and what speaks for their arguments; each list of facts
    once."""
    lists, spoken = [], []
    for fact in facts:
        if fact not in lists:
            lists.append(fact)
        spoken.append(lists.index(fact))
    return {"witnesses": out, "preconditions": lists, "spoken": spoken}


def unspoken(fact):
    return sum(one["allows"] is None for one in fact)


def argument_at(request, slots, name):
    """Where the argument that must fail stands among the slots, or None.  An
    analyser's message may name something else."""
    asked = request.get("argument")
    for i, s in enumerate(slots):
        if s.group == "arguments" and s.name == asked:
            return i
    no_argument(request, name)
    return None


def no_argument(request, name):
    if request.get("argument") is not None and not request.get(
            "argument_may_be_other"):
        raise Failed("no-such-argument: %s has no parameter %s" % (
            name, request["argument"]))


def witnesses(module, found, request, doc, spans):
    """The machine tries all rows, and the best are kept in their order.  Of
    equally good rows those come last for which nothing speaks."""
    needed = needed_at(found.inside or found.node, spans) \
        if request.get("line") else set()
    receiver, slots = all_slots(module, found, request["flag_class"], doc,
                                needed)
    at = argument_at(request, slots, found.name)
    sense = Sense(found.node, doc, slots, request["flag_class"])
    sense.lend(slots)
    if doc.demands or any(doc.adjectives.values()) or doc.bounds:
        for s in slots:
            s.fixed = True  # a smaller value might not be allowed
    sites = sites_of(module, found, request, slots, doc)
    facts = Spoken(found.node, doc, shown_by(slots, doc, sites), spans,
                   bool(request.get("line")))
    rows = pool(slots, request.get("witness_hints"), doc.examples, sites,
                signs_of(module.tree))
    if at is not None:
        rows = about(rows, at)
        for s in slots:  # a smaller value of another might fail, too
            s.fixed = s.fixed or s is not slots[at]
    rows = [row for row in rows
            if admitted(doc, slots, row) and sense.admits(slots, row)
            and not facts.excludes(slots, row)]
    judge = Judge(module, found, request["flag_class"], spans)
    every, kept = [], []
    for row in rows:
        w = witness(slots, row, receiver)
        if doc.demands and not judge.holds(doc.demands, w, doc.names):
            continue
        every.append(w)
        kept.append(row)
    if not every:
        raise Failed("no-valid-witness: the documentation excludes every input")
    said = [facts.of_row(slots, row, w) for row, w in zip(kept, every)]
    grades = judge.grades(every)
    by_grade = [[i for i, g in enumerate(grades) if g == grade]
                for grade in (HIT, UNSURE, MISS, SLOW_ONE)]
    for part in by_grade:
        part.sort(key=lambda i: unspoken(said[i]))
    if by_grade[0]:
        order = sum(by_grade, [])
    else:
        order = sorted(by_grade[1] + by_grade[2],
                       key=lambda i: (unspoken(said[i]), i))
        if at is None:
            order = spread(slots, kept, order, 40)
        order = order + by_grade[3]
    if at is not None:
        order = with_controls(order, kept, at, lambda i: grades[i] == MISS)
    out, why = [], []
    if not order:
        raise Failed("no-valid-witness: it raises only what it names in raise statements")
    for i in order:
        if every[i] not in out:
            out.append(every[i])
            why.append(said[i])
        if len(out) == WITNESSES_MAX:
            break
    made = with_facts(out, why)
    if at is not None:
        made["argument"] = slots[at].name
    return made


def shown_by(slots, doc, sites):
    """{name: values} of the calls in the sources and in the documentation."""
    out = {}
    shown = [{("arguments", k): v for k, v in literals(c, slots).items()}
             for c in doc.examples]
    for site in sites + shown:
        for (group, name), v in site.items():
            if group == "arguments":
                out.setdefault(name, []).append(v)
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
    spans = at_load(tree, request.get("function"), request["flag_class"], line)
    if spans is not None:  # loading it is all that can be done
        no_argument(request, MODULE)
        return {"function": MODULE, "first_line": 1,
                "ranges": [{"from": a, "to": b} for a, b in spans],
                **with_facts([{"arguments": []}], [[]])}
    found = find(tree, request.get("function"), line)
    doc = documented(tree, found)
    spans = ranges(found, request["flag_class"], line,
                   bool(doc.notes or doc.demands))
    module = Module(tree)
    return {"function": found.name, "first_line": first_line(found.node),
            "ranges": [{"from": a, "to": b} for a, b in spans],
            **witnesses(module, found, request, doc, spans)}


def main(ends):
    """Answer one request: a generator that stops once, before the request is
    read (template.py)."""
    sys.setrecursionlimit(6000)  # one call of the machine is ten of ours
    yield
    leave = ends.pop()
    try:
        out = answer(json.loads(read_all(6)), read_all(5))
    except Failed as e:
        out = {"failed": str(e)[:200]}
    except (RecursionError, MemoryError) as e:
        out = {"failed": "too-large: " + type(e).__name__}
    except Exception as e:  # a defect of ours: reported, never a pass
        out = {"failed": "internal: " + type(e).__name__}
    text = json.dumps(out, ensure_ascii=True).encode("ascii")
    while text:
        text = text[os.write(3, text):]
    leave(0)


def run(become=None):
    """Answer one request.  With become (template.py), each copy answers
    one."""
    ends = [os._exit]
    try:
        steps = main(ends)
        next(steps)
        if become is not None:
            become(steps, ends)
        next(steps)
    finally:
        os._exit(70)  # only a failure of this file leads here


if __name__ == "__main__":
    run()
