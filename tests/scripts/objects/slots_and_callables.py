def t(f, *a):
    try: r = f(*a)
    except BaseException as e: print(type(e).__name__, e)
    else: print(repr(r) if not isinstance(r, type) else r.__name__)
for b in (str, int, tuple, bytes, float, list, dict, type, complex, frozenset, BaseException, bytearray):
    print(b.__name__, end=' '); t(type, 'X', (b,), {'__slots__': ('a',)})
    print(b.__name__, end=' '); t(type, 'X', (b,), {'__slots__': ()})
    print(b.__name__, end=' '); t(type, 'X', (b,), {'__slots__': ('__dict__',)})
    print(b.__name__, end=' '); t(type, 'X', (b,), {'__slots__': ('__weakref__',)})
for s in ['1a', 'a b', '', 3, '__dict__', ('__dict__', '__dict__'), ('a', 'a'), ('__weakref__', '__weakref__'), 'é', ('a', 3), None, {'a': 'doc'}, ['a', 'b'], '__class__', '__module__', '__qualname__']:
    t(lambda: type('X', (), {'__slots__': s}))
t(lambda: type('X', (), {'__slots__': ('a',), 'a': 1}))
class A: __slots__ = ('x',)
class B: __slots__ = ('y',)
t(lambda: type('X', (A, B), {}))
class C(A): pass
t(lambda: type('X', (C, B), {}))
class D(A): __slots__ = ('__dict__',)
t(lambda: type('X', (D,), {'__slots__': ('__dict__',)}))
t(lambda: setattr(A(), 'q', 1)); t(lambda: A().x); t(lambda: A().__dict__); t(lambda: delattr(A(), 'x')); t(lambda: A.x.__get__(3)); t(lambda: A.x); t(lambda: A.x.__doc__)
import typing, collections.abc as abc
t(lambda: abc.Callable[[int, str], bool]); t(lambda: abc.Callable[..., int]); t(lambda: abc.Callable[[], None]); t(lambda: abc.Callable[int, str]); t(lambda: abc.Callable[[int]]); t(lambda: typing.Callable[[int], str]); t(lambda: abc.Callable[[int], str].__args__); t(lambda: abc.Callable[[int], abc.Callable[[str], int]])
t(lambda: isinstance(print, abc.Callable)); t(lambda: abc.Callable[[int], int] == abc.Callable[[int], int]); t(lambda: hash(abc.Callable[[int], int]) is not None)
t(lambda: type(abc.Callable[[int], int])); t(lambda: abc.Callable[[int], int].__parameters__)
t(lambda: A.__slots__); t(lambda: object.__new__(A, 1)); t(lambda: A(1)); t(lambda: A().__init__(1))
class Z: 
    __slots__ = ('__a', 'b')
print(sorted(n for n in vars(Z) if 'a' in n and not n.startswith('__')))
