import heapq
from collections.abc import *
from collections import UserList, namedtuple
print(list(heapq.merge([1, 4], [2, 3], [])), list(heapq.merge([4, 1], [3, 2], reverse=True)), list(heapq.merge(['bb', 'a'], ['ccc'], key=len, reverse=False)))
class S(Sequence):
    def __init__(self, d): self.d = d
    def __len__(self): return len(self.d)
    def __getitem__(self, i): return self.d[i]
s = S([3, 1, 2]); print(list(s), list(reversed(s)), 2 in s, s.count(1), s.index(2), sorted(s), max(s))
class M(Mapping):
    def __init__(self, d): self.d = d
    def __len__(self): return len(self.d)
    def __iter__(self): return iter(self.d)
    def __getitem__(self, k): return self.d[k]
m = M({'a': 1, 'b': 2}); print(list(m.keys()), list(m.values()), list(m.items()), ('a', 1) in m.items(), 2 in m.values(), m == {'a': 1, 'b': 2}, dict(m), m.keys() & {'a', 'z'}, m.keys() | {'q'} == {'a', 'b', 'q'}, sorted(m.keys() - {'a'}))
def g():
    x = yield 1
    print('got', x)
print(isinstance(g(), Generator), isinstance(g(), Iterator), issubclass(type(g()), Iterable))
u = UserList([1, 2]); print([x for x in u], list(reversed(u)), u.index(2)); u.extend([3]); u.remove(1); print(u)
