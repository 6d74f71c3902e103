def t(f, *a, **k):
    try: print(f(*a, **k))
    except Exception as e: print(type(e).__name__, e)
u = int | str
print(u, repr(u), u.__args__, isinstance(1, u), isinstance(1.5, u), issubclass(bool, u), u == (str | int), hash(u) == hash(str | int), int | None, None | int, int | int, (int | str) | float, list[int] | None, type(u), u == 5)
t(isinstance, 1, int | list[int]); t(lambda: int | 5); t(lambda: 5 | int); t(issubclass, 1, u); t(type(u)); t(lambda: u()); print(isinstance(None, int | None), u | str, {u: 1}[str | int])
print(type.__mro__, format(int), hash(type) == hash(type))
class M(type): pass
class A(metaclass=M): pass
print(hash(A) == hash(A), {A: 1}[A], f'{A}')
