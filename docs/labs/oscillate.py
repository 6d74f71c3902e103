class Point:
    def __init__(self, x):
        self.x = x


class Pixel:
    __slots__ = ("x",)

    def __init__(self, x):
        self.x = x


def get(thing):
    return thing.x


things = [Point(1), Pixel(2)]
for call in range(501):
    get(things[call % 2])
