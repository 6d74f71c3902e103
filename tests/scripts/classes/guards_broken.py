# Every guard of a specialised attribute or call, broken on purpose: the site must see what has changed.


def warm(function, *args):
    for _ in range(5):
        result = function(*args)
    return result


class A:
    shared = "class value"

    def __init__(self):
        self.x = 1

    def method(self):
        return "method"


def get_x(o):
    return o.x


def get_shared(o):
    return o.shared


def call_method(o):
    return o.method()


def set_x(o, value):
    o.x = value


# The type.
class Other:
    x = "other x"
    shared = "other shared"

    def method(self):
        return "other method"


a = A()
print(warm(get_x, a), get_x(Other()))
print(warm(get_shared, a), get_shared(Other()))
print(warm(call_method, a), call_method(Other()))
warm(set_x, a, 5)
other = Other()
set_x(other, 6)
print(a.x, other.x, Other.x)

# The class's attributes.
A.shared = "new class value"
print(get_shared(a))
A.method = lambda self: "new method"
print(call_method(a))
A.x = property(lambda self: "property wins", lambda self, value: print("setter", value))
print(get_x(a))
set_x(a, 7)
del A.x
print(get_x(a))
set_x(a, 8)
print(get_x(a))

# The instance hides what the class has.
warm(get_shared, a)
a.shared = "instance value"
print(get_shared(a))
warm(call_method, a)
a.method = lambda: "instance method"
print(call_method(a))
del a.shared, a.method
print(get_shared(a), call_method(a))
del a.x
try:
    get_x(a)
except AttributeError as error:
    print(error)
set_x(a, 9)
print(get_x(a))


# A base changes, and the bases.
class Base1:
    def who(self):
        return "base 1"


class Base2:
    def who(self):
        return "base 2"


class Derived(Base1):
    pass


def who(o):
    return o.who()


d = Derived()
print(warm(who, d))
Base1.who = lambda self: "base 1 changed"
print(who(d))
Derived.__bases__ = (Base2,)
print(who(d))
Derived.who = lambda self: "derived"
print(who(d))
del Derived.who
print(who(d))
del Base2.who
try:
    who(d)
except AttributeError as error:
    print(error)

# The instance's dict.
b = A()
print(warm(get_x, b))
namespace = b.__dict__
print(get_x(b))
namespace["x"] = "through the dict"
print(get_x(b))
set_x(b, "through the site")
print(namespace, get_x(b))
b.__dict__ = {"x": "another dict"}
print(get_x(b), namespace)
warm(get_x, b)
set_x(b, "into the other")
warm(set_x, b, "warm")
print(b.__dict__, get_x(b))
del b.__dict__["x"]
try:
    get_x(b)
except AttributeError as error:
    print(error)
b.__dict__ = {i: i for i in range(3)} | {"x": "after ints"}
print(get_x(b), warm(get_x, b))
b.__dict__.clear()
b.x = "again"
print(get_x(b))
print(sorted(map(str, b.__dict__)))
del b.__dict__
print(b.__dict__)
b.x = 1
print(get_x(b), b.__dict__)

# Many attributes: the instance outgrows its inline values.
many = A()
for i in range(40):
    setattr(many, "attribute%d" % i, i)
print(get_x(many), many.attribute39, len(many.__dict__))
fresh = A()
print(get_x(fresh), fresh.__dict__)


# __class__ is assigned.
class Twin:
    shared = "twin"

    def method(self):
        return "twin method"


c = A()
warm(get_x, c)
warm(call_method, c)
c.__class__ = Twin
print(get_x(c), get_shared(c), call_method(c), type(c).__name__)
c.__class__ = A
print(get_x(c), get_shared(c), call_method(c))
for wrong in (3, int):
    try:
        c.__class__ = wrong
    except TypeError as error:
        print(error)


# Class attributes, with and without a metaclass.
class Meta(type):
    def by_meta(cls):
        return "meta"


class WithMeta(metaclass=Meta):
    value = 1


def get_value(cls):
    return cls.value


def get_by_meta(cls):
    return cls.by_meta()


