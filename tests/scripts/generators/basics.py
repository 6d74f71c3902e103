# Generators: order of execution, values sent, thrown, returned; delegation; states.
def count(n):
    i = 0
    while i < n:
        yield i
        i += 1
    return "done"

print(list(count(4)), sum(count(100)), [x for x in count(3)], tuple(count(2)))
g = count(2)
print(next(g), next(g))
try:
    next(g)
except StopIteration as e:
    print("stop", e.value, e.args)
try:
    next(g)
except StopIteration as e:
    print("stop again", e.value, e.args)

def echo():
    got = yield "first"
    while True:
        print("got", got)
        got = yield got
g = echo()
print(next(g), g.send(1), g.send("two"))
g.close()
print(list(g))

def catcher():
    while True:
        try:
            yield 1
        except ValueError as e:
            print("caught", e)
            yield "handled"
        finally:
            print("finally")
g = catcher()
print(next(g))
print(g.throw(ValueError("x")))
print(next(g))
try:
    g.throw(KeyError("k"))
except KeyError as e:
    print("out", repr(e))
print(next(g, "exhausted"))

def inner():
    try:
        x = yield "inner 1"
        print("inner got", x)
        y = yield "inner 2"
        print("inner got", y)
    except GeneratorExit:
        print("inner closed")
        raise
    except Exception as e:
        print("inner caught", repr(e))
        yield "inner after"
    return "inner result"
def outer():
    r = yield from inner()
    print("outer got", r)
    yield from [10, 20]
    return r
g = outer()
print(next(g), g.send("A"), g.gi_yieldfrom is not None, g.gi_suspended, g.gi_running)
print(g.throw(ValueError("thrown")))
print(next(g), next(g))
try:
    next(g)
except StopIteration as e:
    print(e.value)
g = outer()
next(g)
g.close()
print(g.gi_suspended, g.gi_yieldfrom)

class Delegate:
    def __init__(self):
        self.n = 0
    def __iter__(self):
        return self
    def __next__(self):
        self.n += 1
        if self.n > 3:
            raise StopIteration("delegate value")
        return self.n
    def send(self, v):
        print("send", v)
        return v
    def throw(self, *a):
        print("throw", [getattr(x, "__name__", x) for x in a])
        return "from throw"
    def close(self):
        print("delegate close")
def d():
    print((yield from Delegate()))
g = d()
print(next(g), g.send(5), g.throw(KeyError), next(g))
g.close()
print(list(d()))

# exceptions being handled belong to the generator
import sys
def h():
    try:
        raise KeyError("in generator")
    except KeyError:
        yield sys.exception()
        yield sys.exception()
        try:
            raise ValueError
        except ValueError as e:
            yield repr(e.__context__)
    yield sys.exception()
g = h()
try:
    raise IndexError("outside")
except IndexError:
    print(repr(next(g)), repr(sys.exception()))
print(repr(next(g)), sys.exception())
print(next(g))
print(next(g), sys.exception())
def sees():
    yield repr(sys.exception())
    try:
        raise ValueError
    except ValueError as e:
        yield repr(e.__context__)
    yield repr(sys.exception())
g = sees()
try:
    raise IndexError("outer")
except IndexError:
    print(next(g), next(g), next(g))

def reenter():
    try:
        next(me)
    except ValueError as e:
        yield str(e)
me = reenter()
print(next(me))

def pep479():
    yield 1
    next(iter([]))
    yield 2
g = pep479()
print(next(g))
try:
    next(g)
except RuntimeError as e:
    print(e, repr(e.__cause__), repr(e.__context__), e.__suppress_context__)

def args(a, b=2, *c, d=4, **e):
    yield a, b, c, d, e
print(next(args(1)), next(args(1, 2, 3, 4, d=5, f=6)))
class C:
    def m(self):
        yield self.__class__.__name__
    def __iter__(self):
        yield from "abc"
print(list(C().m()), list(C()), "".join(C()))
gx = (x * y for x in range(3) for y in range(3) if x != y)
print(list(gx), gx.__name__, gx.__qualname__)
g = C().m()
print(g.__name__, g.__qualname__, g.gi_code.co_name, g.gi_running, type(g).__name__)
g.__name__ = "other"; g.__qualname__ = "Q.other"
print(g.__name__, repr(g)[:26])
try:
    g.__name__ = 3
except TypeError as e:
    print(e)
def closure():
    total = 0
    def add(n):
        nonlocal total
        for i in range(n):
            total += i
            yield total
    return add
print(list(closure()(5)))
def expr():
    x = [1, (yield 2), (yield 3)]
    print(x, [(yield 4)] + x)
    return x
g = expr()
print(next(g), g.send("a"), g.send("b"))
try:
    g.send("c")
except StopIteration as e:
    print(e.value)
def fib():
    a, b = 0, 1
    while True:
        yield a
        a, b = b, a + b
f = fib()
print([next(f) for _ in range(15)])
def tree(n):
    if n:
        yield from tree(n - 1)
        yield n
        yield from tree(n - 1)
print(list(tree(4)))
def nested_for(n):
    if n == 0:
        yield 0
    else:
        for x in nested_for(n - 1):
            yield x + 1
print(list(nested_for(50)))
a, *b = count(5)
print(a, b, max(count(9)), dict(zip(count(3), "abc")), 3 in count(5), 7 in count(5))
del g
def cleanup():
    try:
        yield 1
    finally:
        print("cleaned up")
x = cleanup(); next(x); del x
x = cleanup(); del x
def loop():
    me = yield
    try:
        yield me
    finally:
        print("cycle cleaned")



