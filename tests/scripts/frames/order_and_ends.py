import types, sys, gc
def t(f):
    try: print(f())
    except BaseException as e: print(type(e).__name__, e)
def f(a,b): return a,b
f.__defaults__=(1,2,3)
print(f(), f(9))
class D:
    def __init__(s,n): s.n=n
    def __del__(s): print("del", s.n)
def o1():
    a=D('a'); b=D('b'); c=D('c'); return 1
def o2(a,b): return 1
def o3():
    x=[D('x')]; t=(D('t'),); d={1:D('d')}
def o4():
    a=D('a4'); b=D('b4'); raise KeyError
def g():
    a=D('ga'); b=D('gb'); yield 1; yield 2
def o5():
    a=D('a5'); b=D('b5')
    return lambda: (a,b)
def o6():
    a=D('a6'); b=D('b6')
    return sys._getframe()
print(o1()); print(o2(D(1),D(2))); o3()
try: o4()
except KeyError: pass
x=g(); next(x); del x
x=g(); next(x); x.close()
list(g())
k=o5(); del k
fr=o6(); fr.clear()
fr=o6(); del fr
class K:
    def keys(s): return ['a']
    def __getitem__(s,k): raise AttributeError('q')
class K2:
    def keys(s): return 1
class K3:
    @property
    def keys(s): raise AttributeError('z')
def kw(**k): return k
for m in (K(),K2(),K3(),5):
    t(lambda: {**m}); t(lambda: kw(**m)); t(lambda: dict(m)); t(lambda: {}.update(m))
t(lambda: types.CellType(5).cell_contents); t(lambda: types.CellType(1,2)); t(lambda: types.CellType().cell_contents)
t(lambda: ExceptionGroup[int]); t(lambda: BaseExceptionGroup[int])
for n in (20,21,22):
    try: compile('with '+','.join(['a']*n)+': pass','','exec'); print(n,"ok")
    except SyntaxError as e: print(n,e.msg)
def gg(): yield 5
t(lambda: types.coroutine(gg) is gg); print(hex(gg.__code__.co_flags))
async def aw(): return await gg()
c=aw(); print(c.send(None))
try: c.send(None)
except StopIteration as e: print(e.value)
t(lambda: UnicodeEncodeError(1,2,3,4,5)); t(lambda: UnicodeTranslateError(1,2,3,4)); t(lambda: UnicodeDecodeError('a','b',1,2,'c')); t(lambda: UnicodeDecodeError('a',b'b','x',2,'c'))
t(lambda: UnicodeDecodeError('a',b'b',1,2,'c'))
class A: pass
A.__module__='mm'
def w():
    with A(): pass
t(w)
t(lambda: exec('1', closure=()))
def unr(u): print("hook", u.err_msg.split("<")[0].split(" at ")[0], type(u.exc_value).__name__)
sys.unraisablehook=unr
def cb(*a): 1/0
gc.callbacks.append(cb); gc.collect(); gc.callbacks.clear()
class It:
    close=property(lambda s: 1/0)
    def __iter__(s): return s
    def __next__(s): return 1
def yf(): yield from It()
y=yf(); next(y); y.close()
