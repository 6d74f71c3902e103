"""Kinds of characters, and text with places to fill in."""

__all__ = [
    "ascii_letters", "ascii_lowercase", "ascii_uppercase", "capwords", "digits", "hexdigits", "octdigits", "printable",
    "punctuation", "whitespace", "Formatter", "Template",
]

whitespace = " \t\n\r\v\f"
ascii_lowercase = "abcdefghijklmnopqrstuvwxyz"
ascii_uppercase = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
ascii_letters = ascii_lowercase + ascii_uppercase
digits = "0123456789"
hexdigits = digits + "abcdef" + "ABCDEF"
octdigits = "01234567"
punctuation = r"""!"#$%&'()*+,-./:;<=>?@[\]^_`{|}~"""
printable = digits + ascii_letters + punctuation + whitespace


def capwords(s, sep=None):
    """Words with a capital letter each, joined again."""
    return (sep or " ").join(map(str.capitalize, s.split(sep)))


class Template:
    """Text in which `$name` and `${name}` are filled in."""

    delimiter = "$"

    def __init__(self, template):
        self.template = template

    def _pieces(self):
        """Plain text and, as tuples of name, text and place, what is to be filled in. `$` alone has no name."""
        text, pieces, start, mark = self.template, [], 0, self.delimiter
        while True:
            at = text.find(mark, start)
            if at < 0:
                pieces.append(text[start:])
                return pieces
            pieces.append(text[start:at])
            start = at + len(mark)
            if text.startswith(mark, start):
                pieces.append(mark)
                start += len(mark)
                continue
            braced = text.startswith("{", start)
            begin = end = start + braced
            while end < len(text) and text[end].isascii() and (text[end] == "_" or text[end].isalnum()):
                if end == begin and text[end].isdigit():
                    break
                end += 1
            if end == begin or braced and not text.startswith("}", end):
                pieces.append((None, mark, at))
                continue
            name = text[begin:end]
            start = end + braced
            pieces.append((name, text[at:start], at))

    def _invalid(self, at):
        lines = self.template[:at].splitlines(keepends=True)
        if not lines:
            column, line = 1, 1
        else:
            column, line = at - len("".join(lines[:-1])) + 1, len(lines)
        raise ValueError("Invalid placeholder in string: line %d, col %d" % (line, column))

    def _fill(self, mapping, kws, safe):
        if mapping is None:
            mapping = kws
        elif kws:
            mapping = {**mapping, **kws}
        result = []
        for piece in self._pieces():
            if isinstance(piece, str):
                result.append(piece)
                continue
            name, text, at = piece
            if name is None:
                if not safe:
                    self._invalid(at)
                result.append(text)
            elif safe:
                try:
                    result.append(str(mapping[name]))
                except KeyError:
                    result.append(text)
            else:
                result.append(str(mapping[name]))
        return "".join(result)

    def substitute(self, mapping=None, /, **kws):
        """The text with everything filled in; KeyError for what is missing."""
        return self._fill(mapping, kws, False)

    def safe_substitute(self, mapping=None, /, **kws):
        """The same, but what is missing stays as it is."""
        return self._fill(mapping, kws, True)

    def is_valid(self):
        return all([isinstance(piece, str) or piece[0] is not None for piece in self._pieces()])

    def get_identifiers(self):
        return list(dict.fromkeys([p[0] for p in self._pieces() if not isinstance(p, str) and p[0] is not None]))


def _split_field(name):
    """The first part of a field's name, and the attributes and items behind it."""
    end = 0
    while end < len(name) and name[end] not in ".[":
        end += 1
    first, rest = name[:end], []
    while end < len(name):
        if name[end] == ".":
            begin = end = end + 1
            while end < len(name) and name[end] not in ".[":
                end += 1
            rest.append((True, name[begin:end]))
        else:
            begin = end + 1
            end = name.find("]", begin)
            if end < 0:
                raise ValueError("Missing ']' in format string")
            key = name[begin:end]
            if not key:
                raise ValueError("Empty attribute in format string")
            rest.append((False, int(key) if key.isdigit() else key))
            end += 1
    return int(first) if first.isdigit() else first, rest


