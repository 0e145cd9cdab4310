"""Callbacks, generators, keyword arguments."""
import functools


class Bus:
    def __init__(self):
        self.handlers = {}

    def on(self, name, handler):
        self.handlers.setdefault(name, []).append(handler)

    def emit(self, name, *args, **kw):
        return [h(*args, **kw) for h in self.handlers[name]]  # @here emit

    def emit_ok(self, name, *args, **kw):
        return [h(*args, **kw) for h in self.handlers.get(name, ())]  # @here emit_ok

    def first(self, name):
        return self.handlers.get(name, [])[0]  # @here first


def retry(action, times):
    for attempt in range(times):
        try:
            result = action()
            break
        except OSError:
            continue
    return result  # @here retry


def apply_all(functions, value):
    return functools.reduce(lambda acc, f: f(acc), functions, value)


def combine(functions):
    return functools.reduce(lambda f, g: lambda x: g(f(x)), functions)  # @here combine


def batches(items, size):
    for i in range(0, len(items), size):  # @here batches
        yield items[i:i + size]


def running_mean(values):
    total = 0
    for i, v in enumerate(values):
        total += v
        yield total / i  # @here running_mean


def running_mean_ok(values):
    total = 0
    for i, v in enumerate(values, 1):
        total += v
        yield total / i  # @here running_mean_ok


def pairwise(iterable):
    it = iter(iterable)
    previous = next(it)  # @here pairwise
    for x in it:
        yield previous, x
        previous = x


def average(*numbers):
    return sum(numbers) / len(numbers)  # @here average


def average_ok(first, *numbers):
    return (first + sum(numbers)) / (1 + len(numbers))  # @here average_ok


def link(**attributes):
    return '<a href="%s">%s</a>' % (attributes["href"], attributes.get("text", ""))  # @here link


def describe(name, *, width=10, **options):
    scale = options.get("scale", 1)
    return name[:width // scale]  # @here describe


def throttle(calls, window):
    return len([c for c in calls if c > calls[-1] - window])  # @here throttle


def throttle_last(calls, window):
    return calls[-1] - window  # @here throttle_last


def dispatch(table, message):
    handler = table.get(message["kind"])
    return handler(message)  # @here dispatch


def dispatch_ok(table, message):
    handler = table.get(message.get("kind"))
    if handler is None:
        return None
    return handler(message)  # @here dispatch_ok


def memo_fib(n, memo={0: 0, 1: 1}):
    if n not in memo:
        memo[n] = memo_fib(n - 1) + memo_fib(n - 2)  # @here memo_fib
    return memo[n]


def progress(done, total, width=20):
    """A bar of `width` signs; total must be positive."""
    filled = int(width * done / total)  # @here progress
    return "#" * filled + "-" * (width - filled)


def progress_any(done, total, width=20):
    filled = int(width * done / total)  # @here progress_any
    return "#" * filled + "-" * (width - filled)
