"""What functions have become, and their caches."""
import dis


def f(values, limit):
    total = 0
    for value in values:
        if value < limit:
            total += value
    return total


def counter(instruction):
    for name, size, data in instruction.cache_info or ():
        if name == "counter":
            return int.from_bytes(data, "little")


def show():
    for i in dis.get_instructions(f, adaptive=True):
        print(i.offset, i.opname, i.baseopname, i.arg, i.argrepr, counter(i))


show()
f([1, 2], 3)
show()
f([1, 2], 3)
show()
dis.dis(f, adaptive=True, show_caches=True, show_offsets=True)
dis.dis(f, adaptive=True)
dis.dis(f)
bytecode = dis.Bytecode(f, adaptive=True)
print([i.opname for i in bytecode])
f((1.5, 2.5), 3)
f((1.5, 2.5), 3)
print([i.opname for i in bytecode])
print(f.__code__.co_code == f.__code__._co_code_adaptive, f.__code__.co_code == f.__code__.replace().co_code)
