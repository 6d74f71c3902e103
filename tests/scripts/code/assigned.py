"""`__code__` assigned while frames and generators of the function are at work."""


def f(n):
    if n:
        f.__code__ = other.__code__
        return first, f(n - 1, 4), f.__defaults__
    return None


def other(a, b=2):
    x, y, z = a, b, len
    return x, y, z.__name__


first = "first"
print(f(1), f(1, 3))


def g():
    name = yield 1
    yield name, sorted
    for i in range(3):
        yield i, name


def shorter():
    yield 1


i = g()
print(next(i))
g.__code__ = shorter.__code__
del shorter
print(i.send("a"), list(i), list(g()))
for _ in range(3):
    g.__code__ = (lambda: (yield _)).__code__
print(list(g()))


def method(self):
    return self.value


class C:
    value = 3
    m = method


c = C()
print([c.m() for _ in range(5)])
method.__code__ = (lambda self, extra=None: (self.value, extra)).__code__
try:
    print(c.m())
except TypeError as error:
    print(error)
method.__defaults__ = (4,)
print([c.m() for _ in range(3)])
