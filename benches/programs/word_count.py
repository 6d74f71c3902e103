# Word count: a text is made from a vocabulary, split into lines and words, cleaned, and counted in a dict.
# Strings and dicts: split, strip, lower, get, items, sorted by a key.

SYLLABLES = ["ba", "ke", "lo", "mi", "nu", "ra", "so", "te", "vi", "zu", "dan", "fel", "gor", "hin"]
MARKS = ["", "", "", "", ",", ".", "!", ";", "", ""]


def make_vocabulary(size):
    words = []
    for i in range(size):
        word = ""
        n = i + 7
        while n:
            word += SYLLABLES[n % len(SYLLABLES)]
            n //= len(SYLLABLES)
        words.append(word)
    return words


def make_text(vocabulary, lines, seed):
    text = []
    for _ in range(lines):
        line = []
        for _ in range(12):
            seed = (seed * 1664525 + 1013904223) % 4294967296
            # Small numbers come often, as words of a language do.
            rank = (seed >> 16) * ((seed >> 8) & 255) // 255 % len(vocabulary)
            word = vocabulary[rank]
            if seed & 7 == 0:
                word = word.capitalize()
            line.append(word + MARKS[(seed >> 4) % len(MARKS)])
        text.append(" ".join(line))
    return "\n".join(text), seed


def count_words(text, counts):
    for line in text.split("\n"):
        for word in line.split():
            word = word.strip(",.!;").lower()
            if word in counts:
                counts[word] += 1
            else:
                counts[word] = 1


def by_length(counts):
    lengths = {}
    for word, count in counts.items():
        size = len(word)
        lengths[size] = lengths.get(size, 0) + count
    return lengths


def rank(item):
    return -item[1], item[0]


def word_count(lines):
    vocabulary = make_vocabulary(3000)
    counts = {}
    seed = 42
    left = lines
    while left > 0:
        text, seed = make_text(vocabulary, min(left, 500), seed)
        count_words(text, counts)
        left -= 500
    top = sorted(counts.items(), key=rank)[:3]
    lengths = by_length(counts)
    check = 0
    for size in sorted(lengths):
        check = (check * 31 + size * lengths[size]) % 1000000007
    return check, len(counts), top


if __name__ == "__main__":
    import sys
    import time

    n = 40
    if len(sys.argv) > 1:
        n = int(sys.argv[1])
    start = time.perf_counter()
    check = word_count(n)
    seconds = time.perf_counter() - start
    print(check)
    if len(sys.argv) > 2:
        if sys.argv[2] == "--time":
            print("seconds", seconds)
