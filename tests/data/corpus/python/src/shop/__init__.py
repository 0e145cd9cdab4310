"""A package below src, as its installation would have it."""
from shop.rates import RATES
