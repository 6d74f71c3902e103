"""A function is given other code while generators of it are suspended."""
import sys


def first(a):
    try:
        yield a
        yield sys._getframe().f_code.co_name
        raise ValueError(a)
    except ValueError as error:
        yield repr(error), error.__traceback__.tb_lineno
    yield [a, a]


def second(b, c=1, d=2, *e):
    x = y = z = w = b
    yield x, y, z, w, c, d


g = first("old")
print(next(g))
first.__code__ = second.__code__
print(g.gi_code.co_name, g.gi_frame.f_code.co_name, g.gi_frame.f_locals)
print(next(g), next(g), next(g))
try:
    next(g)
except StopIteration:
    print("stopped")
try:
    print(list(first("new")))
except TypeError as error:
    print(error)
print(list(first("new", 3, 4)))
