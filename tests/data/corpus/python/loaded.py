"""A module that fails while it is loaded."""
RATES = {"EUR": 1}  # @here loaded.rates


def rate(name):
    return RATES[name]  # @here rate


DEFAULT = rate("USD")  # @here loaded.default
