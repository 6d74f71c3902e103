class Point:
    def __init__(self, x):
        self.x = x


class Pixel:
    __slots__ = ("x",)

    def __init__(self, x):
        self.x = x


def get(thing):
    return thing.x


point, pixel = Point(1), Pixel(2)
for _ in range(4):
    get(point)
for _ in range(56):
    get(pixel)
