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


def bad(frame, event, arg):
    if event == "line":
        raise RuntimeError("from the tracer")
    return bad


def work():
    x = 1
    return x


sys.settrace(bad)
try:
    work()
except RuntimeError as error:
    print(error, sys.gettrace())
    tb = error.__traceback__
    while tb:
        print(tb.tb_frame.f_code.co_name)
        tb = tb.tb_next


def bad_call(frame, event, arg):
    raise KeyError(event)


sys.settrace(bad_call)
try:
    work()
except KeyError as error:
    print(repr(error), sys.gettrace())


def bad_return(frame, event, arg):
    if event == "return":
        raise KeyError(event)
    return bad_return


sys.settrace(bad_return)
try:
    work()
except KeyError as error:
    print(repr(error), sys.gettrace())
print(work())
