"""A small expression language: tokens, a parser, an evaluator."""
import re

TOKEN = re.compile(r"\s*(?:(\d+)|([a-z]+)|(.))")


def tokens(text):
    out = []
    for number, name, other in TOKEN.findall(text):
        if number:
            out.append(("num", int(number)))
        elif name:
            out.append(("name", name))
        elif other.strip():
            out.append(("op", other))
    return out


class Parser:
    def __init__(self, text):
        self.items = tokens(text)
        self.at = 0

    def peek(self):
        return self.items[self.at]  # @here peek

    def peek_or_end(self):
        if self.at >= len(self.items):
            return ("end", "")
        return self.items[self.at]  # @here peek_or_end

    def take(self):
        item = self.peek_or_end()
        self.at += 1
        return item

    def atom(self):
        kind, value = self.take()
        if value == "(":
            inner = self.sum()
            assert self.take()[1] == ")"  # @here atom
            return inner
        return value

    def product(self):
        left = self.atom()
        while self.peek_or_end()[1] in ("*", "/"):
            op = self.take()[1]
            right = self.atom()
            left = left * right if op == "*" else left / right  # @here product
        return left

    def sum(self):
        left = self.product()
        while self.peek_or_end()[1] in ("+", "-"):
            op = self.take()[1]
            right = self.product()
            left = left + right if op == "+" else left - right  # @here sum
        return left


def calculate(text):
    return Parser(text).sum()  # @here calculate


def depth(text):
    level = best = 0
    for ch in text:
        level += (ch == "(") - (ch == ")")
        best = max(best, level)
    return best


def match_pairs(text):
    stack, pairs = [], {}
    for i, ch in enumerate(text):
        if ch == "(":
            stack.append(i)
        elif ch == ")":
            pairs[stack.pop()] = i  # @here match_pairs
    return pairs


def match_pairs_ok(text):
    stack, pairs = [], {}
    for i, ch in enumerate(text):
        if ch == "(":
            stack.append(i)
        elif ch == ")" and stack:
            pairs[stack.pop()] = i  # @here match_pairs_ok
    return pairs


def version(text):
    m = re.match(r"v?(\d+)\.(\d+)", text)
    return int(m.group(1)), int(m.group(2))  # @here version


def version_ok(text):
    m = re.match(r"v?(\d+)\.(\d+)", text)
    if not m:
        return None
    return int(m.group(1)), int(m.group(2))  # @here version_ok


def resolve(env, node):
    kind = node[0]
    if kind == "num":
        return node[1]
    if kind == "name":
        return env[node[1]]  # @here resolve.name
    left, right = resolve(env, node[1]), resolve(env, node[2])
    return left // right  # @here resolve


def unescape(text):
    out, i = [], 0
    while i < len(text):
        if text[i] == "\\":
            i += 1
            out.append({"n": "\n", "t": "\t"}.get(text[i], text[i]))  # @here unescape
        else:
            out.append(text[i])
        i += 1
    return "".join(out)


def hex_colour(text):
    text = text.lstrip("#")
    return tuple(int(text[i:i + 2], 16) for i in (0, 2, 4))  # @here hex_colour
