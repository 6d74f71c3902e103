async def waits():
    pass


waits()
(lambda: waits())()


def holds():
    kept = waits()
    yield 1


for x in holds():
    print(x)
print(list(holds()))


async def agen():
    yield


agen().aclose()


def old_throw(g):
    next(g)
    try:
        g.throw(ValueError, "old style")
    except ValueError as e:
        print(e)


def gen():
    yield


old_throw(gen())
