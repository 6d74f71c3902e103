"""CodeType and replace, and what they say of wrong arguments."""
import types


def outer():
    x = 1

    def g(a, /, b=2, *c, d, **e):
        "doc"
        y = [i for i in a]
        return x

    return g


g = outer()
c = g.__code__
CodeType = types.CodeType


def attempt(function, *args, **kwargs):
    try:
        result = function(*args, **kwargs)
        print(result.co_name if isinstance(result, CodeType) else result)
    except Exception as error:
        print(f"{type(error).__name__}: {error}")


plain = [0, 0, 0, 0, 1, 3, b"\x80\x00\x52\x00\x23\x00", (7,), (), (), "f", "n", "q", 1, b"", b"", (), ()]
attempt(CodeType)
attempt(CodeType, 1, 2)
attempt(CodeType, *plain)
attempt(CodeType, *plain[:16])
attempt(CodeType, *plain[:15])
attempt(CodeType, *plain, 1)
attempt(CodeType, *plain, a=1)
for i in range(18):
    for wrong in ("z", -1, None, (1,)):
        if i in (4, 5) and wrong == -1 or i == 7:
            continue
        arguments = list(plain)
        arguments[i] = wrong
        print(i, repr(wrong), end=" ")
        attempt(CodeType, *arguments)
made = CodeType(*plain)
print(eval(made), types.FunctionType(made, {})(), made.co_consts, made.co_qualname, made.co_filename, list(made.co_lines()))

for name in ("co_argcount", "co_posonlyargcount", "co_kwonlyargcount", "co_nlocals", "co_stacksize", "co_flags",
             "co_firstlineno"):
    for wrong in (-1, "x", 2**40, 1.5):
        print(name, wrong, end=" ")
        attempt(c.replace, **{name: wrong})
for name in ("co_code", "co_consts", "co_names", "co_varnames", "co_freevars", "co_cellvars", "co_filename", "co_name",
             "co_qualname", "co_linetable", "co_exceptiontable"):
    for wrong in (1, None, [], "x", b"x", (1,)):
        if (name, wrong) in (("co_linetable", b"x"), ("co_exceptiontable", b"x"), ("co_consts", (1,))):
            continue
        print(name, wrong, end=" ")
        attempt(c.replace, **{name: wrong})
attempt(c.replace, co_nlocals=3)
attempt(c.replace, 1)
attempt(c.replace, foo=1)
attempt(c.__replace__, co_name="z")
attempt(c.replace)


# Functions of other code.
def h(x):
    return x


attempt(setattr, g, "__code__", h.__code__)
attempt(setattr, h, "__code__", c)
attempt(setattr, h, "__code__", 1)
attempt(delattr, h, "__code__")
attempt(setattr, h, "__defaults__", 1)
attempt(setattr, h, "__kwdefaults__", 1)
attempt(setattr, h, "__name__", 1)
attempt(setattr, h, "__qualname__", 1)
attempt(setattr, h, "__closure__", 1)
attempt(setattr, h, "__globals__", 1)
h.__code__ = (lambda x, y=3: (x, y)).__code__
attempt(h, 1)
h.__defaults__ = (4,)
attempt(h, 1)
FunctionType = types.FunctionType
attempt(FunctionType)
attempt(FunctionType, 1, {})
attempt(FunctionType, None, {})
attempt(FunctionType, c, {})
attempt(FunctionType, c, 1)
attempt(FunctionType, c, {}, "n", (), (1,))
attempt(FunctionType, c, {}, "n", (), ())
attempt(FunctionType, c, {}, "n", (), None)
attempt(FunctionType, h.__code__, {}, 1)
attempt(FunctionType, h.__code__, {}, "n", 1)
attempt(FunctionType, h.__code__, {}, "n", None, (1,))
attempt(FunctionType, h.__code__, {}, kwdefaults=1)
print(FunctionType(h.__code__, {}, kwdefaults={"a": 1}).__kwdefaults__)
named = FunctionType(h.__code__, {"__name__": "m"}, "named", (8, 9))
print(named.__name__, named.__qualname__, named.__module__, named(), named.__defaults__, named.__closure__)
print(FunctionType(c, {}, None, (), g.__closure__)([1], 2, d=1))
body = compile("x = 1\nresult = y", "m", "exec")
space = {"y": 5}
FunctionType(body, space)()
print(space["x"], space["result"])
print((lambda: 1).__code__.replace(co_consts=(g, [], c)).co_consts == (g, [], c))
