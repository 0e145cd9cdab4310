"""Recursive functions of the third sheet."""
import math


def power(base, exp):
    if exp == 0:
        return 1
    return base * power(base, exp - 1)  # @here power


def power_natural(base, exp):
    if exp <= 0:
        return 1
    if exp > 200:
        return base ** exp
    return base * power_natural(base, exp - 1)  # @here power_natural


def flatten(items):
    out = []
    for x in items:
        if isinstance(x, list):
            out.extend(flatten(x))
        else:
            out.append(x)
    return out


def collatz(n):
    """Steps to 1, for a positive integer n."""
    if n == 1:
        return 0
    return 1 + collatz(n // 2 if n % 2 == 0 else 3 * n + 1)  # @here collatz


def collatz_any(n):
    if n == 1:
        return 0
    return 1 + collatz_any(n // 2 if n % 2 == 0 else 3 * n + 1)  # @here collatz_any


def gcd(a, b):
    if a % b == 0:  # @here gcd
        return b
    return gcd(b, a % b)


def gcd_ok(a, b):
    if b == 0:
        return a
    return gcd_ok(b, a % b)  # @here gcd_ok


def maximum(xs):
    if len(xs) == 1:
        return xs[0]
    rest = maximum(xs[1:])  # @here maximum
    return xs[0] if xs[0] > rest else rest


def choose(n, k):
    return math.factorial(n) // (math.factorial(k) * math.factorial(n - k))  # @here choose


def harmonic(n):
    return sum(1 / i for i in range(n))  # @here harmonic


def harmonic_one(n):
    return sum(1 / i for i in range(1, n + 1))  # @here harmonic_one


def knapsack(weights, values, room):
    if room <= 0 or not weights:
        return 0
    skip = knapsack(weights[1:], values[1:], room)
    if weights[0] > room:
        return skip
    return max(skip, values[0] + knapsack(weights[1:], values[1:], room - weights[0]))  # @here knapsack


def exp_growth(rate, years):
    return math.exp(rate * years)  # @here exp_growth


def root(x):
    return math.sqrt(x)  # @here root


def root_checked(x):
    if x < 0:
        raise ValueError("negative")
    return math.sqrt(x)  # @here root_checked


def binary_search(xs, wanted, low, high):
    if low > high:
        return -1
    mid = (low + high) // 2
    if xs[mid] == wanted:  # @here binary_search
        return mid
    if xs[mid] < wanted:
        return binary_search(xs, wanted, mid + 1, high)
    return binary_search(xs, wanted, low, mid - 1)


def log_steps(n, base):
    return math.log(n) / math.log(base)  # @here log_steps
