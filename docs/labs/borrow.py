def reads(a, b):
    return a + b


def keeps(a):
    b = a
    return b


def assigns_between(a):
    return a + (a := 2)
