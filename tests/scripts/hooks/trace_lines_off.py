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


def no_lines(frame, event, arg):
    frame.f_trace_lines = False
    print(frame.f_code.co_name, event)
    return no_lines


def opcodes(frame, event, arg):
    frame.f_trace_opcodes = True
    frame.f_trace_lines = False
    print(frame.f_code.co_name, event, frame.f_lasti if event == "opcode" else "")
    return opcodes


def add(a, b):
    c = a + b
    return c


sys.settrace(no_lines)
add(1, 2)
sys.settrace(opcodes)
add(1, 2)
sys.settrace(None)
