class Bad:
    def __len__(s): return -1
    def __iter__(s): return 1
    def __int__(s): return 'x'
def t(f):
    try: print(f(Bad()))
    except Exception as e: print(type(e).__name__, e)
for f in (list, reversed, sorted, sum, tuple, lambda b: [*b], lambda b: ','.join(b), lambda b: b'a'.join(b), lambda b: set(b), lambda b: dict(b), lambda b: '%d' % b, lambda b: '%x' % b, lambda b: '%c' % b, lambda b: '%f' % b, lambda b: [].extend(b), lambda b: tuple(b)): t(f)
class N:
    def __mul__(s, o): return NotImplemented
    def __imul__(s, o): return NotImplemented
    def __rmul__(s, o): return NotImplemented
    def __pow__(s, o): return 1
    def __rpow__(s, o): return 2
    def __add__(s, o): return NotImplemented
class M:
    def __rpow__(s, o, m=None): return ('rpow', o, m)
t(lambda b: pow(2, M(), 3)); t(lambda b: pow(2, N(), 3)); t(lambda b: pow(N(), 2, 3)); t(lambda b: N() * 'a'); t(lambda b: 'a' * N()); t(lambda b: N() + 'a'); t(lambda b: 'a' + N()); t(lambda b: [1] + N()); t(lambda b: N() + [1]); t(lambda b: [1] * N())
def im(x, y):
    x *= y
    return x
t(lambda b: im(N(), 'a')); t(lambda b: im(N(), [1])); t(lambda b: im([1], N())); t(lambda b: im(N(), 3)); t(lambda b: im('a', 'b')); t(lambda b: im(3, 'b')); t(lambda b: im(object(), 'b')); t(lambda b: im('b', object()));t(lambda b: object() * 'b')
