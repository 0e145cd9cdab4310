"""Visits to a small clinic: rooms, times and bills."""
import re
from collections import deque
from datetime import date, timedelta
from typing import Dict, Iterable, Iterator, List, NamedTuple, Optional, Tuple


class Visit(NamedTuple):
    patient: str
    minutes: int
    paid: float = 0.0


ROOM = re.compile(r"([A-Z])-(\d+)(?:/(\w+))?")


def room_wing(code: str) -> str:
    """The wing of a room, 'east' in 'B-12/east'."""
    found = ROOM.match(code)
    return found.group(3).lower()  # @here room_wing


def room_wing_ok(code: str) -> str:
    found = ROOM.match(code)
    if not found or not found.group(3):
        return ""
    return found.group(3).lower()  # @here room_wing_ok


def longest(visits: List[Visit]) -> Visit:
    return sorted(visits, key=lambda v: -v.minutes)[0]  # @here longest


def longest_named(visits: List[Visit]) -> str:
    for visit in sorted(visits, key=lambda v: -v.minutes)[:1]:
        return [visit.patient][0]  # @here longest_named
    return ""


def hourly(visits: List[Visit]) -> float:
    minutes = sum(v.minutes for v in visits)
    return sum(v.paid for v in visits) / (minutes / 60)  # @here hourly


def hourly_since(visits: List[Visit], hours: float) -> float:
    """What came in for each hour.

    Parameters
    ----------
    visits : list of Visit
        All visits of the day.
    hours : float
        Hours the clinic was open; must not be zero.
    """
    return sum(v.paid for v in visits) / hours  # @here hourly_since


def next_free(slots: Iterable[int], taken: Iterable[int]) -> int:
    busy = set(taken)
    return next(s for s in slots if s not in busy)  # @here next_free


def next_free_or(slots: Iterable[int], taken: Iterable[int]) -> int:
    busy = set(taken)
    return next((s for s in slots if s not in busy), -1)  # @here next_free_or


def call_in(queue: deque, urgent: bool = False) -> str:
    return queue.pop() if urgent else queue.popleft()  # @here call_in


def call_all(queue: deque) -> Iterator[str]:
    while queue:
        yield queue.popleft()  # @here call_all


def recall_date(last: date, months: int) -> date:
    """The day of the next check, the same day some months on."""
    years, month = divmod(last.month - 1 + months, 12)
    return last.replace(last.year + years, month + 1)  # @here recall_date


def recall_week(last: date, weeks: int) -> date:
    """The day of the next check.

    :param last: the day of the last one, this century
    :param weeks: how many weeks on, from 1 to 104
    """
    return last + timedelta(weeks=weeks)  # @here recall_week


def doses(prescription: str) -> Dict[str, int]:
    """'paracetamol x3, aspirin x1' as {'paracetamol': 3, 'aspirin': 1}."""
    out = {}
    for part in prescription.split(","):
        name, count = part.strip().rsplit(" x", 1)  # @here doses
        out[name] = int(count)
    return out


def doses_ok(prescription: str) -> Dict[str, int]:
    out = {}
    for part in prescription.split(","):
        name, mark, count = part.strip().rpartition(" x")  # @here doses_ok
        if mark and count.isdecimal():
            out[name] = int(count)
    return out


class Ward:
    """Beds by number, and who lies in them."""

    def __init__(self, beds: int = 4):
        if beds < 1:
            raise ValueError("a ward has a bed")
        self.beds: List[Optional[str]] = [None] * beds
        self.history: List[Tuple[str, int]] = []

    def admit(self, patient: str) -> int:
        bed = self.beds.index(None)  # @here admit
        self.beds[bed] = patient
        self.history.append((patient, bed))
        return bed

    def share_taken(self) -> float:
        taken = sum(b is not None for b in self.beds)
        return taken / len(self.beds)  # @here share_taken

    def last_admitted(self) -> str:
        return self.history[-1][0]  # @here last_admitted

    def initial(self, bed: int) -> str:
        if not 0 <= bed < len(self.beds):
            return "?"
        return self.beds[bed][0]  # @here initial

    def name_in(self, bed: int) -> str:
        if bed not in range(len(self.beds)):
            return ""
        return self.beds[bed] or ""  # @here name_in


def depth(unit: dict) -> int:
    """How many levels of units below this one, each with its 'parts'."""
    return 1 + max(depth(p) for p in unit["parts"])  # @here depth


def depth_ok(unit: dict) -> int:
    parts = unit.get("parts") or []
    return 1 + max((depth_ok(p) for p in parts), default=0)  # @here depth_ok
