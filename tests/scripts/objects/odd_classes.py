import types, collections, collections.abc, sys, io
def t(f):
    try: print(f())
    except BaseException as e: print(type(e).__name__, e)
m = types.MethodType(len, [1])
t(lambda: m.__getattribute__(1))
class C:
    def f(s): pass
t(lambda: C().f.__getattribute__(None))
t(lambda: type.__getattribute__(C, 1))
t(lambda: super(int, 1).__getattribute__(1))
t(lambda: type.__setattr__(C, 1, 2))
t(lambda: type.__delattr__(C, 1))
t(lambda: object.__setattr__(C(), 1, 2))
t(lambda: object.__delattr__(C(), 1))
for base in (list, set, tuple, str, int, float, Exception, property, dict, bytes):
    class M(type):
        def mro(c): return [c, base, object]
    t(lambda: M("X", (), {}))
    t(lambda: M("X", (base,), {}).__mro__)
class M(type):
    def mro(c): return []
t(lambda: M("X", (), {}))
class M(type):
    def mro(c): return [c, C, object]
t(lambda: M("X", (), {}).__mro__)
class Sq(collections.abc.Sequence):
    def __len__(s): return 2
    def __getitem__(s, i):
        if i > 1: raise IndexError
        return i
class Sub(Sq): pass
class R: 
    def __len__(s): return 1
    def __getitem__(s, i): return [5][i]
class RS(R): pass
def match(v):
    match v:
        case [*a]: return "seq", a
        case {"a": x}: return "map", x
        case _: return "no"
print(match(R()), match(RS()))
collections.abc.Sequence.register(R)
for v in (Sq(), Sub(), R(), RS(), collections.UserDict(a=1), collections.UserList([1]), collections.ChainMap({"a":2}), collections.UserString("ab"), types.MappingProxyType({"a":3}), collections.deque([1]), "x", b"y", range(2)):
    print(type(v).__name__, match(v))
print("__abc_tpflags__" in vars(collections.abc.Sequence), hasattr(Sq, "__abc_tpflags__"))
print([isinstance(x, collections.abc.Buffer) for x in (b"", bytearray(), memoryview(b""), "", [])])
class N: __bool__ = None
t(lambda: bool(N()))
d = collections.defaultdict(list); d[1].append(d); print(d)
class F:
    def __init__(s): s.d = collections.defaultdict(s)
    def __call__(s): return 1
    def __repr__(s): return repr(s.d)
print(F())
t(lambda: super(bool, True).__thisclass__)
t(lambda: [super(bool, True).__self__, super(bool, True).__self_class__])
t(lambda: float.from_number(1)); t(lambda: float.from_number("1")); t(lambda: float.from_number(2.5))
class FF(float): pass
t(lambda: type(FF.from_number(1)))
t(lambda: exec("match 'a':\n case f'a': print('hit')"))
t(lambda: collections.Counter("ab") ^ collections.Counter("b"))
mm = types.ModuleType("mm"); print(mm)
def dd(): return ["z", "q"]
mm.__dir__ = dd; print(dir(mm))
del mm.__name__; print(mm); print(sys)
t(lambda: io.StringIO("a", newline=1))
class H:
    __hash__ = None
H.__module__ = "m"
t(lambda: {H()}); t(lambda: {H(): 1})
t(lambda: "a".replace("a",key=1))
class B:
    def __iter__(self): return 1
t(lambda: bytes(B())); t(lambda: bytearray(B()))
print(len.__self__, [].append.__self__)

d = collections.defaultdict()
for factory in (5, 1.5, None, "x", True, [1]):
    d.default_factory = factory
    print(d)
