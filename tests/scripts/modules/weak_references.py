import weakref, gc
def t(f, *a, **k):
    try: print(f(*a, **k))
    except Exception as e: print(type(e).__name__, e)
class A:
    def m(self): return 'm'
    def __len__(self): return 7
a = A(); r = weakref.ref(a); print(r() is a, weakref.getweakrefcount(a), weakref.ref(a) is r, r == weakref.ref(a)); del a; print(r())
a = A(); calls = []; r = weakref.ref(a, lambda w: calls.append(w is r)); del a; print(calls)
d = weakref.WeakValueDictionary(); a = A(); d['x'] = a; print(len(d), d['x'] is a, list(d.keys()), 'x' in d); del a; print(len(d), list(d.items())); t(lambda: d['x'])
k = weakref.WeakKeyDictionary(); a = A(); k[a] = 5; print(len(k), k[a], a in k); del a; print(len(k))
s = weakref.WeakSet(); a, b = A(), A(); s.add(a); s.add(b); print(len(s), a in s); del a; print(len(s)); s.discard(b); print(len(s))
a = A(); p = weakref.proxy(a); a.v = 3; print(p.v, len(p), p.m()); p.w = 4; print(a.w); del a; t(lambda: p.v)
a = A(); f = weakref.finalize(a, print, 'gone', 1); print(f.alive); del a; print(f.alive)
a = A(); wm = weakref.WeakMethod(a.m); print(wm()()); del a; print(wm())
t(weakref.ref, 1); t(weakref.ref, []); 
from collections import deque, OrderedDict
from functools import partial
for o in (deque(), OrderedDict(), partial(print), {1}, lambda: 0, A): print(weakref.ref(o)() is o)
