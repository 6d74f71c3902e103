# Attribute hooks, descriptors, metaclasses, __init_subclass__, __set_name__.


class Recorder:
    def __getattr__(self, name):
        if name.startswith("no"):
            raise AttributeError("refused " + name)
        return "computed " + name

    def __setattr__(self, name, value):
        print("set", name, value)
        super().__setattr__(name, value)

    def __delattr__(self, name):
        print("del", name)
        super().__delattr__(name)


r = Recorder()
for i in range(4):
    print(r.anything)
    r.real = i
    print(r.real)
    del r.real
    print(r.real, hasattr(r, "nope"), getattr(r, "nope", "default"))
try:
    del r.missing
except AttributeError as error:
    print(error)


class Wrapped:
    def __init__(self):
        self.plain = 1

    def __getattribute__(self, name):
        if name == "secret":
            raise AttributeError("no secrets")
        return object.__getattribute__(self, name)

    def __getattr__(self, name):
        return "after " + name


class Everything:
    def __getattribute__(self, name):
        return name.upper()


def get(o):
    return o.plain, o.secret


for i in range(4):
    print(get(Wrapped()), get(Everything()))
Everything.__getattribute__ = lambda self, name: name + "!"
print(get(Everything()))
del Everything.__getattribute__
Everything.plain = Everything.secret = 0
print(get(Everything()))
Everything.__getattr__ = lambda self, name: "getattr " + name
print(get(Everything()), Everything().other)


# ---- descriptors


class Data:
    def __set_name__(self, owner, name):
        print("named", owner.__name__, name)
        self.name = "_" + name

    def __get__(self, instance, owner=None):
        if instance is None:
            return self
        return ("data", instance.__dict__.get(self.name))

    def __set__(self, instance, value):
        instance.__dict__[self.name] = value

    def __delete__(self, instance):
        del instance.__dict__[self.name]


class NonData:
    def __get__(self, instance, owner=None):
        return ("non-data", instance is None, owner.__name__)


class Owner:
    data = Data()
    non_data = NonData()


def access(o):
    return o.data, o.non_data


o = Owner()
for i in range(4):
    o.data = i
    print(access(o))
o.__dict__["data"] = "hidden"
o.__dict__["non_data"] = "shown"
print(access(o), Owner.non_data)
del o.data
print(access(o))
NonData.__set__ = lambda self, instance, value: print("now a data descriptor", value)
print(access(o))
o.non_data = 5
del NonData.__set__
print(access(o))
del Data.__get__
print(type(access(o)[0]).__name__)


class Late:
    pass


class UsesLate:
    attribute = Late()


def late(o):
    return o.attribute


for _ in range(4):
    late(UsesLate())
Late.__get__ = lambda self, instance, owner: "became a descriptor"
print(late(UsesLate()))

try:
    class BadName:
        class Failing:
            def __set_name__(self, owner, name):
                raise ValueError("bad name")

        attribute = Failing()
except ValueError as error:
    print(error, error.__notes__)


class Cached:
    def __init__(self, function):
        self.function = function
        self.name = function.__name__

    def __get__(self, instance, owner):
        if instance is None:
            return self
        value = instance.__dict__[self.name] = self.function(instance)
        return value


class Circle:
    def __init__(self, r):
        self.r = r

    @Cached
    def area(self):
        print("computing")
        return self.r ** 2 * 3


for r in 1, 2, 3:
    c = Circle(r)
    print(c.area, c.area, c.area)


# ---- metaclasses


class Meta(type):
    registry = []

    @classmethod
    def __prepare__(mcls, name, bases, **kwargs):
        print("prepare", name, [b.__name__ for b in bases], kwargs)
        return {"prepared": True}

    def __new__(mcls, name, bases, namespace, **kwargs):
        cls = super().__new__(mcls, name, bases, namespace)
        mcls.registry.append(name)
        return cls

    def __init__(cls, name, bases, namespace, **kwargs):
        super().__init__(name, bases, namespace)
        cls.options = kwargs

    def __call__(cls, *args, **kwargs):
        made = super().__call__(*args, **kwargs)
        made.counted = cls.count = getattr(cls, "count", 0) + 1
        return made

    def __instancecheck__(cls, instance):
        return getattr(instance, "duck", False) or super().__instancecheck__(instance)

    def __subclasscheck__(cls, other):
        return other is int or super().__subclasscheck__(other)

    def __getitem__(cls, item):
        return cls.__name__, item

    def __contains__(cls, item):
        return item == cls.__name__

    def __len__(cls):
        return 7

    def __iter__(cls):
        return iter((1, 2))

    def __getattr__(cls, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return "meta getattr " + name

    @property
    def described(cls):
        return "class " + cls.__name__


class Base(metaclass=Meta, option=1):
    def __init__(self, x=0):
        self.x = x


class Derived(Base, another=2):
    pass


for i in range(4):
    d = Derived(i)
    print(d.x, d.counted, Derived.described, Base[3], "Base" in Base, len(Base), list(Derived), Derived.unknown)
print(Meta.registry, Base.options, Derived.options, Derived.prepared)


class Duck:
    duck = True


print(isinstance(Duck(), Base), isinstance(3, Base), isinstance(d, Base), issubclass(int, Base), issubclass(str, Base))
for _ in range(4):
    print([isinstance(x, (int, Base)) for x in (Duck(), 3, d, "s")], issubclass(Derived, (str, Base)))
for wrong in (3, (int, 3), "int"):
    try:
        isinstance("s", wrong)
    except TypeError as error:
        print(error)
    try:
        issubclass(str, wrong)
    except TypeError as error:
        print(error)
try:
    issubclass(3, int)
except TypeError as error:
    print(error)


class OtherMeta(type):
    pass


try:
    class Clash(Base, metaclass=OtherMeta):
        pass
except TypeError as error:
    print(error)
try:
    type("T", (int, str), {})
except TypeError as error:
    print(error)
try:
    type("T", (bool,), {})
except TypeError as error:
    print(error)
try:
    class A1: pass
    class B1(A1): pass
    class C1(A1, B1): pass
except TypeError as error:
    print(error)


def factory(name, bases, namespace):
    return name, bases, sorted(k for k in namespace if not k.startswith("__"))


class NotAClass(metaclass=factory):
    x = 1

    def f(self):
        pass


print(NotAClass)


# ---- __init_subclass__


class Plugin:
    plugins = {}

    def __init_subclass__(cls, /, name=None, **kwargs):
        super().__init_subclass__(**kwargs)
        Plugin.plugins[name or cls.__name__] = cls.__mro__[1].__name__


class First(Plugin):
    pass


class Second(First, name="renamed"):
    pass


print(Plugin.plugins)
try:
    class Third(Plugin, unknown=1):
        pass
except TypeError as error:
    print(error)
try:
    class Fourth(other=1):
        pass
except TypeError as error:
    print(error)


class Entries:
    def __mro_entries__(self, bases):
        return (Plugin,)


class Fifth(Entries()):
    pass


print(Fifth.__mro__[1].__name__, type(Fifth.__orig_bases__[0]).__name__)


class Generic:
    def __class_getitem__(cls, item):
        return cls.__name__ + "[" + repr(item) + "]"


print(Generic[3], [Generic[i] for i in range(3)])
print([b.__name__ for b in Second.__bases__], Second.__qualname__, Second.__name__)
Second.__name__ = "Changed"
print(Second, Second.__qualname__)
