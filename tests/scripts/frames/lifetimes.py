"""Frames kept longer than what ran in them, and let go when nobody needs them."""
import gc
import sys


class Noisy:
    def __init__(self, name):
        self.name = name

    def __del__(self):
        print("gone", self.name)


def returned():
    value = Noisy("returned")
    return sys._getframe()


frame = returned()
print("kept", frame.f_locals["value"].name)
del frame


def raised():
    value = Noisy("raised")
    raise ValueError


try:
    raised()
except ValueError as error:
    print("handled", error.__traceback__.tb_next.tb_frame.f_locals["value"].name)
print("after")


def not_kept():
    value = Noisy("not kept")
    sys._getframe()
    sys._getframe().f_locals["other"] = Noisy("extra")
    print("leaving")


not_kept()


def cyclic():
    frame = sys._getframe()
    value = Noisy("cyclic")
    return None


cyclic()
print("collecting")
print(gc.collect() > 0)


def stored():
    value = Noisy("stored")
    try:
        raise KeyError
    except KeyError as error:
        kept = error


stored()
print("collecting")
gc.collect()


def generator():
    value = Noisy("generator")
    yield sys._getframe()


frame = next(generator())
print("closed", list(frame.f_locals))
frame.clear()
del frame


def self_holding():
    value = Noisy("self holding")
    frame = sys._getframe()
    yield


g = self_holding()
next(g)
del g
print("collecting")
gc.collect()


def deep(n):
    return sys._getframe() if n == 0 else deep(n - 1)


def length(frame):
    count = 0
    while frame is not None and frame.f_code.co_name == "deep":
        count += 1
        frame = frame.f_back
    return count


sys.setrecursionlimit(60000)
frame = deep(50000)
print(length(frame))
del frame


def wide(n, a=1, b=2, c=3, d=4, e=5, f=6, g=7, h=8):
    """Straddles chunks of the data stack, which are freed below the kept frames."""
    frames = [sys._getframe()]
    if n:
        frames += wide(n - 1)
    return frames


frames = wide(500)
print(len(frames), sum(f.f_locals["n"] + f.f_locals["h"] for f in frames), frames[-1].f_back is frames[-2])
frames[250].f_locals["a"] = "changed"
print(frames[250].f_locals["a"], frames[249].f_locals["a"])
frames[-1] = None
del frames
gc.collect()


def thrown(n):
    value = n
    if n == 0:
        raise LookupError
    thrown(n - 1)


def values(tb):
    while tb.tb_next:
        tb = tb.tb_next
        yield tb.tb_frame.f_locals["value"]


try:
    thrown(900)
except LookupError as error:
    print(sum(values(error.__traceback__)))


class Looks:
    """Asks for the frame that is just ending."""

    def __del__(self):
        looked.append(sys._getframe(1).f_code.co_name)
        looked.append(self.f() if hasattr(self, "f") else None)


looked = []


def ends(raising=False):
    a = Looks()
    b = Looks()
    a.f = lambda: b.__class__.__name__
    proxy = sys._getframe().f_locals
    proxy["c"] = Looks()
    if raising:
        raise ValueError


for _ in range(3):
    ends()
    try:
        ends(True)
    except ValueError:
        pass
gc.collect()
print(len(looked), sorted(set(looked) - {None}))


def round():
    f = returned_quietly()
    try:
        thrown(5)
    except LookupError:
        pass
    for frame in short():
        frame.f_locals["x"] = 3
    return f.f_locals


def returned_quietly():
    value = [1, 2]
    return sys._getframe()


def short():
    x = 1
    yield sys._getframe()
    yield sys._getframe(1)


for _ in range(1000):
    round()
gc.collect()
print("done")
