# Mandelbrot set on an n by n grid: iterations of z*z + c on pairs of floats, at most 50 a point.


def escape_time(cr, ci):
    zr = 0.0
    zi = 0.0
    for step in range(50):
        rr = zr * zr
        ii = zi * zi
        if rr + ii > 4.0:
            return step
        zi = 2.0 * zr * zi + ci
        zr = rr - ii + cr
    return 50


def mandelbrot(n):
    inside = 0
    total = 0
    for y in range(n):
        ci = 2.0 * y / n - 1.0
        for x in range(n):
            cr = 2.0 * x / n - 1.5
            steps = escape_time(cr, ci)
            total += steps
            if steps == 50:
                inside += 1
    return (inside, total)


if __name__ == "__main__":
    import sys
    import time

    n = 24
    if len(sys.argv) > 1:
        n = int(sys.argv[1])
    start = time.perf_counter()
    check = mandelbrot(n)
    seconds = time.perf_counter() - start
    print(check)
    if len(sys.argv) > 2:
        if sys.argv[2] == "--time":
            print("seconds", seconds)
