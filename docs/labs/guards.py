import math


class Point:
    color = "red"

    def __init__(self, x):
        self.x = x

    def move(self):
        return self.x


class Slotted:
    __slots__ = ("x",)


def type_version(point):
    return point.x


def inline_values(point):
    return point.x


def keys_version(point):
    return point.color


def null_value(slotted):
    return slotted.x


def module_keys():
    return math.pi


def globals_keys():
    return limit


def function_version(callback):
    return callback(1)


def exact_types(a, b):
    return a + b


def index_in_range(items, i):
    return items[i]


def tuple_size(items):
    a, b = items
    return b


def iterator_type(items):
    for item in items:
        return item


limit = 5
point, slotted = Point(1), Slotted()
slotted.x = 1
for _ in (1, 2, 3):
    type_version(point), inline_values(point), keys_version(point), null_value(slotted)
    module_keys(), globals_keys(), function_version(abs), exact_types(1, 2)
    index_in_range([1, 2], 0), tuple_size((1, 2)), iterator_type([1])

point.color = "blue"
keys_version(point)

point.__dict__ = {"x": 1}
inline_values(point)

Point.move = lambda self: 2
type_version(Point(1))

del slotted.x
try:
    null_value(slotted)
except AttributeError:
    pass

math.tau2 = 6
module_keys()

fresh = 1
globals_keys()

function_version(lambda a: a)
exact_types(True, 2)
index_in_range([1, 2], -1)
iterator_type((1,))
