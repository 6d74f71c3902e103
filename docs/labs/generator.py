def count(n):
    yield n
