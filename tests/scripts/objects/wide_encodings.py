def t(f):
    try: print(ascii(f()))
    except Exception as e: print(type(e).__name__, ascii(str(e)), getattr(e,'start',None), getattr(e,'end',None), getattr(e,'encoding',None))
S = ['', 'abc', 'h\xe9\u20ac', '\U0001f600x', '\ud800', 'a\udc80\udcffb', '\ud83d\ude00', '\ud800\ud801\ud802']
for codec in ['utf-16','utf-16-le','utf-16-be','utf-32','utf_32_le','UTF-32BE','ascii','utf-8-sig','utf16']:
    for err in ['strict','ignore','replace','backslashreplace','surrogateescape','surrogatepass','xmlcharrefreplace','nope']:
        for s in S:
            t(lambda: s.encode(codec, err))
B = [b'', b'a', b'a\0', b'a\0b', b'\xff\xfea\0', b'\xfe\xff\0a', b'\0\xd8', b'\0\xd8\0', b'\0\xd8a\0', b'\0\xdca\0', b'\x3d\xd8\x00\xde', b'\xd8\x3d\xde\x00', b'\xd8\x00', b'\xff\xfe', b'\xff\xfe\0\0a\0\0\0', b'\0\0\xfe\xff\0\0\0a', b'a\0\0\0', b'\0\0\x11\0', b'\0\xd8\0\0', b'a\0\0', b'\xff\xff\xff\xff', b'\x80\xd8\x80\x80', b'\xed\xa0\x80', b'\xef\xbb\xbfhi', b'\xf0\x9f\x98', b'\xff\xfe\xff\xfea\0', b'a\xed\xa0\x80\xe2\x82b', b'\xf5\x80', b'\xc0\x80']
for codec in ['utf-16','utf-16-le','utf-16-be','utf-32','utf-32-le','utf-32-be','utf-8','utf-8-sig']:
    for err in ['strict','ignore','replace','backslashreplace','surrogateescape','surrogatepass','nope']:
        for s in B:
            t(lambda: s.decode(codec, err))
