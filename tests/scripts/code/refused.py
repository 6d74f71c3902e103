"""Code that cannot be right is refused with what and where. CPython takes all of it, and crashes."""
import types


def f(a, b):
    c = [i for i in a if i < b]
    return c, (lambda: b), f"{a}{b}"


def g(a):
    try:
        yield a
    finally:
        a = None


def attempt(code, **changes):
    try:
        print(types.FunctionType(code.replace(**changes), {}).__code__ == code)
    except (TypeError, ValueError) as error:
        print(error)


code = f.__code__
attempt(code)
attempt(code, co_code=b"")
attempt(code, co_code=code.co_code[:-2])
attempt(code, co_code=code.co_code[:20])
attempt(code, co_code=code.co_code[2:])
attempt(code, co_code=b"\0\0")
attempt(code, co_code=b"\x23\0")
attempt(code, co_code=b"\xff\0" + code.co_code)
attempt(code, co_consts=())
attempt(code, co_consts=tuple(None for _ in code.co_consts))
attempt(code, co_stacksize=1)
attempt(code, co_argcount=0)
attempt(code, co_cellvars=())
attempt(code, co_freevars=("z",))
attempt(code, co_flags=code.co_flags | 0x20)
attempt(code, co_flags=code.co_flags & ~3)
attempt(code, co_exceptiontable=b"")
attempt(code, co_exceptiontable=b"x")
attempt(code, co_exceptiontable=code.co_exceptiontable * 2)
attempt(code, co_linetable=b"")
attempt(code, co_linetable=b"x")
attempt(code, co_linetable=code.co_linetable * 2)
attempt(code, co_code=f.__code__._co_code_adaptive)
attempt(g.__code__, co_flags=3)
attempt(g.__code__, co_code=g.__code__.co_code[2:], co_flags=3)
attempt(g.__code__, co_code=g.__code__.co_code[:6] * 2 + g.__code__.co_code[6:])
attempt(compile("x = 1", "m", "exec"), co_names=())
for number in range(1, 256):
    try:
        plain = b"\x80\x00" + bytes((number, 0)) + b"\x52\x00\x23\x00"
        (lambda: 1000).__code__.replace(co_code=plain)
        print(number, "is taken")
    except ValueError as error:
        if "in fresh code" not in str(error) and number < 129:
            print(error)
