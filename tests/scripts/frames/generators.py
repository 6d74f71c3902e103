"""Frames of generators and coroutines: theirs for life, and kept when they end."""
import sys


def gen():
    x = 1
    yield sys._getframe()
    x = 2
    yield x


def shape(frame):
    text = repr(frame)
    return text[: text.index(" at ")] + text[text.index(",") :]


g = gen()
first = g.gi_frame
print(shape(first), first.f_lineno, first.f_lasti, first.f_back, first.f_generator is g, first.f_locals)
second = next(g)
print(first is second, second.f_back, second.f_locals, second.f_lineno, second.f_lasti, g.gi_frame is second)
second.f_locals["x"] = 5
second.f_locals["y"] = 6
print(second.f_locals)
try:
    second.clear()
except RuntimeError as error:
    print(error)
print(next(g), second.f_lineno, second.f_lasti)
print(list(g), g.gi_frame, second.f_locals, shape(second), second.f_generator, second.f_back is sys._getframe())

g = gen()
frame = g.gi_frame
frame.clear()
print(g.gi_frame, list(g), frame.f_locals)

g = gen()
frame = next(g)
g.close()
print(g.gi_frame, frame.f_locals, frame.f_lineno, frame.f_generator)
frame.clear()
print(frame.f_locals)

g = gen()
frame = next(g)
del g
print(frame.f_locals, frame.f_generator, shape(frame))


def running():
    frame = sys._getframe()
    print(frame.f_back.f_code.co_name, frame.f_generator.gi_frame is frame, frame.f_generator.gi_running)
    try:
        frame.clear()
    except RuntimeError as error:
        print(error)
    value = 1
    frame.f_locals["value"] = 2
    yield value
    print(frame.f_back.f_code.co_name, value)
    yield value


def resumes(g):
    return next(g)


r = running()
print(resumes(r))
print(r.gi_frame.f_back)
r.gi_frame.f_locals["value"] = 3
print(resumes(r), r.gi_frame.f_lineno)
for item in r:
    pass
print(r.gi_frame)


def delegate():
    yield from gen()


d = delegate()
inner = next(d)
print(d.gi_yieldfrom.gi_frame is inner, d.gi_frame.f_lineno, d.gi_frame.f_lasti, inner.f_back, d.gi_frame.f_back)


def raising():
    kept = "kept"
    yield 1
    raise ValueError(kept)


g = raising()
frame = g.gi_frame
next(g)
try:
    next(g)
except ValueError as error:
    tb = error.__traceback__
print(tb.tb_next.tb_frame is frame, frame.f_locals, frame.f_back is sys._getframe(), g.gi_frame)
try:
    raising().throw(KeyError("thrown"))
except KeyError as error:
    print(error.__traceback__.tb_next.tb_frame.f_code.co_name, error.__traceback__.tb_next.tb_lineno)


async def coroutine():
    own = sys._getframe()
    print(own.f_generator.cr_frame is own, own.f_code.co_name)
    return own


c = coroutine()
print(c.cr_frame.f_lineno, c.cr_frame.f_back, c.cr_running, c.cr_suspended)
try:
    c.send(None)
except StopIteration as stop:
    own = stop.value
print(c.cr_frame, own.f_generator, sorted(own.f_locals))


async def agen():
    yield sys._getframe()


a = agen()
print(a.ag_frame.f_code.co_name, a.ag_frame.f_generator is a, a.ag_running)
step = a.asend(None)
try:
    step.send(None)
except StopIteration as stop:
    print(stop.value is a.ag_frame, a.ag_suspended)

free = "global"


def closes(value):
    def inner():
        yield value
        yield value

    return inner()


g = closes(1)
g.gi_frame.f_locals["value"] = 7
print(list(g.gi_frame.f_locals.items()), next(g))
g.gi_frame.f_locals["value"] = 8
print(next(g))

expression = (x * y for x in [1, 2, 3] for y in [4])
print(next(expression), sorted(expression.gi_frame.f_locals))
expression.gi_frame.f_locals["x"] = 100
print(next(expression), expression.gi_frame.f_locals["x"])
