# N queens with generators: each column's generator draws placements from that of the columns before it.


def queens(n, column):
    if column == 0:
        yield ()
        return
    for placed in queens(n, column - 1):
        for row in range(n):
            if is_safe(placed, row):
                yield placed + (row,)


def is_safe(placed, row):
    distance = len(placed)
    for other in placed:
        if other == row or other - row == distance or row - other == distance:
            return False
        distance -= 1
    return True


def weights(solutions):
    for solution in solutions:
        weight = 0
        for row in solution:
            weight = weight * 3 + row
        yield weight


def solve(n):
    count = 0
    check = 0
    for weight in weights(queens(n, n)):
        count += 1
        check = (check * 31 + weight) % 1000000007
    return count, check


if __name__ == "__main__":
    import sys
    import time

    n = 5
    if len(sys.argv) > 1:
        n = int(sys.argv[1])
    start = time.perf_counter()
    check = solve(n)
    seconds = time.perf_counter() - start
    print(check)
    if len(sys.argv) > 2:
        if sys.argv[2] == "--time":
            print("seconds", seconds)
