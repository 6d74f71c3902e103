def f(a, b=2):
    return a


args = (1, 2)


def callers():
    f(1)
    f(1, 2)
    f(1, b=2)
    f(*args)


for _ in range(4):
    callers()
