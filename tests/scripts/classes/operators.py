# Operators of classes: reflected and in-place forms, comparison, hashing, calls, containers.


class Num:
    def __init__(self, n):
        self.n = n

    def __repr__(self):
        return f"Num({self.n})"

    def __add__(self, other):
        if isinstance(other, Num):
            return Num(self.n + other.n)
        if isinstance(other, int):
            return Num(self.n + other)
        return NotImplemented

    def __radd__(self, other):
        return ("radd", other, self.n)

    def __iadd__(self, other):
        self.n += 100
        return self

    def __sub__(self, other):
        return ("sub", self.n, other)

    def __mul__(self, other):
        return NotImplemented

    def __neg__(self):
        return Num(-self.n)

    def __pos__(self):
        return "pos"

    def __invert__(self):
        return "invert"

    def __abs__(self):
        return abs(self.n)

    def __bool__(self):
        return self.n != 0

    def __index__(self):
        return self.n

    def __pow__(self, other, modulus=None):
        return ("pow", other, modulus)

    def __matmul__(self, other):
        return ("matmul", other)

    def __divmod__(self, other):
        return ("divmod", other)

    def __lshift__(self, other):
        return ("lshift", other)

    def __and__(self, other):
        return ("and", other)

    def __int__(self):
        return self.n

    def __float__(self):
        return float(self.n)

    def __round__(self, digits=None):
        return ("round", digits)


class SubNum(Num):
    def __radd__(self, other):
        return ("SubNum radd first", other)

    def __rsub__(self, other):
        return ("SubNum rsub", other)


for i in range(4):
    a, b = Num(i), SubNum(10)
    print(a + a, a + 1, 1 + a, a + b, b + a, a - b, b - a, 2.5 + a)
    c = a
    c += 5
    c -= 1
    print(a, c, -b, +b, ~b, abs(b), bool(a), not Num(0), b ** 2, pow(b, 2, 3), b @ 1, divmod(b, 3), b << 1, b & 7)
    print([10, 20, 30][Num(1)], "abc"[SubNum(2)], list(range(Num(3))), int(b), float(b), round(b), round(b, 2))
for operation in (
    lambda: Num(1) * 2,
    lambda: 2 * Num(1),
    lambda: Num(1) / 2,
    lambda: 2 // Num(1),
    lambda: Num(1) % Num(2),
    lambda: 2 - Num(1),
    lambda: Num(1) | 2,
    lambda: Num(1) + "s",
    lambda: "s" + Num(1),
    lambda: [1] + Num(1),
    lambda: -object(),
    lambda: Num(1) < Num(2),
    lambda: Num(1)[0],
    lambda: Num(1)(),
    lambda: len(Num(1)),
    lambda: 1 in Num(1),
    lambda: iter(Num(1)),
    lambda: hash([]),
):
    for _ in range(3):
        try:
            result = operation()
        except TypeError as error:
            result = error
    print(result)


class InPlace:
    def __init__(self):
        self.log = []

    def __getattr__(self, name):
        raise AttributeError(name)

    for op in "add sub mul truediv floordiv mod pow lshift rshift and or xor matmul".split():
        exec(f"def __i{op}__(self, other): self.log.append('{op}'); return self")
    del op


x = InPlace()
for _ in range(3):
    x += 1
    x -= 1
    x *= 1
    x /= 1
    x //= 1
    x %= 1
    x **= 1
    x <<= 1
    x >>= 1
    x &= 1
    x |= 1
    x ^= 1
    x @= 1
print(len(x.log), x.log[:13])


# ---- comparison and hashing


class Version:
    def __init__(self, major, minor):
        self.key = (major, minor)

    def __eq__(self, other):
        return isinstance(other, Version) and self.key == other.key

    def __lt__(self, other):
        if not isinstance(other, Version):
            return NotImplemented
        return self.key < other.key

    def __le__(self, other):
        return ("le", self.key)

    def __hash__(self):
        return hash(self.key)

    def __repr__(self):
        return "v%d.%d" % self.key


