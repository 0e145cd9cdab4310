"""Classes of a library system."""
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from enum import Enum
from typing import Dict, List, Optional


class Status(Enum):
    IN = "in"
    OUT = "out"
    LOST = "lost"


FEES = {Status.IN: 0, Status.OUT: 1}


@dataclass
class Book:
    title: str
    pages: int = 0
    tags: List[str] = field(default_factory=list)
    due: Optional[date] = None
    status: Status = Status.IN

    def pages_a_day(self, days: int) -> float:
        return self.pages / days  # @here pages_a_day

    def first_tag(self) -> str:
        return self.tags[0]  # @here first_tag

    def days_late(self, today: date) -> int:
        return (today - self.due).days  # @here days_late

    def days_late_ok(self, today: date) -> int:
        if self.due is None:
            return 0
        return (today - self.due).days  # @here days_late_ok

    def fee(self) -> int:
        return FEES[self.status]  # @here fee

    def fee_get(self) -> int:
        return FEES.get(self.status, 0)  # @here fee_get


class Member:
    def __init__(self, name, joined=None):
        self.name = name
        self.joined = joined
        self.books = []
        self.history: Dict[str, int] = {}

    def borrow(self, book):
        self.books.append(book)
        self.history[book.title] = self.history.get(book.title, 0) + 1

    def latest(self):
        return self.books[-1]  # @here latest

    def favourite(self):
        return max(self.history, key=self.history.get)  # @here favourite

    def year(self):
        return self.joined.year  # @here year

    def surname(self):
        return self.name.split()[1]  # @here surname

    def __str__(self):
        return "%s (%d)" % (self.name, len(self.books))  # @here __str__


class Library:
    def __init__(self, books=()):
        self.books = {b.title: b for b in books}

    def find(self, title):
        return self.books.get(title)

    def status_of(self, title):
        return self.find(title).status.value  # @here status_of

    def status_or(self, title):
        book = self.find(title)
        return book.status.value if book else None  # @here status_or

    def remove(self, title):
        del self.books[title]  # @here remove

    def mean_pages(self):
        return sum(b.pages for b in self.books.values()) / len(self.books)  # @here mean_pages


def parse_due(text):
    return datetime.strptime(text, "%Y-%m-%d").date()  # @here parse_due


def next_birthday(born: date, today: date) -> date:
    """The next birthday of somebody."""
    return born.replace(year=today.year + 1)  # @here next_birthday


def weeks_between(a: date, b: date, step: timedelta) -> int:
    return (b - a) // step  # @here weeks_between


def month_name(number: int) -> str:
    names = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    return names[number - 1]  # @here month_name


def status_from(text: str) -> Status:
    return Status(text)  # @here status_from


def oldest(people):
    """The name of the one who was born first."""
    return sorted(people, key=lambda p: p["born"])[0]["name"]  # @here oldest


def age_groups(people):
    groups = {"child": [], "adult": []}
    for p in people:
        kind = "child" if p["age"] < 18 else "adult"
        groups[kind].append(p)
    return len(groups["child"]) / len(groups["adult"])  # @here age_groups
