"""What a trace function hears after it has set f_lineno."""
import sys


def straight(out):
    out.append(1)
    out.append(2)
    out.append(3)


def loop(out, i=None):
    for i in range(2):
        out.append(i)
        out.append(-i)
    out.append("end")


def while_loop(out, n=None):
    n = 0
    while n < 2:
        n += 1
    out.append(n)


def one_line(out, n=None):
    n = 0
    while n < 3: n += 1; out.append(n)
    out.append("end")


def generator(out, sent=None):
    out.append("a")
    sent = yield 1
    out.append(sent)
    sent = yield 2
    out.append(sent)


def handled(out):
    try:
        out.append("body")
        raise ValueError
    except ValueError:
        out.append("handler")
    finally:
        out.append("finally")
    out.append("after")


def run(function, event_wanted, at, to, n, drive):
    out, told, left, base = [], [], [n], function.__code__.co_firstlineno

    def tracer(frame, event, arg):
        if frame.f_code is not function.__code__:
            return None
        told.append((event, frame.f_lineno - base))
        if event == event_wanted and frame.f_lineno - base == at:
            left[0] -= 1
            if left[0] == 0:
                try:
                    frame.f_lineno = base + to
                    told.append(("now", frame.f_lineno - base))
                except ValueError as error:
                    told.append(str(error))
        return tracer

    sys.settrace(tracer)
    try:
        drive(function, out)
    except Exception as error:
        out.append(type(error).__name__)
    finally:
        sys.settrace(None)
    print(function.__name__, event_wanted, at, to, n, out)
    print("   ", *told)


def call(function, out):
    function(out)


def send(function, out):
    g = function(out)
    out.append(next(g))
    for value in "xyz":
        try:
            out.append(g.send(value))
        except StopIteration:
            out.append("stop")
            break


for at in range(1, 4):
    for to in range(1, 4):
        run(straight, "line", at, to, 1, call)
for at in range(1, 5):
    for to in range(1, 5):
        for n in (1, 2):
            run(loop, "line", at, to, n, call)
            run(while_loop, "line", at, to, n, call)
for n in range(1, 5):
    for to in (1, 2, 3):
        run(one_line, "line", 2, to, n, call)
for event in ("call", "line", "return"):
    for at in range(0, 6):
        for to in range(1, 6):
            run(generator, event, at, to, 1, send)
for at in range(1, 9):
    for to in range(1, 9):
        run(handled, "line", at, to, 1, call)
