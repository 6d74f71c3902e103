def t(f):
    try:
        r = f()
        print('ok', r)
    except BaseException as e:
        show(e)
def show(e, ind=0):
    print(' ' * ind + type(e).__name__, '|', e, '| cause', repr(e.__cause__), '| ctx', repr(e.__context__), e.__suppress_context__, e.__traceback__ is not None)
    if isinstance(e, BaseExceptionGroup):
        for x in e.exceptions: show(x, ind + 2)
def handle(exc):
    def f():
        try:
            raise exc
        except* ValueError as e:
            print("V", repr(e), e.exceptions)
        except* (KeyError, IndexError) as e:
            print("KI", repr(e))
        else:
            print("else")
        finally:
            print("finally")
        return "end"
    return f
t(handle(ValueError(1)))
t(handle(ExceptionGroup("g", [ValueError(1), KeyError(2)])))
t(handle(ExceptionGroup("g", [ValueError(1), TypeError(2)])))
t(handle(ExceptionGroup("g", [ExceptionGroup("h", [ValueError(1), TypeError(2)]), IndexError(3)])))
t(handle(TypeError(5)))
t(handle(BaseExceptionGroup("b", [KeyboardInterrupt(), ValueError(3)])))
def noexc():
    try: pass
    except* ValueError: print("no")
    else: print("else ran")
t(noexc)
def raises():
    try:
        raise ExceptionGroup("g", [ValueError(1), KeyError(2), TypeError(3)])
    except* ValueError:
        raise ZeroDivisionError("new")
    except* KeyError as e:
        raise
t(raises)
def raises2():
    try:
        raise ExceptionGroup("g", [ValueError(1)])
    except* ValueError as e:
        raise OSError("one") from e
t(raises2)
def naked():
    try:
        raise ValueError("n")
    except* ValueError as e:
        raise
t(naked)
def bad1():
    try: raise ValueError
    except* 3: pass
def bad2():
    try: raise ValueError
    except* ExceptionGroup: pass
def bad3():
    try: raise ValueError
    except* (ValueError, ExceptionGroup): pass
t(bad1); t(bad2); t(bad3)
class G(ExceptionGroup):
    def derive(self, excs): return G(self.message + "!", excs)
t(handle(G("custom", [ValueError(1), OSError(2)])))
class BadSplit(ExceptionGroup):
    def split(self, t): return 3
class BadSplit2(ExceptionGroup):
    def split(self, t): return (3,)
t(handle(BadSplit("bs", [OSError(1)]))); t(handle(BadSplit2("bs", [OSError(1)])))
def nested():
    try:
        try:
            raise ExceptionGroup("o", [ValueError(1), KeyError(2)])
        except* ValueError as e:
            print("inner", e.exceptions)
    except* KeyError as e:
        print("outer", e.exceptions, e.__context__)
t(nested)
import sys
def ctx():
    try:
        raise ExceptionGroup("o", [ValueError(1), KeyError(2)])
    except* ValueError as e:
        print(sys.exception() is e)
    except* KeyError as e:
        print(sys.exception() is e)
    print(sys.exception())
t(ctx)
def many():
    n = 0
    for i in range(30):
        try:
            raise ExceptionGroup("o", [ValueError(i)])
        except* ValueError: n += 1
    return n
t(many)
