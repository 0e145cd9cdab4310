"""Numbers: divisions, overflows, domains, memory, recursion, assertions."""
import math
from decimal import Decimal
from typing import List, Literal, Optional, Union

LIMIT = 40


def mean(values: List[float]) -> float:
    return sum(values) / len(values)  # @here mean


def mean_guarded(values: List[float]) -> float:
    if not values:
        return 0.0
    return sum(values) / len(values)  # @here mean_guarded


def ratio(a: int, b: int) -> float:
    if a < 0 or b < 0:
        raise ValueError("negative")
    return a / (b - 12)  # @here ratio


def ratio_guarded(a: int, b: int) -> float:
    if b <= 12:
        return 0.0
    return a / (b - 12)  # @here ratio_guarded


def remainder(n: int, step: Literal[0, 3]) -> int:
    if n % 7 == 3:
        return n % step  # @here remainder
    return 0


def remainder_literal(n: int, step: Literal[2, 3]) -> int:
    return n % step  # @here remainder_literal


def percentile(*samples: float, at: float) -> float:
    return at / len(samples)  # @here percentile


def elsewhere(x: int) -> float:
    half = 1 / x
    return half // 1.5  # @here elsewhere


def shares(total: Decimal, parts: int) -> Decimal:
    if total == 1:
        return total / parts  # @here shares
    return total


def swallowed(x: int) -> float:
    try:
        return 1 / x  # @here swallowed
    except ZeroDivisionError:
        return 0.0


def growth(rate: float) -> float:
    return math.exp(rate)  # @here growth


def growth_capped(rate: float) -> float:
    return math.exp(min(rate, 10.0))  # @here growth_capped


def to_float(n: int) -> float:
    return float(n)  # @here to_float


def to_float_small(n: int) -> float:
    return float(n % 1000)  # @here to_float_small


def side(area: float) -> float:
    return math.sqrt(area)  # @here side


def side_checked(area: float) -> float:
    return math.sqrt(abs(area)) if area == area else 0.0  # @here side_checked


def zeros(count: int) -> list:
    return [0] * count  # @here zeros


def zeros_capped(count: int) -> list:
    return [0] * min(count, 1000)  # @here zeros_capped


def factorial(n: int) -> int:
    if n == 0:
        return 1
    return n * factorial(n - 1)  # @here factorial


def factorial_ok(n: int) -> int:
    if n <= 0:
        return 1
    return n * factorial_ok(n - 1)  # @here factorial_ok


def halve(n):
    """Args:
        n (int): a positive int
    """
    if n == 1:
        return 0
    return 1 + halve(n - 2 if n > 2 else n)  # @here halve


def bounded(n: int) -> int:
    assert n < LIMIT  # @here bounded
    return n


def bounded_ok(n: int) -> int:
    n = min(n, LIMIT - 1)
    assert n < LIMIT  # @here bounded_ok
    return n


def digits(n: int) -> int:
    count = 0
    while n != 0:
        n = n // 10  # @here digits
        count += 1
    return count


def digits_ok(n: int) -> int:
    count = 0
    n = abs(n)
    while n:
        n //= 10  # @here digits_ok
        count += 1
    return count


def scaled(x: Union[int, str]) -> float:
    return x * 1.5  # @here scaled


def scaled_ok(x: Union[int, str]) -> float:
    if isinstance(x, str):
        x = 2
    return x * 1.5  # @here scaled_ok


def half(x: Optional[int]) -> float:
    return x / 2  # @here half


def half_ok(x: Optional[int] = None) -> float:
    return (x or 0) / 2  # @here half_ok
