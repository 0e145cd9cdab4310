import sys


def f(x):
    return 1 / x


sys.exit(0)
