"""Paragraphs of a given width."""

__all__ = ["TextWrapper", "wrap", "fill", "dedent", "indent", "shorten"]

_WHITESPACE = "\t\n\x0b\x0c\r "
_PUNCTUATION = "\"'"


def _is_word(c):
    return c == "_" or c.isalnum()


class TextWrapper:
    """Breaks text into lines."""

    def __init__(self, width=70, initial_indent="", subsequent_indent="", expand_tabs=True, replace_whitespace=True,
                 fix_sentence_endings=False, break_long_words=True, drop_whitespace=True, break_on_hyphens=True,
                 tabsize=8, *, max_lines=None, placeholder=" [...]"):
        self.width = width
        self.initial_indent = initial_indent
        self.subsequent_indent = subsequent_indent
        self.expand_tabs = expand_tabs
        self.replace_whitespace = replace_whitespace
        self.fix_sentence_endings = fix_sentence_endings
        self.break_long_words = break_long_words
        self.drop_whitespace = drop_whitespace
        self.break_on_hyphens = break_on_hyphens
        self.tabsize = tabsize
        self.max_lines = max_lines
        self.placeholder = placeholder

    def _munge_whitespace(self, text):
        if self.expand_tabs:
            text = text.expandtabs(self.tabsize)
        if self.replace_whitespace:
            text = text.translate({ord(c): " " for c in _WHITESPACE})
        return text

    def _split(self, text):
        """Words and the white space between them."""
        chunks, i = [], 0
        while i < len(text):
            j, space = i, text[i] in _WHITESPACE
            while j < len(text) and (text[j] in _WHITESPACE) == space:
                j += 1
            chunk = text[i:j]
            if space or not self.break_on_hyphens:
                chunks.append(chunk)
            else:
                chunks += self._split_word(chunk)
            i = j
        return chunks

    def _split_word(self, word):
        """The parts of a word that may stand on different lines: broken behind hyphens between letters, and around
        dashes."""
        parts, start, i = [], 0, 0
        while i < len(word):
            if word[i] != "-":
                i += 1
                continue
            j = i
            while j < len(word) and word[j] == "-":
                j += 1
            count = j - i
            before = i > start and (_is_word(word[i - 1]) or word[i - 1] in "!\"'&.,?")
            after = j < len(word) and _is_word(word[j])
            if count >= 2 and before and after:
                parts += [word[start:i], word[i:j]]
                start = j
            elif (count == 1 and i - start >= 2 and word[i - 1].isalpha() and word[i - 2].isalpha()
                    and j + 1 < len(word) and word[j].isalpha() and (word[j + 1].isalpha() or word[j + 1] == "-")):
                parts.append(word[start:j])
                start = j
            i = j
        if start < len(word):
            parts.append(word[start:])
        return parts

    def _fix_sentence_endings(self, chunks):
        i = 0
        while i < len(chunks) - 1:
            word = chunks[i].rstrip(_PUNCTUATION)
            if chunks[i + 1] == " " and len(word) > 1 and word[-1] in ".!?" and word[-2].islower():
                chunks[i + 1] = "  "
                i += 2
            else:
                i += 1

    def _handle_long_word(self, chunks, line, length, width):
        space = 1 if width < 1 else width - length
        if self.break_long_words and space > 0:
            chunk, end = chunks[-1], space
            if self.break_on_hyphens and len(chunk) > space:
                hyphen = chunk.rfind("-", 0, space)
                if hyphen > 0 and any([c != "-" for c in chunk[:hyphen]]):
                    end = hyphen + 1
            line.append(chunk[:end])
            chunks[-1] = chunk[end:]
        elif not line:
            line.append(chunks.pop())

    def _wrap_chunks(self, chunks):
        lines = []
        if self.width <= 0:
            raise ValueError("invalid width %r (must be > 0)" % self.width)
        if self.max_lines is not None:
            indent = self.subsequent_indent if self.max_lines > 1 else self.initial_indent
            if len(indent) + len(self.placeholder.lstrip()) > self.width:
                raise ValueError("placeholder too large for max width")
        chunks.reverse()
        while chunks:
            line, length = [], 0
            indent = self.subsequent_indent if lines else self.initial_indent
            width = self.width - len(indent)
            if self.drop_whitespace and chunks[-1].strip() == "" and lines:
                del chunks[-1]
            while chunks and length + len(chunks[-1]) <= width:
                length += len(chunks[-1])
                line.append(chunks.pop())
            if chunks and len(chunks[-1]) > width:
                self._handle_long_word(chunks, line, length, width)
                length = sum(map(len, line))
            if self.drop_whitespace and line and line[-1].strip() == "":
                length -= len(line.pop())
            if not line:
                continue
            if (self.max_lines is None or len(lines) + 1 < self.max_lines
                    or (not chunks or self.drop_whitespace and len(chunks) == 1 and not chunks[0].strip())
                    and length <= width):
                lines.append(indent + "".join(line))
                continue
            # The last line that may be: room for the placeholder.
            while line:
                if line[-1].strip() and length + len(self.placeholder) <= width:
                    line.append(self.placeholder)
                    lines.append(indent + "".join(line))
                    break
                length -= len(line.pop())
            else:
                if lines:
                    last = lines[-1].rstrip()
                    if len(last) + len(self.placeholder) <= self.width:
                        lines[-1] = last + self.placeholder
                        break
                lines.append(indent + self.placeholder.lstrip())
            break
        return lines

    def wrap(self, text):
        """The lines of one paragraph."""
        chunks = self._split(self._munge_whitespace(text))
        if self.fix_sentence_endings:
            self._fix_sentence_endings(chunks)
        return self._wrap_chunks(chunks)

    def fill(self, text):
        """The same as one text."""
        return "\n".join(self.wrap(text))


def wrap(text, width=70, **kwargs):
    return TextWrapper(width=width, **kwargs).wrap(text)


def fill(text, width=70, **kwargs):
    return TextWrapper(width=width, **kwargs).fill(text)


def shorten(text, width, **kwargs):
    """Text on one line, its end cut off where it does not fit."""
    return TextWrapper(width=width, max_lines=1, **kwargs).fill(" ".join(text.strip().split()))


def dedent(text):
    """Takes away the white space that all lines begin with."""
    lines = text.split("\n")
    margin = None
    for line in lines:
        stripped = line.lstrip()
        if not stripped:
            continue
        own = line[:len(line) - len(stripped)]
        if margin is None:
            margin = own
        else:
            common = 0
            while common < min(len(margin), len(own)) and margin[common] == own[common]:
                common += 1
            margin = margin[:common]
    margin = len(margin or "")
    return "\n".join([line[margin:] if line.strip() else "" for line in lines])


def indent(text, prefix, predicate=None):
    """Puts a prefix before lines, those that are not empty unless told otherwise."""
    if predicate is None:
        predicate = str.strip
    return "".join([prefix + line if predicate(line) else line for line in text.splitlines(True)])
