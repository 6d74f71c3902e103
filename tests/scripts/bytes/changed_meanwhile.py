# An `__index__` empties the array that another argument is.


class Emptying:
    def __init__(self, array, value):
        self.array = array
        self.value = value

    def __index__(self):
        try:
            self.array.clear()
            self.array.extend(b"x" * 4096)
            self.array.clear()
        except BufferError:
            pass
        return self.value


def fresh():
    return bytearray(b"needle" * 20)


text = b"needle" * 100
for name in ["find", "rfind", "count", "startswith", "endswith"]:
    needle = fresh()
    result = getattr(text, name)(needle, Emptying(needle, 0), Emptying(needle, 5))
    assert isinstance(result, (int, bool)), name
needle = fresh()
assert isinstance(text.replace(needle, b"", Emptying(needle, 1)), bytes)
needle = fresh()
try:
    text.split(needle, Emptying(needle, 1))
except ValueError as error:
    assert str(error) == "empty separator"
own = bytearray(b"abc" * 50)
own.find(b"c", Emptying(own, 0))
own.replace(b"a", b"bb", Emptying(own, 1))
own.ljust(Emptying(own, 500), b" ")
print("still here")
