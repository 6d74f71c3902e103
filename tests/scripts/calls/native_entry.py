"""Python functions called by native code: arguments that fit, defaults, stars, names, and their mistakes."""
from functools import reduce


def none(): return "none"
def one(a): return a
def two(a, b): return (a, b)
def six(a, b, c, d, e, f): return (a, b, c, d, e, f)
def default(a, b=2): return (a, b)
def star(*args): return args
def both(a, *args, k=1, **kw): return (a, args, k, kw)
def only(a, *, b): return (a, b)
def generator(a, b):
    yield a
    yield b
async def coroutine(a): return a


def attempt(what, function):
    try:
        print(what, function())
    except TypeError as error:
        print(what, "TypeError:", error)


def through_map(function, *columns):
    return list(map(function, *columns))


columns = [[1, 2], "ab", (3.5, None), [[], {}], [True, False], [b"x", b"y"]]
for function in (none, one, two, six, default, star, both, only):
    for count in (1, 2, 3, 6):
        attempt(f"{function.__name__}/{count}", lambda: through_map(function, *columns[:count]))
print([list(made) for made in map(generator, "ab", "cd")])
for made in map(coroutine, "ab"):
    made.close()


class Called:
    def __call__(self, *args, **kw): return (args, kw)
    def __getitem__(self, key): return ("item", key)
    def __eq__(self, other): return other
    def method(self, a, b=0): return (a, b)
    def wrong(): return 1


object_ = Called()
print(through_map(object_, "ab"), through_map(object_.method, "ab"), object_[3], object_ == 4)
attempt("wrong", lambda: through_map(object_.wrong, [1]))
print(reduce(two, "abcd"))
print(sorted([3, 1, 2], key=lambda value, sign=-1: sign * value))
attempt("key", lambda: sorted([1], key=lambda: 0))


def deep(n):
    return n if n == 0 else max([n], key=lambda _: deep(n - 1))


print(deep(60))
print(star(*range(20)), both(*"abc", **{"k": 2, "x": 3}), both(*[0], **{str(n): n for n in range(20)}))
attempt("names", lambda: one(**{1: 2}))
attempt("twice", lambda: one(1, **{"a": 2}))
attempt("missing", lambda: two(*[1]))
attempt("more", lambda: two(*[1, 2, 3]))
exec(compile("def body(): pass", "made", "exec"))
