"""Disassemblies, in every way of showing them."""
import dis
import io


def masked(text):
    """Without addresses."""
    parts = text.split(" at 0x")
    return parts[0] + "".join(" at ..." + part.lstrip("0123456789abcdef") for part in parts[1:])


def show(x, **options):
    output = io.StringIO()
    dis.dis(x, file=output, **options)
    print(masked(output.getvalue()))


def everything(x, *args, key=1, **kwargs):
    "Documentation."
    with x as y:
        for k in y:
            if k is not None and not k in args:
                continue
    try:
        y += x[1:2] + -y.z
    except (ValueError, E) as e:
        print(f"{x!r:>3}", t"a{x!s:3}", sep="")
    assert x < y <= k, "wrong"
    a, *b = [1, 2, *args]
    c = {**kwargs, "k": {1, x}}
    import os.path as path
    from sys import argv
    del a, c
    global G
    G = lambda: x
    return [i for i in b if i > key], super


async def asynchronous(x):
    async with x as y:
        async for i in y:
            yield await i
    return_ = [j async for j in x]


class Class:
    attribute: int = 1

    def method(self):
        return super().method(*self, **self.a)

    @classmethod
    def of_class(cls):
        pass

    @staticmethod
    def static():
        match cls:
            case {"k": [x, *_]} | C(x, y=1):
                return x

    builtin = len


show(everything)
show(everything, show_caches=True, show_offsets=True, show_positions=True, adaptive=True)
show(everything, show_positions=True, depth=0)
show(everything, show_offsets=True, depth=1)
show(asynchronous)
show(Class)
show(Class())
show(Class().method)
show(asynchronous(1))
show("x = y + 1; del x")
show("(lambda: (lambda: 1))", depth=1)
show("while x: " + ".".join("abcdefghijklmnopqrstuvwxyzabcdef"))
show(b"\x80\x00\x52\x01\x5e\x05\x23\x00")
show(bytearray(b"\x80\x00\x4d\x02\x1b\x00\x1b\x00\x4b\x05\x00\x00"), show_offsets=True, show_caches=True)
show(everything.__code__.replace(co_linetable=b""), depth=0)
show("a" + "\n" * 1200 + "b", show_offsets=True)
for wrong in (5, [], len):
    try:
        dis.dis(wrong)
    except TypeError as error:
        print(error)
try:
    dis.dis()
except RuntimeError as error:
    print(error)
dis.show_code(everything.__code__.replace(co_consts=everything.__code__.co_consts[:1], co_code=b"\x80\x00\x52\x00\x23\x00",
                                          co_exceptiontable=b"", co_linetable=b""))
print(dis.code_info("x = 1"))
print(dis.code_info(asynchronous(1)).replace(__file__, "FILE") if "__file__" in globals() else "")
