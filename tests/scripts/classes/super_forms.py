# super() with and without arguments, wherever it may stand, and what it says when it cannot work.


class Base:
    value = "base value"

    def __init__(self, *args):
        self.trace = ["Base", *args]

    def method(self, *args):
        return ("Base.method", *args)

    @classmethod
    def make(cls):
        return ("Base.make", cls.__name__)

    @staticmethod
    def static():
        return "Base.static"

    @property
    def prop(self):
        return "Base.prop of " + type(self).__name__


class Left(Base):
    def __init__(self, *args):
        super().__init__("Left", *args)

    def method(self, *args):
        return ("Left.method", super().method(*args))

    @classmethod
    def make(cls):
        return ("Left.make", super().make())


class Right(Base):
    def __init__(self, *args):
        super().__init__("Right", *args)

    def method(self, *args):
        return ("Right.method", super(Right, self).method(*args))

    @classmethod
    def make(cls):
        return ("Right.make", super(Right, cls).make())


class Both(Left, Right):
    value = "both"

    def __init__(self, *args):
        super().__init__("Both", *args)

    def method(self, *args, **kwargs):
        return ("Both.method", super().method(*args))

    def others(self):
        return super().value, super().prop, super().static(), super(Left, self).value

    def keywords(self):
        return super().method(*(1, 2))

    def nested(self):
        class Inner(Base):
            def method(inner):
                return ("Inner.method", super().method(), super(Both, self).method())

        return Inner().method()

    def comprehension(self):
        return [super(Both, self).method(i) for i in range(2)]

    def closure(self):
        return (lambda: super().method("closed over"))()

    def stored(self):
        proxy = super()
        return proxy.method("through a proxy"), proxy.__thisclass__.__name__, proxy.__self__ is self


for _ in range(4):
    both = Both("x")
    print(both.trace)
    print(both.method(1))
    print(Both.make())
print(both.others())
print(both.keywords())
print(both.nested())
print(both.comprehension())
print(both.closure())
print(both.stored())
print(super(Left, both).method("outside"))
print(super(Left, Both).make())
print(super(Right, Both).static())

unbound = super(Both)
print(unbound.__get__(both, Both).method("got"))
print(type(super(Both, both)).__name__, super(Both, both).__class__)


def failing(function, *args):
    for _ in range(3):
        try:
            result = function(*args)
        except Exception as error:
            result = type(error).__name__ + ": " + str(error)
    print(result)


class Errors(Base):
    def no_arguments():
        return super().method()

    def deleted(self):
        del self
        try:
            return super().method()
        except UnboundLocalError as error:
            return str(error)

    def missing(self):
        return super().nothing

    def wrong_instance(self, other):
        return super(Errors, other).method()

    def wrong_class(self):
        return super(3, self).method()

    def too_many(self):
        return super(Errors, self, 1)


failing(Errors.no_arguments)
failing(Errors().deleted)
failing(Errors().missing)
failing(Errors().wrong_instance, 3)
failing(Errors().wrong_class)
failing(Errors().too_many)
failing(lambda: super().method)
failing(lambda self: super().method, 1)
failing(Errors.missing, 7)


# A name `super` of the program's own.
def shadowed():
    def super(*args):
        return Shadow

    class Shadow:
        attribute = "from the shadow"

    class User:
        def get(self):
            return super().attribute

        def get_two(self):
            return super(User, self).attribute

    return [User().get() for _ in range(3)], [User().get_two() for _ in range(3)]


print(shadowed())


# The site sees classes whose MROs differ.
class A:
    def who(self):
        return "A"


class B(A):
    def who(self):
        return "B" + super().who()


class C(A):
    def who(self):
        return "C" + super().who()


class D(B, C):
    def who(self):
        return "D" + super().who()


for cls in (A, B, C, D) * 3:
    print(cls().who(), end=" ")
print()
A.who = lambda self: "changed"
print(D().who())
del C.who
print(D().who())


# The instance's class lies to isinstance.
class Liar:
    @property
    def __class__(self):
        return Errors


print(super(Base, Liar()).__init__ is not None)


class Meta(type):
    def __call__(cls, *args):
        made = super().__call__(*args)
        made.by = cls.__name__
        return made

    def __new__(mcls, name, bases, namespace, **kw):
        return super().__new__(mcls, name, bases, dict(namespace, kw=kw))

    def __init__(cls, name, bases, namespace, **kw):
        super().__init__(name, bases, namespace)


class Made(metaclass=Meta, flag=1):
    def __init__(self, x):
        self.x = x


for i in range(3):
    made = Made(i)
    print(made.by, made.x, Made.kw)
