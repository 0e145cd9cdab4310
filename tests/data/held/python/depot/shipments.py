"""Parcels of a small depot: weights, routes and labels."""
from collections import deque
from datetime import date


def parse_label(label):
    """Split 'ZIP/COUNTRY/NUMBER' into its three parts."""
    zip_code, country, number = label.split("/")  # @here parse_label
    return zip_code, country, int(number)


def country_of(label: str) -> str:
    parts = label.split("/")
    if len(parts) != 3:
        return ""
    return parts[1]  # @here country_of


def cost_per_kilo(parcels: list, price: float) -> float:
    """What a kilo of all parcels costs."""
    kilos = sum(p["kilos"] for p in parcels)
    return price / kilos  # @here cost_per_kilo


def load_share(load: int, capacity: int) -> float:
    """The share of a van that is full.

    :param capacity: places of the van, a positive integer
    """
    return load / capacity  # @here load_share


def next_stop(stops: list, done: set):
    return [s for s in stops if s not in done][0]  # @here next_stop


def last_stop(stops: list):
    if not stops:
        raise LookupError("a route without stops")
    return stops[-1]  # @here last_stop


def due_on(text: str) -> date:
    year, month, day = (int(x) for x in text.split("-"))
    return date(year, month, day)  # @here due_on


def zone_of(kilos: int) -> str:
    zones = ("letter", "small", "medium", "large")
    return zones[min(kilos // 5, 3)]  # @here zone_of


def heaviest(parcels: dict) -> str:
    return max(parcels, key=parcels.get)  # @here heaviest


def tally(events: list) -> dict:
    """How often each depot occurs."""
    seen: dict = {}
    for event in events:
        if event not in seen:
            seen[event] = 0
        seen[event] += 1  # @here tally
    return seen


class Ramp:
    """A ramp where vans wait in line."""

    def __init__(self, size: int = 4):
        self.size = size
        self.line: deque = deque()

    def arrive(self, van: str) -> bool:
        if len(self.line) >= self.size:
            return False
        self.line.append(van)
        return True

    def leave(self) -> str:
        return self.line.popleft()  # @here leave

    def fill(self) -> float:
        return len(self.line) / self.size  # @here fill

    def first(self):
        return self.line[0] if self.line else None  # @here first
