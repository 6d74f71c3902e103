import copy
def t(f, *a, **k):
    try: print(f(*a, **k))
    except Exception as e: print(type(e).__name__, e)
class A:
    def __init__(self, x): self.x = x
    def __repr__(self): return 'A(%r)' % (self.x,)
    def __eq__(self, o): return self.x == o.x
class S:
    __slots__ = ('a', 'b')
class L(list): pass
class D(dict): pass
class C:
    def __copy__(self): return 'copied'
    def __deepcopy__(self, memo): return 'deep'
a = A([1, [2]]); b = copy.copy(a); c = copy.deepcopy(a); print(b.x is a.x, c.x is a.x, c)
l = [1, [2, 3], {'a': (4, [5])}]; m = copy.deepcopy(l); print(m, m[1] is l[1], m[2]['a'][1] is l[2]['a'][1]); r = [1]; r.append(r); q = copy.deepcopy(r); print(q[1] is q, q is r)
s = S(); s.a = [1]; z = copy.copy(s); print(z.a is s.a, hasattr(z, 'b'), copy.deepcopy(s).a is s.a)
x = L([1, [2]]); x.n = 5; y = copy.deepcopy(x); print(y, y.n, type(y), y[1] is x[1], copy.copy(x).n); x = D(a=[1]); x.n = 1; y = copy.deepcopy(x); print(y, y.n, type(y), y['a'] is x['a'])
print(copy.copy(C()), copy.deepcopy(C()), copy.copy(5), copy.copy((1, [])), copy.deepcopy({1, 2}), copy.copy({1}), copy.deepcopy(frozenset([1])), copy.copy(len) is len, copy.copy(A) is A, copy.deepcopy(lambda: 1) is not None)
from collections import *
print(copy.copy(deque([1, [2]], 5)), copy.deepcopy(deque([[1]])), copy.deepcopy(defaultdict(list, a=[1])), copy.copy(OrderedDict(a=1)), copy.deepcopy(OrderedDict(a=[1])), copy.copy(Counter('aab')), copy.deepcopy(Counter('aab')))
P = namedtuple('P', 'x y'); print(copy.copy(P(1, [2])), copy.deepcopy(P(1, [2])), copy.replace(P(1, 2), x=5)); t(copy.replace, 5, x=1)
e = copy.copy(ValueError('a', 1)); print(repr(e)); e = KeyError('k'); e.z = 1; print(copy.deepcopy(e).z)
class T(tuple): pass
print(copy.deepcopy(T([1, [2]])), type(copy.copy(T([1])))); class_ = type('G', (), {'__getstate__': lambda s: {'q': 1}, '__setstate__': lambda s, st: s.__dict__.update(st)}); print(copy.copy(class_()).q)
t(copy.copy, iter([])) if False else None
class I(int): pass
i = I(5); i.w = 1; print(copy.copy(i), copy.copy(i).w, type(copy.deepcopy(i)))
def gen(): yield
t(copy.copy, gen()); print(copy.deepcopy([A(1), A(1)])); o = A(1); w = copy.deepcopy([o, o]); print(w[0] is w[1])