versions = [Version(i % 3, i % 2) for i in range(7)]
print(sorted(versions), max(versions), min(versions))
print(len(set(versions)), Version(0, 0) in {Version(0, 0): 1}, Version(1, 1) == Version(1, 1), Version(1, 1) != Version(1, 2))
print(Version(1, 0) > Version(0, 0), Version(1, 0) <= 3, Version(1, 0) >= Version(2, 0), 3 >= Version(1, 0))
for _ in range(3):
    try:
        Version(1, 0) < 3
    except TypeError as error:
        print(error)


class EqOnly:
    def __eq__(self, other):
        return True


class Unhashable:
    __hash__ = None


class Inherits(EqOnly):
    pass


class Restored(EqOnly):
    __hash__ = object.__hash__


for cls in EqOnly, Unhashable, Inherits, Restored:
    try:
        hash(cls())
        {cls(): 1}
        print(cls.__name__, "hashable")
    except TypeError as error:
        print(error)
print(EqOnly() == 5, 5 == EqOnly(), EqOnly() != 5, [EqOnly()] == [7], EqOnly() in [1], [1].index(EqOnly()))


class BadHash:
    def __init__(self, value):
        self.value = value

    def __hash__(self):
        return self.value


for value in ("s", 1.5, True, 10, -1, None):
    try:
        print(hash(BadHash(value)))
    except TypeError as error:
        print(error)


class Truth:
    def __init__(self, value):
        self.value = value

    def __bool__(self):
        return self.value


class Sized:
    def __init__(self, n):
        self.n = n

    def __len__(self):
        return self.n


for value in (True, False, 1, "s", None):
    for _ in range(3):
        try:
            result = "yes" if Truth(value) else "no"
        except TypeError as error:
            result = error
    print(result)
for n in (0, 1, -1, "s", 2**100):
    for _ in range(3):
        try:
            result = ("yes" if Sized(n) else "no"), len(Sized(n))
        except (TypeError, ValueError, OverflowError) as error:
            result = type(error).__name__, str(error)
    print(result)


# ---- containers and calls


class Stack:
    def __init__(self, *items):
        self.items = list(items)

    def __getitem__(self, index):
        return self.items[index]

    def __setitem__(self, index, value):
        self.items[index] = value

    def __delitem__(self, index):
        del self.items[index]

    def __contains__(self, item):
        return item in self.items

    def __len__(self):
        return len(self.items)

    def __reversed__(self):
        return "reversed"

    def __call__(self, *args, **kwargs):
        return args, kwargs

    def __format__(self, spec):
        return "<" + spec + ">"

    def __str__(self):
        return "str"

    def __enter__(self):
        return self


s = Stack(1, 2, 3)
for i in range(4):
    s[0] = i
    print(s[0], s[-1], s[0:2], i in s, len(s), list(s), s(i, k=i), f"{s} {s!s} {s:x}", reversed(s))
del s[0]
print(s.items, [x * 2 for x in s], tuple(s), sum(s), max(s))
try:
    s[10]
except IndexError as error:
    print(error)


class Iterates:
    def __init__(self, n):
        self.n = n

    def __iter__(self):
        self.i = 0
        return self

    def __next__(self):
        if self.i == self.n:
            raise StopIteration
        self.i += 1
        return self.i


for _ in range(3):
    print(list(Iterates(3)), sum(Iterates(4)), [*Iterates(2)], 2 in Iterates(3), 9 in Iterates(3))
    a, b = Iterates(2)
    try:
        a, b = Iterates(3)
    except ValueError as error:
        print(error)


class Callable:
    def __init__(self):
        self.__call__ = lambda: "instance"

    def __call__(self, a, b=2):
        return a, b


call = Callable()
for i in range(4):
    print(call(i), call(i, b=3), call.__call__())
try:
    call()
except TypeError as error:
    print(error)
Callable.__call__ = lambda self, *args: ("changed", args)
print(call(1))
del Callable.__call__
try:
    call(1)
except TypeError as error:
    print(error)
