"""When a trace function hears that a loop's generator has ended: where the loop has been specialised, and LINE stops that."""
import sys


def numbers(n):
    for i in range(n):
        yield i


def one_line():
    for x in numbers(3): pass


def two_lines():
    for x in numbers(3):
        pass


def expression():
    return sum(x for x in numbers(3))


def spread():
    return sum(
        x
        for x
        in numbers(3)
    )


def comprehension():
    return [x for x in numbers(3)]


def in_generator():
    def inner():
        for x in numbers(2): yield x
    for y in inner(): pass


def delegated():
    def inner():
        yield from numbers(2)
    for y in inner(): pass


def nested():
    for x in numbers(2):
        for y in numbers(2): pass


def run(function):
    heard = []

    def tracer(frame, event, arg):
        if event == "exception":
            heard.append((frame.f_code.co_name, frame.f_lineno - frame.f_code.co_firstlineno, arg[0].__name__))
        return tracer

    sys.settrace(tracer)
    function()
    sys.settrace(None)
    print(function.__name__, heard)


functions = one_line, two_lines, expression, spread, comprehension, in_generator, delegated, nested
for function in functions * 2:
    run(function)
for function in functions:
    for _ in range(5):
        function()
for function in functions:
    run(function)
