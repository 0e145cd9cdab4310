"""choose.py -- chooses which combinations of values become witnesses, and in
what order."""
import ast
import itertools

from basics import OMIT, encode, same_key
from moves import inside
from shape import Failed, WITNESSES_MAX

POOL_MAX = 500  # combinations that are considered
MOVES_MAX = 120  # of these, calls with one argument at a boundary
NEAR_MAX = 90  # of these, calls with a place inside an argument moved


class Slot:
    """One parameter of the function or of its receiver's constructor."""

    def __init__(self, group, name, by, values, fixed=False):
        self.group = group  # "arguments" or "receiver"
        self.name = name
        self.by = by  # "position", "name", "rest" or "restnamed"
        self.values = values
        self.fixed = fixed
        self.note = None  # its parsed annotation
        self.default = None  # as a tree


def arguments(slots, values):
    """The arguments of a witness, without those that are left to their
    default."""
    out, has_gap = [], False
    rest = any(s.by == "rest" and v != [] for s, v in zip(slots, values))
    for s, v in zip(slots, values):
        if v == OMIT:
            has_gap = has_gap or s.by == "position"
            continue
        if s.by in ("rest", "restnamed") and v in ([], {"$dict": []}):
            continue
        if s.by == "rest" and has_gap:
            continue
        one = {"name": s.name, "value": v, "by": "name" if has_gap and
               s.by == "position" and not rest else s.by}
        if s.by == "position" and has_gap and rest:
            continue
        if s.fixed:
            one["fixed"] = True
        out.append(one)
    return out


def ranked(slots):
    """The rank of a value for each slot: first in the order of the sum of
    ranks, with few slots changed at a time, then spread over all combinations
    by a fixed sequence."""
    n = len(slots)
    if not n:
        yield ()
        return
    lasts = [len(s.values) - 1 for s in slots]
    base = [0] * n
    most = sum(lasts)
    for total in range(min(most, 12 if n > 3 else most) + 1):
        for split in splits(lasts, 0, total, 3 if n > 6 else n):
            yield split
    seed = 1
    for _ in range(200 if n > 3 else 0):
        row = list(base)
        for i in range(n):
            seed = (seed * 1103515245 + 12345) % 2 ** 31
            row[i] = (seed >> 8) % (lasts[i] + 1)
        yield tuple(row)


def splits(lasts, at, total, few):
    """Ranks with that sum, at most `few` of them nonzero."""
    n = len(lasts)
    if total == 0:
        yield (0,) * (n - at)
        return
    if few == 0 or at == n:
        return
    if sum(lasts[at:]) < total:
        return
    for i in range(at, n):  # the first one that is not zero
        zeros = (0,) * (i - at)
        for rank in range(min(total, lasts[i]), 0, -1):
            for rest in splits(lasts, i + 1, total - rank, few - 1):
                yield zeros + (rank,) + rest


def hinted(slots, hints):
    """What the flag itself suggests: {name: value}, or a list of values."""
    hints = hints if isinstance(hints, list) and hints and all(
        isinstance(h, (list, dict)) for h in hints) else [hints]
    own = [i for i, s in enumerate(slots) if s.group == "arguments"]
    for hint in hints[:16]:
        values = [s.values[0] for s in slots]
        if isinstance(hint, dict) and hint:
            for i in own:
                values[i] = plain(hint.get(slots[i].name, values[i]))
        elif isinstance(hint, list) and len(hint) == len(own):
            for i, v in zip(own, hint):
                values[i] = plain(v)
        else:
            continue
        yield values


def plain(v):
    """A hint's plain objects as dicts, unless they are typed already."""
    if isinstance(v, list):
        return [plain(x) for x in v]
    if isinstance(v, dict):
        if len(v) == 1 and next(iter(v)).startswith("$"):
            return v
        return {"$dict": [[k, plain(x)] for k, x in v.items()]}
    return v


def exampled(slots, examples):
    """The calls that the documentation shows, which are known to be valid."""
    own = [i for i, s in enumerate(slots) if s.group == "arguments"]
    for call in examples:
        values = [s.values[0] for s in slots]
        names = {slots[i].name: i for i in own}
        try:
            if len(call.args) > len(own):
                continue
            for i, a in zip(own, call.args):
                values[i] = encode(ast.literal_eval(a))
            for k in call.keywords:
                values[names[k.arg]] = encode(ast.literal_eval(k.value))
            if len(call.args) + len(call.keywords) < len(
                    [i for i in own if OMIT not in slots[i].values]):
                continue
        except (ValueError, TypeError, KeyError, SyntaxError, Failed,
                MemoryError, RecursionError):
            continue
        yield values


