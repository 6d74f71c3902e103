"""inspect: kinds, states, frames, signatures."""
import functools
import inspect
import sys


def function(a, b: int, /, c=1, *args, d, e: "text" = 2, **kw) -> str:
    """Does
    nothing.

        Indented.
    """


def generator(n):
    x = n
    yield x


async def coroutine(): pass
async def agen(): yield


class C:
    """A class."""
    def __init__(self, a, b=2): self.a = a
    def method(self, x, *, y): pass
    @classmethod
    def cm(cls, z): pass
    @staticmethod
    def sm(w=[1]): pass
    @property
    def p(self): return 1
    def __call__(self, q): pass


class D(C):
    def method(self, x, *, y): pass


class N:
    def __new__(cls, one, two): return super().__new__(cls)


class Plain: pass


print(inspect.currentframe() is sys._getframe(), inspect.currentframe().f_lineno)
objects = {"function": function, "C": C, "method": C(1).method, "unbound": C.method, "len": len, "append": [].append,
           "join": str.join, "sys": sys, "generator": generator(1), "genfunc": generator, "coroutine function": coroutine,
           "agen function": agen, "agen": agen(), "frame": sys._getframe(), "code": function.__code__,
           "property": C.__dict__["p"], "partial": functools.partial(generator, 1), "int": 1}
predicates = [name for name in dir(inspect) if name.startswith("is") and name not in ("ispackage", "iskeyword")]
for name, value in objects.items():
    print(name, [p for p in predicates if getattr(inspect, p)(value)])
g = generator(5)
print(inspect.getgeneratorstate(g), inspect.getgeneratorlocals(g))
next(g)
print(inspect.getgeneratorstate(g), inspect.getgeneratorlocals(g))
g.close()
print(inspect.getgeneratorstate(g), inspect.getgeneratorlocals(g))
c = coroutine()
print(inspect.getcoroutinestate(c), inspect.iscoroutine(c), inspect.isawaitable(c))
c.close()
print(inspect.getcoroutinestate(c))
for f in [function, C, C(1).method, C.method, C.cm, C.sm, C(1), N, Plain, D(1).method, lambda x, *y: x, functools.partial(function, 1, c=3), coroutine]:
    s = inspect.signature(f)
    print(s, repr(s), list(s.parameters))
s = inspect.signature(function)
for p in s.parameters.values():
    print(repr(p), p.name, p.kind, p.kind.description, p.default is inspect.Parameter.empty, p.annotation, p)
print(s.return_annotation, s == inspect.signature(function), s != inspect.signature(C))
for args, kwargs in [((1, 2), {"d": 3}), ((1, 2, 3, 4, 5), {"d": 1, "z": 2}), ((1,), {}), ((1, 2), {}), ((1, 2), {"d": 1, "a": 2}), ((), {"d": 1})]:
    try:
        bound = s.bind(*args, **kwargs)
        print(bound, bound.args, bound.kwargs, bound.arguments)
        bound.apply_defaults()
        print(bound.arguments)
    except TypeError as error:
        print("TypeError", error)
simple = inspect.signature(C)
for args, kwargs in [((1, 2, 3), {}), ((1,), {"a": 1}), ((1,), {"q": 1}), ((), {})]:
    try:
        print(simple.bind(*args, **kwargs))
    except TypeError as error:
        print("TypeError", error)
print(simple.bind_partial(), simple.replace(parameters=[]))
for wrong in [lambda: inspect.signature(3), lambda: inspect.Parameter("1", inspect.Parameter.KEYWORD_ONLY),
              lambda: inspect.Signature([inspect.Parameter("a", inspect.Parameter.KEYWORD_ONLY), inspect.Parameter("b", inspect.Parameter.POSITIONAL_ONLY)])]:
    try:
        wrong()
    except (TypeError, ValueError) as error:
        print(type(error).__name__, error)
print(inspect.getfullargspec(function))
print(inspect.getfullargspec(C(1).method))
print(repr(inspect.getdoc(function)), inspect.getdoc(C), inspect.getdoc(D))
print(inspect.cleandoc("  a\n    b\n      c\n"))
print([name for name, _ in inspect.getmembers(C(1)) if not name.startswith("__")], [n for n, _ in inspect.getmembers(C, inspect.isfunction)])
print(inspect.getmro(D), inspect.getmodule(C).__name__, inspect.unwrap(function) is function)


def decorate(f):
    @functools.wraps(f)
    def wrapper(*args, **kwargs): return f(*args, **kwargs)
    return wrapper


wrapped = decorate(function)
print(inspect.signature(wrapped), inspect.unwrap(wrapped) is function, inspect.signature(wrapped, follow_wrapped=False))


def where():
    info = inspect.getframeinfo(inspect.currentframe())
    print(info.function, info.lineno, info.code_context, info.index, info.filename)
    stack = inspect.stack()
    print(stack[0].function, stack[0].lineno, stack[1].function, stack[0].frame is inspect.currentframe())


where()
print(sorted(inspect.getcallargs(function, 1, 2, d=3).items()))
print(type(inspect.getattr_static(C, "p")), inspect.getattr_static(C(1), "a"), inspect.getattr_static(C, "none", 3))
print(inspect.getfile(function), inspect.getmodulename("a/b.py"))
print(inspect.getargvalues(sys._getframe())[0], inspect.getargs(function.__code__))
