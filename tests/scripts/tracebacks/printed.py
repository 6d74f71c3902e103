"""What a traceback looks like, case by case."""
import asyncio
import sys
import traceback

cases = []


def case(f):
    cases.append(f)
    return f


class Point:
    colour = "red"

    def __init__(self, x):
        self.x = x
        self.value = {"a": [1, 2]}

    def missing_self(self):
        return colour

    def misspelt(self):
        return self.valeu

    def private(self):
        self._hidden = 1
        return self._hiden


def fails(a, b=None):
    return a / b


@case
def division():
    x = 1
    return x / 0


@case
def subscript():
    p = Point(1)
    return p.value["a"][5]["b"]


@case
def nested_subscript():
    p = Point(1)
    return p.value["b"]["c"]


@case
def attribute_chain():
    p = Point(1)
    return p.x.real.nothing.more


@case
def call_in_the_middle():
    return len([1]) + fails(3, 0) + len([2])


@case
def several_lines():
    return fails(
        1,
        b=0,
    )


@case
def several_lines_of_operator():
    text = "text"
    return (
        1
        + 2 * 3
        + text
    )


@case
def long_call():
    return fails(
        1 +
        2 +
        3 +
        4 +
        5,
        "six" if len([]) else
        "seven"
        "eight"
    )


@case
def unicode_columns():
    ä, 名 = 1, 0
    return ä + ä / 名 + 1


@case
def wide_text():
    return "名前" + "ありがとう" + 1 + "ok"


@case
def tabs():
    if True:
	    return 1 + None


@case
def comparison():
    return 1 < 2 < "three"


@case
def unary():
    return -"text"


@case
def keyword_call():
    return fails(1, c=3)


@case
def method_call():
    return "text".upper().nothing()


