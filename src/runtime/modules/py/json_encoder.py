"""Values to JSON."""

_INFINITY = float("inf")
_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\b": "\\b", "\f": "\\f"}


def _escaped(c):
    known = _ESCAPES.get(c)
    if known is not None:
        return known
    n = ord(c)
    if n < 0x10000:
        return f"\\u{n:04x}"
    n -= 0x10000
    return f"\\u{0xd800 | n >> 10 & 0x3ff:04x}\\u{0xdc00 | n & 0x3ff:04x}"


def _is_plain(s):
    return '"' not in s and "\\" not in s and s.isprintable()


def py_encode_basestring(s):
    """A string between quotes."""
    if _is_plain(s):
        return f'"{s}"'
    return '"' + "".join([_escaped(c) if c < " " or c in '"\\' else c for c in s]) + '"'


def py_encode_basestring_ascii(s):
    """The same in ASCII only."""
    if s.isascii() and _is_plain(s):
        return f'"{s}"'
    return '"' + "".join([_escaped(c) if c < " " or c > "~" or c in '"\\' else c for c in s]) + '"'


encode_basestring = py_encode_basestring
encode_basestring_ascii = py_encode_basestring_ascii


class JSONEncoder:
    """Makes JSON texts. `default` is asked for what JSON has no form of."""

    item_separator = ", "
    key_separator = ": "

    def __init__(self, *, skipkeys=False, ensure_ascii=True, check_circular=True, allow_nan=True, sort_keys=False,
                 indent=None, separators=None, default=None):
        self.skipkeys = skipkeys
        self.ensure_ascii = ensure_ascii
        self.check_circular = check_circular
        self.allow_nan = allow_nan
        self.sort_keys = sort_keys
        self.indent = indent
        if separators is not None:
            self.item_separator, self.key_separator = separators
        elif indent is not None:
            self.item_separator = ","
        if default is not None:
            self.default = default

    def default(self, o):
        raise TypeError(f"Object of type {o.__class__.__name__} is not JSON serializable")

    def encode(self, o):
        """The text of a value."""
        if isinstance(o, str):
            return (encode_basestring_ascii if self.ensure_ascii else encode_basestring)(o)
        return "".join(self._chunks(o))

    def iterencode(self, o, _one_shot=False):
        """The pieces of the text: an opening bracket comes with the first item's."""
        pieces, opening = [], ""
        for chunk in self._chunks(o):
            if chunk in ("[", ","):
                opening += chunk
            else:
                pieces.append(opening + chunk)
                opening = ""
        return iter(pieces)

    def _chunks(self, o):
        indent = self.indent
        if indent is not None and not isinstance(indent, str):
            indent = " " * indent
        out = []
        self._write(o, out.append, {} if self.check_circular else None, indent, 0,
                    encode_basestring_ascii if self.ensure_ascii else encode_basestring)
        return out

    def _float(self, o):
        if o != o:
            text = "NaN"
        elif o == _INFINITY:
            text = "Infinity"
        elif o == -_INFINITY:
            text = "-Infinity"
        else:
            return float.__repr__(o)
        if not self.allow_nan:
            raise ValueError("Out of range float values are not JSON compliant: " + repr(o))
        return text

    def _key(self, key):
        if isinstance(key, str):
            return key
        if isinstance(key, float):
            return self._float(key)
        if key is True:
            return "true"
        if key is False:
            return "false"
        if key is None:
            return "null"
        if isinstance(key, int):
            return int.__repr__(key)
        if self.skipkeys:
            return None
        raise TypeError(f"keys must be str, int, float, bool or None, not {key.__class__.__name__}")

    def _write(self, o, put, markers, indent, level, string):
        if isinstance(o, str):
            put(string(o))
        elif o is None:
            put("null")
        elif o is True:
            put("true")
        elif o is False:
            put("false")
        elif isinstance(o, int):
            put(int.__repr__(o))
        elif isinstance(o, float):
            put(self._float(o))
        else:
            if markers is not None:
                mark = id(o)
                if mark in markers:
                    raise ValueError("Circular reference detected")
                markers[mark] = o
            if isinstance(o, (list, tuple)):
                self._write_list(o, put, markers, indent, level, string)
            elif isinstance(o, dict):
                self._write_dict(o, put, markers, indent, level, string)
            else:
                value = self.default(o)
                try:
                    self._write(value, put, markers, indent, level, string)
                except Exception as exc:
                    exc.add_note(f"when serializing {type(o).__name__} object")
                    raise
            if markers is not None:
                del markers[mark]

    def _write_list(self, items, put, markers, indent, level, string):
        if not items:
            put("[]")
            return
        separator = self.item_separator
        put("[")
        if indent is not None:
            newline = "\n" + indent * (level + 1)
            separator += newline
            put(newline)
        write = self._write
        for i, value in enumerate(items):
            if i:
                put(separator)
            try:
                write(value, put, markers, indent, level + 1, string)
            except Exception as exc:
                exc.add_note(f"when serializing {type(items).__name__} item {i}")
                raise
        if indent is not None:
            put("\n" + indent * level)
        put("]")

    def _write_dict(self, dct, put, markers, indent, level, string):
        if not dct:
            put("{}")
            return
        separator, colon = self.item_separator, self.key_separator
        put("{")
        newline = ""
        if indent is not None:
            newline = "\n" + indent * (level + 1)
            separator += newline
        write = self._write
        first = True
        items = sorted(dct.items()) if self.sort_keys else dct.items()
        for key, value in items:
            text = key if type(key) is str else self._key(key)
            if text is None:
                continue
            if first:
                put(newline)
                first = False
            else:
                put(separator)
            put(string(text))
            put(colon)
            try:
                write(value, put, markers, indent, level + 1, string)
            except Exception as exc:
                exc.add_note(f"when serializing {type(dct).__name__} item {key!r}")
                raise
        if not first and indent is not None:
            put("\n" + indent * level)
        put("}")
