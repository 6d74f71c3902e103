import types


def f():
    yield


@types.coroutine
def old(n):
    got = yield n
    return got


async def uses():
    return await old(3)


c = uses()
print(c.send(None))
try:
    c.send("sent")
except StopIteration as e:
    print(e.value)
print(isinstance(f, types.FunctionType), isinstance(f(), types.GeneratorType), isinstance(len, types.BuiltinFunctionType))
print(types.NoneType, types.EllipsisType, types.MethodType, types.ModuleType, types.CodeType, types.CellType)
ns = types.SimpleNamespace(a=1, b="x")
print(ns, ns.a, ns == types.SimpleNamespace(a=1, b="x"))
ns.c = 3
print(sorted(vars(ns)))
p = types.MappingProxyType({"k": 1})
print(p["k"], p)
C = types.new_class("C", (int,), {}, lambda ns: ns.update(x=5))
print(C.__name__, C.x, C(3) + 1)


class Meta(type):
    @classmethod
    def __prepare__(mcs, name, bases, **kw):
        return {"prepared": kw}

    def __new__(mcs, name, bases, ns, **kw):
        return super().__new__(mcs, name, bases, ns)

    def __init__(cls, name, bases, ns, **kw):
        pass


D = types.new_class("D", (), {"metaclass": Meta, "z": 1})
print(type(D).__name__, D.prepared)
print(types.resolve_bases((int, list[int])), types.get_original_bases(C))


class Dyn:
    @types.DynamicClassAttribute
    def value(self):
        return 7


print(Dyn().value)
try:
    Dyn.value
except AttributeError:
    print("no class attribute")
