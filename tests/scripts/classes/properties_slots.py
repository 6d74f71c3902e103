# Properties and __slots__, read and written often enough to be specialised, and what breaks them.


class Temperature:
    def __init__(self, celsius):
        self._celsius = celsius

    @property
    def celsius(self):
        """Degrees."""
        return self._celsius

    @celsius.setter
    def celsius(self, value):
        if value < -273:
            raise ValueError("too cold")
        self._celsius = value

    @celsius.deleter
    def celsius(self):
        del self._celsius

    @property
    def fahrenheit(self):
        return self._celsius * 9 / 5 + 32


t = Temperature(10)
for degrees in range(6):
    t.celsius = degrees
    print(t.celsius, t.fahrenheit)
for _ in range(3):
    try:
        t.celsius = -300
    except ValueError as error:
        print(error)
    try:
        t.fahrenheit = 3
    except AttributeError as error:
        print(error)
    try:
        del t.fahrenheit
    except AttributeError as error:
        print(error)
del t.celsius
for _ in range(3):
    try:
        t.celsius
    except AttributeError as error:
        print(error)
print(Temperature.celsius.__doc__, Temperature.celsius.fget.__name__)


# A getter exchanged under a specialised site.
class Exchanged:
    def first(self):
        return "first"

    def second(self, extra="default"):
        return "second " + extra

    value = property(first)


def read(o):
    return o.value


e = Exchanged()
for _ in range(4):
    read(e)
print(read(e))
Exchanged.value = property(lambda self: "lambda")
print(read(e), read(e), read(e))
Exchanged.value.fget.__defaults__ = (1,)
print(read(e))
Exchanged.value = 12
print(read(e))
e.value = 13
print(read(e))


class Recursive:
    @property
    def deeper(self):
        return self.deeper


for _ in range(3):
    try:
        Recursive().deeper
    except RecursionError as error:
        print(type(error).__name__)


class Raising:
    @property
    def value(self):
        raise KeyError("inside")

    def __getattr__(self, name):
        return "fallback for " + name


class RaisingAttribute:
    @property
    def value(self):
        raise AttributeError("inside")

    def __getattr__(self, name):
        return "fallback for " + name


for _ in range(3):
    try:
        print(Raising().value)
    except KeyError as error:
        print(repr(error))
    print(RaisingAttribute().value)


# ---- slots


class Point:
    __slots__ = ("x", "y")

    def __init__(self, x, y):
        self.x = x
        self.y = y

    def total(self):
        return self.x + self.y


for i in range(5):
    p = Point(i, i * 2)
    print(p.total(), end=" ")
print()
for _ in range(3):
    try:
        p.z = 1
    except AttributeError as error:
        print(error)
    try:
        p.__dict__
    except AttributeError as error:
        print(error)


def get_x(o):
    return o.x


def set_x(o, value):
    o.x = value


for i in range(4):
    set_x(p, i)
    get_x(p)
del p.x
for _ in range(3):
    try:
        get_x(p)
    except AttributeError as error:
        print(error)
set_x(p, "back")
print(get_x(p))


class Point3(Point):
    __slots__ = ("z",)

    def __init__(self, x, y, z):
        super().__init__(x, y)
        self.z = z


class Loose(Point3):
    def __init__(self, *args):
        super().__init__(*args)
        self.extra = "in the dict"


class Private:
    __slots__ = ("__hidden", "__dict__")

    def __init__(self):
        self.__hidden = 1
        self.other = 2

    def reveal(self):
        return self.__hidden, self.other


for i in range(4):
    loose = Loose(1, 2, i)
    print(loose.x, loose.y, loose.z, loose.extra, loose.__dict__, get_x(loose), Private().reveal())
print(Point3.__slots__, Private()._Private__hidden)
loose.more = 5
loose.extra = "changed"
print(loose.__dict__)

for slots, bases in (("1a",), ()), (("a", "a"), ()), (("a",), (int,)), (3, ()), ((3,), ()):
    try:
        cls = type("T", bases, {"__slots__": slots})
        print(cls.__name__, cls.__slots__)
    except (TypeError, ValueError) as error:
        print(type(error).__name__, error)
try:
    class Conflict:
        __slots__ = ("a",)
        a = 1
except ValueError as error:
    print(error)
try:
    class Layout(Point, Private):
        pass
except TypeError as error:
    print(error)


class WithList(list):
    __slots__ = ("name",)


for i in range(3):
    named = WithList([1, 2])
    named.name = "list"
    print(named, named.name, len(named))


class Sub(list):
    def __init__(self, items, tag):
        super().__init__(items)
        self.tag = tag

    def tagged(self):
        return [self.tag, *self]


class SubDict(dict):
    def __init__(self):
        self.count = 0

    def __setitem__(self, key, value):
        self.count += 1
        super().__setitem__(key, value)


for i in range(4):
    s = Sub([i], "t")
    d = SubDict()
    d["a"] = i
    d["b"] = i
    print(s.tagged(), s.__dict__, d, d.count, vars(d))


class SubStr(str):
    def shout(self):
        self.times = getattr(self, "times", 0) + 1
        return self.upper() + "!" * self.times


class SubInt(int):
    def __new__(cls, value):
        made = super().__new__(cls, value)
        made.label = "n%d" % value
        return made


word = SubStr("word")
for i in range(3):
    print(word.shout(), SubInt(i).label, SubInt(i) + 1)