print(warm(get_value, WithMeta), warm(get_by_meta, WithMeta))
WithMeta.value = 2
print(get_value(WithMeta))
Meta.value = property(lambda cls: "metaclass property")
print(get_value(WithMeta))
del Meta.value
print(get_value(WithMeta))


class Plain:
    value = "plain"


print(get_value(Plain), warm(get_value, Plain))
Plain.value = "changed"
print(get_value(Plain))
print(get_value(Plain()))

# Modules.
import math
import sys


def get_pi(module):
    return module.pi


print(warm(get_pi, math))
math.pi = 3
print(get_pi(math))
math.extra = 1
print(get_pi(math))
del math.pi
try:
    get_pi(math)
except AttributeError as error:
    print(error)
math.pi = 4
print(get_pi(math))
fake = type(sys)("fake")
fake.pi = "fake"
print(warm(get_pi, fake), get_pi(math))
fake.__dict__[1] = 2
print(get_pi(fake))
del fake.pi
fake.__getattr__ = lambda name: "computed " + name
print(get_pi(fake))


# Functions under a call site.
def callee(a, b=2):
    return (a, b)


def call1():
    return callee(1)


def call2():
    return callee(1, 3)


def call_kw():
    return callee(b=4, a=1)


print(warm(call1), warm(call2), warm(call_kw))
callee.__defaults__ = (5,)
print(call1(), call2(), call_kw())
callee.__code__ = (lambda a, b: [a, b]).__code__
print(call1(), call2(), call_kw())
callee.__defaults__ = None
try:
    call1()
except TypeError as error:
    print(error)
callee = len
try:
    call1()
except TypeError as error:
    print(error)
callee = lambda *args, **kwargs: (args, kwargs)
print(call1(), call2(), call_kw())
callee = dict
try:
    print(call_kw())
    call1()
except TypeError as error:
    print(error)


class Callable:
    def __call__(self, *args, **kwargs):
        return ("called", args, kwargs)


callee = Callable()
print(warm(call1), warm(call2), warm(call_kw))


# Bound methods.
class Counter:
    def __init__(self):
        self.n = 0

    def add(self, by=1):
        self.n += by
        return self.n


def twice(f):
    f()
    return f(2)


counter = Counter()
print(warm(twice, counter.add))
print(twice(lambda by=0: by))
print(twice(Counter().add))
print(twice([1, 2, 3].pop) if False else "no pop")
methods = [Counter().add for _ in range(3)]
print([m(5) for m in methods], [m() for m in methods])


# Making instances.
class Made:
    def __init__(self, value):
        self.value = value


def make(cls, value):
    return cls(value)


print(warm(make, Made, 1).value)


def new_init(self, value, extra="extra"):
    self.value = (value, extra)


Made.__init__ = new_init
print(make(Made, 2).value)
Made.__init__.__defaults__ = ("other extra",)
print(make(Made, 3).value)
Made.__init__.__code__ = (lambda self, value, extra: setattr(self, "value", "code")).__code__
print(make(Made, 4).value)
Made.__new__ = lambda cls, value: "not an instance"
print(make(Made, 5))
del Made.__new__
# Subscripts of classes.
class Seq:
    def __getitem__(self, index):
        return index * 2


def item(o, index):
    return o[index]


print(warm(item, Seq(), 3))
Seq.__getitem__ = lambda self, index: index * 3
print(item(Seq(), 3))
Seq.__getitem__.__code__ = (lambda self, index: "code").__code__
print(item(Seq(), 3))
Seq.__getitem__ = lambda self, index, more=4: (index, more)
print(item(Seq(), 3), item([1, 2, 3, 4], 3), item({3: "dict"}, 3), item("abcd", 3))
del Seq.__getitem__
try:
    item(Seq(), 3)
except TypeError as error:
    print(error)

# Globals that do not fit an inline cache.
number = 1.5


def read():
    return number


print(warm(read))
for value in 2.5, 10**40, -3, "text", float("inf"), -(10**20), None, -0.0:
    number = value
    print(read(), read())
unrelated = 1
print(read())
del number
try:
    read()
except NameError as error:
    print(error)
number = "again"
print(read())
for i in range(100):
    globals()["filler%d" % i] = i
number = 7.75
print(read(), warm(read))
