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


def work():
    x = 1
    sys.settrace(tracer)
    sys._getframe().f_trace = tracer
    y = 2
    z = 3
    sys.settrace(None)
    return x + y + z


print(work())
