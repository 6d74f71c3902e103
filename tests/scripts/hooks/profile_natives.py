import sys


def shown(event, arg):
    if event == "exception":
        return arg[0].__name__ + ": " + str(arg[1])
    if callable(arg):
        return arg.__qualname__
    return type(arg).__name__ if isinstance(arg, type((x for x in ()))) else repr(arg)


def profiler(frame, event, arg):
    code = frame.f_code
    print(f"{code.co_name:12} {event:10} {frame.f_lineno - code.co_firstlineno:3} {shown(event, arg)}")


def profiled(function, *args):
    sys.setprofile(profiler)
    try:
        result = function(*args)
    except BaseException as error:
        sys.setprofile(None)
        print("raised", type(error).__name__, error)
    else:
        sys.setprofile(None)
        print("result", result)


def natives():
    text = "a-b".split("-")
    text.append("c")
    n = len(text)
    m = max(text, key=len)
    i = int("12")
    isinstance(i, int)
    try:
        int("x")
    except ValueError:
        pass
    try:
        [].pop()
    except IndexError:
        pass
    print(n, m, *text, sep=",")
    return "".join(text), str.upper("u")


profiled(natives)
