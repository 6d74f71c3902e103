import functools
from functools import *
def t(f, *a, **k):
    try: print(f(*a, **k))
    except Exception as e: print(type(e).__name__, e)
def f(*a, **k): return a, k
p = partial(f, 1, x=2); print(p(3, y=4), p(x=5), p.args, p.keywords, p.func is f)
q = partial(p, 9); print(q.args, q.func is f, q())
t(partial); t(partial, 1); t(partial, f, Placeholder); t(partial(f, Placeholder, 2), 1); t(partial(f, Placeholder, 2)); print(partial(f, Placeholder, 2)(5, 6)); t(partial, f, x=Placeholder); print(Placeholder)
print(repr(partial(len, 1, a=3)))
p.attr = 5; print(p.attr, p.__dict__)
print(reduce(lambda a, b: a*b, [1,2,3,4]), reduce(lambda a,b: a+b, [], 5)); t(reduce, f, []); t(reduce, f, 1); t(reduce, f)
print(sorted([3,1,2], key=cmp_to_key(lambda a, b: b-a))); t(cmp_to_key); k = cmp_to_key(lambda a,b: a-b); print(k(1) < k(2), k(1) == k(1), k(1).obj); t(lambda: k(1) < 5); t(hash, k(1))
@lru_cache(maxsize=3)
def g(x, y=0):
    "doc"
    print('call', x, y); return x + y
print(g(1), g(1), g(2), g(3), g(1), g(4), g(2), g.cache_info(), g.__name__, g.__doc__, g.cache_parameters())
g.cache_clear(); print(g.cache_info())
print(g(1, y=2), g(1, y=2), g(1, 2), g.cache_info())
@lru_cache
def h(x): return x
h(1); h(1.0); h(True); print(h.cache_info())
@lru_cache(typed=True)
def h(x): return x
h(1); h(1.0); h(True); print(h.cache_info())
@cache
def fib(n): return n if n < 2 else fib(n-1) + fib(n-2)
print(fib(90), fib.cache_info())
@lru_cache(0)
def z(x): return x
z(1); z(1); print(z.cache_info())
t(h, []); t(lru_cache, 'a')
class A:
    def __init__(self): self.n = 0
    @lru_cache
    def m(self, x): return x
    @cached_property
    def cp(self): self.n += 1; return self.n
a = A(); print(a.m(1), a.m(1), A.m.cache_info(), a.cp, a.cp, a.__dict__)
@total_ordering
class T:
    def __init__(self, v): self.v = v
    def __eq__(self, o): return self.v == o.v
    def __lt__(self, o): return self.v < o.v
print(T(1) <= T(2), T(1) > T(2), T(1) >= T(1))
try:
    @total_ordering
    class U: pass
except ValueError as e: print(e)
@singledispatch
def sd(x): return 'base'
@sd.register
def _(x: int): return 'int'
@sd.register(list)
def _(x): return 'list'
@sd.register
def _(x: float | str): return 'fs'
print(sd(1), sd([]), sd(1.5), sd('a'), sd(None), sd(True), sd.dispatch(bool) is sd.registry[int]); t(sd)
def deco(fn):
    @wraps(fn)
    def w(*a): return fn(*a)
    return w
@deco
def named(): "d"
print(named.__name__, named.__doc__, named.__wrapped__.__name__)
class PM:
    def set(self, a, b=0): return (a, b)
    one = partialmethod(set, 1)
    two = partialmethod(set, 1, b=2)
print(PM().one(), PM().two(), PM().one(b=5))
class M:
    @singledispatchmethod
    def f(self, x): return 'b'
    @f.register
    def _(self, x: int): return 'i'
print(M().f(1), M().f('a'))
class B:
    pm = partial(f, 'x')
