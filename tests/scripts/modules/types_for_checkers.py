from typing import *
import typing
def t(f, *a, **k):
    try: print(f(*a, **k))
    except Exception as e: print(type(e).__name__, e)
print(List[int], Dict[str, int], Optional[int], Union[int, str], Tuple[int, ...], Callable[[int], str], Any, List, Callable[..., int], Set[str], Type[int], Iterable[int], Literal['a', 1], ClassVar[int], Final[int], Annotated[int, 'x'], Optional[List[int]], Tuple[()])
T = TypeVar('T'); K = TypeVar('K', bound=int); print(T, K, T.__name__, List[T], List[T][int], Dict[T, int][str])
class Box(Generic[T]):
    def __init__(self, x: T): self.x = x
b = Box[int](5); print(b.x, Box[int], Box.__mro__[1], Box.__parameters__, Box.__orig_bases__)
@runtime_checkable
class P(Protocol):
    def close(self) -> None: ...
class Q:
    def close(self): pass
print(isinstance(Q(), P), isinstance(5, P), issubclass(Q, P)); t(P)
class NP(Protocol):
    x: int
t(isinstance, 5, NP)
class Pt(NamedTuple):
    x: int
    y: int = 3
    def s(self): return self.x + self.y
print(Pt(1), Pt(1).s(), Pt._fields, Pt._field_defaults, Pt.__annotations__)
N2 = NamedTuple('N2', [('a', int), ('b', str)]); print(N2(1, 'x'))
class TD(TypedDict):
    a: int
    b: str
d = TD(a=1, b='x'); print(d, type(d), TD.__total__, sorted(TD.__required_keys__))
UserId = NewType('UserId', int); print(UserId(5), UserId.__name__)
print(cast(int, 'x'), TYPE_CHECKING, get_origin(List[int]), get_args(Dict[str, int]), get_origin(Union[int, str]) is typing.Union or get_origin(int|str), get_args(Optional[int]), get_args(Callable[[int], str]))
def f(a: int, b: 'str' = 'x') -> List[int]: ...
print(get_type_hints(f)); t(List.__getitem__, (int, str)); t(isinstance, [], List[int]); print(isinstance([], List), issubclass(dict, Mapping)); t(Any); t(lambda: Optional[int, str])
@overload
def g(x: int) -> int: ...
def g(x): return x
@final
class F: pass
print(g(3), F.__final__, Union[int], Optional[None], Union[int, None, str], int | None == Optional[int], List[int] == List[int], hash(List[int]) == hash(List[int]), List['Foo'], Optional['Foo'], SupportsInt, isinstance(5, SupportsInt), isinstance('a', SupportsInt), AnyStr, Self, NoReturn)
class S(List[int]): pass
print(S.__mro__, S([1]))
