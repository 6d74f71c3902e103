import sys

print(sys.get_asyncgen_hooks())


async def agen():
    try:
        yield 1
        yield 2
    finally:
        print("closing")


def run(coroutine):
    try:
        while True:
            coroutine.send(None)
    except StopIteration as end:
        return end.value


kept = []
sys.set_asyncgen_hooks(
    firstiter=lambda g: print("first", g.__name__),
    finalizer=lambda g: (print("final", g.__name__), kept.append(g)),
)
print([hook is not None for hook in sys.get_asyncgen_hooks()])


async def first():
    g = agen()
    print(await anext(g))


run(first())
print(len(kept), kept[0].ag_suspended)
run(kept.pop().aclose())
for wrong in ({"firstiter": 3}, {"finalizer": "x"}):
    try:
        sys.set_asyncgen_hooks(**wrong)
    except TypeError as e:
        print(e)
sys.set_asyncgen_hooks(None, None)
print(sys.get_asyncgen_hooks())
run(first())
