import sys
def run(c):
    out = []
    try:
        v = None
        while 1:
            out.append(c.send(v)); v = None
    except StopIteration as e:
        return out, e.value
class Susp:
    def __init__(self, v): self.v = v
    def __await__(self):
        r = yield self.v
        return r
async def leaf(n):
    await Susp(n)
    return n * 2
async def mid(n):
    return [await leaf(i) for i in range(n)]
print(run(mid(3)))
async def agen(n):
    for i in range(n):
        await Susp(("agen", i))
        got = yield i
        if got is not None:
            print("agen got", got)
async def loops():
    out = []
    async for x in agen(3):
        out.append(x)
    else:
        out.append("else")
    out.append([x async for x in agen(2)])
    out.append({x: x async for x in agen(2)})
    out.append({x async for x in agen(2) if x})
    ge = (y * 10 async for y in agen(3))
    out.append([z async for z in ge])
    out.append([await leaf(i) async for i in agen(2)])
    return out
print(run(loops()))
async def sends():
    a = agen(4)
    print(await a.__anext__())
    print(await a.asend("hello"))
    try:
        await a.athrow(ValueError("into"))
    except ValueError as e:
        print("caught", e)
    try:
        await a.__anext__()
    except StopAsyncIteration:
        print("ended")
    b = agen(3)
    print(await anext(b), await anext(b, "d"))
    await b.aclose()
    print(await anext(b, "default"))
    await b.aclose()
    return "ok"
print(run(sends()))
class ACM:
    def __init__(self, swallow): self.swallow = swallow
    async def __aenter__(self):
        await Susp("enter")
        return self
    async def __aexit__(self, t, v, tb):
        print("aexit", t and t.__name__, v, tb is not None)
        await Susp("exit")
        return self.swallow
async def withs():
    async with ACM(False) as a:
        print(type(a).__name__)
    async with ACM(True):
        raise ValueError("swallowed")
    try:
        async with ACM(False), ACM(False):
            raise KeyError("through")
    except KeyError as e:
        print("got", e)
    async with ACM(False):
        return "returned"
print(run(withs()))
class AIter:
    def __init__(self, n): self.n = n
    def __aiter__(self): return self
    async def __anext__(self):
        if not self.n: raise StopAsyncIteration
        self.n -= 1
        return self.n
async def itr():
    return [x async for x in AIter(4)]
print(run(itr()))
async def exc():
    try:
        async for x in agen(2):
            raise KeyError(x)
    except KeyError as e:
        print("key", e)
    try:
        async for x in Bad():
            pass
    except ZeroDivisionError as e:
        return repr(e)
class Bad:
    def __aiter__(self): return self
    async def __anext__(self): return 1 / 0
print(run(exc()))
c = leaf(1)
print(c.cr_await, c.cr_running, c.cr_suspended, c.cr_origin, c.__name__, c.__qualname__, c.cr_code.co_name)
print(c.send(None), c.cr_suspended, c.cr_await is not None)
try:
    c.throw(ValueError("thrown in"))
except ValueError as e:
    print(e)
print(c.cr_suspended, c.cr_await)
c = leaf(2)
c.close()
async def fin():
    try:
        await Susp(1)
    finally:
        print("fin")
c = fin(); c.send(None); c.close()
c = fin(); c.send(None); del c
async def agfin():
    try:
        yield 1
        yield 2
    finally:
        print("agfin")
async def partial():
    a = agfin()
    async for x in a:
        break
    print(a.ag_running, a.ag_suspended)
    await a.aclose()
run(partial())
a = agen(2)
s = a.asend(None)
print(s.send(None), a.ag_running)
s2 = a.asend(None)
try:
    s2.send(None)
except RuntimeError as e:
    print(e)
try:
    s.send(None)
except StopIteration as e:
    print("yielded", e.value, a.ag_running)
try:
    s.send(None)
except RuntimeError as e:
    print(e)
cl = a.aclose()
try:
    cl.send(1)
except RuntimeError as e:
    print(e)
try:
    cl.send(None)
except StopIteration as e:
    print("closed", e.value)
try:
    cl.send(None)
except RuntimeError as e:
    print(e)
async def ignores():
    try:
        yield 1
    except GeneratorExit:
        yield 2
async def ig():
    a = ignores()
    await anext(a)
    try:
        await a.aclose()
    except RuntimeError as e:
        print(e)
run(ig())
async def aw_close():
    try:
        yield 1
    finally:
        await Susp("in finally")
        print("finally done")
async def wc():
    a = aw_close()
    await anext(a)
    await a.aclose()
print(run(wc()))
s = agen(1).asend(None); s.close()
s = agen(1).athrow(ValueError); s.close()
try:
    s.send(None)
except RuntimeError as e: print(e)
async def outer_cancel():
    try:
        await leaf("x")
    except KeyError as e:
        print("cancelled", e)
        return "after"
c = outer_cancel()
print(c.send(None))
try:
    c.throw(KeyError("kk"))
except StopIteration as e:
    print(e.value)
async def already():
    c = leaf(3)
    it = c.__await__()
    print(next(it))
    try:
        await c
    except RuntimeError as e:
        print(e)
run(already())
async def gath():
    return await leaf(1) + await leaf(2)
print(run(gath()))

