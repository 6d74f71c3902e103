def t(f):
    try: print(f())
    except BaseException as e: print(type(e).__name__, e)
from typing import *
import typing
T = TypeVar('T'); U = TypeVar('U'); V = TypeVar('V')
t(lambda: dict[T, tuple[U, V]][int])
t(lambda: dict[T, tuple[U, V]][int, str])
t(lambda: dict[T, tuple[U, V]][int, str, 1, 2])
def first[A](xs: list[A]) -> A: return xs[0]
print(first([3]), first.__type_params__, first.__annotations__)
class Stack[T]:
    def __init__(self) -> None: self.items: list[T] = []
    def push(self, item: T) -> None: self.items.append(item)
    def pop(self) -> T: return self.items.pop()
s = Stack[int](); s.push(4); print(s.pop(), Stack[int], Stack.__type_params__, Stack.__mro__, Stack.__orig_bases__, Stack.__parameters__, Stack.__bases__)
class Pair[K, V: (int, str)](Stack[K]):
    def m[W: Stack](self, w: W) -> W: return w
print(Pair.__mro__, Pair[str, int], Pair.__type_params__[1].__constraints__, Pair.m.__type_params__[0].__bound__)
type Alias[T] = list[T] | None
print(Alias, Alias.__value__, Alias.__type_params__, Alias[int], type(Alias), Alias.__name__, Alias[int].__origin__, Alias[int].__args__, Alias.__module__)
type Rec = dict[str, Rec]
print(Rec.__value__)
type Simple = int
print(Simple, Simple.__value__, Simple.__type_params__, Simple | None)
t(lambda: Simple[int])
def d[T = int, *Ts = *tuple[int, ...], **P = [int]](x: T): pass
print(d.__type_params__, [p.has_default() for p in d.__type_params__], d.__type_params__[0].__default__)
tv = first.__type_params__[0]
print(repr(tv), tv.__name__, tv.__bound__, tv.__constraints__, tv.__covariant__, tv.__contravariant__, tv.__infer_variance__, tv.__default__, tv.has_default(), tv.__module__, type(tv))
print(T, T.__infer_variance__, T.__default__, TypeVar('X', bound=int).__bound__, TypeVar('X', covariant=True), TypeVar('Q', int, str).__constraints__, TypeVar('X', default=3).__default__)
def g[*Ts, **P](*args: *Ts, **kw): pass
print(g.__type_params__)
class Var[*Ts]: pass
t(lambda: Var[int, str]); t(lambda: Var[()]); t(lambda: Var.__parameters__)
class Cal[**P, R]: pass
t(lambda: Cal[[int, str], bool]); t(lambda: Cal[..., int])
def lazy[T: undefined_name](): pass
t(lambda: lazy.__type_params__[0].__bound__)
class Outer[T]:
    class Inner[U]:
        def f(self): return T, U
    def g(self): return T
print(Outer.Inner().f(), Outer().g())
class Base[T]:
    x: T
    def __class_getitem__(cls, item): return f'{cls.__name__}<{item}>'
print(Base[int])
t(lambda: Stack[int, str]); t(lambda: Stack[int][str]); t(lambda: isinstance(s, Stack), ); t(lambda: isinstance(s, Stack[int]))
t(lambda: s.__orig_class__)
class Sub(T if 0 else object): pass
try:
    class Bad(T): pass
except TypeError as e: print(e)
t(lambda: TypeAliasType('Z', int)); t(lambda: TypeAliasType('Z', list[T], type_params=(T,))[int])
t(lambda: get_type_hints(first)); t(lambda: get_origin(Alias[int])); t(lambda: get_args(dict[str, int]))
async def agen[T](x: T) -> T: return x
print(agen.__type_params__)
t(lambda: (lambda: 1).__type_params__)
first.__type_params__ = (); print(first.__type_params__)
t(lambda: setattr(first, '__type_params__', 3))
print(eval('list[T]', {'T': T}), NoDefault)
