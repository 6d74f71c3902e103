"""Slices of lists: what they give, what assignment does, and when the replaced items go."""


class Gone:
    def __init__(self, name, then=None):
        self.name = name
        self.then = then

    def __del__(self):
        print("gone", self.name)
        if self.then:
            self.then()

    def __repr__(self):
        return f"<{self.name}>"


class Position:
    def __init__(self, value, then=None):
        self.value = value
        self.then = then

    def __index__(self):
        if self.then:
            self.then()
        return self.value


def show(what, action):
    try:
        result = action()
    except Exception as error:
        result = f"{type(error).__name__}: {error}"
    print(what, result)


def assigned(items, selection, value):
    items[selection] = value
    return items


numbers = list(range(10))
for start in (None, 0, 3, -3, 12, -12):
    for stop in (None, 0, 5, -2, 12, -12):
        print(start, stop, numbers[start:stop], numbers[start:stop:-1], numbers[start:stop:3])
        for value in ([], [0], (7, 8, 9), numbers, "ab", range(3)):
            copy = numbers[:]
            copy[start:stop] = value
            print(len(copy), copy)
            copy = numbers[:]
            show("step", lambda: assigned(copy, slice(start, stop, -2), value))

whole = [1, 2, 3]
whole[:] = whole
print(whole)
whole[1:2] = whole
print(whole)
whole[::-1] = whole
print(whole)

print("order of release")
items = [Gone(n) for n in "abcde"]
items[1:4] = [Gone("x")]
print(items)
items[::2] = [Gone("y"), Gone("z")]
print(items)
del items[:]

print("a finalizer that changes the list")
items = [Gone("first", lambda: items.append("late")), 1, 2]
items[0:2] = [3]
print(items)
items = [Gone(n, lambda: items.clear()) for n in "pq"] + [1] * 20
items[0:2] = range(30)
print(items)

print("many at once")
items = [object() for _ in range(100)]
items[10:90] = [0] * 3
print(len(items), items[10:13])

print("an index that changes the list")
items = list(range(8))
print(items[Position(1, lambda: items.clear()):])
items = list(range(8))
items[Position(2, lambda: items.append(8)):Position(4)] = "xyz"
print(items)
items = list(range(8))
items[2:Position(6, lambda: items.clear())] = items
print(items)


class Shrinks:
    def __eq__(self, other):
        values.clear()
        return True


values = [1, 2, Shrinks()]
show("remove", lambda: values.remove(5))
print(values)

show("not iterable", lambda: assigned([1, 2], slice(0, 1), 3))
show("bad index", lambda: [1, 2]["a":])
show("bad index", lambda: assigned([1, 2], slice(0, 1.5), []))
show("step zero", lambda: [1, 2][::0])
show("insert", lambda: [items.insert(at, at) for at in (0, 2, -1, 100, -100)] and items)


class Own(list):
    def __getitem__(self, key):
        return key

    def __setitem__(self, key, value):
        print("set", key, value)


own = Own([1, 2, 3])
print(own[1:2], own[1:], own[::2])
own[1:2] = [5]
own[:] = [6]
print(len(own))
