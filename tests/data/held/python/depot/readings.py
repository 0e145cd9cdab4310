"""Readings of sensors, as texts and as numbers."""
import json
import math
from typing import Optional, Sequence


def level_of(line: str) -> str:
    """The word in brackets at the start of a line, '[warn] full'."""
    end = line.index("]")  # @here level_of
    return line[1:end]


def level_or_none(line: str) -> Optional[str]:
    end = line.find("]")
    return line[1:end] if end > 0 else None  # @here level_or_none


def root_mean_square(values: Sequence[float]) -> float:
    return math.sqrt(sum(v * v for v in values) / len(values))  # @here root_mean_square


def variance(values: Sequence[float]) -> float:
    """Variance of a sample.

    Args:
        values: readings, at least two of them
    """
    mean = sum(values) / len(values)
    return sum((v - mean) ** 2 for v in values) / (len(values) - 1)  # @here variance


def decibel(power: float) -> float:
    return 10 * math.log10(power)  # @here decibel


def read_frame(data: bytes) -> str:
    """The text of a frame whose first byte is its length."""
    size = data[0] if data else 0
    return data[1:1 + size].decode("utf-8")  # @here read_frame


def read_frame_safe(data: bytes) -> str:
    size = data[0] if data else 0
    return data[1:1 + size].decode("utf-8", "replace")  # @here read_frame_safe


def unit_of(text: str) -> str:
    """The unit in a JSON object, '{"unit": "C"}'."""
    try:
        found = json.loads(text)
    except ValueError:
        return ""
    if not isinstance(found, dict):
        return ""
    return str(found["unit"])  # @here unit_of


def smooth(values: list, width: int = 3) -> list:
    out = []
    for i in range(len(values) - width + 1):
        out.append(sum(values[i:i + width]) / width)  # @here smooth
    return out


def bisect_level(levels: list, value: int) -> int:
    low, high = 0, len(levels)
    while low < high:
        middle = (low + high) // 2
        if levels[middle] < value:  # @here bisect_level
            low = middle + 1
        else:
            high = middle
    return low
