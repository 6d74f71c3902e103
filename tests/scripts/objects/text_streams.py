def t(f, *a, **k):
    try: r = f(*a, **k)
    except BaseException as e: print(type(e).__name__, e)
    else: print(r if isinstance(r, str) else repr(r))
import io
s = io.StringIO('line1\nline2\r\nline3\rend'); print(s.readline(), s.readlines(), s.read(), s.tell()); s.seek(0); print(list(s)); s.seek(0); print(s.read(3), s.read(-1)); s.seek(0, 2); print(s.write('x'), s.tell()); s.truncate(3); print(s.getvalue(), s.tell()); t(s.seek, -1); t(s.seek, 1, 1); t(s.seek, 0, 5); t(s.write, b'a'); t(s.read, 'a'); s.close(); t(s.read); t(s.getvalue); print(s.closed)
s = io.StringIO(); print(s.writelines(['a', 'b']), s.getvalue(), s.readable(), s.writable(), s.seekable(), s.isatty(), s.line_buffering, s.newlines, s.encoding, s.errors); t(s.fileno); t(s.detach); s.seek(5); s.write('z'); print(repr(s.getvalue())); s.seek(1); s.write('QQ'); print(repr(s.getvalue())); t(s.truncate, -1)
s = io.StringIO('a\r\nb\rc\n', newline=None); print(repr(s.read()), s.newlines); s = io.StringIO('a\r\nb', newline=''); print(repr(s.readline())); s = io.StringIO(newline='\r\n'); s.write('a\nb'); print(repr(s.getvalue())); t(io.StringIO, newline='q'); t(io.StringIO, 3); 
with io.StringIO('abc') as s: print(s.read(1))
t(s.read); t(next, io.StringIO('')); print(io.StringIO('x\ny').__next__()); print(io.StringIO('ab').readline(1)); t(print, 'hi', file=io.StringIO())
b = io.BytesIO(b'abc\ndef'); print(b.read(2), b.readline(), b.getvalue(), b.tell(), b.readinto(bytearray(2)), b.seek(0), b.read1(2), b.readlines()); t(b.write, 'a'); v = b.getbuffer(); v[0] = 90; print(b.getvalue()); t(b.write, bytearray(100)); t(b.truncate, 0); v.release(); print(b.write(memoryview(b'xy')))