@case
def comprehension():
    return [1 // x for x in (2, 1, 0)]


@case
def generator_expression():
    return sum(1 // x for x in (2, 1, 0))


@case
def through_lambda():
    return (lambda x: x + 1)("a")


@case
def through_sorted():
    return sorted([1, "a"], key=lambda x: x + 1)


@case
def assertion():
    x = 3
    assert x == 4, f"x is {x}"


@case
def bare_assertion():
    assert not Point, (
        "two",
        "lines")


@case
def raised_class():
    raise KeyError


@case
def raised_with_lines():
    raise ValueError("first\nsecond\n\nfourth")


@case
def raise_from():
    try:
        fails(1, 0)
    except ZeroDivisionError as error:
        raise RuntimeError("while working") from error


@case
def raise_from_none():
    try:
        fails(1, 0)
    except ZeroDivisionError:
        raise RuntimeError("hidden") from None


@case
def during_handling():
    try:
        fails(1, 0)
    except ZeroDivisionError:
        {}["key"]


@case
def three_deep():
    try:
        try:
            fails(1, 0)
        except ZeroDivisionError as error:
            raise KeyError("second") from error
    except KeyError:
        raise ValueError("third")


@case
def in_finally():
    try:
        fails(1, 0)
    finally:
        undefined_in_finally


@case
def cycle_of_causes():
    a, b = ValueError("a"), KeyError("b")
    a.__cause__ = b
    b.__cause__ = a
    raise a


@case
def notes():
    error = ValueError("noted")
    error.add_note("one note")
    error.add_note("two\nlines")
    error.add_note("")
    raise error


@case
def strange_notes():
    error = ValueError("noted")
    error.__notes__ = [1, Point, None]
    raise error


@case
def notes_that_are_no_list():
    error = ValueError("noted")
    error.__notes__ = "text"
    raise error


@case
def group():
    raise ExceptionGroup("several", [ValueError("a"), ExceptionGroup("inner", [KeyError("b")]), OSError(2, "c")])


@case
def group_with_traces():
    errors = []
    for f in (division, nested_subscript):
        try:
            f()
        except Exception as error:
            errors.append(error)
    errors[0].add_note("noted")
    raise ExceptionGroup("traced", errors)


@case
def group_from():
    try:
        raise ExceptionGroup("first", [ValueError(1)])
    except* ValueError as error:
        raise TypeError("second") from error


@case
def group_of_many():
    raise ExceptionGroup("many", [ValueError(i) for i in range(20)])


@case
def group_too_deep():
    error = ValueError("deepest")
    for i in range(12):
        error = ExceptionGroup(f"level {i}", [error])
    raise error


@case
def except_star_leaves():
    try:
        raise ExceptionGroup("both", [ValueError(1), TypeError(2)])
    except* ValueError:
        pass


@case
def name_suggestion():
    first_value = 1
    return frist_value


@case
def name_of_builtin():
    return pint("x")


@case
def name_of_module():
    return math.pi


@case
def name_of_self():
    return Point(1).missing_self()


@case
def unbound():
    print(local)
    local = 1


@case
def unbound_cell():
    def inner():
        return later
    inner()
    later = 1


@case
def attribute_suggestion():
    return Point(1).colou


@case
def own_attribute_suggestion():
    return Point(1).misspelt()


@case
def private_attribute_suggestion():
    return Point(1).private()


@case
def attribute_of_module():
    return sys.exc_inf


@case
def attribute_of_list():
    return [].apend(1)


@case
def no_suggestion():
    return Point(1).entirely_different


@case
def import_suggestion():
    from sys import exc_inf


@case
def import_missing():
    import nothing_like_it


@case
def keyword_suggestion():
    return sorted([], kye=1)


@case
def function_keyword_suggestion():
    return fails(1, bb=2)


@case
def syntax_error():
    exec("x = (1,\ny = 2")


@case
def syntax_error_of_eval():
    eval("1 + )")


@case
def indentation_error():
    exec("if 1:\nx")


@case
def syntax_error_by_hand():
    raise SyntaxError("made", ("file.py", 3, 5, "text of it\n", 3, 8))


@case
def syntax_error_without_place():
    raise SyntaxError("bare")


@case
def error_in_exec():
    exec("def g():\n    raise ValueError('inside')\ng()")


@case
def error_in_eval():
    eval("1 / 0")


class BadStr(Exception):
    def __str__(self):
        raise ValueError("no text")


class Empty(Exception):
    def __str__(self):
        return ""


class Outer:
    class Inner(Exception):
        pass


class Elsewhere(Exception):
    __module__ = "some.module"


@case
def error_in_str():
    raise BadStr("x")


@case
def empty_text():
    raise Empty("x")


@case
def qualified_name():
    raise Outer.Inner("x")


@case
def other_module():
    raise Elsewhere("x")


@case
def recursion():
    def down(n):
        return down(n - 1) if n else fails(1, 0)
    down(20)


@case
def mutual_recursion():
    def a(n):
        return b(n - 1)

    def b(n):
        return a(n - 1) if n > 0 else fails(1, 0)
    a(6)


@case
def exactly_three():
    def down(n):
        if n:
            return down(n - 1)
        raise ValueError
    down(3)


@case
def four():
    def down(n):
        if n:
            return down(n - 1)
        raise ValueError
    down(4)


@case
def in_generator():
    def numbers():
        yield 1
        fails(1, 0)
    return list(numbers())


@case
def in_delegate():
    def inner():
        yield from map(fails, [1], [0])

    def outer():
        yield from inner()
    return [x for x in outer()]


@case
def thrown_in():
    def waits():
        yield
    g = waits()
    next(g)
    g.throw(ValueError("thrown"))


@case
def stop_iteration_in_generator():
    def stops():
        yield next(iter([]))
    return list(stops())


@case
def in_coroutine():
    async def inner():
        return fails(1, 0)

    async def outer():
        await inner()
    outer().send(None)


@case
def in_with():
    class Manager:
        def __enter__(self):
            return self

        def __exit__(self, *args):
            raise KeyError("from exit")
    with Manager():
        fails(1, 0)


@case
def in_class_body():
    class Body:
        x = 1
        y = x / 0


@case
def in_decorator():
    def decorate(f):
        raise ValueError(f.__name__)

    @decorate
    def decorated():
        pass


@case
def in_property():
    class Has:
        @property
        def p(self):
            return self.q
    return Has().p


@case
def in_operator():
    class Adds:
        def __add__(self, other):
            return other + fails(1, 0)
    return 1 * (Adds() + 1)


@case
def in_iteration():
    class Iterates:
        def __iter__(self):
            return self

        def __next__(self):
            raise ValueError("next")
    for x in Iterates():
        pass


@case
def in_comparison():
    class Compares:
        def __eq__(self, other):
            raise ValueError("eq")
    return Compares() in [Compares()]


@case
def unpacking():
    a, b = 1, 2
    a, b, c = (a,
               b)


@case
def starred():
    a, *b, c = [1]


@case
def deleting():
    d = {}
    del d["x"]


@case
def storing():
    (1).x = 3


@case
def storing_item():
    t = (1, 2)
    t[0] = 3


@case
def augmented():
    x = [1]
    x[3] += 1


@case
def f_string():
    x = 3
    return f"text {x!r} and {x / 0:>10}"


@case
def matching():
    match [1, 2]:
        case [a, b] if a / 0:
            pass


@case
def walrus():
    if (y := fails(1, 0)) > 3:
        pass


@case
def conditional():
    return 1 if fails(1, 0) else 2


@case
def string_formatting():
    return "%d %s" % ("a", 1)


@case
def unhashable():
    return {[]: 1}


@case
def not_callable():
    x = {"f": 3}
    return x["f"](1)(2)


@case
def not_iterable():
    for x in 3:
        pass


@case
def a_long_line():
    return fails(1, 0) + len("a rather long string in the middle of the line, to see what happens to it when it is shown") + fails(2, 0)


for f in cases:
    print("-----", f.__name__)
    try:
        f()
    except BaseException:
        traceback.print_exc()
    else:
        print("no exception")
