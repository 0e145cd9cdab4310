"""Prices: divisions that fail, and some that do not."""
from typing import List, Optional


def mean_price(prices):
    return sum(prices) / len(prices)


def safe_mean_price(prices):
    if not prices:
        return 0.0
    return sum(prices) / len(prices)


def discount(price: float, parts: int = 4) -> float:
    if price < 0:
        raise ValueError("a price below zero")
    return price - price / parts


def per_unit(total: float, units: Optional[int]) -> float:
    if units is None or units == 0:
        return 0.0
    return total / units


def margin(cost: float, price: float) -> float:
    profit = price - cost
    return profit / (price - 7)


def tolerant(total: float, units: int) -> float:
    try:
        return total / units
    except ZeroDivisionError:
        return 0.0


def share(parts: List[int], whole: int) -> List[float]:
    shares = []
    for part in parts:
        shares.append(part / whole)
    return shares
