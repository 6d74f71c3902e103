# __new__ and __init__, used and misused; tracebacks go through the class call.


def attempt(function, *args, **kwargs):
    for _ in range(4):
        try:
            result = function(*args, **kwargs)
            result = getattr(result, "__dict__", result)
        except Exception as error:
            result = type(error).__name__ + ": " + str(error)
    print(result)


class One:
    def __init__(self, a):
        self.a = a


class Defaults:
    def __init__(self, a, b=2, *, c=3):
        self.abc = a, b, c


class Optional:
    def __init__(self, a=1, b=2):
        self.ab = a, b


class Star:
    def __init__(self, *args, **kwargs):
        self.all = args, kwargs


class Nothing:
    pass


class Returns:
    def __init__(self):
        return 5


class Generator:
    def __init__(self):
        yield 1


class NoSelf:
    def __init__():
        pass


class NewOnly:
    def __new__(cls, x):
        made = super().__new__(cls)
        made.x = x
        return made


class NewAndInit:
    def __new__(cls, *args):
        return super().__new__(cls)

    def __init__(self, x):
        self.x = x


class NewOther:
    def __new__(cls):
        return 42

    def __init__(self):
        print("never")


class PassesOn:
    def __new__(cls, x):
        return super().__new__(cls, x)


class InitPassesOn:
    def __init__(self, x):
        super().__init__(x)


attempt(lambda: One())
attempt(lambda: One(1))
attempt(lambda: One(1, 2))
attempt(lambda: One(a=1))
attempt(lambda: One(1, a=2))
attempt(lambda: One(b=2))
attempt(lambda: Defaults(1))
attempt(lambda: Defaults())
attempt(lambda: Defaults(1, 2, 3))
attempt(lambda: Defaults(1, c=5))
attempt(lambda: Optional())
attempt(lambda: Optional(5))
attempt(lambda: Optional(5, 6))
attempt(lambda: Optional(5, 6, 7))
attempt(lambda: Star(1, 2, a=3))
attempt(lambda: Nothing())
attempt(lambda: Nothing(1))
attempt(lambda: Nothing(a=1))
attempt(lambda: Returns())
attempt(lambda: Generator())
attempt(lambda: NoSelf())
attempt(lambda: NewOnly(3))
attempt(lambda: NewOnly())
attempt(lambda: NewAndInit(4))
attempt(lambda: NewAndInit())
attempt(lambda: NewOther())
attempt(lambda: PassesOn(1))
attempt(lambda: InitPassesOn(1))
attempt(lambda: object(1))
attempt(lambda: object.__new__(One, 1))
attempt(lambda: object.__new__(3))
attempt(lambda: object.__new__(int))
attempt(lambda: int.__new__(One))
attempt(lambda: One.__init__(One.__new__(One)))
attempt(lambda: One.__init__())


class Failing:
    def __init__(self, depth):
        if depth == 0:
            raise ValueError("at the bottom")
        self.inner = Failing(depth - 1)


def build(depth):
    return Failing(depth)


for _ in range(3):
    try:
        build(3)
    except ValueError as error:
        tb = error.__traceback__
        lines = []
        while tb:
            lines.append(tb.tb_lineno)
            tb = tb.tb_next
        print(lines)


class Noisy:
    def __init__(self, fail):
        self.name = "noisy"

    def __del__(self):
        print("del", self.name)


for i in range(4):
    Noisy(i % 2)


class Keeps:
    kept = []

    def __init__(self, fail):
        Keeps.kept.append(self)
        if fail:
            raise RuntimeError("kept")


for i in range(4):
    try:
        Keeps(True)
    except RuntimeError:
        pass
print(len(Keeps.kept), {type(k).__name__ for k in Keeps.kept})


class Endless:
    def __init__(self):
        Endless()


for _ in range(2):
    try:
        Endless()
    except RecursionError as error:
        print(type(error).__name__)


class Tree:
    def __init__(self, depth):
        self.left = Tree(depth - 1) if depth else None
        self.right = Tree(depth - 1) if depth else None

    def count(self):
        return 1 + (self.left.count() + self.right.count() if self.left else 0)


print(Tree(10).count())
with_lambda = type("L", (), {"__init__": lambda self, x: self.__setattr__("x", x)})
attempt(lambda: with_lambda(3))


class Handled:
    def __init__(self, x):
        try:
            self.x = 1 // x
        except ZeroDivisionError as error:
            self.x = str(error)
        finally:
            self.done = True


for i in 0, 1, 0, 1:
    h = Handled(i)
    print(h.x, h.done)
Nothing(1)
