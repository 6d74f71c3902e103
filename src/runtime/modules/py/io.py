"""Streams in memory."""

__all__ = ["BytesIO", "StringIO", "UnsupportedOperation", "SEEK_SET", "SEEK_CUR", "SEEK_END", "DEFAULT_BUFFER_SIZE"]

SEEK_SET, SEEK_CUR, SEEK_END = 0, 1, 2
DEFAULT_BUFFER_SIZE = 128 * 1024


class UnsupportedOperation(OSError, ValueError):
    pass


class IOBase:
    """What all streams have."""

    _closed = False

    @property
    def closed(self):
        return self._closed

    def _check(self):
        if self._closed:
            raise ValueError("I/O operation on closed file.")

    def close(self):
        self._closed = True

    def __enter__(self):
        self._check()
        return self

    def __exit__(self, *args):
        self.close()

    def flush(self):
        self._check()

    def readable(self):
        self._check()
        return True

    def writable(self):
        self._check()
        return True

    def seekable(self):
        self._check()
        return True

    def isatty(self):
        self._check()
        return False

    def fileno(self):
        raise UnsupportedOperation("fileno")

    def __iter__(self):
        self._check()
        return self

    def __next__(self):
        line = self.readline()
        if not line:
            raise StopIteration
        return line

    def readlines(self, hint=-1):
        lines, size = [], 0
        for line in self:
            lines.append(line)
            size += len(line)
            if hint is not None and 0 < hint <= size:
                break
        return lines

    def writelines(self, lines):
        for line in lines:
            self.write(line)


class TextIOBase(IOBase):
    """What streams of text have."""

    encoding = None
    errors = None


class RawIOBase(IOBase):
    pass


class BufferedIOBase(IOBase):
    pass


def _size(size):
    if size is None:
        return -1
    try:
        return size.__index__()
    except AttributeError:
        raise TypeError(f"argument should be integer or None, not '{type(size).__name__}'") from None


class StringIO(TextIOBase):
    """A stream of text in memory."""

    def __init__(self, initial_value="", newline="\n"):
        if newline is not None and not isinstance(newline, str):
            raise TypeError(f"newline must be str or None, not {type(newline).__name__}")
        if newline not in (None, "", "\n", "\r", "\r\n"):
            raise ValueError(f"illegal newline value: {newline!r}")
        if initial_value is not None and not isinstance(initial_value, str):
            raise TypeError(f"initial_value must be str or None, not {type(initial_value).__name__}")
        self._translate = newline
        # Which line ends have come, where any is one.
        self._seen = set()
        # Pieces in order while everything is written at the end; else one string.
        self._pieces = []
        self._text = ""
        self._pos = 0
        if initial_value:
            self.write(initial_value)
        self._pos = 0

    def _check(self):
        if self._closed:
            raise ValueError("I/O operation on closed file")

    def _whole(self):
        if self._pieces:
            self._text += "".join(self._pieces)
            self._pieces = []
        return self._text

    def _length(self):
        return len(self._whole())

    def write(self, s, /):
        self._check()
        if not isinstance(s, str):
            raise TypeError(f"string argument expected, got '{type(s).__name__}'")
        count = len(s)
        newline = self._translate
        if not newline and ("\r" in s or "\n" in s):
            rest = s.replace("\r\n", "")
            self._seen.update(end for end in ("\r", "\n") if end in rest)
            if len(rest) < len(s):
                self._seen.add("\r\n")
        if newline is None:
            s = s.replace("\r\n", "\n").replace("\r", "\n")
        elif newline in ("\r", "\r\n"):
            s = s.replace("\n", newline)
        if self._pos is None:
            self._pieces.append(s)
        else:
            text, pos = self._whole(), self._pos
            if pos == len(text):
                self._pieces.append(s)
                self._pos = None
            else:
                if pos > len(text):
                    text += "\0" * (pos - len(text))
                self._text = text[:pos] + s + text[pos + len(s):]
                self._pos = pos + len(s)
        return count

    def _place(self):
        # None stands for the end, where writing goes on.
        if self._pos is None:
            self._pos = self._length()
        return self._pos

    def getvalue(self):
        self._check()
        return self._whole()

    def read(self, size=-1, /):
        self._check()
        size, pos, text = _size(size), self._place(), self._whole()
        end = len(text) if size < 0 else min(pos + size, len(text))
        self._pos = max(pos, end)
        return text[pos:end]

    def readline(self, size=-1, /):
        self._check()
        size, pos, text = _size(size), self._place(), self._whole()
        end = self._line_end(text, pos)
        if 0 <= size < end - pos:
            end = pos + size
        self._pos = max(pos, end)
        return text[pos:end]

    def _line_end(self, text, pos):
        newline = self._translate
        if newline != "":
            newline = newline or "\n"
            at = text.find(newline, pos)
            return len(text) if at < 0 else at + len(newline)
        feed, back = text.find("\n", pos), text.find("\r", pos)
        if back >= 0 and (feed < 0 or back < feed):
            return back + 1 + (feed == back + 1)
        return len(text) if feed < 0 else feed + 1

    def detach(self):
        raise UnsupportedOperation("detach")

    def tell(self):
        self._check()
        return self._place()

    def seek(self, pos, whence=0, /):
        self._check()
        if whence == 0:
            if pos < 0:
                raise ValueError(f"Negative seek position {pos}")
        elif whence in (1, 2):
            if pos != 0:
                raise OSError("Can't do nonzero cur-relative seeks")
            pos = self._place() if whence == 1 else self._length()
        else:
            raise ValueError(f"Invalid whence ({whence}, should be 0, 1 or 2)")
        self._pos = pos
        return pos

    def truncate(self, size=None, /):
        self._check()
        size = self._place() if size is None else size
        if size < 0:
            raise ValueError(f"Negative size value {size}")
        self._place()
        self._text = self._whole()[:size]
        return size

    @property
    def newlines(self):
        seen = tuple(end for end in ("\r", "\n", "\r\n") if end in self._seen)
        return seen if len(seen) > 1 else seen[0] if seen else None

    @property
    def line_buffering(self):
        return False


