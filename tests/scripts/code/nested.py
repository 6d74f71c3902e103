"""Code objects in each other, deeper than the native stack is: CPython crashes here."""


def nest():
    nested = (lambda: 1000).__code__
    for _ in range(100000):
        nested = nested.replace(co_consts=(nested,))
    return nested


first, second = nest(), nest()
for act in (hash, lambda code: code == second):
    try:
        act(first)
    except RecursionError:
        print("RecursionError")
