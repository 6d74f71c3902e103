import sys


def opcodes(frame, event, arg):
    print(frame.f_code.co_name, event, frame.f_lasti, frame.f_lineno - frame.f_code.co_firstlineno)
    frame.f_trace_opcodes = True
    return opcodes


def late(frame, event, arg):
    print(frame.f_code.co_name, event, frame.f_lasti)
    if event == "line":
        frame.f_trace_opcodes = True
        frame.f_trace_lines = False
    elif event == "opcode" and frame.f_lasti > 6:
        frame.f_trace_opcodes = False
    return late


def given(frame, event, arg):
    print(frame.f_code.co_name, event)
    frame.f_trace_opcodes = True
    frame.f_trace = given
    frame.f_trace_lines = False
    return given


def add(a, b):
    c = a + b
    return c


def mul(a, b):
    c = a * b
    return c


def sub(a, b):
    c = a - b
    return c


for tracer, function in (opcodes, add), (late, mul), (given, sub):
    sys.settrace(tracer)
    function(3, 2)
    sys.settrace(None)
