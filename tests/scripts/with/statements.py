class CM:
    def __init__(self, name, swallow=False, fail=None):
        self.name, self.swallow, self.fail = name, swallow, fail
    def __enter__(self):
        print("enter", self.name)
        if self.fail == "enter": raise RuntimeError("enter failed")
        return self.name
    def __exit__(self, t, v, tb):
        print("exit", self.name, t and t.__name__, v, tb is not None)
        if self.fail == "exit": raise RuntimeError("exit failed")
        return self.swallow
with CM("a") as x: print(x)
with CM("a") as x, CM("b") as y: print(x, y)
with (CM("a") as x, CM("b", True) as y):
    raise ValueError("1")
try:
    with CM("a", fail="exit"):
        raise ValueError("2")
except RuntimeError as e:
    print(e, repr(e.__context__))
try:
    with CM("a"), CM("b", fail="enter"): print("not reached")
except RuntimeError as e: print(e)
def f():
    for i in range(3):
        with CM(i):
            if i == 0: continue
            if i == 1: break
    with CM("ret"):
        return "value"
print(f())
def g():
    with CM("gen"):
        yield 1
        yield 2
for x in g(): print(x)
it = g(); next(it); it.close()
it = g(); next(it)
try: it.throw(KeyError("t"))
except KeyError as e: print(repr(e))
class Inst: pass
i = Inst()
i.__enter__ = lambda: print("no"); i.__exit__ = lambda *a: None
try:
    with i: pass
except TypeError as e: print(e)
class Static:
    @staticmethod
    def __enter__(): return "static"
    @classmethod
    def __exit__(cls, *a): print(cls.__name__, a)
with Static() as s: print(s)
class Multi:
    def __enter__(self): return 1, 2, [3, 4]
    def __exit__(self, *a): pass
with Multi() as (a, b, [c, d]): print(a, b, c, d)
class B:
    def __enter__(self): return self
    def __exit__(self, *a): return B2()
class B2:
    def __bool__(self):
        print("bool asked")
        return True
with B(): raise ValueError
def nested():
    try:
        with CM("n1"):
            try:
                with CM("n2"):
                    1 / 0
            finally:
                print("inner finally")
    except ZeroDivisionError as e:
        print("zde", e)
nested()
def loop():
    total = 0
    for i in range(50):
        with CM2() as k: total += k
    return total
class CM2:
    n = 0
    def __enter__(self): CM2.n += 1; return CM2.n
    def __exit__(self, *a): return None
print(loop())
