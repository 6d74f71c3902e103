from enum import *
def t(f, *a, **k):
    try: print(f(*a, **k))
    except Exception as e: print(type(e).__name__, e)
class Color(Enum):
    RED = 1
    GREEN = 2
    BLUE = 3
    CRIMSON = 1
print(Color.RED, repr(Color.RED), Color(1), Color['GREEN'], Color.RED.name, Color.RED.value, list(Color), len(Color), Color.CRIMSON is Color.RED, Color, Color.__members__)
t(Color, 9); t(lambda: Color['X']); t(lambda: Color.X); print(isinstance(Color.RED, Color), Color.RED in Color, 1 in Color, 7 in Color, hash(Color.RED) == hash('RED'), Color.RED == 1, Color.RED == Color.RED, type(Color.RED))
t(setattr, Color, 'RED', 5); t(delattr, Color, 'RED'); print(f'{Color.RED}', '%s' % Color.RED, sorted(Color, key=lambda c: c.name))
class A(Enum):
    X = auto(); Y = auto(); Z = 10; W = auto()
print([m.value for m in A])
class I(IntEnum):
    ONE = 1; TWO = 2
print(I.ONE, repr(I.ONE), I.ONE + 1, I.ONE == 1, I.TWO > I.ONE, f'{I.ONE}', [1,2,3][I.ONE], int(I.TWO), isinstance(I.ONE, int), I(2))
class S(StrEnum):
    A = auto(); B = 'bee'
print(S.A, repr(S.A), S.B == 'bee', S.B.upper(), f'{S.A}')
class F(Flag):
    R = auto(); W = auto(); X = auto(); RW = R | W
print(F.R, repr(F.R), F.R | F.W, repr(F.R | F.X), F.RW, F.R in F.RW, list(F.RW), ~F.R, F(0), bool(F(0)), F(7), F.R & F.W, F.R ^ F.RW, len(F.RW), list(F), F(5).name)
t(F, 16); t(lambda: F.R | 1)
class P(IntFlag):
    R = 4; W = 2; X = 1
print(P.R | P.W, repr(P.R | P.W), P.R + 1, repr(P(8)), repr(P.R | 8), ~P.R, repr(~P.R), P(7), repr(P(0)), P.R | 1 == 5, 4 & P.R)
class Planet(Enum):
    MERCURY = (3.303e+23, 2.4397e6)
    EARTH = (5.976e+24, 6.37814e6)
    def __init__(self, mass, radius):
        self.mass = mass; self.radius = radius
    @property
    def g(self): return self.mass / self.radius
print(Planet.EARTH.value, Planet.EARTH.mass, Planet.EARTH.g, repr(Planet.EARTH))
t(unique, Color)
@unique
class U(Enum):
    A = 1
class M(Enum):
    A = 1
    @classmethod
    def _missing_(cls, v): return cls.A if v == 'a' else None
    def describe(self): return self.name, self.value
    def __str__(self): return 'M!' + self.name
print(M('a'), M.A.describe(), str(M.A)); t(M, 'b')
def sub():
    class Sub(Color): pass
t(sub)
def dup():
    class D(Enum):
        A = 1
        A = 2
t(dup)
An = Enum('An', 'CAT DOG'); print(An, list(An), An.CAT.value); An2 = Enum('An2', {'a': 1, 'b': 'x'}); print(list(An2)); An3 = IntEnum('An3', ['p', 'q']); print(list(An3))
class E(str, Enum):
    A = 'x'
print(E.A, repr(E.A), E.A == 'x', f'{E.A}', E('x'), E.A.value)
class Empty(Enum): pass
print(list(Empty)); t(Empty, 1)
class L(Enum):
    A = [1]; B = {}
print(L.A, L([1]), repr(L.B))
import copy
print(copy.copy(Color.RED) is Color.RED, copy.deepcopy(Color.RED) is Color.RED)
d = {Color.RED: 1}; print(d)
for n, m in Color.__members__.items(): print(n, m)
class Shape(Enum):
    SQUARE = 'sq'
    def area(self, x): return x * x
    @staticmethod
    def s(): return 's'
print(Shape.SQUARE.area(3), Shape.s(), Shape.SQUARE.SQUARE)
class Base(Enum):
    def hi(self): return 'hi ' + self.name
class Der(Base):
    A = 1
print(Der.A.hi(), Der.A, Color.RED.__class__, Color.__name__, Color.RED.__doc__, bool(Color.RED))
t(lambda: Color.RED < Color.GREEN); t(lambda: Color.RED.foo)
try: Color.RED.value = 3
except AttributeError as e: print(e)
