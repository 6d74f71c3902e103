from abc import *
import collections.abc as ca
from collections import ChainMap, UserDict, UserList, UserString
def t(f, *a, **k):
    try: print(f(*a, **k))
    except Exception as e: print(type(e).__name__, e)
class A(ABC):
    @abstractmethod
    def f(self): pass
    @property
    @abstractmethod
    def g(self): pass
t(A)
class B(A):
    def f(self): return 1
t(B)
class C(B):
    g = 5
print(C().f(), C().g, A.__abstractmethods__ == {'f','g'}, isinstance(C(), A), issubclass(int, A)); A.register(int); print(issubclass(int, A), isinstance(5, A), isinstance('a', A)); t(A.register, 5)
for v in (1, 'a', b'a', [], (), {}, set(), frozenset(), range(3), {}.keys(), {}.items(), {}.values(), iter([]), len, None, int):
    print(type(v).__name__, [n for n in ca.__all__ if n not in ('Buffer', 'ByteString') and isinstance(v, getattr(ca, n))])
class S(ca.Sequence):
    def __init__(self, d): self.d = d
    def __len__(self): return len(self.d)
    def __getitem__(self, i): return self.d[i]
t(ca.Sequence); t(ca.Mapping)
s = S([1,2,3]); print(s.index(2), s.count(1), isinstance(s, ca.Iterable)); t(s.index, 9)
class M(ca.MutableMapping):
    def __init__(self): self.d = {}
    def __len__(self): return len(self.d)
    def __iter__(self): return iter(self.d)
    def __getitem__(self, k): return self.d[k]
    def __setitem__(self, k, v): self.d[k] = v
    def __delitem__(self, k): del self.d[k]
m = M(); m['a'] = 1; m.update(b=2); print(m.get('a'), m.pop('b'), m.setdefault('c', 3), 'a' in m, m == {'a':1,'c':3}, m.popitem()); t(m.pop, 'zz'); print(m.keys().__len__())
class MS(ca.MutableSet):
    def __init__(self, i=()): self.d = set(i)
    def __len__(self): return len(self.d)
    def __iter__(self): return iter(sorted(self.d))
    def __contains__(self, k): return k in self.d
    def add(self, k): self.d.add(k)
    def discard(self, k): self.d.discard(k)
x = MS([1,2]) | MS([3]); print(list(x), list(x & {1,3}), list(x - {1}), list(x ^ {1, 9}), x <= {1,2,3}, x == {1,2,3}, x.isdisjoint([7])); x |= {5}; x.remove(1); print(list(x)); t(x.remove, 99)
cm = ChainMap({'a':1}, {'a':2,'b':3}); print(cm, cm['a'], cm['b'], len(cm), list(cm), 'b' in cm, cm.new_child({'z':1}), cm.parents); t(lambda: cm['q']); cm['n'] = 1; print(cm.maps); t(cm.pop, 'b')
class UD(UserDict):
    def __setitem__(self, k, v): self.data[k] = v*2
u = UD(a=1); u['b'] = 2; print(u, u.data, len(u), list(u), u.get('q'), dict(u)); 
print(UserList([1,2]) + [3], UserList([3,1])[0], UserList([1,2])[:1], type(UserList([1])*2), UserString('abc').upper(), UserString('abc') + 'd', type(UserString('a')[0]), 'b' in UserString('abc'))
print(ca.Mapping, ca.Iterable[int], A)
