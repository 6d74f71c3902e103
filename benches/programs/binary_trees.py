# Binary trees: complete trees of nodes with two attributes are built, counted and dropped. Instances and recursion.


class Node:
    def __init__(self, left, right):
        self.left = left
        self.right = right

    def count(self):
        if self.left is None:
            return 1
        return 1 + self.left.count() + self.right.count()


def build(depth):
    if depth == 0:
        return Node(None, None)
    return Node(build(depth - 1), build(depth - 1))


def trees(depth):
    kept = build(depth)
    total = build(depth + 1).count()
    for level in range(2, depth + 1, 2):
        for _ in range(1 << (depth - level + 2)):
            total += build(level).count()
    return total, kept.count()


if __name__ == "__main__":
    import sys
    import time

    n = 4
    if len(sys.argv) > 1:
        n = int(sys.argv[1])
    start = time.perf_counter()
    check = trees(n)
    seconds = time.perf_counter() - start
    print(check)
    if len(sys.argv) > 2:
        if sys.argv[2] == "--time":
            print("seconds", seconds)
