import gc
class E(Exception): pass
e = E('x'); e.y = [e]
class F:
    pass
from functools import partial
class P(partial): pass
p = P(print); p.me = p
from collections import OrderedDict, deque, defaultdict
class O(OrderedDict): pass
o = O(); o['a'] = o; o.z = o
d = deque([1]); d.append(d)
dd = defaultdict(list); dd['x'] = dd
import itertools
c = itertools.chain([1]); t = itertools.tee([1, 2, 3]); next(t[0]); cy = itertools.cycle([d]); next(cy); g = itertools.groupby([1]); k = next(g)
gc.collect(); print(e.y[0] is e, p.me is p, o.z is o, len(d), len(dd), list(c), list(t[1]))
del e, p, o, d, dd, c, t, cy, g, k
print(gc.collect() >= 5)
for n in range(2000):
    o = O(); o['a'] = o; o.z = o; d = deque([o]); d.append(d); o.d = d; p = P(print, o); o.p = p
del o, d, p
print(gc.collect() > 100)
