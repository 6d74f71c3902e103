def add(a, b):
    return a + b


UNIT = 2  # bytes in a code unit


def counter(function, name="BINARY_OP"):
    """The two bytes behind the instruction, and what they mean."""
    code = function.__code__._co_code_adaptive
    at = site * UNIT
    low, high = code[at + UNIT], code[at + UNIT + 1]
    word = high << 8 | low
    return f"bytes {low:3} {high:3}  word {word:5}  value {word >> 4:4}  backoff {word & 15:2}"


# RESUME, LOAD_FAST_BORROW_LOAD_FAST_BORROW, then BINARY_OP.
site = 2
print("cold      ", counter(add))
add(1, 2)
print("one call  ", counter(add))
add(1, 2)
print("two calls ", counter(add))
for misses in 1, 2, 50:
    for _ in range(misses):
        add("a", "b")
    print("misses", f"{misses:4}", counter(add))
for call in range(3):
    add([], [])
    print("lists     ", counter(add))
for _ in range(50):
    add([], [])
print("53 lists  ", counter(add))
add([], [])
print("list      ", counter(add))
