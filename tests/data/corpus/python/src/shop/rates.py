"""Read by its neighbour."""
RATES = {"low": 0, "high": 2}
