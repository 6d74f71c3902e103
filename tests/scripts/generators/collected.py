# Generators in cycles are closed by the collector, also those that wait for others, and what they hold goes.
closed = 0


def loop():
    global closed
    me = yield
    try:
        yield me
    finally:
        closed += 1


def through(g):
    yield from g


def make():
    x = loop()
    next(x)
    x.send(x)
    y = loop()
    z = through(y)
    next(z)
    z.send([z])


for _ in range(60000):
    make()
print(closed > 50000)


class Holder:
    alive = 0

    def __init__(self):
        Holder.alive += 1
        self.gen = self.run()
        next(self.gen)

    def run(self):
        try:
            raise KeyError(self)
        except KeyError as e:
            yield e

    def __del__(self):
        Holder.alive -= 1


for _ in range(60000):
    Holder()
print(Holder.alive < 40000)
unstarted = 0
for _ in range(60000):
    cell = []
    cell.append(through(cell))
print("done")
