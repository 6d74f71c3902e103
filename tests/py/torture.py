import sys


def raises(kind, work):
    try:
        work()
    except kind:
        return True
    return False


def arithmetic(n):
    big = 1 << 70
    total = 0
    x = 1.5
    huge = 1e300
    for i in range(n):
        total = total + i
        total = total - 1
        total = total * 1
        total = total + big - big
        total += i & 7 | 1 ^ 2
        x = x + 0.5
        x = x * 0.5
        x = x - 0.25
        huge = huge * 1.0
        y = -i
        y = ~y
        y = i // 3 + i % 5 + (i << 2) + (i >> 1)
        y = y / 2
        y = i * 0.5 + x
        y = 2 ** 5
        if i < 3 or x < 1.0 or i == 2.0:
            total -= 1
        if not total:
            total = 1
        if total is None or total is not x:
            total ^= 0
        if x and total and "s" and [1] and None:
            total = 2
        if [] or () or "" or 0 or False or big:
            total = 3
        if big < big + 1 and huge > x:
            total = 4
    return total


def strings(n):
    text = ""
    other = "abc"
    for i in range(n):
        text += "x"
        other = "a" + other
        if len(other) > 8:
            other = "abc"
        c = other[0]
        if c == "b" or c != "a":
            other = other[1:]
        text = text[:5]
        other = f"{other!s}{i:02d}{c}"[:4]
    return text


def containers(n):
    items = [1, 2, 3, 4]
    pair = (1, 2)
    table = {"a": 1, 5: 2}
    names = {1, 2, 3}
    frozen = frozenset(names)
    for i in range(n):
        items[1] = i
        items[-1] = i
        v = items[2] + pair[1] + items[-2]
        a, b = pair
        a, b, c = (i, 2, 3)
        a, b = [i, 2]
        a, *rest, b = items
        a, b, c = "xyz"
        table["a"] = v
        v = table["a"]
        table[i] = i
        del table[i]
        if i in table or i in names or i in frozen or i not in items:
            v = 1
        items.append(i)
        items.pop()
        built = [i, *items]
        tup = (i, *items)
        s = {i, *items}
        d = {i: v, **table}
        part = items[1:3]
        part = items[:]
        items[0:1] = [i]
        cut = slice(1, 2)
        part = items[cut]
        squares = [k * k for k in range(3)]
        odd = {k for k in items}
        same = [k for k in items]
        part = items[i:n:2]
        by = {k: k for k in items}
        for k in items:
            v = k
        for k in pair:
            v = k
        for k in table:
            v = k
        a, b = b, a
        a = b = i
        del v
    return items


def default(a, b=2, *rest, key=3, **more):
    return a


def exact(a, b):
    return a


def closure(n):
    count = 0

    def inner():
        nonlocal count
        count = count + 1
        return count

    def dropping():
        nonlocal count
        del count
        count = 0

    for i in range(n):
        inner()
    dropping()
    return inner()


def calls(n):
    for i in range(n):
        exact(1, 2)
        exact(a=1, b=2)
        default(1)
        default(1, 2, 3, key=4, other=5)
        default(*[1, 2], **{"key": 1})
        abs(i)
        min(i, 2)
        print(end="")
        isinstance(i, int)
        str(i)
        tuple([1])
        type(i)
        divmod(i, 2)
        sorted([2, 1], reverse=True)
        " a ".strip()
        "a,b".split(",")
        "ab".startswith("a")
        ",".join(["a", "b"])
        sum([1, 2])
        (lambda: i)()
    return closure(n)


def deep(n):
    if n == 0:
        return 0
    return deep(n - 1) + 1


def unbound(n):
    for i in range(n):
        if i > 5:
            late = i
    if n > 10:
        return late
    return late


