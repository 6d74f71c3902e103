def t(f, *a):
    try:
        r = f(*a)
        print('ok', r)
    except BaseException as e:
        print(type(e).__name__, '|', e)
class P:
    __match_args__ = ("x", "y")
    def __init__(self, x, y): self.x = x; self.y = y
class Q:
    __match_args__ = ["x"]
class R:
    __match_args__ = (1,)
class S: pass
class Color:
    RED = 1
def m(v):
    match v:
        case 0: return "zero"
        case -1 | 1: return "one"
        case Color.RED: return "red"
        case "s": return "string s"
        case None: return "none"
        case True: return "true"
        case []: return "empty seq"
        case [x]: return ("one item", x)
        case [1, x, *rest]: return ("starts 1", x, rest)
        case (a, b) if a == b: return "equal pair"
        case [*_, "last"]: return "ends last"
        case {"k": v, "z": [1, w]}: return ("map", v, w)
        case {"k": v, **rest}: return ("map rest", v, rest)
        case {}: return "some map"
        case P(0, 0): return "origin"
        case P(x=0, y=yy): return ("x zero", yy)
        case P(a, b): return ("P", a, b)
        case int(n) if n > 100: return ("big", n)
        case str() as s: return ("str", s)
        case bytes(b): return b
        case float() | complex(): return "num"
        case P() | S(): return 1
for v in (0, 1, -1, "s", None, [], [5], (1, 2, 3, 4), [3, 3], ["a", "b", "last"], {"k": 1, "z": [1, 2]}, {"k": 1, "q": 2}, {}, {1: 2},
          P(0, 0), P(0, 4), P(1, 2), 1000, 50, "other", b"x", 1.5, range(1), {1, 2}, 2j):
    t(m, v)
def c1(v):
    match v:
        case Q(x): return x
def c2(v):
    match v:
        case R(x): return x
def c3(v):
    match v:
        case S(x): return x
def c4(v):
    match v:
        case P(1, 2, 3): return 1
def c5(v):
    match v:
        case P(a, x=b): return 1
def c6(v):
    match v:
        case int(a, b): return 1
notclass = 3
def c7(v):
    match v:
        case notclass(): return 1
def c8(v, k=5):
    class K: a = 1; b = 1
    match v:
        case {K.a: x, K.b: y}: return 1
def c9(v):
    match v:
        case P(z=1): return 1
        case object(missing=_): return 2
        case _: return "no attr"
t(c1, Q()); t(c2, R()); t(c3, S()); t(c4, P(1, 2)); t(c5, P(1, 2)); t(c6, 1); t(c7, 1); t(c8, {1: 2}); t(c9, P(1, 2))
class D(dict):
    def __missing__(self, k): return "made"
def dm(v):
    match v:
        case {"absent": x}: return x
        case {"there": x}: return x
t(dm, D(there=1)); t(dm, D())
class M:
    def get(self, k, d): return k * 2
def seqs(v):
    match v:
        case [a, [b, *c], {"d": [d, *_]}, *e]: return a, b, c, d, e
        case [[[[deep]]]]: return deep
t(seqs, [1, (2, 3, 4), {"d": [5, 6]}, 7, 8]); t(seqs, [[[["x"]]]]); t(seqs, "abcd"); t(seqs, [1, 2])
class L(list): pass
class T(tuple): pass
t(m, L([1, 2, 3])); t(m, T((5,))); t(seqs, L([L([L([L([4])])])]))
def walrus(cmd):
    match cmd.split():
        case ["go", ("north" | "south") as d]: return d
        case ["take", obj]: return obj
        case [verb, *objs] if verb.isupper(): return objs
        case _: return None
for c in ("go north", "go up", "take axe", "DROP a b c"): t(walrus, c)
match (1, 2):
    case (x, y):
        print(x, y)
class Meta(type):
    def __instancecheck__(cls, o): return o == 3
class I(metaclass=Meta): pass
def ic(v):
    match v:
        case I(): return "is I"
        case _: return "not"
t(ic, 3); t(ic, I())
def selfm(v):
    match v:
        case bool(b): return ("bool", b)
        case int(i): return ("int", i)
        case dict(d): return ("dict", d)
        case list([a, b]): return ("list", a, b)
        case frozenset(f): return ("fs", f)
for v in (True, 4, {1: 2}, [1, 2], frozenset([1])): t(selfm, v)
