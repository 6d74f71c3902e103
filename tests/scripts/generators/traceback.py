def inner(n):
    yield n
    raise ValueError("from inner")


def middle():
    yield from inner(1)


def outer():
    for x in middle():
        yield x


g = outer()
print(next(g))
try:
    next(g)
except ValueError as e:
    tb, lines = e.__traceback__, []
    while tb:
        lines.append(tb.tb_lineno)
        tb = tb.tb_next
    print(lines)
g = middle()
next(g)
try:
    g.throw(KeyError("thrown"))
except KeyError as e:
    tb, lines = e.__traceback__, []
    while tb:
        lines.append(tb.tb_lineno)
        tb = tb.tb_next
    print(lines)


async def bad():
    async for x in agen():
        await fails(x)


async def agen():
    yield 1


async def fails(x):
    with Manager():
        raise TypeError(x)


class Manager:
    def __enter__(self):
        pass

    def __exit__(self, *args):
        pass


def run():
    bad().send(None)


run()
