from dataclasses import *
import dataclasses
def t(f, *a, **k):
    try: print(f(*a, **k))
    except Exception as e: print(type(e).__name__, e)
@dataclass
class P:
    x: int
    y: int = 5
    z: list = field(default_factory=list)
p = P(1); print(p, p == P(1), p == P(2), p.__eq__(3), P.__doc__, [f.name for f in fields(P)], asdict(p), astuple(p), replace(p, x=9), P.__match_args__); t(P); t(hash, p); t(P, 1, 2, 3, 4); t(P, x=1, q=2)
@dataclass(frozen=True, order=True)
class F:
    a: int
    b: str = 'x'
f = F(1); t(setattr, f, 'a', 2); t(delattr, f, 'a'); print(hash(f) == hash(F(1)), f < F(2), sorted([F(3), F(1)]), f); t(lambda: f < 3)
@dataclass
class C(P):
    w: int = 0
print(C(1, w=3), C.__mro__[1], is_dataclass(C), is_dataclass(p), is_dataclass(3)); t(asdict, 3); t(fields, 3); t(replace, 3)
def bad():
    @dataclass
    class B:
        a: int = 1
        b: int
t(bad)
def bad2():
    @dataclass
    class B:
        a: list = []
t(bad2)
@dataclass
class N:
    p: P
    l: list
    d: dict
print(asdict(N(P(1), [P(2)], {'k': P(3)})), astuple(N(P(1), [P(2)], {'k': P(3)})))
@dataclass
class K:
    a: int
    _: KW_ONLY
    b: int = 2
    c: int = field(default=3, repr=False, compare=False)
print(K(1, b=5), K(1) == K(1, c=9)); t(K, 1, 2)
@dataclass
class PI:
    a: int
    b: InitVar[int] = 3
    c: int = field(init=False)
    def __post_init__(self, b): self.c = self.a + b
print(PI(1), PI(1, 10), PI(1).c)
@dataclass(slots=True)
class S:
    a: int
    b: int = 2
s = S(1); print(s, S.__slots__); t(setattr, s, 'q', 1)
@dataclass(eq=False, repr=False)
class Q: a: int
print(Q(1) == Q(1))
M = make_dataclass('M', ['a', ('b', int), ('c', int, 5)]); print(M(1, 2))
@dataclass(unsafe_hash=True)
class UH: a: int
print(hash(UH(1)) == hash(UH(1)))
@dataclass
class R:
    me: object = None
r = R(); r.me = r; print(r)
print(P.__dataclass_params__)
@dataclass
class G:
    def m(self): return super().__repr__()[:3]
print(G(), G().m())
from typing import ClassVar, List, Optional
@dataclass
class CV:
    n: ClassVar[int] = 3
    a: Optional[int] = None
    b: List[int] = field(default_factory=list)
print(CV(), CV.n)
