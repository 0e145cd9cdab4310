"""Texts: indices, numbers and JSON in them, what cannot be encoded."""
from __future__ import annotations

import json

CODES = {"a": 1, "b": 2}


def first_word(text: str) -> str:
    return text.split()[0]  # @here first_word


def first_word_ok(text: str) -> str:
    words = text.split()
    return words[0] if words else ""  # @here first_word_ok


def after_prefix(text: str) -> str:
    if text.startswith("id:") and len(text) == 5:
        return text[9]  # @here after_prefix
    return ""


def last(text):
    text = text.strip()
    return text[-1]  # @here last


def last_ok(text):
    text = text.strip()
    if text == "":
        return ""
    return text[-1]  # @here last_ok


def port(text: str) -> int:
    return int(text)  # @here port


def port_ok(text: str) -> int:
    if not (text.isascii() and text.isdigit()):
        return 0
    return int(text)  # @here port_ok


def pair(line: str) -> tuple:
    key, value = line.split("=")  # @here pair
    return key, value


def pair_ok(line: str) -> tuple:
    key, _, value = line.partition("=")  # @here pair_ok
    return key, value


def parse(text: str):
    return json.loads(text)  # @here parse


def parse_ok(text: str):
    try:
        return json.loads(text)  # @here parse_ok
    except ValueError:
        return None


def parse_as_value(text: str):
    return json.loads(text)  # @here parse_as_value


def octets(text: str) -> bytes:
    return text.encode("ascii")  # @here octets


def octets_ok(text: str) -> bytes:
    return text.encode("ascii", "replace")  # @here octets_ok


def decoded(data: bytes) -> str:
    return data.decode("utf-8")  # @here decoded


def decoded_ok(data: bytes) -> str:
    return data.decode("latin-1")  # @here decoded_ok


def code(name: str) -> int:
    return CODES[name]  # @here code


def code_ok(name: str) -> int:
    return CODES[name] if name in CODES else 0  # @here code_ok


def label(kind: str) -> str:
    if kind == "x":
        word = "cross"
    elif kind == "o":
        word = "nought"
    return word  # @here label


def label_ok(kind: str) -> str:
    word = ""
    if kind == "x":
        word = "cross"
    return word  # @here label_ok


def misspelt(flag: bool) -> int:
    if flag:
        return lenght  # noqa: F821  @here misspelt
    return 0


def spelt(flag: bool) -> int:
    return len(CODES) if flag else 0  # @here spelt


def shout(text: str) -> str:
    return text.uper()  # @here shout


def shout_ok(text: str) -> str:
    return text.upper()  # @here shout_ok


def joined(parts: list[int]) -> str:
    return ",".join(parts)  # @here joined


def joined_ok(parts: list[int]) -> str:
    return ",".join(str(p) for p in parts)  # @here joined_ok


def saved(path, text):
    """A name that no file can have shows nothing of the encoding."""
    with open(path, "w", encoding="utf-8") as out:  # @here saved
        out.write("done")
    return len(text)
