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


def other(frame, event, arg):
    print("other", event, frame.f_lineno - frame.f_code.co_firstlineno)
    return None if event == "line" else other


def chooser(frame, event, arg):
    print("chooser", frame.f_code.co_name, event, frame.f_trace)
    if frame.f_code.co_name == "skipped":
        return None
    return other


def skipped():
    x = 1
    return x


def seen():
    a = skipped()
    b = a
    return b


sys.settrace(chooser)
seen()
print(sys.gettrace() is chooser)
sys.settrace(None)
print(sys.gettrace())
