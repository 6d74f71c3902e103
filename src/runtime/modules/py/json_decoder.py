"""JSON to values."""

_ESCAPES = {'"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
_CONSTANTS = {"-Infinity": float("-inf"), "Infinity": float("inf"), "NaN": float("nan")}
_WHITESPACE = " \t\n\r"
_DIGITS = "0123456789"
_HEX = "0123456789abcdefABCDEF"


class JSONDecodeError(ValueError):
    """A text is no JSON: `msg`, `doc`, `pos`, `lineno`, `colno` say why and where."""

    def __init__(self, msg, doc, pos):
        lineno = doc.count("\n", 0, pos) + 1
        colno = pos - doc.rfind("\n", 0, pos)
        ValueError.__init__(self, "%s: line %d column %d (char %d)" % (msg, lineno, colno, pos))
        self.msg = msg
        self.doc = doc
        self.pos = pos
        self.lineno = lineno
        self.colno = colno

    def __reduce__(self):
        return self.__class__, (self.msg, self.doc, self.pos)


class _End(Exception):
    """There is no value at this place."""


def _hex4(s, pos):
    digits = s[pos + 1:pos + 5]
    if len(digits) == 4 and all([c in _HEX for c in digits]):
        return int(digits, 16)
    raise JSONDecodeError("Invalid \\uXXXX escape", s, pos)


def scanstring(s, end, strict=True):
    """The string whose first character stands at `end`, and the place behind its quote."""
    begin = end - 1
    pieces = []
    quote = -1
    while True:
        if quote < end:
            quote = s.find('"', end)
            if quote < 0:
                quote = len(s)
        slash = s.find("\\", end, quote)
        stop = quote if slash < 0 else slash
        piece = s[end:stop]
        if strict and not piece.isprintable():
            for i, c in enumerate(piece):
                if c < " ":
                    raise JSONDecodeError("Invalid control character at", s, end + i)
        pieces.append(piece)
        end = stop + 1
        if slash < 0:
            if stop == len(s):
                raise JSONDecodeError("Unterminated string starting at", s, begin)
            return "".join(pieces), end
        esc = s[end:end + 1]
        if not esc:
            raise JSONDecodeError("Unterminated string starting at", s, begin)
        if esc != "u":
            char = _ESCAPES.get(esc)
            if char is None:
                raise JSONDecodeError("Invalid \\escape: " + repr(esc) if False else "Invalid \\escape", s, end - 1)
            end += 1
        else:
            uni = _hex4(s, end)
            end += 5
            if 0xd800 <= uni <= 0xdbff and s[end:end + 2] == "\\u":
                low = _hex4(s, end + 1)
                if 0xdc00 <= low <= 0xdfff:
                    uni = 0x10000 + ((uni - 0xd800) << 10 | low - 0xdc00)
                    end += 6
            char = chr(uni)
        pieces.append(char)


def _skip(s, end):
    while s[end:end + 1] and s[end] in _WHITESPACE:
        end += 1
    return end


class JSONDecoder:
    """Makes values of JSON texts."""

    def __init__(self, *, object_hook=None, parse_float=None, parse_int=None, parse_constant=None, strict=True,
                 object_pairs_hook=None):
        self.object_hook = object_hook
        self.parse_float = parse_float or float
        self.parse_int = parse_int or int
        self.parse_constant = parse_constant or _CONSTANTS.__getitem__
        self.strict = strict
        self.object_pairs_hook = object_pairs_hook

    def decode(self, s):
        """The value that makes up the whole text."""
        obj, end = self.raw_decode(s, _skip(s, 0))
        end = _skip(s, end)
        if end != len(s):
            raise JSONDecodeError("Extra data", s, end)
        return obj

    def raw_decode(self, s, idx=0):
        """The value that begins at a place, and the place behind it."""
        if idx < 0:
            raise ValueError("idx cannot be negative")
        try:
            return self._scan(s, idx, {})
        except _End as err:
            raise JSONDecodeError("Expecting value", s, err.args[0]) from None

    def _scan(self, s, idx, memo):
        c = s[idx:idx + 1]
        if c == '"':
            return scanstring(s, idx + 1, self.strict)
        if c == "{":
            return self._object(s, idx + 1, memo)
        if c == "[":
            return self._array(s, idx + 1, memo)
        if c == "n" and s.startswith("null", idx):
            return None, idx + 4
        if c == "t" and s.startswith("true", idx):
            return True, idx + 4
        if c == "f" and s.startswith("false", idx):
            return False, idx + 5
        if c == "-" or c and c in _DIGITS:
            end = idx + (c == "-")
            first = s[end:end + 1]
            if first and first in _DIGITS:
                return self._number(s, idx, end)
        for name in ("NaN", "Infinity", "-Infinity"):
            if s.startswith(name, idx):
                return self.parse_constant(name), idx + len(name)
        raise _End(idx)

    def _number(self, s, idx, end):
        def digits(at):
            while s[at:at + 1] and s[at] in _DIGITS:
                at += 1
            return at
        end = end + 1 if s[end] == "0" else digits(end)
        is_float = False
        if s[end:end + 1] == ".":
            behind = digits(end + 1)
            if behind > end + 1:
                end, is_float = behind, True
        if s[end:end + 1] in ("e", "E"):
            begin = end + 1
            if s[begin:begin + 1] in ("+", "-"):
                begin += 1
            behind = digits(begin)
            if behind > begin:
                end, is_float = behind, True
        text = s[idx:end]
        return (self.parse_float if is_float else self.parse_int)(text), end

    def _object(self, s, end, memo):
        pairs = []
        end = _skip(s, end)
        c = s[end:end + 1]
        if c != '"':
            if c != "}":
                raise JSONDecodeError("Expecting property name enclosed in double quotes", s, end)
            end += 1
        else:
            while True:
                key, end = scanstring(s, end + 1, self.strict)
                key = memo.setdefault(key, key)
                end = _skip(s, end)
                if s[end:end + 1] != ":":
                    raise JSONDecodeError("Expecting ':' delimiter", s, end)
                value, end = self._scan(s, _skip(s, end + 1), memo)
                pairs.append((key, value))
                end = _skip(s, end)
                c = s[end:end + 1]
                if c == "}":
                    end += 1
                    break
                if c != ",":
                    raise JSONDecodeError("Expecting ',' delimiter", s, end)
                comma = end
                end = _skip(s, end + 1)
                c = s[end:end + 1]
                if c != '"':
                    if c == "}":
                        raise JSONDecodeError("Illegal trailing comma before end of object", s, comma)
                    raise JSONDecodeError("Expecting property name enclosed in double quotes", s, end)
        if self.object_pairs_hook is not None:
            return self.object_pairs_hook(pairs), end
        result = dict(pairs)
        if self.object_hook is not None:
            result = self.object_hook(result)
        return result, end

    def _array(self, s, end, memo):
        values = []
        end = _skip(s, end)
        if s[end:end + 1] == "]":
            return values, end + 1
        scan = self._scan
        while True:
            value, end = scan(s, end, memo)
            values.append(value)
            if s[end:end + 1] not in (",", "]"):
                end = _skip(s, end)
            c = s[end:end + 1]
            if c == "]":
                return values, end + 1
            if c != ",":
                raise JSONDecodeError("Expecting ',' delimiter", s, end)
            comma = end
            end = _skip(s, end + 1)
            if s[end:end + 1] == "]":
                raise JSONDecodeError("Illegal trailing comma before end of array", s, comma)
