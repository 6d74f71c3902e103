"""Calls that put something in front of the arguments: bound methods of all sorts, through all ways to call."""
from functools import partial
from types import MethodType


def show(*args, **kwargs):
    return args, kwargs


class Callable:
    def __init__(self, name):
        self.name = name

    def __repr__(self):
        return self.name

    def __call__(self, *args, **kwargs):
        return (self, *args), kwargs

    def method(self, *args, **kwargs):
        return ("method", self, *args), kwargs

    def fails(self, *args):
        raise ValueError(self, *args)

    @classmethod
    def of_class(cls, *args):
        return (cls.__name__, *args)

    @staticmethod
    def of_none(*args):
        return args


a, b, c = Callable("a"), Callable("b"), Callable("c")
nested = MethodType(MethodType(MethodType(show, 1), 2), 3)
over_object = MethodType(MethodType(a, b), c)
callables = [
    a, a.method, a.of_class, a.of_none, nested, over_object,
    MethodType(partial(show, "own"), a),
    MethodType(partial(show, "own", key="given"), a),
    partial(a.method), partial(a.method, "own"), partial(a.method, "own", "two"), partial(nested, 4),
    partial(partial(a, 1), 2), partial(over_object, key=1),
    MethodType(dict, [("x", 1)]), MethodType(max, 5), MethodType(Callable, "made"),
    MethodType(str.join, "-"), partial(str.join, "-"), [].__class__, "".join,
]
for callable in callables:
    for args in [(), ("x",), ("x", "y"), tuple("abcdefgh"), tuple("abcdefghi"), tuple(range(30))]:
        for way in (
            lambda: callable(*args),
            lambda: callable(*args, key="value"),
            lambda: list(map(callable, *([arg] for arg in args))),
            lambda: partial(callable, *args)(),
            lambda: callable(args[0], args[1]) if len(args) > 1 else callable(),
        ):
            try:
                print(way())
            except (TypeError, ValueError) as error:
                print(type(error).__name__, error)

# The words of the caller's stack stand where they stood, whatever became of the call.
for callable in (a.fails, MethodType(a.fails, 1), partial(a.fails, 1), MethodType(MethodType(a.fails, 1), 2)):
    for i in range(3):
        values = [i, "before", None]
        try:
            values = [i, "before", callable(i, i + 1), "after"]
        except ValueError as error:
            print(values, error)
        try:
            print("before", i, callable(*range(i)))
        except ValueError as error:
            print(values, error)
print(sorted("banana", key=MethodType(lambda self, item: (item, self), 1)))
print(list(filter(MethodType(lambda self, item: item > self, 3), range(6))))
print(max([1, 2, 3], key=MethodType(lambda self, item: -item, 0)))
