"""Textbook algorithms, each with one defect, and without it."""


def topological_order(graph):
    seen, out = set(), []

    def visit(name):
        if name in seen:
            return
        seen.add(name)
        for other in graph[name]:  # @here topological_order
            visit(other)
        out.append(name)

    for name in graph:
        visit(name)
    return out[::-1]


def topological_order_ok(graph):
    seen, out = set(), []

    def visit(name):
        if name in seen:
            return
        seen.add(name)
        for other in graph.get(name, ()):  # @here topological_order_ok
            visit(other)
        out.append(name)

    for name in graph:
        visit(name)
    return out[::-1]


def reckon(tokens):
    signs = {"+": lambda a, b: a + b, "-": lambda a, b: a - b}
    stack = []
    for token in tokens:
        if token in signs:
            b = stack.pop()  # @here reckon
            stack.append(signs[token](stack.pop(), b))
        else:
            stack.append(token)
    return stack


def reckon_ok(tokens):
    signs = {"+": lambda a, b: a + b, "-": lambda a, b: a - b}
    stack = []
    for token in tokens:
        if token in signs and len(stack) > 1:
            b = stack.pop()  # @here reckon_ok
            stack.append(signs[token](stack.pop(), b))
        else:
            stack.append(token)
    return stack


def flatten(nested):
    for item in nested:
        if isinstance(item, (list, tuple, str)):
            yield from flatten(item)  # @here flatten
        else:
            yield item


def flatten_ok(nested):
    for item in nested:
        if isinstance(item, (list, tuple)):
            yield from flatten_ok(item)  # @here flatten_ok
        else:
            yield item


def pack(room, items):
    """items is a list of (weight, value) pairs of positive ints"""
    best = [0] * (max(room, 0) + 1)
    for weight, value in items:
        for at in range(len(best) - 1, weight - 1, -1):
            best[at] = max(best[at], value + best[at - weight])  # @here pack
    return best[-1]
