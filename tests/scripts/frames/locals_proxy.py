"""f_locals of a function writes through (PEP 667)."""
import sys


def attempt(text, names):
    try:
        try:
            value = eval(text, names)
        except SyntaxError:
            value = exec(text, names)
            value = names["fl"] is names["own"]
        value = repr(value)
        print(text, "->", value[: value.find(" at 0x")] if " at 0x" in value else value[:90])
    except Exception as error:
        print(text, "->", type(error).__name__, error)


def matched(mapping):
    match mapping:
        case {"x": found}:
            return found
    return "no"


def f(a, b=2, *args, **kw):
    x = 1

    def g():
        return x, a

    fl = sys._getframe().f_locals
    print(type(fl), type(fl).__mro__)
    print(sorted(n for n in dir(type(fl)) if n not in dir(object)))
    print(len(fl), list(fl), type(iter(fl)), type(fl.keys()), type(fl.values()), type(fl.items()))
    fl["x"] = 10
    print(x, g())
    fl["new"] = 5
    print(fl["new"], len(fl), "new" in fl, "y" in fl, list(fl))
    names = dict(fl=fl, sys=sys, matched=matched, own=fl)
    del g
    for text in TESTS:
        names["fl"] = fl
        attempt(text, names)
        names.pop("__builtins__", None)
    print(x, b)


TESTS = [
    "del fl['x']", "del fl['new']", "fl['zz']", "fl[1]", "fl.pop('x')", "fl.popitem()", "fl.pop('new')",
    "fl.pop('nix')", "fl.pop('nix', 3)", "fl.clear()", "hash(fl)", "fl.get('x')", "fl.get('q')", "fl.get('q', 7)",
    "fl.get()", "fl.setdefault('q', 8)", "fl.setdefault('x', 9)", "fl.setdefault('r')", "fl.update({'b': 3})",
    "fl.update(5)", "fl.update(x=4)", "fl.update([('x', 5)])", "fl.update()", "list(fl | {'z': 1})",
    "list({'z': 1} | fl)", "fl |= {'b': 9}", "fl | 3", "3 | fl", "fl == fl", "fl == dict(fl)", "fl == {}", "fl != {}",
    "fl < fl", "type(fl.copy())", "list(reversed(fl))", "type(reversed(fl))", "fl.keys()", "fl.fromkeys", "fl[[]]",
    "fl[[]] = 1", "fl[1] = 2", "fl[1]", "1 in fl", "[] in fl", "del fl[1]", "del fl['nonexist']", "bool(fl)",
    "fl.attr", "type(fl)()", "type(fl)(3)", "type(fl)(sys._getframe(), 1)", "type(fl)(frame=sys._getframe())",
    "class A(type(fl)): pass", "fl.__class_getitem__", "fl.x = 1", "fl.pop()", "fl.pop(1, 2, 3)",
    "fl.setdefault()", "fl == sys._getframe().f_locals", "fl.__getitem__('x')", "fl.__setitem__('x', 77)",
    "fl.__delitem__('x')", "'%(x)s' % fl", "'{x}'.format(**fl)", "fl.__len__()", "fl.__contains__('x')",
    "sorted({**fl}, key=str)", "isinstance(fl, dict)", "matched(fl)", "dict(fl.items())['x']", "fl.values()[0]",
]
f(1)


class Key:
    """Hashes and compares like a name."""

    def __hash__(self):
        return hash("x")

    def __eq__(self, other):
        return other == "x"


class Text(str):
    pass


def keys():
    x = 1
    fl = sys._getframe().f_locals
    fl[Key()] = 2
    print(x, fl[Text("x")])
    fl[Text("x")] = 3
    print(x, fl[Key()], list(fl))


keys()


def cells():
    x = 1
    later = sys._getframe().f_locals

    def g():
        nonlocal x
        own = sys._getframe().f_locals
        own["x"] = 5
        x += 1
        return own["x"], list(own)

    print(g(), x, later["x"])
    del x
    print("x" in later, "g" in later)
    later["x"] = "again"
    print(x)


cells()


def unbound():
    fl = sys._getframe().f_locals
    print("y" in fl, list(fl))
    fl["y"] = 3
    print(y, list(fl))
    del y
    print("y" in fl)
    y = 4


unbound()


def alive():
    """What was overwritten lives as long as the frame."""

    class Noisy:
        def __del__(self):
            print("gone")

    value = Noisy()
    sys._getframe().f_locals["value"] = 1
    print("replaced", value)
    return "end of"


print(alive(), "frame")


def borrowed():
    """The stack has the list borrowed while its variable is overwritten."""
    items = [1, 2, 3]
    return items.__len__() + len(items), items, overwrite(sys._getframe()), items


def overwrite(frame):
    frame.f_locals["items"] = "other"
    return "overwritten"


print(borrowed())


def loops():
    total = 0
    for number in [10, 20, 30]:
        sys._getframe().f_locals["number"] = number + 1
        total += number
    return total


print(loops())

print([sorted(locals()) for i in [1]], [type(sys._getframe().f_locals).__name__ for i in [1]])
print([sorted(k for k in sys._getframe().f_locals) for i in [1]])


class A:
    y = 3
    print(sys._getframe().f_locals is locals(), sorted(locals()))
    print([locals() for q in [2]])
    sys._getframe().f_locals["z"] = 8
    print(z)


class Meta(type):
    @classmethod
    def __prepare__(cls, name, bases):
        class Namespace(dict):
            pass

        return Namespace()


class B(metaclass=Meta):
    print(type(sys._getframe().f_locals).__name__, type(locals()).__name__)


def copies():
    z = 1
    print([locals() for q in [2]])
    print(locals() is locals())
    copy = locals()
    copy["z"] = 8
    print(z)
    sys._getframe().f_locals["extra"] = 4
    del copy
    print(locals())
    eval("sys._getframe().f_back.f_locals.update({'z': 9})")
    print(z)
    exec("z = 33")
    print(z)
    d = {}
    exec("import sys; q = 1; print(sys._getframe().f_locals is d)", {"d": d}, d)
    print(sorted(d))
    print(vars() == locals(), dir())


copies()


def updating():
    a = b = 1
    fl = sys._getframe().f_locals
    fl.update(sys._getframe(1).f_locals["other"])
    return a, b, list(fl)


def supplier():
    a = 5
    c = 6
    return sys._getframe().f_locals


other = supplier()
print(updating(), other)
