import sys, time
t = time.gmtime(0); print(t); print(t[0], t.tm_year, len(t), t.tm_zone, t.tm_gmtoff, t == (1970,1,1,0,0,0,3,1,0))
print(time.strftime('%Y-%m-%d %H:%M:%S %j %a %A %b %B %p %I %y %w %U %W %% %Z %z %c %x %X', time.gmtime(1e9)))
print(time.asctime(time.gmtime(1e9)))
print(time.struct_time((1,2,3,4,5,6,7,8,9)))
for f in (lambda: time.struct_time((1,2)), lambda: time.struct_time(1), lambda: time.gmtime('a'), lambda: time.strftime(1), lambda: time.strftime('%Y', (1,2)), lambda: time.strftime('%Y', 1), lambda: time.strftime('%m', (2001, 13, 1,0,0,0,0,0,0)), lambda: time.gmtime(2**70), lambda: time.gmtime(float('nan')), lambda: time.asctime((1,2)), lambda: time.strftime('', time.gmtime()), lambda: time.strftime('%Y\u20ac', time.gmtime(0)), lambda: time.strptime('2001', '%Y').tm_year, lambda: t.__class__, lambda: time.struct_time.n_fields, lambda: time.struct_time.n_sequence_fields, lambda: time.struct_time.n_unnamed_fields, lambda: time.struct_time.__match_args__, lambda: type(sys.version_info)(range(5)), lambda: time.struct_time(range(11)).tm_gmtoff, lambda: time.struct_time(range(12)), lambda: time.struct_time((1,)*9, {'tm_zone':'X'}).tm_zone, lambda: t[9], lambda: hash(t) == hash(tuple(t)), lambda: t + (1,), lambda: t[:3], lambda: time.struct_time(t) == t, lambda: t.__reduce__(), lambda: t.__replace__(tm_year=5)):
    try: print(repr(f()))
    except BaseException as e: print(type(e).__name__, e)
