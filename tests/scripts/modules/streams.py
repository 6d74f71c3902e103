import io
def t(f, *a, **k):
    try: print(repr(f(*a, **k)))
    except Exception as e: print(type(e).__name__, e)
s = io.StringIO(); print(s.write('hello\n'), s.write('wörld'), repr(s.getvalue()), s.tell()); s.seek(0); print(repr(s.readline()), repr(s.read(2)), repr(s.read()), repr(s.read())); s.seek(2); s.write('XX'); print(repr(s.getvalue())); s.seek(20); s.write('!'); print(repr(s.getvalue()), s.truncate(3), repr(s.getvalue()))
s = io.StringIO('a\nb\nc'); print(list(s), s.readlines()); s.seek(0); print(s.readlines(), s.closed, s.readable(), s.seekable()); s.seek(0, 2); s.write('d'); print(s.getvalue()); s.writelines(['1', '2']); print(s.getvalue(), file=s); print(repr(s.getvalue()))
t(s.write, 5); t(s.write, b'a'); t(s.seek, -1); t(s.seek, 1, 1); t(s.seek, 0, 5); t(io.StringIO, 5); t(s.fileno); s.close(); t(s.read); t(s.getvalue); t(io.StringIO, 'a', 'x')
with io.StringIO('q') as f: print(f.read())
b = io.BytesIO(b'abc'); print(b.read(1), b.read(), b.getvalue(), b.seek(1), b.write(b'ZZZ'), b.getvalue(), b.tell()); b.seek(0); print(b.readline(), list(io.BytesIO(b'1\n2\n')), b.truncate(2), b.getvalue()); t(b.write, 'a'); t(b.write, 5); t(b.seek, -1); x = bytearray(2); b.seek(0); print(b.readinto(x), x); b.close(); t(b.read)
print(io.StringIO('a\r\nb\rc', newline=None).read() == 'a\nb\nc', repr(io.StringIO('a\nb', newline='\r\n').getvalue()), io.StringIO().read(), issubclass(io.StringIO, io.TextIOBase), io.SEEK_END, io.UnsupportedOperation.__mro__[1:3])
