import sys


def shown(event, arg):
    if event == "exception":
        return arg[0].__name__ + ": " + str(arg[1])
    if callable(arg):
        return arg.__qualname__
    return type(arg).__name__ if isinstance(arg, type((x for x in ()))) else repr(arg)


def tracer(frame, event, arg):
    code = frame.f_code
    print(f"{code.co_name:12} {event:10} {frame.f_lineno - code.co_firstlineno:3} {shown(event, arg)}")
    return tracer


def traced(function, *args):
    sys.settrace(tracer)
    try:
        result = function(*args)
    except BaseException as error:
        sys.settrace(None)
        print("raised", type(error).__name__, error)
    else:
        sys.settrace(None)
        print("result", result)


def gen():
    try:
        yield 1
    except KeyError:
        yield 2
    finally:
        x = 3
    yield 4


def delegating():
    return (yield from gen())


def throws():
    for make in (gen,):
        g = make()
        next(g)
        g.throw(KeyError("t"))
        next(g)
        try:
            g.throw(ValueError("u"))
        except ValueError as error:
            print("out", error)
        g = make()
        next(g)
        g.close()
        make().close()


def nested():
    try:
        try:
            {}["a"]
        finally:
            x = 1
    except KeyError:
        try:
            raise ValueError("v") from None
        except (TypeError, OSError):
            x = 2
        finally:
            x = 3


def one_line(n): return [x for x in range(n) if x]


def loops():
    for x in (1, 2): y = x
    while x: x -= 1
    for x in (
        1,
        2,
    ):
        if x == 1: continue
        else:
            break
    else:
        x = 3
    x = (lambda: 1)() if x else (
        lambda: 2
    )()
    one_line(3)
    class A: b = 1
    return x


for function in throws, nested, loops:
    traced(function)
