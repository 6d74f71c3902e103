# Weak references, __del__, resurrection, and objects that die while their attributes are in use.
import sys


class Node:
    def __init__(self, name):
        self.name = name

    def __del__(self):
        print("del", self.name)


def make():
    for i in range(4):
        node = Node("n%d" % i)
        node.child = Node("child of %d" % i)


make()
node = Node("rebound")
node = Node("second")
node.name = Node("attribute is a node") and "renamed"
del node


class Resurrects:
    saved = []

    def __init__(self, tag):
        self.tag = tag

    def __del__(self):
        Resurrects.saved.append(self)


for i in range(4):
    Resurrects(i)
print([r.tag for r in Resurrects.saved])
Resurrects.saved[0].tag = "still usable"
print(Resurrects.saved[0].tag)
Resurrects.saved.clear()
print(len(Resurrects.saved))


class Raises:
    def __init__(self):
        self.value = 1

    def method(self):
        return self.value


# The last reference to the owner goes with the load.
def temporary():
    return Raises().value, Raises().method(), Raises().method


for _ in range(4):
    value, result, bound = temporary()
    print(value, result, bound())


class Replaces:
    def __init__(self):
        self.payload = Dying(self)


class Dying:
    def __init__(self, owner):
        self.owner_name = type(owner).__name__

    def __del__(self):
        print("dying of", self.owner_name)


for i in range(3):
    r = Replaces()
    r.payload = i
    r.payload = Dying(3)
    del r.payload
    print(r.__dict__)


class Clears:
    """Its attribute's finalizer takes the attributes of the owner away."""

    def __init__(self):
        self.a = 1
        self.b = Trap(self)
        self.c = 3


class Trap:
    def __init__(self, owner):
        self.owner = owner

    def __del__(self):
        self.owner.__dict__.clear()
        self.owner.again = "set by the finalizer"


def set_b(o, value):
    o.b = value


for i in range(4):
    c = Clears()
    set_b(c, "new")
    print(c.__dict__)


class ClassChanges:
    def __init__(self):
        self.x = Changer(self)


class Changer:
    def __init__(self, owner):
        self.owner = owner

    def __del__(self):
        self.owner.__class__ = Node
        self.owner.name = "was ClassChanges"


def set_x(o, value):
    o.x = value


for i in range(3):
    c = ClassChanges()
    set_x(c, i)
    print(type(c).__name__, c.x)
    c = None


class DeletesMethod:
    def method(self, argument):
        return "ran"


def argument_that_deletes():
    del DeletesMethod.method
    return 1


def call(o, argument):
    return o.method(argument())


d = DeletesMethod()
for _ in range(4):
    call(d, lambda: 1)
print(call(d, argument_that_deletes))
try:
    call(d, lambda: 1)
except AttributeError as error:
    print(error)


class SelfReplacing:
    def method(self):
        SelfReplacing.method = lambda self: "replaced"
        return "original"


s = SelfReplacing()
print(s.method(), s.method(), SelfReplacing().method())


class Property:
    @property
    def value(self):
        Property.value = 5
        return "computed"


print([Property().value for _ in range(3)])


class Item:
    def __getitem__(self, index):
        del Item.__getitem__
        return index


try:
    print(Item()[1])
    Item()[2]
except TypeError as error:
    print(error)


class Init:
    def __init__(self):
        Init.__init__ = lambda self: setattr(self, "late", True)
        self.early = True


print([Init().__dict__ for _ in range(3)])


class DropsSelf:
    def __init__(self, x):
        self.x = x
        del self

    def __del__(self):
        print("dropped", self.x)


for i in range(3):
    DropsSelf(i).x
print("end")
