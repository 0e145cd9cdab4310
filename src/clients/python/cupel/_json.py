"""Reads strict JSON: values of the expected type, or an error that names them.

Stricter than the standard library: UTF-8 only, no name twice, no NaN, no
number that loses its value.
"""

from __future__ import annotations

import decimal
import json
import math
from typing import (
    Any,
    Callable,
    Dict,
    List,
    Mapping,
    NoReturn,
    Optional,
    Tuple,
    TypeVar,
    Union,
)

from ._errors import SandboxError

T = TypeVar("T")

# Python's own conversion takes quadratic time, and later releases refuse it.
INT_DIGITS_MAX = 400


def read_object(raw: bytes) -> Dict[str, Any]:
    """Parse raw as a JSON object, or raise SandboxError."""
    try:
        value = json.loads(
            raw.decode("utf-8"),
            object_pairs_hook=_unique,
            parse_constant=_refuse,
            parse_int=_integer,
            parse_float=_number,
        )
    except (ValueError, ArithmeticError, RecursionError) as e:
        raise SandboxError("cupel's answer is not JSON: %s" % e, "bug") from e
    if not isinstance(value, dict):
        raise SandboxError("cupel's answer is not a JSON object", "bug")
    return value


def _unique(pairs: List[Tuple[str, Any]]) -> Dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("an object has a name twice")
    return found


def _refuse(word: str) -> NoReturn:
    raise ValueError("%s is not a number" % word)


def _integer(digits: str) -> Union[int, decimal.Decimal]:
    if len(digits) > INT_DIGITS_MAX:
        return decimal.Decimal(digits)
    return int(digits)


def _number(digits: str) -> Union[float, decimal.Decimal]:
    near = float(digits)
    return decimal.Decimal(digits) if math.isinf(near) else near


class Fields:
    """The members of one object of an answer; each is taken with its type."""

    def __init__(self, value: Mapping[str, Any], path: str = "") -> None:
        self.value = value
        self.path = path

    def wrong(self, key: str, want: str) -> SandboxError:
        """The error that says what was found at key."""
        return SandboxError(
            "cupel's answer: %s%s: expected %s" % (self.path, key, want), "bug"
        )

    def _take(self, key: str, want: str, kind: type) -> Any:
        found = self.value.get(key)
        # bool is an int to Python and not to JSON
        if not isinstance(found, kind) or (
            kind is int and isinstance(found, bool)
        ):
            raise self.wrong(key, want)
        return found

    def or_none(self, key: str, take: Callable[[str], T]) -> Optional[T]:
        """What take returns for key, or None if the value is null."""
        if key in self.value and self.value[key] is None:
            return None
        return take(key)

    def optional(self, key: str, take: Callable[[str], T]) -> Optional[T]:
        """The same, but key may also be missing."""
        return None if key not in self.value else self.or_none(key, take)

    def anything(self, key: str) -> Any:
        """Any value, also null; it may not be missing."""
        if key not in self.value:
            raise self.wrong(key, "a value")
        return self.value[key]

    def text(self, key: str) -> str:
        """A string that UTF-8 can hold: no half of a surrogate pair."""
        found: str = self._take(key, "a string", str)
        try:
            found.encode("utf-8")
        except UnicodeEncodeError:
            raise self.wrong(key, "a string of whole characters") from None
        return found

    def flag(self, key: str) -> bool:
        """true or false."""
        found: bool = self._take(key, "true or false", bool)
        return found

    def integer(self, key: str) -> int:
        """An integer."""
        found: int = self._take(key, "an integer", int)
        return found

    def count(self, key: str, most: int = 2**63 - 1) -> int:
        """An integer from 0 to most."""
        found: int = self._take(key, "an integer", int)
        if not 0 <= found <= most:
            raise self.wrong(key, "an integer from 0 to %d" % most)
        return found

    def word(self, key: str, words: Tuple[str, ...]) -> str:
        """One of words."""
        found = self.text(key)
        if found not in words:
            raise self.wrong(key, "one of " + ", ".join(words))
        return found

    def texts(self, key: str) -> Tuple[str, ...]:
        """An array of strings."""
        items: List[Any] = self._take(key, "an array of strings", list)
        each = Fields(
            {str(i): item for i, item in enumerate(items)},
            "%s%s." % (self.path, key),
        )
        return tuple(each.text(str(i)) for i in range(len(items)))

    def mapping(self, key: str) -> Dict[str, Any]:
        """An object, unchanged."""
        found: Dict[str, Any] = self._take(key, "an object", dict)
        return found

    def fields(self, key: str) -> Fields:
        """An object whose members are taken one by one."""
        return Fields(self.mapping(key), "%s%s." % (self.path, key))

    def each(self, key: str) -> List[Fields]:
        """An array of objects."""
        items: List[Any] = self._take(key, "an array of objects", list)
        path = "%s%s." % (self.path, key)
        outer = Fields({str(i): v for i, v in enumerate(items)}, path)
        return [outer.fields(str(i)) for i in range(len(items))]