class Formatter:
    """`str.format` in parts that can be overridden."""

    def format(self, format_string, /, *args, **kwargs):
        return self.vformat(format_string, args, kwargs)

    def vformat(self, format_string, args, kwargs):
        used_args = set()
        result, _ = self._vformat(format_string, args, kwargs, used_args, 2)
        self.check_unused_args(used_args, args, kwargs)
        return result

    def _vformat(self, format_string, args, kwargs, used_args, recursion_depth, auto_arg_index=0):
        if recursion_depth < 0:
            raise ValueError("Max string recursion exceeded")
        result = []
        for literal, name, spec, conversion in self.parse(format_string):
            if literal:
                result.append(literal)
            if name is None:
                continue
            if name == "" or name[0] in ".[":
                if auto_arg_index is False:
                    raise ValueError("cannot switch from manual field specification to automatic field numbering")
                name = str(auto_arg_index) + name
                auto_arg_index += 1
            elif name.split(".")[0].split("[")[0].isdigit():
                if auto_arg_index:
                    raise ValueError("cannot switch from automatic field numbering to manual field specification")
                auto_arg_index = False
            obj, used = self.get_field(name, args, kwargs)
            used_args.add(used)
            obj = self.convert_field(obj, conversion)
            spec, auto_arg_index = self._vformat(
                spec, args, kwargs, used_args, recursion_depth - 1, auto_arg_index)
            result.append(self.format_field(obj, spec))
        return "".join(result), auto_arg_index

    def get_value(self, key, args, kwargs):
        if isinstance(key, int):
            return args[key]
        return kwargs[key]

    def check_unused_args(self, used_args, args, kwargs):
        pass

    def format_field(self, value, format_spec):
        return format(value, format_spec)

    def convert_field(self, value, conversion):
        if conversion is None:
            return value
        if conversion == "s":
            return str(value)
        if conversion == "r":
            return repr(value)
        if conversion == "a":
            return ascii(value)
        raise ValueError(f"Unknown conversion specifier {conversion!s}")

    def parse(self, format_string):
        """Tuples of text, name, specification and conversion; the last three None where only text is left."""
        text, result, literal, i = format_string, [], [], 0
        while i < len(text):
            c = text[i]
            if c in "{}" and text[i + 1:i + 2] == c:
                result.append(("".join(literal) + c, None, None, None))
                literal = []
                i += 2
                continue
            if c == "}":
                raise ValueError("Single '}' encountered in format string")
            if c != "{":
                literal.append(c)
                i += 1
                continue
            depth, begin, i = 1, i + 1, i + 1
            if i >= len(text):
                raise ValueError("Single '{' encountered in format string")
            while i < len(text) and depth:
                depth += (text[i] == "{") - (text[i] == "}")
                i += 1
            if depth:
                raise ValueError("expected '}' before end of string")
            field, spec, conversion = text[begin:i - 1], "", None
            bracket = 0
            for at, c in enumerate(field):
                if c == "[":
                    bracket = 1
                elif c == "]":
                    bracket = 0
                elif c in ":!" and not bracket:
                    if c == ":":
                        field, spec = field[:at], field[at + 1:]
                    else:
                        conversion = field[at + 1:at + 2]
                        if not conversion:
                            raise ValueError("end of string while looking for conversion specifier")
                        if field[at + 2:at + 3] not in ("", ":"):
                            raise ValueError("expected ':' after conversion specifier")
                        field, spec = field[:at], field[at + 3:]
                    break
            result.append(("".join(literal), field, spec, conversion))
            literal = []
        if literal:
            result.append(("".join(literal), None, None, None))
        return iter(result)

    def get_field(self, field_name, args, kwargs):
        first, rest = _split_field(field_name)
        obj = self.get_value(first, args, kwargs)
        for is_attr, key in rest:
            obj = getattr(obj, key) if is_attr else obj[key]
        return obj, first
