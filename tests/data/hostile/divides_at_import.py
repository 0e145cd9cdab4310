def f(x):
    return 1 / x


VALUE = f(0)
