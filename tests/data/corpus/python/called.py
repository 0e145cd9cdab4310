"""called.py -- functions whose inputs only their tests tell."""
import zlib

RATES = {3382402400: 2, 2382556682: 3}  # by the checksum of a kind


def fee(kind, weight):
    rate = RATES.get(zlib.crc32(kind.encode()))
    if rate is None:
        return 0
    return 100 * rate // weight  # @here fee


def fee_ok(kind, weight):
    rate = RATES.get(zlib.crc32(kind.encode()))
    if rate is None or weight == 0:
        return 0
    return 100 * rate // weight  # @here fee_ok
