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


def bad(frame, event, arg):
    if event == "c_call":
        raise RuntimeError("from the profiler")


def work():
    return len("abc")


sys.setprofile(bad)
try:
    work()
except RuntimeError as error:
    print(error, sys.getprofile())
print(work())


def first(frame, event, arg):
    print("first", event)


sys.setprofile(first)
print(sys.getprofile() is first)
sys.setprofile(None)
print(sys.getprofile())
try:
    sys.setprofile()
except TypeError as error:
    print(error)
