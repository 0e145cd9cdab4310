"""trial.py -- the machine's verdict on each witness, and the order that
follows."""
import ast
import json

from find import marks_of
from interpreter import Interpreter
from machine import (
    Again, Back, Class, Endless, Env, Huge, Leave, Raised, STEPS_EACH, Stuck,
    Thing, UNKNOWN)

LOST_MAX = 40  # unclear trials, after which it gives up
HITS_MAX = 12  # witnesses known to raise, after which it stops
CLASSES = {
    "div-zero": (ZeroDivisionError,), "index-oob": (IndexError,),
    "key-missing": (KeyError,), "null-deref": (AttributeError, TypeError),
    "attr-missing": (AttributeError,), "type-mismatch": (TypeError,),
    "value-invalid": (ValueError,), "unbounded-recursion": (RecursionError,),
    "assertion": (AssertionError,), "overflow": (OverflowError,),
    "unicode": (UnicodeDecodeError, UnicodeEncodeError),
    "stop-iteration": (StopIteration, RuntimeError),
    "unbound-local": (UnboundLocalError,), "name-undefined": (NameError,),
    "json-decode": (json.JSONDecodeError,), "memory": (MemoryError,),
}
HIT, UNSURE, MISS, SLOW_ONE, MEANT = range(5)


class Judge:
    """Tries rows of values and says how likely each is to raise."""

    def __init__(self, module, found, flag_class, spans):
        self.machine = Interpreter(module, found.node)
        self.found, self.flag_class, self.spans = found, flag_class, spans

    def is_hit(self, raised):
        if raised.kind not in CLASSES.get(self.flag_class, ()):
            return False
        about_none = "NoneType" in raised.text
        if self.flag_class == "null-deref" and not about_none:
            return False
        if self.flag_class in ("attr-missing", "type-mismatch") and about_none:
            return False
        if self.flag_class == "stop-iteration" and raised.kind is \
                RuntimeError and "StopIteration" not in raised.text:
            return False
        return any(a <= s.end_lineno and s.lineno <= b
                   for s in raised.lines for a, b in self.spans)

    def is_meant(self, raised):
        """Whether another function raised it by name.  find.py handles those
        of the flagged function."""
        return raised.at is not None and raised.kind in CLASSES.get(
            self.flag_class, ()) and raised.at not in raised.lines

    def run(self, witness):
        """Do one trial: HIT, UNSURE, MISS, SLOW_ONE or MEANT."""
        m = self.machine
        if m.all_left <= 0:
            return UNSURE
        m.left = start = min(STEPS_EACH, m.all_left)
        m.depth, m.touched, m.handled = 0, False, []
        try:
            self.call(witness)
            return UNSURE if m.touched else MISS
        except Raised as r:
            if self.is_meant(r):
                return MEANT
            if self.is_hit(r):
                return HIT
            return UNSURE if m.touched else MISS
        except Huge:
            return HIT if self.flag_class == "memory" else SLOW_ONE
        except Endless:
            return SLOW_ONE if self.flag_class != "infinite-loop" else HIT
        except (RecursionError, MemoryError):
            return UNSURE
        except (Stuck, Leave, Again, Back):
            return UNSURE
        except Exception:  # of a plain operation, not foreseen
            return UNSURE
        finally:
            m.all_left -= start - m.left

    def call(self, witness):
        m, found = self.machine, self.found
        args, named = m.passed(witness["arguments"])
        if "receiver" in witness:
            own, by_name = m.passed(witness["receiver"])
            args.insert(0, m.construct(found.owner, own, by_name))
        elif found.owner is not None and "staticmethod" not in marks_of(
                found.node):
            if found.node.name == "__init__":
                args.insert(0, Thing(found.owner))
            else:
                args.insert(0, Class(found.owner))
        got = m.call(found.node, args, named)
        if hasattr(got, "__next__"):
            for _ in zip(range(1000), m.items(got)):
                pass

    def holds(self, demands, witness, names):
        """Whether the documentation's conditions hold, as far as is known."""
        m = self.machine
        m.is_demand = True
        try:
            return self.hold(m, demands, witness, names)
        finally:
            m.is_demand = False

    def hold(self, m, demands, witness, names):
        for demand in demands:
            m.left, m.depth = STEPS_EACH, 0
            try:
                values = {a["name"]: m.value(a["value"])
                          for a in witness["arguments"]}
                if not {n.id for n in ast.walk(demand) if isinstance(
                        n, ast.Name) and n.id in names} <= set(values):
                    continue
                got = m.ev(demand, Env(values, None))
                if got is not UNKNOWN and not m.truth(got):
                    return False
            except (Raised, Endless, Huge):
                return False
            except (Stuck, RecursionError, MemoryError):
                continue
        return True

    def grades(self, every):
        """A grade for each row, in order.  The trials end after enough
        hits."""
        out, hits, known = [], 0, False
        for w in every:
            lost = len(out) > LOST_MAX and not known
            out.append(self.run(w) if hits < HITS_MAX and not lost
                       else UNSURE)
            hits += out[-1] == HIT
            known = known or out[-1] != UNSURE
        return out
