# Sieve of Eratosthenes in windows that stay in the cache: stores into a list of flags, then a pass over it.
# The check value is the number of primes below n and their sum.

WINDOW = 32768


def small_primes(n):
    primes = []
    candidate = 2
    while candidate * candidate < n:
        is_prime = True
        for prime in primes:
            if prime * prime > candidate:
                break
            if candidate % prime == 0:
                is_prime = False
                break
        if is_prime:
            primes.append(candidate)
        candidate += 1
    return primes


def cross_out(flags, low, size, primes):
    # Clears the flag of every composite in low .. low + size that has a factor in primes.
    for prime in primes:
        multiple = prime * prime
        if multiple < low:
            multiple = (low + prime - 1) // prime * prime
        i = multiple - low
        while i < size:
            flags[i] = False
            i += prime


def sieve(n):
    primes = small_primes(n)
    count = 0
    total = 0
    low = 2
    while low < n:
        size = n - low
        if size > WINDOW:
            size = WINDOW
        flags = [True] * size
        cross_out(flags, low, size, primes)
        for i in range(size):
            if flags[i]:
                count += 1
                total += low + i
        low += size
    return (count, total)


if __name__ == "__main__":
    import sys
    import time

    n = 1000
    if len(sys.argv) > 1:
        n = int(sys.argv[1])
    start = time.perf_counter()
    check = sieve(n)
    seconds = time.perf_counter() - start
    print(check)
    if len(sys.argv) > 2:
        if sys.argv[2] == "--time":
            print("seconds", seconds)
