"""warm_synthesis.py -- the synthesis program as a template (template.py).

It makes the witnesses of a function of its own first, so that what is made once
(tables of regular expressions, specialised code) is there in every copy.  That
function is always the same, so every copy starts the same.
"""
from synthesise import answer, run
from template import become

SOURCE = b'''"""A module."""
import re


class Shelf:
    def __init__(self, size: int = 3):
        self.size, self.items = size, []

    def at(self, i: int) -> str:
        """The item at a place.

        Args:
            i: the place, at least 1
        """
        if i > self.size:
            return ""
        return self.items[i].name


def share(xs: list, n: int, text: str = "a,b", d: dict = None):
    """Share out.

    >>> share([1, 2], 3)
    """
    parts = [int(x) for x in text.split(",") if re.match("[0-9]+", x)]
    for i, x in enumerate(xs):
        parts.append(xs[i] + x * n + (d or {}).get("k", 0))
    return sum(parts) // (len(xs) - n)


print(share([1], 2))
'''
REQUESTS = [{"flag_class": "div-zero", "line": None, "function": "share"},
            {"flag_class": "index-oob", "line": 17, "function": "Shelf.at"},
            {"flag_class": "null-deref", "line": 25, "function": "share"}]
OWN = {"file": "rehearsal.py", "repo": "/nonexistent"}
TEXTS = {5: SOURCE, 0: b"",
         6: b'{"flag_class":"div-zero","line":null,"function":"share",'
            b'"file":"rehearsal.py","repo":"/nonexistent"}'}


def start(steps, ends):
    for request in REQUESTS:
        answer({**request, **OWN}, SOURCE)
    become(steps, ends, TEXTS)


if __name__ == "__main__":
    run(start)
