# Product of two n by n matrices held as lists of lists of floats, by the rule of three loops.
# The entries are quarters, so every sum is exact and the check value does not depend on the order of additions.


def make_matrix(n, seed):
    rows = []
    for i in range(n):
        row = []
        for j in range(n):
            seed = (seed * 137 + 29) % 1009
            row.append(seed / 4 - 126.0)
        rows.append(row)
    return rows


def multiply(a, b):
    n = len(a)
    result = []
    for i in range(n):
        a_row = a[i]
        row = []
        for j in range(n):
            total = 0.0
            for k in range(n):
                total += a_row[k] * b[k][j]
            row.append(total)
        result.append(row)
    return result


def matmul(n):
    product = multiply(make_matrix(n, 1), make_matrix(n, 2))
    trace = 0.0
    checksum = 0.0
    for i in range(n):
        trace += product[i][i]
        sign = 1.0
        for value in product[i]:
            checksum += sign * value
            sign = -sign
    return (trace, checksum)


if __name__ == "__main__":
    import sys
    import time

    n = 10
    if len(sys.argv) > 1:
        n = int(sys.argv[1])
    start = time.perf_counter()
    check = matmul(n)
    seconds = time.perf_counter() - start
    print(check)
    if len(sys.argv) > 2:
        if sys.argv[2] == "--time":
            print("seconds", seconds)