def sited(slots, sites, signs):
    """Rows with the literal arguments of calls, {(group, name): value} each.
    Then come the first calls with one place inside an argument moved, then
    with one argument at a boundary."""
    base = [s.values[0] for s in slots]
    called = [[site.get((s.group, s.name), v) for s, v in zip(slots, base)]
              for site in sites if site]
    yield from called
    near = ([row[:i] + [v] + row[i + 1:]
             for i, s in enumerate(slots)
             if (s.group, s.name) in site and may_move(s.note)
             for v in inside(row[i], signs)]
            for row, site in zip(called[:3], [s for s in sites if s]))
    yield from itertools.islice(alternating(list(near)), NEAR_MAX)
    moves = ([row[:i] + [v] + row[i + 1:] for row in called[:2]
              for i, s in enumerate(slots) for v in s.values])
    yield from moves[:MOVES_MAX]


MOVABLE = {"int", "float", "num", "bool", "str", "bytes", "none", "any", "list",
           "dict", "tuple", "set", "frozenset", "union"}


def may_move(ann):
    """Whether a value of that type keeps the type when a place in it is
    moved."""
    return ann is None or ann.kind in MOVABLE and all(map(may_move, ann.args))


def alternating(lists):
    """The first item of each list, then the second item of each."""
    for row in itertools.zip_longest(*lists):
        yield from (v for v in row if v is not None)


def pool(slots, hints, examples, sites=(), signs=()):
    """Distinct rows of values, a limited number: hints first, then calls, with
    the documented examples early."""
    seen, out = set(), []
    combos = ([s.values[r] for s, r in zip(slots, ranks)]
              for ranks in ranked(slots))
    shown = list(exampled(slots, examples))
    first = itertools.chain(hinted(slots, hints), sited(slots, sites, signs),
                            itertools.islice(combos, 12), shown, combos)
    for row in itertools.islice(first, 4 * POOL_MAX):
        key = same_key(row)
        if key not in seen:
            seen.add(key)
            out.append(row)
            if len(out) >= POOL_MAX:
                break
    return out


# 384 rows at most, of which 64 are kept: budgets, as docs/confirm.md says.
ABOUT_MAX = 24  # combinations of the other arguments
VALUES_MAX = 16  # values of the one argument, with each of them
CONTROLS_MAX = 4  # of these, beside a row that fails


def but_for(row, at):
    return same_key([v for i, v in enumerate(row) if i != at])


def about(rows, at):
    """Rows for an argument that must fail: each combination of the others, with
    many values of this one."""
    values, firsts = {}, {}
    for row in rows:
        values.setdefault(same_key(row[at]), row[at])
        firsts.setdefault(but_for(row, at), row)
    out = []
    for row in list(firsts.values())[:ABOUT_MAX]:
        out.append(row)
        out += [row[:at] + [v] + row[at + 1:]
                for v in list(values.values())[:VALUES_MAX]
                if same_key(v) != same_key(row[at])]
    return out


def with_controls(order, rows, at, passes):
    """That order, with rows beside each that differ from it in that argument
    alone; first those that pass, it seems."""
    groups = {}
    for i in sorted(order, key=lambda i: not passes(i)):
        groups.setdefault(but_for(rows[i], at), []).append(i)
    out = []
    for i in order:
        beside = groups.pop(but_for(rows[i], at), [i])
        out += [i] + [x for x in beside if x != i][:CONTROLS_MAX]
    return list(dict.fromkeys(out))


def spread(slots, rows, order, kept):
    """The indices of the rows to keep: the first ones in that order, then
    those with the most pairs of values that the kept rows do not have."""
    if len(order) <= WITNESSES_MAX or len(slots) < 2:
        return order[:WITNESSES_MAX]
    order = order[:300]
    n = min(len(slots), 8)
    pairs = list(itertools.combinations(range(n), 2))
    keys = {i: [same_key(v) for v in rows[i][:n]] for i in order}

    def of(i):
        k = keys[i]
        return {(a, b, k[a], k[b]) for a, b in pairs}

    seen = set().union(*[of(i) for i in order[:kept]])
    out, left = set(order[:kept]), order[kept:]
    while len(out) < WITNESSES_MAX and left:
        best = max(left, key=lambda i: (len(of(i) - seen), -i))
        left.remove(best)
        seen |= of(best)
        out.add(best)
    return [i for i in order if i in out]
