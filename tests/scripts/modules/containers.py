from collections import *
import collections
def t(f, *a, **k):
    try: print(f(*a, **k))
    except Exception as e: print(type(e).__name__, e)
d = deque([1,2,3]); d.append(4); d.appendleft(0); print(d, len(d), d[0], d[-1], d[2]); d.rotate(2); print(d); d.rotate(-1); print(d)
print(d.pop(), d.popleft(), d, list(reversed(d)), 3 in d, d.count(3), d.index(0)); d.extend('ab'); d.extendleft('xy'); print(d)
d.remove('a'); print(d); d.insert(2, 'I'); print(d); d.reverse(); print(d); del d[0]; d[0] = 'Z'; print(d); print(d.copy(), d == d.copy(), d < deque(['a']) if 0 else '')
m = deque(range(5), maxlen=3); print(m, m.maxlen); m.append(9); print(m); m.appendleft(7); print(m); t(m.insert, 0, 1)
e = deque(); t(e.pop); t(e.popleft); t(lambda: e[0]); t(e.remove, 1); t(e.index, 1); t(deque, 1); t(deque, [], -1); t(deque, [], 'a'); t(lambda: e['a'])
def mut():
    d = deque([1,2,3])
    for x in d: d.append(x)
t(mut)
r = deque([1]); r.append(r); print(r)
print(deque([1,2]) + deque([3]), deque([1,2]) * 2, deque([1,2]) < deque([1,3]), deque('abc') == deque('abc')); t(lambda: deque() + [1]); t(hash, deque())
x = deque([1,2]); x += 'ab'; x *= 2; print(x); print(deque('abc', maxlen=2) * 2)
class SD(deque):
    def foo(self): return 1
s = SD('ab', 5); s.z = 1; print(s, s.foo(), s.__dict__, s.copy(), type(s.copy()))
dd = defaultdict(list); dd['a'].append(1); dd['b']; print(dd, dict(dd), dd.default_factory, dd.copy(), 'z' in dd, dd.get('z')); t(defaultdict, 1); t(lambda: defaultdict()['a'])
print(defaultdict(int, a=1), defaultdict(int, {'x': 2}, y=3), defaultdict(int, a=1) | {'b': 2}, {'b': 2} | defaultdict(int, a=1), isinstance(dd, dict), type(defaultdict(int,a=1)|{}))
w = defaultdict(int)
for c in 'mississippi': w[c] += 1
print(w, sorted(w.items()))
od = OrderedDict(a=1, b=2, c=3); od.move_to_end('a'); print(od); od.move_to_end('c', last=False); print(od, list(od)); print(od.popitem(), od.popitem(last=False), od)
t(od.move_to_end, 'zz'); t(OrderedDict().popitem); print(OrderedDict(a=1,b=2) == OrderedDict(b=2,a=1), OrderedDict(a=1,b=2) == dict(b=2,a=1), OrderedDict(), od.copy(), list(reversed(OrderedDict(a=1,b=2))), OrderedDict(a=1)|{'b':2})
print(OrderedDict.fromkeys('abc'), OrderedDict([('x', 1)]))
lru = OrderedDict()
for i in range(100000):
    lru[i] = i
    if len(lru) > 10: lru.popitem(last=False)
print(list(lru))
P = namedtuple('P', 'x y'); p = P(1, y=2); print(p, p.x, p[1], p._asdict(), p._replace(x=5), P._fields, P._make([3,4]), p == (1,2), isinstance(p, tuple)); x, y = p
t(P, 1); t(P, 1, 2, 3); t(P._make, [1]); t(p._replace, z=1); t(namedtuple, 'P', 'x x'); t(namedtuple, 'P', '_x'); t(namedtuple, 'P', 'class'); t(namedtuple, '1', 'x'); t(setattr, p, 'x', 1)
print(namedtuple('Q', 'a b c', defaults=(1,2))(5), namedtuple('R', ['a','a','_b'], rename=True)(1,2,3), P.__doc__, P.x.__doc__, P.__module__, P, hash(p) == hash((1,2)))
class PP(P):
    __slots__ = ()
    @property
    def s(self): return self.x + self.y
print(PP(1,2).s, PP(1,2))
c = Counter('mississippi'); print(c, c['i'], c['z'], c.most_common(2), sorted(c.elements()), c.total()); c.update('ab'); c.subtract({'i': 10}); print(c, +c, -c)
print(Counter(a=3,b=1)+Counter(a=1,c=2), Counter(a=3,b=1)-Counter(a=1,b=5), Counter(a=3,b=1)&Counter(a=1,b=5), Counter(a=3,b=1)|Counter(a=1,b=5), Counter(a=1)==Counter(a=1,b=0), Counter(a=1)<=Counter(a=2), Counter(), Counter([1,1,2]))
t(Counter.fromkeys, 'a'); del c['nope']; c2 = c.copy(); print(type(c2), c2 == c)
