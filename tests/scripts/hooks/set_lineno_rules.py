"""Where `frame.f_lineno` may be set, to what, and what becomes of the stack."""
import sys


class Manager:
    def __init__(self, out, name):
        self.out, self.name = out, name

    def __enter__(self):
        self.out.append(f"enter {self.name}")

    def __exit__(self, kind, value, traceback):
        self.out.append(f"exit {self.name} {kind and kind.__name__}")
        return True


def plain(out):
    out.append(1)
    out.append(2)
    out.append(3)


def loops(out, i=None, j=None):
    for i in (1, 2):
        out.append(i)
        for j in "ab":
            out.append(j)
        out.append(-i)
    else:
        out.append("else")
    out.append("end")


def trying(out, e=None):
    out.append("before")
    try:
        out.append("try")
        raise ValueError("x")
    except ValueError as e:
        out.append(repr(sys.exception()))
        out.append("more")
    finally:
        out.append("finally")
    out.append(repr(sys.exception()))


def nested_handlers(out):
    try:
        1 / 0
    except ZeroDivisionError:
        try:
            {}["k"]
        except KeyError:
            out.append(repr(sys.exception()))
            out.append("inner")
        out.append(repr(sys.exception()))
    out.append(repr(sys.exception()))


def with_(out):
    out.append("before")
    with Manager(out, 1):
        out.append("body")
        with Manager(out, 2):
            out.append("inner")
            1 / 0
        out.append("left")
    out.append("after")


def starred(out):
    try:
        raise ExceptionGroup("g", [ValueError(1), TypeError(2)])
    except* ValueError:
        out.append("values")
    except* TypeError:
        out.append("types")
    out.append(repr(sys.exception()))


def comprehension(out, c=None, i=None):
    c = [
        i
        for i in (1, 2)
    ]
    out.append(c)


def matching(out, x=None):
    match out:
        case [x, *_]:
            out.append("some")
        case []:
            out.append("none")
    out.append("end")


def returns(out):
    try:
        out.append("try")
        return out.append("return")
    finally:
        out.append("finally")
        out.append("still")


def endless(out):
    out.append(1)
    while True:
        out.append(2)
        if len(out) > 5:
            break
    out.append(3)


def run(function, at, to, wanted="line", n=1):
    out, left, base, done = [], [n], function.__code__.co_firstlineno, []

    def tracer(frame, event, arg):
        if frame.f_code is not function.__code__:
            return None
        if event == wanted and frame.f_lineno - base == at and not done:
            left[0] -= 1
            if left[0] == 0:
                done.append(True)
                try:
                    frame.f_lineno = base + to
                except ValueError as error:
                    done.append(str(error))
        return tracer

    sys.settrace(tracer)
    try:
        function(out)
    except Exception as error:
        out.append(f"{type(error).__name__}: {error}")
    finally:
        sys.settrace(None)
    print(function.__name__, at, "->", to, wanted, out, *done[1:], repr(sys.exception()))


def size(function):
    return max(line for *_, line in function.__code__.co_lines() if line) - function.__code__.co_firstlineno


for function in plain, loops, trying, nested_handlers, with_, comprehension, matching, returns, endless:
    for at in range(1, size(function) + 1):
        for to in range(1, size(function) + 1):
            run(function, at, to)
for at in range(1, size(starred) + 1):
    for to in range(1, size(starred) + 1):
        run(starred, at, to)
for event in "call", "line", "return", "exception", "opcode":
    for at in range(4):
        run(plain, at, 2, event)
run(trying, 4, 6, "exception")
for to in -1000, -1, 0, 4, 1000:
    run(plain, 2, to)

# What is no line, and when it is no time.
frame = sys._getframe()
for value in 1, "1", None:
    try:
        frame.f_lineno = value
    except ValueError as error:
        print(error)
try:
    del frame.f_lineno
except AttributeError as error:
    print(error)


def values(frame, event, arg):
    for value in "a", 1.5, None, 2**70, -(2**70), 2**31, -(2**31), True:
        try:
            frame.f_lineno = value
        except ValueError as error:
            print(event, repr(value), error)
    try:
        del frame.f_lineno
    except AttributeError as error:
        print(event, error)
    return values


sys.settrace(values)
plain([])
sys.settrace(None)


# By way of monitoring and of a profile.
def generator(out):
    out.append("a")
    yield 1
    out.append("b")
    yield 2
    out.append("c")


def throws(out):
    g = generator(out)
    next(g)
    try:
        g.throw(KeyError)
    except KeyError:
        out.append("thrown")


monitoring = sys.monitoring
monitoring.use_tool_id(3, "test")
for event, function, to, drive in [
    (event, plain, 3, plain) for event in ("PY_START", "PY_RETURN", "LINE", "INSTRUCTION", "CALL")
] + [
    (event, generator, to, lambda out: out.append(list(generator(out))))
    for event in ("PY_START", "PY_RESUME", "PY_YIELD", "PY_RETURN", "LINE")
    for to in (1, 3, 5)
] + [
    (event, generator, 3, throws) for event in ("PY_THROW", "PY_UNWIND", "RAISE")
]:
    out, done = [], []

    def callback(code, *rest):
        if code is not function.__code__ or done:
            return
        done.append(event)
        try:
            sys._getframe(1).f_lineno = code.co_firstlineno + to
        except ValueError as error:
            done.append(str(error))

    number = getattr(monitoring.events, event)
    monitoring.register_callback(3, number, callback)
    monitoring.set_events(3, number)
    drive(out)
    monitoring.set_events(3, 0)
    monitoring.register_callback(3, number, None)
    print(function.__name__, to, done, out)
monitoring.free_tool_id(3)


def profiler(frame, event, arg):
    if frame.f_code is plain.__code__:
        try:
            frame.f_lineno = frame.f_lineno
        except ValueError as error:
            told.append((event, str(error)))


told = []
sys.setprofile(profiler)
plain([])
sys.setprofile(None)
print(*told, sep="\n")


# Variables that have no value get one.
def variables(out):
    a = 1
    b = 2
    f = lambda: (a, b)
    c = 3
    out.append((c, callable(f)))


run(variables, 1, 5)
run(variables, 4, 5)

source = """x = 1
y = 2
class C:
    a = 1
    b = 2
    c = 3
z = 5
"""
for name, at, to in [("<module>", 1, 7), ("<module>", 2, 4), ("C", 4, 6), ("C", 5, 3), ("C", 4, 7)]:
    names, done = {}, []

    def in_body(frame, event, arg):
        if frame.f_code.co_name == name and event == "line" and frame.f_lineno == at and not done:
            done.append(True)
            try:
                frame.f_lineno = to
            except ValueError as error:
                print(error)
        return in_body

    code = compile(source, "<body>", "exec")
    sys.settrace(in_body)
    exec(code, names)
    sys.settrace(None)
    print(name, at, to, [key for key in names if key in "xyzC"], [k for k in vars(names.get("C", int)) if k in "abc"])
