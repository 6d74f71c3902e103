# Spectral norm of the matrix A[i][j] = 1 / ((i + j)(i + j + 1) / 2 + i + 1) by ten power iterations.
# One call of a small function for each element.


def element(i, j):
    ij = i + j
    return 1.0 / (ij * (ij + 1) // 2 + i + 1)


def times(vector, result):
    n = len(vector)
    for i in range(n):
        total = 0.0
        for j in range(n):
            total += element(i, j) * vector[j]
        result[i] = total


def transposed_times(vector, result):
    n = len(vector)
    for i in range(n):
        total = 0.0
        for j in range(n):
            total += element(j, i) * vector[j]
        result[i] = total


def spectral_norm(n):
    u = [1.0] * n
    v = [0.0] * n
    work = [0.0] * n
    for step in range(10):
        times(u, work)
        transposed_times(work, v)
        times(v, work)
        transposed_times(work, u)
    uv = 0.0
    vv = 0.0
    for i in range(n):
        uv += u[i] * v[i]
        vv += v[i] * v[i]
    return int((uv / vv) ** 0.5 * 1000000000.0)


if __name__ == "__main__":
    import sys
    import time

    n = 20
    if len(sys.argv) > 1:
        n = int(sys.argv[1])
    start = time.perf_counter()
    check = spectral_norm(n)
    seconds = time.perf_counter() - start
    print(check)
    if len(sys.argv) > 2:
        if sys.argv[2] == "--time":
            print("seconds", seconds)
