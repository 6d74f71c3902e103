"""Attributes and methods of code objects."""
import types


def outer():
    x = y = 1

    def g(a, /, b=2, *c, d, **e):
        "doc"
        z = [i + x for i in a]
        if z:
            y
        while a:
            for i in b:
                if a is None:
                    a = 1
        return lambda: (a, x)

    return g


g = outer()
c = g.__code__
names = sorted(name for name in dir(c) if name.startswith("co_"))
print(names)
for name in names:
    if name not in ("co_filename", "co_lnotab", "co_consts"):
        print(name, getattr(c, name) if not callable(getattr(c, name)) else list(getattr(c, name)()))
print(outer.__code__.co_cellvars, [type(k).__name__ for k in c.co_consts])


async def asynchronous(a):
    async for i in a:
        if i:
            print(i)


print(list(asynchronous.__code__.co_branches()))
print([c._varname_from_oparg(i) for i in range(0, 9)])


def attempt(function, *args, **kwargs):
    try:
        result = function(*args, **kwargs)
        print(type(result).__name__ if isinstance(result, (types.CodeType, types.FunctionType)) else result)
    except Exception as error:
        print(f"{type(error).__name__}: {error}")


attempt(c._varname_from_oparg, 100)
attempt(c._varname_from_oparg, -1)
attempt(c._varname_from_oparg, "x")
attempt(c.co_positions, 1)
attempt(setattr, c, "co_name", "x")
attempt(setattr, c, "zork", "x")
attempt(delattr, c, "co_name")
attempt(lambda: c.co_zork)
attempt(lambda: c < c)

# Equal by what they are, not by where.
same = c.replace()
print(c == same, same is c, hash(c) == hash(same), c != same, c == 1)
for change in ({"co_name": "z"}, {"co_firstlineno": 5}, {"co_filename": "u"}, {"co_stacksize": 50},
               {"co_qualname": "q"}, {"co_flags": c.co_flags | 0x10000}, {"co_linetable": b""}):
    other = c.replace(**change)
    print(change, c == other)


def constant(value):
    return (lambda: 1000).__code__.replace(co_consts=(value,))


for a, b in ((1, 1.0), (0.0, -0.0), (1, True), ("a", b"a"), ((1,), (1.0,)), ((1,), (1,)), (1j, complex(0.0, 1.0)), ([], []),
             (None, None), (..., ...), (frozenset({1}), frozenset({1})), (slice(1), slice(1)), (slice(1), slice(True))):
    print(a, b, constant(a) == constant(b))
print(hash(constant((1, 2))) == hash(constant((1, 2))))
attempt(hash, constant([]))
