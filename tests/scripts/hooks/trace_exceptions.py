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


def fails(n):
    if n == 0:
        raise ValueError("zero")
    return fails(n - 1)


def handles():
    try:
        fails(2)
    except KeyError:
        print("no")
    except ValueError as error:
        text = str(error)
    finally:
        done = True
    try:
        {}["a"]
    except KeyError:
        pass
    return text, done


def passes_on():
    try:
        fails(0)
    finally:
        x = 1


traced(handles)
