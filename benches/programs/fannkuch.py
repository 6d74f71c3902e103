# Fannkuch: the largest number of prefix reversals over the first permutations of ten items, and the alternating
# sum of those numbers. Integer indexing and swaps in a short list. The size is the number of permutations; the
# well-known benchmark visits all 10! of them.

ITEMS = 10


def flips(perm, work):
    # How often the prefix that the first item names can be reversed before the first item is 0.
    for i in range(len(perm)):
        work[i] = perm[i]
    count = 0
    first = work[0]
    while first != 0:
        low = 0
        high = first
        while low < high:
            work[low], work[high] = work[high], work[low]
            low += 1
            high -= 1
        count += 1
        first = work[0]
    return count


def fannkuch(n, permutations):
    perm = []
    left = []
    for i in range(n):
        perm.append(i)
        left.append(i + 1)
    work = [0] * n
    most = 0
    checksum = 0
    sign = 1
    while permutations > 0:
        permutations -= 1
        count = flips(perm, work)
        if count > most:
            most = count
        checksum += sign * count
        sign = -sign
        # The next permutation: rotate ever longer prefixes until one has rotations left.
        size = 1
        while size < n:
            head = perm[0]
            for i in range(size):
                perm[i] = perm[i + 1]
            perm[size] = head
            left[size] -= 1
            if left[size] > 0:
                break
            left[size] = size + 1
            size += 1
        if size == n:
            break
    return (checksum, most)


if __name__ == "__main__":
    import sys
    import time

    n = 720
    if len(sys.argv) > 1:
        n = int(sys.argv[1])
    start = time.perf_counter()
    check = fannkuch(ITEMS, n)
    seconds = time.perf_counter() - start
    print(check)
    if len(sys.argv) > 2:
        if sys.argv[2] == "--time":
            print("seconds", seconds)