def failures(n):
    for i in range(n):
        try:
            raise ValueError(i)
        except TypeError:
            pass
        except ValueError as e:
            kept = e
        finally:
            i += 0
        try:
            try:
                [][1]
            except IndexError:
                raise KeyError from None
        except KeyError:
            pass
    raises(ZeroDivisionError, lambda: 1 // 0)
    raises(NameError, lambda: missing)
    raises(UnboundLocalError, lambda: unbound(1))
    raises(TypeError, lambda: exact(1))
    raises(AttributeError, lambda: (1).nothing)
    raises(RecursionError, lambda: deep(10 ** 6))


def truth_of_bool(x):
    return 1 if x else 2


def truth_of_int(x):
    return 1 if x else 2


def truth_of_list(x):
    return 1 if x else 2


def truth_of_str(x):
    return 1 if x else 2


def truth_of_none(x):
    return 1 if x else 2


def truth(n):
    for i in range(n):
        truth_of_bool(i > 2)
        truth_of_int(i)
        truth_of_list([i])
        truth_of_str("x")
        truth_of_none(None)
        flag = not i
        if flag is not None:
            flag = not flag
    while flag is None:
        pass


def copied(items):
    return [k for k in items]


def slices(n):
    items = [1, 2, 3, 4]
    triple = (1, 2, 3)
    for i in range(n):
        part = items[i:n]
        items[i:n] = part
        a, b, c = triple
        a, b, c = [c, b, a]
        items[slice(a, b, c)]
        items.reverse()
        items.append(a)
        items.append(b)
        items = copied(items)[:4]
        end = a + i if (kept := i) else a
    return end + kept


def classes(n):
    base = 5

    class Point:
        scale = base

        def __init__(self, x):
            self.x = x

        def moved(self, by):
            self.x = self.x + by
            return self.x

    for i in range(n):
        point = Point(i)
        move = point.moved
        move(1)
        move(2)
        point.moved(3)
        del point.x
    return point


def importing(n):
    for i in range(n):
        from math import floor
        import math
        floor(1.5)
        math.floor(2.5)
    raises(AssertionError, lambda: checked(0))


def checked(n):
    assert n
    return n


counter = 0


def bump(n):
    global counter, gone
    for i in range(n):
        counter = counter + 1
        gone = 1
        del gone


def mixed(a, b):
    return a + b


def changing(n):
    for i in range(n):
        mixed(1, 2)
    for i in range(n):
        mixed(1.0, 2.0)
    for i in range(n):
        mixed("a", "b")
    for i in range(n):
        mixed([1], [2])


def counting(n):
    for i in range(n):
        yield i


def delegating(n):
    got = yield from counting(n)
    yield from [got, n]


class Wait:
    def __init__(self, value):
        self.value = value

    def __await__(self):
        yield self.value
        return self.value


class Manager:
    def __enter__(self):
        return self

    def __exit__(self, *details):
        return True

    async def __aenter__(self):
        return await Wait(1)

    async def __aexit__(self, *details):
        return await Wait(2)


async def waiting(n):
    for i in range(n):
        await Wait(i)
        yield i


async def asynchronous(n):
    total = 0
    async for i in waiting(n):
        total += i
    async with Manager() as one:
        total += one
    try:
        await Wait(3)
    except KeyError:
        total += 1
    return total


def drive(coroutine):
    try:
        while True:
            if coroutine.send(None) == 3:
                coroutine.throw(KeyError)
    except StopIteration as end:
        return end.value


class Point:
    __match_args__ = ("x", "y")

    def __init__(self, x, y):
        self.x = x
        self.y = y


def matching(value):
    match value:
        case [1, *rest]:
            return rest
        case {"k": v}:
            return v
        case Point(x, y=2):
            return x
    return None


def grouping(n):
    try:
        raise ExceptionGroup("g", [ValueError(n), KeyError(n)])
    except* ValueError as group:
        assert len(group.exceptions) == 1
    except* KeyError:
        pass


def suspending(n):
    for _ in range(n):
        assert sum(x for x in counting(5)) == 10
        assert list(delegating(3)) == [0, 1, 2, None, 3]
        with Manager():
            raise ValueError
        assert drive(asynchronous(3)) == 5
        assert matching([1, 2]) == [2]
        assert matching({"k": 3}) == 3
        assert matching(Point(4, 2)) == 4
        grouping(n)
        assert t"a{n!r:>{n}}b".values == (n,)


class Meta(type):
    pass


class Base(metaclass=Meta):
    shared = 1

    def greet(self, a, b=2):
        return a + b

    @property
    def half(self):
        return self.value / 2


class Derived(Base):
    def __init__(self, value):
        self.value = value

    def greet(self, a, b=2):
        return super().greet(a, b) + super().shared

    def __getitem__(self, index):
        return self.value + index


class Slotted:
    __slots__ = ("x",)
    shared = 1


class Plain:
    shared = 1

    def __init__(self):
        self.x = 0


class Asked:
    def __getattribute__(self, name):
        return name


class Failure(Exception):
    def say(self):
        return "failed"


def attributes(n):
    derived, slotted, asked = Derived(4), Slotted(), Asked()
    free = Plain()
    free.__dict__ = {"x": 0}
    bound = derived.greet
    failure = Failure()
    for i in range(n):
        assert derived.greet(i) == i + 3
        assert bound(i) == i + 3
        assert bound(a=i) == i + 3
        assert derived[i] == 4 + i
        assert derived.half == 2.0
        assert derived.shared + slotted.shared == 2
        assert Plain.shared + Base.shared == 2
        slotted.x = i
        assert slotted.x == i
        free.x = free.x + 1
        assert asked.name == "name"
        assert failure.say() == "failed"
    assert free.x == n


def main():
    attributes(20)
    arithmetic(40)
    strings(40)
    containers(40)
    calls(40)
    failures(5)
    deep(300)
    unbound(20)
    bump(20)
    changing(60)
    truth(20)
    slices(20)
    classes(20)
    importing(5)
    suspending(20)
    text: int = 0
    while text < 3:
        text += 1
        if text == 2:
            continue
    assert text == 3


for round in range(ROUNDS):
    main()
    temporary = round
    del temporary
