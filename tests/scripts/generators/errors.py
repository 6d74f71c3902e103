def t(f):
    try:
        r = f()
        print('ok', r)
    except BaseException as e:
        print(type(e).__name__, '|', e, '| cause', repr(e.__cause__), '| ctx', repr(e.__context__))
class E: pass
class A:
    async def __aenter__(self): pass
    async def __aexit__(self,*a): pass
class EX:
    def __exit__(self,*a): pass
class EN:
    def __enter__(self): pass
def w(o):
    with o: pass
t(lambda: w(E())); t(lambda: w(A())); t(lambda: w(EX())); t(lambda: w(EN())); t(lambda:w(1))
async def aw(o):
    async with o: pass
def run(c):
    try:
        while 1: c.send(None)
    except StopIteration as e: return e.value
class C:
    def __enter__(self): pass
    def __exit__(self,*a): pass
class AEN:
    async def __aenter__(self): pass
class AEX:
    async def __aexit__(self,*a): pass
class BADEN:
    def __aenter__(self): return 1
    def __aexit__(self,*a): return 2
class BADEX:
    async def __aenter__(self): pass
    def __aexit__(self,*a): return 2
for o in (E(), C(), AEN(), AEX(), BADEN(), BADEX(), 1): t(lambda: run(aw(o)))
async def af(o):
    async for x in o: pass
class AI:
    def __aiter__(self): return 1
class AI2:
    def __aiter__(self): return self
    def __anext__(self): return 1
class AI3:
    def __aiter__(self): return self
    async def __anext__(self): raise StopAsyncIteration
for o in (E(), AI(), AI2(), AI3(), 1): t(lambda: run(af(o)))
async def a(o): return await o
class AW:
    def __init__(s,v): s.v=v
    def __await__(s): return s.v
unused = [a(1) for i in range(4)]
for o in (1, E(), AW(1), AW(iter([])), AW(unused[0]), [1]): t(lambda: run(a(o)))
def g():
    yield
async def ag(): yield
t(lambda: g().send(1)); t(lambda: unused[0].send(1)); t(lambda: ag().asend(1).send(None))
def re():
    yield next(it)
it = re(); t(lambda: next(it))
def f1():
    yield from 3
t(lambda: next(f1()))
def f2():
    yield from unused[1]
t(lambda: next(f2()))
x = g(); next(x)
t(lambda: x.throw(1))
t(lambda: g().throw())
t(lambda: g().throw(1,2,3,4))
c = a(1); t(lambda: run(c)); t(lambda: c.send(None))
def ig():
    try: yield
    finally: yield
x = ig(); next(x); t(x.close); t(x.close)
def rv():
    try: yield
    except GeneratorExit: return 5
x = rv(); next(x); t(x.close)
def si():
    raise StopIteration(3)
    yield
t(lambda: next(si()))
async def csi():
    raise StopIteration(3)
t(lambda: run(csi()))
async def agsi():
    raise StopIteration(3)
    yield
t(lambda: agsi().asend(None).send(None))
async def agsa():
    raise StopAsyncIteration(3)
    yield
t(lambda: agsa().asend(None).send(None))
print(repr(g())[:21], repr(unused[0])[:20], repr(ag())[:26])
print(type(g()), type(unused[0]), type(ag()), type(unused[0].__await__()))
t(lambda: iter(unused[0])); t(lambda: type(g())())
t(lambda: aiter(1)); t(lambda: anext(1)); t(lambda: run(anext(ag(), 5))); t(lambda: aiter(AI()))
t(lambda: anext(1,2,3))
for o in unused: o.close()
