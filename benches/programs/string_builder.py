# A string builder: records are formatted, escaped, joined and indented into one text, which is then read back.
# f-strings, concatenation in place, join, replace, find, slices, startswith.


class Builder:
    def __init__(self):
        self.parts = []
        self.depth = 0
        self.length = 0

    def write(self, text):
        self.parts.append(text)
        self.length += len(text)

    def line(self, text):
        self.write("  " * self.depth)
        self.write(text)
        self.write("\n")

    def open(self, name):
        self.line(f"<{name}>")
        self.depth += 1

    def close(self, name):
        self.depth -= 1
        self.line(f"</{name}>")

    def finish(self):
        return "".join(self.parts)


def escape(text):
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def initials(text):
    result = ""
    for word in text.split(" "):
        result += word[0]
    return result


def record(builder, i):
    name = "item " + str(i) + " <" + "abcdefghij"[i % 10] + ">"
    builder.open("record")
    builder.line(f"<name>{escape(name)}</name>")
    builder.line(f"<code>{initials(name)}-{i:06d}-{i * 7 % 1000:x}</code>")
    padded = ""
    for digit in str(i * 37):
        padded += digit
        padded += "."
    builder.line(f"<digits>{padded[:-1]}</digits>")
    builder.close("record")


def read_back(text):
    check = 0
    position = 0
    while True:
        start = text.find("<code>", position)
        if start < 0:
            return check
        end = text.find("</code>", start)
        code = text[start + 6 : end]
        if code.startswith("i1"):
            check = (check * 31 + len(code) + ord(code[-1])) % 1000000007
        position = end


def strings(n):
    check = 0
    length = 0
    first = 0
    while first < n:
        builder = Builder()
        builder.open("records")
        for i in range(first, min(n, first + 1000)):
            record(builder, i)
        builder.close("records")
        text = builder.finish()
        length += len(text)
        check = (check * 7 + read_back(text)) % 1000000007
        first += 1000
    return check, length


if __name__ == "__main__":
    import sys
    import time

    n = 60
    if len(sys.argv) > 1:
        n = int(sys.argv[1])
    start = time.perf_counter()
    check = strings(n)
    seconds = time.perf_counter() - start
    print(check)
    if len(sys.argv) > 2:
        if sys.argv[2] == "--time":
            print("seconds", seconds)
