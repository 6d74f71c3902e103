import sys
def leaf():
    yield 1
    yield 2
def wrap(g):
    yield from g
def chain(n):
    g = leaf()
    for _ in range(n):
        g = wrap(g)
    return g
N = 100000
g = chain(N)
try:
    print(next(g))
    print(next(g))
    print(next(g, "end"))
except RecursionError as e:
    print("RecursionError", e)
del g
g = chain(N)
try:
    next(g)
except RecursionError as e:
    print("RecursionError", e)
g.close()
print(g.gi_suspended)
g = chain(N)
del g
g = chain(N)
try:
    next(g)
except RecursionError as e:
    print("RecursionError", e)
try:
    g.throw(ValueError("deep"))
except (ValueError, StopIteration) as e:
    print(type(e).__name__, e)
del g
def hold(x):
    yield x
    print("never")
g = None
for _ in range(N):
    g = hold(g)
    next(g)
del g
print("freed")
def hold2(x):
    try:
        yield x
    finally:
        pass
g = None
for _ in range(N):
    g = hold2(g)
    next(g)
del g
print("freed with finally")
def rec(n):
    if n:
        yield from rec(n - 1)
    yield n
print(len(list(rec(200))))
try:
    list(rec(5000))
except RecursionError as e:
    print("RecursionError", e)
def rec2(n):
    if n:
        for x in rec2(n - 1): yield x
    yield n
print(len(list(rec2(200))))
try:
    list(rec2(5000))
except RecursionError as e:
    print("RecursionError", e)
async def coro(c):
    return await c
class Y:
    def __await__(self):
        yield "bottom"
        return "result"
async def bottom(): return await Y()
c = bottom()
for _ in range(N): c = coro(c)
try:
    print(c.send(None))
    c.send(None)
except StopIteration as e:
    print("StopIteration", e.value)
except RecursionError as e:
    print("RecursionError", e)
c.close()
del c
def selfy():
    while True:
        yield from g2
g2 = selfy()
try: next(g2)
except ValueError as e: print(e)