class BytesIO(BufferedIOBase):
    """A stream of bytes in memory."""

    def __init__(self, initial_bytes=b""):
        self._buffer = bytearray()
        if initial_bytes is not None:
            self._buffer += initial_bytes
        self._pos = 0

    def getvalue(self):
        self._check()
        return bytes(self._buffer)

    def getbuffer(self):
        self._check()
        return memoryview(self._buffer)

    def detach(self):
        raise UnsupportedOperation("detach")

    def write(self, b, /):
        self._check()
        try:
            data = memoryview(b).tobytes()
        except TypeError:
            raise TypeError(f"a bytes-like object is required, not '{type(b).__name__}'") from None
        pos = self._pos
        if pos > len(self._buffer):
            self._buffer += bytes(pos - len(self._buffer))
        self._buffer[pos:pos + len(data)] = data
        self._pos = pos + len(data)
        return len(data)

    def read(self, size=-1, /):
        self._check()
        size, pos = _size(size), self._pos
        end = len(self._buffer) if size < 0 else min(pos + size, len(self._buffer))
        self._pos = max(pos, end)
        return bytes(self._buffer[pos:end])

    read1 = read

    def readinto(self, b, /):
        data = self.read(len(b))
        b[:len(data)] = data
        return len(data)

    def readline(self, size=-1, /):
        self._check()
        size, pos = _size(size), self._pos
        end = self._buffer.find(b"\n", pos) + 1
        if end == 0:
            end = len(self._buffer)
        if 0 <= size < end - pos:
            end = pos + size
        self._pos = max(pos, end)
        return bytes(self._buffer[pos:end])

    def tell(self):
        self._check()
        return self._pos

    def seek(self, pos, whence=0, /):
        self._check()
        if whence == 0:
            if pos < 0:
                raise ValueError(f"negative seek value {pos}")
        elif whence == 1:
            pos = max(0, self._pos + pos)
        elif whence == 2:
            pos = max(0, len(self._buffer) + pos)
        else:
            raise ValueError(f"invalid whence ({whence}, should be 0, 1 or 2)")
        self._pos = pos
        return pos

    def truncate(self, size=None, /):
        self._check()
        size = self._pos if size is None else size
        if size < 0:
            raise ValueError(f"negative size value {size}")
        del self._buffer[size:]
        return size
