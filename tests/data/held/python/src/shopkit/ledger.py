"""Money: amounts, accounts, splits."""
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Optional, Sequence

RATES = {"EUR": Decimal(1), "USD": Decimal("1.1")}


@dataclass(frozen=True)
class Money:
    amount: int
    currency: str = "EUR"

    def split(self, parts: int):
        share, rest = divmod(self.amount, parts)  # @here split
        return [share + (1 if i < rest else 0) for i in range(parts)]

    def to(self, currency: str) -> int:
        return int(self.amount * RATES[currency] / RATES[self.currency])  # @here to

    def __add__(self, other):
        assert self.currency == other.currency  # @here __add__
        return Money(self.amount + other.amount, self.currency)


class Account:
    def __init__(self, owner: str, opening: int = 0):
        self.owner = owner
        self.balance = opening
        self.entries = []

    def post(self, amount: int, memo: Optional[str] = None):
        self.entries.append((amount, memo.strip()))  # @here post
        self.balance += amount

    def post_ok(self, amount: int, memo: Optional[str] = None):
        self.entries.append((amount, (memo or "").strip()))  # @here post_ok
        self.balance += amount

    def last_memo(self):
        return self.entries[-1][1]  # @here last_memo

    def mean(self):
        return sum(a for a, _ in self.entries) / len(self.entries)  # @here mean

    def interest(self, rate: float, periods: int) -> float:
        return self.balance * (1 + rate / periods) ** periods  # @here interest


def parse_amount(text: str) -> int:
    whole, cents = text.replace("EUR", "").strip().split(".")  # @here parse_amount
    return int(whole) * 100 + int(cents)


def parse_safe(text: str) -> Optional[Decimal]:
    try:
        return Decimal(text)
    except InvalidOperation:
        return None


def percent(part: Decimal, whole: Decimal) -> float:
    return float(part) / float(whole) * 100  # @here percent


def allocate(total: int, ratios: Sequence[int]) -> list:
    whole = sum(ratios)
    out = [total * r // whole for r in ratios]  # @here allocate
    for i in range(total - sum(out)):
        out[i] += 1
    return out


def allocate_ok(total: int, ratios: Sequence[int]) -> list:
    whole = sum(ratios)
    if whole <= 0:
        return [0 for _ in ratios]
    return [total * r // whole for r in ratios]  # @here allocate_ok


def doubled(text: str) -> Decimal:
    return parse_safe(text) * 2  # @here doubled


def largest(entries, count=1):
    """The largest entries, `count` of them (at least one)."""
    ordered = sorted(entries, reverse=True)[:count]
    return sum(ordered) / count  # @here largest


def loan(principal, rate, months):
    monthly = rate / 12
    return principal * monthly / (1 - (1 + monthly) ** -months)  # @here loan


def rounded(amount: float) -> int:
    return int(round(amount * 100))  # @here rounded


def currency_of(text):
    symbols = {"$": "USD", "E": "EUR"}
    return symbols[text[0]]  # @here currency_of
